"""What is measured of positions, against numbers worked out by hand; and what is said of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from model.experiments.positions import ARMS, POSITIONS, REACH
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.measures.positions import Shifted, _in_place, _misplaced, measure
from model.experiments.running.trained import Trained
from model.training.train import train
from model.work import result_of
from tests.model import tiny_bundle


@pytest.mark.parametrize("arm", ["none", "alibi"])
def test_what_follows_from_the_formula_is_found(arm: str, tmp_path: Path) -> None:
    options = POSITIONS.train_options(POSITIONS.arm(arm), 1, tiny=True)
    for _ in train(options, tmp_path / "model"):
        pass
    found = result_of(measure(Trained(tmp_path / "model", arm, 1, options, tiny=True)))
    # Neither knows more than distances, and a distance without a side does not change when all turns round.
    assert found["shifted_right"] == found["right"][:2]
    assert found["place_guessed"] == pytest.approx(3.0)  # of twelve places 0.5 to 5.5 from the middle
    if arm == "none":
        assert found["bias_encoder"] is None
        assert found["moved_encoder"] < 1e-5 < 1e-3 < found["moved_decoder"]
    else:
        distances = np.abs(np.arange(-REACH, REACH + 1))
        np.testing.assert_allclose(found["bias_encoder"], [-distances / 16, -distances / 256], rtol=1e-6)
        np.testing.assert_allclose(found["bias_decoder"][0], -distances[: REACH + 1] / 16, rtol=1e-6)
    looks = np.array(found["looks_decoder"])
    assert looks.shape == (2, REACH + 1)
    assert (looks > 0).all()


def test_a_shift_reads_other_rows_of_the_table() -> None:
    model = tiny_bundle.transformer(tiny_bundle.architecture(positions="learned"))
    moved = tiny_bundle.transformer(tiny_bundle.architecture(positions="learned"))
    with torch.no_grad():
        assert moved.positions.weight is not None
        moved.positions.weight.copy_(moved.positions.weight.roll(-5, 0))
        source, target = torch.tensor([[5, 9, 7, 3]]), torch.tensor([[2, 8, 6]])
        shifted = Shifted(model, 5)
        memory = shifted.encode(source)
        torch.testing.assert_close(memory, moved.encode(source))
        cache = shifted.start_cache(memory)
        steps = torch.cat([shifted.decode_step(target[:, at : at + 1], cache) for at in range(3)], 1)
        torch.testing.assert_close(steps, moved.decode(target, memory), atol=1e-5, rtol=1e-5)


def test_words_count_in_their_place() -> None:
    assert _in_place("ant bee cat", "ant cat cat dog") == 0.5
    assert _in_place("", "ant") == 0.0


def test_a_place_that_is_in_the_state_is_told() -> None:
    generator = torch.Generator().manual_seed(0)
    states = torch.randn(40, 12, 5, generator=generator)
    told = states + torch.arange(12.0)[None, :, None] * torch.tensor([3.0, 0, -2.0, 0, 1.0])
    assert _misplaced(told) < 0.5
    assert _misplaced(states) == pytest.approx(3.0, abs=0.3)  # no better than the middle


def test_what_is_said_follows_the_numbers() -> None:
    """Two lengths trained on and one beyond, by hand."""

    def arm(name: str, seed: int, right: list[float], shifted: list[float], **more: float) -> ArmResult:
        measured = {"lengths": [3, 12, 24], "right": right, "words": right, **more}
        measured |= {"shifted_right": shifted, "shifted_words": shifted}
        return ArmResult(name, seed, measured=measured)

    order = {"moved_encoder": 1e-7, "moved_decoder": 0.2, "place_guessed": 3.0}
    arms = [
        arm("sinusoidal", 1, [1.0, 0.9, 0.2], [0.5, 0.5]),
        arm("sinusoidal", 2, [1.0, 0.7, 0.4], [0.5, 0.5]),
        arm("none", 1, [0.2, 0.0, 0.0], [0.2, 0.0], **order, place_encoder=3.1, place_decoder=2.0),
        *(arm(name, 1, [1.0, 1.0, 0.6], [1.0, 1.0]) for name in ("learned", "relative", "rotary")),
    ]

    def found(*arms: ArmResult) -> dict[str, tuple[object, bool | None]]:
        values = {"counted": "words", "stack": "encoder"}
        numbers = POSITIONS.numbers(ExperimentResult("positions", "", "", {}, arms), values)
        return {one.name: (one.value, one.holds) for one in numbers.findings}

    said = found(*arms)
    assert said["sinusoidal"] == (pytest.approx(0.9), False)  # one seed is below
    assert said["relative"] == (1.0, True)
    assert said["none"] == (pytest.approx(0.1), True)
    assert "beyond" not in said, "ALiBi is still to come"
    assert "shift_acting" not in said
    assert said["shift_added"] == (pytest.approx(0.4), False)  # learned loses nothing
    assert said["moved_encoder"] == (1e-7, True)
    assert said["place_decoder"] == (2.0, False)
    said = found(*arms, arm("alibi", 1, [1.0, 0.9, 0.1], [1.0, 0.9]))
    assert said["beyond"] == (pytest.approx(0.6), False)
    assert said["shift_acting"] == (0.0, True)
    assert found() == {}
    assert [each.name for each in ARMS] == ["sinusoidal", "learned", "none", "relative", "rotary", "alibi"]
