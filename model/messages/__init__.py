"""Messages: the English sentence of every error, by code; `model.errors` says what they are for."""

from __future__ import annotations

from model.messages.files import FILES
from model.messages.models import MODELS
from model.messages.work import WORK

MESSAGES: dict[str, str] = {**WORK, **MODELS, **FILES}
