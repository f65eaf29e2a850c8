"""Model messages: models, their folders and their parts. Each says what happened and what to do."""

from __future__ import annotations

MODELS: dict[str, str] = {
    # config
    "config_value": "{field} is {value}; it must be {wanted}",
    "config_type": "{field} in {where} is {value}; it must be {wanted}",
    "config_unknown": "{where} names {field!r}, which this version does not know; update Headscope or "
    "remove the key",
    "config_missing": "{where} lacks {field!r}; the file is incomplete, get a fresh copy of the model",
    "config_heads": "d_model {d_model} cannot be divided among {n_heads} heads; choose numbers that "
    "divide evenly",
    "config_kv_heads": "{n_heads} heads cannot share {kv_heads} heads of keys and values; choose a number "
    "that divides {n_heads} evenly",
    "config_tie": "all embeddings are tied, but the vocabularies differ ({source} and {target} pieces); "
    "use one shared vocabulary or tie fewer",
    "config_copying": "words can be copied from source to target only where both share one vocabulary",
    # model
    "too_long": "the text is {tokens} tokens long and this model reads at most {limit}; shorten it",
    "token_id": "token number {id} is outside the vocabulary of {vocab} pieces; it belongs to another model "
    "or tokenizer",
    "empty_text": "there is no text to translate; type a sentence",
    "only_unknown": "the model knows no character of this text; write in the language that it reads",
    "language_unread": "the model {model} reads {reads}, and this text is written in {written}; use the "
    "model {offer} for it",
    "script_unread": "the model {model} reads {reads}, and this text is written in {written}; write in "
    "{reads}, or choose another model",
    "model_unknown": "there is no model {name}; name a model folder or one of the bundled models ({names})",
    "input_not_utf8": "line {line} of the input is not UTF-8 text; send it as UTF-8",
    # tokenizer
    "tokenizer_missing": (
        "there is no tokenizer file {path}; check the name, or get a fresh copy of the model"
    ),
    "tokenizer_unreadable": "cannot read the tokenizer {path} ({reason}); check the file and its permissions",
    "tokenizer_invalid": ("{path} is not a SentencePiece tokenizer ({reason}); get a fresh copy of the file"),
    "tokenizer_no_text": "there is no text to learn a vocabulary from; give sentences that are not blank",
    "tokenizer_vocab_too_small": "{size} pieces are too few for the characters of this text; ask for a "
    "vocabulary of at least {least}",
    "tokenizer_special": "{path} has no {name} piece, and a Transformer needs one; choose a SentencePiece "
    "model with pad, unk, bos and eos, or let a vocabulary be learned",
    "tokenizer_special_differ": "{path} and {other} number their pad, unk, bos and eos pieces "
    "differently; choose two vocabularies that agree, or one for both languages",
    "tokenizer_training": "no vocabulary could be learned ({reason}); give more text or ask for fewer pieces",
    # tensors in files
    "tensors_invalid": (
        "{path} is damaged or not a safetensors file ({reason}); get a fresh copy of the file"
    ),
    "tensors_pickle": "{path} is a pickle or zip archive, which could run foreign code and is never "
    "loaded; get the model as safetensors",
    # bundle
    "bundle_missing": "there is no model in {path}; choose a folder that holds a config.json",
    # folders that nobody vouches for
    "folder_empty": "the folder {path} is empty; choose one that holds a model",
    "folder_above": "there is no model in {path} itself, only in its subfolders; open {names}",
    "folder_no_config": "{path} contains weights but no config.json, so the kind of model is unknown; "
    "get a fresh copy of the model with all its files",
    "folder_no_weights": "{path} describes a model but contains no weights; get a fresh copy of the "
    "model with model.safetensors or pytorch_model.bin",
    "folder_adapter": "{path} contains only an adapter ({name}), which changes another model; merge "
    "it into that model (peft: merge_and_unload), save the result, and open that folder",
    "folder_gguf": "{path} contains the model only in the GGUF format ({name}), whose attention "
    "cannot be seen; get the same model as safetensors",
    "folder_tensorflow": "{path} contains the model only for TensorFlow ({name}); get the same model "
    "as safetensors",
    "folder_flax": "{path} contains the model only for Flax ({name}); get the same model as safetensors",
    "folder_onnx": "{path} contains the model only in the ONNX format ({name}), whose attention "
    "cannot be seen; get the same model as safetensors",
    "folder_checkpoint": "{path} contains a checkpoint of a training program ({name}), which could "
    "run foreign code and is never loaded; convert it to the Hugging Face format and open that "
    "folder",
    "folder_name": "{path} lists the file {name!r}, which is not the name of a file in it; get a "
    "fresh copy of the model",
    "folder_part": "{path} lacks the file {name}, which its index lists; get a fresh copy of the "
    "model with all its files",
    "hf_old": "the transformers package {version} is too old for the model in {path}, which needs version "
    "{oldest} or later; update it with: pip install --upgrade transformers",
    "foreign_quantized": "the weights in {path} are quantized, so only a changed model could be "
    "shown; get the original model (float16, bfloat16 or float32)",
    "foreign_no_tokenizer": "{path} contains no tokenizer, so no text can be read; get a fresh copy "
    "of the model with tokenizer.json",
    "foreign_tokenizer_class": "the model in {path} needs the tokenizer {name}, which the installed "
    "transformers package does not have; update it, or get a model with another tokenizer",
    "foreign_tokenizer": ("the tokenizer in {path} cannot be used ({reason}); get a fresh copy of the model"),
    "tokenizer_failed": "the model's tokenizer cannot process this text ({reason}); try another text, "
    "or get a fresh copy of the model",
    "foreign_sizes": "config.json in {path} describes a model larger than its weights; get a fresh "
    "copy of the model",
    "foreign_memory": "the model in {path} needs {needed} of memory, but this machine has {there}; "
    "choose a smaller model",
    "foreign_missing": "{path} lacks {count} of the weights that its config.json asks for (the first "
    "is {name}), which would have to be invented; get a complete copy of the model",
    "foreign_failed": "the transformers package cannot load the model in {path} ({reason}); update "
    "it, or get a fresh copy of the model",
    "file_elsewhere": "{path} is a link that leads out of the model's folder and is not followed; put "
    "the file itself there",
    "bundle_format": "{path} does not describe a model of Headscope; choose another folder",
    "bundle_newer": "{path} was written by a newer Headscope (format version {version}); update Headscope "
    "to open it",
    "bundle_invalid": "{path} is damaged ({reason}); get a fresh copy of the model",
    "bundle_vocab": (
        "{path} has {found} pieces, but the model needs {wanted}; get a fresh copy of the model"
    ),
    "bundle_special": "{path} gives its {name} token the id {found}, but config.json says {wanted}; "
    "get a fresh copy of the model",
    "weights_missing": "{path} lacks the tensor {name!r}; get a fresh copy of the model",
    "weights_unexpected": "{path} contains the tensor {name!r}, which is not part of this "
    "architecture; check config.json or get a fresh copy of the model",
    "weights_shape": "tensor {name!r} in {path} has the shape {found} where {wanted} is needed; check "
    "config.json or get a fresh copy of the model",
    "weights_dtype": "tensor {name!r} in {path} has the type {found}; only {wanted} can be loaded",
    "checkpoint_legacy": "{path} is a PyTorch file of the kind written before 2020, which cannot be read "
    "piece by piece; convert it once with: python -c \"import torch; p = 'pytorch_model.bin'; "
    'torch.save(torch.load(p, weights_only=True), p)"',
    "checkpoint_invalid": "{path} is damaged or contains more than weights ({reason}), so it is not "
    "opened; get a fresh copy of the model, preferably as model.safetensors",
    "marian_unlike": "the Marian model in {path} differs from those that Headscope computes itself "
    "({reason}); it can be opened with the transformers package; install it with: pip install "
    "'headscope[hf]'",
    "weights_not_finite": "tensor {name!r} in {path} contains numbers that are not finite; get a "
    "fresh copy of the model, or train from the last good state",
    "weights_half": "tensor {name!r} is too large for half precision; save the model in single precision",
    "training_state_invalid": "{path} is damaged ({reason}); start the training anew, without --resume",
}
