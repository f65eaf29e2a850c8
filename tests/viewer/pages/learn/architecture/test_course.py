"""The order of computation: the encoder once, the decoder for each token; back again the same way."""

from __future__ import annotations

from viewer.pages.learn.architecture.course import Moment, after, before, in_encoder, tour

ORDER = (
    "encoder.embedding",
    "encoder.0.self_attention",
    "decoder.embedding",
    "decoder.0.cross",
    "decoder.softmax",
)


def test_forth_and_back_is_one_way() -> None:
    way = [Moment(ORDER[0], 0)]
    while (found := after(ORDER, way[-1], 3)) is not None:
        way.append(found)
    assert [moment.key for moment in way] == [*ORDER[:2], *ORDER[2:] * 3]
    assert [moment.step for moment in way] == [0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2]
    back = [way[-1]]
    while (found := before(ORDER, back[-1])) is not None:
        back.append(found)
    assert back == way[::-1]


def test_from_the_encoder_the_first_step_follows() -> None:
    assert after(ORDER, Moment(ORDER[1], 7), 9) == Moment(ORDER[2], 0)


def test_of_one_stack_alone() -> None:
    reader, writer = ORDER[:2], ORDER[2:]
    assert after(reader, Moment(reader[-1], 0), 0) is None
    assert not in_encoder(reader, reader[0])
    assert in_encoder(ORDER, ORDER[1])
    assert after(writer, Moment(writer[-1], 0), 2) == Moment(writer[0], 1)
    assert before(writer, Moment(writer[0], 1)) == Moment(writer[-1], 0)
    assert before(writer, Moment(writer[0], 0)) is None


def test_a_tour_passes_one_layer_of_each_stack() -> None:
    order = (*ORDER[:2], "encoder.1.self_attention", *ORDER[2:4], "decoder.1.cross", ORDER[4])
    assert tour(order) == ORDER
