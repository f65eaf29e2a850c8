<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Headscope</source>
        <translation>关于 Headscope</translation>
    </message>
    <message>
        <source>A desktop microscope for Transformer attention: type a sentence, watch the translation appear token by token, and look at every attention head of every layer. Everything stays on this computer.</source>
        <translation>Transformer 注意力的桌面显微镜：输入一个句子，看译文逐个词元出现，观察每一层的每一个注意力头。所有内容都只留在这台电脑上。</translation>
    </message>
    <message>
        <source>The model is that of &quot;Attention Is All You Need&quot; (Vaswani and others, 2017).</source>
        <translation>模型出自论文 “Attention Is All You Need”（Vaswani 等，2017）。</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>True values stay on the colour bar</source>
        <translation>颜色条上仍是真实值</translation>
    </message>
    <message>
        <source>&amp;Open model…</source>
        <translation>打开模型(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;trace…</source>
        <translation>打开轨迹(&amp;T)…</translation>
    </message>
    <message>
        <source>Open sess&amp;ion…</source>
        <translation>打开会话(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存轨迹(&amp;S)…</translation>
    </message>
    <message>
        <source>Save sessio&amp;n…</source>
        <translation>保存会话(&amp;N)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Copy as co&amp;mmand</source>
        <translation>复制为命令(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Square root scale</source>
        <translation>平方根标度(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Raw pieces</source>
        <translation>原始子词(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Hide start and end tokens</source>
        <translation>隐藏起止词元(&amp;H)</translation>
    </message>
    <message>
        <source>Second &amp;map beside the first</source>
        <translation>并排第二幅图(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Next word</source>
        <translation>下一个词(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About Headscope</source>
        <translation>关于 Headscope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Model information</source>
        <translation>模型信息(&amp;M)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
</context>
<context>
    <name>Callouts</name>
    <message>
        <source>1  Type a sentence, press Enter</source>
        <translation>1  输入句子，按回车</translation>
    </message>
    <message>
        <source>2  Step through the translation</source>
        <translation>2  逐步查看译文</translation>
    </message>
    <message>
        <source>3  Click a head to look closer</source>
        <translation>3  点击一个注意力头细看</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
</context>
<context>
    <name>CandidatesModel</name>
    <message>
        <source>all other words</source>
        <translation>其余所有词</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Every word not listed, together: {share}</source>
        <translation>未列出的所有词合计：{share}</translation>
    </message>
    <message>
        <source>{piece}, token {number}
probability {share}
log probability {logprob}</source>
        <translation>{piece}，词元编号 {number}
概率 {share}
对数概率 {logprob}</translation>
    </message>
    <message>
        <source>chosen at this step</source>
        <translation>本步选中</translation>
    </message>
</context>
<context>
    <name>DecodingButton</name>
    <message>
        <source>Beam {size}</source>
        <translation>束搜索 {size}</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>Take the most probable word at every step</source>
        <translation>每一步都取概率最大的词（greedy）</translation>
    </message>
    <message>
        <source>Follow the four best beginnings and keep the best sentence</source>
        <translation>同时保留四个最好的开头，最后取最好的句子（beam search）</translation>
    </message>
    <message>
        <source>Sample…</source>
        <translation>采样…</translation>
    </message>
    <message>
        <source>Draw each word by its probability</source>
        <translation>按概率抽取每个词（sampling）</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>How the words are chosen</source>
        <translation>如何选词</translation>
    </message>
    <message>
        <source>Decoding mode</source>
        <translation>解码方式</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>something unexpected went wrong ({detail}); please report it with this text</source>
        <translation>发生了意外错误（{detail}）；请附上这段文字报告问题</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>there is not enough memory for this; try a shorter text, or close other programs</source>
        <translation>内存不足；请缩短文本，或关闭其他程序</translation>
    </message>
    <message>
        <source>the result could not be written to standard output ({reason}); send it to another place</source>
        <translation>结果无法写到标准输出（{reason}）；请输出到别处</translation>
    </message>
    <message>
        <source>standard input is closed; give the sentences as arguments or send them in</source>
        <translation>标准输入已关闭；请把句子作为参数给出，或从标准输入送入</translation>
    </message>
    <message>
        <source>the model&apos;s weights are so large that its numbers overflow; get the model again, or train it again with a lower learning rate</source>
        <translation>模型的权重过大，计算溢出；请重新获取模型，或降低学习率重新训练</translation>
    </message>
    <message>
        <source>no model is open; open one first</source>
        <translation>尚未打开模型；请先打开一个模型</translation>
    </message>
    <message>
        <source>the translation was stopped after {tokens} tokens, the most that is allowed here; what you see is its beginning</source>
        <translation>译文到 {tokens} 个词元时停止，这是此处允许的上限；您看到的是译文的开头</translation>
    </message>
    <message>
        <source>there is no session in {path}; choose a folder whose name ends in .headscope</source>
        <translation>{path} 中没有会话；请选择名称以 .headscope 结尾的文件夹</translation>
    </message>
    <message>
        <source>{path} does not describe a session of Headscope; choose another folder</source>
        <translation>{path} 不是 Headscope 的会话；请选择其他文件夹</translation>
    </message>
    <message>
        <source>{path} was written by a newer Headscope (format version {version}); update Headscope to open it</source>
        <translation>{path} 由更新版本的 Headscope 写成（格式版本 {version}）；请升级 Headscope 后再打开</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}); save the session again</source>
        <translation>{path} 已损坏（{reason}）；请重新保存会话</translation>
    </message>
    <message>
        <source>the model {name} of this session is not at {path}; its traces are shown, open the model to translate more</source>
        <translation>此会话的模型 {name} 不在 {path}；已显示其轨迹，要继续翻译请打开该模型</translation>
    </message>
    <message>
        <source>the model {name} at {path} is not the one this session was made with; the traces shown are the old model&apos;s</source>
        <translation>{path} 处的模型 {name} 不是制作此会话时的模型；所显示的轨迹属于原来的模型</translation>
    </message>
    <message>
        <source>{field} is {value}; it must be {wanted}</source>
        <translation>{field} 为 {value}；必须是 {wanted}</translation>
    </message>
    <message>
        <source>{field} in {where} is {value}; it must be {wanted}</source>
        <translation>{where} 中的 {field} 为 {value}；必须是 {wanted}</translation>
    </message>
    <message>
        <source>{where} names {field!r}, which this version does not know; update Headscope or remove the key</source>
        <translation>{where} 中的 {field!r} 是此版本不认识的；请升级 Headscope 或删去该项</translation>
    </message>
    <message>
        <source>{where} lacks {field!r}; the file is incomplete, get the model again</source>
        <translation>{where} 缺少 {field!r}；文件不完整，请重新获取模型</translation>
    </message>
    <message>
        <source>d_model {d_model} cannot be divided among {n_heads} heads; choose numbers that divide evenly</source>
        <translation>d_model {d_model} 不能平均分给 {n_heads} 个注意力头；请选择能整除的数</translation>
    </message>
    <message>
        <source>all embeddings are tied, but the vocabularies differ ({source} and {target} pieces); use one shared vocabulary or tie fewer</source>
        <translation>所有嵌入都设为共享，但两个词表不同（{source} 与 {target} 个子词）；请使用同一个词表或减少共享</translation>
    </message>
    <message>
        <source>the loss stopped being a number at step {step}; the last good weights are kept: try a lower learning rate, a longer warm-up or float32</source>
        <translation>第 {step} 步时损失不再是数字；已保留最后一份好的权重：请降低学习率、延长预热或改用 float32</translation>
    </message>
    <message>
        <source>the training state belongs to another model than this bundle&apos;s; start a new run</source>
        <translation>训练状态不属于这个模型；请重新开始训练</translation>
    </message>
    <message>
        <source>{path} already exists; add --resume to continue it, or choose another folder</source>
        <translation>{path} 已存在；加上 --resume 继续训练，或选择其他文件夹</translation>
    </message>
    <message>
        <source>{path} holds no training state; a finished bundle cannot be resumed, start a new run</source>
        <translation>{path} 中没有训练状态；已完成的模型不能继续训练，请重新开始</translation>
    </message>
    <message>
        <source>{field} was {old} when this run began and is {new} now; resume with the same value or start a new run</source>
        <translation>训练开始时 {field} 为 {old}，现在为 {new}；请用原来的值继续，或重新开始</translation>
    </message>
    <message>
        <source>the files of pairs are not those this run began with; resume with the same files</source>
        <translation>句对文件与训练开始时的不同；请用原来的文件继续</translation>
    </message>
    <message>
        <source>no sentence pairs are left to train on; check the file, the split and the length limit (--max-tokens)</source>
        <translation>没有可用于训练的句对；请检查文件、划分方式和长度上限（--max-tokens）</translation>
    </message>
    <message>
        <source>no sentence pairs of {path} are left to evaluate on; check the file, --split and --part</source>
        <translation>{path} 中没有可用于评测的句对；请检查文件、--split 和 --part</translation>
    </message>
    <message>
        <source>the text is {tokens} tokens long and this model reads at most {limit}; shorten it</source>
        <translation>文本长 {tokens} 个词元，而此模型最多读 {limit} 个；请缩短文本</translation>
    </message>
    <message>
        <source>token number {id} is outside the vocabulary of {vocab} pieces; the tokenizer and the model do not belong together</source>
        <translation>词元编号 {id} 超出了 {vocab} 个子词的词表；分词器与模型不匹配</translation>
    </message>
    <message>
        <source>there is no text to translate; type a sentence</source>
        <translation>没有可翻译的文本；请输入一个句子</translation>
    </message>
    <message>
        <source>the model knows no character of this text; write in the language that it reads</source>
        <translation>模型不认识这段文本中的任何字符；请用它能读的语言书写</translation>
    </message>
    <message>
        <source>the model {model} reads {reads}, and this text is written in {written}; use the model {offer} for it</source>
        <translation>模型 {model} 读的是 {reads}，而这段文本用 {written} 写成；请改用模型 {offer}</translation>
    </message>
    <message>
        <source>the model {model} reads {reads}, and this text is written in {written}; write in {reads}, or choose another model</source>
        <translation>模型 {model} 读的是 {reads}，而这段文本用 {written} 写成；请用 {reads} 书写，或选择其他模型</translation>
    </message>
    <message>
        <source>there is no model {name}; name a model folder or one of the bundled models ({names})</source>
        <translation>没有模型 {name}；请给出模型文件夹或自带模型之一（{names}）</translation>
    </message>
    <message>
        <source>line {line} of the input is not UTF-8 text; send it as UTF-8</source>
        <translation>输入的第 {line} 行不是 UTF-8 文本；请以 UTF-8 发送</translation>
    </message>
    <message>
        <source>there is no tokenizer file {path}; check the name, or get the model again</source>
        <translation>没有分词器文件 {path}；请检查名称，或重新获取模型</translation>
    </message>
    <message>
        <source>cannot read the tokenizer {path} ({reason}); check the file and its permissions</source>
        <translation>无法读取分词器 {path}（{reason}）；请检查文件及其权限</translation>
    </message>
    <message>
        <source>{path} is not a SentencePiece tokenizer ({reason}); get the file again</source>
        <translation>{path} 不是 SentencePiece 分词器（{reason}）；请重新获取文件</translation>
    </message>
    <message>
        <source>there is no text to learn a vocabulary from; give sentences that are not blank</source>
        <translation>没有可供学习词表的文本；请提供非空的句子</translation>
    </message>
    <message>
        <source>{size} pieces are too few for the characters of this text; ask for a vocabulary of at least {least}</source>
        <translation>{size} 个子词不足以覆盖这些文本的字符；词表至少需要 {least} 个</translation>
    </message>
    <message>
        <source>no vocabulary could be learned ({reason}); give more text or ask for fewer pieces</source>
        <translation>无法学得词表（{reason}）；请提供更多文本或减少子词数</translation>
    </message>
    <message>
        <source>there is no file {path}; check the name</source>
        <translation>没有文件 {path}；请检查名称</translation>
    </message>
    <message>
        <source>{path} is a folder; name a file of sentence pairs</source>
        <translation>{path} 是文件夹；请给出句对文件</translation>
    </message>
    <message>
        <source>cannot read {path} ({reason}); check the file and its permissions</source>
        <translation>无法读取 {path}（{reason}）；请检查文件及其权限</translation>
    </message>
    <message>
        <source>{path} is damaged or not the kind of archive its name says; get it again, or unpack it and name the text file</source>
        <translation>{path} 已损坏，或不是其名称所说的压缩格式；请重新获取，或解压后给出文本文件</translation>
    </message>
    <message>
        <source>there is no .txt or .tsv file in {path}; unpack it and name the file of sentence pairs</source>
        <translation>{path} 中没有 .txt 或 .tsv 文件；请解压后给出句对文件</translation>
    </message>
    <message>
        <source>there are several text files in {path}; unpack it and name the file of sentence pairs</source>
        <translation>{path} 中有多个文本文件；请解压后给出句对文件</translation>
    </message>
    <message>
        <source>{path} is UTF-16 text; save it again as UTF-8</source>
        <translation>{path} 是 UTF-16 文本；请另存为 UTF-8</translation>
    </message>
    <message>
        <source>line {line} of {path} is not UTF-8 text; save the file again as UTF-8</source>
        <translation>{path} 的第 {line} 行不是 UTF-8 文本；请将文件另存为 UTF-8</translation>
    </message>
    <message>
        <source>line {line} of {path} has no tab; each line must be a sentence, a tab and its translation</source>
        <translation>{path} 的第 {line} 行没有制表符；每行必须是一个句子、一个制表符和它的译文</translation>
    </message>
    <message>
        <source>there are no sentence pairs in {path}; each line must be a sentence, a tab and its translation</source>
        <translation>{path} 中没有句对；每行必须是一个句子、一个制表符和它的译文</translation>
    </message>
    <message>
        <source>{path} does not say what to write; end the name in .png, .svg, .pdf, .csv, .npz or .trace</source>
        <translation>{path} 没有说明要写的格式；名称请以 .png、.svg、.pdf、.csv、.npz 或 .trace 结尾</translation>
    </message>
    <message>
        <source>nothing has been translated yet; translate a sentence or open a trace first</source>
        <translation>还没有任何译文；请先翻译一个句子或打开一个轨迹</translation>
    </message>
    <message>
        <source>the model {name} has no positional encoding; choose another view or model</source>
        <translation>模型 {name} 没有位置编码；请选择其他视图或模型</translation>
    </message>
    <message>
        <source>a trace does not hold the positional encoding; name its model with --model</source>
        <translation>轨迹不含位置编码；请用 --model 指明其模型</translation>
    </message>
    <message>
        <source>a positional encoding cannot be saved as a trace, so {path} was not written; choose .csv or .npz</source>
        <translation>位置编码不能保存为轨迹，因此没有写 {path}；请选择 .csv 或 .npz</translation>
    </message>
    <message>
        <source>there is no {kind} attention in this trace; it has {kinds}</source>
        <translation>此轨迹中没有 {kind} 注意力；它有 {kinds}</translation>
    </message>
    <message>
        <source>there is no layer {value}; choose one from 1 to {count}</source>
        <translation>没有第 {value} 层；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>there is no head {value}; choose one from 1 to {count}, or mean</source>
        <translation>没有注意力头 {value}；请在 1 到 {count} 之间选择，或选 mean（平均）</translation>
    </message>
    <message>
        <source>there is no step {value}; choose one from 1 to {count}</source>
        <translation>没有第 {value} 步；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>there is no dimension {value} to draw as a curve; choose from 0 to {last}</source>
        <translation>没有可画成曲线的第 {value} 维；请在 0 到 {last} 之间选择</translation>
    </message>
    <message>
        <source>a picture cannot be {width} mm wide; choose a width from {low} to {high} mm</source>
        <translation>图片宽度不能是 {width} 毫米；请选择 {low} 到 {high} 毫米</translation>
    </message>
    <message>
        <source>a picture cannot have {dpi} dpi; choose a resolution from {low} to {high} dpi</source>
        <translation>图片分辨率不能是 {dpi} dpi；请选择 {low} 到 {high} dpi</translation>
    </message>
    <message>
        <source>a picture of {width} x {height} pixels is too large; choose a smaller width or dpi, or SVG or PDF</source>
        <translation>{width} × {height} 像素的图片太大；请减小宽度或 dpi，或选择 SVG 或 PDF</translation>
    </message>
    <message>
        <source>the picture could not be drawn ({reason}); choose another format or a smaller size</source>
        <translation>图片无法绘制（{reason}）；请选择其他格式或更小的尺寸</translation>
    </message>
    <message>
        <source>the Python package {module} is not installed; install it with: pip install PySide6-Essentials</source>
        <translation>未安装 Python 包 {module}；请安装：pip install PySide6-Essentials</translation>
    </message>
    <message>
        <source>Qt needs {libraries}, which this system lacks; on Debian and Ubuntu: sudo apt install {packages} (translate and trace work without)</source>
        <translation>Qt 需要 {libraries}，而本系统没有；在 Debian 和 Ubuntu 上：sudo apt install {packages}（translate 与 trace 不需要它）</translation>
    </message>
    <message>
        <source>Qt needs {libraries} to open a window, which this system lacks; on Debian and Ubuntu: sudo apt install {packages}, or use headscope demo --out FOLDER, which needs no screen</source>
        <translation>Qt 打开窗口需要 {libraries}，而本系统没有；在 Debian 和 Ubuntu 上：sudo apt install {packages}，或使用不需要屏幕的 headscope demo --out FOLDER</translation>
    </message>
    <message>
        <source>Qt cannot be loaded ({reason}); install it again: pip install --force-reinstall PySide6-Essentials</source>
        <translation>无法加载 Qt（{reason}）；请重新安装：pip install --force-reinstall PySide6-Essentials</translation>
    </message>
    <message>
        <source>there is no screen to open a window on; start Headscope in a desktop session, or use headscope demo --out FOLDER, which needs none</source>
        <translation>没有可以打开窗口的屏幕；请在桌面会话中启动 Headscope，或使用不需要屏幕的 headscope demo --out FOLDER</translation>
    </message>
    <message>
        <source>Qt cannot start its platform plugin {plugin}; unset QT_QPA_PLATFORM, or use headscope demo --out FOLDER, which needs no screen</source>
        <translation>Qt 无法启动平台插件 {plugin}；请取消设置 QT_QPA_PLATFORM，或使用不需要屏幕的 headscope demo --out FOLDER</translation>
    </message>
    <message>
        <source>there is no file, folder or command {path}; name a model folder, a .trace file or a session, or one of the commands {commands}</source>
        <translation>没有名为 {path} 的文件、文件夹或命令；请给出模型文件夹、.trace 文件或会话，或以下命令之一：{commands}</translation>
    </message>
    <message>
        <source>{path} may not be read or written ({reason}); close what uses it, check its permissions, or choose another place</source>
        <translation>{path} 不能读写（{reason}）；请关闭占用它的程序、检查权限，或选择其他位置</translation>
    </message>
    <message>
        <source>{path} is on a disk that cannot be written; choose another place</source>
        <translation>{path} 所在的磁盘不可写；请选择其他位置</translation>
    </message>
    <message>
        <source>{path} is a folder; name a file</source>
        <translation>{path} 是文件夹；请给出文件</translation>
    </message>
    <message>
        <source>{path} is not an ordinary file; choose another name</source>
        <translation>{path} 不是普通文件；请选择其他名称</translation>
    </message>
    <message>
        <source>{path} cannot be written, its folder takes no files; choose another place</source>
        <translation>{path} 无法写入，其文件夹不接受文件；请选择其他位置</translation>
    </message>
    <message>
        <source>{path} could not be read or written ({reason}); check the disk, or choose another place</source>
        <translation>{path} 无法读写（{reason}）；请检查磁盘，或选择其他位置</translation>
    </message>
    <message>
        <source>the disk is full, {path} was not written; free some space and try again</source>
        <translation>磁盘已满，没有写 {path}；请腾出空间后重试</translation>
    </message>
    <message>
        <source>there is no folder {path}; create it first, or choose another place</source>
        <translation>没有文件夹 {path}；请先创建，或选择其他位置</translation>
    </message>
    <message>
        <source>{path} exists already; choose another name, or remove it first</source>
        <translation>{path} 已存在；请选择其他名称，或先将其删除</translation>
    </message>
    <message>
        <source>{path} is being written by another Headscope; wait for it, or stop it first</source>
        <translation>另一个 Headscope 正在写 {path}；请等它完成，或先将其停止</translation>
    </message>
    <message>
        <source>{path} is damaged or not a safetensors file ({reason}); get the file again</source>
        <translation>{path} 已损坏或不是 safetensors 文件（{reason}）；请重新获取文件</translation>
    </message>
    <message>
        <source>{path} is a pickle or zip archive, which could run foreign code and is never loaded; get the model as safetensors</source>
        <translation>{path} 是 pickle 或 zip 文件，可能运行外来代码，因此从不加载；请获取 safetensors 格式的模型</translation>
    </message>
    <message>
        <source>{path} is not a trace of Headscope; choose a .trace file</source>
        <translation>{path} 不是 Headscope 的轨迹；请选择 .trace 文件</translation>
    </message>
    <message>
        <source>{path} is damaged or incomplete ({reason}); save the trace again</source>
        <translation>{path} 已损坏或不完整（{reason}）；请重新保存轨迹</translation>
    </message>
    <message>
        <source>{kind} layer {layer} of the trace {path} holds numbers that are no attention weights; save the trace again</source>
        <translation>轨迹 {path} 中 {kind} 第 {layer} 层含有不是注意力权重的数；请重新保存轨迹</translation>
    </message>
    <message>
        <source>there is no model in {path}; choose a folder that holds a config.json</source>
        <translation>{path} 中没有模型；请选择含有 config.json 的文件夹</translation>
    </message>
    <message>
        <source>{path} does not describe a model of Headscope; choose another folder</source>
        <translation>{path} 不是 Headscope 的模型；请选择其他文件夹</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}); get the model again</source>
        <translation>{path} 已损坏（{reason}）；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} has {found} pieces and the model was made for {wanted}; get the model again</source>
        <translation>{path} 有 {found} 个子词，而模型需要 {wanted} 个；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} numbers its {name} token {found} and config.json says {wanted}; get the model again</source>
        <translation>{path} 中 {name} 词元的编号是 {found}，而 config.json 写的是 {wanted}；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} lacks the tensor {name!r}; get the model again</source>
        <translation>{path} 缺少张量 {name!r}；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} holds the tensor {name!r}, which this architecture has no place for; check config.json or get the model again</source>
        <translation>{path} 含有此结构容纳不下的张量 {name!r}；请检查 config.json 或重新获取模型</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} has the shape {found} where {wanted} is needed; check config.json or get the model again</source>
        <translation>{path} 中张量 {name!r} 的形状是 {found}，而需要 {wanted}；请检查 config.json 或重新获取模型</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} has the type {found}; only F32 and F16 can be loaded</source>
        <translation>{path} 中张量 {name!r} 的类型是 {found}；只能加载 F32 和 F16</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} holds numbers that are not finite; get the model again, or train from the last good state</source>
        <translation>{path} 中张量 {name!r} 含有非有限的数；请重新获取模型，或从最后一个好的状态继续训练</translation>
    </message>
    <message>
        <source>tensor {name!r} is too large for half precision; save the model in single precision</source>
        <translation>张量 {name!r} 超出半精度的范围；请以单精度保存模型</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}); start the training anew, without --resume</source>
        <translation>{path} 已损坏（{reason}）；请不加 --resume 重新开始训练</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>special tokens are left out, nothing is renormalised</source>
        <translation>已略去特殊词元，未重新归一化</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Save this decoding as a trace first: it cannot be made again from its text.</source>
        <translation>请先把这次解码保存为轨迹：仅凭文本无法重现它。</translation>
    </message>
    <message>
        <source>{name} exists already. Replace it?</source>
        <translation>{name} 已存在。要替换吗？</translation>
    </message>
</context>
<context>
    <name>ExportForm</name>
    <message>
        <source>This map</source>
        <translation>当前图</translation>
    </message>
    <message>
        <source>All heads of this family</source>
        <translation>这一类的所有注意力头</translation>
    </message>
    <message>
        <source>Positional encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>The whole decoding (data)</source>
        <translation>整个解码（数据）</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Only up to step {number}</source>
        <translation>只到第 {number} 步</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> 毫米</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Picture copied</source>
        <translation>图片已复制</translation>
    </message>
    <message>
        <source>Save this decoding as a trace first: it cannot be made again from its text.</source>
        <translation>请先把这次解码保存为轨迹：仅凭文本无法重现它。</translation>
    </message>
    <message>
        <source>Traces (*.trace)</source>
        <translation>轨迹 (*.trace)</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存轨迹</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
    <message>
        <source>Sessions (*{suffix})</source>
        <translation>会话 (*{suffix})</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Command copied</source>
        <translation>命令已复制</translation>
    </message>
</context>
<context>
    <name>FamilyRow</name>
    <message>
        <source>Encoder self-attention</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>Source words look at source words (E)</source>
        <translation>encoder self-attention：源词元看源词元（E）</translation>
    </message>
    <message>
        <source>Decoder self-attention</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>Produced words look at produced words (D)</source>
        <translation>decoder self-attention：已产生的词元看已产生的词元（D）</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Produced words look at source words (C)</source>
        <translation>cross-attention：已产生的词元看源词元（C）</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>No installed font has the character “{character}”; install one for its script (on Debian and Ubuntu: apt install {package}) and start again.</source>
        <translation>已安装的字体都没有字符“{character}”；请安装相应文字的字体（Debian 和 Ubuntu：apt install {package}）后重新启动。</translation>
    </message>
    <message>
        <source>masked: cannot be read</source>
        <translation>已掩蔽：不可读</translation>
    </message>
    <message>
        <source>later steps</source>
        <translation>之后的步</translation>
    </message>
    <message>
        <source>cells smaller than a pixel: each pixel shows the largest weight in it</source>
        <translation>单元格小于一个像素：每个像素显示其中最大的权重</translation>
    </message>
    <message>
        <source>layers ↓</source>
        <translation>层 ↓</translation>
    </message>
    <message>
        <source>heads →</source>
        <translation>注意力头 →</translation>
    </message>
    <message>
        <source>part in view: queries {a}–{b} of {rows}, keys {c}–{d} of {columns}</source>
        <translation>显示的部分：查询 {a}–{b}（共 {rows}），键 {c}–{d}（共 {columns}）</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>dimension</source>
        <translation>维</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Cosine similarity of positions</source>
        <translation>位置之间的余弦相似度</translation>
    </message>
    <message>
        <source>Chosen dimensions</source>
        <translation>所选各维</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>{place}: this row belongs to a later step</source>
        <translation>{place}：这一行属于之后的步</translation>
    </message>
    <message>
        <source>{place}: predicting “{query}” cannot read “{key}”</source>
        <translation>{place}：预测“{query}”时不能读“{key}”</translation>
    </message>
    <message>
        <source>{place}: predicting “{query}” reads “{key}” {weight}</source>
        <translation>{place}：预测“{query}”时读“{key}” {weight}</translation>
    </message>
    <message>
        <source>{place}: “{query}” cannot read “{key}”</source>
        <translation>{place}：“{query}”不能读“{key}”</translation>
    </message>
    <message>
        <source>{place}: “{query}” reads “{key}” {weight}</source>
        <translation>{place}：“{query}”读“{key}” {weight}</translation>
    </message>
    <message>
        <source>encoder self-attention</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>decoder self-attention</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, mean over {heads} heads</source>
        <translation>编码器层 {layer}/{layers}，{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, mean over {heads} heads</source>
        <translation>解码器层 {layer}/{layers}，{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, head {head} of {heads}</source>
        <translation>编码器层 {layer}/{layers}，注意力头 {head}/{heads}</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, head {head} of {heads}</source>
        <translation>解码器层 {layer}/{layers}，注意力头 {head}/{heads}</translation>
    </message>
    <message>
        <source>Encoder layer {layer}, mean over {heads} heads</source>
        <translation>编码器层 {layer}，{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Decoder layer {layer}, mean over {heads} heads</source>
        <translation>解码器层 {layer}，{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Encoder layer {layer}, head {head}</source>
        <translation>编码器层 {layer}，注意力头 {head}</translation>
    </message>
    <message>
        <source>Decoder layer {layer}, head {head}</source>
        <translation>解码器层 {layer}，注意力头 {head}</translation>
    </message>
    <message>
        <source>Encoder, {layers} layers of {heads} heads</source>
        <translation>编码器，{layers} 层，每层 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>Decoder, {layers} layers of {heads} heads</source>
        <translation>解码器，{layers} 层，每层 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>source tokens (queries)</source>
        <translation>源词元（查询）</translation>
    </message>
    <message>
        <source>target tokens (queries): reads → predicts</source>
        <translation>目标词元（查询）：读入 → 预测</translation>
    </message>
    <message>
        <source>attends to: target tokens (keys) →</source>
        <translation>关注：目标词元（键）→</translation>
    </message>
    <message>
        <source>attends to: target tokens read so far (keys) →</source>
        <translation>关注：已读入的目标词元（键）→</translation>
    </message>
    <message>
        <source>attends to: source tokens (keys) →</source>
        <translation>关注：源词元（键）→</translation>
    </message>
    <message>
        <source>numbers: {name}, not attention weights</source>
        <translation>数值：{name}，不是注意力权重</translation>
    </message>
    <message>
        <source>one round of a decoding in rounds, not causal</source>
        <translation>分轮解码中的一轮，非因果</translation>
    </message>
    <message>
        <source>model altered: {changes}</source>
        <translation>模型被改动：{changes}</translation>
    </message>
    <message>
        <source>colours by square root, values true</source>
        <translation>颜色取平方根，数值真实</translation>
    </message>
    <message>
        <source>mean over {heads} heads</source>
        <translation>{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>special tokens hidden: {percent} % of the weight</source>
        <translation>已隐藏特殊词元：占权重的 {percent} %</translation>
    </message>
    <message>
        <source>“{source}”</source>
        <translation>“{source}”</translation>
    </message>
    <message>
        <source>The end token was not reached.</source>
        <translation>未到达终止词元。</translation>
    </message>
    <message>
        <source>Recorded example.</source>
        <translation>录制的示例。</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>{title}, {family}</source>
        <translation>{title}，{family}</translation>
    </message>
    <message>
        <source>Model {name} (sha256 {digits}), {creator}.</source>
        <translation>模型 {name}（sha256 {digits}），{creator}。</translation>
    </message>
    <message>
        <source>Model {name}, {creator}.</source>
        <translation>模型 {name}，{creator}。</translation>
    </message>
    <message>
        <source>Made by {creator}.</source>
        <translation>由 {creator} 制作。</translation>
    </message>
    <message>
        <source>Greedy decoding</source>
        <translation>贪心解码</translation>
    </message>
    <message>
        <source>Beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Forced target</source>
        <translation>教师强制</translation>
    </message>
    <message>
        <source>Decoding: {mode}</source>
        <translation>解码：{mode}</translation>
    </message>
    <message>
        <source>Positional encoding: {positions} positions, {dimensions} dimensions</source>
        <translation>位置编码：{positions} 个位置，{dimensions} 维</translation>
    </message>
    <message>
        <source>first {positions} of {all} positions</source>
        <translation>{all} 个位置中的前 {positions} 个</translation>
    </message>
    <message>
        <source>(start)</source>
        <translation>（起）</translation>
    </message>
    <message>
        <source>(end)</source>
        <translation>（止）</translation>
    </message>
    <message>
        <source>(padding)</source>
        <translation>（填充）</translation>
    </message>
    <message>
        <source>(unknown)</source>
        <translation>（未知）</translation>
    </message>
</context>
<context>
    <name>HeadsPanel</name>
    <message>
        <source>Heads, encoder layers</source>
        <translation>注意力头，编码器各层</translation>
    </message>
    <message>
        <source>Heads, decoder layers</source>
        <translation>注意力头，解码器各层</translation>
    </message>
    <message>
        <source>Heads, decoder layers (cross)</source>
        <translation>注意力头，解码器各层（交叉）</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有注意力头</translation>
    </message>
    <message>
        <source>Click a head. Arrow keys move.</source>
        <translation>点击一个注意力头，方向键移动。</translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>Average the heads of the layer in view (M)</source>
        <translation>对当前层的各注意力头取平均（M）</translation>
    </message>
</context>
<context>
    <name>HeadsView</name>
    <message>
        <source>Layer {layer}, head {head}</source>
        <translation>第 {layer} 层，注意力头 {head}</translation>
    </message>
</context>
<context>
    <name>KeySheet</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>translate</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>to the sentence</source>
        <translation>到句子输入框</translation>
    </message>
    <message>
        <source>stop the translation; else leave the field, or Present</source>
        <translation>停止翻译；否则离开输入框，或退出演示</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>previous, next step</source>
        <translation>上一步、下一步</translation>
    </message>
    <message>
        <source>first, last step</source>
        <translation>第一步、最后一步</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>play and pause</source>
        <translation>播放和暂停</translation>
    </message>
    <message>
        <source>previous, next step, where no view uses them</source>
        <translation>上一步、下一步（视图不用这两个键时）</translation>
    </message>
    <message>
        <source>What is shown</source>
        <translation>显示内容</translation>
    </message>
    <message>
        <source>encoder self-, decoder self-, cross-attention</source>
        <translation>编码器自注意力、解码器自注意力、交叉注意力</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>square root scale</source>
        <translation>平方根标度</translation>
    </message>
    <message>
        <source>in the heads: layer and head; in the map: cell</source>
        <translation>在注意力头中：层和头；在图中：单元格</translation>
    </message>
    <message>
        <source>in the map: zoom (so does the wheel; drag to move)</source>
        <translation>在图中：缩放（滚轮亦可；拖动可移动）</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>this sheet</source>
        <translation>本页</translation>
    </message>
    <message>
        <source>Present: large type, for a projector</source>
        <translation>演示：大字，供投影用</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>save the trace, the session</source>
        <translation>保存轨迹、会话</translation>
    </message>
    <message>
        <source>open a model, a trace</source>
        <translation>打开模型、轨迹</translation>
    </message>
    <message>
        <source>open a recent file</source>
        <translation>打开最近的文件</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open a model or a session</source>
        <translation>打开模型或会话</translation>
    </message>
    <message>
        <source>Traces (*.trace)</source>
        <translation>轨迹 (*.trace)</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开轨迹</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Headscope</source>
        <translation>Headscope</translation>
    </message>
</context>
<context>
    <name>MapPane</name>
    <message>
        <source>Show the whole map (double click)</source>
        <translation>显示整幅图（双击）</translation>
    </message>
    <message>
        <source>√ scale</source>
        <translation>√ 标度</translation>
    </message>
    <message>
        <source>Colour by the square root, so that small weights show (S)</source>
        <translation>按平方根着色，让小的权重也看得见（S）</translation>
    </message>
    <message>
        <source>Square root scale</source>
        <translation>平方根标度</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Keep this map and open a second one beside it</source>
        <translation>保留这幅图，并在旁边打开第二幅</translation>
    </message>
    <message>
        <source>Close this map</source>
        <translation>关闭这幅图</translation>
    </message>
    <message>
        <source>Attention map</source>
        <translation>注意力图</translation>
    </message>
    <message>
        <source>Type a sentence above and press Enter to see who attends to whom.</source>
        <translation>在上方输入一个句子并按回车，看谁在关注谁。</translation>
    </message>
    <message>
        <source>Show an example</source>
        <translation>显示示例</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>English to French</source>
        <translation>英语译法语</translation>
    </message>
    <message>
        <source>Chinese to English</source>
        <translation>汉语译英语</translation>
    </message>
    <message>
        <source>a toy that reverses words</source>
        <translation>把词序倒过来的小模型</translation>
    </message>
</context>
<context>
    <name>ModelInfoDialog</name>
    <message>
        <source>Model information</source>
        <translation>模型信息</translation>
    </message>
    <message>
        <source>Model card</source>
        <translation>模型卡</translation>
    </message>
    <message>
        <source>after each sublayer (post)</source>
        <translation>在每个子层之后（post-norm）</translation>
    </message>
    <message>
        <source>before each sublayer (pre)</source>
        <translation>在每个子层之前（pre-norm）</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>学得</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>{encoder} encoder, {decoder} decoder; {heads} heads each</source>
        <translation>编码器 {encoder} 层，解码器 {decoder} 层；每层 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>d_model {d_model}, feed-forward {d_ff}</source>
        <translation>d_model {d_model}，前馈 {d_ff}</translation>
    </message>
    <message>
        <source>{source} source pieces, {target} target pieces</source>
        <translation>源端 {source} 个子词，目标端 {target} 个子词</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>维数</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Layer norm</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
</context>
<context>
    <name>NextWordPanel</name>
    <message>
        <source>The model&apos;s candidates for each next word appear here while it translates.</source>
        <translation>翻译时，这里显示模型对每个下一词的候选。</translation>
    </message>
    <message>
        <source>Step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>Probabilities of the model itself, before any choosing. The words listed hold {share}.</source>
        <translation>模型本身的概率，尚未挑选。所列各词共占 {share}。</translation>
    </message>
    <message>
        <source>Next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>Candidates for the next word</source>
        <translation>下一个词的候选</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this message</source>
        <translation>关闭这条消息</translation>
    </message>
</context>
<context>
    <name>PositionsPage</name>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>How many positions to show</source>
        <translation>显示多少个位置</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维</translation>
    </message>
    <message>
        <source>Dimension of a curve</source>
        <translation>曲线的维</translation>
    </message>
    <message>
        <source>Draw curve</source>
        <translation>画曲线</translation>
    </message>
    <message>
        <source>Draw this dimension as a curve, or take it away; so does a click on the heatmap</source>
        <translation>把这一维画成曲线，或取消；点击热图也可以</translation>
    </message>
    <message>
        <source>Clear curves</source>
        <translation>清除曲线</translation>
    </message>
    <message>
        <source>Positional encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Open a model to see how it marks positions.</source>
        <translation>打开一个模型，看它怎样标记位置。</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>打开模型…</translation>
    </message>
    <message>
        <source>{name} adds no positional encoding: only the causal mask tells it the order of words.</source>
        <translation>{name} 不加位置编码：它只能从因果掩码得知词序。</translation>
    </message>
    <message>
        <source>Open another model…</source>
        <translation>打开其他模型…</translation>
    </message>
    <message>
        <source>{name} learned its positions: one free vector for each, added to the token&apos;s embedding.</source>
        <translation>{name} 的位置是学得的：每个位置一个自由向量，加到词元的嵌入上。</translation>
    </message>
    <message>
        <source>{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5).</source>
        <translation>{name} 把频率递减的正弦和余弦加到每个词元的嵌入上（论文 3.5 节）。</translation>
    </message>
    <message>
        <source>Curves: {dimensions}</source>
        <translation>曲线：{dimensions}</translation>
    </message>
    <message>
        <source>Remove curve</source>
        <translation>取消曲线</translation>
    </message>
</context>
<context>
    <name>PositionsView</name>
    <message>
        <source>position {position}, dimension {dimension}: {value}</source>
        <translation>位置 {position}，第 {dimension} 维：{value}</translation>
    </message>
    <message>
        <source>similarity of positions {first} and {second}: {value}</source>
        <translation>位置 {first} 与 {second} 的相似度：{value}</translation>
    </message>
</context>
<context>
    <name>Reasons</name>
    <message>
        <source>at least {number}</source>
        <translation>至少为 {number}</translation>
    </message>
    <message>
        <source>at most {number}</source>
        <translation>至多为 {number}</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>文件为空</translation>
    </message>
    <message>
        <source>it is cut short</source>
        <translation>文件不完整</translation>
    </message>
    <message>
        <source>it is cut short, or of another format</source>
        <translation>文件不完整，或是其他格式</translation>
    </message>
    <message>
        <source>it is longer than its header says</source>
        <translation>文件比文件头所说的长</translation>
    </message>
    <message>
        <source>its header cannot be read</source>
        <translation>文件头无法读取</translation>
    </message>
    <message>
        <source>it is no JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>it is no SentencePiece model</source>
        <translation>不是 SentencePiece 模型</translation>
    </message>
    <message>
        <source>it is cut short, or no SentencePiece model</source>
        <translation>文件不完整，或不是 SentencePiece 模型</translation>
    </message>
    <message>
        <source>it holds no attention</source>
        <translation>其中没有注意力</translation>
    </message>
    <message>
        <source>a number is too large</source>
        <translation>有一个数过大</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>a name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>a list of two language codes</source>
        <translation>两个语言代码的列表</translation>
    </message>
    <message>
        <source>above 0</source>
        <translation>大于 0 的数</translation>
    </message>
    <message>
        <source>0 or more</source>
        <translation>0 或更大的数</translation>
    </message>
    <message>
        <source>from 0 up to 1</source>
        <translation>不小于 0 且小于 1 的数</translation>
    </message>
    <message>
        <source>even</source>
        <translation>偶数</translation>
    </message>
    <message>
        <source>inside both vocabularies</source>
        <translation>两个词表之内的编号</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>操作不被允许</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Disk quota exceeded</source>
        <translation>超出磁盘配额</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统只读</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名过长</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
</context>
<context>
    <name>SamplesButton</name>
    <message>
        <source>Samples</source>
        <translation>例句</translation>
    </message>
    <message>
        <source>Sentences to try</source>
        <translation>可以试的句子</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>短句</translation>
    </message>
    <message>
        <source>Agreement, near and far</source>
        <translation>远近呼应</translation>
    </message>
    <message>
        <source>Ambiguous</source>
        <translation>歧义</translation>
    </message>
    <message>
        <source>Long</source>
        <translation>长句</translation>
    </message>
    <message>
        <source>Words to reverse</source>
        <translation>要倒序的词</translation>
    </message>
</context>
<context>
    <name>SamplingDialog</name>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Below 1 the probable words become more probable, above 1 less</source>
        <translation>小于 1 时大概率的词更大，大于 1 时更小</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Draw only among this many most probable words</source>
        <translation>只在概率最大的这么多个词中抽取</translation>
    </message>
    <message>
        <source>Draw only among the most probable words that together hold this share</source>
        <translation>只在合计占此比例的最可能的词中抽取</translation>
    </message>
    <message>
        <source>The same seed draws the same words</source>
        <translation>相同的种子抽取相同的词</translation>
    </message>
    <message>
        <source>Each word is drawn by its probability; the table keeps the model&apos;s own.</source>
        <translation>每个词按概率抽取；表中仍是模型本身的概率。</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>温度(&amp;T)</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-&amp;k</translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation>Top-&amp;p</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>种子(&amp;S)</translation>
    </message>
</context>
<context>
    <name>SentencePanel</name>
    <message>
        <source>Step {step}: {share} probable. Click to look at this step.</source>
        <translation>第 {step} 步：概率 {share}。点击查看这一步。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Translate</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止（Esc）</translation>
    </message>
    <message>
        <source>Translate the sentence (Enter)</source>
        <translation>翻译句子（回车）</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Type a sentence and press Enter</source>
        <translation>输入一个句子，按回车</translation>
    </message>
    <message>
        <source>The pieces the model reads; · joins the pieces of one word</source>
        <translation>模型读入的子词；· 连接同一个词的子词</translation>
    </message>
    <message>
        <source>recorded example, model loading</source>
        <translation>录制的示例，模型加载中</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>{tokens} tokens; this model reads at most {limit}</source>
        <translation>{tokens} 个词元；此模型最多读 {limit} 个</translation>
    </message>
    <message>
        <source>{tokens} tokens with the end sign</source>
        <translation>{tokens} 个词元（含终止符）</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>Translating…</source>
        <translation>正在翻译…</translation>
    </message>
    <message>
        <source>Translating, word {number}…</source>
        <translation>正在翻译，第 {number} 个词…</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>No model open</source>
        <translation>未打开模型</translation>
    </message>
</context>
<context>
    <name>StepBar</name>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Play the steps (Space)</source>
        <translation>逐步播放（空格）</translation>
    </message>
    <message>
        <source>Step {step} of {steps}</source>
        <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>还没有步</translation>
    </message>
    <message>
        <source>First step (Home)</source>
        <translation>第一步（Home）</translation>
    </message>
    <message>
        <source>Previous step (Page Up)</source>
        <translation>上一步（Page Up）</translation>
    </message>
    <message>
        <source>Next step (Page Down)</source>
        <translation>下一步（Page Down）</translation>
    </message>
    <message>
        <source>Last step (End)</source>
        <translation>最后一步（End）</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Drag to any step</source>
        <translation>拖到任意一步</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>{name} · loading</source>
        <translation>{name} · 加载中</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>{name} · {encoder}+{decoder} layers, {heads} heads</source>
        <translation>{name} · {encoder}+{decoder} 层，{heads} 头</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>选择其他模型</translation>
    </message>
    <message>
        <source>Switch between Chinese and English</source>
        <translation>切换中文和英文</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>Large type for a projector (F5)</source>
        <translation>大字，供投影用（F5）</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Save the picture or its numbers (Ctrl+E)</source>
        <translation>保存图片或其数值（Ctrl+E）</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>&lt; 0.1 %</source>
        <translation>&lt; 0.1 %</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number} %</translation>
    </message>
    <message>
        <source>reads &quot;{reads}&quot; → predicts &quot;{predicts}&quot;, {share}</source>
        <translation>读入“{reads}”→ 预测“{predicts}”，{share}</translation>
    </message>
</context>
</TS>
