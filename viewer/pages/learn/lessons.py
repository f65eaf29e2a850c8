"""LESSONS: every lesson of the Learn page, in the order of its list."""

from __future__ import annotations

from viewer.lessons.registry import TOLD
from viewer.pages.learn.lesson import Lesson
from viewer.pages.learn.order.order_experiment import ORDER
from viewer.pages.learn.taught.taught_view import taught
from viewer.pages.learn.two_sentences.two_sentences import TWO_SENTENCES
from viewer.pages.learn.walk.layer_walk import WALK

LESSONS: list[Lesson] = [*map(taught, TOLD), WALK, TWO_SENTENCES, ORDER]
