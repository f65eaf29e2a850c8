"""File messages: traces, recordings, pairs, trainings. Each says what happened and what to do."""

from __future__ import annotations

FILES: dict[str, str] = {
    # training
    "device_absent": "this machine has no {device} that torch can use; choose auto or one of {present}",
    "device_few": "{wanted} processes need one CUDA device each and this machine has {count}; start "
    "no more processes than devices, or choose the device cpu",
    "ranks_environment": "{name} is {value!r}, which is not a value that a launcher sets; start this "
    "command with torchrun, or unset RANK and WORLD_SIZE",
    "ranks_unavailable": "this torch was built without torch.distributed; start one process, without "
    "torchrun",
    "ranks_start": "the processes of this run could not find one another ({reason}); check the address "
    "and port given to torchrun, and start all of them again",
    "ranks_lost": "another process of this run has ended or cannot be reached ({reason}); see its "
    "messages, then continue from the last save with --resume",
    "ranks_batch_norm": "BatchNorm is trained by one process alone, since its statistics are those of the "
    "whole batch; start one without torchrun, or choose LayerNorm",
    "training_saving": "the training is being saved, then this window closes; close it again to quit "
    "at once, and the training resumes from its last save next time",
    "training_diverged": "the loss stopped being a number at step {step}; the last good weights are kept: "
    "try a lower learning rate, a longer warm-up or float32",
    "training_state_mismatch": "the training state belongs to a different model; start a new run",
    "training_exists": "{path} already exists; add --resume to continue it, or choose another folder",
    "training_nothing": "{path} contains no training state; a finished bundle cannot be resumed, "
    "start a new run",
    "training_resume_differs": "{field} was {old} when this run began and is {new} now; resume with the "
    "same value or start a new run",
    "training_resume_cosine": "{field} was {old} when this run began and is {new} now, but the cosine "
    "schedule was planned to end there; resume with the same value, or start a new run that sets "
    "where the cosine ends (cosine_steps)",
    "training_data_differs": "the files of pairs are not those this run began with; resume with the same "
    "files",
    "training_no_pairs": "no sentence pairs are left to train on; check the file, the split and the "
    "length limit (--max-tokens)",
    "training_memory": "there is not enough memory for this training; choose a smaller model or smaller "
    "batches, or close other programs",
    "task_no_alignments": "the task {task} has no gold word alignments; choose one of {names}",
    "evaluate_goes_on": "the model {name} continues text and does not translate, so there is nothing "
    "to compare with translations; choose a model that translates",
    "evaluate_nothing": "no sentence pairs of {path} are left to evaluate on; check the file, --split and "
    "--part",
    # sentence pairs
    "corpus_missing": "there is no file {path}; check the name",
    "corpus_directory": "{path} is a folder; name a file of sentence pairs",
    "corpus_unreadable": "cannot read {path} ({reason}); check the file and its permissions",
    "corpus_archive": "{path} is damaged or not the kind of archive its name says; get a fresh copy, "
    "or unpack it and name the text file",
    "corpus_no_member": "there is no .txt, .tsv or .csv file in {path}; unpack it and name the file of "
    "sentence pairs",
    "corpus_many_members": "there are several text files in {path}; unpack it and name the file of "
    "sentence pairs",
    "corpus_not_utf8": "line {line} of {path} is not UTF-8 text; save the file again as UTF-8, or "
    "give its encoding",
    "corpus_undecodable": "line {line} of {path} is not {encoding} text; give the file's encoding, or "
    "save it again as UTF-8",
    "corpus_encoding": "the encoding of {path} is unclear; name it, or save it again as UTF-8",
    "corpus_encoding_unknown": "there is no text encoding {name}; name one such as utf-8, cp1252, gb18030 "
    "or shift_jis",
    "corpus_long_line": "line {line} of {path} is longer than {most} characters; choose a file of "
    "sentence pairs, one in each line",
    "corpus_column": "line {line} of {path} has no column {column}; it has {count}: {columns}; choose "
    "one of them, or correct the line",
    "corpus_no_column": "the first line of {path} names no column {name}; it names {names}",
    "corpus_csv": "line {line} of {path} is not CSV ({reason}); enclose text that contains quotes in "
    "quotes, and double the quotes inside it",
    "corpus_unequal": "{path} has {count} lines and {other} has {other_count}; they must be "
    "translations of each other, line by line",
    "corpus_one_column": "line {line} of {path} has no tab; each line must be a sentence, a tab and its "
    "translation",
    "corpus_empty": "there are no sentence pairs in {path}; choose a file that holds sentences and their "
    "translations",
    "sentences_none": "there are no sentences in {path}; choose a text file with one sentence a line",
    "sentence_long": "the line has {letters} characters, and at most {most} are read as one sentence; "
    "put one sentence on a line",
    # word alignments
    "pharaoh_link": "{token!r} in line {line} is not a link; write i-j for a sure link, ipj or i?j "
    "for a possible one, separated by spaces",
    "pharaoh_zero": "the link {token} in line {line} counts words from 0; choose to count them from 0",
    "pharaoh_range": "the link {link} in line {line} joins words that do not exist (the source has "
    "{source}, the target {target}); if its words count from 1, choose that, else choose the line "
    "of this sentence",
    "pharaoh_range_one": "the link {link} in line {line} joins words that do not exist (the source "
    "has {source}, the target {target}); choose the line of this sentence, or count words from 0",
    "pharaoh_several": "there are {count} lines of links; keep only the line of this sentence",
    "pharaoh_not_utf8": "{path} is not a text file of links; choose a file in Pharaoh format",
    "pharaoh_lines": "{path} has {count} lines of links and there are {pairs} lines of sentence "
    "pairs; choose two files that belong together",
    "pharaoh_no_line": "there is no line {line} in {path}, which has {count}; choose one from 1 to {count}",
    "pharaoh_which_line": "{path} has {count} lines and there is one sentence; say which line belongs "
    "to it (--line)",
    "align_no_cross": "this trace has no cross-attention, so nothing aligns its words; open one that has it",
    "align_round": "in a decoding made in rounds no row reads what was predicted before; choose the "
    "rule predicts",
    "align_source_differs": "the words of the links do not spell the source: “{words}” instead of "
    "“{text}”; give its words as the links count them, separated by spaces",
    "align_target_differs": "the words of the links do not spell the target: “{words}” instead of "
    "“{text}”; give its words as the links count them, separated by spaces",
    "align_scores": "scores of pieces cannot be summed into words; choose attention weights",
    "align_line": "line {line} of the pairs: {problem}",
    "align_no_words": "there is no line {line} in {path}; give the words of every pair",
    "align_nothing": "no sentence pair of {path} could be read by the model; choose shorter ones",
    # files
    "file_missing": "there is no file {path}; check the name",
    "manual_page": "the manual has no page {name}; it has {names}",
    "path_missing": "there is no file, folder or command {path}; name a model folder, a .trace file or a "
    "session, or one of the commands {commands}",
    "already_open": "{name} is open already; it is in front now",
    "opened_partly": "{count} of {total} were opened; not {files}",
    "pairs_partly": "{count} of {total} files were taken; no sentence pairs can be in {files}",
    "one_model": "one model is open at a time",
    "one_session": "one session or time-lapse is open at a time",
    "one_sequence": "one session or time-lapse is open at a time",
    "one_text": "the sentences of one file are translated at a time; drop files of pairs on Train",
    "file_denied": "{path} may not be read or written ({reason}); close what uses it, check its "
    "permissions, or choose another place",
    "file_read_only": "{path} is on a disk that cannot be written; choose another place",
    "file_large": "{path} is too large ({size}; the limit for such a file is {most}); check that it "
    "is the right one",
    "file_is_folder": "{path} is a folder; name a file",
    "file_not_ordinary": "{path} is not an ordinary file; choose another name",
    "file_unwritable": ("{path} cannot be written because its folder accepts no files; choose another place"),
    "file_failed": "{path} could not be read or written ({reason}); check the disk, or choose another place",
    "disk_full": "the disk is full, {path} was not written; free some space and try again",
    "training_folder_gone": "the folder {path} is gone; put it back, or create an empty one with that "
    "name, and the training continues; nothing is lost so far",
    "folder_missing": "there is no folder {path}; create it first, or choose another place",
    "folder_exists": "{path} already exists; choose another name, or remove it first",
    "folder_busy": "{path} is being written by another Headscope; wait for it, or stop it first",
    # trace
    "trace_format": "{path} is not a trace of Headscope; choose a .trace file",
    "trace_newer": "{path} was written by a newer Headscope (format version {version}); update Headscope "
    "to open it",
    "trace_invalid": "{path} is damaged or incomplete ({reason}); save the trace again",
    "trace_values": "{kind} layer {layer} of the trace {path} contains numbers that are not attention "
    "weights; save the trace again",
    "trace_float16": "{kind} layer {layer} holds numbers too large for float16, and {path} was not "
    "written; save it in float32",
    # recordings made elsewhere
    "record_no_attention": "the model returned no attention; load it with attn_implementation='eager' "
    "and call it with output_attentions=True",
    "record_model": "a {type} is not a transformers model that can return its attention; pass the "
    "arrays themselves to save_attention",
    "record_nothing": "nothing was recorded because the {type} was not called inside the block; call "
    "it, or its generate, there",
    "record_not_numbers": (
        "a {type} is not an array of numbers; give numpy or torch arrays, or nested lists"
    ),
    "record_axes": "{kind} attention has the shape {shape}; it must be [layer, head, query, key] or "
    "[layer, batch, head, query, key], so give a single layer as weights[None] and a single head as "
    "weights[None, None]",
    "record_empty": "{kind} attention has the shape {shape}, so it is empty; give at least one head "
    "and one token",
    "record_layers_differ": "layer {layer} of {kind} attention has the shape {shape} and the first "
    "layer {first}; record layers of equal shape together, the others separately",
    "record_layer_absent": "layer {layer} of {kind} attention is None because it returned no "
    "attention; leave such layers out of the list",
    "record_item": "there is no item {item} in a batch of {count}; items count from 0",
    "record_kind": "there is no {kind} attention here; choose among {kinds}",
    "record_steps": "the {kind} attention is not that of a single generate, with one row for each new "
    "token; record an ordinary greedy, sampled or beam decoding with its cache, or one forward pass",
    "record_beams": "these are steps of a beam search without beam_indices, so it is unknown which "
    "beam each step belongs to; use recording, or greedy decoding",
    "record_lengths": "the families disagree on the length of the {side} ({lengths}); record whole "
    "matrices of one sequence, without a cache that was filled before",
    "record_tokens": "{name} are {found} tokens and the attention has {wanted}; give one for each, "
    "specials and padding included",
    "record_names": "{name} must be a list of one string, or of one whole number, for each token",
    "record_negative_id": (
        "{name} contain the id {id}, but ids count from 0; give what was read, not labels"
    ),
    "record_side": "{name} were given, but this attention has no {side}; leave them out, or say with "
    "kind which attention it is",
    "record_tokenizer": "a {type} cannot name tokens; give a tokenizer of transformers, or names as tokens",
    "record_numbers": "numbers must say in a word what the numbers are, such as 'pattern' or 'scores'",
    "record_embeds": "the prompt was given as inputs_embeds, so its tokens are unknown; give input_ids",
    "record_logits_shape": "logits of the shape {shape} were given; they must be [tokens, vocabulary] or "
    "[batch, tokens, vocabulary]",
    "record_logits_finite": "the logits are not finite; give raw logits (output_logits=True), not "
    "filtered ones, or compute them in another precision",
    "record_ids_shape": "token ids of the shape {shape} were given; give those of one sequence, or "
    "[batch, tokens]",
    "record_mask": "{name} has the shape {found} for {wanted} tokens, or masks all of them; give 1 "
    "for each token and 0 for padding",
    "record_prompt": ("a prompt of {found} tokens was given, but {most} were read; choose from 1 to {most}"),
    "record_logits": "there are logits for {found} of {wanted} tokens; give all of them, or none",
    "record_not_finite": "{kind} layer {layer} holds numbers that are NaN or infinite; leave padding out "
    "with attention_mask, give scores from before the mask, or compute it in another precision",
    "record_rows": "row {row} of {kind} layer {layer} head {head} {problem}, so these are not "
    "attention weights; call model.eval() first if they are, or say what they are "
    "(numbers='scores') or what they were computed in (compute_dtype='bfloat16')",
    "record_future": "row {row} of {kind} layer {layer} head {head} attends to the later token {key}; "
    "choose kind='encoder_self', or say bidirectional=True",
    # NumPy archives
    "npz_damaged": "{path} is damaged or not a NumPy archive ({reason}); save it again with numpy.savez",
    "npz_no_attention": "{path} contains no array named encoder_self, decoder_self or cross; save "
    "attention [layer, head, query, key] under one of these names",
    "npz_array": "the array {name!r} in {path} {problem}; save it again with numpy.savez",
    "npz_objects": "the array {name!r} in {path} contains Python objects, which could run foreign "
    "code and are never loaded; save numbers or strings",
    "npz_large": "the array {name!r} in {path} would take {size} of memory, and at most {most} are read; "
    "save it with numpy.savez, which does not compress",
    "npz_both_sides": "{path} contains tokens and both a source and a target; name them src_tokens "
    "and tgt_in_tokens",
    "npz_rows": "row {row} of {kind} layer {layer} head {head} in {path} {problem}, so these are not "
    "attention weights; say what they are in an array named numbers",
    "npz_future": "row {row} of {kind} layer {layer} head {head} in {path} attends to the later token "
    "{key}; name the array encoder_self, or add one named bidirectional with the value true",
    # sequences of traces and animations
    "sequence_exists": "the folder {path} holds traces already; name another one",
    "sequence_empty": "there are no frames of a time-lapse in {path}; choose the probe folder of a "
    "training run",
    "sequence_mixed": "{path} mixes training steps with rounds of a decoding; keep each in a folder of "
    "its own",
    "sequence_frame": "{path} has no frame {frame}; the nearest is {nearest}",
    "sequence_offered": "a time-lapse of this model's training was kept: you can watch its heads form",
    "animation_frame": "{path} is a time-lapse; say which training step to draw (--frame), or write a "
    ".gif or .webp",
    "animation_single": "there is only one trace; open a time-lapse (--trace FOLDER) to animate training",
    "animation_still": "{path} is not an animation; end its name in .gif or .webp",
    "animation_no_steps": "this view is the same at every step; choose decoder self-attention or "
    "cross-attention to animate the decoding",
    "animation_long": (
        "an animation of {frames} frames is too long; the limit is {most}, so keep fewer frames"
    ),
    "animation_large": "an animation of {width} x {height} pixels is too large; choose a smaller width or "
    "fewer dpi",
    "animation_scale": "the frames of an animation share one scale; choose linear or sqrt",
    "animation_rate": "{fps} frames per second cannot be shown; choose from {low} to {high}",
    "animation_hold": "the last frame cannot be held for {seconds} seconds; choose from 0 to {high}",
}
