"""Work messages: what a person does, translating, changing, exporting. Each says what to do."""

from __future__ import annotations

WORK: dict[str, str] = {
    # general
    "internal": "something unexpected went wrong ({detail}); please report it with this text",
    "cancelled": "cancelled",
    "out_of_memory": "there is not enough memory for this; try a shorter text, or close other programs",
    "output_failed": "the result could not be written to standard output ({reason}); redirect it elsewhere",
    "out_ending": "{path} is the name of a .{ending} file, which is not what is written here ({others} "
    "writes those); end the name in {wanted}",
    "out_folder": "{path} is the name of a .{ending} file ({others} writes those), and a folder is made "
    "here; leave that ending out",
    "float16_npz": "half precision is for .trace files, and {path} is an NPZ; end the name in .trace, or "
    "leave --float16 out",
    "text_cut": "a sentence here has at most {most} characters, and what came after them was left out; "
    "shorten it, or translate it in parts",
    "command_unsayable": "a text or a name contains characters that a command line cannot, such as a "
    "line break; do it in this window, or remove them",
    "input_empty": "there is no sentence on standard input; pipe one in, or give it as an argument",
    "input_lines": "standard input has a second sentence, in line {line}, but only one is expected; "
    "send a single line (translate takes several)",
    "input_long": "line {line} of standard input is longer than {most}; put one sentence on a line",
    "input_failed": "standard input cannot be read ({reason}); pipe in a file or a text",
    "input_closed": "standard input is closed; give the sentences as arguments or pipe them in",
    "model_overflow": "the model's weights are so large that the computation overflows; get a fresh "
    "copy of the model, or train it again with a lower learning rate",
    "no_model": "no model is open; open one first",
    "integrate_linux": "only a Linux desktop is told of Headscope in this way; on Windows and macOS make a "
    "shortcut to the program yourself",
    "extension_failed": "the extension {name} of the package {package} is left out: {reason}; update or "
    "remove the package, and tell those who made it",
    "cannot_compute": "this copy of Headscope shows what was recorded and runs no model; get the whole of "
    "Headscope, which has torch, for that",
    "package_missing": "the Python package {package} is not installed; in the folder of Headscope, "
    "pip install -c constraints.txt -e . installs what it needs",
    "writes_in_rounds": "this model writes all tokens at once, in rounds, and not one after the other; "
    "translate in rounds (--rounds), and look at each round",
    "writes_left_to_right": "the model {name} writes one token after the other and not in rounds; choose "
    "greedy, beam search or sampling",
    "rounds_weights": "the rows of this model's decoder_self attention are as long as the translation, which "
    "is not known before; name a key, or let the row be uniform",
    "method_unknown": "there is no method {name}; the methods are {known}",
    "faithfulness_short": "there is only one token to take away here: choose a later step, or the source",
    "faithfulness_tokens": "this map is of {given} tokens, and what is read here is {count}",
    "method_word": "{word} is no word that this model can write; type another one",
    "heads_other_model": "the trace is of the model {trace} and --general would tell of {name}; name the "
    "trace's own model with --model",
    "likeness_shape": "no family of attention can be compared with {name} ({size}); this sentence has "
    "{sizes}",
    "likeness_file": "{path} is no drawn pattern; write a line a query with a number from 0 up for each key, "
    "apart by commas",
    "lesson_unknown": "there is no lesson {name}; the lessons are {known}",
    "experiment_unknown": "there is no experiment {name}; the experiments are {known}",
    "experiment_file": "{path} holds no result of an experiment; write one with experiment NAME --record",
    "lesson_control": "this lesson has no control {control}; it has {known}",
    "lesson_value": "{control} cannot be {value}; it takes {range}",
    "lesson_setting": "{setting} is not a setting; write CONTROL=VALUE, such as width=0.4",
    "lesson_other_pieces": "the model {name} does not use SentencePiece; choose a vocabulary learned here",
    "lesson_nothing_open": "the lesson {name} is about a translation; open a model and translate a sentence, "
    "or name one with --text",
    "model_only_reads": "the model {name} reads text and writes none; open a model that writes text",
    "head_unshown": "the answer of the model {name} ({head}) is not shown here, only what its attention "
    "heads look at; use trace, render or the window for that",
    "no_mask": "no word of the text is masked; type {mask} in place of a word, and the model guesses it",
    "hf_missing": "the model in {path} is run by the transformers package, which is not installed; "
    "install it with: pip install 'headscope[hf]'",
    "source_cannot": "the model {name} is run by transformers: only its attention can be shown; open "
    "a Headscope bundle or a Marian model to change it",
    "others_cannot_be": "the model {name} is run by transformers: its heads, rows and tokens can be changed, "
    "its positions, the order of its pieces and the layer that is read cannot; leave that change out",
    "others_unexplained": "the model {name} is run by transformers: this is not worked out of such models; "
    "open a Headscope bundle or a Marian model for it",
    "attention_missing": "models of type {model_type} do not return attention weights, or not for "
    "every layer; open another model",
    "attention_shape_unknown": "models of type {model_type} return attention weights of the shape "
    "{shape}, which is not one weight for every query and key; open another model",
    "attention_rows": "the attention weights of models of type {model_type} do not sum to 1 in every "
    "row (one sums to {total}), so a picture of them would mislead; open another model",
    "attention_later": "models of type {model_type} look at later tokens while writing, so they "
    "cannot be followed step by step; open another model",
    "foreign_senses": "models of type {model_type} take images or sound as input, which Headscope "
    "cannot give them; record their attention in your own program with recording or "
    "save_attention of model.record (README, Record attention elsewhere) and open the trace",
    "foreign_kind": "models of type {model_type} do not read or write text in a way that this version "
    "knows; open another model",
    "network_failed": "models of type {model_type} cannot be run on text alone ({reason}); open another "
    "model",
    "run_other_model": "this translation was made by the model {name}, which is not the one that is open; "
    "open that model to go on from here, or translate the sentence anew",
    "two_sentences_model": "another model was opened meanwhile; try again",
    "run_model_loading": "the model is still being opened; try again in a moment",
    "length_limit": "the translation was stopped after {tokens} tokens, the most that is allowed here; "
    "what you see is its beginning",
    # session
    "runs_trimmed": "there are more translations here than Headscope keeps in memory, so the oldest "
    "are dropped; bookmark or pin what you want to keep",
    "autosave_failed": "this session cannot be autosaved ({reason}); save it yourself, or free some space",
    "tour_offered": "a tour of eight steps goes from a sentence to the next word; Help has it too",
    "autosave_found": "Headscope ended unexpectedly; runs that can be restored: {count}",
    "autosave_found_several": "Headscope ended unexpectedly; sessions that can be restored: {count}",
    "autosave_slow": "the disk does not respond; wait, or choose another place",
    "autosave_closing": "your work here cannot be autosaved ({reason}); save it elsewhere, or close "
    "the window again to discard it",
    "session_changed": "the session in {path} was changed elsewhere since it was opened or saved here",
    "session_missing": "there is no session in {path}; choose a folder whose name ends in .headscope",
    "session_format": "{path} does not describe a session of Headscope; choose another folder",
    "session_newer": "{path} was written by a newer Headscope (format version {version}); update "
    "Headscope to open it",
    "session_invalid": "{path} is damaged ({reason}); save the session again",
    "session_runs": "{path} lists {count} runs, and at most {most} are opened; choose another session",
    "runs_unsaved": "runs that could not be saved because their traces can no longer be read: "
    "{count}, the first “{name}” ({reason}); everything else was saved, and their places are kept",
    "runs_unopened": "runs of this session whose traces cannot be read: {count} ({reason}); everything else "
    "is shown; put the traces back and open the session again",
    "searches_unsaved": "searches too large for a session: {count}; their translations were saved, "
    "their trees were not",
    "session_model_missing": "the model {name} of this session is not at {path}; its traces are shown; "
    "open the model to make more",
    "session_model_differs": "the model {name} at {path} is not the one this session was made with; the "
    "traces shown are the old model's",
    # alterations
    "alteration_unknown": "{type} is not a model change that this version knows; update Headscope or "
    "leave it out",
    "alteration_kind": "this model has no {kind} attention; choose another kind",
    "alteration_layer": "there is no layer {value} of {kind} attention; choose one from 1 to {count}",
    "prune_few": "one sentence is too little to draw a head's output from another one; give a file of two at "
    "least, or choose --with zero",
    "prune_copies": "this model copies words by the weights of its heads, which have no mean or resampled "
    "output in that; switch its heads off with zero",
    "alteration_read_layer": "there is no encoder layer {value} to read; choose one from 0 (the embeddings) "
    "to {count}",
    "alteration_head": "there is no head {value} to change; choose one from 1 to {count}",
    "alteration_token": "there is no source token {value}; this sentence has the tokens 1 to {count}, the "
    "end token included",
    "alteration_row": "there is no row {value} of {kind} attention; choose one from 1 to {count}",
    "alteration_blocked": "row {row} of {kind} attention cannot look at source token {key}, which is "
    "blocked; choose another token, or unblock it",
    "alteration_all_blocked": "every source token is blocked, so row {row} of {kind} attention has "
    "nothing to look at; unblock one",
    "alteration_later": "row {row} of decoder_self attention cannot look at step {key}, which comes "
    "later; choose a step from 1 to {row}",
    "alteration_weights": "the weights of a row must not be negative and must sum to 1; these sum to "
    "{total} and the smallest is {least}",
    "alteration_weights_count": "row {row} may attend to {keys} tokens and {count} weights were given; "
    "give one for each",
    "alteration_order": "{order} is no order of {count} pieces; name each place from 1 to {count} once",
    "carry_inside": "numbers carried in from another text stand only in the translation that they make;"
    " nothing more is worked out inside it: look at the translation that it was made from",
    "carry_altered": "A is altered itself, and a translation keeps only numbers of a plain one; make A anew "
    "without changes, or look at the effects alone",
    "carry_tokens": "what is carried in was made for {count} source tokens, and this sentence has {tokens}",
    "patch_same": "A and B are the same translation, so nothing tells them apart; name the step to look at",
    "patch_step": "there is no step {step} in the translation of B; choose one from 1 to {count}",
    "patch_apart": "step {step} of B reads a word that A does not have, so that A has no such step; "
    "choose another",
    "patch_small": "A and B hardly differ at step {step}: {measure} is {first} in A and {second} in B; "
    "the effect is a share of that difference, which is too small to divide by; choose another step or "
    "other words",
    "patch_models": "A and B come from different models; numbers can be carried only within one",
    "patch_large": "these texts are too long to carry every head and position over ({size} MB at a "
    "time, and the limit is {limit} MB); choose shorter ones",
    "patch_final": "the final residual sum is a receiver by itself; name it alone, or heads alone",
    "patch_receiver": "{receiver} is not reached from {sender} without another head in between; choose "
    "one that reads what comes after it",
    "patch_receiver_syntax": "{text} is no receiver; write KIND:LAYER:HEAD:q, such as cross:2:3:q (or "
    ":k or :v), or final",
    "patch_sender_syntax": "{text} is no head; write KIND:LAYER:HEAD, such as encoder_self:2:3",
    "inspection_head": "there is no head {value}; choose one from 1 to {count}",
    "inspection_nothing": "the decoder cannot be inspected without a translation; translate a sentence first",
    "inspection_large": "the gradients of {source} source tokens and {steps} steps would take {size} "
    "MB, more than the limit of {limit} MB; choose a shorter sentence",
    "contributions_large": "the contributions of {source} source tokens and {steps} steps would take {size} "
    "MB, more than the limit of {limit} MB; choose a shorter sentence",
    "contributions_none": "nothing that {kind} attention of layer {layer} reads at token {token} points "
    "where its output does, so that there is nothing to share out; fewer alterations may help",
    "zeroing_long": "value zeroing of {source} source tokens and {steps} steps would compute {count} million "
    "positions of a layer again, more than the limit of {limit} million; choose a shorter sentence",
    "method_step": "the encoder has read the whole sentence before the first step; leave --step out, or "
    "choose another --kind",
    "zeroing_none": "without the values of any token that {kind} attention of layer {layer} reads, its "
    "output at token {token} stays the same, so that there is nothing to share out; fewer alterations may "
    "help",
    "importance_nothing": "there is no translation yet to measure the heads on; translate a sentence first",
    "heads_nothing": "no sentence of {path} can be read by this model; choose a file of shorter sentences",
    "heads_gold_targets": "{path} has no translations to align; choose a file of pairs",
    "heads_gold_lines": "{path} has {count} lines of alignments and none for line {line} of the "
    "pairs; the two files must match line by line",
    "heads_no_example": "the model {name} has no recorded example; give a sentence, --trace or --pairs",
    "order_short": "this text has too few different pieces to reorder; type a few words",
    "order_same": "this order is the same as the original one; choose another",
    "ablation_syntax": "{text} is not a head; write KIND:LAYER:HEAD or KIND:LAYER, with =FACTOR "
    "behind it to scale instead of switching off, such as cross:2:3 or cross:2:3=0.5 (KIND is "
    "encoder_self, decoder_self or cross, all counted from 1)",
    # exports
    "export_suffix": "{path} does not say which format to write; end the name in .png, .svg, .pdf, "
    ".gif, .webp, .csv, .npz, .trace or .pharaoh",
    "curves_suffix": ("{path} does not say which format to write; end the name in .png, .svg, .pdf or .csv"),
    "export_no_page": "this page shows no figure yet; look at one first",
    "export_csv_only": "the data of this figure cannot be saved as {path}; end the name in .csv, "
    ".png, .svg or .pdf",
    "export_no_table": "this figure has no table of numbers for {path}; end the name in .png, .svg or .pdf",
    "animation_view": "only a map, all heads or words can be animated; choose one of these, or write a "
    "picture",
    "export_numbers": "there is no map of {numbers} here: {reason}; leave --numbers out to draw weights",
    "export_pharaoh": "{path} is a file of word links; choose the alignment to export",
    "export_alignment_kind": "only cross-attention aligns words; choose cross",
    "export_waiting": "the numbers of this figure are still being computed; try again in a moment",
    "export_no_model": "these numbers are not in the trace but are computed by the model {name}; open "
    "that model, or name it with --model",
    "export_query": "there is no query {value}; the rows of this map count from 1 to {count}",
    "export_key": "there is no key {value}; the columns of this map count from 1 to {count}",
    "export_arithmetic_head": "the arithmetic is that of one head, not of a mean; choose a head",
    "export_no_trace": "nothing has been translated yet; translate a sentence or open a trace first",
    "export_no_positions": "the model {name} has no positional encoding that can be shown; choose another "
    "view or model",
    "positions_learned": "the positions of {name} are learned, so no pair of dimensions rotates; "
    "choose sinusoids instead",
    "export_positions_model": (
        "a trace does not contain the positional encoding; name its model with --model"
    ),
    "export_positions_trace": "a positional encoding cannot be saved as a trace, so {path} was not "
    "written; choose .csv or .npz",
    "export_no_compared": "a difference needs two runs; pin one and look at another, or name a second "
    "trace with --compare",
    "export_compared_kind": "there is no {kind} attention in one of the two runs; choose another family",
    "export_compared_moving": "a difference cannot be animated; end the file's name in .png, .svg, .pdf, "
    ".csv or .npz",
    "export_compared_trace": "a difference cannot be saved as a trace, so {path} was not written; choose "
    ".csv or .npz",
    "export_effects_options": "--path carries one head's output, so it goes without --what and --by, --into "
    "needs --path, and the residual stream has no heads, so it goes without --by head",
    "export_each": "view {view} has no set of all {each}; leave out --each",
    "export_kind": "there is no {kind} attention in this trace; it has {kinds}",
    "export_layer": "there is no layer {value}; choose one from 1 to {count}",
    "export_circuits_head": "what a head does in general is said of one head, not of a mean; choose a head",
    "export_head": "there is no head {value}; choose one from 1 to {count}, or mean",
    "export_stack": "the model {name} has no positions called {stack}; leave --stack out to take the first",
    "export_bias_head": "there is no head {value}; choose one from 1 to {count}",
    "export_block": "there is no block {value}; the blocks are {known}, …",
    "export_step": "there is no step {value}; choose one from 1 to {count}",
    "export_curve": "there is no dimension {value} to draw as a curve; choose from 0 to {last}",
    "picture_width": "a picture cannot be {width} mm wide; choose a width from {low} to {high} mm",
    "picture_height": "a maximum height of {height} mm is not possible; choose from {low} to {high} mm",
    "picture_low": "at a width of {width} mm this picture needs a height of {least} mm",
    "picture_type": "labels cannot be {size} pt; choose from {low} to {high} pt",
    "picture_dpi": "a picture cannot have {dpi} dpi; choose a resolution from {low} to {high} dpi",
    "picture_large": "a picture of {width} x {height} pixels is too large; choose a smaller width or dpi, "
    "or SVG or PDF",
    "picture_failed": "the picture could not be drawn ({reason}); choose another format or a smaller size",
    # Qt
    "qt_missing": "the Python package {module} is not installed; install it with: pip install "
    "PySide6-Essentials",
    "qt_library": "Qt needs {libraries}, which this system lacks; on Debian and Ubuntu: sudo apt install "
    "{packages} (translate and trace work without)",
    "qt_window_library": "Qt needs {libraries} to open a window, which this system lacks; on Debian and "
    "Ubuntu: sudo apt install {packages}, or use headscope demo --out FOLDER, which needs no screen",
    "qt_broken": "Qt cannot be loaded ({reason}); install it again: pip install --force-reinstall "
    "PySide6-Essentials",
    "qt_display": "there is no screen to open a window on; start Headscope in a desktop session, or use "
    "headscope demo --out FOLDER, which needs none",
    "qt_platform": "Qt cannot start its platform plugin {plugin}; unset QT_QPA_PLATFORM, or use headscope "
    "demo --out FOLDER, which needs no screen",
}
