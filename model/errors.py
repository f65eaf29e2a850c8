"""The one exception type that names a user-visible failure, and its English sentences.

`model/` raises `HeadscopeError(code, **values)`; the command line prints the English sentence, the
window translates it (the sentences are the translation sources). Each sentence says what happened
and what to do.
"""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # general
    "internal": "something unexpected went wrong ({detail}); please report it with this text",
    "cancelled": "cancelled",
    "out_of_memory": "there is not enough memory for this; try a shorter text, or close other programs",
    "output_failed": "the result could not be written to standard output ({reason}); "
    "send it to another place",
    "input_closed": "standard input is closed; give the sentences as arguments or send them in",
    "model_overflow": "the model's weights are so large that its numbers overflow; get the model again, "
    "or train it again with a lower learning rate",
    "no_model": "no model is open; open one first",
    "model_only_reads": "the model {name} reads text and writes none; open a model that writes for this",
    "no_mask": "no word of the text is hidden from the model; type {mask} in the place of one, and the model "
    "says what stands there",
    "hf_missing": "the model in {path} is run by the transformers package, which is not installed; install "
    "it with: pip install 'headscope[hf]'",
    "source_cannot": "the model {name} is run by transformers: only its attention can be looked at; "
    "open a Headscope bundle or a Marian model to change it",
    "attention_missing": "models of type {model_type} do not give their attention weights, or not of every "
    "layer; open another model",
    "attention_shape_unknown": "models of type {model_type} give attention weights of the shape {shape}, "
    "which is not one weight for every query and key; open another model",
    "attention_rows": "the attention weights that models of type {model_type} give do not sum to 1 in every "
    "row (one sums to {total}), so that a picture of them would mislead; open another model",
    "attention_later": "models of type {model_type} look at later tokens while they write, so that they "
    "cannot be followed step by step; open another model",
    "foreign_kind": "models of type {model_type} do not read or write text in a way that this version "
    "knows; open another model",
    "network_failed": "models of type {model_type} cannot be run on text alone ({reason}); "
    "open another model",
    "run_other_model": "this translation was made by the model {name}, which is not the one that is open; "
    "open that model to go on from here, or translate the sentence anew",
    "two_sentences_model": "another model was opened meanwhile; try again",
    "run_model_loading": "the model is still being opened; try again in a moment",
    "length_limit": "the translation was stopped after {tokens} tokens, the most that is allowed here; "
    "what you see is its beginning",
    # session
    "runs_trimmed": "there are more translations here than Headscope keeps in memory, so the oldest "
    "are let go; bookmark or pin what should stay",
    "autosave_failed": "this session cannot be kept safe against a crash ({reason}); "
    "save it yourself, or make room",
    "autosave_found": "Headscope ended unexpectedly; runs that can be restored: {count}",
    "session_missing": "there is no session in {path}; choose a folder whose name ends in .headscope",
    "session_format": "{path} does not describe a session of Headscope; choose another folder",
    "session_newer": "{path} was written by a newer Headscope (format version {version}); update "
    "Headscope to open it",
    "session_invalid": "{path} is damaged ({reason}); save the session again",
    "session_model_missing": "the model {name} of this session is not at {path}; "
    "its traces are shown, open the model to translate more",
    "session_model_differs": "the model {name} at {path} is not the one this session was made with; "
    "the traces shown are the old model's",
    # alterations
    "alteration_unknown": "{type} is no change of a model that this version knows; "
    "update Headscope or leave it out",
    "alteration_layer": "there is no layer {value} of {kind} attention; choose one from 1 to {count}",
    "alteration_head": "there is no head {value} to change; choose one from 1 to {count}",
    "alteration_token": "there is no source token {value}; this sentence has the tokens 1 to {count}, "
    "the end token included",
    "alteration_row": "there is no row {value} of {kind} attention; choose one from 1 to {count}",
    "alteration_blocked": "row {row} of {kind} attention cannot look at source token {key}, which is "
    "blocked; choose another token, or unblock it",
    "alteration_all_blocked": "every source token is blocked, so that row {row} of {kind} attention has "
    "nothing to look at; unblock one",
    "alteration_later": "row {row} of decoder_self attention cannot look at step {key}, which comes later; "
    "choose a step from 1 to {row}",
    "alteration_weights": "the weights of a row must not be negative and must sum to 1; these sum to {total} "
    "and the smallest is {least}",
    "alteration_weights_count": "row {row} may attend to {keys} tokens and {count} weights were given; "
    "give one for each",
    "alteration_order": "{order} is no order of {count} pieces; name each place from 1 to {count} once",
    "inspection_head": "there is no head {value}; choose one from 1 to {count}",
    "inspection_nothing": "there is no translation yet to look into the decoder with; "
    "translate a sentence first",
    "inspection_large": "the gradients of {source} source tokens and {steps} steps would take {size} MB, "
    "more than the {limit} MB that are allowed; choose a shorter sentence",
    "importance_nothing": "there is no translation yet whose heads could be measured; "
    "translate a sentence first",
    "heads_nothing": "no sentence of {path} can be read by this model; choose a file of shorter sentences",
    "heads_gold_targets": "{path} has no translations that alignments could belong to; choose a file of "
    "pairs",
    "heads_gold_lines": "{path} has {count} lines of alignments and none for line {line} of the pairs; "
    "line by line they must belong together",
    "heads_no_example": "the model {name} has no recorded example; give a sentence, --trace or --pairs",
    "order_short": "this text has no two different pieces to put into another order; type a few words",
    "order_same": "in this order the pieces read as they did before; choose another order",
    "ablation_syntax": "{text} names no head; write KIND:LAYER:HEAD or KIND:LAYER, and =FACTOR behind it "
    "to scale instead of switching off, such as cross:2:3 or cross:2:3=0.5 (KIND is encoder_self, "
    "decoder_self or cross, all counted from 1)",
    # config
    "config_value": "{field} is {value}; it must be {wanted}",
    "config_type": "{field} in {where} is {value}; it must be {wanted}",
    "config_unknown": "{where} names {field!r}, which this version does not know; update Headscope "
    "or remove the key",
    "config_missing": "{where} lacks {field!r}; the file is incomplete, get the model again",
    "config_heads": "d_model {d_model} cannot be divided among {n_heads} heads; choose numbers that "
    "divide evenly",
    "config_tie": "all embeddings are tied, but the vocabularies differ ({source} and {target} pieces); "
    "use one shared vocabulary or tie fewer",
    # training
    "device_absent": "this machine has no {device} that torch can use; choose auto or one of {present}",
    "device_few": "{wanted} processes want a CUDA device each and this machine has {count}; "
    "start as many as it has devices, or choose the device cpu",
    "ranks_environment": "{name} is {value!r}, which no launcher writes; start this command with torchrun, "
    "or unset RANK and WORLD_SIZE",
    "ranks_unavailable": "this torch was built without torch.distributed; start one process, "
    "without torchrun",
    "ranks_start": "the processes of this run could not find one another ({reason}); check the address "
    "and port given to torchrun, and start all of them again",
    "ranks_lost": "another process of this run has ended or cannot be reached ({reason}); "
    "see its messages, then continue from the last save with --resume",
    "training_saving": "the training is being saved, then this window closes by itself; "
    "close it again to end at once, and the training goes on from its last save next time",
    "training_diverged": "the loss stopped being a number at step {step}; the last good weights are kept: "
    "try a lower learning rate, a longer warm-up or float32",
    "training_state_mismatch": "the training state belongs to another model than this bundle's; "
    "start a new run",
    "training_exists": "{path} already exists; add --resume to continue it, or choose another folder",
    "training_nothing": "{path} holds no training state; a finished bundle cannot be resumed, start "
    "a new run",
    "training_resume_differs": "{field} was {old} when this run began and is {new} now; "
    "resume with the same value or start a new run",
    "training_resume_cosine": "{field} was {old} when this run began and is {new} now, but the cosine "
    "schedule was laid out to end there; resume with the same value, or start a new run that says "
    "where the cosine ends (cosine_steps)",
    "training_data_differs": "the files of pairs are not those this run began with; resume with the "
    "same files",
    "training_no_pairs": "no sentence pairs are left to train on; "
    "check the file, the split and the length limit (--max-tokens)",
    "training_memory": "there is not enough memory for this training; choose a smaller model or smaller "
    "batches, or close other programs",
    "task_no_alignments": "the task {task} has no gold word alignments; choose one of {names}",
    "evaluate_nothing": "no sentence pairs of {path} are left to evaluate on; check the file, "
    "--split and --part",
    # model
    "too_long": "the text is {tokens} tokens long and this model reads at most {limit}; shorten it",
    "token_id": "token number {id} is outside the vocabulary of {vocab} pieces; the tokenizer and "
    "the model do not "
    "belong together",
    "empty_text": "there is no text to translate; type a sentence",
    "only_unknown": "the model knows no character of this text; write in the language that it reads",
    "language_unread": "the model {model} reads {reads}, and this text is written in {written}; "
    "use the model {offer} for it",
    "script_unread": "the model {model} reads {reads}, and this text is written in {written}; "
    "write in {reads}, or choose another model",
    "model_unknown": "there is no model {name}; name a model folder or one of the bundled models ({names})",
    "input_not_utf8": "line {line} of the input is not UTF-8 text; send it as UTF-8",
    # tokenizer
    "tokenizer_missing": "there is no tokenizer file {path}; check the name, or get the model again",
    "tokenizer_unreadable": "cannot read the tokenizer {path} ({reason}); check the file and its permissions",
    "tokenizer_invalid": "{path} is not a SentencePiece tokenizer ({reason}); get the file again",
    "tokenizer_no_text": "there is no text to learn a vocabulary from; give sentences that are not blank",
    "tokenizer_vocab_too_small": "{size} pieces are too few for the characters of this text; "
    "ask for a vocabulary of at least {least}",
    "tokenizer_special": "{path} has no {name} piece, and a Transformer needs one; choose a SentencePiece "
    "model with pad, unk, bos and eos, or let a vocabulary be learned",
    "tokenizer_special_differ": "{path} and {other} number their pad, unk, bos and eos pieces differently; "
    "choose two vocabularies that agree, or one for both languages",
    "tokenizer_training": "no vocabulary could be learned ({reason}); give more text or ask for fewer pieces",
    # sentence pairs
    "corpus_missing": "there is no file {path}; check the name",
    "corpus_directory": "{path} is a folder; name a file of sentence pairs",
    "corpus_unreadable": "cannot read {path} ({reason}); check the file and its permissions",
    "corpus_archive": "{path} is damaged or not the kind of archive its name says; get it again, "
    "or unpack it and name the text file",
    "corpus_no_member": "there is no .txt, .tsv or .csv file in {path}; "
    "unpack it and name the file of sentence pairs",
    "corpus_many_members": "there are several text files in {path}; "
    "unpack it and name the file of sentence pairs",
    "corpus_not_utf8": "line {line} of {path} is not UTF-8 text; save the file again as UTF-8, "
    "or say what it is written in",
    "corpus_undecodable": "line {line} of {path} is not {encoding} text; say what the file is written in, "
    "or save it again as UTF-8",
    "corpus_encoding": "it cannot be told what {path} is written in; say its encoding, "
    "or save it again as UTF-8",
    "corpus_encoding_unknown": "there is no text encoding {name}; "
    "name one such as utf-8, cp1252, gb18030 or shift_jis",
    "corpus_long_line": "line {line} of {path} is longer than {most} characters; "
    "choose a file of sentence pairs, one in each line",
    "corpus_column": "line {line} of {path} has no column {column}; it has {count}: {columns}; "
    "choose among them, or mend the line",
    "corpus_no_column": "the first line of {path} names no column {name}; it names {names}",
    "corpus_csv": "line {line} of {path} is not CSV ({reason}); put a text that holds quotes between quotes, "
    "each of its own doubled",
    "corpus_unequal": "{path} has {count} lines and {other} has {other_count}; "
    "line by line they must be each other's translations",
    "corpus_one_column": "line {line} of {path} has no tab; "
    "each line must be a sentence, a tab and its translation",
    "corpus_empty": "there are no sentence pairs in {path}; "
    "choose a file that holds sentences and their translations",
    "sentences_none": "there are no sentences in {path}; choose a text file with one sentence a line",
    "sentence_long": "the line has {letters} letters, and at most {most} are read as one sentence; "
    "put one sentence on a line",
    # word alignments
    "pharaoh_link": "{token!r} in line {line} is no link; write i-j for a sure one, ipj or i?j for a "
    "possible "
    "one, with spaces between them",
    "pharaoh_zero": "the link {token} in line {line} counts words from 0; choose to count them from 0",
    "pharaoh_range": "the link {link} in line {line} joins words that are not there, source and target "
    "having "
    "{source} and {target}; if its words count from 1, choose that, else choose the line of this sentence",
    "pharaoh_range_one": "the link {link} in line {line} joins words that are not there, source and target "
    "having {source} and {target}; choose the line of this sentence, or count words from 0",
    "pharaoh_several": "there are {count} lines of links; keep the one that is this sentence's",
    "pharaoh_not_utf8": "{path} is not a text file of links; choose a file in Pharaoh format",
    "pharaoh_lines": "{path} has {count} lines of links and there are {pairs} lines of sentence pairs; "
    "choose the two files that belong together",
    "pharaoh_no_line": "there is no line {line} in {path}, which has {count}; choose one from 1 to {count}",
    "pharaoh_which_line": "{path} has {count} lines and there is one sentence; say which line is its own "
    "(--line)",
    "align_no_cross": "this trace has no cross-attention, so that nothing aligns its words; open one "
    "that has",
    "align_round": "in a round of a decoding in rounds no row reads what was predicted before; "
    "choose the rule predicts",
    "align_source_differs": "the words of the links do not spell the source: “{words}” where it has "
    "“{text}”; "
    "give its words as the links count them, with spaces between them",
    "align_target_differs": "the words of the links do not spell the target: “{words}” where it has "
    "“{text}”; "
    "give its words as the links count them, with spaces between them",
    "align_scores": "scores of pieces cannot be summed to words; choose attention weights",
    "align_line": "line {line} of the pairs: {problem}",
    "align_no_words": "there is no line {line} in {path}; give the words of every pair",
    "align_nothing": "no sentence pair of {path} could be read by the model; choose shorter ones",
    # exports
    "export_suffix": "{path} does not say what to write; "
    "end the name in .png, .svg, .pdf, .gif, .webp, .csv, .npz, .trace or .pharaoh",
    "curves_suffix": "{path} does not say what to write; end the name in .png, .svg, .pdf or .csv",
    "export_no_page": "this page shows no figure yet; look at one first",
    "export_csv_only": "this figure has no data that {path} could hold; end the name in .csv, or .png, "
    ".svg, .pdf",
    "export_no_table": "this figure has no table of numbers for {path}; end the name in .png, .svg or .pdf",
    "animation_view": "only a map, all heads or words can be animated; choose one of these, or write a "
    "picture",
    "export_pharaoh": "{path} would hold word links; choose the alignment to export",
    "export_alignment_kind": "only cross-attention aligns words; choose cross",
    "export_waiting": "the numbers of this figure are still being worked out; try again in a moment",
    "export_no_model": "these numbers are not in the trace but follow from the model {name}; "
    "open that model, or name it with --model",
    "export_query": "there is no query {value}; the rows of this map count from 1 to {count}",
    "export_key": "there is no key {value}; the columns of this map count from 1 to {count}",
    "export_arithmetic_head": "the arithmetic is that of one head, not of a mean; choose a head",
    "export_no_trace": "nothing has been translated yet; translate a sentence or open a trace first",
    "export_no_positions": "the model {name} has no positional encoding that can be shown; choose another view or model",
    "positions_learned": "the positions of {name} were learned, so no pair of dimensions turns like a "
    "hand; choose "
    "numbers of sinusoids instead",
    "export_positions_model": "a trace does not hold the positional encoding; name its model with --model",
    "export_positions_trace": "a positional encoding cannot be saved as a trace, so {path} was not written; "
    "choose .csv or .npz",
    "export_no_compared": "a difference needs two runs; pin one and look at another, or name a second trace "
    "with --compare",
    "export_compared_kind": "there is no {kind} attention in one of the two runs; choose another family",
    "export_compared_moving": "a difference cannot be animated; end the file's name in .png, .svg, .pdf, "
    ".csv or .npz",
    "export_compared_trace": "a difference cannot be saved as a trace, so {path} was not written; "
    "choose .csv or .npz",
    "export_kind": "there is no {kind} attention in this trace; it has {kinds}",
    "export_layer": "there is no layer {value}; choose one from 1 to {count}",
    "export_head": "there is no head {value}; choose one from 1 to {count}, or mean",
    "export_stack": "the model {name} has no positions called {stack}; leave --stack out to take the first",
    "export_bias_head": "there is no head {value}; choose one from 1 to {count}",
    "export_step": "there is no step {value}; choose one from 1 to {count}",
    "export_curve": "there is no dimension {value} to draw as a curve; choose from 0 to {last}",
    "picture_width": "a picture cannot be {width} mm wide; choose a width from {low} to {high} mm",
    "picture_dpi": "a picture cannot have {dpi} dpi; choose a resolution from {low} to {high} dpi",
    "picture_large": "a picture of {width} x {height} pixels is too large; "
    "choose a smaller width or dpi, or SVG or PDF",
    "picture_failed": "the picture could not be drawn ({reason}); choose another format or a smaller size",
    # Qt
    "qt_missing": "the Python package {module} is not installed; "
    "install it with: pip install PySide6-Essentials",
    "qt_library": "Qt needs {libraries}, which this system lacks; on Debian and Ubuntu: "
    "sudo apt install {packages} (translate and trace work without)",
    "qt_window_library": "Qt needs {libraries} to open a window, which this system lacks; "
    "on Debian and Ubuntu: sudo apt install {packages}, or use headscope demo --out FOLDER, which "
    "needs no screen",
    "qt_broken": "Qt cannot be loaded ({reason}); "
    "install it again: pip install --force-reinstall PySide6-Essentials",
    "qt_display": "there is no screen to open a window on; start Headscope in a desktop session, "
    "or use headscope demo --out FOLDER, which needs none",
    "qt_platform": "Qt cannot start its platform plugin {plugin}; unset QT_QPA_PLATFORM, "
    "or use headscope demo --out FOLDER, which needs no screen",
    # files
    "file_missing": "there is no file {path}; check the name",
    "path_missing": "there is no file, folder or command {path}; name a model folder, a .trace file "
    "or a session, "
    "or one of the commands {commands}",
    "file_denied": "{path} may not be read or written ({reason}); close what uses it, check its permissions, "
    "or choose another place",
    "file_read_only": "{path} is on a disk that cannot be written; choose another place",
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
    # tensors in files
    "tensors_invalid": "{path} is damaged or not a safetensors file ({reason}); get the file again",
    "tensors_pickle": "{path} is a pickle or zip archive, which could run foreign code and is never loaded; "
    "get the model as safetensors",
    # trace
    "trace_format": "{path} is not a trace of Headscope; choose a .trace file",
    "trace_newer": "{path} was written by a newer Headscope (format version {version}); "
    "update Headscope to open it",
    "trace_invalid": "{path} is damaged or incomplete ({reason}); save the trace again",
    "trace_values": "{kind} layer {layer} of the trace {path} holds numbers that are no attention weights; "
    "save the trace again",
    "trace_float16": "{kind} layer {layer} holds numbers too large for float16, and {path} was not written; "
    "save it in float32",
    # recordings made elsewhere
    "record_no_attention": "the model gave out no attention; load it with attn_implementation='eager' and "
    "call it with output_attentions=True",
    "record_model": "a {type} is no model of transformers that can give out its attention; pass the arrays "
    "themselves to save_attention",
    "record_nothing": "nothing was recorded, for the {type} was not called inside the block; call it, or "
    "its generate, there",
    "record_not_numbers": "a {type} is no array of numbers; give numpy or torch arrays, or nested lists",
    "record_axes": "{kind} attention has the shape {shape}; it must be [layer, head, query, key] or [layer, "
    "batch, head, query, key], so give a single layer as weights[None] and a single head as weights[None, "
    "None]",
    "record_empty": "{kind} attention has the shape {shape}, so there is nothing in it; give at least one "
    "head and one token",
    "record_layers_differ": "layer {layer} of {kind} attention has the shape {shape} and the first layer "
    "{first}; record layers of equal shape, the others apart",
    "record_layer_absent": "layer {layer} of {kind} attention is None, for it gave out no attention; leave "
    "such layers out of the list",
    "record_item": "there is no item {item} in a batch of {count}; they count from 0",
    "record_kind": "there is no {kind} attention here; choose among {kinds}",
    "record_steps": "the {kind} attention is not that of one generate, a row for each new token; record an "
    "ordinary greedy, sampled or beam decoding with its cache, or one forward pass",
    "record_beams": "these are steps of a beam search without beam_indices, so that nobody knows which beam "
    "each step belongs to; use recording, or greedy decoding",
    "record_lengths": "the families do not agree how long the {side} is ({lengths}); record whole matrices "
    "of one sequence, without a cache that was filled before",
    "record_tokens": "{name} are {found} tokens and the attention has {wanted}; give one for each, specials "
    "and padding included",
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
    "record_ids_shape": "token ids of the shape {shape} were given; give those of one sequence, or [batch, "
    "tokens]",
    "record_mask": "{name} has the shape {found} for {wanted} tokens, or leaves none; give 1 for each token "
    "and 0 for padding",
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
    "npz_objects": "the array {name!r} in {path} holds Python objects, which could run foreign code and are "
    "never loaded; save numbers or strings",
    "npz_large": "the array {name!r} in {path} would take {size} of memory, and at most {most} are read; "
    "save it with numpy.savez, which does not compress",
    "npz_both_sides": "{path} holds tokens and both a source and a target; name them src_tokens and "
    "tgt_in_tokens",
    "npz_rows": "row {row} of {kind} layer {layer} head {head} in {path} {problem}, so these are no "
    "attention weights; say what they are in an array named numbers",
    "npz_future": "row {row} of {kind} layer {layer} head {head} in {path} attends to the later token "
    "{key}; name the array encoder_self, or add one named bidirectional that says true",
    # sequences of traces and animations
    "sequence_empty": "there are no frames of a time-lapse in {path}; choose the probe folder of a training "
    "run",
    "sequence_mixed": "{path} mixes training steps with rounds of a decoding; keep each in a folder "
    "of its own",
    "sequence_frame": "{path} has no frame {frame}; the nearest is {nearest}",
    "sequence_offered": "the training of this model was kept as a time-lapse: you can watch its heads form",
    "animation_frame": "{path} is a time-lapse; say which training step to draw (--frame), or write a .gif "
    "or .webp",
    "animation_single": "there is only one trace; open a time-lapse (--trace FOLDER) to animate a training",
    "animation_still": "{path} is no animation; end its name in .gif or .webp",
    "animation_no_steps": "this view is the same at every step; choose decoder self-attention or "
    "cross-attention to animate the decoding",
    "animation_long": "an animation of {frames} frames is too long; the most is {most}, so keep fewer frames",
    "animation_large": "an animation of {width} x {height} pixels is too large; "
    "choose a smaller width or fewer dpi",
    "animation_rate": "{fps} frames a second cannot be shown; choose from {low} to {high}",
    "animation_hold": "the last frame cannot be held for {seconds} seconds; choose from 0 to {high}",
    # bundle
    "bundle_missing": "there is no model in {path}; choose a folder that holds a config.json",
    # folders that nobody vouches for
    "folder_empty": "the folder {path} is empty; choose one that holds a model",
    "folder_above": "there is no model in {path} itself, but in folders of it; open {names}",
    "folder_no_config": "{path} holds weights but no config.json, so that nobody knows what model they are of; "
    "get the model again with all its files",
    "folder_no_weights": "{path} describes a model but holds no weights; get the model again with "
    "model.safetensors or pytorch_model.bin",
    "folder_adapter": "{path} holds only an adapter ({name}), which changes another model; merge it into that "
    "model (peft: merge_and_unload), save the whole, and open that folder",
    "folder_gguf": "{path} holds the model only in the GGUF format ({name}), whose attention cannot be seen; get "
    "the same model as safetensors",
    "folder_tensorflow": "{path} holds the model only for TensorFlow ({name}); get the same model as safetensors",
    "folder_flax": "{path} holds the model only for Flax ({name}); get the same model as safetensors",
    "folder_onnx": "{path} holds the model only in the ONNX format ({name}), whose attention cannot be seen; get "
    "the same model as safetensors",
    "folder_checkpoint": "{path} holds a checkpoint of a training program ({name}), which could run foreign code "
    "and is never loaded; convert it to the Hugging Face format and open that folder",
    "folder_name": "{path} names {name!r} among its files, which is no name of a file in it; get the model again",
    "folder_part": "{path} lacks the file {name}, which its index lists; get the model again with all its files",
    "hf_old": "the transformers package {version} is too old for the model in {path}, which needs version "
    "{oldest} or later; update it with: pip install --upgrade transformers",
    "foreign_quantized": "the weights in {path} are quantized, so that only a changed model could be shown; get "
    "the model as it was before (float16, bfloat16 or float32)",
    "foreign_no_tokenizer": "{path} holds no tokenizer, so that no text can be read; get the model again with "
    "tokenizer.json",
    "foreign_tokenizer_class": "the model in {path} wants the tokenizer {name}, which the installed transformers "
    "package does not have; update it, or get a model with another tokenizer",
    "foreign_tokenizer": "the tokenizer in {path} cannot be used ({reason}); get the model again",
    "tokenizer_failed": "the model's tokenizer gives up on this text ({reason}); write another, or get the model "
    "again",
    "foreign_sizes": "config.json in {path} describes a larger model than its weights are; get the model again",
    "foreign_memory": "the model in {path} needs {needed} of memory and this machine has {there}; choose a "
    "smaller model",
    "foreign_missing": "{path} lacks {count} of the weights that its config.json asks for ({name} first), which "
    "would have to be invented; get the model again, complete",
    "foreign_failed": "the transformers package cannot load the model in {path} ({reason}); update it, or get "
    "the model again",
    "file_elsewhere": "{path} is a link out of the model's folder, and is not followed; put the file itself there",
    "bundle_format": "{path} does not describe a model of Headscope; choose another folder",
    "bundle_newer": "{path} was written by a newer Headscope (format version {version}); "
    "update Headscope to open it",
    "bundle_invalid": "{path} is damaged ({reason}); get the model again",
    "bundle_vocab": "{path} has {found} pieces and the model was made for {wanted}; get the model again",
    "bundle_special": "{path} numbers its {name} token {found} and config.json says {wanted}; "
    "get the model again",
    "weights_missing": "{path} lacks the tensor {name!r}; get the model again",
    "weights_unexpected": "{path} holds the tensor {name!r}, which this architecture has no place for; "
    "check config.json or get the model again",
    "weights_shape": "tensor {name!r} in {path} has the shape {found} where {wanted} is needed; "
    "check config.json or get the model again",
    "weights_dtype": "tensor {name!r} in {path} has the type {found}; only {wanted} can be loaded",
    "checkpoint_legacy": "{path} is a PyTorch file of the kind written before 2020, which cannot be read piece by "
    "piece; convert it once with: python -c \"import torch; p = 'pytorch_model.bin'; "
    "torch.save(torch.load(p, weights_only=True), p)\"",
    "checkpoint_invalid": "{path} is damaged or holds more than weights ({reason}), so it is not opened; "
    "get the model again, best as model.safetensors",
    "marian_unlike": "the Marian model in {path} is unlike those that Headscope computes itself ({reason}); it can "
    "be opened with the transformers package, to be installed with: pip install 'headscope[hf]'",
    "weights_not_finite": "tensor {name!r} in {path} holds numbers that are not finite; get the model again, "
    "or train from the last good state",
    "weights_half": "tensor {name!r} is too large for half precision; save the model in single precision",
    "training_state_invalid": "{path} is damaged ({reason}); start the training anew, without --resume",
}


class HeadscopeError(Exception):
    """A failure that the user can understand and act on.

    Attributes:
        code: key into `MESSAGES`.
        values: what fills the sentence's placeholders (str, int or float).
    """

    def __init__(self, code: str, **values: object) -> None:
        if code not in MESSAGES:
            raise KeyError(f"no message for error code {code!r}")
        self.code = code
        self.values = values
        super().__init__(MESSAGES[code].format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, self.values)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; torch says so by a RuntimeError of its own wording."""
    return isinstance(error, MemoryError) or any(
        words in str(error) for words in ("allocate memory", "out of memory", "not enough memory")
    )


def _rebuild(code: str, values: dict[str, object]) -> HeadscopeError:
    return HeadscopeError(code, **values)
