"""File messages: traces, recordings, pairs, trainings. Each says what happened and what to do."""

from __future__ import annotations

FILES: dict[str, str] = {
    # training
    "device_absent": "this machine has no {device} that torch can use; choose auto or one of {present}",
    "device_few": "{wanted} processes want a CUDA device each and this machine has {count}; start as many "
    "as it has devices, or choose the device cpu",
    "ranks_environment": "{name} is {value!r}, which no launcher writes; start this command with "
    "torchrun, or unset RANK and WORLD_SIZE",
    "ranks_unavailable": "this torch was built without torch.distributed; start one process, without "
    "torchrun",
    "ranks_start": "the processes of this run could not find one another ({reason}); check the address "
    "and port given to torchrun, and start all of them again",
    "ranks_lost": "another process of this run has ended or cannot be reached ({reason}); see its "
    "messages, then continue from the last save with --resume",
    "training_saving": "the training is being saved, then this window closes by itself; close it again to "
    "end at once, and the training goes on from its last save next time",
    "training_diverged": "the loss stopped being a number at step {step}; the last good weights are kept: "
    "try a lower learning rate, a longer warm-up or float32",
    "training_state_mismatch": "the training state belongs to another model than this bundle's; start a "
    "new run",
    "training_exists": "{path} already exists; add --resume to continue it, or choose another folder",
    "training_nothing": "{path} holds no training state; a finished bundle cannot be resumed, start a new "
    "run",
    "training_resume_differs": "{field} was {old} when this run began and is {new} now; resume with the "
    "same value or start a new run",
    "training_resume_cosine": "{field} was {old} when this run began and is {new} now, but the cosine "
    "schedule was laid out to end there; resume with the same value, or start a new run that says where "
    "the cosine ends (cosine_steps)",
    "training_data_differs": "the files of pairs are not those this run began with; resume with the same "
    "files",
    "training_no_pairs": "no sentence pairs are left to train on; check the file, the split and the "
    "length limit (--max-tokens)",
    "training_memory": "there is not enough memory for this training; choose a smaller model or smaller "
    "batches, or close other programs",
    "task_no_alignments": "the task {task} has no gold word alignments; choose one of {names}",
    "evaluate_goes_on": "the model {name} goes on with a text and translates none, so there is nothing to "
    "compare with translations; choose a model that translates",
    "evaluate_nothing": "no sentence pairs of {path} are left to evaluate on; check the file, --split and "
    "--part",
    # sentence pairs
    "corpus_missing": "there is no file {path}; check the name",
    "corpus_directory": "{path} is a folder; name a file of sentence pairs",
    "corpus_unreadable": "cannot read {path} ({reason}); check the file and its permissions",
    "corpus_archive": "{path} is damaged or not the kind of archive its name says; get it again, or "
    "unpack it and name the text file",
    "corpus_no_member": "there is no .txt, .tsv or .csv file in {path}; unpack it and name the file of "
    "sentence pairs",
    "corpus_many_members": "there are several text files in {path}; unpack it and name the file of "
    "sentence pairs",
    "corpus_not_utf8": "line {line} of {path} is not UTF-8 text; save the file again as UTF-8, or say "
    "what it is written in",
    "corpus_undecodable": "line {line} of {path} is not {encoding} text; say what the file is written in, "
    "or save it again as UTF-8",
    "corpus_encoding": "the encoding of {path} is unclear; name it, or save it again as UTF-8",
    "corpus_encoding_unknown": "there is no text encoding {name}; name one such as utf-8, cp1252, gb18030 "
    "or shift_jis",
    "corpus_long_line": "line {line} of {path} is longer than {most} characters; choose a file of "
    "sentence pairs, one in each line",
    "corpus_column": "line {line} of {path} has no column {column}; it has {count}: {columns}; choose "
    "among them, or mend the line",
    "corpus_no_column": "the first line of {path} names no column {name}; it names {names}",
    "corpus_csv": "line {line} of {path} is not CSV ({reason}); put a text that holds quotes between "
    "quotes, each of its own doubled",
    "corpus_unequal": "{path} has {count} lines and {other} has {other_count}; line by line they must be "
    "each other's translations",
    "corpus_one_column": "line {line} of {path} has no tab; each line must be a sentence, a tab and its "
    "translation",
    "corpus_empty": "there are no sentence pairs in {path}; choose a file that holds sentences and their "
    "translations",
    "sentences_none": "there are no sentences in {path}; choose a text file with one sentence a line",
    "sentence_long": "the line has {letters} letters, and at most {most} are read as one sentence; put "
    "one sentence on a line",
    # word alignments
    "pharaoh_link": "{token!r} in line {line} is no link; write i-j for a sure one, ipj or i?j for a "
    "possible one, with spaces between them",
    "pharaoh_zero": "the link {token} in line {line} counts words from 0; choose to count them from 0",
    "pharaoh_range": "the link {link} in line {line} joins words that are not there, source and target "
    "having {source} and {target}; if its words count from 1, choose that, else choose the line of this "
    "sentence",
    "pharaoh_range_one": "the link {link} in line {line} joins words that are not there, source and "
    "target having {source} and {target}; choose the line of this sentence, or count words from 0",
    "pharaoh_several": "there are {count} lines of links; keep the one that is this sentence's",
    "pharaoh_not_utf8": "{path} is not a text file of links; choose a file in Pharaoh format",
    "pharaoh_lines": "{path} has {count} lines of links and there are {pairs} lines of sentence pairs; "
    "choose the two files that belong together",
    "pharaoh_no_line": "there is no line {line} in {path}, which has {count}; choose one from 1 to {count}",
    "pharaoh_which_line": "{path} has {count} lines and there is one sentence; say which line is its own "
    "(--line)",
    "align_no_cross": "this trace has no cross-attention, so that nothing aligns its words; open one that "
    "has",
    "align_round": "in a round of a decoding in rounds no row reads what was predicted before; choose the "
    "rule predicts",
    "align_source_differs": "the words of the links do not spell the source: “{words}” where it has "
    "“{text}”; give its words as the links count them, with spaces between them",
    "align_target_differs": "the words of the links do not spell the target: “{words}” where it has "
    "“{text}”; give its words as the links count them, with spaces between them",
    "align_scores": "scores of pieces cannot be summed to words; choose attention weights",
    "align_line": "line {line} of the pairs: {problem}",
    "align_no_words": "there is no line {line} in {path}; give the words of every pair",
    "align_nothing": "no sentence pair of {path} could be read by the model; choose shorter ones",
    # files
    "file_missing": "there is no file {path}; check the name",
    "path_missing": "there is no file, folder or command {path}; name a model folder, a .trace file or a "
    "session, or one of the commands {commands}",
    "file_denied": "{path} may not be read or written ({reason}); close what uses it, check its "
    "permissions, or choose another place",
    "file_read_only": "{path} is on a disk that cannot be written; choose another place",
    "file_large": "{path} has {size}, and of such a file at most {most} are read; check that it is the right "
    "one",
    "file_is_folder": "{path} is a folder; name a file",
    "file_not_ordinary": "{path} is not an ordinary file; choose another name",
    "file_unwritable": "{path} cannot be written, its folder takes no files; choose another place",
    "file_failed": "{path} could not be read or written ({reason}); check the disk, or choose another place",
    "disk_full": "the disk is full, {path} was not written; free some space and try again",
    "training_folder_gone": "the folder {path} is gone; put it back, or make an empty one of that name, "
    "and the training goes on; so far nothing is lost",
    "folder_missing": "there is no folder {path}; create it first, or choose another place",
    "folder_exists": "{path} exists already; choose another name, or remove it first",
    "folder_busy": "{path} is being written by another Headscope; wait for it, or stop it first",
    # trace
    "trace_format": "{path} is not a trace of Headscope; choose a .trace file",
    "trace_newer": "{path} was written by a newer Headscope (format version {version}); update Headscope "
    "to open it",
    "trace_invalid": "{path} is damaged or incomplete ({reason}); save the trace again",
    "trace_values": "{kind} layer {layer} of the trace {path} holds numbers that are no attention "
    "weights; save the trace again",
    "trace_float16": "{kind} layer {layer} holds numbers too large for float16, and {path} was not "
    "written; save it in float32",
    # recordings made elsewhere
    "record_no_attention": "the model gave out no attention; load it with attn_implementation='eager' and "
    "call it with output_attentions=True",
    "record_model": "a {type} is no model of transformers that can give out its attention; pass the "
    "arrays themselves to save_attention",
    "record_nothing": "nothing was recorded, for the {type} was not called inside the block; call it, or "
    "its generate, there",
    "record_not_numbers": "a {type} is no array of numbers; give numpy or torch arrays, or nested lists",
    "record_axes": "{kind} attention has the shape {shape}; it must be [layer, head, query, key] or "
    "[layer, batch, head, query, key], so give a single layer as weights[None] and a single head as "
    "weights[None, None]",
    "record_empty": "{kind} attention has the shape {shape}, so there is nothing in it; give at least one "
    "head and one token",
    "record_layers_differ": "layer {layer} of {kind} attention has the shape {shape} and the first layer "
    "{first}; record layers of equal shape, the others apart",
    "record_layer_absent": "layer {layer} of {kind} attention is None, for it gave out no attention; "
    "leave such layers out of the list",
    "record_item": "there is no item {item} in a batch of {count}; they count from 0",
    "record_kind": "there is no {kind} attention here; choose among {kinds}",
    "record_steps": "the {kind} attention is not that of one generate, a row for each new token; record "
    "an ordinary greedy, sampled or beam decoding with its cache, or one forward pass",
    "record_beams": "these are steps of a beam search without beam_indices, so that nobody knows which "
    "beam each step belongs to; use recording, or greedy decoding",
    "record_lengths": "the families do not agree how long the {side} is ({lengths}); record whole "
    "matrices of one sequence, without a cache that was filled before",
    "record_tokens": "{name} are {found} tokens and the attention has {wanted}; give one for each, "
    "specials and padding included",
    "record_names": "{name} must be a list of one string, or of one whole number, for each token",
    "record_negative_id": "{name} hold the id {id}, and ids count from 0; give what was read, not labels",
    "record_side": "{name} were given, and this attention has no {side}; leave them out, or say with kind "
    "which attention it is",
    "record_tokenizer": "a {type} cannot name tokens; give a tokenizer of transformers, or names as tokens",
    "record_numbers": "numbers must say in a word what the numbers are, such as 'pattern' or 'scores'",
    "record_embeds": "the prompt was given as inputs_embeds, so that nobody knows its tokens; give input_ids",
    "record_logits_shape": "logits of the shape {shape} were given; they must be [tokens, vocabulary] or "
    "[batch, tokens, vocabulary]",
    "record_logits_finite": "the logits are not finite; give the raw ones (output_logits=True) and not "
    "those after a filter, or compute them in another precision",
    "record_ids_shape": "token ids of the shape {shape} were given; give those of one sequence, or "
    "[batch, tokens]",
    "record_mask": "{name} has the shape {found} for {wanted} tokens, or leaves none; give 1 for each "
    "token and 0 for padding",
    "record_prompt": "a prompt of {found} tokens was named and {most} were read; choose from 1 to {most}",
    "record_logits": "there are logits for {found} of {wanted} tokens; give all of them, or none",
    "record_not_finite": "{kind} layer {layer} holds numbers that are NaN or infinite; leave padding out "
    "with attention_mask, give scores from before the mask, or compute it in another precision",
    "record_rows": "row {row} of {kind} layer {layer} head {head} {problem}, so these are no attention "
    "weights; call model.eval() first if they are, or say what they are (numbers='scores') or what they "
    "were computed in (compute_dtype='bfloat16')",
    "record_future": "row {row} of {kind} layer {layer} head {head} attends to the later token {key}; "
    "choose kind='encoder_self', or say bidirectional=True",
    # NumPy archives
    "npz_damaged": "{path} is damaged or no NumPy archive ({reason}); save it again with numpy.savez",
    "npz_no_attention": "{path} holds no array named encoder_self, decoder_self or cross; save attention "
    "[layer, head, query, key] under one of these names",
    "npz_array": "the array {name!r} in {path} {problem}; save it again with numpy.savez",
    "npz_objects": "the array {name!r} in {path} holds Python objects, which could run foreign code and "
    "are never loaded; save numbers or strings",
    "npz_large": "the array {name!r} in {path} would take {size} of memory, and at most {most} are read; "
    "save it with numpy.savez, which does not compress",
    "npz_both_sides": "{path} holds tokens and both a source and a target; name them src_tokens and "
    "tgt_in_tokens",
    "npz_rows": "row {row} of {kind} layer {layer} head {head} in {path} {problem}, so these are no "
    "attention weights; say what they are in an array named numbers",
    "npz_future": "row {row} of {kind} layer {layer} head {head} in {path} attends to the later token "
    "{key}; name the array encoder_self, or add one named bidirectional that says true",
    # sequences of traces and animations
    "sequence_exists": "the folder {path} holds traces already; name another one",
    "sequence_empty": "there are no frames of a time-lapse in {path}; choose the probe folder of a "
    "training run",
    "sequence_mixed": "{path} mixes training steps with rounds of a decoding; keep each in a folder of "
    "its own",
    "sequence_frame": "{path} has no frame {frame}; the nearest is {nearest}",
    "sequence_offered": "the training of this model was kept as a time-lapse: you can watch its heads form",
    "animation_frame": "{path} is a time-lapse; say which training step to draw (--frame), or write a "
    ".gif or .webp",
    "animation_single": "there is only one trace; open a time-lapse (--trace FOLDER) to animate a training",
    "animation_still": "{path} is no animation; end its name in .gif or .webp",
    "animation_no_steps": "this view is the same at every step; choose decoder self-attention or "
    "cross-attention to animate the decoding",
    "animation_long": "an animation of {frames} frames is too long; the most is {most}, so keep fewer frames",
    "animation_large": "an animation of {width} x {height} pixels is too large; choose a smaller width or "
    "fewer dpi",
    "animation_scale": "the frames of an animation share one scale; choose linear or sqrt",
    "animation_rate": "{fps} frames a second cannot be shown; choose from {low} to {high}",
    "animation_hold": "the last frame cannot be held for {seconds} seconds; choose from 0 to {high}",
}
