"""`Recorder`: watches a model of `transformers`, and keeps a trace of each sequence it reads or writes."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.files.files import StrPath, shown, temporary_beside, write_error
from model.recording.arrays import shape_of
from model.recording.calls import (
    arguments_of,
    decoding_of,
    ending,
    generation_arguments,
    labels_of,
    model_name,
    prompt_mask,
    setting,
    takes,
    target_mask,
)
from model.recording.eager import eager_attention
from model.recording.inputs import RecordingInputs
from model.recording.sides import namer
from model.recording.trace_maker import trace_of
from model.trace.trace_file import save_trace

# Beyond this many numbers the logits of a prompt are not asked for: a large vocabulary times a long prompt.
_MOST_PROMPT_LOGITS = 1 << 27


class Recorder:
    """What `model.record.recording` gives out.

    Attributes:
        paths: the traces written; known once the block has ended.
    """

    def __init__(self, model: Any, tokenizer: Any, path: StrPath, options: Mapping[str, Any]) -> None:
        """Args: options: those of `recording`: item, candidates, float16, text, numbers, ..."""
        # What `torch.compile` returns takes any arguments; those of the model itself have names.
        forward: Any = getattr(getattr(model, "_orig_mod", model), "forward", None)
        if not hasattr(model, "register_forward_pre_hook") or not takes(forward, "output_attentions"):
            raise HeadscopeError("record_model", type=type(model).__name__)
        self._forward: Callable[..., Any] = forward
        self.paths: tuple[Path, ...] = ()
        self._model, self._tokenizer, self._path = model, namer(tokenizer), Path(path)
        self._item: int | None = options["item"]
        self._float16: bool = options["float16"]
        self._values = {name: options[name] for name in options if name not in ("item", "float16")}
        self._folder: Path | None = None
        self._count = 0
        self._generating = False
        self._prompt_logits: Any = None
        self._read_by_decoder: Any = None
        self._asked_tuple = False

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Record inside the block, write the files behind it; everything is put back, whatever happens."""
        folder = temporary_beside(self._path)
        try:
            try:
                os.mkdir(folder)
            except OSError as error:
                raise write_error(self._path, error) from None
            self._folder = folder
            with eager_attention(self._model), self._hooks():
                yield
            self._publish()
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            self._prompt_logits = self._read_by_decoder = None

    @contextlib.contextmanager
    def _hooks(self) -> Iterator[None]:
        model = self._model
        hooks = [
            model.register_forward_pre_hook(self._before, with_kwargs=True),
            model.register_forward_hook(self._after, with_kwargs=True),
        ]
        decoder = model.get_decoder() if _two_stacks(model) and hasattr(model, "get_decoder") else None
        if decoder is not None:
            hooks.append(decoder.register_forward_pre_hook(self._before_decoder, with_kwargs=True))
        own = vars(model).get("generate")
        generate = getattr(model, "generate", None)
        if generate is not None:
            model.generate = functools.wraps(generate)(functools.partial(self._generate, generate))
        try:
            yield
        finally:
            for hook in hooks:
                hook.remove()
            if own is not None:
                model.generate = own
            elif generate is not None:
                del model.generate

    # While the model works.

    def _before(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        if self._generating:
            return args, kwargs
        self._asked_tuple = kwargs.get("return_dict") is False
        return args, {**kwargs, "output_attentions": True, "return_dict": True}

    def _before_decoder(self, decoder: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self._read_by_decoder = kwargs.get("input_ids", args[0] if args else None)

    def _after(self, model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
        if self._generating:
            logits = getattr(output, "logits", None)
            if self._prompt_logits is None and logits is not None and not _two_stacks(model):
                self._prompt_logits = logits.detach()
            return output
        self._keep_reading(arguments_of(self._forward, args, kwargs), output)
        if not self._asked_tuple:
            return output
        rest = {name: value for name, value in output.items() if not name.endswith("attentions")}
        return type(output)(**rest).to_tuple()

    def _generate(self, generate: Any, *args: Any, **kwargs: Any) -> Any:
        arguments = arguments_of(generate, args, kwargs)
        asked = bool(setting(self._model, arguments, "return_dict_in_generate"))
        given = generation_arguments(arguments)
        if self._asks_prompt_logits(arguments):
            given.setdefault("logits_to_keep", 0)
        self._generating, self._prompt_logits = True, None
        try:
            outputs = generate(**given)
        finally:
            self._generating = False
        self._keep_generated(arguments, outputs)
        return outputs if asked else outputs.sequences

    def _asks_prompt_logits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the rows of the prompt are to be computed too: `generate` leaves all but the last out."""
        ids = _prompt(arguments)
        if ids is None or _two_stacks(self._model) or not takes(self._forward, "logits_to_keep"):
            return False
        vocabulary = getattr(self._model.config.get_text_config(), "vocab_size", 0)
        beams = setting(self._model, arguments, "num_beams") or 1
        batch, length = shape_of(ids)
        return bool(batch * length * beams * vocabulary <= _MOST_PROMPT_LOGITS)

    # What is kept.

    def _keep_reading(self, arguments: Mapping[str, Any], output: Any) -> None:
        ids, mask = arguments.get("input_ids"), _mask(arguments)
        pad, _ = ending(self._model)
        values: dict[str, Any] = {"attention_mask": mask}
        if _two_stacks(self._model):
            read = self._read_by_decoder
            values |= {
                "src_tokens": ids,
                "tgt_in_tokens": read,
                "tgt_out_tokens": labels_of(arguments),
                "target_mask": target_mask(arguments, read, pad),
                "decoding": {"mode": "forced"},
            }
        else:
            values |= {"tokens": ids, "token_type_ids": arguments.get("token_type_ids")}
        self._keep(output, _batch(output), values)

    def _keep_generated(self, arguments: Mapping[str, Any], outputs: Any) -> None:
        ids, (pad, ends) = _prompt(arguments), ending(self._model, arguments)
        mask = prompt_mask(ids, _mask(arguments), pad, ends)
        values = {
            "src_tokens": ids if _two_stacks(self._model) else None,
            "attention_mask": mask,
            "prompt_logits": self._prompt_logits,
            "decoding": decoding_of(self._model, arguments),
            "pad_id": pad,
            "end_ids": ends,
        }
        self._prompt_logits = None
        self._keep(outputs, len(outputs.sequences), values)

    def _keep(self, attentions: Any, count: int, values: Mapping[str, Any]) -> None:
        """Write a trace of each sequence, or of the one that is wanted, where nobody sees it yet."""
        if self._item is not None and not 0 <= self._item < count:
            raise HeadscopeError("record_item", item=self._item, count=count)
        assert self._folder is not None
        for item in range(count) if self._item is None else (self._item,):
            given = RecordingInputs(
                attentions=attentions,
                tokenizer=self._tokenizer,
                item=item,
                model_name=model_name(self._model),
                **{**values, **self._values},
            )
            try:
                save_trace(trace_of(given), self._folder / f"{self._count + 1}.trace", float16=self._float16)
            except HeadscopeError as error:
                named = {"path": shown(self._path)} if "path" in error.values else {}
                raise HeadscopeError(error.code, **{**error.values, **named}) from None
            self._count += 1

    def _publish(self) -> None:
        """Give the traces their names: the one asked for, or with `-1`, `-2`, … before the suffix."""
        assert self._folder is not None
        if not self._count:
            raise HeadscopeError("record_nothing", type=type(self._model).__name__)
        path = self._path
        names = [path]
        if self._count > 1:
            names = [path.with_name(f"{path.stem}-{n + 1}{path.suffix}") for n in range(self._count)]
        for name in names:
            temporary_beside(name)  # refuses what no file can replace, before any is replaced
        for number, name in enumerate(names):
            try:
                os.replace(self._folder / f"{number + 1}.trace", os.path.realpath(name))
            except OSError as error:
                raise write_error(name, error) from None
        self.paths = tuple(names)


def _two_stacks(model: Any) -> bool:
    return bool(getattr(getattr(model, "config", None), "is_encoder_decoder", False))


def _prompt(arguments: Mapping[str, Any]) -> Any:
    """The ids that a `generate` was given; None where it was given something else."""
    for name in ("inputs", "input_ids"):
        value = arguments.get(name)
        if value is not None and len(shape_of(value)) == 2:
            return value
    return None


def _mask(arguments: Mapping[str, Any]) -> Any:
    """The attention mask of tokens; that of sounds counts something else than the encoder's places."""
    tokens = ("inputs", "input_ids", "inputs_embeds", "encoder_outputs")
    if all(arguments.get(name) is None for name in tokens):
        return None
    return arguments.get("attention_mask")


def _batch(output: Any) -> int:
    """How many sequences an output is of."""
    for name in ("attentions", "decoder_attentions", "encoder_attentions"):
        layers = getattr(output, name, None)
        if layers and layers[0] is not None:
            return shape_of(layers[0])[0]
    raise HeadscopeError("record_no_attention")
