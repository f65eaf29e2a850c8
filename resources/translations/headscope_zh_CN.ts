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
        <source>The architecture is that of “Attention Is All You Need” (Vaswani et al. 2017).</source>
        <translation>架构出自论文“Attention Is All You Need”（Vaswani 等，2017）。</translation>
    </message>
</context>
<context>
    <name>Absent</name>
    <message>
        <source>no encoder</source>
        <translation>无编码器</translation>
    </message>
    <message>
        <source>no decoder</source>
        <translation>无解码器</translation>
    </message>
    <message>
        <source>not all recorded</source>
        <translation>未全部录制</translation>
    </message>
    <message>
        <source>This model has no encoder.</source>
        <translation>此模型没有编码器。</translation>
    </message>
    <message>
        <source>This model has no decoder.</source>
        <translation>此模型没有解码器。</translation>
    </message>
    <message>
        <source>This model has no encoder: the prompt is read by the decoder, and there is no cross-attention.</source>
        <translation>此模型没有编码器：提示由解码器读入，也没有交叉注意力。</translation>
    </message>
    <message>
        <source>This model has no decoder: it reads text but writes none, and has no cross-attention.</source>
        <translation>此模型没有解码器：它只读不写，也没有交叉注意力。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Not in this trace: {families}.</source>
        <translation>此解码记录中没有：{families}。</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Undo {change}</source>
        <translation>撤销{change}(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo {change}</source>
        <translation>重做{change}(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Open model…</source>
        <translation>打开模型(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;trace…</source>
        <translation>打开解码记录(&amp;T)…</translation>
    </message>
    <message>
        <source>Open sess&amp;ion…</source>
        <translation>打开会话(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Save trace…</source>
        <translation>保存解码记录(&amp;S)…</translation>
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
        <source>&amp;Settings…</source>
        <translation>设置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Look</source>
        <translation>观察(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Positions</source>
        <translation>位置编码(&amp;P)</translation>
    </message>
    <message>
        <source>Next pa&amp;ge</source>
        <translation>下一页(&amp;G)</translation>
    </message>
    <message>
        <source>Pre&amp;vious page</source>
        <translation>上一页(&amp;V)</translation>
    </message>
    <message>
        <source>Encoder self-attention</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>Decoder self-attention</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>Square root scale</source>
        <translation>平方根标度</translation>
    </message>
    <message>
        <source>Raw p&amp;ieces</source>
        <translation>原始子词(&amp;I)</translation>
    </message>
    <message>
        <source>Wh&amp;ole words</source>
        <translation>整词显示(&amp;O)</translation>
    </message>
    <message>
        <source>Hide start and end to&amp;kens</source>
        <translation>隐藏起止词元(&amp;K)</translation>
    </message>
    <message>
        <source>Secon&amp;d map beside the first</source>
        <translation>并排第二幅图(&amp;D)</translation>
    </message>
    <message>
        <source>What i&amp;f</source>
        <translation>干预实验(&amp;F)</translation>
    </message>
    <message>
        <source>B&amp;ranches</source>
        <translation>分支(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Sentences</source>
        <translation>句子文件(&amp;S)</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>&amp;Bookmark this view…</source>
        <translation>为当前视图加书签(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Next bookmark</source>
        <translation>下一个书签(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous bookmark</source>
        <translation>上一个书签(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Edit bookmarks…</source>
        <translation>编辑书签(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Command palette…</source>
        <translation>命令面板(&amp;C)…</translation>
    </message>
    <message>
        <source>Ma&amp;nual</source>
        <translation>手册(&amp;N)</translation>
    </message>
    <message>
        <source>To&amp;ur: from a sentence to the next word</source>
        <translation>入门导览：从一个句子到下一个词(&amp;U)</translation>
    </message>
    <message>
        <source>The colour bar keeps the true values</source>
        <translation>颜色条上仍是真实值</translation>
    </message>
    <message>
        <source>L&amp;earn</source>
        <translation>学习(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>As a &amp;map</source>
        <translation>显示为热图(&amp;M)</translation>
    </message>
    <message>
        <source>I&amp;nspector</source>
        <translation>检查器(&amp;N)</translation>
    </message>
    <message>
        <source>Go to &amp;token…</source>
        <translation>转到词元(&amp;T)…</translation>
    </message>
    <message>
        <source>Reset all model c&amp;hanges</source>
        <translation>还原模型的所有改动(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Gold alignment…</source>
        <translation>标准对齐(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>对比(&amp;C)</translation>
    </message>
    <message>
        <source>Heads ta&amp;ble</source>
        <translation>注意力头表(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Arithmetic</source>
        <translation>计算(&amp;A)</translation>
    </message>
    <message>
        <source>Save as s&amp;cript…</source>
        <translation>另存为脚本(&amp;C)…</translation>
    </message>
    <message>
        <source>Save a &amp;handout…</source>
        <translation>保存讲义…(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Lecture: Attention Is All You Need (English)</source>
        <translation>讲座：Attention Is All You Need（英文）(&amp;L)</translation>
    </message>
    <message>
        <source>Le&amp;cture: Attention Is All You Need (Chinese)</source>
        <translation>讲座：Attention Is All You Need（中文）(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Tour of the architecture</source>
        <translation>架构导览(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>报告问题(&amp;R)…</translation>
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
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
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
    <message>
        <source>All heads</source>
        <translation>所有注意力头</translation>
    </message>
    <message>
        <source>As a flow</source>
        <translation>显示为流向图</translation>
    </message>
    <message>
        <source>As words</source>
        <translation>显示为文字</translation>
    </message>
    <message>
        <source>As a contribution graph</source>
        <translation>贡献图</translation>
    </message>
</context>
<context>
    <name>AllHeads</name>
    <message>
        <source>Encoder layer {layer}</source>
        <translation>编码器层 {layer}</translation>
    </message>
    <message>
        <source>Decoder layer {layer}</source>
        <translation>解码器层 {layer}</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>注意力头 {head}</translation>
    </message>
    <message>
        <source>{layer}, {head}, {family}</source>
        <translation>{layer}，{head}，{family}</translation>
    </message>
    <message>
        <source>encoder {layers} × {heads}</source>
        <translation>编码器 {layers} × {heads}</translation>
    </message>
    <message>
        <source>decoder {layers} × {heads}</source>
        <translation>解码器 {layers} × {heads}</translation>
    </message>
    <message>
        <source>cross {layers} × {heads}</source>
        <translation>交叉 {layers} × {heads}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>All heads: {families}</source>
        <translation>所有注意力头：{families}</translation>
    </message>
</context>
<context>
    <name>AllHeadsView</name>
    <message>
        <source>All heads</source>
        <translation>所有注意力头</translation>
    </message>
</context>
<context>
    <name>Alterations</name>
    <message>
        <source>{place} off</source>
        <translation>关闭{place}</translation>
    </message>
    <message>
        <source>{place} × {factor}</source>
        <translation>{place} × {factor}</translation>
    </message>
    <message>
        <source>prompt token {token} blocked</source>
        <translation>提示词元 {token} 已屏蔽</translation>
    </message>
    <message>
        <source>source token {token} blocked</source>
        <translation>屏蔽源词元 {token}</translation>
    </message>
    <message>
        <source>original</source>
        <translation>未改动</translation>
    </message>
    <message>
        <source>altered: {changes}</source>
        <translation>已改动：{changes}</translation>
    </message>
    <message>
        <source>the mean includes heads whose output was changed</source>
        <translation>求平均时，输出被改动的头照常计入</translation>
    </message>
    <message>
        <source>every head here is switched off; its attention is still shown</source>
        <translation>此处所有头均已关闭；图仍示其关注</translation>
    </message>
    <message>
        <source>the output of every head here is multiplied by {factor}; its attention is still shown</source>
        <translation>此处所有头的输出 × {factor}；图仍示其关注</translation>
    </message>
    <message>
        <source>this head is switched off; its attention is still shown</source>
        <translation>此头已关闭；图仍示其关注</translation>
    </message>
    <message>
        <source>this head&apos;s output is multiplied by {factor}; its attention is still shown</source>
        <translation>此头的输出 × {factor}；图仍示其关注</translation>
    </message>
    <message>
        <source>encoder self-attention of layer {layer}, head {head}</source>
        <translation>编码器第 {layer} 层自注意力头 {head}</translation>
    </message>
    <message>
        <source>encoder self-attention of layer {layer}, every head</source>
        <translation>编码器第 {layer} 层自注意力的所有头</translation>
    </message>
    <message>
        <source>decoder self-attention of layer {layer}, head {head}</source>
        <translation>解码器第 {layer} 层自注意力头 {head}</translation>
    </message>
    <message>
        <source>decoder self-attention of layer {layer}, every head</source>
        <translation>解码器第 {layer} 层自注意力的所有头</translation>
    </message>
    <message>
        <source>cross-attention of layer {layer}, head {head}</source>
        <translation>第 {layer} 层交叉注意力头 {head}</translation>
    </message>
    <message>
        <source>cross-attention of layer {layer}, every head</source>
        <translation>第 {layer} 层交叉注意力的所有头</translation>
    </message>
    <message>
        <source>no positions</source>
        <translation>去掉位置编码</translation>
    </message>
    <message>
        <source>no positions in the source</source>
        <translation>去掉源端位置编码</translation>
    </message>
    <message>
        <source>no positions in the target</source>
        <translation>去掉目标端位置编码</translation>
    </message>
    <message>
        <source>positions of the source shuffled (seed {seed})</source>
        <translation>打乱源端位置编码（种子 {seed}）</translation>
    </message>
    <message>
        <source>positions shuffled, the target&apos;s among all possible ones (seed {seed})</source>
        <translation>打乱位置编码，目标端取自译文可能有的全部位置（种子 {seed}）</translation>
    </message>
    <message>
        <source>positions of the target shuffled among all possible ones (seed {seed})</source>
        <translation>打乱目标端位置编码，取自译文可能有的全部位置（种子 {seed}）</translation>
    </message>
    <message>
        <source>positions shuffled, the target&apos;s among steps 1 to {steps} (seed {seed})</source>
        <translation>打乱位置编码，目标端限于第 1 到 {steps} 步（种子 {seed}）</translation>
    </message>
    <message>
        <source>{place}: row {row} reads only {key}</source>
        <translation>{place}：行 {row} 只关注 {key}</translation>
    </message>
    <message>
        <source>{place}: row {row} uniform</source>
        <translation>{place}：行 {row} 均匀分布</translation>
    </message>
    <message>
        <source>{place}: row {row} set by hand</source>
        <translation>{place}：行 {row} 手工输入</translation>
    </message>
    <message>
        <source>{number} “{token}”</source>
        <translation>{number}“{token}”</translation>
    </message>
    <message>
        <source>pieces read in the order {order}</source>
        <translation>子词按 {order} 的顺序读入</translation>
    </message>
    <message>
        <source>positions of the target shuffled among steps 1 to {steps} (seed {seed})</source>
        <translation>打乱目标端第 1 到 {steps} 步的位置编码（种子 {seed}）</translation>
    </message>
    <message>
        <source>{place} carried in from “{text}”</source>
        <translation>{place}取自“{text}”</translation>
    </message>
    <message>
        <source>{place}, at {token}, carried in from “{text}”</source>
        <translation>{place}（位置 {token}）取自“{text}”</translation>
    </message>
    <message>
        <source>what leaves encoder layer {layer}</source>
        <translation>编码器第 {layer} 层的输出</translation>
    </message>
    <message>
        <source>what leaves decoder layer {layer}</source>
        <translation>解码器第 {layer} 层的输出</translation>
    </message>
    <message>
        <source>weights of {place}</source>
        <translation>{place}的注意力权重</translation>
    </message>
    <message>
        <source>keys and values of {place}</source>
        <translation>{place}的键和值</translation>
    </message>
    <message>
        <source>output of {place}</source>
        <translation>{place}的输出</translation>
    </message>
    <message>
        <source>detached from the source: all cross-attention off</source>
        <translation>与源句脱离：交叉注意力全部关掉</translation>
    </message>
    <message>
        <source>all cross-attention × {factor}</source>
        <translation>全部交叉注意力 × {factor}</translation>
    </message>
    <message>
        <source>decoder reads the embeddings, before any encoder layer</source>
        <translation>解码器读取词嵌入（未经任何编码器层）</translation>
    </message>
    <message>
        <source>decoder reads encoder layer {layer}</source>
        <translation>解码器读取编码器第 {layer} 层</translation>
    </message>
</context>
<context>
    <name>Architecture</name>
    <message>
        <source>After Vaswani et al. 2017, figure 1.</source>
        <translation>依照 Vaswani 等，2017，图 1。</translation>
    </message>
    <message>
        <source>Architecture: {encoder} encoder and {decoder} decoder layers</source>
        <translation>架构：{encoder} 层编码器，{decoder} 层解码器</translation>
    </message>
    <message>
        <source>Architecture: an encoder of {encoder} layers</source>
        <translation>架构：{encoder} 层的编码器</translation>
    </message>
    <message>
        <source>Architecture: a decoder of {decoder} layers</source>
        <translation>架构：{decoder} 层的解码器</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>{stack} · source: {count} tokens</source>
        <translation>{stack} · 源句：{count} 个词元</translation>
    </message>
    <message>
        <source>{stack} · {count} tokens</source>
        <translation>{stack} · {count} 个词元</translation>
    </message>
    <message>
        <source>{count} ×</source>
        <translation>{count} ×</translation>
    </message>
    <message>
        <source>Layer {layer} of {layers}</source>
        <translation>第 {layer} 层，共 {layers} 层</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Masked self-attention</source>
        <translation>掩码自注意力</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>词嵌入</translation>
    </message>
    <message>
        <source>× √{d} = × {root}</source>
        <translation>× √{d} = × {root}</translation>
    </message>
    <message>
        <source>× √d_model</source>
        <translation>× √d_model</translation>
    </message>
    <message>
        <source>+ Positions</source>
        <translation>+ 位置编码</translation>
    </message>
    <message>
        <source>+ Sentence A or B</source>
        <translation>+ 句子 A 或 B</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>残差相加</translation>
    </message>
    <message>
        <source>Add &amp; {norm}</source>
        <translation>相加与 {norm}</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Copy or generate</source>
        <translation>复制或生成</translation>
    </message>
    <message>
        <source>Masked-word head</source>
        <translation>掩码词预测头</translation>
    </message>
    <message>
        <source>Classification head</source>
        <translation>分类头</translation>
    </message>
    <message>
        <source>gate, and the last cross-attention</source>
        <translation>门控，以及最后一层交叉注意力</translation>
    </message>
    <message>
        <source>K, V by depth {shape}</source>
        <translation>各深度的 K、V {shape}</translation>
    </message>
    <message>
        <source>K, V mixed {shape}</source>
        <translation>混合的 K、V {shape}</translation>
    </message>
    <message>
        <source>Each decoder layer reads the encoder layer of its own depth, not the last.</source>
        <translation>每个解码器层读取与自己同深度的编码器层，而不是最后一层。</translation>
    </message>
    <message>
        <source>Each decoder layer reads a learned mix of the embedding and all encoder layers.</source>
        <translation>每个解码器层读取词嵌入与所有编码器层的混合，混合的权重由学习得到。</translation>
    </message>
    <message>
        <source>where it normalises and adds residuals is not known</source>
        <translation>归一化和残差相加的位置未知</translation>
    </message>
    <message>
        <source>Positions are vectors added to keys and values by distance in each self-attention (relative).</source>
        <translation>位置是每个自注意力中按距离加到键和值上的向量（相对位置）。</translation>
    </message>
    <message>
        <source>Positions turn queries and keys in each self-attention (rotary).</source>
        <translation>位置使每个自注意力中的查询和键旋转（旋转位置编码）。</translation>
    </message>
    <message>
        <source>Positions rotate queries and keys in each attention (rotary).</source>
        <translation>位置使每个注意力中的查询和键旋转（旋转位置编码）。</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性层</translation>
    </message>
    <message>
        <source>{stack} · so far: {count} tokens</source>
        <translation>{stack} · 已有输出：{count} 个词元</translation>
    </message>
    <message>
        <source>{heads} heads</source>
        <translation>{heads} 个头</translation>
    </message>
    <message>
        <source>{heads} heads of {width}, {kv} of K, V</source>
        <translation>{heads} 个头，各 {width} 维；K、V {kv} 个头</translation>
    </message>
    <message>
        <source>{heads} heads of {width}</source>
        <translation>{heads} 个头，各 {width} 维</translation>
    </message>
    <message>
        <source>{count} classes</source>
        <translation>{count} 类</translation>
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
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>K, V {shape}</source>
        <translation>K、V {shape}</translation>
    </message>
    <message>
        <source>K, V</source>
        <translation>K、V</translation>
    </message>
    <message>
        <source>Q {shape}</source>
        <translation>Q {shape}</translation>
    </message>
    <message>
        <source>Q</source>
        <translation>Q</translation>
    </message>
    <message>
        <source>cache: 1 position</source>
        <translation>缓存：1 个位置</translation>
    </message>
    <message>
        <source>cache: {count} positions</source>
        <translation>缓存：{count} 个位置</translation>
    </message>
    <message>
        <source>{token}  {percent} %</source>
        <translation>{token}  {percent}%</translation>
    </message>
    <message>
        <source>As of step {step} of {steps}.</source>
        <translation>第 {step} 步时，共 {steps} 步。</translation>
    </message>
    <message>
        <source>Positions are a bias on the scores in each self-attention.</source>
        <translation>位置是每个自注意力中分数上的偏置。</translation>
    </message>
    <message>
        <source>Positions lower the scores of distant keys in each self-attention (ALiBi).</source>
        <translation>位置在每个自注意力中降低远处键的分数（ALiBi）。</translation>
    </message>
    <message>
        <source>It has no positional encoding.</source>
        <translation>它没有位置编码。</translation>
    </message>
</context>
<context>
    <name>ArchitectureView</name>
    <message>
        <source>Open a model, and its architecture is drawn here.</source>
        <translation>打开一个模型，这里就会画出它的架构。</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Tour, block {place} of {count}: {block}</source>
        <translation>导览，第 {place} 块，共 {count} 块：{block}</translation>
    </message>
    <message>
        <source>Step {step} of {steps}. Click a block, or press play.</source>
        <translation>第 {step} 步，共 {steps} 步。点击一个模块，或按播放。</translation>
    </message>
    <message>
        <source>Click a block, or press play.</source>
        <translation>点击一个模块，或按播放。</translation>
    </message>
    <message>
        <source>Encoder, once: {place}{block} is being computed.</source>
        <translation>编码器，只算一次：正在计算{place}{block}。</translation>
    </message>
    <message>
        <source>{place}{block} is being computed.</source>
        <translation>正在计算{place}{block}。</translation>
    </message>
    <message>
        <source>Step {step}: {place}{block} is being computed.</source>
        <translation>第 {step} 步：正在计算{place}{block}。</translation>
    </message>
    <message>
        <source>layer {layer} of {count}, </source>
        <translation>第 {layer} 层（共 {count} 层）的</translation>
    </message>
    <message>
        <source>Look at its heads</source>
        <translation>查看它的注意力头</translation>
    </message>
    <message>
        <source>Arithmetic of one weight</source>
        <translation>一个权重的算式</translation>
    </message>
    <message>
        <source>What if this layer were off</source>
        <translation>关掉这一层会怎样</translation>
    </message>
    <message>
        <source>Positions page</source>
        <translation>位置编码页</translation>
    </message>
    <message>
        <source>Next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>Layer walk from here</source>
        <translation>从这里逐层追踪</translation>
    </message>
    <message>
        <source>Lesson: {title}</source>
        <translation>课程：{title}</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Reads of the embedding</source>
        <translation>读取词嵌入</translation>
    </message>
    <message>
        <source>Reads of encoder layer {layer}</source>
        <translation>读取编码器第 {layer} 层</translation>
    </message>
    <message>
        <source>{percent} %</source>
        <translation>{percent}%</translation>
    </message>
    <message>
        <source>{count} (shared with the embedding)</source>
        <translation>{count}（与词嵌入共享）</translation>
    </message>
    <message>
        <source>{count} (shared with the encoder)</source>
        <translation>{count}（与编码器共享）</translation>
    </message>
    <message>
        <source>Q of each head</source>
        <translation>每个头的 Q</translation>
    </message>
    <message>
        <source>K and V of each head</source>
        <translation>每个头的 K、V</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>{block} ({stack})</source>
        <translation>{block}（{stack}）</translation>
    </message>
    <message>
        <source>{block}, encoder layer {layer}</source>
        <translation>{block}，编码器第 {layer} 层</translation>
    </message>
    <message>
        <source>{block}, decoder layer {layer}</source>
        <translation>{block}，解码器第 {layer} 层</translation>
    </message>
    <message>
        <source>BatchNorm: Ioffe &amp; Szegedy 2015; in a Transformer: Shen et al. 2020.</source>
        <translation>BatchNorm：Ioffe 与 Szegedy，2015；用于 Transformer：Shen 等，2020。</translation>
    </message>
    <message>
        <source>RMSNorm: Zhang &amp; Sennrich 2019.</source>
        <translation>RMSNorm：Zhang 和 Sennrich，2019。</translation>
    </message>
    <message>
        <source>Paper, section 3.1; residual connections: He et al. 2016.</source>
        <translation>论文第 3.1 节；残差连接：He 等，2016。</translation>
    </message>
    <message>
        <source>Paper, section 3.1; norm before each sub-layer (pre-norm): Xiong et al. 2020.</source>
        <translation>论文第 3.1 节；归一化在子层之前（pre-norm）：Xiong 等，2020。</translation>
    </message>
    <message>
        <source>Paper, section 3.1; layer normalisation: Ba et al. 2016.</source>
        <translation>论文第 3.1 节；层归一化：Ba 等，2016。</translation>
    </message>
    <message>
        <source>Paper, section 3.2; rotary positions: Su et al. 2021.</source>
        <translation>论文第 3.2 节；旋转位置编码：Su 等，2021。</translation>
    </message>
    <message>
        <source>Paper, section 3.2; relative vectors: Shaw et al. 2018.</source>
        <translation>论文第 3.2 节；相对位置向量：Shaw 等，2018。</translation>
    </message>
    <message>
        <source>Paper, section 3.2; relative bias: Raffel et al. 2020.</source>
        <translation>论文第 3.2 节；相对偏置：Raffel 等，2020。</translation>
    </message>
    <message>
        <source>Paper, section 3.2; ALiBi: Press et al. 2022.</source>
        <translation>论文第 3.2 节；ALiBi：Press 等，2022。</translation>
    </message>
    <message>
        <source>Paper, section 3.2.3; mix of layers: Bapna et al. 2018.</source>
        <translation>论文第 3.2.3 节；各层的混合：Bapna 等，2018。</translation>
    </message>
    <message>
        <source>Devlin et al. 2019, section 3.</source>
        <translation>Devlin 等，2019，第 3 节。</translation>
    </message>
    <message>
        <source>Ghazvininejad et al. 2019, section 3.3.</source>
        <translation>Ghazvininejad 等 2019，第 3.3 节。</translation>
    </message>
    <message>
        <source>Pointer-generator: See et al. 2017, section 2.2.</source>
        <translation>指针生成网络：See 等，2017，第 2.2 节。</translation>
    </message>
    <message>
        <source>Paper, section 3.5.</source>
        <translation>论文第 3.5 节。</translation>
    </message>
    <message>
        <source>Paper, sections 3.2.1 to 3.2.3.</source>
        <translation>论文第 3.2.1 至 3.2.3 节。</translation>
    </message>
    <message>
        <source>Paper, section 3.3.</source>
        <translation>论文第 3.3 节。</translation>
    </message>
    <message>
        <source>Paper, section 3.4.</source>
        <translation>论文第 3.4 节。</translation>
    </message>
    <message>
        <source>Each token is looked up in a table: it gets the same row of numbers in every sentence.</source>
        <translation>每个词元查表得到一行数：在任何句子里都是同一行。</translation>
    </message>
    <message>
        <source>The table is shared with the encoder.</source>
        <translation>这张表与编码器共用。</translation>
    </message>
    <message>
        <source>Embeddings are multiplied by √{d}. The paper does not say why; the usual explanation is that the positions, whose values reach 1, would otherwise outweigh them.</source>
        <translation>词嵌入乘以 √{d}。论文没有说明原因；通常的解释是：否则最大为 1 的位置编码会盖过它们。</translation>
    </message>
    <message>
        <source>Attention alone sees no order, so a vector for its position is added to each token.</source>
        <translation>注意力本身看不到顺序：每个词元都加上一个表示位置的向量。</translation>
    </message>
    <message>
        <source>There is one for each position, learned like all other weights.</source>
        <translation>每个位置有一个向量，和其他权重一样是学来的。</translation>
    </message>
    <message>
        <source>A learned vector, one of two, says which sentence of a pair a token belongs to.</source>
        <translation>一个向量说明词元属于句对中的哪一句。共有两个，是学来的。</translation>
    </message>
    <message>
        <source>Each output position asks (Q) and the source answers (K, V): where in the sentence is what the next word needs? Keys and values of the source are computed once.</source>
        <translation>每个输出位置提问（Q），源句回答（K、V）：下一个词需要的内容在句中哪里？源句的键和值只算一次。</translation>
    </message>
    <message>
        <source>Each place asks all others, before and after it: words that are written already, and places that are still hidden. Nothing is masked, and every round computes all of it anew.</source>
        <translation>每个位置都向前后所有其他位置提问：已写出的词，以及仍被遮住的位置。没有任何掩码，每一轮都全部重新计算。</translation>
    </message>
    <message>
        <source>Each position looks at the positions up to its own; later ones are masked, since they are not written yet. Keys and values of earlier positions are kept (the cache), so a step computes one new row.</source>
        <translation>每个位置关注到自己为止的各个位置；后面的被掩码遮住，因为还没有写出。前面各位置的键和值被保留（缓存），因此每一步只算新的一行。</translation>
    </message>
    <message>
        <source>Each token looks at all tokens of its sentence, each head in its own way. In a batch, padding is masked; a single sentence has none.</source>
        <translation>每个词元关注本句的所有词元，每个头各有各的方式。成批处理时填充被掩码遮住；单独一句没有填充。</translation>
    </message>
    <message>
        <source>This layer reads encoder layer {layer} of {layers}.</source>
        <translation>这一层读取编码器第 {layer} 层（共 {layers} 层）。</translation>
    </message>
    <message>
        <source>It reads a mean of the embedding and all encoder layers, weighted as learned.</source>
        <translation>它读取词嵌入与所有编码器层的加权平均，权重由学习得到。</translation>
    </message>
    <message>
        <source>Each token goes through the same small network on its own; its neurons detect features. No information passes between tokens here.</source>
        <translation>每个词元各自通过同一个小网络，其中的神经元检测特征。这里词元之间不传递信息。</translation>
    </message>
    <message>
        <source>The sub-layer&apos;s output is added to its input, so nothing need be lost. Gradients reach the lowest layer the same way.</source>
        <translation>子层的输出加到它的输入上，因此不必丢失任何信息。梯度也沿这条路到达最底层。</translation>
    </message>
    <message>
        <source>The sub-layer&apos;s output is added to its input, so nothing need be lost. Then each feature is normalised to mean 0 and standard deviation 1 over the tokens of a batch (once trained, by the running statistics), scaled by γ and shifted by β.</source>
        <translation>子层的输出与其输入相加，因此不必丢失任何信息。然后每个特征在一个批次的所有词元上归一化到均值 0、标准差 1（训练完成后用滑动统计量），再乘以 γ 并加上 β。</translation>
    </message>
    <message>
        <source>The sub-layer&apos;s output is added to its input, so nothing need be lost. Then each token&apos;s vector is normalised to mean 0 and standard deviation 1, scaled by γ and shifted by β.</source>
        <translation>子层的输出加到它的输入上，因此不必丢失任何信息。然后每个词元的向量归一化为均值 0、标准差 1，再乘以 γ 并加上 β。</translation>
    </message>
    <message>
        <source>Each feature is normalised to mean 0 and standard deviation 1 over the tokens of a batch (once trained, by the running statistics), then scaled by γ and shifted by β.</source>
        <translation>每个特征在一个批次的所有词元上归一化到均值 0、标准差 1（训练完成后用滑动统计量），再乘以 γ 并加上 β。</translation>
    </message>
    <message>
        <source>Each token&apos;s vector is divided by its root mean square, then scaled by γ.</source>
        <translation>每个词元的向量除以其均方根，再乘以 γ。</translation>
    </message>
    <message>
        <source>Each token&apos;s vector is normalised to mean 0 and standard deviation 1, then scaled by γ and shifted by β.</source>
        <translation>每个词元的向量归一化为均值 0、标准差 1，再乘以 γ 并加上 β。</translation>
    </message>
    <message>
        <source>Each token&apos;s vector is normalised.</source>
        <translation>每个词元的向量被归一化。</translation>
    </message>
    <message>
        <source>In pre-norm this is the last step of the stack.</source>
        <translation>在 pre-norm 中，它位于整个堆叠的末尾。</translation>
    </message>
    <message>
        <source>Here this comes before the sub-layer (pre-norm); the residual sum itself is not normalised.</source>
        <translation>这里它在子层之前（pre-norm）；残差和本身不归一化。</translation>
    </message>
    <message>
        <source>The scores of the classes are computed from what was read.</source>
        <translation>由读到的内容得到各类别的分数。</translation>
    </message>
    <message>
        <source>At each position it scores every token of the vocabulary: which could stand there?</source>
        <translation>在每个位置给词表中每个词元打分：哪个可能在那里？</translation>
    </message>
    <message>
        <source>A score (logit) for each token of the vocabulary: how well the last vector matches its row.</source>
        <translation>给词表中每个词元一个分数（logit）：最后的向量与它那一行的吻合程度。</translation>
    </message>
    <message>
        <source>How many words the translation has, told from the mean of what the encoder made of the sentence. So many hidden places are read in the first round.</source>
        <translation>由编码器输出的平均值预测译文有多少个词。第一轮读入的就是这么多个被遮住的位置。</translation>
    </message>
    <message>
        <source>Scores become probabilities that sum to 1. Every hidden place takes its most probable word; the least certain of all are hidden again in the next round.</source>
        <translation>分数变成和为 1 的概率。每个被遮住的位置取概率最大的词；其中把握最小的，下一轮再遮住重写。</translation>
    </message>
    <message>
        <source>Scores become probabilities that sum to 1. Decoding picks the next token from those of the last position and reads it in the next step.</source>
        <translation>分数变成总和为 1 的概率。解码从最后一个位置的概率中选出下一个词元，并在下一步读入它。</translation>
    </message>
    <message>
        <source>A gate decides how much of the next token is generated and how much is copied: from where the last cross-attention looks, mean of its heads. Special tokens are never copied.</source>
        <translation>门控决定下一个词元有多少靠生成、多少靠复制：从最后一层交叉注意力（各头平均）关注的位置复制。特殊词元从不复制。</translation>
    </message>
    <message>
        <source>The table has a row for each of {count} tokens.</source>
        <translation>表中 {count} 个词元各有一行。</translation>
    </message>
    <message>
        <source>Sines and cosines of many wavelengths: computed, not learned.</source>
        <translation>多种波长的正弦和余弦：是算出来的，不是学来的。</translation>
    </message>
    <message>
        <source>This model does so before the first layer too.</source>
        <translation>这个模型在第一层之前也这样做。</translation>
    </message>
    <message>
        <source>The weights are those of the embedding (tied).</source>
        <translation>权重就是词嵌入的权重（共享）。</translation>
    </message>
    <message>
        <source>Scores become probabilities that sum to 1.</source>
        <translation>分数变成总和为 1 的概率。</translation>
    </message>
</context>
<context>
    <name>Arithmetic</name>
    <message>
        <source>Dimension {index} of {count}: {numbers}</source>
        <translation>第 {index} 维（共 {count} 维）：{numbers}</translation>
    </message>
    <message>
        <source>{name}: {numbers}</source>
        <translation>{name}：{numbers}</translation>
    </message>
    <message>
        <source>{number}. {title}: {formula}; {result}</source>
        <translation>{number}. {title}：{formula}；{result}</translation>
    </message>
    <message>
        <source>{place}: having read “{read}”, predicting “{query}” reads “{key}” {weight}</source>
        <translation>{place}：读入“{read}”后，预测“{query}”时读“{key}” {weight}</translation>
    </message>
    <message>
        <source>{place}: “{query}” reads “{key}” {weight}</source>
        <translation>{place}：“{query}”读“{key}” {weight}</translation>
    </message>
    <message>
        <source>Masked: “{key}” comes later; a decoder reads no token after its own.</source>
        <translation>不可读：“{key}”在后面；解码器不读当前位置之后的词元。</translation>
    </message>
    <message>
        <source>Masked: the source token “{key}” is blocked (What if).</source>
        <translation>不可读：源词元“{key}”已被屏蔽（“干预实验”）。</translation>
    </message>
    <message>
        <source>Masked: the model may not read “{key}” here.</source>
        <translation>不可读：模型在此不能读“{key}”。</translation>
    </message>
    <message>
        <source>Scaled dot-product attention, recomputed from the model&apos;s weights (Vaswani et al. 2017, section 3.2): {formulas}.</source>
        <translation>缩放点积注意力，由模型的权重重新算出（Vaswani 等，2017，3.2 节）：{formulas}。</translation>
    </message>
    <message>
        <source>The recording holds “{name}”, not attention weights, so the two are not compared.</source>
        <translation>录制的是“{name}”，不是注意力权重，因此不作比较。</translation>
    </message>
    <message>
        <source>This row was set by hand (What if): the softmax gives {pattern}, the model used {set}.</source>
        <translation>此行由手工设定（“干预实验”）：softmax 得出 {pattern}，模型实际采用 {set}。</translation>
    </message>
    <message>
        <source>Recomputed {mine}, recorded {theirs}; difference {difference}</source>
        <translation>重新计算 {mine}，录制 {theirs}；差值 {difference}</translation>
    </message>
    <message>
        <source>All {count} weights of the row agree within {tolerance}{reason}.</source>
        <translation>此行全部 {count} 个权重一致，误差不超过 {tolerance}{reason}。</translation>
    </message>
    <message>
        <source>The row differs by up to {largest}: what was recorded does not come from this computation.</source>
        <translation>此行最多相差 {largest}：录制的数值不是由此计算得出的。</translation>
    </message>
    <message>
        <source> (recorded in {dtype})</source>
        <translation>（以 {dtype} 录制）</translation>
    </message>
    <message>
        <source> (stored in half precision)</source>
        <translation>（以半精度存储）</translation>
    </message>
    <message>
        <source>q of “{token}”</source>
        <translation>“{token}”的 q</translation>
    </message>
    <message>
        <source>k of “{token}”</source>
        <translation>“{token}”的 k</translation>
    </message>
    <message>
        <source>their products</source>
        <translation>两者逐维相乘</translation>
    </message>
    <message>
        <source>Dot product</source>
        <translation>点积</translation>
    </message>
    <message>
        <source>{count} others</source>
        <translation>其余 {count} 个</translation>
    </message>
    <message>
        <source>i</source>
        <translation>i</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>“{key}” may be read: the score stays {score}.</source>
        <translation>“{key}”可读：得分仍为 {score}。</translation>
    </message>
    <message>
        <source>m = s where reading is allowed, else −∞</source>
        <translation>可读处 m = s，否则 m = −∞</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Softmax over the row</source>
        <translation>整行 softmax</translation>
    </message>
    <message>
        <source>A sum of {count} products spreads about √{count} times as wide as one; unscaled, the softmax would put nearly all weight on one key (section 3.2.1).</source>
        <translation>{count} 项乘积之和的波动约为单项的 √{count} 倍；若不缩放，softmax 几乎会把全部权重给一个键（第 3.2.1 节）。</translation>
    </message>
    <message>
        <source>q and k are shown as they are compared: turned by their positions (rotary, Su et al. 2021).</source>
        <translation>q 和 k 按比较时的样子显示：已按各自的位置旋转（旋转位置编码，Su 等，2021）。</translation>
    </message>
    <message>
        <source>This model does not divide by √d_head: its matrices were drawn smaller instead (T5, Raffel et al. 2020).</source>
        <translation>该模型不除以 √d_head：它的矩阵初始化得更小（T5，Raffel 等 2020）。</translation>
    </message>
    <message>
        <source>p is what positions add: the head&apos;s slope times the distance is taken off (ALiBi, Press et al. 2022).</source>
        <translation>p 是位置加上的部分：减去该头的斜率乘以距离（ALiBi，Press 等，2022）。</translation>
    </message>
    <message>
        <source>p is what positions add: q ⋅ a ÷ √d_head with the layer&apos;s vector a for this distance (Shaw et al. 2018).</source>
        <translation>p 是位置加上的部分：q ⋅ a ÷ √d_head，a 是该层对应这一距离的向量（Shaw 等，2018）。</translation>
    </message>
    <message>
        <source>p is what positions add: a number that the head has learned for this distance, the same in every layer (T5, Raffel et al. 2020).</source>
        <translation>p 是位置加上的数：该头为这一距离学到的一个数，各层相同（T5，Raffel 等 2020）。</translation>
    </message>
    <message>
        <source>None of this row&apos;s {total} keys is masked.</source>
        <translation>此行的 {total} 个键都可读。</translation>
    </message>
    <message>
        <source>Every key of this row is masked: all its weights are 0.</source>
        <translation>此行的键都不可读：权重全为 0。</translation>
    </message>
    <message>
        <source>{count} of the row&apos;s {total} keys are masked.</source>
        <translation>此行的 {total} 个键中有 {count} 个不可读。</translation>
    </message>
    <message>
        <source>The row&apos;s largest score, {most}, is subtracted from all scores first; the weights stay the same.</source>
        <translation>先把各得分都减去此行的最大得分 {most}：权重不变。</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>o: their sum over all {count} keys</source>
        <translation>o：对全部 {count} 个键求和</translation>
    </message>
    <message>
        <source>v of “{token}”</source>
        <translation>“{token}”的 v</translation>
    </message>
    <message>
        <source>This head&apos;s output is multiplied by {factor} (What if): {weight} is used in place of {pattern}.</source>
        <translation>此头的输出乘以 {factor}（“干预实验”）：用 {weight} 代替 {pattern}。</translation>
    </message>
    <message>
        <source>v is shown as this query takes it: with the layer&apos;s second vector for this distance added (Shaw et al. 2018).</source>
        <translation>v 按该查询取用时的样子显示：已加上该层对应这一距离的第二个向量（Shaw 等，2018）。</translation>
    </message>
    <message>
        <source>length of α × v: {part}; of o: {whole}</source>
        <translation>α × v 的长度：{part}；o 的长度：{whole}</translation>
    </message>
    <message>
        <source>Weighted values</source>
        <translation>值的加权和</translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source>share of head {head}: o times its part of W</source>
        <translation>头 {head} 的贡献：o 乘以 W 中属于它的部分</translation>
    </message>
    <message>
        <source>y: shares of all {count} heads, and the bias</source>
        <translation>y：全部 {count} 个头的贡献与偏置之和</translation>
    </message>
    <message>
        <source>share</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>share of</source>
        <translation>贡献来自</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>b: the bias</source>
        <translation>b：偏置</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>length of y: {total}; shares may point in opposite directions, so lengths do not add up</source>
        <translation>y 的长度：{total}；各头的贡献方向可能相反，因此长度不能相加</translation>
    </message>
    <message>
        <source>Output projection</source>
        <translation>输出投影</translation>
    </message>
    <message>
        <source>length {number}</source>
        <translation>长度 {number}</translation>
    </message>
</context>
<context>
    <name>ArithmeticPanel</name>
    <message>
        <source>Translate a sentence to see each weight computed here, step by step.</source>
        <translation>翻译一个句子，这里就会逐步算出每个权重。</translation>
    </message>
    <message>
        <source>The arithmetic is computed once the translation is complete.</source>
        <translation>翻译完成后才进行计算。</translation>
    </message>
    <message>
        <source>Click a cell of the map to see where its weight comes from.</source>
        <translation>点击图中的单元格，看它的权重从何而来。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This is the row&apos;s strongest key; click a cell of the map for another.</source>
        <translation>此行最强的键；点击图中单元格可换。</translation>
    </message>
    <message>
        <source>Computing the row from the model&apos;s weights…</source>
        <translation>正在用模型的权重计算此行…</translation>
    </message>
    <message>
        <source>A mean over heads has no query and key of its own: choose one head.</source>
        <translation>各头的平均没有自己的查询和键：请选择一个头。</translation>
    </message>
    <message>
        <source>Head {head}, the strongest here</source>
        <translation>头 {head}（此处最强）</translation>
    </message>
    <message>
        <source>Why does it look there?</source>
        <translation>为什么看那里？</translation>
    </message>
    <message>
        <source>Take the score before the softmax apart: what word, position, earlier heads and networks put into query and key</source>
        <translation>拆开 softmax 之前的分数：词、位置、前面的注意力头和前馈网络各往查询和键里放了什么</translation>
    </message>
</context>
<context>
    <name>ArithmeticView</name>
    <message>
        <source>Copy this stage</source>
        <translation>复制此阶段</translation>
    </message>
    <message>
        <source>Copy all stages</source>
        <translation>复制所有阶段</translation>
    </message>
    <message>
        <source>Copy these numbers</source>
        <translation>复制这些数值</translation>
    </message>
</context>
<context>
    <name>Attribution</name>
    <message>
        <source>{place} wrote {value} of the logit of “{word}”</source>
        <translation>{place}为“{word}”的 logit 写了 {value}</translation>
    </message>
    <message>
        <source>{place} wrote {value} for “{word}” rather than “{rival}”</source>
        <translation>{place}为“{word}”而非“{rival}”写了 {value}</translation>
    </message>
    <message>
        <source>above 0: the head wrote for the word; below: against it</source>
        <translation>大于 0：该头为这个词而写；小于 0：写得对它不利</translation>
    </message>
    <message>
        <source>colours: what each head wrote for “{word}”, step {step}</source>
        <translation>颜色：每个注意力头为“{word}”写了什么，第 {step} 步</translation>
    </message>
    <message>
        <source>colours: what each head wrote for “{word}” rather than “{rival}”, step {step}</source>
        <translation>颜色：每个注意力头为“{word}”而非“{rival}”写了什么，第 {step} 步</translation>
    </message>
    <message>
        <source>The encoder&apos;s heads write nothing to the decoder&apos;s stream themselves: their weights are shown.</source>
        <translation>编码器的注意力头自己不向解码器的残差流写任何东西：这里显示它们的权重。</translation>
    </message>
</context>
<context>
    <name>BadgeLine</name>
    <message>
        <source>… {count} more</source>
        <translation>… 另有 {count} 条</translation>
    </message>
</context>
<context>
    <name>BaseRow</name>
    <message>
        <source>Base</source>
        <translation>基数</translation>
    </message>
    <message>
        <source>Base of the wavelengths; 10,000 in the paper</source>
        <translation>波长基数；论文中为 10,000</translation>
    </message>
    <message>
        <source>1,000, a common mistake in lecture notes</source>
        <translation>1,000：讲义中常见的笔误</translation>
    </message>
    <message>
        <source>10,000, the base of the paper</source>
        <translation>10,000：论文的基数</translation>
    </message>
</context>
<context>
    <name>BasesPanel</name>
    <message>
        <source>This model&apos;s positions are learned: they have no base. Show sinusoids to see what the base does.</source>
        <translation>此模型的位置编码是学得的：没有基数。要知道基数有什么作用，请查看正弦编码。</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>How many positions to compare, from the first</source>
        <translation>比较前多少个位置</translation>
    </message>
    <message>
        <source>The paper&apos;s base beside another</source>
        <translation>论文的基数与另一基数对照</translation>
    </message>
</context>
<context>
    <name>Batch</name>
    <message>
        <source>Training step {step} ({per_epoch} steps are one pass over the pairs): {pairs} pairs, padded to {source} source and {target} target tokens; {share} % of the cells are padding.</source>
        <translation>训练第 {step} 步（{per_epoch} 步遍历一遍句对）：{pairs} 个句对，填充到源端 {source} 个、目标端 {target} 个词元；{share}% 的单元格是填充。</translation>
    </message>
    <message>
        <source>With {count} more columns of padding, log probabilities differ by at most {difference}; loss {loss} without them, {padded} with them.</source>
        <translation>多填充 {count} 列后，对数概率最多相差 {difference}；损失：填充前 {loss}，填充后 {padded}。</translation>
    </message>
    <message>
        <source>This is rounding: padding changes nothing.</source>
        <translation>这只是舍入误差：填充不改变任何结果。</translation>
    </message>
    <message>
        <source>This is more than rounding: this model reads its padding.</source>
        <translation>这超出了舍入误差：此模型读到了填充。</translation>
    </message>
    <message>
        <source>Pair {row}, position {column}: having read “{read}”, it should predict “{predicted}”.</source>
        <translation>第 {row} 对，位置 {column}：读入“{read}”后，应预测“{predicted}”。</translation>
    </message>
    <message>
        <source>Pair {row}, position {column}: having read “{read}”, it should predict “{predicted}”, which it then reads.</source>
        <translation>第 {row} 对，位置 {column}：读入“{read}”后，应预测“{predicted}”，随后把它读入。</translation>
    </message>
</context>
<context>
    <name>BatchDialog</name>
    <message>
        <source>Preparing the batch…</source>
        <translation>正在准备批次…</translation>
    </message>
    <message>
        <source>The expected output is the decoder input shifted by one: point at a token to see its pair.</source>
        <translation>期望输出是解码器输入左移一位：指向一个词元，查看与它对应的词元。</translation>
    </message>
    <message>
        <source>Look at a batch</source>
        <translation>查看批次</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Pad by</source>
        <translation>多填充</translation>
    </message>
    <message>
        <source>more columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Columns of padding to add</source>
        <translation>要增加的填充列数</translation>
    </message>
    <message>
        <source>The batch of the step before</source>
        <translation>上一步的批次</translation>
    </message>
    <message>
        <source>The batch of the next step</source>
        <translation>下一步的批次</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The encoder reads</source>
        <translation>编码器读入</translation>
    </message>
    <message>
        <source>The decoder reads and predicts</source>
        <translation>解码器读入与预测</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>Source tokens</source>
        <translation>源词元</translation>
    </message>
    <message>
        <source>Source mask: 1 may be attended to</source>
        <translation>源端掩码：1 表示可以关注</translation>
    </message>
    <message>
        <source>Decoder input</source>
        <translation>解码器输入</translation>
    </message>
    <message>
        <source>Expected output</source>
        <translation>期望输出</translation>
    </message>
    <message>
        <source>Target mask: 1 counts in the loss</source>
        <translation>目标端掩码：1 表示计入损失</translation>
    </message>
</context>
<context>
    <name>BeamDialog</name>
    <message>
        <source>Beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>A in score / tokensᴬ: 0 ranks by the plain sum, which favours short sentences</source>
        <translation>得分 / 词元数ᴬ 中的 A：0 表示只按总和排序，偏向短句</translation>
    </message>
    <message>
        <source>How many hypotheses are kept at each step, finished ones included</source>
        <translation>每一步保留多少个候选序列，含已完成的</translation>
    </message>
    <message>
        <source>Hypotheses are ranked by the sum of the log probabilities of their tokens, divided by the number of tokens to the power of the length penalty. The best are kept, the rest dropped.</source>
        <translation>候选序列按其各词元对数概率之和除以词元数的 A 次方（A 为长度惩罚）排序。保留最好的，舍弃其余的。</translation>
    </message>
    <message>
        <source>&amp;Beam size</source>
        <translation>束宽(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Length penalty</source>
        <translation>长度惩罚(&amp;L)</translation>
    </message>
</context>
<context>
    <name>BesideStrip</name>
    <message>
        <source>Altered</source>
        <translation>改动后</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>未改动</translation>
    </message>
</context>
<context>
    <name>BiasPanel</name>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Head whose bias is shown</source>
        <translation>查看哪个注意力头的偏置</translation>
    </message>
    <message>
        <source>Queries and keys</source>
        <translation>查询与键数</translation>
    </message>
    <message>
        <source>For how many queries and keys the bias is drawn</source>
        <translation>画出多少个查询和键的偏置</translation>
    </message>
    <message>
        <source>Bias of every head by distance</source>
        <translation>各注意力头随距离的偏置</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Layer whose vectors are shown</source>
        <translation>查看哪一层的向量</translation>
    </message>
</context>
<context>
    <name>BlocksView</name>
    <message>
        <source>Click to show one layer of each stack</source>
        <translation>点击只显示每个堆叠的一层</translation>
    </message>
    <message>
        <source>Click to show every layer</source>
        <translation>点击显示所有层</translation>
    </message>
    <message>
        <source>Keys and values of {count} positions are kept and not computed again.</source>
        <translation>保留了 {count} 个位置的键和值：它们都不再重新计算。</translation>
    </message>
    <message>
        <source>output {shape}</source>
        <translation>输出 {shape}</translation>
    </message>
    <message>
        <source>{count} parameters</source>
        <translation>{count} 个参数</translation>
    </message>
</context>
<context>
    <name>BookmarkBar</name>
    <message>
        <source>Bookmarks: {count}</source>
        <translation>书签：{count} 个</translation>
    </message>
    <message>
        <source>{number} of {count}: {name}</source>
        <translation>{number}/{count}：{name}</translation>
    </message>
    <message>
        <source>Previous bookmark (Shift+F8)</source>
        <translation>上一个书签（Shift+F8）</translation>
    </message>
    <message>
        <source>Next bookmark (F8)</source>
        <translation>下一个书签（F8）</translation>
    </message>
</context>
<context>
    <name>BookmarkNameDialog</name>
    <message>
        <source>Bookmark this view</source>
        <translation>为当前视图加书签</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>Note, for a lecture or a handout:</source>
        <translation>备注，供讲课或讲义使用：</translation>
    </message>
</context>
<context>
    <name>Bookmarks</name>
    <message>
        <source>{place}, step {step}</source>
        <translation>{place}，第 {step} 步</translation>
    </message>
</context>
<context>
    <name>BookmarksDialog</name>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>F8 goes to the next bookmark, Shift+F8 to the previous one; while presenting, Page Down at the last step also goes on. Drag to reorder.</source>
        <translation>F8 到下一个书签，Shift+F8 到上一个；演示时，在最后一步按 Page Down 也到下一个。拖动可改变次序。</translation>
    </message>
    <message>
        <source>Note, for a lecture or a handout:</source>
        <translation>备注，供讲课或讲义使用：</translation>
    </message>
</context>
<context>
    <name>Branches</name>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>run {place} of {runs}</source>
        <translation>解码 {place}/{runs}</translation>
    </message>
    <message>
        <source>altered: {changes}</source>
        <translation>已改动：{changes}</translation>
    </message>
    <message>
        <source>“{token}”, step {step}: {share}</source>
        <translation>“{token}”，第 {step} 步：{share}</translation>
    </message>
    <message>
        <source>log probability {value}</source>
        <translation>对数概率 {value}</translation>
    </message>
    <message>
        <source>rank {rank} in the whole vocabulary</source>
        <translation>在整个词表中排名 {rank}</translation>
    </message>
    <message>
        <source>original</source>
        <translation>未改动</translation>
    </message>
    <message>
        <source>The start: nothing is written yet.</source>
        <translation>起点：还没有写出任何内容。</translation>
    </message>
    <message>
        <source>The model was altered here, so its probabilities differ:</source>
        <translation>模型在此被改动，因此概率不同：</translation>
    </message>
    <message>
        <source>total {score}, with length penalty {penalty}: {rank}</source>
        <translation>累计 {score}，计入长度惩罚 {penalty}：{rank}</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>hypothesis</source>
        <translation>候选序列</translation>
    </message>
    <message>
        <source>branch at step {step}</source>
        <translation>第 {step} 步分支</translation>
    </message>
    <message>
        <source>beam {size}</source>
        <translation>束搜索 {size}</translation>
    </message>
    <message>
        <source>forced</source>
        <translation>教师强制</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>rounds: {number}</source>
        <translation>轮数：{number}</translation>
    </message>
    <message>
        <source>Still in the beam when the search ended: {beam} had finished, and the best left in the beam ranked no higher than the last of them, {rank}.</source>
        <translation>搜索结束时仍在束中：已有 {beam} 个结束，而束中最好的也不高于其中最后一个的 {rank}。</translation>
    </message>
    <message>
        <source>Still in the beam when the search ended: its total {score} could no longer win.</source>
        <translation>搜索结束时仍在束中：累计 {score}，已不可能领先。</translation>
    </message>
    <message>
        <source>Finished.</source>
        <translation>已结束。</translation>
    </message>
    <message>
        <source>Kept here; the best of its continuations finished.</source>
        <translation>在此保留；它最好的后续已结束。</translation>
    </message>
    <message>
        <source>Its rank score {rank} is not among the {beam} best finished ones, which are kept beside the beam; the last of them has {kept}.</source>
        <translation>其排序得分 {rank} 不在已结束的最好的 {beam} 个之列（它们保存在束之外）；其中最后一个的得分为 {kept}。</translation>
    </message>
    <message>
        <source>With a total of {score} it ranked {place} of {considered}; of those that end, only the first {beam} of a step count.</source>
        <translation>其累计 {score} 在 {considered} 个候选中排名 {place}；结束的候选中，只有排在这一步前 {beam} 名的才算数。</translation>
    </message>
    <message>
        <source>Finished with rank score {rank}; you stopped the search.</source>
        <translation>已结束，排序得分 {rank}；您停止了搜索。</translation>
    </message>
    <message>
        <source>Finished with rank score {rank}; the search goes on.</source>
        <translation>已结束，排序得分 {rank}；搜索仍在继续。</translation>
    </message>
    <message>
        <source>At step {step} its total {score} was below the last one kept, {kept} (rank {place} of {considered} considered, {places} kept, beam {beam}).</source>
        <translation>第 {step} 步时，其累计 {score} 低于最后一个保留者的 {kept}（共考虑 {considered} 个，它排名 {place}；保留 {places} 个，束宽 {beam}）。</translation>
    </message>
    <message>
        <source>The length limit cut it after {tokens} tokens; a finished one (rank score {winner}) takes precedence.</source>
        <translation>写到 {tokens} 个词元时因长度上限截断；已完成的候选（排序得分 {winner}）排在它前面。</translation>
    </message>
    <message>
        <source>The length penalty decided: without it, {score} would beat {winner}.</source>
        <translation>长度惩罚起了决定作用：没有它，{score} 会排在 {winner} 之前。</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>cut by the length limit</source>
        <translation>因长度上限截断</translation>
    </message>
    <message>
        <source>stopped by you</source>
        <translation>手动停止</translation>
    </message>
    <message>
        <source>dropped by the search</source>
        <translation>被搜索舍弃</translation>
    </message>
    <message>
        <source>not continued by the search</source>
        <translation>搜索未再继续</translation>
    </message>
    <message>
        <source>kept in the beam</source>
        <translation>保留在束中</translation>
    </message>
    <message>
        <source>Kept here; it leads to the output.</source>
        <translation>在此保留；由它得到输出。</translation>
    </message>
    <message>
        <source>This is the output: no rank score is above its {rank}.</source>
        <translation>这就是输出：没有比 {rank} 更高的排序得分。</translation>
    </message>
    <message>
        <source>In the beam when you stopped the search.</source>
        <translation>您停止搜索时在束中。</translation>
    </message>
    <message>
        <source>Dropped.</source>
        <translation>已舍弃。</translation>
    </message>
    <message>
        <source>read in one pass</source>
        <translation>一次读入</translation>
    </message>
    <message>
        <source>decoding</source>
        <translation>正在解码</translation>
    </message>
    <message>
        <source>runs through here: {number}</source>
        <translation>经过的解码：{number} 次</translation>
    </message>
    <message>
        <source>runs through here: {number}; one ends here: {how}</source>
        <translation>经过的解码：{number} 次；在此结束的：{how}</translation>
    </message>
    <message>
        <source>Kept here; the last of its continuations was dropped.</source>
        <translation>在此保留；它的最后一个后续已被舍弃。</translation>
    </message>
    <message>
        <source>In the beam; the search goes on.</source>
        <translation>在束中；搜索仍在继续。</translation>
    </message>
    <message>
        <source>Its rank score {rank} lost to the winner&apos;s {winner}.</source>
        <translation>其排序得分 {rank} 不及胜出者的 {winner}。</translation>
    </message>
    <message>
        <source>Without the length penalty too: {score} against {winner}.</source>
        <translation>没有长度惩罚也一样：{score} 对 {winner}。</translation>
    </message>
</context>
<context>
    <name>BranchesPanel</name>
    <message>
        <source>Tree of tokens</source>
        <translation>词元树</translation>
    </message>
    <message>
        <source>Type a sentence above: its output and every alternative you try grow here as a tree.</source>
        <translation>在上方输入一个句子：它的输出，以及您尝试的其他写法，都会在这里长成一棵树。</translation>
    </message>
    <message>
        <source>To branch the tree, press Enter for other words here, type one, or click one in Next word.</source>
        <translation>要使树分叉，按回车选其他词，或直接输入，或在“下一个词”中点击。</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>各次解码</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>Callouts</name>
    <message>
        <source>3  Click a head to look closer</source>
        <translation>3  点击一个注意力头细看</translation>
    </message>
    <message>
        <source>Got it</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>1  Type a sentence (Ctrl+L or click), press Enter</source>
        <translation>1  输入句子（Ctrl+L 或点击），再按回车</translation>
    </message>
    <message>
        <source>2  Step through the output: → or Page Down</source>
        <translation>2  逐步查看输出：→ 或 Page Down</translation>
    </message>
</context>
<context>
    <name>CandidatesModel</name>
    <message>
        <source>all other words</source>
        <translation>其余所有词</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>When sampled</source>
        <translation>采样概率</translation>
    </message>
    <message>
        <source>sampling probability {share}</source>
        <translation>采样时的概率 {share}</translation>
    </message>
    <message>
        <source>the token in the text</source>
        <translation>此处原有的词元</translation>
    </message>
    <message>
        <source>Double-click to insert this word into the sentence</source>
        <translation>双击，把这个词填入句子</translation>
    </message>
    <message>
        <source>Click to continue with this word</source>
        <translation>点击，以这个词继续</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>排名 {rank}</translation>
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
        <source>left out by the filters</source>
        <translation>被筛选条件排除</translation>
    </message>
    <message>
        <source>chosen at this step</source>
        <translation>本步选中</translation>
    </message>
</context>
<context>
    <name>CarryPanel</name>
    <message>
        <source>by head</source>
        <translation>按注意力头</translation>
    </message>
    <message>
        <source>by position</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>first difference</source>
        <translation>首个不同之处</translation>
    </message>
    <message>
        <source>step in view</source>
        <translation>当前步</translation>
    </message>
    <message>
        <source>What is carried</source>
        <translation>移植什么</translation>
    </message>
    <message>
        <source>What cells are</source>
        <translation>格子是什么</translation>
    </message>
    <message>
        <source>Where it is measured</source>
        <translation>在哪一步测量</translation>
    </message>
    <message>
        <source>At which step of B the words that A and B write there are set against each other</source>
        <translation>在 B 的哪一步比较 A 与 B 所写的词</translation>
    </message>
    <message>
        <source>Effects of carrying over</source>
        <translation>移植的效应</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Work it out</source>
        <translation>开始计算</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>Each place of A is put into B by itself…</source>
        <translation>正在把 A 的每一处单独放入 B……</translation>
    </message>
    <message>
        <source>Choose two different runs of one model: A is carried into B.</source>
        <translation>请选择同一模型的两次不同运行：A 将移植到 B。</translation>
    </message>
    <message>
        <source>This is worked out once both translations are complete.</source>
        <translation>两个译文都完成后才计算。</translation>
    </message>
    <message>
        <source>A: {text}</source>
        <translation>A：{text}</translation>
    </message>
    <message>
        <source>B: {text}</source>
        <translation>B：{text}</translation>
    </message>
    <message>
        <source>B altered: {text} ({changes})</source>
        <translation>改动后的 B：{text}（{changes}）</translation>
    </message>
    <message>
        <source>The sender is {head}, the head in view. A path makes no translation of its own.</source>
        <translation>发送方是当前的注意力头 {head}。路径本身不产生译文。</translation>
    </message>
    <message>
        <source>This model is run by transformers: its cells tell effects and make no text.</source>
        <translation>此模型由 transformers 运行：格子只显示效应，不生成文本。</translation>
    </message>
    <message>
        <source>Click a cell to see the translation that it makes of B.</source>
        <translation>点击一个格子，查看它使 B 变成的译文。</translation>
    </message>
</context>
<context>
    <name>CausalModel</name>
    <message>
        <source>At “{query}” the decoder may read “{key}”.</source>
        <translation>在“{query}”处，解码器可以读“{key}”。</translation>
    </message>
    <message>
        <source>At “{query}” the decoder may not read “{key}”: it comes later.</source>
        <translation>在“{query}”处，解码器不能读“{key}”：它在后面。</translation>
    </message>
    <message>
        <source>At “{query}” the decoder may not read the padding.</source>
        <translation>在“{query}”处，解码器不能读填充。</translation>
    </message>
</context>
<context>
    <name>CausalPage</name>
    <message>
        <source>Pair</source>
        <translation>句对</translation>
    </message>
    <message>
        <source>Rows: the decoder&apos;s position; columns: what it may read there (1). No position sees the token it must predict, nor the padding after it.</source>
        <translation>行：解码器所处的位置；列：在该位置可以读到的内容（1）。任何位置都看不到它要预测的词元，也看不到后面的填充。</translation>
    </message>
</context>
<context>
    <name>CauseView</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Computing: {done} of {total}</source>
        <translation>正在计算：{done}／{total}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Computing the parts…</source>
        <translation>正在计算各部分…</translation>
    </message>
</context>
<context>
    <name>Causes</name>
    <message>
        <source>this model also copies words: these are logits of what it writes</source>
        <translation>此模型也会复制词：这里是它自己写词的 logit</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>logit</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Layer by layer</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>Largest parts</source>
        <translation>最大的部分</translation>
    </message>
    <message>
        <source>What each head wrote for “{word}”, step {step}</source>
        <translation>每个注意力头为“{word}”写了什么，第 {step} 步</translation>
    </message>
    <message>
        <source>What each head wrote for “{word}” rather than “{rival}”, step {step}</source>
        <translation>每个注意力头为“{word}”而非“{rival}”写了什么，第 {step} 步</translation>
    </message>
    <message>
        <source>attention is not allowed here: the softmax never sees this score</source>
        <translation>这里不允许注意：softmax 看不到这个分数</translation>
    </message>
    <message>
        <source>positions add {value} to this score by distance, which is no part of it</source>
        <translation>位置按距离给这个分数再加 {value}，不计入各部分</translation>
    </message>
    <message>
        <source>{place}: why “{query}” looks at “{key}”</source>
        <translation>{place}：“{query}”为什么看“{key}”</translation>
    </message>
    <message>
        <source>Query parts × key parts</source>
        <translation>查询各部分 × 键各部分</translation>
    </message>
    <message>
        <source>Largest pairs (query × key)</source>
        <translation>最大的各对（查询 × 键）</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>{query} × {key}</source>
        <translation>{query} × {key}</translation>
    </message>
    <message>
        <source>score q·k / √d</source>
        <translation>分数 q·k / √d</translation>
    </message>
    <message>
        <source>{place}.{head}</source>
        <translation>{place}.{head}</translation>
    </message>
    <message>
        <source>bias, {place}</source>
        <translation>偏置，{place}</translation>
    </message>
    <message>
        <source>norm, {place}</source>
        <translation>归一化，{place}</translation>
    </message>
    <message>
        <source>self {layer}</source>
        <translation>自注意 {layer}</translation>
    </message>
    <message>
        <source>cross {layer}</source>
        <translation>交叉注意 {layer}</translation>
    </message>
    <message>
        <source>FFN {layer}</source>
        <translation>前馈 {layer}</translation>
    </message>
    <message>
        <source>end of the stack</source>
        <translation>末层之后</translation>
    </message>
    <message>
        <source>queries {layer}</source>
        <translation>查询 {layer}</translation>
    </message>
    <message>
        <source>keys {layer}</source>
        <translation>键 {layer}</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>ln p with the source</source>
        <translation>有源句时的 ln p</translation>
    </message>
    <message>
        <source>without</source>
        <translation>没有源句</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>original</source>
        <translation>原译文</translation>
    </message>
    <message>
        <source>translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Natural log probability: per token of what is written, and of the original translation as a whole.</source>
        <translation>自然对数概率：所写内容每词元的值，以及原译文整体的值。</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>FFN</source>
        <translation>前馈</translation>
    </message>
    <message>
        <source>biases, norms</source>
        <translation>偏置、归一化</translation>
    </message>
    <message>
        <source>parts of a sum, norms held</source>
        <translation>和式的各部分，归一化已固定</translation>
    </message>
    <message>
        <source>explained: log p = {value}</source>
        <translation>所解释的：log p = {value}</translation>
    </message>
    <message>
        <source>explained: log p(a) − log p(b) = {value}</source>
        <translation>所解释的：log p(a) − log p(b) = {value}</translation>
    </message>
    <message>
        <source>colours symmetric about 0, own scales</source>
        <translation>颜色以 0 为中心对称，各有标度</translation>
    </message>
    <message>
        <source>Gradient × input</source>
        <translation>梯度 × 输入</translation>
    </message>
    <message>
        <source>Taken away</source>
        <translation>拿走</translation>
    </message>
    <message>
        <source>Gradient norm (L1), without a sign</source>
        <translation>梯度范数（L1），无正负</translation>
    </message>
    <message>
        <source>What each token did for “{word}”, step {step}</source>
        <translation>每个词元对“{word}”的作用，第 {step} 步</translation>
    </message>
    <message>
        <source>What each token did for “{word}” rather than “{rival}”, step {step}</source>
        <translation>每个词元对“{word}”而非“{rival}”的作用，第 {step} 步</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源句</translation>
    </message>
    <message>
        <source>prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>{side} “{token}”: gradient × input {product} (position {position}), taken away {effect}, L1 {length}</source>
        <translation>{side}“{token}”：梯度 × 输入 {product}（位置 {position}），拿走 {effect}，L1 {length}</translation>
    </message>
    <message>
        <source>prefix: {token}</source>
        <translation>前缀：{token}</translation>
    </message>
    <message>
        <source>all positions</source>
        <translation>所有位置</translation>
    </message>
    <message>
        <source>Gradient × input and its sum</source>
        <translation>梯度 × 输入及其和</translation>
    </message>
    <message>
        <source>sum</source>
        <translation>和</translation>
    </message>
    <message>
        <source>What is lost without each</source>
        <translation>拿走每个词元失去多少</translation>
    </message>
    <message>
        <source>Can this map be trusted? {map}, for “{word}”, step {step}</source>
        <translation>这张图可信吗？{map}，“{word}”，第 {step} 步</translation>
    </message>
    <message>
        <source>this map</source>
        <translation>这张图</translation>
    </message>
    <message>
        <source>this map, least first</source>
        <translation>这张图，从最小的起</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>mean weights</source>
        <translation>平均权重</translation>
    </message>
    <message>
        <source>gradient × input</source>
        <translation>梯度 × 输入</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>one taken away</source>
        <translation>逐个拿走</translation>
    </message>
    <message>
        <source>source tokens taken away: nobody may look at them</source>
        <translation>拿走源句词元：任何位置都不能关注它们</translation>
    </message>
    <message>
        <source>tokens of the prefix taken away: nobody may look at them</source>
        <translation>拿走前缀词元：任何位置都不能关注它们</translation>
    </message>
    <message>
        <source>random: mean ± standard deviation of {count} orders, seed {seed}</source>
        <translation>随机：{count} 个次序的平均 ± 标准差，种子 {seed}</translation>
    </message>
    <message>
        <source>order: mean over the map&apos;s rows</source>
        <translation>次序：图中各行的平均</translation>
    </message>
    <message>
        <source>tokens taken away</source>
        <translation>拿走的词元数</translation>
    </message>
    <message>
        <source>log probability of the word</source>
        <translation>该词的对数概率</translation>
    </message>
    <message>
        <source>The word&apos;s log probability as tokens go</source>
        <translation>词元逐个拿走时该词的对数概率</translation>
    </message>
    <message>
        <source>The order of this map: taken away from the first on</source>
        <translation>这张图的次序：从第一个起拿走</translation>
    </message>
    <message>
        <source>Area over the curve: mean fall, the larger the faster</source>
        <translation>曲线以上的面积：平均下降，越大下降越快</translation>
    </message>
    <message>
        <source>Translate a sentence first: this is about the words of a translation.</source>
        <translation>请先翻译一个句子：这里讲的是译文中的词。</translation>
    </message>
    <message>
        <source>This is computed once the translation is complete.</source>
        <translation>译文完成后再计算。</translation>
    </message>
    <message>
        <source>Open the model that wrote this to see what made it write that.</source>
        <translation>请打开写出这段译文的模型，才能看它为什么这样写。</translation>
    </message>
</context>
<context>
    <name>CellView</name>
    <message>
        <source>Copied {number}</source>
        <translation>已复制 {number}</translation>
    </message>
    <message>
        <source>Row copied</source>
        <translation>已复制此行</translation>
    </message>
    <message>
        <source>Copy &amp;number</source>
        <translation>复制数值(&amp;N)</translation>
    </message>
    <message>
        <source>Copy &amp;row</source>
        <translation>复制此行(&amp;R)</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Arithmetic of this cell</source>
        <translation>此单元格的计算(&amp;A)</translation>
    </message>
</context>
<context>
    <name>ChangesList</name>
    <message>
        <source>Current changes</source>
        <translation>当前的改动</translation>
    </message>
    <message>
        <source>No changes: this is the model as trained.</source>
        <translation>没有任何改动：这就是训练好的模型。</translation>
    </message>
    <message>
        <source>Remove: {change}</source>
        <translation>还原：{change}</translation>
    </message>
</context>
<context>
    <name>ChipMenu</name>
    <message>
        <source>Look at this step</source>
        <translation>查看这一步</translation>
    </message>
    <message>
        <source>Continue from here with…</source>
        <translation>从这里换词继续…</translation>
    </message>
    <message>
        <source>Delete this branch</source>
        <translation>删除此分支</translation>
    </message>
</context>
<context>
    <name>Circuits</name>
    <message>
        <source>Model {name}</source>
        <translation>模型 {name}</translation>
    </message>
    <message>
        <source>{place} ({kind}), pairs of frequent words</source>
        <translation>{place}（{kind}），常用词两两配对</translation>
    </message>
    <message>
        <source>{place} ({kind}), reading “{word}”</source>
        <translation>{place}（{kind}），读到“{word}”</translation>
    </message>
    <message>
        <source>direct path alone, no attention weights</source>
        <translation>仅直接路径，不是注意力权重</translation>
    </message>
    <message>
        <source>copying not defined: two vocabularies</source>
        <translation>复制分数无定义：两侧词表不同</translation>
    </message>
    <message>
        <source>copying score {value}</source>
        <translation>复制分数 {value}</translation>
    </message>
    <message>
        <source>What it writes is most like</source>
        <translation>它写出的内容最像</translation>
    </message>
    <message>
        <source>and least like</source>
        <translation>最不像</translation>
    </message>
    <message>
        <source>Promotes</source>
        <translation>促进</translation>
    </message>
    <message>
        <source>Suppresses</source>
        <translation>抑制</translation>
    </message>
    <message>
        <source>“{asker}” looks for</source>
        <translation>“{asker}”在找</translation>
    </message>
    <message>
        <source>“{word}” is looked for by</source>
        <translation>在找“{word}”的词</translation>
    </message>
    <message>
        <source>Who looks for whom</source>
        <translation>谁在找谁</translation>
    </message>
    <message>
        <source>{word} → {other}</source>
        <translation>{word} → {other}</translation>
    </message>
</context>
<context>
    <name>CircuitsDialog</name>
    <message>
        <source>What this head does in general</source>
        <translation>这个注意力头一般做什么</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>{place} ({kind})</source>
        <translation>{place}（{kind}）</translation>
    </message>
    <message>
        <source>It &amp;reads</source>
        <translation>它读到(&amp;R)</translation>
    </message>
    <message>
        <source>for the &amp;target word</source>
        <translation>查询它的目标词(&amp;T)</translation>
    </message>
    <message>
        <source>frequent words</source>
        <translation>常用词</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>Choose a word of the sentence, or type one and press Enter; empty: pairs of frequent words.</source>
        <translation>选句中的一个词，或键入一个词后按回车；留空：常用词两两配对。</translation>
    </message>
    <message>
        <source>Words that the head promotes and attracts</source>
        <translation>该注意力头促进和吸引的词</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>ClassesModel</name>
    <message>
        <source>Class</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>{name}
model output: {logit}</source>
        <translation>{name}
模型输出：{logit}</translation>
    </message>
    <message>
        <source>{name}
probability {share}
logit {logit}</source>
        <translation>{name}
概率 {share}
logit {logit}</translation>
    </message>
</context>
<context>
    <name>ClassesPanel</name>
    <message>
        <source>The classes of a text appear here once the model has read it.</source>
        <translation>模型读过一段文字后，它给出的分类会显示在这里。</translation>
    </message>
    <message>
        <source>How the model classifies the whole text</source>
        <translation>模型对整段文字的分类</translation>
    </message>
    <message>
        <source>Copy class and number</source>
        <translation>复制类别和数值</translation>
    </message>
    <message>
        <source>Classes of the text</source>
        <translation>文字的类别</translation>
    </message>
    <message>
        <source>The model&apos;s own numbers: not probabilities, and of any size.</source>
        <translation>模型本身给出的数值：不是概率，大小不限。</translation>
    </message>
    <message>
        <source>The model&apos;s own probabilities, independent for each class: several may apply, or none.</source>
        <translation>模型本身给出的概率，各类别互相独立：可能有几个类别成立，也可能一个都不成立。</translation>
    </message>
    <message>
        <source>The model&apos;s own probabilities; over all classes they add up to 100 %.</source>
        <translation>模型本身给出的概率；所有类别的概率之和为 100%。</translation>
    </message>
</context>
<context>
    <name>Closeness</name>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>cosine (the axis starts at {low})</source>
        <translation>余弦（纵轴从 {low} 起）</translation>
    </message>
    <message>
        <source>{first} / {second}</source>
        <translation>{first} / {second}</translation>
    </message>
    <message>
        <source>“{word}” in two sentences: cosine of its two vectors, layer by layer</source>
        <translation>两个句子中的“{word}”：其两个向量逐层的余弦</translation>
    </message>
    <message>
        <source>“{word}” and “{other}”: cosine of the two vectors, layer by layer</source>
        <translation>“{word}”与“{other}”：两个向量逐层的余弦</translation>
    </message>
    <message>
        <source>cos(a, b) = a·b / (|a| |b|) of the encoder&apos;s vectors; 1: the same direction</source>
        <translation>cos(a, b) = a·b / (|a| |b|)，a、b 为编码器的向量；1 表示方向相同</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>+ position</source>
        <translation>+ 位置</translation>
    </message>
    <message>
        <source>layer {layer}</source>
        <translation>层 {layer}</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>“{text}”</translation>
    </message>
    <message>
        <source>“{text}” → “{translation}”</source>
        <translation>“{text}”→“{translation}”</translation>
    </message>
    <message>
        <source>The same word starts as the same vector ({first}). What it takes in from each sentence moves the two apart: {last} after the last layer.</source>
        <translation>同一个词起初是同一个向量（{first}）。它从各自句子中吸收的内容使两个向量分开：最后一层之后为 {last}。</translation>
    </message>
    <message>
        <source>The two start as different vectors ({first}); after the last layer it is {last}.</source>
        <translation>两者起初是不同的向量（{first}）；最后一层之后为 {last}。</translation>
    </message>
    <message>
        <source>The same word starts as the same vector ({first}) and stays nearly the same: {last} after the last layer. Its context changes little.</source>
        <translation>同一个词起初是同一个向量（{first}），之后也几乎不变：最后一层之后为 {last}。上下文对它影响很小。</translation>
    </message>
    <message>
        <source>For comparison, “{word}”: {last}.</source>
        <translation>作为对照，“{word}”：{last}。</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>{side}: {text}</source>
        <translation>{side}：{text}</translation>
    </message>
    <message>
        <source>{first} | {second}</source>
        <translation>{first} | {second}</translation>
    </message>
    <message>
        <source>difference: B − A</source>
        <translation>差值：B − A</translation>
    </message>
    <message>
        <source>A: {first}; B: {second}</source>
        <translation>A：{first}；B：{second}</translation>
    </message>
    <message>
        <source>two models: tokens aligned by their text</source>
        <translation>两个模型：词元按文字对齐</translation>
    </message>
    <message>
        <source>tokens aligned by their text</source>
        <translation>词元按文字对齐</translation>
    </message>
    <message>
        <source>aligned by token</source>
        <translation>按词元对齐</translation>
    </message>
    <message>
        <source>in both: {rows} of {all_rows} rows, {columns} of {all_columns} columns</source>
        <translation>两者共有：{all_rows} 行中的 {rows} 行，{all_columns} 列中的 {columns} 列</translation>
    </message>
    <message>
        <source>“x | y”: B has y where A has x</source>
        <translation>“x | y”：A 中的 x 在 B 中为 y</translation>
    </message>
    <message>
        <source>{count} source tokens are in a different place</source>
        <translation>{count} 个源词元的位置不同</translation>
    </message>
    <message>
        <source>square-root colour scale of the difference, true values</source>
        <translation>颜色取差值大小的平方根，数值真实</translation>
    </message>
    <message>
        <source>special tokens hidden: {first} % of A&apos;s weight, {second} % of B&apos;s</source>
        <translation>已隐藏特殊词元：占 A 的权重的 {first}%，B 的 {second}%</translation>
    </message>
    <message>
        <source>{place}: {pair}: can be read neither in A nor in B</source>
        <translation>{place}：{pair}：在 A 和 B 中均不可读</translation>
    </message>
    <message>
        <source>{place}: {pair}: A {first}, B {second}, difference {difference}</source>
        <translation>{place}：{pair}：A {first}，B {second}，差值 {difference}</translation>
    </message>
    <message>
        <source>{place}: {pair}: A {first}, not in B</source>
        <translation>{place}：{pair}：A {first}，B 中没有</translation>
    </message>
    <message>
        <source>{place}: {pair}: B {second}, not in A</source>
        <translation>{place}：{pair}：B {second}，A 中没有</translation>
    </message>
    <message>
        <source>{place}: {pair}: one token is only in A, the other only in B</source>
        <translation>{place}：{pair}：一个词元只在 A 中，另一个只在 B 中</translation>
    </message>
    <message>
        <source>“{query}” reads “{key}”</source>
        <translation>“{query}”读“{key}”</translation>
    </message>
    <message>
        <source>before the given “{query}” reads “{key}”</source>
        <translation>给定的“{query}”之前读“{key}”</translation>
    </message>
    <message>
        <source>predicting “{query}” reads “{key}”</source>
        <translation>预测“{query}”时读“{key}”</translation>
    </message>
    <message>
        <source>largest here {value} at “{query}” × “{key}”</source>
        <translation>最大 {value}：“{query}”×“{key}”</translation>
    </message>
    <message>
        <source>no difference in this map</source>
        <translation>此图没有差别</translation>
    </message>
    <message>
        <source>{same} of {first} tokens agree; log probability {one} → {other}</source>
        <translation>{same}/{first} 个词元相同；对数概率 {one} → {other}</translation>
    </message>
    <message>
        <source>{same} tokens agree of {first} in A, {second} in B; log probability {one} → {other}</source>
        <translation>{same} 个词元相同（A {first}，B {second}）；对数概率 {one} → {other}</translation>
    </message>
</context>
<context>
    <name>ComparePanel</name>
    <message>
        <source>Map of the difference</source>
        <translation>差值图</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Carry over</source>
        <translation>移植</translation>
    </message>
    <message>
        <source>Put what the model computes for A into B, a head or a position at a time</source>
        <translation>把模型为 A 计算的数值放入 B，每次一个注意力头或一个位置</translation>
    </message>
    <message>
        <source>Type a sentence above and pin its run to compare it with another, or drop two traces.</source>
        <translation>在上方输入一个句子并固定这次解码，再与另一次对比；也可以拖入两份解码记录。</translation>
    </message>
    <message>
        <source>Pin a run, then look at another sentence, branch or what-if beside it.</source>
        <translation>固定一次解码，再看另一个句子、分支或“干预实验”，与它对比。</translation>
    </message>
    <message>
        <source>Pin the run in view</source>
        <translation>固定当前解码</translation>
    </message>
    <message>
        <source>The pinned run is the one in view: choose another for B, or create one by typing, branching or altering.</source>
        <translation>固定的就是当前解码：请为 B 选择另一次，或通过输入、分支或改动产生一次。</translation>
    </message>
    <message>
        <source>Largest: layer {layer}, head {head} ({value})</source>
        <translation>差别最大：第 {layer} 层，头 {head}（{value}）</translation>
    </message>
    <message>
        <source>Tokens of both runs</source>
        <translation>两次解码的词元</translation>
    </message>
    <message>
        <source>These two runs have no map of this family to compare.</source>
        <translation>这两次解码没有可以对比的这一类图。</translation>
    </message>
    <message>
        <source>The head of this family whose weights differ most, and by how much</source>
        <translation>这一类中权重差别最大的注意力头，及其差别大小</translation>
    </message>
</context>
<context>
    <name>CompareSides</name>
    <message>
        <source>A (pinned)</source>
        <translation>A（固定）</translation>
    </message>
    <message>
        <source>B (in view)</source>
        <translation>B（当前）</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Pin B, and look at A</source>
        <translation>固定 B，查看 A</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>A in the left map, B in the right one</source>
        <translation>左图为 A，右图为 B</translation>
    </message>
    <message>
        <source>Move together</source>
        <translation>同步移动</translation>
    </message>
    <message>
        <source>Two maps of different runs show the same head, and the step and cell of the same tokens</source>
        <translation>两幅图属于不同的解码时，显示同一个注意力头，以及相同词元的步和单元格</translation>
    </message>
</context>
<context>
    <name>Conductor</name>
    <message>
        <source>the session that was kept</source>
        <translation>自动保存的会话</translation>
    </message>
</context>
<context>
    <name>Contributions</name>
    <message>
        <source>What “{token}” is made of, step {step} of {steps}</source>
        <translation>“{token}”由什么构成，第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>source to decoder</source>
        <translation>源到解码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>share of the word:</source>
        <translation>占该词的比例：</translation>
    </message>
    <message>
        <source>Encoder layer {layer}: {share} of “{upper}” is “{lower}”.</source>
        <translation>编码器第 {layer} 层：“{upper}”的 {share} 来自“{lower}”。</translation>
    </message>
    <message>
        <source>Decoder layer {layer}: {share} of “{upper}” is “{lower}”, read so far.</source>
        <translation>解码器第 {layer} 层：“{upper}”的 {share} 来自已读入的“{lower}”。</translation>
    </message>
    <message>
        <source>Decoder layer {layer}: {share} of “{upper}” is “{lower}” of the source.</source>
        <translation>解码器第 {layer} 层：“{upper}”的 {share} 来自源端的“{lower}”。</translation>
    </message>
    <message>
        <source>{flow} of the word comes this way.</source>
        <translation>该词的 {flow} 经由此边。</translation>
    </message>
    <message>
        <source>residual connection</source>
        <translation>残差连接</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>第 {head} 头</translation>
    </message>
    <message>
        <source>Most of it by: {head} ({share}).</source>
        <translation>主要经由：{head}（{share}）。</translation>
    </message>
    <message>
        <source>edges under {threshold} hidden: {percent} % of what flows</source>
        <translation>小于 {threshold} 的边已隐藏：占流量的 {percent}%</translation>
    </message>
    <message>
        <source>the strongest {shown} of {count} edges</source>
        <translation>{count} 条边中最强的 {shown} 条</translation>
    </message>
    <message>
        <source>source {source} %, prefix {prefix} %</source>
        <translation>源端 {source}%，前缀 {prefix}%</translation>
    </message>
    <message>
        <source>edges: contribution (ALTI+) × what flows on, not attention weights</source>
        <translation>边：贡献（ALTI+）× 继续流出的份额，不是注意力权重</translation>
    </message>
    <message>
        <source>An edge&apos;s heads: the same measure for what each head brings by itself, which no paper defines.</source>
        <translation>一条边的各头：对每个头单独带来的部分用同一度量计算，论文中没有逐头的定义。</translation>
    </message>
    <message>
        <source>encoder layer</source>
        <translation>编码器层</translation>
    </message>
    <message>
        <source>decoder layer</source>
        <translation>解码器层</translation>
    </message>
</context>
<context>
    <name>ContributionsTools</name>
    <message>
        <source>Click an edge, or use ← → and Enter, for the heads that carry it.</source>
        <translation>点击一条边，或用 ← → 和回车，查看由哪些头传递。</translation>
    </message>
    <message>
        <source>Edges from</source>
        <translation>边的下限</translation>
    </message>
    <message>
        <source>Weaker edges are left out; the share of what flows that this hides is stated</source>
        <translation>更弱的边不画；由此隐藏的流量比例会标明</translation>
    </message>
    <message>
        <source>Least flow of an edge</source>
        <translation>边的最小流量</translation>
    </message>
</context>
<context>
    <name>ContributionsView</name>
    <message>
        <source>{head}: {share}</source>
        <translation>{head}：{share}</translation>
    </message>
    <message>
        <source>Show this weight in the head&apos;s map, and its arithmetic</source>
        <translation>在该头的热图中显示此权重及其计算</translation>
    </message>
</context>
<context>
    <name>CorpusBar</name>
    <message>
        <source>Choose a file of sentences or pairs</source>
        <translation>选择句子或句对文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>选择其他文件</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>{done} of {total} readings, including the random model&apos;s</source>
        <translation>已读 {done}/{total} 次，含随机模型</translation>
    </message>
    <message>
        <source>Maximum number of sentences</source>
        <translation>最多句数</translation>
    </message>
    <message>
        <source> sentences</source>
        <translation> 句</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Choose the alignments of this file</source>
        <translation>选择此文件的词对齐</translation>
    </message>
</context>
<context>
    <name>CorpusPreview</name>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Choose a file of sentence pairs, or drop one here: its first pairs are shown before you start.</source>
        <translation>选择一个句对文件，或把它拖到这里：开始之前会先显示前几个句对。</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>训练语料</translation>
    </message>
    <message>
        <source>Look at a batch…</source>
        <translation>查看批次…</translation>
    </message>
    <message>
        <source>Token ids, masks and padding as the model gets them</source>
        <translation>模型实际得到的词元编号、掩码和填充</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>停止读取</translation>
    </message>
    <message>
        <source>The first pairs</source>
        <translation>前几个句对</translation>
    </message>
</context>
<context>
    <name>Curves</name>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>mean of {count} points</source>
        <translation>{count} 点均值</translation>
    </message>
    <message>
        <source>held out (filled: best)</source>
        <translation>验证（实心：最佳）</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Loss, nats per target token</source>
        <translation>损失（nat/目标词元）</translation>
    </message>
    <message>
        <source>Step {step}: training loss {loss} (mean of {count} points {mean}), learning rate {lr}, gradient norm {norm}, {speed} tokens/s</source>
        <translation>第 {step} 步：训练损失 {loss}（{count} 点均值 {mean}），学习率 {lr}，梯度范数 {norm}，{speed} 词元/秒</translation>
    </message>
    <message>
        <source>step {step}: held-out loss {loss}</source>
        <translation>第 {step} 步：验证损失 {loss}</translation>
    </message>
    <message>
        <source>BLEU {score}</source>
        <translation>BLEU {score}</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>CurvesView</name>
    <message>
        <source>Training curves of {name}</source>
        <translation>{name} 的训练曲线</translation>
    </message>
    <message>
        <source>{title}, {count} steps.</source>
        <translation>{title}，{count} 步。</translation>
    </message>
    <message>
        <source>Export curves</source>
        <translation>导出曲线</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Loss, learning rate, gradient norm and BLEU are drawn here from the first step.</source>
        <translation>从第一步起，这里画出损失、学习率、梯度范数和 BLEU。</translation>
    </message>
    <message>
        <source>Show everything and follow the run (A, double-click)</source>
        <translation>显示全部并跟随训练（A、双击）</translation>
    </message>
    <message>
        <source>Save the curves as PNG, SVG or PDF, or all their numbers as CSV</source>
        <translation>把曲线保存为 PNG、SVG 或 PDF，或把全部数值保存为 CSV</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Training curves</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
</context>
<context>
    <name>DataGroup</name>
    <message>
        <source>Built-in task</source>
        <translation>内置任务</translation>
    </message>
    <message>
        <source>Pairs generated on the fly: nothing to download</source>
        <translation>句对当场生成，无需下载</translation>
    </message>
    <message>
        <source>Files of pairs</source>
        <translation>句对文件</translation>
    </message>
    <message>
        <source>A sentence and its translation on each line, or CSV</source>
        <translation>每行一个句子及其译文，或 CSV</translation>
    </message>
    <message>
        <source>Two files</source>
        <translation>两个文件</translation>
    </message>
    <message>
        <source>Parallel text, line by line (Moses)</source>
        <translation>平行文本，逐行对应（Moses 格式）</translation>
    </message>
</context>
<context>
    <name>DecodePanel</name>
    <message>
        <source>Translating…</source>
        <translation>正在翻译…</translation>
    </message>
    <message>
        <source>No translation was made.</source>
        <translation>没有得到译文。</translation>
    </message>
    <message>
        <source>Choose above how the model gets its positions; the new translation appears here.</source>
        <translation>在上面选择模型怎样得到位置编码；新的译文显示在这里。</translation>
    </message>
    <message>
        <source>Also changed: {changes}</source>
        <translation>另有改动：{changes}</translation>
    </message>
    <message>
        <source>What are positions worth? Translate the sentence in view without them, or shuffled.</source>
        <translation>位置编码有多重要？去掉或打乱它，再翻译当前的句子。</translation>
    </message>
    <message>
        <source>As trained</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>Without positions</source>
        <translation>去掉位置编码</translation>
    </message>
    <message>
        <source>Shuffled</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>No position is added to the tokens</source>
        <translation>不给词元加位置编码</translation>
    </message>
    <message>
        <source>The tokens exchange positions; in the target, those of the translation in view</source>
        <translation>词元互换位置编码，目标端互换当前译文的位置编码</translation>
    </message>
    <message>
        <source>both sides</source>
        <translation>两端</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源端</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标端</translation>
    </message>
    <message>
        <source>Which side&apos;s positions</source>
        <translation>哪一端的位置编码</translation>
    </message>
    <message>
        <source>See the attention of both runs side by side</source>
        <translation>并排查看两次解码的注意力</translation>
    </message>
    <message>
        <source>The original words, scored by both models; differences in percentage points:</source>
        <translation>同一份原译文，由两个模型计算概率；差值以百分点计：</translation>
    </message>
    <message>
        <source>This run was altered before it was opened. Translate its sentence again to compare.</source>
        <translation>这次解码在打开之前就已被改动。要对比，请重新翻译它的句子。</translation>
    </message>
    <message>
        <source>Translating; wait until it is done.</source>
        <translation>正在翻译；请等它完成。</translation>
    </message>
    <message>
        <source>New shuffle</source>
        <translation>重新打乱</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Show in Look</source>
        <translation>在“观察”中查看</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>改动后</translation>
    </message>
    <message>
        <source>Probability of each word before and after</source>
        <translation>每个词之前和之后的概率</translation>
    </message>
    <message>
        <source>Translate a sentence on the Look page first; then come back.</source>
        <translation>请先在“观察”页翻译一个句子，再回到这里。</translation>
    </message>
    <message>
        <source>A model must be open to translate with other positions.</source>
        <translation>要换用其他位置编码翻译，必须先打开模型。</translation>
    </message>
    <message>
        <source>Another model made this run. Translate its sentence with the one in use.</source>
        <translation>这次解码由另一个模型产生。请用当前模型翻译它的句子。</translation>
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
        <source>Beam…</source>
        <translation>束搜索…</translation>
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
        <source>Forced target…</source>
        <translation>指定译文…</translation>
    </message>
    <message>
        <source>Type a translation of your own; the model says how probable each of its words is</source>
        <translation>输入您自己的译文，模型给出其中每个词的概率（教师强制，teacher forcing）</translation>
    </message>
    <message>
        <source>Type a continuation of your own; the model says how probable each word is</source>
        <translation>输入您自己的续写，模型给出其中每个词的概率（教师强制，teacher forcing）</translation>
    </message>
    <message>
        <source>Forced continuation…</source>
        <translation>指定续写…</translation>
    </message>
    <message>
        <source>As fast as possible</source>
        <translation>尽快</translation>
    </message>
    <message>
        <source>Follow several hypotheses at once and keep the best sentence</source>
        <translation>同时跟踪几个候选序列，留下最好的句子（beam search）</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Slow: half a second per token</source>
        <translation>慢：每个词元半秒</translation>
    </message>
    <message>
        <source>Very slow: one and a half seconds per token</source>
        <translation>很慢：每个词元一秒半</translation>
    </message>
    <message>
        <source>One token at a time</source>
        <translation>一次一个词元</translation>
    </message>
    <message>
        <source>How the words are chosen, and how fast</source>
        <translation>怎样选词，以及多快</translation>
    </message>
    <message>
        <source>Forced target</source>
        <translation>指定译文</translation>
    </message>
    <message>
        <source>Forced continuation</source>
        <translation>指定续写</translation>
    </message>
    <message>
        <source>Sample ×{number}</source>
        <translation>采样 ×{number}</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Rounds: {number}</source>
        <translation>轮数：{number}</translation>
    </message>
    <message>
        <source>slow</source>
        <translation>慢</translation>
    </message>
    <message>
        <source>very slow</source>
        <translation>很慢</translation>
    </message>
    <message>
        <source>one by one</source>
        <translation>逐个</translation>
    </message>
    <message>
        <source>Decoding mode</source>
        <translation>解码方式</translation>
    </message>
</context>
<context>
    <name>DetachSection</name>
    <message>
        <source>Reading without the source…</source>
        <translation>正在不读源句重新计算…</translation>
    </message>
    <message>
        <source>Detach from the source</source>
        <translation>与源句脱离</translation>
    </message>
    <message>
        <source>Cross-attention of every layer</source>
        <translation>所有层的交叉注意力</translation>
    </message>
    <message>
        <source>Factor of all cross-attention</source>
        <translation>全部交叉注意力的系数</translation>
    </message>
    <message>
        <source>What all cross-attention gives on is multiplied by this: 0 detaches the translation from its source, 1 changes nothing</source>
        <translation>全部交叉注意力的输出都乘以这个系数：0 使译文与源句脱离，1 不作改变</translation>
    </message>
    <message>
        <source>Words without the source</source>
        <translation>没有源句时的各词</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>With</source>
        <translation>有源句</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>无源句</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Natural log probability of each original token, after the same tokens: {attached} with the source, {detached} without.</source>
        <translation>原译文每个词元在相同前文之后的自然对数概率：有源句时共 {attached}，无源句时共 {detached}。</translation>
    </message>
    <message>
        <source>The other changes are in force in both.</source>
        <translation>其他改动在两边都有效。</translation>
    </message>
</context>
<context>
    <name>DistancePanel</name>
    <message>
        <source>Positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>How many positions to compare, from the first</source>
        <translation>比较前多少个位置</translation>
    </message>
    <message>
        <source>Offset k</source>
        <translation>偏移 k</translation>
    </message>
    <message>
        <source>Offset k: how far apart two positions are</source>
        <translation>偏移 k：两个位置相距多远</translation>
    </message>
    <message>
        <source>Similarity by offset and smallest distance</source>
        <translation>各偏移的相似度与最小距离</translation>
    </message>
</context>
<context>
    <name>DistancesModel</name>
    <message>
        <source>Piece</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>With positions</source>
        <translation>有位置编码</translation>
    </message>
    <message>
        <source>Without positions</source>
        <translation>无位置编码</translation>
    </message>
</context>
<context>
    <name>DistancesView</name>
    <message>
        <source>Distance between a piece&apos;s encodings in the two orders</source>
        <translation>同一子词在两种词序下编码之间的距离</translation>
    </message>
    <message>
        <source>Euclidean distance between the encoder&apos;s last outputs for the piece; 0 where the order makes no difference.</source>
        <translation>子词在编码器最后一层输出之间的欧氏距离；0 表示词序对它毫无影响。</translation>
    </message>
</context>
<context>
    <name>Drawer</name>
    <message>
        <source>Branches</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Heads table</source>
        <translation>注意力头表</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>句子文件</translation>
    </message>
    <message>
        <source>Close this panel</source>
        <translation>关闭此面板</translation>
    </message>
    <message>
        <source>In place of the map, or below it</source>
        <translation>占据热图的位置，或在其下方</translation>
    </message>
</context>
<context>
    <name>DrawingDialog</name>
    <message>
        <source>Draw a pattern</source>
        <translation>画一个模式</translation>
    </message>
    <message>
        <source>This column</source>
        <translation>这一列</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Sort the heads</source>
        <translation>给注意力头排序</translation>
    </message>
    <message>
        <source>No pattern</source>
        <translation>不用模式</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>另存为 CSV…</translation>
    </message>
    <message>
        <source>Draw with the mouse, or go with the arrow keys and press Space: rows look, columns are looked at. A pattern of the list fits every family; what you draw, those with as many rows and columns.</source>
        <translation>用鼠标画，或用方向键移动后按空格：行是看的词，列是被看的词。现成的模式适用于每一类注意力；自己画的只适用于行数和列数相同的那些。</translation>
    </message>
    <message>
        <source>&amp;Rows and columns of</source>
        <translation>行和列取自(&amp;R)</translation>
    </message>
    <message>
        <source>All of the weight on the column of the marked cell</source>
        <translation>全部权重都在所标单元格的那一列</translation>
    </message>
    <message>
        <source>Pattern: one row per query, one column per key</source>
        <translation>模式：每行一个查询，每列一个键</translation>
    </message>
    <message>
        <source>In cross-attention no token has neighbours: this pattern is one of self-attention.</source>
        <translation>交叉注意力中词元没有相邻关系：这个模式只用于自注意力。</translation>
    </message>
    <message>
        <source>Nothing is drawn yet.</source>
        <translation>还什么都没有画。</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Save the pattern</source>
        <translation>保存模式</translation>
    </message>
</context>
<context>
    <name>DrawingModel</name>
    <message>
        <source>{query} looks at {key}: not drawn</source>
        <translation>{query} 看 {key}：未画</translation>
    </message>
    <message>
        <source>{query} cannot see {key}</source>
        <translation>{query} 看不到 {key}</translation>
    </message>
    <message>
        <source>{query} looks at {key}: drawn</source>
        <translation>{query} 看 {key}：已画</translation>
    </message>
</context>
<context>
    <name>EarlierButton</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>From “{sentence}”:</source>
        <translation>“{sentence}”的：</translation>
    </message>
    <message>
        <source>From an earlier text:</source>
        <translation>先前文本的：</translation>
    </message>
    <message>
        <source>This output is not from the sentence above. Click to bring its own sentence back:</source>
        <translation>这不是上面句子的输出。点击可取回它自己的句子：</translation>
    </message>
</context>
<context>
    <name>Effects</name>
    <message>
        <source>{place}: nothing can be carried</source>
        <translation>{place}：没有可移植的</translation>
    </message>
    <message>
        <source>{place}: effect {effect} (measured {m})</source>
        <translation>{place}：效应 {effect}（测得 {m}）</translation>
    </message>
    <message>
        <source>Head outputs</source>
        <translation>注意力头输出</translation>
    </message>
    <message>
        <source>Attention weights alone</source>
        <translation>仅注意力权重</translation>
    </message>
    <message>
        <source>Residual stream</source>
        <translation>残差流</translation>
    </message>
    <message>
        <source>Cross keys and values</source>
        <translation>交叉注意力的键和值</translation>
    </message>
    <message>
        <source>One head, direct paths</source>
        <translation>单个头的直接路径</translation>
    </message>
    <message>
        <source>the output of {head} is A&apos;s on its direct way to each receiver only</source>
        <translation>只在通往各接收方的直接路径上，{head} 的输出取自 A</translation>
    </message>
    <message>
        <source>each head&apos;s output before W_O is A&apos;s</source>
        <translation>各注意力头在 W_O 之前的输出取自 A</translation>
    </message>
    <message>
        <source>each head&apos;s attention weights are A&apos;s, its values stay</source>
        <translation>各注意力头的权重取自 A，值保持不变</translation>
    </message>
    <message>
        <source>what leaves a layer is A&apos;s</source>
        <translation>层的输出取自 A</translation>
    </message>
    <message>
        <source>keys and values that cross-attention reads are A&apos;s</source>
        <translation>交叉注意力读取的键和值取自 A</translation>
    </message>
    <message>
        <source>Carried from A into B: {what}</source>
        <translation>从 A 移植到 B：{what}</translation>
    </message>
    <message>
        <source>measured: log p({word}) at step {step}, A {first}, B {second}</source>
        <translation>测量：第 {step} 步的 log p({word})，A {first}，B {second}</translation>
    </message>
    <message>
        <source>measured: log p({word}) − log p({rival}) at step {step}, A {first}, B {second}</source>
        <translation>测量：第 {step} 步的 log p({word}) − log p({rival})，A {first}，B {second}</translation>
    </message>
    <message>
        <source>effect = (carried − B) / (A − B): 0 as in B, 1 as in A</source>
        <translation>效应 =（移植后 − B）/（A − B）：0 与 B 相同，1 与 A 相同</translation>
    </message>
    <message>
        <source>hatched: not reached without another head in between</source>
        <translation>斜线：不经过其他注意力头就无法到达</translation>
    </message>
    <message>
        <source>hatched: A has no such token</source>
        <translation>斜线：A 中没有对应的词元</translation>
    </message>
    <message>
        <source>Only direct ways count: every other head and feed-forward holds what it computes in B, norms are computed anew. Effects do not add up.</source>
        <translation>只计直接路径：其他注意力头和前馈网络都保持在 B 中的计算结果，归一化重新计算。各效应不能相加。</translation>
    </message>
    <message>
        <source>A cell says what this one place does when it alone is carried over, with these two sentences. Effects do not add up, and a place whose work others take over shows little.</source>
        <translation>每个格子说明在这两个句子中单独移植这一处会怎样。各效应不能相加；若其他部分接替了某处的作用，该处的效应会很小。</translation>
    </message>
    <message>
        <source>Source: {source}.</source>
        <translation>来源：{source}。</translation>
    </message>
    <message>
        <source>Last residual sum</source>
        <translation>最后的残差和</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Encoder self</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>Decoder self</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>layer {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message>
        <source>encoder self</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>decoder self</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>交叉注意力</translation>
    </message>
</context>
<context>
    <name>EncodingPanel</name>
    <message>
        <source>Positions</source>
        <translation>位置数</translation>
    </message>
    <message>
        <source>How many positions to show</source>
        <translation>显示多少个位置</translation>
    </message>
    <message>
        <source>Draw or remove this dimension&apos;s curve; clicking the heatmap does the same</source>
        <translation>画出或移除这一维的曲线；点击热图也可以</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>维</translation>
    </message>
    <message>
        <source>Dimension of a curve</source>
        <translation>画曲线的维</translation>
    </message>
    <message>
        <source>Clear curves</source>
        <translation>清除曲线</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>维度对</translation>
    </message>
    <message>
        <source>Positional encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Angles of rotary positions</source>
        <translation>旋转位置编码的角度</translation>
    </message>
    <message>
        <source>Curves: {dimensions}</source>
        <translation>曲线：{dimensions}</translation>
    </message>
    <message>
        <source>Remove curve</source>
        <translation>移除曲线</translation>
    </message>
    <message>
        <source>Draw curve</source>
        <translation>画曲线</translation>
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
        <source>no model is open; open one first</source>
        <translation>尚未打开模型；请先打开一个模型</translation>
    </message>
    <message>
        <source>{path} holds no result of an experiment; write one with experiment NAME --record</source>
        <translation>{path} 里没有实验结果；请用 experiment NAME --record 写一个</translation>
    </message>
    <message>
        <source>this lesson has no control {control}; it has {known}</source>
        <translation>这一课没有名为 {control} 的控件；现有：{known}</translation>
    </message>
    <message>
        <source>{control} cannot be {value}; it takes {range}</source>
        <translation>{control} 不能设为 {value}；可取 {range}</translation>
    </message>
    <message>
        <source>the lesson {name} is about a translation; open a model and translate a sentence, or name one with --text</source>
        <translation>课程 {name} 讲的是一次翻译；请打开模型并翻译一个句子，或用 --text 给出句子</translation>
    </message>
    <message>
        <source>this translation was made by the model {name}, which is not the one that is open; open that model to go on from here, or translate the sentence anew</source>
        <translation>这个译文由模型 {name} 产生，而当前打开的不是它；要从这里继续，请打开该模型，或重新翻译句子</translation>
    </message>
    <message>
        <source>another model was opened meanwhile; try again</source>
        <translation>其间打开了另一个模型；请重试</translation>
    </message>
    <message>
        <source>the model is still being opened; try again in a moment</source>
        <translation>模型仍在打开；请稍后再试</translation>
    </message>
    <message>
        <source>the translation was stopped after {tokens} tokens, the most that is allowed here; what you see is its beginning</source>
        <translation>译文到 {tokens} 个词元时停止，这是此处允许的上限；您看到的是译文的开头</translation>
    </message>
    <message>
        <source>Headscope ended unexpectedly; runs that can be restored: {count}</source>
        <translation>Headscope 上次意外结束；可恢复 {count} 次解码</translation>
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
        <source>the model {name} at {path} is not the one this session was made with; the traces shown are the old model&apos;s</source>
        <translation>{path} 处的模型 {name} 不是制作此会话时的模型；所显示的解码记录属于原来的模型</translation>
    </message>
    <message>
        <source>there is no layer {value} of {kind} attention; choose one from 1 to {count}</source>
        <translation>{kind} 注意力没有第 {value} 层；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>there is no head {value} to change; choose one from 1 to {count}</source>
        <translation>没有可改动的注意力头 {value}；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>there is no source token {value}; this sentence has the tokens 1 to {count}, the end token included</source>
        <translation>没有源词元 {value}；此句的词元为 1 到 {count}，含终止词元</translation>
    </message>
    <message>
        <source>there is no row {value} of {kind} attention; choose one from 1 to {count}</source>
        <translation>{kind} 注意力没有第 {value} 行；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>row {row} of {kind} attention cannot look at source token {key}, which is blocked; choose another token, or unblock it</source>
        <translation>{kind} 注意力的第 {row} 行不能关注源词元 {key}，因为它已被屏蔽；请选择其他词元，或取消屏蔽</translation>
    </message>
    <message>
        <source>row {row} of decoder_self attention cannot look at step {key}, which comes later; choose a step from 1 to {row}</source>
        <translation>decoder_self 注意力的第 {row} 行不能关注第 {key} 步，因为它在后面；请在第 1 到 {row} 步中选择</translation>
    </message>
    <message>
        <source>the weights of a row must not be negative and must sum to 1; these sum to {total} and the smallest is {least}</source>
        <translation>一行的权重不能为负，且和必须为 1；这些权重的和为 {total}，最小为 {least}</translation>
    </message>
    <message>
        <source>row {row} may attend to {keys} tokens and {count} weights were given; give one for each</source>
        <translation>第 {row} 行可以关注 {keys} 个词元，却给出了 {count} 个权重；请每个词元给一个</translation>
    </message>
    <message>
        <source>{order} is no order of {count} pieces; name each place from 1 to {count} once</source>
        <translation>{order} 不是 {count} 个子词的排列；请把 1 到 {count} 的每个位置各写一次</translation>
    </message>
    <message>
        <source>there is no head {value}; choose one from 1 to {count}</source>
        <translation>没有注意力头 {value}；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>no sentence of {path} can be read by this model; choose a file of shorter sentences</source>
        <translation>{path} 中没有此模型能读的句子；请选择句子更短的文件</translation>
    </message>
    <message>
        <source>the model {name} has no recorded example; give a sentence, --trace or --pairs</source>
        <translation>模型 {name} 没有录制的示例；请给出句子、--trace 或 --pairs</translation>
    </message>
    <message>
        <source>at a width of {width} mm this picture needs a height of {least} mm</source>
        <translation>宽 {width} 毫米时，此图至少需要 {least} 毫米的高度</translation>
    </message>
    <message>
        <source>labels cannot be {size} pt; choose from {low} to {high} pt</source>
        <translation>标签字号不能是 {size} 磅；请选择 {low} 到 {high} 磅</translation>
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
        <source>d_model {d_model} cannot be divided among {n_heads} heads; choose numbers that divide evenly</source>
        <translation>d_model {d_model} 不能平均分给 {n_heads} 个注意力头；请选择能整除的数</translation>
    </message>
    <message>
        <source>all embeddings are tied, but the vocabularies differ ({source} and {target} pieces); use one shared vocabulary or tie fewer</source>
        <translation>所有嵌入都设为共享，但两个词表不同（{source} 与 {target} 个子词）；请使用同一个词表或减少共享</translation>
    </message>
    <message>
        <source>this machine has no {device} that torch can use; choose auto or one of {present}</source>
        <translation>本机没有 torch 可用的 {device}；请选择 auto 或以下之一：{present}</translation>
    </message>
    <message>
        <source>this torch was built without torch.distributed; start one process, without torchrun</source>
        <translation>这个 torch 编译时未包含 torch.distributed；请不用 torchrun，只启动一个进程</translation>
    </message>
    <message>
        <source>the processes of this run could not find one another ({reason}); check the address and port given to torchrun, and start all of them again</source>
        <translation>这次训练的各进程找不到彼此（{reason}）；请检查给 torchrun 的地址和端口，然后全部重新启动</translation>
    </message>
    <message>
        <source>another process of this run has ended or cannot be reached ({reason}); see its messages, then continue from the last save with --resume</source>
        <translation>这次训练的另一个进程已结束或无法连接（{reason}）；请查看它的消息，然后用 --resume 从上次保存处继续</translation>
    </message>
    <message>
        <source>the loss stopped being a number at step {step}; the last good weights are kept: try a lower learning rate, a longer warm-up or float32</source>
        <translation>第 {step} 步时损失不再是数字；已保留最后一份好的权重：请降低学习率、延长预热或改用 float32</translation>
    </message>
    <message>
        <source>{path} already exists; add --resume to continue it, or choose another folder</source>
        <translation>{path} 已存在；加上 --resume 继续训练，或选择其他文件夹</translation>
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
        <source>there is not enough memory for this training; choose a smaller model or smaller batches, or close other programs</source>
        <translation>内存不足，无法进行这次训练；请选用更小的模型或更小的批次，或关闭其他程序</translation>
    </message>
    <message>
        <source>the task {task} has no gold word alignments; choose one of {names}</source>
        <translation>任务 {task} 没有标准词对齐；请选择以下之一：{names}</translation>
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
        <source>the result could not be written to standard output ({reason}); redirect it elsewhere</source>
        <translation>结果无法写到标准输出（{reason}）；请输出到别处</translation>
    </message>
    <message>
        <source>a text or a name contains characters that a command line cannot, such as a line break; do it in this window, or remove them</source>
        <translation>文本或名称中含有命令行无法容纳的字符，例如换行；请在此窗口中操作，或去掉这些字符</translation>
    </message>
    <message>
        <source>there is no sentence on standard input; pipe one in, or give it as an argument</source>
        <translation>标准输入中没有句子；请送入一个句子，或作为参数给出</translation>
    </message>
    <message>
        <source>standard input has a second sentence, in line {line}, but only one is expected; send a single line (translate takes several)</source>
        <translation>标准输入的第 {line} 行还有第二个句子，而这里只要一个；请只送入一行（translate 可以接受多行）</translation>
    </message>
    <message>
        <source>standard input cannot be read ({reason}); pipe in a file or a text</source>
        <translation>无法读取标准输入（{reason}）；请送入文件或文本</translation>
    </message>
    <message>
        <source>standard input is closed; give the sentences as arguments or pipe them in</source>
        <translation>标准输入已关闭；请把句子作为参数给出，或从标准输入送入</translation>
    </message>
    <message>
        <source>the model&apos;s weights are so large that the computation overflows; get a fresh copy of the model, or train it again with a lower learning rate</source>
        <translation>模型的权重过大，计算溢出；请重新获取模型，或降低学习率重新训练</translation>
    </message>
    <message>
        <source>there is no lesson {name}; the lessons are {known}</source>
        <translation>没有名为 {name} 的课程；现有：{known}</translation>
    </message>
    <message>
        <source>there is no experiment {name}; the experiments are {known}</source>
        <translation>没有名为 {name} 的实验；现有 {known}</translation>
    </message>
    <message>
        <source>{setting} is not a setting; write CONTROL=VALUE, such as width=0.4</source>
        <translation>{setting} 不是有效的设置；请写成 控件=值，例如 width=0.4</translation>
    </message>
    <message>
        <source>the model {name} does not use SentencePiece; choose a vocabulary learned here</source>
        <translation>模型 {name} 不用 SentencePiece 切分文本；请看在此学得的词表</translation>
    </message>
    <message>
        <source>the model {name} reads text and writes none; open a model that writes text</source>
        <translation>模型 {name} 只读文本，不写文本；请打开能写文本的模型</translation>
    </message>
    <message>
        <source>no word of the text is masked; type {mask} in place of a word, and the model guesses it</source>
        <translation>文本中没有被遮住的词；请用 {mask} 代替一个词，让模型来猜</translation>
    </message>
    <message>
        <source>the model {name} is run by transformers: only its attention can be shown; open a Headscope bundle or a Marian model to change it</source>
        <translation>模型 {name} 由 transformers 运行：只能查看它的注意力；要改动模型，请打开 Headscope 模型或 Marian 模型</translation>
    </message>
    <message>
        <source>models of type {model_type} do not return attention weights, or not for every layer; open another model</source>
        <translation>类型为 {model_type} 的模型不给出注意力权重，或并非每层都给出；请打开其他模型</translation>
    </message>
    <message>
        <source>models of type {model_type} return attention weights of the shape {shape}, which is not one weight for every query and key; open another model</source>
        <translation>类型为 {model_type} 的模型给出的注意力权重形状为 {shape}，不是每个查询和键各一个权重；请打开其他模型</translation>
    </message>
    <message>
        <source>the attention weights of models of type {model_type} do not sum to 1 in every row (one sums to {total}), so a picture of them would mislead; open another model</source>
        <translation>类型为 {model_type} 的模型给出的注意力权重并非每行之和都为 1（有一行为 {total}），画出来会误导人；请打开其他模型</translation>
    </message>
    <message>
        <source>models of type {model_type} look at later tokens while writing, so they cannot be followed step by step; open another model</source>
        <translation>类型为 {model_type} 的模型在写的时候会看后面的词元，因此不能逐步跟踪；请打开其他模型</translation>
    </message>
    <message>
        <source>models of type {model_type} take images or sound as input, which Headscope cannot give them; record their attention in your own program with recording or save_attention of model.record (README, Record attention elsewhere) and open the trace</source>
        <translation>类型为 {model_type} 的模型以图像或声音为输入，Headscope 无法提供；请在您自己的程序里用 model.record 的 recording 或 save_attention 记录其注意力（见 README 的 Record attention elsewhere 一节），再打开得到的记录（trace）</translation>
    </message>
    <message>
        <source>there are more translations here than Headscope keeps in memory, so the oldest are dropped; bookmark or pin what you want to keep</source>
        <translation>译文已超过 Headscope 在内存中保留的数量，因此最早的已清除；要保留的请加书签或固定</translation>
    </message>
    <message>
        <source>this session cannot be autosaved ({reason}); save it yourself, or free some space</source>
        <translation>无法自动保存此会话（{reason}）；请自行保存，或腾出空间</translation>
    </message>
    <message>
        <source>the disk does not respond; wait, or choose another place</source>
        <translation>磁盘没有响应；请稍候，或选择其他位置</translation>
    </message>
    <message>
        <source>your work here cannot be autosaved ({reason}); save it elsewhere, or close the window again to discard it</source>
        <translation>此处的内容无法自动保存（{reason}）；请保存到别处，或再次关闭窗口以放弃</translation>
    </message>
    <message>
        <source>runs that could not be saved because their traces can no longer be read: {count}, the first “{name}” ({reason}); everything else was saved, and their places are kept</source>
        <translation>因解码记录（trace）已无法读取而未能保存的解码：{count} 次，第一个是“{name}”（{reason}）；其余内容都已保存，它们的位置也保留着</translation>
    </message>
    <message>
        <source>searches too large for a session: {count}; their translations were saved, their trees were not</source>
        <translation>超出会话容量的搜索：{count} 次；译文已保存，搜索树没有保存</translation>
    </message>
    <message>
        <source>{type} is not a model change that this version knows; update Headscope or leave it out</source>
        <translation>{type} 不是此版本认识的模型改动；请升级 Headscope，或去掉它</translation>
    </message>
    <message>
        <source>every source token is blocked, so row {row} of {kind} attention has nothing to look at; unblock one</source>
        <translation>所有源词元都被屏蔽，{kind} 注意力的第 {row} 行没有可关注的词元；请取消屏蔽其中之一</translation>
    </message>
    <message>
        <source>the decoder cannot be inspected without a translation; translate a sentence first</source>
        <translation>还没有可用来观察解码器的译文；请先翻译一个句子</translation>
    </message>
    <message>
        <source>the gradients of {source} source tokens and {steps} steps would take {size} MB, more than the limit of {limit} MB; choose a shorter sentence</source>
        <translation>{source} 个源词元、{steps} 步的梯度需要 {size} MB，超过允许的 {limit} MB；请选择更短的句子</translation>
    </message>
    <message>
        <source>there is no translation yet to measure the heads on; translate a sentence first</source>
        <translation>还没有可以测量注意力头的译文；请先翻译一个句子</translation>
    </message>
    <message>
        <source>{path} has no translations to align; choose a file of pairs</source>
        <translation>{path} 中没有可与词对齐对应的译文；请选择句对文件</translation>
    </message>
    <message>
        <source>{path} has {count} lines of alignments and none for line {line} of the pairs; the two files must match line by line</source>
        <translation>{path} 有 {count} 行词对齐，缺少句对第 {line} 行的对齐；两者必须逐行对应</translation>
    </message>
    <message>
        <source>this text has too few different pieces to reorder; type a few words</source>
        <translation>这段文本没有两个不同的子词可以换序；请输入几个词</translation>
    </message>
    <message>
        <source>this order is the same as the original one; choose another</source>
        <translation>按这个词序，子词读来与原来相同；请选择另一种词序</translation>
    </message>
    <message>
        <source>{text} is not a head; write KIND:LAYER:HEAD or KIND:LAYER, with =FACTOR behind it to scale instead of switching off, such as cross:2:3 or cross:2:3=0.5 (KIND is encoder_self, decoder_self or cross, all counted from 1)</source>
        <translation>{text} 没有指明注意力头；请写 KIND:LAYER:HEAD 或 KIND:LAYER，后面加 =FACTOR 表示缩放而不是关闭，例如 cross:2:3 或 cross:2:3=0.5（KIND 为 encoder_self、decoder_self 或 cross，编号均从 1 开始）</translation>
    </message>
    <message>
        <source>{path} does not say which format to write; end the name in .png, .svg, .pdf, .gif, .webp, .csv, .npz, .trace or .pharaoh</source>
        <translation>{path} 没有说明要写的格式；名称请以 .png、.svg、.pdf、.gif、.webp、.csv、.npz、.trace 或 .pharaoh 结尾</translation>
    </message>
    <message>
        <source>{path} does not say which format to write; end the name in .png, .svg, .pdf or .csv</source>
        <translation>{path} 没有说明要写的格式；名称请以 .png、.svg、.pdf 或 .csv 结尾</translation>
    </message>
    <message>
        <source>the data of this figure cannot be saved as {path}; end the name in .csv, .png, .svg or .pdf</source>
        <translation>{path} 无法存放这幅图的数据；名称请以 .csv 结尾，或以 .png、.svg、.pdf 结尾</translation>
    </message>
    <message>
        <source>{path} is a file of word links; choose the alignment to export</source>
        <translation>{path} 用来存放词对齐；请选择导出词对齐</translation>
    </message>
    <message>
        <source>the numbers of this figure are still being computed; try again in a moment</source>
        <translation>这幅图的数值还在计算；请稍后再试</translation>
    </message>
    <message>
        <source>these numbers are not in the trace but are computed by the model {name}; open that model, or name it with --model</source>
        <translation>这些数值不在解码记录中，而要由模型 {name} 算出；请打开该模型，或用 --model 指明它</translation>
    </message>
    <message>
        <source>the positions of {name} are learned, so no pair of dimensions rotates; choose sinusoids instead</source>
        <translation>{name} 的位置编码是学得的，没有哪一对维度在旋转；请改选正弦编码</translation>
    </message>
    <message>
        <source>a trace does not contain the positional encoding; name its model with --model</source>
        <translation>解码记录不含位置编码；请用 --model 指明其模型</translation>
    </message>
    <message>
        <source>view {view} has no set of all {each}; leave out --each</source>
        <translation>视图 {view} 没有“所有 {each}”这一组文件；请去掉 --each</translation>
    </message>
    <message>
        <source>there is no block {value}; the blocks are {known}, …</source>
        <translation>没有模块 {value}；有 {known}、…</translation>
    </message>
    <message>
        <source>a maximum height of {height} mm is not possible; choose from {low} to {high} mm</source>
        <translation>图片的最大高度不能是 {height} 毫米；请选择 {low} 到 {high} 毫米</translation>
    </message>
    <message>
        <source>{where} lacks {field!r}; the file is incomplete, get a fresh copy of the model</source>
        <translation>{where} 缺少 {field!r}；文件不完整，请重新获取模型</translation>
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
        <source>cannot read the tokenizer {path} ({reason}); check the file and its permissions</source>
        <translation>无法读取分词器 {path}（{reason}）；请检查文件及其权限</translation>
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
        <source>{path} has no {name} piece, and a Transformer needs one; choose a SentencePiece model with pad, unk, bos and eos, or let a vocabulary be learned</source>
        <translation>{path} 没有 {name} 子词，而 Transformer 需要它；请选择含有 pad、unk、bos 和 eos 的 SentencePiece 模型，或让程序学习词表</translation>
    </message>
    <message>
        <source>{path} and {other} number their pad, unk, bos and eos pieces differently; choose two vocabularies that agree, or one for both languages</source>
        <translation>{path} 与 {other} 对 pad、unk、bos 和 eos 子词的编号不同；请选择编号一致的两个词表，或两种语言共用一个词表</translation>
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
        <source>there is no .txt, .tsv or .csv file in {path}; unpack it and name the file of sentence pairs</source>
        <translation>{path} 中没有 .txt、.tsv 或 .csv 文件；请解压后给出句对文件</translation>
    </message>
    <message>
        <source>there is no text encoding {name}; name one such as utf-8, cp1252, gb18030 or shift_jis</source>
        <translation>没有名为 {name} 的文本编码；请给出 utf-8、cp1252、gb18030 或 shift_jis 之类的编码</translation>
    </message>
    <message>
        <source>line {line} of {path} is longer than {most} characters; choose a file of sentence pairs, one in each line</source>
        <translation>{path} 的第 {line} 行超过 {most} 个字符；请选择每行一个句对的文件</translation>
    </message>
    <message>
        <source>the first line of {path} names no column {name}; it names {names}</source>
        <translation>{path} 的第一行没有名为 {name} 的列；它的列名是 {names}</translation>
    </message>
    <message>
        <source>there are no sentence pairs in {path}; choose a file that holds sentences and their translations</source>
        <translation>{path} 中没有句对；请选择含有句子及其译文的文件</translation>
    </message>
    <message>
        <source>there are no sentences in {path}; choose a text file with one sentence a line</source>
        <translation>{path} 中没有句子；请选择每行一个句子的文本文件</translation>
    </message>
    <message>
        <source>the link {token} in line {line} counts words from 0; choose to count them from 0</source>
        <translation>第 {line} 行的对齐 {token} 从 0 起给词编号；请选择从 0 起编号</translation>
    </message>
    <message>
        <source>{path} is not a text file of links; choose a file in Pharaoh format</source>
        <translation>{path} 不是对齐的文本文件；请选择 Pharaoh 格式的文件</translation>
    </message>
    <message>
        <source>there is no line {line} in {path}, which has {count}; choose one from 1 to {count}</source>
        <translation>{path} 没有第 {line} 行，它共有 {count} 行；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>line {line} of the pairs: {problem}</source>
        <translation>句对第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>there is no line {line} in {path}; give the words of every pair</source>
        <translation>{path} 没有第 {line} 行；请给出每个句对的词</translation>
    </message>
    <message>
        <source>no sentence pair of {path} could be read by the model; choose shorter ones</source>
        <translation>{path} 中没有模型能读的句对；请选择更短的句对</translation>
    </message>
    <message>
        <source>the model {name} has no positional encoding that can be shown; choose another view or model</source>
        <translation>模型 {name} 没有可以显示的位置编码；请选择其他视图或模型</translation>
    </message>
    <message>
        <source>there are several text files in {path}; unpack it and name the file of sentence pairs</source>
        <translation>{path} 中有多个文本文件；请解压后给出句对文件</translation>
    </message>
    <message>
        <source>the model in {path} is run by the transformers package, which is not installed; install it with: pip install &apos;headscope[hf]&apos;</source>
        <translation>{path} 中的模型由 transformers 包运行，而它尚未安装；请安装：pip install &apos;headscope[hf]&apos;</translation>
    </message>
    <message>
        <source>models of type {model_type} do not read or write text in a way that this version knows; open another model</source>
        <translation>类型为 {model_type} 的模型读写文本的方式是此版本不认识的；请打开其他模型</translation>
    </message>
    <message>
        <source>models of type {model_type} cannot be run on text alone ({reason}); open another model</source>
        <translation>类型为 {model_type} 的模型不能只凭文本运行（{reason}）；请打开其他模型</translation>
    </message>
    <message>
        <source>the model {name} of this session is not at {path}; its traces are shown; open the model to make more</source>
        <translation>此会话的模型 {name} 不在 {path}；已显示其解码记录；要再生成，请打开该模型</translation>
    </message>
    <message>
        <source>line {line} of {path} has no tab; each line must be a sentence, a tab and its translation</source>
        <translation>{path} 的第 {line} 行没有制表符；每行必须是一个句子、一个制表符和它的译文</translation>
    </message>
    <message>
        <source>this page shows no figure yet; look at one first</source>
        <translation>此页还没有显示图；请先查看一幅图</translation>
    </message>
    <message>
        <source>a sentence here has at most {most} characters, and what came after them was left out; shorten it, or translate it in parts</source>
        <translation>此处的句子最多 {most} 个字符，其余部分已略去；请缩短文本，或分几次翻译</translation>
    </message>
    <message>
        <source>only a Linux desktop is told of Headscope in this way; on Windows and macOS make a shortcut to the program yourself</source>
        <translation>只有 Linux 桌面可以这样登记 Headscope；在 Windows 和 macOS 上请自行为程序创建快捷方式</translation>
    </message>
    <message>
        <source>the extension {name} of the package {package} is left out: {reason}; update or remove the package, and tell those who made it</source>
        <translation>软件包 {package} 的扩展 {name} 未被使用：{reason}；请更新或移除该软件包，并告知其作者</translation>
    </message>
    <message>
        <source>this copy of Headscope shows what was recorded and runs no model; get the whole of Headscope, which has torch, for that</source>
        <translation>此份 Headscope 只显示已记录的内容，不运行模型；若要运行模型，请使用带有 torch 的完整版 Headscope</translation>
    </message>
    <message>
        <source>the Python package {package} is not installed; in the folder of Headscope, pip install -c constraints.txt -e . installs what it needs</source>
        <translation>未安装 Python 包 {package}；请在 Headscope 的文件夹中运行 pip install -c constraints.txt -e . 安装所需的包</translation>
    </message>
    <message>
        <source>this model writes all tokens at once, in rounds, and not one after the other; translate in rounds (--rounds), and look at each round</source>
        <translation>该模型一次写出全部词元，再逐轮修改，而不是逐个生成；请按轮翻译（--rounds），并逐轮查看</translation>
    </message>
    <message>
        <source>the model {name} writes one token after the other and not in rounds; choose greedy, beam search or sampling</source>
        <translation>模型 {name} 逐个生成词元，不按轮生成；请选择贪心、束搜索或采样</translation>
    </message>
    <message>
        <source>the rows of this model&apos;s decoder_self attention are as long as the translation, which is not known before; name a key, or let the row be uniform</source>
        <translation>该模型解码器自注意力的每一行与译文等长，事先不知道长度；请指定一个键，或让该行均匀分布</translation>
    </message>
    <message>
        <source>there is no method {name}; the methods are {known}</source>
        <translation>没有名为 {name} 的方法；可用的方法有 {known}</translation>
    </message>
    <message>
        <source>there is only one token to take away here: choose a later step, or the source</source>
        <translation>这里只有一个词元可以拿走：请选择后面的一步，或选择源句</translation>
    </message>
    <message>
        <source>this map is of {given} tokens, and what is read here is {count}</source>
        <translation>这张图有 {given} 个词元，而这里读入的是 {count} 个</translation>
    </message>
    <message>
        <source>{word} is no word that this model can write; type another one</source>
        <translation>{word} 不是此模型能写出的词；请换一个词</translation>
    </message>
    <message>
        <source>the trace is of the model {trace} and --general would tell of {name}; name the trace&apos;s own model with --model</source>
        <translation>这份解码记录属于模型 {trace}，而 --general 说的是 {name}；请用 --model 指明记录自己的模型</translation>
    </message>
    <message>
        <source>no family of attention can be compared with {name} ({size}); this sentence has {sizes}</source>
        <translation>没有哪一类注意力能与 {name}（{size}）比较；这个句子有 {sizes}</translation>
    </message>
    <message>
        <source>{path} is no drawn pattern; write a line a query with a number from 0 up for each key, apart by commas</source>
        <translation>{path} 不是画好的模式；请每个查询写一行，每个键写一个不小于 0 的数，用逗号隔开</translation>
    </message>
    <message>
        <source>the model {name} is run by transformers: its heads, rows and tokens can be changed, its positions, the order of its pieces and the layer that is read cannot; leave that change out</source>
        <translation>模型 {name} 由 transformers 运行：可以改动它的头、注意力的行和词元，不能改动位置编码、子词的顺序和所读的层；请去掉该改动</translation>
    </message>
    <message>
        <source>the model {name} is run by transformers: this is not worked out of such models; open a Headscope bundle or a Marian model for it</source>
        <translation>模型 {name} 由 transformers 运行：这一项不对这类模型计算；请为此打开 Headscope 模型或 Marian 模型</translation>
    </message>
    <message>
        <source>a tour of eight steps goes from a sentence to the next word; Help has it too</source>
        <translation>八步导览带你从一个句子走到下一个词；“帮助”菜单里也有</translation>
    </message>
    <message>
        <source>this model has no {kind} attention; choose another kind</source>
        <translation>该模型没有 {kind} 注意力；请选择另一种</translation>
    </message>
    <message>
        <source>one sentence is too little to draw a head&apos;s output from another one; give a file of two at least, or choose --with zero</source>
        <translation>只有一个句子，无法从另一句抽取注意力头的输出；请给出至少两句的文件，或选择 --with zero</translation>
    </message>
    <message>
        <source>this model copies words by the weights of its heads, which have no mean or resampled output in that; switch its heads off with zero</source>
        <translation>这个模型按注意力头的权重复制词，这种复制没有均值或重抽样的输出；请用零来关掉它的头</translation>
    </message>
    <message>
        <source>there is no encoder layer {value} to read; choose one from 0 (the embeddings) to {count}</source>
        <translation>没有可读取的编码器第 {value} 层；请在 0（词嵌入）到 {count} 之间选择</translation>
    </message>
    <message>
        <source>numbers carried in from another text stand only in the translation that they make; nothing more is worked out inside it: look at the translation that it was made from</source>
        <translation>从另一文本移植来的数值只存在于它们产生的译文中，不能在其中再作计算；请查看它所依据的原译文</translation>
    </message>
    <message>
        <source>A is altered itself, and a translation keeps only numbers of a plain one; make A anew without changes, or look at the effects alone</source>
        <translation>A 本身已被改动，而译文只能保留未改动运行的数值；请重新生成不带改动的 A，或只看效应</translation>
    </message>
    <message>
        <source>what is carried in was made for {count} source tokens, and this sentence has {tokens}</source>
        <translation>移植的数值对应 {count} 个源词元，而此句有 {tokens} 个</translation>
    </message>
    <message>
        <source>A and B are the same translation, so nothing tells them apart; name the step to look at</source>
        <translation>A 与 B 的译文相同，无从区分；请指定要看的步</translation>
    </message>
    <message>
        <source>there is no step {step} in the translation of B; choose one from 1 to {count}</source>
        <translation>B 的译文没有第 {step} 步；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>step {step} of B reads a word that A does not have, so that A has no such step; choose another</source>
        <translation>B 的第 {step} 步读入的词在 A 中没有，因此 A 没有对应的步；请另选一步</translation>
    </message>
    <message>
        <source>A and B hardly differ at step {step}: {measure} is {first} in A and {second} in B; the effect is a share of that difference, which is too small to divide by; choose another step or other words</source>
        <translation>A 与 B 在第 {step} 步几乎没有差别：{measure} 在 A 中为 {first}，在 B 中为 {second}；效应是该差值的比例，而差值太小，不能作除数；请另选一步或别的词</translation>
    </message>
    <message>
        <source>A and B come from different models; numbers can be carried only within one</source>
        <translation>A 与 B 来自不同的模型；数值只能在同一模型内移植</translation>
    </message>
    <message>
        <source>these texts are too long to carry every head and position over ({size} MB at a time, and the limit is {limit} MB); choose shorter ones</source>
        <translation>文本太长，无法移植每个注意力头和位置（一次需要 {size} MB，上限为 {limit} MB）；请选择更短的文本</translation>
    </message>
    <message>
        <source>the final residual sum is a receiver by itself; name it alone, or heads alone</source>
        <translation>最后的残差和只能单独作为接收方；请只指定它，或只指定注意力头</translation>
    </message>
    <message>
        <source>{receiver} is not reached from {sender} without another head in between; choose one that reads what comes after it</source>
        <translation>不经过其他注意力头，{sender} 无法到达 {receiver}；请选择读取其后内容的接收方</translation>
    </message>
    <message>
        <source>{text} is no receiver; write KIND:LAYER:HEAD:q, such as cross:2:3:q (or :k or :v), or final</source>
        <translation>{text} 不是接收方；请写 KIND:LAYER:HEAD:q，例如 cross:2:3:q（或 :k、:v），或写 final</translation>
    </message>
    <message>
        <source>{text} is no head; write KIND:LAYER:HEAD, such as encoder_self:2:3</source>
        <translation>{text} 不是注意力头；请写 KIND:LAYER:HEAD，例如 encoder_self:2:3</translation>
    </message>
    <message>
        <source>the contributions of {source} source tokens and {steps} steps would take {size} MB, more than the limit of {limit} MB; choose a shorter sentence</source>
        <translation>{source} 个源词元和 {steps} 步的贡献需要 {size} MB，超过上限 {limit} MB；请选择较短的句子</translation>
    </message>
    <message>
        <source>nothing that {kind} attention of layer {layer} reads at token {token} points where its output does, so that there is nothing to share out; fewer alterations may help</source>
        <translation>第 {layer} 层 {kind} 注意力在第 {token} 个词元处读入的内容都不指向其输出的方向，因此没有可分配的贡献；减少干预或许有用</translation>
    </message>
    <message>
        <source>value zeroing of {source} source tokens and {steps} steps would compute {count} million positions of a layer again, more than the limit of {limit} million; choose a shorter sentence</source>
        <translation>{source} 个源词元和 {steps} 步的值置零要重新计算 {count} 百万个层内位置，超过上限 {limit} 百万；请选择较短的句子</translation>
    </message>
    <message>
        <source>the encoder has read the whole sentence before the first step; leave --step out, or choose another --kind</source>
        <translation>编码器在第一步之前已读完整个句子；请去掉 --step，或选择另一个 --kind</translation>
    </message>
    <message>
        <source>without the values of any token that {kind} attention of layer {layer} reads, its output at token {token} stays the same, so that there is nothing to share out; fewer alterations may help</source>
        <translation>无论去掉第 {layer} 层 {kind} 注意力所读的哪个词元的值，它在第 {token} 个词元处的输出都不变，因此没有可分配的份额；减少干预或许有用</translation>
    </message>
    <message>
        <source>this figure has no table of numbers for {path}; end the name in .png, .svg or .pdf</source>
        <translation>这幅图没有可写入 {path} 的数值表；名称请以 .png、.svg 或 .pdf 结尾</translation>
    </message>
    <message>
        <source>only a map, all heads or words can be animated; choose one of these, or write a picture</source>
        <translation>只有热图、所有注意力头或文字可以做成动画；请选择其中之一，或改写图片</translation>
    </message>
    <message>
        <source>only cross-attention aligns words; choose cross</source>
        <translation>只有交叉注意力能对齐词；请选择 cross</translation>
    </message>
    <message>
        <source>there is no query {value}; the rows of this map count from 1 to {count}</source>
        <translation>没有查询 {value}；此图的行编号为 1 到 {count}</translation>
    </message>
    <message>
        <source>there is no key {value}; the columns of this map count from 1 to {count}</source>
        <translation>没有键 {value}；此图的列编号为 1 到 {count}</translation>
    </message>
    <message>
        <source>the arithmetic is that of one head, not of a mean; choose a head</source>
        <translation>只能计算单个注意力头，不能计算平均；请选择一个注意力头</translation>
    </message>
    <message>
        <source>nothing has been translated yet; translate a sentence or open a trace first</source>
        <translation>还没有任何译文；请先翻译一个句子或打开一份解码记录</translation>
    </message>
    <message>
        <source>a positional encoding cannot be saved as a trace, so {path} was not written; choose .csv or .npz</source>
        <translation>位置编码不能保存为解码记录，因此没有写 {path}；请选择 .csv 或 .npz</translation>
    </message>
    <message>
        <source>a difference needs two runs; pin one and look at another, or name a second trace with --compare</source>
        <translation>求差值需要两次解码；请固定一次并查看另一次，或用 --compare 指明第二份解码记录</translation>
    </message>
    <message>
        <source>there is no {kind} attention in one of the two runs; choose another family</source>
        <translation>两次解码之一没有 {kind} 注意力；请选择另一类</translation>
    </message>
    <message>
        <source>a difference cannot be animated; end the file&apos;s name in .png, .svg, .pdf, .csv or .npz</source>
        <translation>差值不能做成动画；文件名请以 .png、.svg、.pdf、.csv 或 .npz 结尾</translation>
    </message>
    <message>
        <source>a difference cannot be saved as a trace, so {path} was not written; choose .csv or .npz</source>
        <translation>差值不能保存为解码记录，因此没有写 {path}；请选择 .csv 或 .npz</translation>
    </message>
    <message>
        <source>--path carries one head&apos;s output, so it goes without --what and --by, --into needs --path, and the residual stream has no heads, so it goes without --by head</source>
        <translation>--path 只移植一个头的输出，所以不与 --what、--by 同用；--into 需要 --path；残差流没有头，所以不与 --by head 同用</translation>
    </message>
    <message>
        <source>there is no {kind} attention in this trace; it has {kinds}</source>
        <translation>此解码记录中没有 {kind} 注意力；它有 {kinds}</translation>
    </message>
    <message>
        <source>there is no layer {value}; choose one from 1 to {count}</source>
        <translation>没有第 {value} 层；请在 1 到 {count} 之间选择</translation>
    </message>
    <message>
        <source>what a head does in general is said of one head, not of a mean; choose a head</source>
        <translation>一般作用是单个注意力头的，不是平均值的；请选一个注意力头</translation>
    </message>
    <message>
        <source>there is no head {value}; choose one from 1 to {count}, or mean</source>
        <translation>没有注意力头 {value}；请在 1 到 {count} 之间选择，或选 mean（平均）</translation>
    </message>
    <message>
        <source>the model {name} has no positions called {stack}; leave --stack out to take the first</source>
        <translation>模型 {name} 没有名为 {stack} 的位置编码；不写 --stack 则取第一个</translation>
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
        <source>{n_heads} heads cannot share {kv_heads} heads of keys and values; choose a number that divides {n_heads} evenly</source>
        <translation>{n_heads} 个注意力头不能平均共用 {kv_heads} 组键和值；请选择能整除 {n_heads} 的数</translation>
    </message>
    <message>
        <source>words can be copied from source to target only where both share one vocabulary</source>
        <translation>源端与目标端共用一个词表时才能复制词</translation>
    </message>
    <message>
        <source>token number {id} is outside the vocabulary of {vocab} pieces; it belongs to another model or tokenizer</source>
        <translation>词元编号 {id} 超出了 {vocab} 个子词的词表；它属于别的模型或分词器</translation>
    </message>
    <message>
        <source>there is no tokenizer file {path}; check the name, or get a fresh copy of the model</source>
        <translation>没有分词器文件 {path}；请检查名称，或重新获取模型</translation>
    </message>
    <message>
        <source>{path} is not a SentencePiece tokenizer ({reason}); get a fresh copy of the file</source>
        <translation>{path} 不是 SentencePiece 分词器（{reason}）；请重新获取文件</translation>
    </message>
    <message>
        <source>{path} is damaged or not a safetensors file ({reason}); get a fresh copy of the file</source>
        <translation>{path} 已损坏或不是 safetensors 文件（{reason}）；请重新获取文件</translation>
    </message>
    <message>
        <source>there is no model in {path} itself, only in its subfolders; open {names}</source>
        <translation>{path} 中没有模型，模型在其子文件夹中；请打开 {names}</translation>
    </message>
    <message>
        <source>{path} contains weights but no config.json, so the kind of model is unknown; get a fresh copy of the model with all its files</source>
        <translation>{path} 有权重而没有 config.json，无法知道是什么模型的权重；请重新获取模型的全部文件</translation>
    </message>
    <message>
        <source>{path} describes a model but contains no weights; get a fresh copy of the model with model.safetensors or pytorch_model.bin</source>
        <translation>{path} 描述了模型，却没有权重；请重新获取模型，连同 model.safetensors 或 pytorch_model.bin</translation>
    </message>
    <message>
        <source>{path} contains only an adapter ({name}), which changes another model; merge it into that model (peft: merge_and_unload), save the result, and open that folder</source>
        <translation>{path} 只有适配器（{name}），它改动的是另一个模型；请将它合并到那个模型中（peft：merge_and_unload），保存整个模型，再打开该文件夹</translation>
    </message>
    <message>
        <source>{path} contains the model only in the GGUF format ({name}), whose attention cannot be seen; get the same model as safetensors</source>
        <translation>{path} 中的模型只有 GGUF 格式（{name}），无法看到其注意力；请获取同一模型的 safetensors 版本</translation>
    </message>
    <message>
        <source>{path} contains the model only for TensorFlow ({name}); get the same model as safetensors</source>
        <translation>{path} 中的模型只有 TensorFlow 版本（{name}）；请获取同一模型的 safetensors 版本</translation>
    </message>
    <message>
        <source>{path} contains the model only for Flax ({name}); get the same model as safetensors</source>
        <translation>{path} 中的模型只有 Flax 版本（{name}）；请获取同一模型的 safetensors 版本</translation>
    </message>
    <message>
        <source>{path} contains the model only in the ONNX format ({name}), whose attention cannot be seen; get the same model as safetensors</source>
        <translation>{path} 中的模型只有 ONNX 格式（{name}），无法看到其注意力；请获取同一模型的 safetensors 版本</translation>
    </message>
    <message>
        <source>{path} contains a checkpoint of a training program ({name}), which could run foreign code and is never loaded; convert it to the Hugging Face format and open that folder</source>
        <translation>{path} 中是训练程序的检查点（{name}），它可能运行外来代码，因此从不加载；请转换为 Hugging Face 格式，再打开该文件夹</translation>
    </message>
    <message>
        <source>{path} lists the file {name!r}, which is not the name of a file in it; get a fresh copy of the model</source>
        <translation>{path} 列出的文件中有 {name!r}，它不是文件夹内的文件名；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} lacks the file {name}, which its index lists; get a fresh copy of the model with all its files</source>
        <translation>{path} 缺少其索引列出的文件 {name}；请重新获取模型的全部文件</translation>
    </message>
    <message>
        <source>the weights in {path} are quantized, so only a changed model could be shown; get the original model (float16, bfloat16 or float32)</source>
        <translation>{path} 中的权重经过量化，只能显示一个已改变的模型；请获取量化之前的模型（float16、bfloat16 或 float32）</translation>
    </message>
    <message>
        <source>{path} contains no tokenizer, so no text can be read; get a fresh copy of the model with tokenizer.json</source>
        <translation>{path} 中没有分词器，无法读文本；请重新获取模型，连同 tokenizer.json</translation>
    </message>
    <message>
        <source>the model in {path} needs the tokenizer {name}, which the installed transformers package does not have; update it, or get a model with another tokenizer</source>
        <translation>{path} 中的模型需要分词器 {name}，而已安装的 transformers 包没有它；请更新该包，或获取使用其他分词器的模型</translation>
    </message>
    <message>
        <source>the tokenizer in {path} cannot be used ({reason}); get a fresh copy of the model</source>
        <translation>{path} 中的分词器无法使用（{reason}）；请重新获取模型</translation>
    </message>
    <message>
        <source>the model&apos;s tokenizer cannot process this text ({reason}); try another text, or get a fresh copy of the model</source>
        <translation>模型的分词器无法处理这段文本（{reason}）；请换一段文本，或重新获取模型</translation>
    </message>
    <message>
        <source>config.json in {path} describes a model larger than its weights; get a fresh copy of the model</source>
        <translation>{path} 中的 config.json 描述的模型比其权重大；请重新获取模型</translation>
    </message>
    <message>
        <source>the model in {path} needs {needed} of memory, but this machine has {there}; choose a smaller model</source>
        <translation>{path} 中的模型需要 {needed} 内存，而本机有 {there}；请选择更小的模型</translation>
    </message>
    <message>
        <source>{path} lacks {count} of the weights that its config.json asks for (the first is {name}), which would have to be invented; get a complete copy of the model</source>
        <translation>{path} 缺少其 config.json 要求的 {count} 个权重（第一个是 {name}），只能凭空编造；请重新获取完整的模型</translation>
    </message>
    <message>
        <source>the transformers package cannot load the model in {path} ({reason}); update it, or get a fresh copy of the model</source>
        <translation>transformers 包无法加载 {path} 中的模型（{reason}）；请更新该包，或重新获取模型</translation>
    </message>
    <message>
        <source>{path} is a link that leads out of the model&apos;s folder and is not followed; put the file itself there</source>
        <translation>{path} 是指向模型文件夹之外的链接，不会跟随；请把文件本身放在那里</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}); get a fresh copy of the model</source>
        <translation>{path} 已损坏（{reason}）；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} has {found} pieces, but the model needs {wanted}; get a fresh copy of the model</source>
        <translation>{path} 有 {found} 个子词，而模型需要 {wanted} 个；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} gives its {name} token the id {found}, but config.json says {wanted}; get a fresh copy of the model</source>
        <translation>{path} 中 {name} 词元的编号是 {found}，而 config.json 写的是 {wanted}；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} lacks the tensor {name!r}; get a fresh copy of the model</source>
        <translation>{path} 缺少张量 {name!r}；请重新获取模型</translation>
    </message>
    <message>
        <source>{path} contains the tensor {name!r}, which is not part of this architecture; check config.json or get a fresh copy of the model</source>
        <translation>{path} 含有此结构容纳不下的张量 {name!r}；请检查 config.json 或重新获取模型</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} has the shape {found} where {wanted} is needed; check config.json or get a fresh copy of the model</source>
        <translation>{path} 中张量 {name!r} 的形状是 {found}，而需要 {wanted}；请检查 config.json 或重新获取模型</translation>
    </message>
    <message>
        <source>{path} is damaged or contains more than weights ({reason}), so it is not opened; get a fresh copy of the model, preferably as model.safetensors</source>
        <translation>{path} 已损坏，或含有权重以外的内容（{reason}），因此不打开；请重新获取模型，最好是 model.safetensors</translation>
    </message>
    <message>
        <source>the Marian model in {path} differs from those that Headscope computes itself ({reason}); it can be opened with the transformers package; install it with: pip install &apos;headscope[hf]&apos;</source>
        <translation>{path} 中的 Marian 模型与 Headscope 自己计算的那些不同（{reason}）；可用 transformers 包打开，请安装：pip install &apos;headscope[hf]&apos;</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} contains numbers that are not finite; get a fresh copy of the model, or train from the last good state</source>
        <translation>{path} 中张量 {name!r} 含有非有限的数；请重新获取模型，或从最后一个好的状态继续训练</translation>
    </message>
    <message>
        <source>{wanted} processes need one CUDA device each and this machine has {count}; start no more processes than devices, or choose the device cpu</source>
        <translation>{wanted} 个进程各需要一个 CUDA 设备，而本机有 {count} 个；请按设备数启动进程，或选择设备 cpu</translation>
    </message>
    <message>
        <source>{name} is {value!r}, which is not a value that a launcher sets; start this command with torchrun, or unset RANK and WORLD_SIZE</source>
        <translation>{name} 为 {value!r}，没有启动器会这样写；请用 torchrun 启动此命令，或取消设置 RANK 和 WORLD_SIZE</translation>
    </message>
    <message>
        <source>BatchNorm is trained by one process alone, since its statistics are those of the whole batch; start one without torchrun, or choose LayerNorm</source>
        <translation>BatchNorm 只能由一个进程训练，因为它的统计量属于整个批次；请不用 torchrun 启动一个进程，或选用 LayerNorm</translation>
    </message>
    <message>
        <source>the training is being saved, then this window closes; close it again to quit at once, and the training resumes from its last save next time</source>
        <translation>正在保存训练，保存后窗口会自行关闭；再次关闭则立即结束，下次从上一次保存处继续训练</translation>
    </message>
    <message>
        <source>the training state belongs to a different model; start a new run</source>
        <translation>训练状态不属于这个模型；请重新开始训练</translation>
    </message>
    <message>
        <source>{path} contains no training state; a finished bundle cannot be resumed, start a new run</source>
        <translation>{path} 中没有训练状态；已完成的模型不能继续训练，请重新开始</translation>
    </message>
    <message>
        <source>{field} was {old} when this run began and is {new} now, but the cosine schedule was planned to end there; resume with the same value, or start a new run that sets where the cosine ends (cosine_steps)</source>
        <translation>开始训练时 {field} 是 {old}，现在是 {new}，而余弦调度正是按原值安排终点的；请用相同的值继续，或重新开始一次写明余弦终点（cosine_steps）的训练</translation>
    </message>
    <message>
        <source>the model {name} continues text and does not translate, so there is nothing to compare with translations; choose a model that translates</source>
        <translation>模型 {name} 只会续写文本而不翻译，因此没有可与译文比较的内容；请选择会翻译的模型</translation>
    </message>
    <message>
        <source>{path} is damaged or not the kind of archive its name says; get a fresh copy, or unpack it and name the text file</source>
        <translation>{path} 已损坏，或不是其名称所说的压缩格式；请重新获取，或解压后给出文本文件</translation>
    </message>
    <message>
        <source>line {line} of {path} is not UTF-8 text; save the file again as UTF-8, or give its encoding</source>
        <translation>{path} 的第 {line} 行不是 UTF-8 文本；请将文件重新存为 UTF-8，或指明其编码</translation>
    </message>
    <message>
        <source>line {line} of {path} is not {encoding} text; give the file&apos;s encoding, or save it again as UTF-8</source>
        <translation>{path} 的第 {line} 行不是 {encoding} 文本；请指明文件的编码，或将其重新存为 UTF-8</translation>
    </message>
    <message>
        <source>line {line} of {path} has no column {column}; it has {count}: {columns}; choose one of them, or correct the line</source>
        <translation>{path} 的第 {line} 行没有列 {column}；它有 {count} 列：{columns}；请从中选择，或修正这一行</translation>
    </message>
    <message>
        <source>line {line} of {path} is not CSV ({reason}); enclose text that contains quotes in quotes, and double the quotes inside it</source>
        <translation>{path} 的第 {line} 行不是 CSV（{reason}）；含引号的文本请用引号括起，其中每个引号写两遍</translation>
    </message>
    <message>
        <source>{path} has {count} lines and {other} has {other_count}; they must be translations of each other, line by line</source>
        <translation>{path} 有 {count} 行，而 {other} 有 {other_count} 行；两者必须逐行互为译文</translation>
    </message>
    <message>
        <source>the line has {letters} characters, and at most {most} are read as one sentence; put one sentence on a line</source>
        <translation>这一行有 {letters} 个字符，而一个句子最多读 {most} 个；请每行只放一个句子</translation>
    </message>
    <message>
        <source>{token!r} in line {line} is not a link; write i-j for a sure link, ipj or i?j for a possible one, separated by spaces</source>
        <translation>第 {line} 行的 {token!r} 不是对齐；确定的写 i-j，可能的写 ipj 或 i?j，之间用空格隔开</translation>
    </message>
    <message>
        <source>the link {link} in line {line} joins words that do not exist (the source has {source}, the target {target}); if its words count from 1, choose that, else choose the line of this sentence</source>
        <translation>第 {line} 行的对齐 {link} 所连的词不存在，源句和译文各有 {source} 个和 {target} 个词；若它从 1 起编号，请选择从 1 起，否则请选择属于此句的那一行</translation>
    </message>
    <message>
        <source>the link {link} in line {line} joins words that do not exist (the source has {source}, the target {target}); choose the line of this sentence, or count words from 0</source>
        <translation>第 {line} 行的对齐 {link} 所连的词不存在，源句和译文各有 {source} 个和 {target} 个词；请选择属于此句的那一行，或从 0 起编号</translation>
    </message>
    <message>
        <source>there are {count} lines of links; keep only the line of this sentence</source>
        <translation>有 {count} 行对齐；请只保留属于此句的那一行</translation>
    </message>
    <message>
        <source>{path} has {count} lines of links and there are {pairs} lines of sentence pairs; choose two files that belong together</source>
        <translation>{path} 有 {count} 行对齐，而句对有 {pairs} 行；请选择互相对应的两个文件</translation>
    </message>
    <message>
        <source>{path} has {count} lines and there is one sentence; say which line belongs to it (--line)</source>
        <translation>{path} 有 {count} 行，而句子只有一个；请指明属于它的那一行（--line）</translation>
    </message>
    <message>
        <source>this trace has no cross-attention, so nothing aligns its words; open one that has it</source>
        <translation>此解码记录没有交叉注意力，因此无法对齐它的词；请打开有交叉注意力的解码记录</translation>
    </message>
    <message>
        <source>in a decoding made in rounds no row reads what was predicted before; choose the rule predicts</source>
        <translation>在分轮解码的一轮中，没有一行读入先前预测的词；请选择规则 predicts</translation>
    </message>
    <message>
        <source>the words of the links do not spell the source: “{words}” instead of “{text}”; give its words as the links count them, separated by spaces</source>
        <translation>对齐的词与源句不符：应为“{text}”，却是“{words}”；请按对齐的编号方式给出源句的词，之间用空格隔开</translation>
    </message>
    <message>
        <source>the words of the links do not spell the target: “{words}” instead of “{text}”; give its words as the links count them, separated by spaces</source>
        <translation>对齐的词与译文不符：应为“{text}”，却是“{words}”；请按对齐的编号方式给出译文的词，之间用空格隔开</translation>
    </message>
    <message>
        <source>scores of pieces cannot be summed into words; choose attention weights</source>
        <translation>子词的得分不能相加成词的得分；请选择注意力权重</translation>
    </message>
    <message>
        <source>the manual has no page {name}; it has {names}</source>
        <translation>手册没有 {name} 这一页；有：{names}</translation>
    </message>
    <message>
        <source>there is no file, folder or command {path}; name a model folder, a .trace file or a session, or one of the commands {commands}</source>
        <translation>没有名为 {path} 的文件、文件夹或命令；请给出模型文件夹、.trace 文件或会话，或以下命令之一：{commands}</translation>
    </message>
    <message>
        <source>{name} is open already; it is in front now</source>
        <translation>{name} 已经打开，现已切换到它</translation>
    </message>
    <message>
        <source>{count} of {total} were opened; not {files}</source>
        <translation>{total} 项中打开了 {count} 项；未打开：{files}</translation>
    </message>
    <message>
        <source>{count} of {total} files were taken; no sentence pairs can be in {files}</source>
        <translation>{total} 个文件中采用了 {count} 个；不可能含有句对的：{files}</translation>
    </message>
    <message>
        <source>one model is open at a time</source>
        <translation>一次只能打开一个模型</translation>
    </message>
    <message>
        <source>one session or time-lapse is open at a time</source>
        <translation>一次只能打开一个会话或延时回放</translation>
    </message>
    <message>
        <source>the sentences of one file are translated at a time; drop files of pairs on Train</source>
        <translation>一次只翻译一个文件的句子；句对文件请拖到“训练”页</translation>
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
        <source>{path} is too large ({size}; the limit for such a file is {most}); check that it is the right one</source>
        <translation>{path} 太大（{size}；这种文件的上限为 {most}）；请检查它是否是所需的文件</translation>
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
        <source>{kind} layer {layer} of the trace {path} contains numbers that are not attention weights; save the trace again</source>
        <translation>解码记录 {path} 中 {kind} 第 {layer} 层含有不是注意力权重的数；请重新保存解码记录</translation>
    </message>
    <message>
        <source>the model returned no attention; load it with attn_implementation=&apos;eager&apos; and call it with output_attentions=True</source>
        <translation>模型没有给出注意力；请用 attn_implementation=&apos;eager&apos; 加载，调用时加上 output_attentions=True</translation>
    </message>
    <message>
        <source>a {type} is not a transformers model that can return its attention; pass the arrays themselves to save_attention</source>
        <translation>{type} 不是能给出注意力的 transformers 模型；请把数组本身交给 save_attention</translation>
    </message>
    <message>
        <source>nothing was recorded because the {type} was not called inside the block; call it, or its generate, there</source>
        <translation>什么也没有录到，因为在这个块内没有调用 {type}；请在块内调用它或它的 generate</translation>
    </message>
    <message>
        <source>a {type} is not an array of numbers; give numpy or torch arrays, or nested lists</source>
        <translation>{type} 不是数值数组；请给出 numpy 或 torch 数组，或嵌套列表</translation>
    </message>
    <message>
        <source>{kind} attention has the shape {shape}, so it is empty; give at least one head and one token</source>
        <translation>{kind} 注意力的形状为 {shape}，其中什么也没有；请至少给出一个注意力头和一个词元</translation>
    </message>
    <message>
        <source>layer {layer} of {kind} attention has the shape {shape} and the first layer {first}; record layers of equal shape together, the others separately</source>
        <translation>{kind} 注意力第 {layer} 层的形状为 {shape}，而第一层为 {first}；请把形状相同的层录在一起，其余分开录制</translation>
    </message>
    <message>
        <source>layer {layer} of {kind} attention is None because it returned no attention; leave such layers out of the list</source>
        <translation>{kind} 注意力第 {layer} 层为 None，即该层没有给出注意力；请从列表中去掉这样的层</translation>
    </message>
    <message>
        <source>there is no item {item} in a batch of {count}; items count from 0</source>
        <translation>{count} 项的批次中没有第 {item} 项；编号从 0 开始</translation>
    </message>
    <message>
        <source>the {kind} attention is not that of a single generate, with one row for each new token; record an ordinary greedy, sampled or beam decoding with its cache, or one forward pass</source>
        <translation>{kind} 注意力不是一次 generate 的注意力（每个新词元一行）；请录制带缓存的普通贪心、采样或束搜索解码，或一次前向计算</translation>
    </message>
    <message>
        <source>these are steps of a beam search without beam_indices, so it is unknown which beam each step belongs to; use recording, or greedy decoding</source>
        <translation>这些是没有 beam_indices 的束搜索步，无法知道每一步属于哪一束；请使用 recording，或贪心解码</translation>
    </message>
    <message>
        <source>the families disagree on the length of the {side} ({lengths}); record whole matrices of one sequence, without a cache that was filled before</source>
        <translation>各类注意力的 {side} 长度不一致（{lengths}）；请录制同一序列的完整矩阵，不要用事先已填充的缓存</translation>
    </message>
    <message>
        <source>{name} contain the id {id}, but ids count from 0; give what was read, not labels</source>
        <translation>{name} 中有编号 {id}，而编号从 0 开始；请给出模型读入的词元，而不是标签</translation>
    </message>
    <message>
        <source>{name} were given, but this attention has no {side}; leave them out, or say with kind which attention it is</source>
        <translation>给出了 {name}，而此注意力没有 {side}；请去掉它，或用 kind 指明是哪种注意力</translation>
    </message>
    <message>
        <source>the prompt was given as inputs_embeds, so its tokens are unknown; give input_ids</source>
        <translation>提示是以 inputs_embeds 给出的，无法知道它的词元；请给出 input_ids</translation>
    </message>
    <message>
        <source>the logits are not finite; give raw logits (output_logits=True), not filtered ones, or compute them in another precision</source>
        <translation>logits 不是有限数；请给出原始的 logits（output_logits=True），而不是过滤后的，或换一种精度计算</translation>
    </message>
    <message>
        <source>{name} has the shape {found} for {wanted} tokens, or masks all of them; give 1 for each token and 0 for padding</source>
        <translation>{name} 的形状为 {found}，而词元有 {wanted} 个，或者一个词元也没有留下；请对每个词元给 1，对填充给 0</translation>
    </message>
    <message>
        <source>a prompt of {found} tokens was given, but {most} were read; choose from 1 to {most}</source>
        <translation>指定的提示有 {found} 个词元，而读入了 {most} 个；请在 1 到 {most} 之间选择</translation>
    </message>
    <message>
        <source>row {row} of {kind} layer {layer} head {head} {problem}, so these are not attention weights; call model.eval() first if they are, or say what they are (numbers=&apos;scores&apos;) or what they were computed in (compute_dtype=&apos;bfloat16&apos;)</source>
        <translation>{kind} 第 {layer} 层注意力头 {head} 第 {row} 行有误（{problem}），因此这些不是注意力权重；若确实是，请先调用 model.eval()，否则请说明它们是什么（numbers=&apos;scores&apos;），或是用什么精度计算的（compute_dtype=&apos;bfloat16&apos;）</translation>
    </message>
    <message>
        <source>{path} is damaged or not a NumPy archive ({reason}); save it again with numpy.savez</source>
        <translation>{path} 已损坏，或不是 NumPy 归档（{reason}）；请用 numpy.savez 重新保存</translation>
    </message>
    <message>
        <source>{path} contains no array named encoder_self, decoder_self or cross; save attention [layer, head, query, key] under one of these names</source>
        <translation>{path} 中没有名为 encoder_self、decoder_self 或 cross 的数组；请用其中一个名称保存注意力 [layer, head, query, key]</translation>
    </message>
    <message>
        <source>the array {name!r} in {path} contains Python objects, which could run foreign code and are never loaded; save numbers or strings</source>
        <translation>{path} 中的数组 {name!r} 含有 Python 对象，它们可能运行外来代码，因此从不加载；请保存数值或字符串</translation>
    </message>
    <message>
        <source>{path} contains tokens and both a source and a target; name them src_tokens and tgt_in_tokens</source>
        <translation>{path} 既有 tokens，又有源端和目标端；请改名为 src_tokens 和 tgt_in_tokens</translation>
    </message>
    <message>
        <source>row {row} of {kind} layer {layer} head {head} in {path} {problem}, so these are not attention weights; say what they are in an array named numbers</source>
        <translation>{path} 中 {kind} 第 {layer} 层注意力头 {head} 第 {row} 行有误（{problem}），因此这些不是注意力权重；请在名为 numbers 的数组中说明它们是什么</translation>
    </message>
    <message>
        <source>row {row} of {kind} layer {layer} head {head} in {path} attends to the later token {key}; name the array encoder_self, or add one named bidirectional with the value true</source>
        <translation>{path} 中 {kind} 第 {layer} 层注意力头 {head} 第 {row} 行关注了后面的词元 {key}；请把数组命名为 encoder_self，或加一个名为 bidirectional、值为 true 的数组</translation>
    </message>
    <message>
        <source>the folder {path} holds traces already; name another one</source>
        <translation>文件夹 {path} 中已有轨迹；请换一个文件夹</translation>
    </message>
    <message>
        <source>a time-lapse of this model&apos;s training was kept: you can watch its heads form</source>
        <translation>此模型的训练存有延时回放：可以看它的注意力头如何形成</translation>
    </message>
    <message>
        <source>there is only one trace; open a time-lapse (--trace FOLDER) to animate training</source>
        <translation>只有一份解码记录；要把训练做成动画，请打开延时回放（--trace FOLDER）</translation>
    </message>
    <message>
        <source>{path} is not an animation; end its name in .gif or .webp</source>
        <translation>{path} 不是动画；名称请以 .gif 或 .webp 结尾</translation>
    </message>
    <message>
        <source>an animation of {frames} frames is too long; the limit is {most}, so keep fewer frames</source>
        <translation>{frames} 帧的动画太长；最多 {most} 帧，请减少帧数</translation>
    </message>
    <message>
        <source>{fps} frames per second cannot be shown; choose from {low} to {high}</source>
        <translation>无法每秒显示 {fps} 帧；请在 {low} 到 {high} 之间选择</translation>
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
        <source>{path} is being written by another Headscope; wait for it, or stop it first</source>
        <translation>另一个 Headscope 正在写 {path}；请等它完成，或先将其停止</translation>
    </message>
    <message>
        <source>{path} is a pickle or zip archive, which could run foreign code and is never loaded; get the model as safetensors</source>
        <translation>{path} 是 pickle 或 zip 文件，可能运行外来代码，因此从不加载；请获取 safetensors 格式的模型</translation>
    </message>
    <message>
        <source>the encoding of {path} is unclear; name it, or save it again as UTF-8</source>
        <translation>无法判断 {path} 的编码；请指明编码，或将文件重新存为 UTF-8</translation>
    </message>
    <message>
        <source>{path} cannot be written because its folder accepts no files; choose another place</source>
        <translation>{path} 无法写入，其文件夹不接受文件；请选择其他位置</translation>
    </message>
    <message>
        <source>the folder {path} is gone; put it back, or create an empty one with that name, and the training continues; nothing is lost so far</source>
        <translation>文件夹 {path} 不见了；把它放回来，或建一个同名的空文件夹，训练就会继续；到目前为止没有丢失任何东西</translation>
    </message>
    <message>
        <source>{path} already exists; choose another name, or remove it first</source>
        <translation>{path} 已存在；请选择其他名称，或先将其删除</translation>
    </message>
    <message>
        <source>{path} is not a trace of Headscope; choose a .trace file</source>
        <translation>{path} 不是 Headscope 的解码记录；请选择 .trace 文件</translation>
    </message>
    <message>
        <source>{path} is damaged or incomplete ({reason}); save the trace again</source>
        <translation>{path} 已损坏或不完整（{reason}）；请重新保存解码记录</translation>
    </message>
    <message>
        <source>{kind} layer {layer} holds numbers too large for float16, and {path} was not written; save it in float32</source>
        <translation>{kind} 第 {layer} 层含有超出 float16 范围的数，因此没有写 {path}；请用 float32 保存</translation>
    </message>
    <message>
        <source>{kind} attention has the shape {shape}; it must be [layer, head, query, key] or [layer, batch, head, query, key], so give a single layer as weights[None] and a single head as weights[None, None]</source>
        <translation>{kind} 注意力的形状为 {shape}；必须是 [layer, head, query, key] 或 [layer, batch, head, query, key]，因此单层请写成 weights[None]，单个注意力头请写成 weights[None, None]</translation>
    </message>
    <message>
        <source>there is no {kind} attention here; choose among {kinds}</source>
        <translation>这里没有 {kind} 注意力；请从 {kinds} 中选择</translation>
    </message>
    <message>
        <source>{name} are {found} tokens and the attention has {wanted}; give one for each, specials and padding included</source>
        <translation>{name} 有 {found} 个词元，而注意力有 {wanted} 个；请逐个给出，特殊词元和填充也包括在内</translation>
    </message>
    <message>
        <source>{name} must be a list of one string, or of one whole number, for each token</source>
        <translation>{name} 必须是列表，每个词元一个字符串或一个整数</translation>
    </message>
    <message>
        <source>a {type} cannot name tokens; give a tokenizer of transformers, or names as tokens</source>
        <translation>{type} 不能给出词元的名称；请给出 transformers 的分词器，或用 tokens 给出名称</translation>
    </message>
    <message>
        <source>numbers must say in a word what the numbers are, such as &apos;pattern&apos; or &apos;scores&apos;</source>
        <translation>numbers 必须用一个词说明这些数是什么，例如 &apos;pattern&apos; 或 &apos;scores&apos;</translation>
    </message>
    <message>
        <source>logits of the shape {shape} were given; they must be [tokens, vocabulary] or [batch, tokens, vocabulary]</source>
        <translation>给出的 logits 形状为 {shape}；必须是 [tokens, vocabulary] 或 [batch, tokens, vocabulary]</translation>
    </message>
    <message>
        <source>token ids of the shape {shape} were given; give those of one sequence, or [batch, tokens]</source>
        <translation>给出的词元编号形状为 {shape}；请给出一个序列的编号，或 [batch, tokens]</translation>
    </message>
    <message>
        <source>there are logits for {found} of {wanted} tokens; give all of them, or none</source>
        <translation>{wanted} 个词元中只有 {found} 个有 logits；请全部给出，或都不给</translation>
    </message>
    <message>
        <source>{kind} layer {layer} holds numbers that are NaN or infinite; leave padding out with attention_mask, give scores from before the mask, or compute it in another precision</source>
        <translation>{kind} 第 {layer} 层含有 NaN 或无穷大；请用 attention_mask 排除填充，给出掩蔽前的得分，或换一种精度计算</translation>
    </message>
    <message>
        <source>row {row} of {kind} layer {layer} head {head} attends to the later token {key}; choose kind=&apos;encoder_self&apos;, or say bidirectional=True</source>
        <translation>{kind} 第 {layer} 层注意力头 {head} 第 {row} 行关注了后面的词元 {key}；请选择 kind=&apos;encoder_self&apos;，或写 bidirectional=True</translation>
    </message>
    <message>
        <source>the array {name!r} in {path} {problem}; save it again with numpy.savez</source>
        <translation>{path} 中的数组 {name!r} 有误（{problem}）；请用 numpy.savez 重新保存</translation>
    </message>
    <message>
        <source>the array {name!r} in {path} would take {size} of memory, and at most {most} are read; save it with numpy.savez, which does not compress</source>
        <translation>{path} 中的数组 {name!r} 要占 {size} 内存，而最多只读 {most}；请用不压缩的 numpy.savez 保存</translation>
    </message>
    <message>
        <source>there are no frames of a time-lapse in {path}; choose the probe folder of a training run</source>
        <translation>{path} 中没有延时回放的帧；请选择一次训练的 probe 文件夹</translation>
    </message>
    <message>
        <source>{path} mixes training steps with rounds of a decoding; keep each in a folder of its own</source>
        <translation>{path} 混有训练的步和分轮解码的轮；请分别放在各自的文件夹中</translation>
    </message>
    <message>
        <source>{path} has no frame {frame}; the nearest is {nearest}</source>
        <translation>{path} 没有第 {frame} 帧；最近的是 {nearest}</translation>
    </message>
    <message>
        <source>{path} is a time-lapse; say which training step to draw (--frame), or write a .gif or .webp</source>
        <translation>{path} 是延时回放；请指明要画训练的哪一步（--frame），或写成 .gif 或 .webp</translation>
    </message>
    <message>
        <source>this view is the same at every step; choose decoder self-attention or cross-attention to animate the decoding</source>
        <translation>此视图在每一步都相同；要把解码做成动画，请选择解码器自注意力或交叉注意力</translation>
    </message>
    <message>
        <source>an animation of {width} x {height} pixels is too large; choose a smaller width or fewer dpi</source>
        <translation>{width} × {height} 像素的动画太大；请减小宽度或 dpi</translation>
    </message>
    <message>
        <source>the frames of an animation share one scale; choose linear or sqrt</source>
        <translation>动画各帧共用一个尺度；请选择 linear 或 sqrt</translation>
    </message>
    <message>
        <source>the last frame cannot be held for {seconds} seconds; choose from 0 to {high}</source>
        <translation>末帧不能停留 {seconds} 秒；请在 0 到 {high} 之间选择</translation>
    </message>
    <message>
        <source>there is no model in {path}; choose a folder that holds a config.json</source>
        <translation>{path} 中没有模型；请选择含有 config.json 的文件夹</translation>
    </message>
    <message>
        <source>the folder {path} is empty; choose one that holds a model</source>
        <translation>文件夹 {path} 是空的；请选择含有模型的文件夹</translation>
    </message>
    <message>
        <source>the transformers package {version} is too old for the model in {path}, which needs version {oldest} or later; update it with: pip install --upgrade transformers</source>
        <translation>transformers 包 {version} 太旧，{path} 中的模型需要 {oldest} 或更新的版本；请更新：pip install --upgrade transformers</translation>
    </message>
    <message>
        <source>{path} does not describe a model of Headscope; choose another folder</source>
        <translation>{path} 不是 Headscope 的模型；请选择其他文件夹</translation>
    </message>
    <message>
        <source>tensor {name!r} in {path} has the type {found}; only {wanted} can be loaded</source>
        <translation>{path} 中的张量 {name!r} 类型为 {found}；只能加载 {wanted}</translation>
    </message>
    <message>
        <source>{path} is a PyTorch file of the kind written before 2020, which cannot be read piece by piece; convert it once with: python -c &quot;import torch; p = &apos;pytorch_model.bin&apos;; torch.save(torch.load(p, weights_only=True), p)&quot;</source>
        <translation>{path} 是 2020 年以前格式的 PyTorch 文件，不能分块读取；请转换一次：python -c &quot;import torch; p = &apos;pytorch_model.bin&apos;; torch.save(torch.load(p, weights_only=True), p)&quot;</translation>
    </message>
    <message>
        <source>tensor {name!r} is too large for half precision; save the model in single precision</source>
        <translation>张量 {name!r} 超出半精度的范围；请以单精度保存模型</translation>
    </message>
    <message>
        <source>{path} is damaged ({reason}); start the training anew, without --resume</source>
        <translation>{path} 已损坏（{reason}）；请不加 --resume 重新开始训练</translation>
    </message>
    <message>
        <source>the answer of the model {name} ({head}) is not shown here, only what its attention heads look at; use trace, render or the window for that</source>
        <translation>这里不显示模型 {name} 的回答（{head}），只能看它的注意力头关注什么；请用 trace、render 或窗口查看</translation>
    </message>
    <message>
        <source>there is no map of {numbers} here: {reason}; leave --numbers out to draw weights</source>
        <translation>这里没有 {numbers} 的图：{reason}；去掉 --numbers 就画权重</translation>
    </message>
    <message>
        <source>{path} is the name of a .{ending} file, which is not what is written here ({others} writes those); end the name in {wanted}</source>
        <translation>{path} 是 .{ending} 文件的名称，而这里写出的不是这种文件（由 {others} 写出）；请让名称以 {wanted} 结尾</translation>
    </message>
    <message>
        <source>{path} is the name of a .{ending} file ({others} writes those), and a folder is made here; leave that ending out</source>
        <translation>{path} 是 .{ending} 文件的名称（由 {others} 写出），而这里建立的是文件夹；请去掉该扩展名</translation>
    </message>
    <message>
        <source>half precision is for .trace files, and {path} is an NPZ; end the name in .trace, or leave --float16 out</source>
        <translation>半精度只用于 .trace 文件，而 {path} 是 NPZ；请让名称以 .trace 结尾，或去掉 --float16</translation>
    </message>
    <message>
        <source>line {line} of standard input is longer than {most}; put one sentence on a line</source>
        <translation>标准输入的第 {line} 行超过 {most}；请每行只放一个句子</translation>
    </message>
    <message>
        <source>{path} lists {count} runs, and at most {most} are opened; choose another session</source>
        <translation>{path} 列出了 {count} 次解码，最多只能打开 {most} 次；请选择其他会话</translation>
    </message>
    <message>
        <source>runs of this session whose traces cannot be read: {count} ({reason}); everything else is shown; put the traces back and open the session again</source>
        <translation>此会话中解码记录（trace）无法读取的解码：{count} 次（{reason}）；其余内容都已显示；请把记录文件放回原处，再重新打开会话</translation>
    </message>
    <message>
        <source>Headscope ended unexpectedly; sessions that can be restored: {count}</source>
        <translation>Headscope 上次意外结束；可恢复 {count} 个会话</translation>
    </message>
    <message>
        <source>the session in {path} was changed elsewhere since it was opened or saved here</source>
        <translation>{path} 中的会话在此处打开或保存之后已在别处被更改</translation>
    </message>
</context>
<context>
    <name>Experiments</name>
    <message>
        <source>Post-norm, warm-up</source>
        <translation>后归一化，有预热</translation>
    </message>
    <message>
        <source>Post-norm, no warm-up</source>
        <translation>后归一化，无预热</translation>
    </message>
    <message>
        <source>Pre-norm, warm-up</source>
        <translation>前归一化，有预热</translation>
    </message>
    <message>
        <source>Pre-norm, no warm-up</source>
        <translation>前归一化，无预热</translation>
    </message>
    <message>
        <source>Loss of</source>
        <translation>损失取自</translation>
    </message>
    <message>
        <source>Mismatch of</source>
        <translation>偏差：</translation>
    </message>
    <message>
        <source>pairs trained on</source>
        <translation>训练句对</translation>
    </message>
    <message>
        <source>pairs held out</source>
        <translation>留出句对</translation>
    </message>
    <message>
        <source>the mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>the variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>{model}: loss {value} (spread {spread}), {right} % of fresh pairs all right.</source>
        <translation>{model}：损失 {value}（极差 {spread}），新句对中 {right}% 全对。</translation>
    </message>
    <message>
        <source>BatchNorm came to a higher loss in {worse} of {seeds} runs.</source>
        <translation>{seeds} 次训练中有 {worse} 次 BatchNorm 的损失更高。</translation>
    </message>
    <message>
        <source>In the second half of training a batch&apos;s mean is off by {value} running deviations, over all norms: {times} times what as many independent tokens would be ({noise}).</source>
        <translation>训练后半程，一个批次的均值偏离滑动均值 {value} 个滑动标准差（所有归一化平均）：是同样多的独立词元应有偏离（{noise}）的 {times} 倍。</translation>
    </message>
    <message>
        <source>It is largest in {stack} layer {layer}, norm {norm}: {value}, {times} times.</source>
        <translation>最大的是{stack}第 {layer} 层第 {norm} 个归一化：{value}，{times} 倍。</translation>
    </message>
    <message>
        <source>BatchNorm on fresh pairs: loss {own} by the batch&apos;s own statistics, {running} by the running ones, which translations use.</source>
        <translation>BatchNorm 在新句对上的损失：用批次自己的统计量为 {own}，用翻译时使用的滑动统计量为 {running}。</translation>
    </message>
    <message>
        <source>{model}: another sentence beside it changes a sentence&apos;s own attention weights by up to {value} in training mode, by {after} once trained.</source>
        <translation>{model}：换掉同批的另一个句子，训练模式下一个句子自己的注意力权重最多改变 {value}，训练完成后改变 {after}。</translation>
    </message>
    <message>
        <source>running deviations</source>
        <translation>滑动标准差</translation>
    </message>
    <message>
        <source>Batch mean beside running mean</source>
        <translation>批次均值与滑动均值之差</translation>
    </message>
    <message>
        <source>share of the running variance</source>
        <translation>占滑动方差的比例</translation>
    </message>
    <message>
        <source>Batch variance beside running one</source>
        <translation>批次方差与滑动方差之差</translation>
    </message>
    <message>
        <source>independent tokens</source>
        <translation>独立词元</translation>
    </message>
    <message>
        <source>{stack} layer {layer}</source>
        <translation>{stack}第 {layer} 层</translation>
    </message>
    <message>
        <source>BatchNorm, beside one sentence</source>
        <translation>BatchNorm，与某一句同批</translation>
    </message>
    <message>
        <source>The same beside another</source>
        <translation>与另一句同批</translation>
    </message>
    <message>
        <source>{model}: the change</source>
        <translation>{model}：变化</translation>
    </message>
    <message>
        <source>maps: encoder&apos;s last layer, head 1, first seed, training mode</source>
        <translation>热图：编码器最后一层，第 1 头，第一个种子，训练模式</translation>
    </message>
    <message>
        <source>BatchNorm, trained</source>
        <translation>训练 BatchNorm</translation>
    </message>
    <message>
        <source>BatchNorm normalises by the other sentences of a batch, LayerNorm by nothing but the token itself: two Transformers that differ in that alone.</source>
        <translation>BatchNorm 按批次中的其他句子归一化，LayerNorm 只按词元自身归一化：两个 Transformer 只在这一点上不同。</translation>
    </message>
    <message>
        <source>BatchNorm does worse. The paper&apos;s reason: what a batch measures strays from the running statistics that are used later; how far it does here is told below. Another sentence beside yours changes your map while BatchNorm trains, never with LayerNorm. By hand: the lesson on LayerNorm and BatchNorm.</source>
        <translation>BatchNorm 效果更差。论文给出的原因是：批内统计量偏离之后要用的滑动统计量；这里偏离多少，见下方。用 BatchNorm 训练时，同批的另一句话会改变你这句的注意力图，LayerNorm 则绝不会。手算见“LayerNorm 还是 BatchNorm”一课。</translation>
    </message>
    <message>
        <source>Shen et al. (2020), PowerNorm: Rethinking Batch Normalization in Transformers, section 3, arXiv 2003.07845</source>
        <translation>Shen 等（2020），PowerNorm: Rethinking Batch Normalization in Transformers，第 3 节，arXiv 2003.07845</translation>
    </message>
    <message>
        <source>Post-norm, before the first step: the gradient of layer {layers} is {value} times that of layer 1.</source>
        <translation>后归一化，第一步之前：第 {layers} 层的梯度是第 1 层的 {value} 倍。</translation>
    </message>
    <message>
        <source>Pre-norm, before the first step: the gradient of layer {layers} is {value} times that of layer 1.</source>
        <translation>前归一化，第一步之前：第 {layers} 层的梯度是第 1 层的 {value} 倍。</translation>
    </message>
    <message>
        <source>{model}: {learned} of {seeds} learned it; loss {value} (spread {spread}).</source>
        <translation>{model}：{seeds} 次中有 {learned} 次学会；损失 {value}（极差 {spread}）。</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>自由</translation>
    </message>
    <message>
        <source>All heads guided</source>
        <translation>引导所有头</translation>
    </message>
    <message>
        <source>Half of the heads guided</source>
        <translation>引导一半的头</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>抄写</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>倒写</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Step of training</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>{task}: mean loss over the run {free} free, {half} with half of the heads guided, {guided} with all; with all it is lower in {better} of {seeds} runs.</source>
        <translation>{task}：整个训练过程的平均损失，自由 {free}，引导一半的头 {half}，引导所有头 {guided}；{seeds} 次训练中有 {better} 次引导所有头的更低。</translation>
    </message>
    <message>
        <source>Guided, the diagonal forms earlier and copying is learned sooner; reversing, which needs the other diagonal, is learned later. Where half of the heads are free, these look where they did without a guide.</source>
        <translation>引导之后，对角线更早形成，抄写学得更快；倒写需要另一条对角线，学得更慢。只引导一半的头时，自由的头仍看没有引导时所看的地方。</translation>
    </message>
    <message>
        <source>{task}, half guided: diagonality {guided} of the guided heads, {free} of the free.</source>
        <translation>{task}，引导一半的头：被引导的头对角性 {guided}，自由的头 {free}。</translation>
    </message>
    <message>
        <source>{model}, step {step}</source>
        <translation>{model}，第 {step} 步</translation>
    </message>
    <message>
        <source>{task}: loss of held-out pairs</source>
        <translation>{task}：留出句对的损失</translation>
    </message>
    <message>
        <source>loss (nats a token)</source>
        <translation>损失（奈特/词元）</translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source>Diagonality of each head (guided where half are: heads 1 and 2)</source>
        <translation>每个头的对角性（引导一半时：第 1、2 头）</translation>
    </message>
    <message>
        <source>hatched: the penalty W is above 0.5</source>
        <translation>斜线：惩罚 W 大于 0.5</translation>
    </message>
    <message>
        <source>Guided attention</source>
        <translation>引导注意力</translation>
    </message>
    <message>
        <source>A penalty can hold cross-attention to the diagonal: a help where words keep their order, a hindrance where they do not.</source>
        <translation>惩罚项可以把交叉注意力约束在对角线上：词序不变时有帮助，词序改变时反而妨碍。</translation>
    </message>
    <message>
        <source>Tachibana et al. (2018), arXiv 1710.08969, section 4.1 (for speech, g = 0.2)</source>
        <translation>Tachibana 等（2018），arXiv 1710.08969，第 4.1 节（用于语音，g = 0.2）</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>学会</translation>
    </message>
    <message>
        <source>layer {number}</source>
        <translation>第 {number} 层</translation>
    </message>
    <message>
        <source>post-norm</source>
        <translation>后归一化</translation>
    </message>
    <message>
        <source>pre-norm</source>
        <translation>前归一化</translation>
    </message>
    <message>
        <source>Gradient of each decoder layer before the first step</source>
        <translation>第一步之前解码器各层的梯度</translation>
    </message>
    <message>
        <source>Pre-norm or post-norm</source>
        <translation>前归一化还是后归一化</translation>
    </message>
    <message>
        <source>Where LayerNorm stands decides whether a deep Transformer can be trained without warm-up.</source>
        <translation>层归一化放在哪里，决定了深层 Transformer 不预热能否训练。</translation>
    </message>
    <message>
        <source>Six layers each, copying words. Post-norm, as published, has its largest gradients in the last layers and needs warm-up; pre-norm has even gradients and learns without.</source>
        <translation>编码器、解码器各六层，任务是抄写单词。论文原样的后归一化，梯度在最后几层最大，需要预热；前归一化梯度均匀，不预热也能学会。</translation>
    </message>
    <message>
        <source>Xiong et al. (2020), On Layer Normalization in the Transformer Architecture, arXiv 2002.04745</source>
        <translation>Xiong 等（2020），On Layer Normalization in the Transformer Architecture，arXiv 2002.04745</translation>
    </message>
    <message>
        <source>Run it again</source>
        <translation>重新训练一次</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>随机种子数</translation>
    </message>
    <message>
        <source>recorded result, seeds: {count}</source>
        <translation>预存结果，随机种子：{count} 个</translation>
    </message>
    <message>
        <source>run here, seeds: {count}</source>
        <translation>本机训练，随机种子：{count} 个</translation>
    </message>
    <message>
        <source>Loss of pairs held out</source>
        <translation>留出句对的损失</translation>
    </message>
    <message>
        <source>Teacher forcing</source>
        <translation>教师强制</translation>
    </message>
    <message>
        <source>Scheduled sampling</source>
        <translation>计划采样</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>{model}: the step that reads the wrong word takes {wrong} from the source; with the right word {right}.</source>
        <translation>{model}：读到错词的那一步，来自源句的占 {wrong}；读到正确的词时占 {right}。</translation>
    </message>
    <message>
        <source>left alone, all words right</source>
        <translation>不干预，全部正确</translation>
    </message>
    <message>
        <source>after a wrong word, all others right</source>
        <translation>错词之后，其余全部正确</translation>
    </message>
    <message>
        <source>after a wrong word, words right</source>
        <translation>错词之后，正确的词</translation>
    </message>
    <message>
        <source>{what}: {before} with teacher forcing, {after} with scheduled sampling, better in {better} of {seeds} runs.</source>
        <translation>{what}：教师强制 {before}，计划采样 {after}，{seeds} 次训练中有 {better} 次更好。</translation>
    </message>
    <message>
        <source>Share of sentences or words that are right</source>
        <translation>正确的句子或词所占的比例</translation>
    </message>
    <message>
        <source>{model}, wrong word</source>
        <translation>{model}，错词</translation>
    </message>
    <message>
        <source>{model}, right word</source>
        <translation>{model}，正确的词</translation>
    </message>
    <message>
        <source>Share of the source in each step (last decoder layer)</source>
        <translation>每一步来自源句的比例（解码器最后一层）</translation>
    </message>
    <message>
        <source>steps from the one that reads it</source>
        <translation>相对于读到该词的步数</translation>
    </message>
    <message>
        <source>share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>wrong word</source>
        <translation>错词</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源句</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确答案</translation>
    </message>
    <message>
        <source>Behind a wrong word (framed); struck: wrong too</source>
        <translation>错词（带框）之后；划掉的也是错的</translation>
    </message>
    <message>
        <source>framed row: it reads the wrong word</source>
        <translation>带框的行：读到错词的一步</translation>
    </message>
    <message>
        <source>A model that only ever read right prefixes may not know how to go on behind a mistake of its own.</source>
        <translation>只读过正确前缀的模型，出错之后可能不知道怎样接着写。</translation>
    </message>
    <message>
        <source>Both models reverse words; one wrong word is forced on them. Trained on a prefix that is in part its own, a model should recover more often.</source>
        <translation>两个模型都学习把词倒过来写；解码时强塞一个错词。训练时前缀里混有自己的输出的模型，应当更常回到正轨。</translation>
    </message>
    <message>
        <source>Bengio et al. (2015), arXiv 1506.03099; two passes for Transformers: Mihaylova and Martins (2019), arXiv 1906.07651</source>
        <translation>Bengio 等（2015），arXiv 1506.03099；用于 Transformer 的两遍做法：Mihaylova 与 Martins（2019），arXiv 1906.07651</translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>学习得到</translation>
    </message>
    <message>
        <source>No positions</source>
        <translation>无位置</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Attention of</source>
        <translation>谁的注意力</translation>
    </message>
    <message>
        <source>words in their place</source>
        <translation>位置正确的词</translation>
    </message>
    <message>
        <source>whole sequences</source>
        <translation>整个序列</translation>
    </message>
    <message>
        <source>the encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>the decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>{model}: {inside} of sequences of 3 to 12 words right (spread {spread}), of longer ones {beyond}.</source>
        <translation>{model}：3 到 12 个词的序列中 {inside} 全对（极差 {spread}），更长的序列中 {beyond}。</translation>
    </message>
    <message>
        <source>Longer than trained on: of the sequences {model} gets most right, {value}; of the words in their place {other}, {words}.</source>
        <translation>比训练时更长：全对的序列最多的是{model}，{value}；位置正确的词最多的是{other}，{words}。</translation>
    </message>
    <message>
        <source>Counted from five, relative, rotary and ALiBi lose {least} to {value} of the sequences: they know distances alone.</source>
        <translation>从五开始计数时，相对、旋转和 ALiBi 损失 {least} 到 {value} 的序列：它们只知道距离。</translation>
    </message>
    <message>
        <source>Counted from five, sinusoidal and learned lose {least} to {value}.</source>
        <translation>从五开始计数时，正弦和学习得到的位置损失 {least} 到 {value}。</translation>
    </message>
    <message>
        <source>Without positions, the encoder: turning the sentence round changes a word&apos;s state by {value} of its length.</source>
        <translation>无位置，编码器：把句子倒过来，词的状态改变其长度的 {value}。</translation>
    </message>
    <message>
        <source>Without positions, the decoder: turning round what stands before a word changes its state by {value} of its length.</source>
        <translation>无位置，解码器：把一个词前面的内容倒过来，它的状态改变其长度的 {value}。</translation>
    </message>
    <message>
        <source>Without positions, a word&apos;s place told from the encoder&apos;s state is {value} places wrong; guessing the middle, {guessed}.</source>
        <translation>无位置时，由编码器状态推断词的位置，平均差 {value} 位；只猜中间则差 {guessed} 位。</translation>
    </message>
    <message>
        <source>Without positions, a word&apos;s place told from the decoder&apos;s state is {value} places wrong; guessing the middle, {guessed}.</source>
        <translation>无位置时，由解码器状态推断词的位置，平均差 {value} 位；只猜中间则差 {guessed} 位。</translation>
    </message>
    <message>
        <source>Right by length: {counted}</source>
        <translation>各长度的正确率：{counted}</translation>
    </message>
    <message>
        <source>1 head</source>
        <translation>1 个头</translation>
    </message>
    <message>
        <source>2 heads</source>
        <translation>2 个头</translation>
    </message>
    <message>
        <source>4 heads</source>
        <translation>4 个头</translation>
    </message>
    <message>
        <source>8 heads</source>
        <translation>8 个头</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>heads switched off</source>
        <translation>关闭注意力头</translation>
    </message>
    <message>
        <source>loss in training</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>{model}: {value} % of sentences right (spread {spread} %).</source>
        <translation>{model}：{value}% 的句子正确（极差 {spread}%）。</translation>
    </message>
    <message>
        <source>{model}: {value} % of sentences right (spread {spread} %); better than 1 head in {better} of {seeds} runs.</source>
        <translation>{model}：{value}% 的句子正确（极差 {spread}%）；{seeds} 次训练中有 {better} 次优于 1 个头。</translation>
    </message>
    <message>
        <source>{model}: in {split} of {seeds} runs one cross head reads the word&apos;s own place and another the mirror image.</source>
        <translation>{model}：{seeds} 次训练中有 {split} 次，一个交叉注意力头看本位置，另一个看镜像位置。</translation>
    </message>
    <message>
        <source>1 head: it gives the own place {own} of its weight and the mirror image {other}.</source>
        <translation>1 个头：给本位置的权重是 {own}，给镜像位置的是 {other}。</translation>
    </message>
    <message>
        <source>1 head: it does not mix both places but gives one of them up: the own place gets {own} of its weight, the mirror image {other}.</source>
        <translation>1 个头：它没有混合两处，而是放弃了其中一处：本位置的权重是 {own}，镜像位置是 {other}。</translation>
    </message>
    <message>
        <source>8 heads, least important first: {value} % of all {heads} can be off before quality breaks.</source>
        <translation>8 个头，先关最不重要的：全部 {heads} 个中关掉 {value}% 质量才垮。</translation>
    </message>
    <message>
        <source>8 heads, in random order: {value} % of all {heads} can be off before quality breaks.</source>
        <translation>8 个头，随机顺序：全部 {heads} 个中关掉 {value}% 质量才垮。</translation>
    </message>
    <message>
        <source>{model}, random order</source>
        <translation>{model}，随机顺序</translation>
    </message>
    <message>
        <source>Heads switched off, least important first</source>
        <translation>逐个关闭注意力头，先关最不重要的</translation>
    </message>
    <message>
        <source>heads off (%)</source>
        <translation>已关闭的头（%）</translation>
    </message>
    <message>
        <source>words right (%)</source>
        <translation>正确的词（%）</translation>
    </message>
    <message>
        <source>Loss of pairs trained on</source>
        <translation>训练句对的损失</translation>
    </message>
    <message>
        <source>sentences</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词数</translation>
    </message>
    <message>
        <source>spare</source>
        <translation>可关</translation>
    </message>
    <message>
        <source>at random</source>
        <translation>随机顺序</translation>
    </message>
    <message>
        <source>In %: right, and heads to spare</source>
        <translation>百分比：正确率，以及可关闭的头</translation>
    </message>
    <message>
        <source>Cross-attention of {model}: rows predict, columns are read; own place / mirror image</source>
        <translation>{model} 的交叉注意力：行是预测的词，列是读入的词；本位置 / 镜像位置</translation>
    </message>
    <message>
        <source>{head}: {own} / {other}</source>
        <translation>{head}：{own} / {other}</translation>
    </message>
    <message>
        <source>Many heads</source>
        <translation>多头</translation>
    </message>
    <message>
        <source>A head makes one weighted average; to look at two places at once and keep them apart takes two heads.</source>
        <translation>一个头只做一次加权平均；要同时看两处又分得清，就要两个头。</translation>
    </message>
    <message>
        <source>Each word of the output joins a word of the source with its mirror image: a c f b becomes ab cf fc ba. One head has to mix both places and gets fewer right; with two or more, one reads the word&apos;s own place and another the mirror image. Once trained, a fifth of the heads and more can be switched off before quality breaks (below 90 % of the words that all heads get right), most if the least important go first.</source>
        <translation>输出的每个词由源句的一个词和它的镜像词拼成：a c f b 变成 ab cf fc ba。只有一个头时必须混合两处，正确率较低；有两个或更多头时，一个看本位置，另一个看镜像位置。训练好之后，五分之一以上的头可以关闭而质量不垮（正确的词不低于全部头时的 90%），先关最不重要的能关得最多。</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), Attention Is All You Need, section 3.2.2; Michel et al. (2019), Are Sixteen Heads Really Better than One?, arXiv 1905.10650</source>
        <translation>Vaswani 等（2017），Attention Is All You Need，第 3.2.2 节；Michel 等（2019），Are Sixteen Heads Really Better than One?，arXiv 1905.10650</translation>
    </message>
    <message>
        <source>random order: mean of {count}</source>
        <translation>随机顺序：{count} 次的均值</translation>
    </message>
    <message>
        <source>share right</source>
        <translation>正确的比例</translation>
    </message>
    <message>
        <source>longest trained on</source>
        <translation>训练过的最大长度</translation>
    </message>
    <message>
        <source>3 to 12 words, shifted</source>
        <translation>3 到 12 个词，位置平移</translation>
    </message>
    <message>
        <source>counted from 0</source>
        <translation>从 0 计数</translation>
    </message>
    <message>
        <source>counted from {shift}</source>
        <translation>从 {shift} 计数</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>key − query</source>
        <translation>键 − 查询</translation>
    </message>
    <message>
        <source>{model}: added to the scores</source>
        <translation>{model}：加到分数上的部分</translation>
    </message>
    <message>
        <source>score</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>Places wrong, told from a word&apos;s state</source>
        <translation>由词的状态推断位置的误差（位）</translation>
    </message>
    <message>
        <source>Places wrong, told from a word&apos;s state (guessing: {guessed})</source>
        <translation>由词的状态推断位置的误差（位；瞎猜：{guessed}）</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Six ways to tell order</source>
        <translation>告知顺序的六种方式</translation>
    </message>
    <message>
        <source>Attention sees a set of words; how a model is told their order decides what it does with texts longer than any it was trained on.</source>
        <translation>注意力看到的只是一组词；如何把顺序告诉模型，决定了它如何处理比训练时更长的文本。</translation>
    </message>
    <message>
        <source>Five of six learn to copy 3 to 12 words. Without positions the encoder sees no order and the model fails, though the causal decoder tells the place by itself. Relative, rotary and ALiBi act in self-attention alone, on distances: counting from five changes nothing. Beyond 12 words no winner is promised.</source>
        <translation>六个模型中有五个学会复制 3 到 12 个词。没有位置，编码器看不到顺序，模型失败，而因果解码器自己就能知道位置。相对、旋转和 ALiBi 只在自注意力中按距离起作用：从五开始计数什么也不变。超过 12 个词，不承诺谁会胜出。</translation>
    </message>
    <message>
        <source>Shaw et al. (2018), arXiv 1803.02155; Su et al. (2021), 2104.09864; Press et al. (2022), 2108.12409; Kazemnejad et al. (2023), 2305.19466; Haviv et al. (2022), 2203.16634</source>
        <translation>Shaw 等（2018），arXiv 1803.02155；Su 等（2021），2104.09864；Press 等（2022），2108.12409；Kazemnejad 等（2023），2305.19466；Haviv 等（2022），2203.16634</translation>
    </message>
    <message>
        <source>attention: first layer, first seed, mean over sentences of 12 words</source>
        <translation>注意力：第一层，第一个种子，12 词句子的平均</translation>
    </message>
    <message>
        <source>maps: of the first seed</source>
        <translation>热图：第一个种子</translation>
    </message>
    <message>
        <source>Grouped (2)</source>
        <translation>分组（2 组）</translation>
    </message>
    <message>
        <source>Multi-query (1)</source>
        <translation>多查询（1 组）</translation>
    </message>
    <message>
        <source>Tied: output</source>
        <translation>绑定：输出</translation>
    </message>
    <message>
        <source>Tied: all</source>
        <translation>绑定：全部</translation>
    </message>
    <message>
        <source>Maps of</source>
        <translation>热图显示：</translation>
    </message>
    <message>
        <source>{model}: the cache keeps {own} numbers a token instead of {plain}, {value} times fewer; counted in memory: the same.</source>
        <translation>{model}：缓存每个词元存 {own} 个数而不是 {plain} 个，是原来的 1/{value}；按内存实数：一致。</translation>
    </message>
    <message>
        <source>{model}: the cache should keep {own} numbers a token instead of {plain}, but memory holds others.</source>
        <translation>{model}：缓存每个词元应存 {own} 个数而不是 {plain} 个，但内存中的数目不符。</translation>
    </message>
    <message>
        <source>{model}: {value} % of sentences right (spread {spread} %) with {parameters} parameters ({percent} %); loss {loss}.</source>
        <translation>{model}：{value}% 的句子正确（极差 {spread}%），参数 {parameters} 个（{percent}%）；损失 {loss}。</translation>
    </message>
    <message>
        <source>{model}: the maps of two heads differ by {value} (0 the same, 1 disjoint).</source>
        <translation>{model}：两个头的热图平均相差 {value}（0 相同，1 毫无重合）。</translation>
    </message>
    <message>
        <source>{model}: those of two heads that share keys differ by {value}.</source>
        <translation>{model}：共用键的两个头平均相差 {value}。</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>cache of a token</source>
        <translation>每个词元的缓存</translation>
    </message>
    <message>
        <source>sentences right</source>
        <translation>正确的句子</translation>
    </message>
    <message>
        <source>Of 100 sentences two heads of keys and values get {value} more right than one.</source>
        <translation>每 100 个句子中，两组键值比一组多对 {value} 句。</translation>
    </message>
    <message>
        <source>As a share of the plain model</source>
        <translation>与普通模型之比</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>缓存</translation>
    </message>
    <message>
        <source>right (%)</source>
        <translation>正确（%）</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Numbers kept, and quality</source>
        <translation>数目与质量</translation>
    </message>
    <message>
        <source>{head} · K, V {group}</source>
        <translation>{head} · K、V 第 {group} 组</translation>
    </message>
    <message>
        <source>Cross-attention of one sentence, {model}: which head reads which keys and values</source>
        <translation>一句话的交叉注意力，{model}：各头读哪一组键和值</translation>
    </message>
    <message>
        <source>Shared keys, tied tables</source>
        <translation>共用键值与绑定词表</translation>
    </message>
    <message>
        <source>While a Transformer writes, it keeps keys and values of every token; heads that share them keep less.</source>
        <translation>Transformer 写译文时要保留每个词元的键和值；共用键值的头保留得更少。</translation>
    </message>
    <message>
        <source>Eight heads, English to French. Two heads of keys and values make the cache 4 times smaller, one makes it 8 times smaller; heads that share them still look in different ways, as their queries differ. Tied tables leave the cache as it is and save parameters. In the papers&apos; large models quality hardly suffers, with two less than with one; here, with heads 8 numbers wide, at most 5 % of the sentences would be little.</source>
        <translation>八个头，英语译法语。只留两组键和值，缓存是原来的 1/4；只留一组，是 1/8；共用键值的头因查询不同，看的地方仍然不同。绑定词表不改变缓存，但节省参数。在论文的大模型里质量几乎不降，留两组比留一组降得更少；这里每个头只有 8 维，若最多少对 5% 的句子就算降得很少。</translation>
    </message>
    <message>
        <source>Shazeer (2019), arXiv 1911.02150; Ainslie et al. (2023), GQA, arXiv 2305.13245; Press and Wolf (2017), Using the Output Embedding to Improve Language Models, arXiv 1608.05859</source>
        <translation>Shazeer（2019），arXiv 1911.02150；Ainslie 等（2023），GQA，arXiv 2305.13245；Press 与 Wolf（2017），Using the Output Embedding to Improve Language Models，arXiv 1608.05859</translation>
    </message>
    <message>
        <source>Last layer</source>
        <translation>最后一层</translation>
    </message>
    <message>
        <source>Same depth</source>
        <translation>同深度</translation>
    </message>
    <message>
        <source>Learned mix</source>
        <translation>学习的混合</translation>
    </message>
    <message>
        <source>Decoder layer</source>
        <translation>解码器层</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>{model}: a lower loss than the last layer alone in {better} of {seeds} runs.</source>
        <translation>{model}：{seeds} 次训练中有 {better} 次损失低于只读最后一层。</translation>
    </message>
    <message>
        <source>Before the first step encoder layer 1 has {value} % of the gradient of all {layers} layers with the mix, {last} % with the last layer.</source>
        <translation>第一步之前，编码器第 1 层的梯度占全部 {layers} 层的比例：混合时为 {value}%，只读最后一层时为 {last}%。</translation>
    </message>
    <message>
        <source>Once trained the mix gives the last layer {value} %, most to {most} ({share} %); all alike would be {even} %.</source>
        <translation>训练后，混合给最后一层 {value}%，给得最多的是{most}（{share}%）；各层相同则为 {even}%。</translation>
    </message>
    <message>
        <source>Mix of decoder layer {layer} over time, minus 1/{count}</source>
        <translation>解码器第 {layer} 层的混合随时间的变化，减去 1/{count}</translation>
    </message>
    <message>
        <source>Share of the gradient of each encoder layer before the first step</source>
        <translation>第一步之前各编码器层在梯度中的占比</translation>
    </message>
    <message>
        <source>encoder layer</source>
        <translation>编码器层</translation>
    </message>
    <message>
        <source>decoder layer {number}</source>
        <translation>解码器第 {number} 层</translation>
    </message>
    <message>
        <source>emb.</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>What the decoder reads</source>
        <translation>解码器读取哪一层</translation>
    </message>
    <message>
        <source>As published every decoder layer reads the encoder&apos;s last layer; it could as well read the layer of its own depth, or a learned mix of all.</source>
        <translation>按原论文，每个解码器层都读取编码器的最后一层；它也可以读取与自己同深度的层，或所有层的一个学习得到的混合。</translation>
    </message>
    <message>
        <source>With the mix the gradient reaches the lowest encoder layers directly, which helps where the encoder is deep. Six layers are hardly deep: expect a somewhat lower loss, with the mix and with the same depth.</source>
        <translation>混合使梯度直接到达编码器的最低层，编码器很深时有帮助。六层算不上深：无论混合还是读同一深度，损失都只会略低一些。</translation>
    </message>
    <message>
        <source>Bapna et al. (2018), Training Deeper Neural Machine Translation Models with Transparent Attention, arXiv 1808.07561</source>
        <translation>Bapna 等（2018），Training Deeper Neural Machine Translation Models with Transparent Attention，arXiv 1808.07561</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>普通</translation>
    </message>
    <message>
        <source>With copying</source>
        <translation>带复制</translation>
    </message>
    <message>
        <source>Sentence with</source>
        <translation>句子含</translation>
    </message>
    <message>
        <source>unseen names</source>
        <translation>未见过的名字</translation>
    </message>
    <message>
        <source>known names</source>
        <translation>见过的名字</translation>
    </message>
    <message>
        <source>Where an unseen name is written, {value} is copied; elsewhere {others}.</source>
        <translation>写未见过的名字时，{value} 来自复制；其他位置为 {others}。</translation>
    </message>
    <message>
        <source>{model}, {names}: {value} of the names right (spread {spread}), {sentences} of the sentences.</source>
        <translation>{model}，{names}：名字正确 {value}（极差 {spread}），整句正确 {sentences}。</translation>
    </message>
    <message>
        <source>{share} %</source>
        <translation>{share}%</translation>
    </message>
    <message>
        <source>Names right, share of all</source>
        <translation>名字正确的比例</translation>
    </message>
    <message>
        <source>{model}: cross-attention</source>
        <translation>{model}：交叉注意力</translation>
    </message>
    <message>
        <source>Ground: p_copy of each word</source>
        <translation>底色：每个词的 p_copy</translation>
    </message>
    <message>
        <source>framed: copied from here</source>
        <translation>加框：从此处复制</translation>
    </message>
    <message>
        <source>Copy mechanism</source>
        <translation>复制机制</translation>
    </message>
    <message>
        <source>A model can only write words that it learned to write. A pointer lets it copy words from where it looks, even names that it never met.</source>
        <translation>模型只会写它学过的词。有了指针，它可以从关注的位置复制词，连从未见过的名字也能写出。</translation>
    </message>
    <message>
        <source>Two people in each sentence; some names are in the vocabulary and in no training pair. The plain model cannot write these; with copying p_copy rises at names, and unseen ones come out right. Special tokens are never copied.</source>
        <translation>每句有两个人；有些名字在词表里，但不在任何训练句对中。普通模型写不出这些名字；带复制的模型在名字处 p_copy 升高，未见过的名字也能写对。特殊词元从不复制。</translation>
    </message>
    <message>
        <source>See et al. (2017), Get To The Point: Summarization with Pointer-Generator Networks, arXiv 1704.04368, section 2.2</source>
        <translation>See 等（2017），Get To The Point: Summarization with Pointer-Generator Networks，arXiv 1704.04368，第 2.2 节</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>All at once, in rounds</source>
        <translation>一次全写，逐轮修改</translation>
    </message>
    <message>
        <source>Rounds in all</source>
        <translation>总轮数</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>第几轮</translation>
    </message>
    <message>
        <source>One round: {value} of the sentences have a word twice (spread {spread}), {right} are right.</source>
        <translation>一轮：{value} 的句子有重复的词（各次相差 {spread}），{right} 正确。</translation>
    </message>
    <message>
        <source>{rounds} rounds: {value} are right (spread {spread}), {repeated} have a word twice.</source>
        <translation>{rounds} 轮：{value} 正确（各次相差 {spread}），{repeated} 有重复的词。</translation>
    </message>
    <message>
        <source>Left to right: {value} are right (spread {spread}), {repeated} have a word twice.</source>
        <translation>从左到右：{value} 正确（各次相差 {spread}），{repeated} 有重复的词。</translation>
    </message>
    <message>
        <source>Tokens a second, one sentence after the other: {value} times as many as left to right in one round, {last} times in {rounds}.</source>
        <translation>每秒词元数（逐句翻译）：一轮是从左到右的 {value} 倍，{rounds} 轮是 {last} 倍。</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>a word twice</source>
        <translation>有重复的词</translation>
    </message>
    <message>
        <source>left to right: right</source>
        <translation>从左到右：正确</translation>
    </message>
    <message>
        <source>Share of sentences</source>
        <translation>句子占比</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>rounds: {number}</source>
        <translation>轮数：{number}</translation>
    </message>
    <message>
        <source>Tokens a second, left to right = 1</source>
        <translation>每秒词元数（从左到右 = 1）</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>遮住</translation>
    </message>
    <message>
        <source>Round {number} of {count}: colour says how certain, a frame what is written now</source>
        <translation>第 {number} 轮，共 {count} 轮：颜色表示把握大小，加框的是本轮写出的词</translation>
    </message>
    <message>
        <source>a round that would write nothing is left out</source>
        <translation>没有要写的词的轮次略去</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源句</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>Cross-attention of round {number}</source>
        <translation>第 {number} 轮的交叉注意力</translation>
    </message>
    <message>
        <source>Cross-attention, left to right</source>
        <translation>从左到右的交叉注意力</translation>
    </message>
    <message>
        <source>maps: last decoder layer, mean over heads, first seed</source>
        <translation>图：解码器最后一层，各头平均，第一个种子</translation>
    </message>
    <message>
        <source>Words that are written at the same time do not know of each other: where two translations are right, they mix them, and further rounds have to mend it.</source>
        <translation>同时写出的词互不知情：若有两种译法都对，就会混在一起，要靠后面几轮来修补。</translation>
    </message>
    <message>
        <source>Each sentence is to be written forward or backward, as one likes. In one round both are mixed: words come twice and almost no sentence is right. Every further round keeps the most certain words and writes the others anew, knowing them; left to right has no such problem and stays ahead.</source>
        <translation>每个句子正写或倒写都可以。只写一轮时两者混在一起：词会重复，几乎没有句子是对的。以后每一轮保留把握最大的词，知道它们之后再重写其余的词；从左到右没有这个问题，始终不落后。</translation>
    </message>
    <message>
        <source>Gu et al. (2018), Non-Autoregressive Neural Machine Translation, arXiv 1711.02281; Ghazvininejad et al. (2019), Mask-Predict, arXiv 1904.09324, section 3</source>
        <translation>Gu 等（2018），Non-Autoregressive Neural Machine Translation，arXiv 1711.02281；Ghazvininejad 等（2019），Mask-Predict，arXiv 1904.09324，第 3 节</translation>
    </message>
</context>
<context>
    <name>ExploreBar</name>
    <message>
        <source>Not this model&apos;s</source>
        <translation>非此模型</translation>
    </message>
    <message>
        <source>d_model</source>
        <translation>d_model</translation>
    </message>
    <message>
        <source>Number of dimensions, d_model</source>
        <translation>维数 d_model</translation>
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
        <source>No command draws this page; export the picture from here.</source>
        <translation>没有绘制此页的命令；请在这里导出图片。</translation>
    </message>
    <message>
        <source>Bookmarks belong to the window: no command can read them.</source>
        <translation>书签属于窗口，没有命令能读取它们。</translation>
    </message>
    <message>
        <source>Save both decodings as traces first, and open them: the command compares files.</source>
        <translation>请先把两次解码都保存为解码记录并打开：命令对比的是文件。</translation>
    </message>
    <message>
        <source>Save this decoding as a trace first: it cannot be reproduced from its text alone.</source>
        <translation>请先把这次解码保存为解码记录：仅凭文本无法重现它。</translation>
    </message>
    <message>
        <source>The scale of this picture does not depend on the largest weight.</source>
        <translation>此图的尺度不随最大权重改变。</translation>
    </message>
    <message>
        <source>{count} files: {first} to {last}</source>
        <translation>{count} 个文件：{first} 至 {last}</translation>
    </message>
    <message>
        <source>{frames} frames of {width} × {height} pixels, {seconds} seconds</source>
        <translation>{frames} 帧，{width} × {height} 像素，{seconds} 秒</translation>
    </message>
    <message>
        <source>{format} (animation)</source>
        <translation>{format}（动画）</translation>
    </message>
    <message>
        <source>{name} already exists. Replace it?</source>
        <translation>{name} 已存在。要替换吗？</translation>
    </message>
    <message>
        <source>{count} of these files exist already. Replace them?</source>
        <translation>其中 {count} 个文件已存在。是否替换？</translation>
    </message>
    <message>
        <source>No command draws the tree of branches; export the picture from here.</source>
        <translation>没有绘制分支树的命令；请在这里导出图片。</translation>
    </message>
    <message>
        <source>No command colours the heads by what they wrote; export the picture from here, or let the view logit tell the numbers.</source>
        <translation>没有命令能按写入给注意力头上色；请从这里导出图片，或用视图 logit 得到数字。</translation>
    </message>
    <message>
        <source>No command measures the importance of heads; export the picture from here.</source>
        <translation>没有测量注意力头重要性的命令；请在这里导出图片。</translation>
    </message>
</context>
<context>
    <name>ExportForm</name>
    <message>
        <source>What this page shows</source>
        <translation>此页所示</translation>
    </message>
    <message>
        <source>This map</source>
        <translation>当前图</translation>
    </message>
    <message>
        <source>The arithmetic of the chosen cell</source>
        <translation>所选单元格的计算</translation>
    </message>
    <message>
        <source>What each step takes from the source</source>
        <translation>每一步取自源端多少</translation>
    </message>
    <message>
        <source>All heads of this family</source>
        <translation>这一类的所有注意力头</translation>
    </message>
    <message>
        <source>All heads of all families</source>
        <translation>所有类别的所有注意力头</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Difference from the pinned run</source>
        <translation>与固定解码的差值</translation>
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
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>蓝色</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>尺度</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 到 1</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>0 to the largest</source>
        <translation>0 到最大值</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height at most</source>
        <translation>最大高度</translation>
    </message>
    <message>
        <source>Highlight the step&apos;s row</source>
        <translation>标出当前步所在的行</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签字号</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> 磅</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>No title, no caption</source>
        <translation>不含标题和图注</translation>
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
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source>This figure</source>
        <translation>仅此图</translation>
    </message>
    <message>
        <source>Every head of this family</source>
        <translation>此类的每个头</translation>
    </message>
    <message>
        <source>Every step</source>
        <translation>每一步</translation>
    </message>
    <message>
        <source>Every bookmark</source>
        <translation>每个书签</translation>
    </message>
    <message>
        <source>Content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Caption</source>
        <translation>图注</translation>
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
        <source>Copy caption</source>
        <translation>复制图注</translation>
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
    <message>
        <source>The tree of branches</source>
        <translation>分支树</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
    <message>
        <source>{width} × {height} mm</source>
        <translation>{width} × {height} 毫米</translation>
    </message>
    <message>
        <source>{width} × {height} pixels</source>
        <translation>{width} × {height} 像素</translation>
    </message>
    <message>
        <source>labels {points} pt</source>
        <translation>标签 {points} 磅</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The word links of this map</source>
        <translation>此图所对齐的词</translation>
    </message>
    <message>
        <source>This map as flow</source>
        <translation>同一内容的流向图</translation>
    </message>
    <message>
        <source>This map as words</source>
        <translation>同一内容的着色文字</translation>
    </message>
    <message>
        <source>What each head wrote for a word</source>
        <translation>每个注意力头为一个词写了什么</translation>
    </message>
    <message>
        <source>Why the chosen cell is looked at</source>
        <translation>为什么看选中的单元格</translation>
    </message>
    <message>
        <source>What each token did for a word</source>
        <translation>每个词元对一个词的作用</translation>
    </message>
    <message>
        <source>Whether this map can be trusted</source>
        <translation>这张图是否可信</translation>
    </message>
    <message>
        <source>Each word with and without the source</source>
        <translation>每个词：有源句与没有源句</translation>
    </message>
    <message>
        <source>A translation from each encoder layer</source>
        <translation>从编码器每一层得到的译文</translation>
    </message>
    <message>
        <source>What one word is made of</source>
        <translation>一个词由什么构成</translation>
    </message>
    <message>
        <source>What the chosen head does in general</source>
        <translation>所选注意力头一般做什么</translation>
    </message>
    <message>
        <source>Effects of carrying over</source>
        <translation>移植的效应</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Traces (*.trace)</source>
        <translation>解码记录 (*.trace)</translation>
    </message>
    <message>
        <source>Save trace</source>
        <translation>保存解码记录</translation>
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
        <source>Writing {name}</source>
        <translation>正在写 {name}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written</source>
        <translation>已取消：没有写任何内容</translation>
    </message>
    <message>
        <source>Caption copied</source>
        <translation>已复制图注</translation>
    </message>
    <message>
        <source>Command copied</source>
        <translation>命令已复制</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Save over it</source>
        <translation>覆盖保存</translation>
    </message>
</context>
<context>
    <name>FactorRow</name>
    <message>
        <source>off</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>FieldRow</name>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>{field}: automatic</source>
        <translation>{field}：自动</translation>
    </message>
    <message>
        <source>Set from the data and the length of the run; type a number to choose your own</source>
        <translation>由数据和训练长度得出；想自己定，输入一个数即可</translation>
    </message>
</context>
<context>
    <name>Fields</name>
    <message>
        <source>Task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>Copy the words</source>
        <translation>单词照抄</translation>
    </message>
    <message>
        <source>Reverse the words</source>
        <translation>单词倒序</translation>
    </message>
    <message>
        <source>Sort the words</source>
        <translation>单词排序</translation>
    </message>
    <message>
        <source>Forward or backward</source>
        <translation>正写或倒写</translation>
    </message>
    <message>
        <source>Write a tree in brackets</source>
        <translation>写成括号树</translation>
    </message>
    <message>
        <source>English to French grammar</source>
        <translation>英译法语法</translation>
    </message>
    <message>
        <source>English to French with names</source>
        <translation>含名字的英译法</translation>
    </message>
    <message>
        <source>Two relations at once</source>
        <translation>同时看两处关系</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>句对数</translation>
    </message>
    <message>
        <source>How many sentence pairs the task makes; more of them teach the rule rather than the examples.</source>
        <translation>任务生成多少个句对；越多，学到的就越是规则，而不是例子。</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Text files with a sentence, a tab and its translation on each line (or CSV), plain or as .gz, .xz, .bz2 or .zip.</source>
        <translation>文本文件，每行一个句子、一个制表符和它的译文（或 CSV）；可以是纯文本，也可以是 .gz、.xz、.bz2 或 .zip。</translation>
    </message>
    <message>
        <source>Two files</source>
        <translation>两个文件</translation>
    </message>
    <message>
        <source>Two text files whose lines are each other&apos;s translations, line by line.</source>
        <translation>两个文本文件，逐行互为译文。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Which columns hold the sentence and its translation: numbers from 1, or the names in a CSV&apos;s first line.</source>
        <translation>句子和译文所在的列：从 1 开始的编号，或 CSV 首行中的列名。</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Codes of the two languages, such as en and fr: the one read, then the one written.</source>
        <translation>两种语言的代码，如 en 和 fr：先是读入的，后是写出的。</translation>
    </message>
    <message>
        <source>Translate the other way</source>
        <translation>交换翻译方向</translation>
    </message>
    <message>
        <source>Reads the second column and writes the first.</source>
        <translation>读入第二列，写出第一列。</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>留出方式</translation>
    </message>
    <message>
        <source>Some pairs, drawn by the seed</source>
        <translation>按种子抽取若干句对</translation>
    </message>
    <message>
        <source>By hash: 1 % dev, 1 % test</source>
        <translation>按哈希：1% 验证，1% 测试</translation>
    </message>
    <message>
        <source>Longest sentence</source>
        <translation>最长句子</translation>
    </message>
    <message>
        <source>Pairs with a longer side are left out.</source>
        <translation>任一侧更长的句对不采用。</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>个字符</translation>
    </message>
    <message>
        <source>any length</source>
        <translation>不限长度</translation>
    </message>
    <message>
        <source>Most uneven pair</source>
        <translation>最大长度比</translation>
    </message>
    <message>
        <source>Pairs whose longer side has more than this many times the characters of the shorter are left out, as they are seldom translations.</source>
        <translation>较长一侧的字符数超过较短一侧的这么多倍时，句对不采用，因为它们很少是真正的译文。</translation>
    </message>
    <message>
        <source>any ratio</source>
        <translation>不限比例</translation>
    </message>
    <message>
        <source>Longest in tokens</source>
        <translation>最多词元数</translation>
    </message>
    <message>
        <source>Pairs with more tokens on a side are left out, as memory grows with the longest sentence.</source>
        <translation>任一侧词元更多的句对不采用，因为最长的句子决定占用多少内存。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>个词元</translation>
    </message>
    <message>
        <source>Use repeated pairs once</source>
        <translation>重复句对只用一次</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>Unigram</source>
        <translation>Unigram</translation>
    </message>
    <message>
        <source>BPE</source>
        <translation>BPE</translation>
    </message>
    <message>
        <source>Whole words</source>
        <translation>整词</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>个子词</translation>
    </message>
    <message>
        <source>One for both languages</source>
        <translation>两种语言共用</translation>
    </message>
    <message>
        <source>Both languages share their pieces, which suits related languages and lets embeddings be tied.</source>
        <translation>两种语言共用子词，适合相近的语言，也使嵌入可以共享。</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖率</translation>
    </message>
    <message>
        <source>The share of all characters that get a piece of their own; the rarest beyond it do not (0.9995 suits Chinese).</source>
        <translation>所有字符中有多大比例能有自己的子词；其余最罕见的没有（中文适合用 0.9995）。</translation>
    </message>
    <message>
        <source>Spell rare characters as bytes</source>
        <translation>罕见字符拆成字节</translation>
    </message>
    <message>
        <source>A character without a piece is written as its bytes instead of one unknown token, so that nothing is lost.</source>
        <translation>没有子词的字符用它的字节表示，而不是记作一个未知词元，因此不丢失任何内容。</translation>
    </message>
    <message>
        <source>BPE dropout</source>
        <translation>BPE dropout</translation>
    </message>
    <message>
        <source>Existing pieces</source>
        <translation>现有子词</translation>
    </message>
    <message>
        <source>SentencePiece .spm files to use instead of learning new ones: one for both languages, or two.</source>
        <translation>不学习新词表，改用 SentencePiece 的 .spm 文件：两种语言共用一个，或各用一个。</translation>
    </message>
    <message>
        <source>Encoder layers</source>
        <translation>编码器层数</translation>
    </message>
    <message>
        <source>Decoder layers</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>How many layers write the translation; each looks at what is written and at the sentence read.</source>
        <translation>用多少层写出译文；每一层都看已写出的部分和读入的句子。</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>维数</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Heads per layer: each looks at the sentence in its own way; d_model must divide evenly among them.</source>
        <translation>每层的注意力头数：每个头以自己的方式看句子；d_model 必须能平均分给它们。</translation>
    </message>
    <message>
        <source>Heads of keys and values</source>
        <translation>键和值的头数</translation>
    </message>
    <message>
        <source>How many have keys and values of their own, which the rest then share for a smaller cache; it must divide the heads evenly.</source>
        <translation>有多少组自己的键和值，由各头共用，缓存因此变小；须能整除头数。</translation>
    </message>
    <message>
        <source>as many as heads</source>
        <translation>与头数相同</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>前馈维数</translation>
    </message>
    <message>
        <source>The inner width of the feed-forward network after each attention, in the paper four times d_model.</source>
        <translation>每个注意力之后的前馈网络的内部维数，论文中是 d_model 的四倍。</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Normalisation</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>After (post-norm)</source>
        <translation>之后（post-norm）</translation>
    </message>
    <message>
        <source>Before (pre-norm)</source>
        <translation>之前（pre-norm）</translation>
    </message>
    <message>
        <source>Kind of norm</source>
        <translation>归一化的种类</translation>
    </message>
    <message>
        <source>Whether each token&apos;s vector is normalised by itself, as in the paper, or each feature over all tokens of a batch.</source>
        <translation>每个词元的向量各自归一化（与论文相同），还是每个特征在一个批次的所有词元上归一化。</translation>
    </message>
    <message>
        <source>LayerNorm</source>
        <translation>LayerNorm</translation>
    </message>
    <message>
        <source>BatchNorm</source>
        <translation>BatchNorm</translation>
    </message>
    <message>
        <source>Decoder reads</source>
        <translation>解码器读取</translation>
    </message>
    <message>
        <source>Whether all decoder layers read the last encoder layer (the paper), each that of its own depth, or a learned mix.</source>
        <translation>所有解码器层都读取最后一个编码器层（论文），或各读同深度的一层，或读取学习得到的混合。</translation>
    </message>
    <message>
        <source>The last layer</source>
        <translation>最后一层</translation>
    </message>
    <message>
        <source>The same depth</source>
        <translation>同深度的层</translation>
    </message>
    <message>
        <source>A learned mix</source>
        <translation>学习的混合</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation>ReLU</translation>
    </message>
    <message>
        <source>GELU</source>
        <translation>GELU</translation>
    </message>
    <message>
        <source>SiLU</source>
        <translation>SiLU</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>学得</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Sines and cosines</source>
        <translation>正弦和余弦</translation>
    </message>
    <message>
        <source>Sines first</source>
        <translation>正弦在前</translation>
    </message>
    <message>
        <source>Wavelength base</source>
        <translation>波长基数</translation>
    </message>
    <message>
        <source>The longest text, in tokens, that the model can ever read or write.</source>
        <translation>模型能读或写的最长文本，以词元计。</translation>
    </message>
    <message>
        <source>Tied embeddings</source>
        <translation>共享嵌入</translation>
    </message>
    <message>
        <source>Target and output</source>
        <translation>目标端与输出</translation>
    </message>
    <message>
        <source>Source, target, output</source>
        <translation>源端、目标端与输出</translation>
    </message>
    <message>
        <source>Copy words</source>
        <translation>复制词</translation>
    </message>
    <message>
        <source>Words of the source can be copied as they stand, such as names never seen before; needs one vocabulary for both languages.</source>
        <translation>源句中的词可以原样复制，例如从未见过的名字；需要两种语言共用一个词表。</translation>
    </message>
    <message>
        <source>Scale embeddings</source>
        <translation>缩放嵌入</translation>
    </message>
    <message>
        <source>Biases in attention</source>
        <translation>注意力的偏置</translation>
    </message>
    <message>
        <source>Adds a learned constant to queries, keys, values and the heads&apos; output.</source>
        <translation>给查询、键、值和各头的输出加上一个学得的常数。</translation>
    </message>
    <message>
        <source>Bias of the output</source>
        <translation>输出的偏置</translation>
    </message>
    <message>
        <source>Order of writing</source>
        <translation>生成顺序</translation>
    </message>
    <message>
        <source>Whether a translation is written token after token, or all of it at once and then mended in rounds.</source>
        <translation>译文是逐个词元写出，还是一次全部写出、再逐轮修补。</translation>
    </message>
    <message>
        <source>Left to right</source>
        <translation>从左到右</translation>
    </message>
    <message>
        <source>All at once, in rounds</source>
        <translation>一次全写，逐轮修改</translation>
    </message>
    <message>
        <source>Norm epsilon</source>
        <translation>归一化 ε</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>The run ends after this many passes over all pairs.</source>
        <translation>把全部句对遍历这么多遍后，训练结束。</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>The run ends after this many updates of the weights.</source>
        <translation>权重更新这么多次后，训练结束。</translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation>分钟数</translation>
    </message>
    <message>
        <source>The run ends after this much time spent in training.</source>
        <translation>训练用时达到这么久后，训练结束。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>Noam (the paper&apos;s)</source>
        <translation>Noam（论文）</translation>
    </message>
    <message>
        <source>Inverse square root</source>
        <translation>平方根倒数</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>How far each step moves the weights: the highest rate, or with Noam the factor of its formula.</source>
        <translation>每一步把权重移动多远：指最高的学习率；对 Noam 则是其公式中的系数。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Cosine ends at</source>
        <translation>余弦终点</translation>
    </message>
    <message>
        <source>The step at which the cosine schedule reaches 0.</source>
        <translation>余弦调度降到 0 的那一步。</translation>
    </message>
    <message>
        <source>the run&apos;s limit</source>
        <translation>训练终点</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Pairs in a batch</source>
        <translation>每批句对</translation>
    </message>
    <message>
        <source>A task whose sentence pairs are generated, so that training works without any file.</source>
        <translation>句对当场生成的任务，因此不需要任何文件就能训练。</translation>
    </message>
    <message>
        <source>Short sentences, as in lecture notes</source>
        <translation>短句，与讲义相同</translation>
    </message>
    <message>
        <source>The character encoding of the files, such as utf-8 or gb18030; auto detects it.</source>
        <translation>文件的字符编码，如 utf-8 或 gb18030；auto 会自动判断。</translation>
    </message>
    <message>
        <source>How pairs are set aside to measure progress; test sentences never occur in training.</source>
        <translation>怎样留出句对来衡量进度；用于测试的句子绝不出现在训练中。</translation>
    </message>
    <message>
        <source>A pair that occurs several times is used only once.</source>
        <translation>出现多次的句对只用一次。</translation>
    </message>
    <message>
        <source>How text is split: into likely pieces (unigram), frequently merged pairs of letters (BPE), or whole words.</source>
        <translation>怎样切分文本：切成最可能的子词（unigram）、常相连的字母组合（BPE），或整个单词。</translation>
    </message>
    <message>
        <source>How many different pieces the model knows; few pieces split words finely, many need more text to learn from.</source>
        <translation>模型认识多少个不同的子词；太少则单词切得很碎，太多则需要更多文本来学习。</translation>
    </message>
    <message>
        <source>The share of BPE merges skipped at random in training, so that a word is seen split in many ways (0.1 helps small corpora).</source>
        <translation>训练中随机跳过的 BPE 合并所占的比例：同一个词会以多种切分出现（语料少时 0.1 有帮助）。</translation>
    </message>
    <message>
        <source>How many layers read the sentence, each building on the one below.</source>
        <translation>用多少层读入句子，每一层都以下一层为基础。</translation>
    </message>
    <message>
        <source>How many numbers describe a token in every layer (d_model); wider models learn more and train more slowly.</source>
        <translation>每一层用多少个数描述一个词元（d_model）；维数越大，模型懂得越多，训练也越慢。</translation>
    </message>
    <message>
        <source>The share of values dropped at random during training, which keeps a model from memorising its examples.</source>
        <translation>训练时随机丢弃的数的比例，使模型不会把例子背下来。</translation>
    </message>
    <message>
        <source>Whether vectors are normalised after each sub-layer, as in the paper, or before it, which is easier to train in deep models.</source>
        <translation>在每个子层之后归一化（如论文），还是在子层之前（层数多时更容易训练）。</translation>
    </message>
    <message>
        <source>The non-linearity between the two feed-forward maps; without it they would be one linear map.</source>
        <translation>两次前馈映射之间的非线性；没有它，两次映射就等于一次。</translation>
    </message>
    <message>
        <source>Alternating</source>
        <translation>交替</translation>
    </message>
    <message>
        <source>The longest wavelength of the positions is about 2π times this many tokens (10000 in the paper).</source>
        <translation>位置编码的最长波长约为此数的 2π 倍个词元（论文中为 10000）。</translation>
    </message>
    <message>
        <source>Token limit</source>
        <translation>词元上限</translation>
    </message>
    <message>
        <source>Which tables of token vectors are shared, which saves parameters and often helps.</source>
        <translation>哪些词元向量表是同一张表；共享可减少参数，也常有帮助。</translation>
    </message>
    <message>
        <source>Multiplies token vectors by the square root of d_model, so that positions do not drown them out.</source>
        <translation>把词元向量乘以 d_model 的平方根，使其不被位置编码淹没。</translation>
    </message>
    <message>
        <source>Adds a learned constant to each piece&apos;s score, which gives frequent pieces a head start.</source>
        <translation>给每个子词的得分加上一个学得的常数，使常见的子词一开始就占先。</translation>
    </message>
    <message>
        <source>A tiny number added before dividing by the standard deviation, to avoid division by zero.</source>
        <translation>除以标准差之前加上的一个极小的数，避免除以零。</translation>
    </message>
    <message>
        <source>How the learning rate rises and falls: Noam is the paper&apos;s, cosine ends at 0, constant does not change.</source>
        <translation>学习率怎样升降：Noam 是论文的做法，余弦最后降到 0，恒定则保持不变。</translation>
    </message>
    <message>
        <source>Over this many steps the rate rises from zero, since the first gradients are unreliable.</source>
        <translation>在这么多步内，学习率从零升起，因为最初的梯度还不可靠。</translation>
    </message>
    <message>
        <source>How many tokens, padding included, are processed before the weights are updated; larger batches are steadier and need more memory.</source>
        <translation>每次移动权重之前看多少个词元（含填充）；批次越大越平稳，也越占内存。</translation>
    </message>
    <message>
        <source>Forms batches of this many pairs, whatever their length, instead of by tokens.</source>
        <translation>按句对数划分批次，不论长短，而不是按词元数。</translation>
    </message>
    <message>
        <source>by tokens</source>
        <translation>按词元</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>梯度累积</translation>
    </message>
    <message>
        <source>Adds up the gradients of this many batches before each step: a large batch in little memory.</source>
        <translation>每一步之前把这么多个批次的梯度加起来：用少量内存得到大批次。</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>The share of probability spread over all pieces, so that the model never becomes too sure.</source>
        <translation>分摊给所有子词的概率比例，使模型不会过于自信。</translation>
    </message>
    <message>
        <source>Guide attention</source>
        <translation>引导注意力</translation>
    </message>
    <message>
        <source>No</source>
        <translation>不引导</translation>
    </message>
    <message>
        <source>Along the diagonal</source>
        <translation>沿对角线</translation>
    </message>
    <message>
        <source>Never backwards</source>
        <translation>不往回走</translation>
    </message>
    <message>
        <source>Weight of the guide</source>
        <translation>引导的权重</translation>
    </message>
    <message>
        <source>How much the penalty counts beside the loss.</source>
        <translation>惩罚项相对于损失的权重。</translation>
    </message>
    <message>
        <source>Width of the guide</source>
        <translation>引导的宽度</translation>
    </message>
    <message>
        <source>How far from the diagonal a head may look without being penalised much, as a share of the sentence.</source>
        <translation>一个头可以偏离对角线多远而不受多少惩罚，以句长的比例计。</translation>
    </message>
    <message>
        <source>Guided heads</source>
        <translation>被引导的头数</translation>
    </message>
    <message>
        <source>How many heads of each decoder layer are guided, the first ones; the others look where they like.</source>
        <translation>解码器每层引导前几个头；其余的头不受约束。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Own prefix</source>
        <translation>自己的前缀</translation>
    </message>
    <message>
        <source>teacher forcing</source>
        <translation>教师强制</translation>
    </message>
    <message>
        <source>Own prefix rises over</source>
        <translation>自己的前缀递增步数</translation>
    </message>
    <message>
        <source>The steps in which the share of the model&apos;s own prefix rises from nothing.</source>
        <translation>自己写出的前缀的比例从零升到设定值所用的步数。</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>立即</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Pulls weights towards 0 a little at each step (AdamW), which reduces memorising.</source>
        <translation>每一步把权重向 0 拉近一点（AdamW），以防模型死记硬背。</translation>
    </message>
    <message>
        <source>A gradient longer than this is shortened to it, so that one odd batch cannot ruin the weights.</source>
        <translation>比这更长的梯度会缩短到这个长度，使个别异常的批次不致毁掉权重。</translation>
    </message>
    <message>
        <source>What early stopping looks at; the best weights are those with the best BLEU, or the best loss where BLEU is not measured.</source>
        <translation>早停看什么指标；最佳权重按 BLEU 选，没有 BLEU 时按损失选。</translation>
    </message>
    <message>
        <source>Also saves the run this often between evaluations, so that a power cut costs less.</source>
        <translation>除每次评测外，还按这个间隔保存训练，断电时损失更少。</translation>
    </message>
    <message>
        <source>Half as many bits (bfloat16) is faster where the hardware supports it; automatic decides.</source>
        <translation>位数减半（bfloat16）在硬件支持时更快；“自动”会自行判断。</translation>
    </message>
    <message>
        <source>How many processor cores are used at once.</source>
        <translation>处理器有多少个核心同时工作。</translation>
    </message>
    <message>
        <source>The number that all randomness starts from: the same seed gives the same run.</source>
        <translation>一切随机都由这个数产生：相同的种子得到相同的训练。</translation>
    </message>
    <message>
        <source>The sentence whose attention is followed while the model learns; if empty, a held-out one is used.</source>
        <translation>模型学习期间跟踪其注意力的句子；留空则用一个验证句。</translation>
    </message>
    <message>
        <source>Held fixed, so that the heads can be compared from step to step; if empty, the model writes its own.</source>
        <translation>固定不变，使各步的注意力头可以比较；留空则由模型自己写。</translation>
    </message>
    <message>
        <source>The most disk space that the kept frames may take; when full, every second frame is deleted.</source>
        <translation>保存的帧最多占用多少磁盘；满了之后每隔一帧删去一帧。</translation>
    </message>
    <message>
        <source>Stores the weights with 16 bits each instead of 32: half the file size, with no visible difference.</source>
        <translation>每个权重用 16 位而不是 32 位存储：文件减半，看不出差别。</translation>
    </message>
    <message>
        <source>As in lecture notes</source>
        <translation>与讲义相同</translation>
    </message>
    <message>
        <source>A new folder for the model; the run is saved there too.</source>
        <translation>一个新文件夹，用来存放模型，训练也保存在其中。</translation>
    </message>
    <message>
        <source>Arithmetic expressions without brackets and their trees with the operator first, as in a - b * c and ( - a ( * b c ) ): * and / bind tighter than + and -, operators of equal rank group from the left.</source>
        <translation>不带括号的算术表达式，以及运算符在前的树，如 a - b * c 和 ( - a ( * b c ) )：* 和 / 的优先级高于 + 和 -，同级从左到右结合。</translation>
    </message>
    <message>
        <source>English sentences and their French translations, made by a small grammar: gender, number and person agree, adjectives stand before or after their noun, ne … pas and ne … jamais, pronouns in front of the verb, elision and contraction. All in lower case; the final punctuation mark is a word of its own and so is an elided l&apos;, j&apos;, n&apos; or d&apos;. Where English does not tell, French is masculine, and you is tu.</source>
        <translation>由小型语法生成的英语句子及其法语译文：性、数、人称一致，形容词在名词之前或之后，ne … pas 和 ne … jamais，代词在动词之前，省音与缩合。全部小写；句末标点自成一词，省音的 l&apos;、j&apos;、n&apos; 或 d&apos; 也是。英语未表明时，法语用阳性，you 译作 tu。</translation>
    </message>
    <message>
        <source>638 short English sentences and their French translations, such as go . and va !, all in lower case, the final punctuation mark as a word of its own.</source>
        <translation>638 个英语短句及其法语译文，如 go . 和 va !；全部小写，句末标点自成一词。</translation>
    </message>
    <message>
        <source>{pairs} pairs are few for a model of {parameters} parameters: the preset Tiny learns faster from so few.</source>
        <translation>对有 {parameters} 个参数的模型来说，{pairs} 个句对太少：“微型”预设能更快从这么少的句对中学会。</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>评测间隔</translation>
    </message>
    <message>
        <source>After this many steps the held-out pairs are measured and translated, and the run is saved.</source>
        <translation>每过这么多步，测量并翻译验证句对，并保存训练。</translation>
    </message>
    <message>
        <source>once an epoch</source>
        <translation>每轮一次</translation>
    </message>
    <message>
        <source>Early stopping</source>
        <translation>早停</translation>
    </message>
    <message>
        <source>The run ends after this many evaluations in a row without improvement.</source>
        <translation>连续这么多次评测没有改进时，训练结束。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>How the model knows where a token stands: by vectors that are added, by distances in self-attention, or not at all.</source>
        <translation>模型如何知道词元的位置：加上向量、在自注意力中按距离起作用，或者完全不知道。</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>Rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>Whether sines and cosines alternate, as in the paper, or all sines come first; of rotary positions, which numbers turn together.</source>
        <translation>正弦和余弦是像论文那样交替，还是所有正弦在前；对旋转位置编码则是哪些数一起旋转。</translation>
    </message>
    <message>
        <source>Relative span</source>
        <translation>相对位置的范围</translation>
    </message>
    <message>
        <source>From how many tokens away on relative positions are all the same, to the left and to the right.</source>
        <translation>相隔多少个词元以后，左右两侧的相对位置各自不再区分。</translation>
    </message>
    <message>
        <source>Penalises cross-attention that leaves the diagonal or goes backwards: a help where word order is kept.</source>
        <translation>对偏离对角线或往回走的交叉注意力加以惩罚：词序不变时有帮助。</translation>
    </message>
    <message>
        <source>Scheduled sampling: the share of the prefix that the model wrote itself, so that it learns from its mistakes.</source>
        <translation>计划采样：前缀中由模型自己写出的比例，让它学会在自己出错之后接着写。</translation>
    </message>
    <message>
        <source>First predictions</source>
        <translation>最初的预测</translation>
    </message>
    <message>
        <source>Whether all words are about equally likely before the first step, or embeddings start with length 1.</source>
        <translation>第一步之前，是让所有词的概率大致相等，还是让嵌入从长度 1 开始。</translation>
    </message>
    <message>
        <source>Even</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>Of embeddings of length 1</source>
        <translation>嵌入长度为 1</translation>
    </message>
    <message>
        <source>Improvement of</source>
        <translation>改进的依据</translation>
    </message>
    <message>
        <source>Held-out loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>Held-out BLEU</source>
        <translation>验证 BLEU</translation>
    </message>
    <message>
        <source>Sentences for BLEU</source>
        <translation>BLEU 句数</translation>
    </message>
    <message>
        <source>How many held-out sentences are translated at each evaluation to measure BLEU.</source>
        <translation>每次评测时翻译多少个验证句来测量 BLEU。</translation>
    </message>
    <message>
        <source>no BLEU</source>
        <translation>不测 BLEU</translation>
    </message>
    <message>
        <source>Save every</source>
        <translation>存盘间隔</translation>
    </message>
    <message>
        <source>at evaluations</source>
        <translation>评测时</translation>
    </message>
    <message>
        <source>Average over</source>
        <translation>平均步数</translation>
    </message>
    <message>
        <source>A running average of the weights over about this many steps is measured too, and kept where it is better.</source>
        <translation>同时测量约这么多步内权重的滑动平均，在它更好时采用。</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>Compute on</source>
        <translation>计算设备</translation>
    </message>
    <message>
        <source>A graphics card (CUDA, or MPS on a Mac) where there is one, or the processor.</source>
        <translation>有显卡时用显卡（CUDA，Mac 上为 MPS），否则用处理器。</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>CUDA</source>
        <translation>CUDA</translation>
    </message>
    <message>
        <source>MPS</source>
        <translation>MPS</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>记录间隔</translation>
    </message>
    <message>
        <source>How many steps lie between two points of the curves.</source>
        <translation>曲线上相邻两点之间隔多少步。</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Its translation</source>
        <translation>它的译文</translation>
    </message>
    <message>
        <source>Keep every</source>
        <translation>保存间隔</translation>
    </message>
    <message>
        <source>The attention of the sentence is kept this often, for a time-lapse of the heads forming.</source>
        <translation>每隔这么久保存一次这个句子的注意力，供延时回放注意力头的形成。</translation>
    </message>
    <message>
        <source>not kept</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What the model is called in menus and figures.</source>
        <translation>模型在菜单和图中的名称。</translation>
    </message>
    <message>
        <source>Half-size file</source>
        <translation>半精度存储</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Sizes to start from: tiny learns a task in minutes, base is the paper&apos;s; every field below may be changed.</source>
        <translation>起步的规模：微型几分钟就能学会一个任务，基准是论文的规模；以下各字段都可以再改。</translation>
    </message>
    <message>
        <source>Tiny</source>
        <translation>微型</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>小型</translation>
    </message>
    <message>
        <source>Base (the paper&apos;s)</source>
        <translation>基准（论文）</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>自定</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Sequences of 3 to 12 words, drawn evenly from 24, and the same words again.</source>
        <translation>由 3 到 12 个词组成的序列，从 24 个词中均匀抽取；译文照抄这些词。</translation>
    </message>
    <message>
        <source>Sequences of 3 to 12 words, drawn evenly from 24, and the same words in reverse order.</source>
        <translation>由 3 到 12 个词组成的序列，从 24 个词中均匀抽取；译文是这些词的倒序。</translation>
    </message>
    <message>
        <source>Sequences of 3 to 12 words, drawn evenly from 24, and the same words in alphabetical order.</source>
        <translation>由 3 到 12 个词组成的序列，从 24 个词中均匀抽取；译文把这些词按字母顺序排列。</translation>
    </message>
    <message>
        <source>Sequences of 4 to 6 different words, first some of 8 animals and then as many of 8 things, or one less, and the same words in the same order or in reverse, which a coin decides: each source has two right targets.</source>
        <translation>由 4 至 6 个不同的词组成的序列：先是若干动物（共 8 种），再是同样多（或少一个）的物品（共 8 种）；目标是这些词按原顺序或倒序排列，由掷硬币决定：每个源句都有两个正确的目标。</translation>
    </message>
    <message>
        <source>Short English sentences about two people and their French translations. 522 names occur; 105 more stand in the vocabulary and in no sentence. All in lower case; the mark at the end is a word of its own.</source>
        <translation>关于两个人的英语短句及其法语译文。其中出现 522 个名字；另有 105 个只在词表里，不在任何句子中。全部小写；句末标点单独成词。</translation>
    </message>
    <message>
        <source>Sequences of 3 to 8 letters, drawn evenly from a to f; each is joined with the one as far from the other end, as in a c f b and ab cf fc ba.</source>
        <translation>3 到 8 个字母的序列，从 a 到 f 中均匀抽取；每个字母与从另一端数同样远的字母拼在一起，如 a c f b 变成 ab cf fc ba。</translation>
    </message>
    <message>
        <source>as there are {pairs} pairs</source>
        <translation>因为共有 {pairs} 个句对</translation>
    </message>
    <message>
        <source>as the pairs are written in {characters} different characters</source>
        <translation>因为句对中有 {characters} 种不同的字符</translation>
    </message>
    <message>
        <source>as all pairs together are {tokens} tokens</source>
        <translation>因为所有句对合计 {tokens} 个词元</translation>
    </message>
    <message>
        <source>so that {minutes} minutes are enough for about {steps} steps</source>
        <translation>这样 {minutes} 分钟够走约 {steps} 步</translation>
    </message>
    <message>
        <source>as one pass over the pairs is {steps} steps</source>
        <translation>因为遍历一遍句对只有 {steps} 步</translation>
    </message>
    <message>
        <source>as the run makes about {steps} steps</source>
        <translation>因为这次训练约有 {steps} 步</translation>
    </message>
    <message>
        <source>so that the rate is {rate} where the warm-up ends</source>
        <translation>这样预热结束时的学习率是 {rate}</translation>
    </message>
    <message>
        <source>as {pairs} pairs are read about {passes} times</source>
        <translation>因为 {pairs} 个句对会被读约 {passes} 遍</translation>
    </message>
    <message>
        <source>so that there are about {times} evaluations</source>
        <translation>这样约有 {times} 次评测</translation>
    </message>
    <message>
        <source>so that the run is kept in some {frames} frames</source>
        <translation>这样整个过程保存为约 {frames} 帧</translation>
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
        <source>not in both</source>
        <translation>并非两者都有</translation>
    </message>
    <message>
        <source>later steps</source>
        <translation>之后的步</translation>
    </message>
    <message>
        <source>cells smaller than a pixel: each pixel shows the number in it that is farthest from 0</source>
        <translation>单元格小于一个像素：每个像素显示其中离 0 最远的数</translation>
    </message>
    <message>
        <source>cells smaller than a pixel: each pixel shows the largest weight in it</source>
        <translation>单元格小于一个像素：每个像素显示其中最大的权重</translation>
    </message>
    <message>
        <source>reading: coarser until then</source>
        <translation>读取中：完成前较粗略</translation>
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
        <source>mean over positions</source>
        <translation>各位置平均</translation>
    </message>
    <message>
        <source>Σ cos(ω_i k)</source>
        <translation>Σ cos(ω_i k)</translation>
    </message>
    <message>
        <source>offset k</source>
        <translation>偏移 k</translation>
    </message>
    <message>
        <source>dot product</source>
        <translation>点积</translation>
    </message>
    <message>
        <source>How far each position is from the one nearest to it</source>
        <translation>每个位置离最近的位置有多远</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Similarity of positions k apart: PE(pos) · PE(pos + k)</source>
        <translation>相距 k 的位置有多相似：PE(pos) · PE(pos + k)</translation>
    </message>
    <message>
        <source>Euclidean length</source>
        <translation>欧氏长度</translation>
    </message>
    <message>
        <source>distance to the nearest</source>
        <translation>到最近位置的距离</translation>
    </message>
    <message>
        <source>norm of PE(pos)</source>
        <translation>PE(pos) 的范数</translation>
    </message>
    <message>
        <source>Smallest distance between any two of the {count} positions: {distance}, between {first} and {second}. All positions can be told apart.</source>
        <translation>{count} 个位置两两之间的最小距离：{distance}，在 {first} 与 {second} 之间。任何两个位置都能区分。</translation>
    </message>
    <message>
        <source>For sinusoids the dot product is Σ cos(ω_i k) at any pos: it tells how far apart two positions are, not where they are.</source>
        <translation>对正弦编码，无论 pos 是多少，点积都是 Σ cos(ω_i k)：它说明两个位置相距多远，而不说明它们在哪里。</translation>
    </message>
    <message>
        <source>Learned positions follow no formula: the band shows how much the dot product at one offset differs from position to position.</source>
        <translation>学得的位置编码不来自公式：色带表示同一偏移的点积随位置变化多大。</translation>
    </message>
    <message>
        <source>cosine similarity</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Positions {first} and {second} have the same vector: the model cannot tell them apart.</source>
        <translation>位置 {first} 与 {second} 的向量相同：模型无法区分它们。</translation>
    </message>
    <message>
        <source>Positions that each pair takes to turn once</source>
        <translation>每对转一圈所需的位置数</translation>
    </message>
    <message>
        <source>Similarity of positions k apart: cosine</source>
        <translation>相距 k 的位置有多相似：余弦</translation>
    </message>
    <message>
        <source>base 1000 (a misprint)</source>
        <translation>基数 1000（讲义笔误）</translation>
    </message>
    <message>
        <source>base {base}</source>
        <translation>基数 {base}</translation>
    </message>
    <message>
        <source>{distance} ({apart} apart)</source>
        <translation>{distance}（相距 {apart}）</translation>
    </message>
    <message>
        <source>Smallest distance among the first {count} positions</source>
        <translation>前 {count} 个位置之间的最小距离</translation>
    </message>
    <message>
        <source>Pairs that complete a turn within them</source>
        <translation>在其中至少转一圈的维度对</translation>
    </message>
    <message>
        <source>{name} (the paper&apos;s)</source>
        <translation>{name}（论文）</translation>
    </message>
    <message>
        <source>Longest wavelength, in positions</source>
        <translation>最长波长（位置数）</translation>
    </message>
    <message>
        <source>{count} of {all}</source>
        <translation>{count}/{all}</translation>
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
        <source>{place}: predicting “{query}” · “{key}”: {quantity} {weight}</source>
        <translation>{place}：预测“{query}”·“{key}”：{quantity} {weight}</translation>
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
        <source>{place}: “{query}” · “{key}”: {quantity} {weight}</source>
        <translation>{place}：“{query}”·“{key}”：{quantity} {weight}</translation>
    </message>
    <message>
        <source>{place}: “{query}” reads “{key}” {weight}</source>
        <translation>{place}：“{query}”读“{key}” {weight}</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, before the given “{query}”, cannot read “{key}”</source>
        <translation>{place}：在“{read}”处，给定的“{query}”之前，不能读“{key}”</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, before the given “{query}”, reads “{key}” {weight}</source>
        <translation>{place}：在“{read}”处，给定的“{query}”之前，读“{key}” {weight}</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, before the given “{query}” · “{key}”: {quantity} {weight}</source>
        <translation>{place}：在“{read}”处，给定的“{query}”之前·“{key}”：{quantity} {weight}</translation>
    </message>
    <message>
        <source>self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>causal self-attention</source>
        <translation>因果自注意力</translation>
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
        <source>round {number}</source>
        <translation>第 {number} 轮</translation>
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
        <source>tokens of the text (queries)</source>
        <translation>文本词元（查询）</translation>
    </message>
    <message>
        <source>tokens (queries): reads → predicts, or (given)</source>
        <translation>词元（查询）：读入 → 预测，或（给定）</translation>
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
        <source>attends to: tokens of the text (keys) →</source>
        <translation>关注：文本词元（键）→</translation>
    </message>
    <message>
        <source>attends to: prompt and produced tokens read so far (keys) →</source>
        <translation>关注：已读入的提示词元和生成词元（键）→</translation>
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
        <source>round {number} of a decoding in rounds, not causal</source>
        <translation>逐轮解码的第 {number} 轮，无因果掩码</translation>
    </message>
    <message>
        <source>not causal: queries may attend to later tokens</source>
        <translation>非因果：查询可以关注后面的词元</translation>
    </message>
    <message>
        <source>square-root colour scale, true values</source>
        <translation>颜色取平方根，数值真实</translation>
    </message>
    <message>
        <source>Read in one pass</source>
        <translation>一次读入</translation>
    </message>
    <message>
        <source>model altered: {changes}</source>
        <translation>模型被改动：{changes}</translation>
    </message>
    <message>
        <source>training step {step}</source>
        <translation>训练第 {step} 步</translation>
    </message>
    <message>
        <source>colours: change of the translation&apos;s log probability when that head alone is switched off</source>
        <translation>颜色：单独关闭该头时译文对数概率的变化</translation>
    </message>
    <message>
        <source>own scale: 0 to {most}, the largest weight shown</source>
        <translation>单独的尺度：0 到 {most}（图中最大的权重）</translation>
    </message>
    <message>
        <source>* this row was set by hand</source>
        <translation>* 此行由手工设定</translation>
    </message>
    <message>
        <source>* these rows were set by hand</source>
        <translation>* 这几行由手工设定</translation>
    </message>
    <message>
        <source>mean over {heads} heads</source>
        <translation>{heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>special tokens hidden: {percent} % of the weight</source>
        <translation>已隐藏特殊词元：占权重的 {percent}%</translation>
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
        <source>All at once, in rounds</source>
        <translation>一次全写，逐轮修改</translation>
    </message>
    <message>
        <source>Recorded elsewhere</source>
        <translation>录自别处</translation>
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
    <message>
        <source>below 0: without the head the translation is less probable</source>
        <translation>小于 0：没有该头，译文的概率更低</translation>
    </message>
    <message>
        <source>Pair i = (sin ω_i pos, cos ω_i pos) is a hand that turns clockwise by ω_i = {base}^(−2i/{dimensions}) radians a position: once in 2π/ω_i positions.</source>
        <translation>第 i 对 (sin ω_i pos, cos ω_i pos) 是一根指针，每过一个位置顺时针转 ω_i = {base}^(−2i/{dimensions}) 弧度：每 2π/ω_i 个位置转一圈。</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>维度对</translation>
    </message>
    <message>
        <source>wavelength (log scale)</source>
        <translation>波长（对数刻度）</translation>
    </message>
    <message>
        <source>Every pair&apos;s hand at position {position}</source>
        <translation>位置 {position} 处各维度对的指针</translation>
    </message>
    <message>
        <source>Every {n}th pair&apos;s hand at position {position}</source>
        <translation>位置 {position} 处维度对的指针（每 {n} 对取一）</translation>
    </message>
    <message>
        <source>shaded face: more than one turn since position 0</source>
        <translation>有底色：从位置 0 起已转过一圈以上</translation>
    </message>
    <message>
        <source>dashed: below 0</source>
        <translation>虚线：&lt; 0</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Pair {pair}: ω = {omega} radians a position</source>
        <translation>第 {pair} 对：每个位置 ω = {omega} 弧度</translation>
    </message>
    <message>
        <source>Pair {pair}: ω = {base}^(−{twice}/{dimensions}) = {omega} radians a position</source>
        <translation>第 {pair} 对：每个位置 ω = {base}^(−{twice}/{dimensions}) = {omega} 弧度</translation>
    </message>
    <message>
        <source>score = (R(p) key) · (R(p + k) query) = key · R(k) query: the same for any p (key at {p}, query at {q}: k = {k}).</source>
        <translation>得分 = (R(p) 键) · (R(p + k) 查询) = 键 · R(k) 查询：对任何 p 都相同（键在 {p}，查询在 {q}：k = {k}）。</translation>
    </message>
    <message>
        <source>The table has PE({position}) = ({sine}, {cosine}); difference {difference}.</source>
        <translation>表中 PE({position}) = ({sine}, {cosine})；差值 {difference}。</translation>
    </message>
    <message>
        <source>R(p)ᵀ · R(p + k) = R(k), checked for all {pairs} pairs: largest difference {difference} (pair {pair}).</source>
        <translation>R(p)ᵀ · R(p + k) = R(k)，全部 {pairs} 对均已核对：最大差值 {difference}（第 {pair} 对）。</translation>
    </message>
    <message>
        <source>R(k) contains k but not p: a score depends on how far apart query and key are, not on where they are.</source>
        <translation>R(k) 只含 k，不含 p：得分知道查询与键相距多远，而不知道它们在哪里。</translation>
    </message>
    <message>
        <source>key at {position}</source>
        <translation>键在 {position}</translation>
    </message>
    <message>
        <source>query at {position}</source>
        <translation>查询在 {position}</translation>
    </message>
    <message>
        <source>key rotated by R({k})</source>
        <translation>键经 R({k}) 转动</translation>
    </message>
    <message>
        <source>first dimension ↑</source>
        <translation>第一维 ↑</translation>
    </message>
    <message>
        <source>second dimension →</source>
        <translation>第二维 →</translation>
    </message>
    <message>
        <source>Checked for all {pairs} pairs: largest difference {difference} (pair {pair}), within float32 rounding.</source>
        <translation>全部 {pairs} 对均已核对：最大差值 {difference}（第 {pair} 对），不超过 float32 的舍入误差。</translation>
    </message>
    <message>
        <source>Over all {pairs} pairs the largest difference is {difference} (pair {pair}), more than {limit}: this table does not exactly match its base.</source>
        <translation>全部 {pairs} 对的最大差值为 {difference}（第 {pair} 对），超过 {limit}：此表与按其基数算出的不完全相同。</translation>
    </message>
    <message>
        <source>R(k) contains k but not pos: “k words further on” is the same linear map from any position.</source>
        <translation>R(k) 只含 k，不含 pos：无论从哪里出发，“往后 k 个词”都是同一个线性变换。</translation>
    </message>
    <message>
        <source>cos ↑</source>
        <translation>cos ↑</translation>
    </message>
    <message>
        <source>sin →</source>
        <translation>sin →</translation>
    </message>
    <message>
        <source>R({k}) · PE({pos})</source>
        <translation>R({k}) · PE({pos})</translation>
    </message>
    <message>
        <source>pair {pair}</source>
        <translation>第 {pair} 对</translation>
    </message>
    <message>
        <source>{title}, {numbers}</source>
        <translation>{title}，{numbers}</translation>
    </message>
    <message>
        <source>lines below {threshold} hidden: {percent} % of the weight between the tokens shown</source>
        <translation>已隐藏低于 {threshold} 的线：占所示词元之间权重的 {percent}%</translation>
    </message>
    <message>
        <source>lines below {threshold} hidden: {percent} % of the weight</source>
        <translation>已隐藏低于 {threshold} 的线：占权重的 {percent}%</translation>
    </message>
    <message>
        <source>lines below {threshold} hidden: {percent} % of the sum of all numbers</source>
        <translation>已隐藏低于 {threshold} 的线：占所有数值之和的 {percent}%</translation>
    </message>
    <message>
        <source>too many lines ({count}): only those of the chosen token are drawn</source>
        <translation>{count} 条线太多：只画所选词元的线</translation>
    </message>
    <message>
        <source>square-root line widths, true values</source>
        <translation>线宽取平方根，数值真实</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, all {of} heads</source>
        <translation>编码器层 {layer}/{layers}，全部 {of} 个注意力头</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, all {of} heads</source>
        <translation>解码器层 {layer}/{layers}，全部 {of} 个注意力头</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, heads {heads} of {of}</source>
        <translation>编码器层 {layer}/{layers}，注意力头 {heads}（共 {of} 个）</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, heads {heads} of {of}</source>
        <translation>解码器层 {layer}/{layers}，注意力头 {heads}（共 {of} 个）</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Encoder, rollout up to layer {layer} of {layers}</source>
        <translation>编码器，rollout 至层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, maximum over {heads} heads</source>
        <translation>编码器层 {layer}/{layers}，{heads} 个注意力头的最大值</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, maximum over {heads} heads</source>
        <translation>解码器层 {layer}/{layers}，{heads} 个注意力头的最大值</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, {heads} heads together, value-weighted</source>
        <translation>编码器层 {layer}/{layers}，{heads} 个注意力头合计，值加权</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, {heads} heads together, value-weighted</source>
        <translation>解码器层 {layer}/{layers}，{heads} 个注意力头合计，值加权</translation>
    </message>
    <message>
        <source>Encoder, up to layer {layer}</source>
        <translation>编码器，至层 {layer}</translation>
    </message>
    <message>
        <source>Decoder, up to layer {layer}</source>
        <translation>解码器，至层 {layer}</translation>
    </message>
    <message>
        <source>Encoder layer {layer}, {heads} heads</source>
        <translation>编码器层 {layer}，{heads} 个注意力头</translation>
    </message>
    <message>
        <source>Decoder layer {layer}, {heads} heads</source>
        <translation>解码器层 {layer}，{heads} 个注意力头</translation>
    </message>
    <message>
        <source>Encoder, mean over all {layers} × {heads} heads</source>
        <translation>编码器，{layers} 层、每层 {heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Decoder, mean over all {layers} × {heads} heads</source>
        <translation>解码器，{layers} 层、每层 {heads} 个注意力头的平均</translation>
    </message>
    <message>
        <source>Encoder, maximum over all {layers} × {heads} heads</source>
        <translation>编码器，{layers} 层、每层 {heads} 个注意力头的最大值</translation>
    </message>
    <message>
        <source>Decoder, maximum over all {layers} × {heads} heads</source>
        <translation>解码器，{layers} 层、每层 {heads} 个注意力头的最大值</translation>
    </message>
    <message>
        <source>Encoder, value zeroing up to layer {layer} of {layers}</source>
        <translation>编码器，值置零，至层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Encoder, contributions up to layer {layer} of {layers}</source>
        <translation>编码器，贡献，至层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Decoder, contributions of the prefix up to layer {layer} of {layers}</source>
        <translation>解码器，前缀的贡献，至层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Decoder, contributions of the source up to layer {layer} of {layers}</source>
        <translation>解码器，源端的贡献，至层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, value zeroing</source>
        <translation>编码器层 {layer}/{layers}，值置零</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, value zeroing</source>
        <translation>解码器层 {layer}/{layers}，值置零</translation>
    </message>
    <message>
        <source>Encoder layer {layer} of {layers}, contributions</source>
        <translation>编码器层 {layer}/{layers}，贡献</translation>
    </message>
    <message>
        <source>Decoder layer {layer} of {layers}, contributions</source>
        <translation>解码器层 {layer}/{layers}，贡献</translation>
    </message>
    <message>
        <source>{name} ({formula}) of step {step} “{token}”, not attention weights</source>
        <translation>第 {step} 步“{token}”的{name}（{formula}），非注意力权重</translation>
    </message>
    <message>
        <source>{name} ({formula}): lengths, not attention weights</source>
        <translation>{name}（{formula}）：长度，非注意力权重</translation>
    </message>
    <message>
        <source>{name} ({formula}), not attention weights: rows of source and prefix sum to 1 together</source>
        <translation>{name}（{formula}），不是注意力权重：源端与前缀的行合计为 1</translation>
    </message>
    <message>
        <source>{name} ({formula}), not attention weights: rows need not sum to 1</source>
        <translation>{name}（{formula}），非注意力权重，行和未必为 1</translation>
    </message>
    <message>
        <source>{name} ({formula}), not attention weights</source>
        <translation>{name}（{formula}），非注意力权重</translation>
    </message>
    <message>
        <source>mean of α</source>
        <translation>α 的平均</translation>
    </message>
    <message>
        <source>with what positions add by distance</source>
        <translation>含位置按距离加上的部分</translation>
    </message>
    <message>
        <source>what is copied from the source is not counted</source>
        <translation>从源端复制的部分未计入</translation>
    </message>
    <message>
        <source>this model does not divide by √d_head</source>
        <translation>该模型不除以 √d_head</translation>
    </message>
    <message>
        <source>own scale: {low} to {high}</source>
        <translation>标度：{low} 到 {high}</translation>
    </message>
    <message>
        <source>weights are shown, not “{numbers}”: {reason}</source>
        <translation>显示的是权重，不是“{numbers}”：{reason}</translation>
    </message>
    <message>
        <source>pieces merged into words: sums over keys, means over queries</source>
        <translation>子词合并成词：键求和，查询求平均</translation>
    </message>
    <message>
        <source>pieces, not whole words: nobody says what these numbers add up to</source>
        <translation>按子词，不按整词：这些数值如何相加并无定义</translation>
    </message>
    <message>
        <source>the numbers include the factors that scale heads&apos; outputs</source>
        <translation>数值已计入各头输出所乘的系数</translation>
    </message>
    <message>
        <source>heads whose output was changed are included</source>
        <translation>输出被改动的头照常计入</translation>
    </message>
    <message>
        <source>Merge pieces into words: the sum over the pieces that are read, the mean over those that read. A decoder&apos;s row is the word that it reads. Rows of weights still sum to 1.</source>
        <translation>把子词合并成词：对被读的子词求和，对读取的子词取平均。解码器的一行是它所读入的词。权重的每行之和仍为 1。</translation>
    </message>
    <message>
        <source>pieces, not whole words: scores of pieces cannot be added up</source>
        <translation>按子词，不按整词：子词的得分不能相加</translation>
    </message>
    <message>
        <source>special tokens hidden</source>
        <translation>已隐藏特殊词元</translation>
    </message>
    <message>
        <source>special tokens hidden: {percent} % of the rows&apos; sums</source>
        <translation>已隐藏特殊词元：占各行之和的 {percent}%</translation>
    </message>
    <message>
        <source>heads: pieces, not whole words</source>
        <translation>注意力头：按子词，不按整词</translation>
    </message>
    <message>
        <source>Wavelengths: {pairs} pairs at position {position}</source>
        <translation>波长：{pairs} 对，位置 {position}</translation>
    </message>
    <message>
        <source>Pair i turns by ω_i = base^(−2i/d_model) radians a position (paper, 3.5)</source>
        <translation>第 i 对每个位置转 ω_i = base^(−2i/d_model) 弧度（论文第 3.5 节）</translation>
    </message>
    <message>
        <source>Rotation: position {position}, offset {offset}</source>
        <translation>旋转：位置 {position}，偏移 {offset}</translation>
    </message>
    <message>
        <source>PE(pos + k) = R(k) · PE(pos) (paper, 3.5)</source>
        <translation>PE(pos + k) = R(k) · PE(pos)（论文第 3.5 节）</translation>
    </message>
    <message>
        <source>Largest difference over all {pairs} pairs: {difference} (pair {pair})</source>
        <translation>全部 {pairs} 对的最大差值：{difference}（第 {pair} 对）</translation>
    </message>
    <message>
        <source>Distance of positions: the first {count}</source>
        <translation>位置之间的距离：前 {count} 个位置</translation>
    </message>
    <message>
        <source>Smallest distance {distance}, between positions {first} and {second}</source>
        <translation>最小距离 {distance}，在位置 {first} 与 {second} 之间</translation>
    </message>
    <message>
        <source>Base {first} beside {second}: d_model {dimensions}</source>
        <translation>基数 {first} 与 {second} 对照：d_model {dimensions}</translation>
    </message>
    <message>
        <source>by the formula, not a model&apos;s table</source>
        <translation>按公式算出，不是模型的表</translation>
    </message>
    <message>
        <source>not this model&apos;s: d_model {dimensions}</source>
        <translation>非此模型：d_model {dimensions}</translation>
    </message>
    <message>
        <source>Pair {pair} (dimensions {sine} and {cosine}): one turn in {wavelength} positions, {degrees}° a position; at position {position}: sine {y}, cosine {x}, {turns} turns</source>
        <translation>第 {pair} 对（第 {sine}、{cosine} 维）：每 {wavelength} 个位置转一圈，每个位置转 {degrees}°；在位置 {position}：正弦 {y}，余弦 {x}，已转 {turns} 圈</translation>
    </message>
    <message>
        <source>Pair {pair}: turned by {angle} rad from ({a}, {b}) to ({c}, {d}); the table has ({e}, {f}); difference {difference}</source>
        <translation>第 {pair} 对：转 {angle} 弧度，从 ({a}, {b}) 到 ({c}, {d})；表中为 ({e}, {f})；差值 {difference}</translation>
    </message>
    <message>
        <source>Positions {offset} apart: dot product {mean} on average (from {low} to {high}, standard deviation {deviation}); cosine {cosine}</source>
        <translation>相距 {offset} 的位置：点积平均 {mean}（{low} 到 {high}，标准差 {deviation}）；余弦 {cosine}</translation>
    </message>
    <message>
        <source>{said}; Σ cos(ω k) = {exact}</source>
        <translation>{said}；Σ cos(ω k) = {exact}</translation>
    </message>
    <message>
        <source>Position {position}: {distance} from the position nearest to it; norm {norm}</source>
        <translation>位置 {position}：离最近的位置 {distance}；范数 {norm}</translation>
    </message>
    <message>
        <source>Pair {pair}: one turn in {a} positions with base {first}, in {b} with base {second}</source>
        <translation>第 {pair} 对：基数为 {first} 时每 {a} 个位置转一圈，为 {second} 时每 {b} 个</translation>
    </message>
    <message>
        <source>Positions {offset} apart: cosine {a} with base {first}, {b} with base {second}</source>
        <translation>相距 {offset} 的位置：基数为 {first} 时余弦 {a}，为 {second} 时 {b}</translation>
    </message>
    <message>
        <source>not this model&apos;s: base {base}, d_model {dimensions}</source>
        <translation>非此模型：基数 {base}，d_model {dimensions}</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>学得</translation>
    </message>
    <message>
        <source>computed, not learned; the formula is not known</source>
        <translation>计算所得，非学得；公式未知</translation>
    </message>
    <message>
        <source>position 0 has the sinusoids of {start}, and so on</source>
        <translation>位置 0 用的是位置 {start} 的正弦编码，依此类推</translation>
    </message>
    <message>
        <source>layout halves: all sines, then all cosines</source>
        <translation>前后两半排列：先是所有正弦，再是所有余弦</translation>
    </message>
    <message>
        <source>of the encoder</source>
        <translation>编码器的</translation>
    </message>
    <message>
        <source>of the decoder</source>
        <translation>解码器的</translation>
    </message>
    <message>
        <source>exactly {number}</source>
        <translation>精确值 {number}</translation>
    </message>
    <message>
        <source>reads {read}, predicts {predicted}</source>
        <translation>读入 {read}，预测 {predicted}</translation>
    </message>
    <message>
        <source>reads {read}, before the given {predicted}</source>
        <translation>读入 {read}，在给定的 {predicted} 之前</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>weights of different queries: they add up to {total}, not to 1</source>
        <translation>不同查询的权重：其和为 {total}，而不是 1</translation>
    </message>
    <message>
        <source>{place}: “{key}” is read by:</source>
        <translation>{place}：读“{key}”的有：</translation>
    </message>
    <message>
        <source>Nothing to show yet.</source>
        <translation>还没有可以显示的内容。</translation>
    </message>
    <message>
        <source>{place}: “{query}” reads:</source>
        <translation>{place}：“{query}”读：</translation>
    </message>
    <message>
        <source>{place}: predicting “{query}” reads:</source>
        <translation>{place}：预测“{query}”时读：</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, before the given “{query}”, reads:</source>
        <translation>{place}：在“{read}”处，给定的“{query}”之前，读：</translation>
    </message>
    <message>
        <source>cos p ω_i</source>
        <translation>cos p ω_i</translation>
    </message>
    <message>
        <source>sin p ω_i</source>
        <translation>sin p ω_i</translation>
    </message>
    <message>
        <source>mean of all</source>
        <translation>全部平均</translation>
    </message>
    <message>
        <source>Similarity k positions apart: cos k ω_i</source>
        <translation>相距 k 的相似度：cos k ω_i</translation>
    </message>
    <message>
        <source>distance k</source>
        <translation>距离 k</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>A line between offsets marks the start of a new bucket; {count} are in use.</source>
        <translation>偏移之间的竖线：另一个桶由此开始；共有 {count} 个桶在使用。</translation>
    </message>
    <message>
        <source>key position − query position</source>
        <translation>键的位置 − 查询的位置</translation>
    </message>
    <message>
        <source>Head {head}, query × key</source>
        <translation>注意力头 {head}，查询 × 键</translation>
    </message>
    <message>
        <source>Added to the scores, by head and distance</source>
        <translation>按注意力头和距离加到得分上的数</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Head {head}, and the other heads in grey</source>
        <translation>注意力头 {head}，其他头为灰色</translation>
    </message>
    <message>
        <source>added to the score</source>
        <translation>加到得分上的数</translation>
    </message>
    <message>
        <source>Head {head}, key at the query&apos;s own position (bucket {bucket}): {value}</source>
        <translation>注意力头 {head}，键就在查询处（桶 {bucket}）：{value}</translation>
    </message>
    <message>
        <source>Head {head}, key {distance} before the query (bucket {bucket}): {value}</source>
        <translation>注意力头 {head}，键在查询之前 {distance}（桶 {bucket}）：{value}</translation>
    </message>
    <message>
        <source>score = query · (key + a) ÷ √d with a learned vector a for each clipped distance, the same in all heads of a layer; drawn is how long a is, for what it adds depends on the query (Shaw et al. 2018)</source>
        <translation>分数 = 查询 · (键 + a) ÷ √d，每个截断的距离有一个学习得到的向量 a，同层各头相同；画出的是 a 的长度，因为它加上多少取决于查询（Shaw 等，2018）</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Length of the vector added to keys</source>
        <translation>加到键上的向量的长度</translation>
    </message>
    <message>
        <source>Layer {head}, query × key</source>
        <translation>第 {head} 层，查询 × 键</translation>
    </message>
    <message>
        <source>Layer {head}, and the other layers in grey</source>
        <translation>第 {head} 层，其他层为灰色</translation>
    </message>
    <message>
        <source>length of the vector</source>
        <translation>向量的长度</translation>
    </message>
    <message>
        <source>Layer {head}, key {distance} before the query: a vector {value} long</source>
        <translation>第 {head} 层，键在查询前 {distance} 位：向量长 {value}</translation>
    </message>
    <message>
        <source>Layer {head}, key at the query&apos;s own position: a vector {value} long</source>
        <translation>第 {head} 层，键就是查询本身：向量长 {value}</translation>
    </message>
    <message>
        <source>Layer {head}, key {distance} after the query: a vector {value} long</source>
        <translation>第 {head} 层，键在查询后 {distance} 位：向量长 {value}</translation>
    </message>
    <message>
        <source>Layer {head}, query {query}, key {key}: a vector {value} long</source>
        <translation>第 {head} 层，查询 {query}，键 {key}：向量长 {value}</translation>
    </message>
    <message>
        <source>score = query · key ÷ √d − slope of the head × distance, before the softmax, in every layer alike (ALiBi: Press et al. 2022, section 3)</source>
        <translation>分数 = 查询 · 键 ÷ √d − 头的斜率 × 距离，在 softmax 之前，各层相同（ALiBi：Press 等，2022，第 3 节）</translation>
    </message>
    <message>
        <source>Head {head}, key {distance} before the query: {value}</source>
        <translation>头 {head}，键在查询前 {distance} 位：{value}</translation>
    </message>
    <message>
        <source>Head {head}, key at the query&apos;s own position: {value}</source>
        <translation>头 {head}，键就是查询本身：{value}</translation>
    </message>
    <message>
        <source>Head {head}, key {distance} after the query: {value}</source>
        <translation>头 {head}，键在查询后 {distance} 位：{value}</translation>
    </message>
    <message>
        <source>Head {head}, key {distance} after the query (bucket {bucket}): {value}</source>
        <translation>注意力头 {head}，键在查询之后 {distance}（桶 {bucket}）：{value}</translation>
    </message>
    <message>
        <source>Query {query} cannot attend to key {key}</source>
        <translation>查询 {query} 不能看键 {key}</translation>
    </message>
    <message>
        <source>Head {head}, query {query}, key {key}: {value}</source>
        <translation>注意力头 {head}，查询 {query}，键 {key}：{value}</translation>
    </message>
    <message>
        <source>Bias by distance: head {head} of {heads}</source>
        <translation>按距离的偏置：注意力头 {head}/{heads}</translation>
    </message>
    <message>
        <source>Relative vectors by distance: layer {head} of {heads}</source>
        <translation>按距离的相对位置向量：第 {head} 层，共 {heads} 层</translation>
    </message>
    <message>
        <source>score = query · key + b(head, bucket of key position − query position), before the softmax, in every layer alike (T5: Raffel et al. 2020, section 2.1)</source>
        <translation>得分 = 查询 · 键 + b（头，键的位置 − 查询的位置所在的桶），在 softmax 之前，各层相同（T5：Raffel 等，2020，第 2.1 节）</translation>
    </message>
    <message>
        <source>rotary, base {base}</source>
        <translation>旋转位置编码，基数 {base}</translation>
    </message>
    <message>
        <source>frequencies scaled: {rule}</source>
        <translation>频率已缩放：{rule}</translation>
    </message>
    <message>
        <source>{turned} of a head&apos;s {all} dimensions rotated</source>
        <translation>每个头 {all} 维中转动 {turned} 维</translation>
    </message>
    <message>
        <source>only looks back</source>
        <translation>只看前面</translation>
    </message>
    <message>
        <source>looks both ways</source>
        <translation>前后都看</translation>
    </message>
    <message>
        <source>ALiBi, never learned</source>
        <translation>ALiBi，不学习</translation>
    </message>
    <message>
        <source>{buckets} buckets, the last from distance {distance} on</source>
        <translation>{buckets} 个桶，最后一个从距离 {distance} 起</translation>
    </message>
    <message>
        <source>lengths of vectors; one vector from distance {distance} on</source>
        <translation>向量的长度；距离 {distance} 以后共用一个向量</translation>
    </message>
    <message>
        <source>Rotary positions: angles of {pairs} pairs at {positions} positions</source>
        <translation>旋转位置编码：{positions} 个位置上 {pairs} 对的角度</translation>
    </message>
    <message>
        <source>Only the distance counts: key at {position}, query at {other}, {offset} apart</source>
        <translation>只有距离起作用：键在 {position}，查询在 {other}，相距 {offset}</translation>
    </message>
    <message>
        <source>(R(p) key) · (R(p + k) query) = key · R(p)ᵀ R(p + k) query = key · R(k) query</source>
        <translation>(R(p) 键) · (R(p + k) 查询) = 键 · R(p)ᵀ R(p + k) 查询 = 键 · R(k) 查询</translation>
    </message>
    <message>
        <source>RoPE: Su et al. 2021, arXiv 2104.09864</source>
        <translation>RoPE：Su 等，2021，arXiv 2104.09864</translation>
    </message>
    <message>
        <source>Position {position}, pair {pair}: rotated by {angle} rad; cos {cosine}, sin {sine}</source>
        <translation>位置 {position}，第 {pair} 对：转了 {angle} rad；cos {cosine}，sin {sine}</translation>
    </message>
    <message>
        <source>Query and key {distance} apart: mean over all pairs {mean}</source>
        <translation>查询与键相距 {distance}：各对的平均 {mean}</translation>
    </message>
    <message>
        <source>cos p ω and sin p ω rotate queries and keys; nothing is added to the embeddings</source>
        <translation>cos p ω 与 sin p ω 转动查询和键；嵌入上什么也不加</translation>
    </message>
    <message>
        <source>At position p the two dimensions of pair i, of every query and key, are rotated by the angle p ω_i that its hand shows, with ω_i = {base}^(−2i/{dimensions}).</source>
        <translation>在位置 p，每个查询和键的第 i 对的两维都转过指针所示的角度 p ω_i，其中 ω_i = {base}^(−2i/{dimensions})。</translation>
    </message>
    <message>
        <source>At position p the two dimensions of pair i, of every query and key, are rotated by the angle p ω_i that its hand shows; ω_i is {base}^(−2i/{dimensions}) changed by the rule {rule}.</source>
        <translation>在位置 p，每个查询和键的第 i 对的两维都转过指针所示的角度 p ω_i；ω_i 是按规则 {rule} 改动过的 {base}^(−2i/{dimensions})。</translation>
    </message>
    <message>
        <source>Pair {pair} (dimensions {first} and {second}) never turns</source>
        <translation>第 {pair} 对（第 {first}、{second} 维）从不转动</translation>
    </message>
    <message>
        <source>Pair {pair} (dimensions {first} and {second} of a head): one turn in {wavelength} positions, {degrees}° a position; at position {position} turned by {angle} rad, {turns} turns</source>
        <translation>第 {pair} 对（头的第 {first}、{second} 维）：每 {wavelength} 个位置转一圈，每个位置转 {degrees}°；在位置 {position} 已转 {angle} rad，{turns} 圈</translation>
    </message>
    <message>
        <source>Pair {pair}: the key is turned by {a} rad, the query by {b}; between them {c} rad, as for any two {offset} apart; difference {difference}</source>
        <translation>第 {pair} 对：键转了 {a} rad，查询转了 {b}；两者之间 {c} rad，凡相距 {offset} 的都如此；差值 {difference}</translation>
    </message>
    <message>
        <source>sentence {letter}</source>
        <translation>句 {letter}</translation>
    </message>
    <message>
        <source>within sentence {letter}</source>
        <translation>句 {letter} 之内</translation>
    </message>
    <message>
        <source>sentence {query} reads sentence {key}</source>
        <translation>句 {query} 读句 {key}</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, predicting “{query}”, cannot read “{key}”</source>
        <translation>{place}：在“{read}”处，预测“{query}”时不能读“{key}”</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, predicting “{query}”, reads “{key}” {weight}</source>
        <translation>{place}：在“{read}”处，预测“{query}”时读“{key}” {weight}</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, predicting “{query}” · “{key}”: {quantity} {weight}</source>
        <translation>{place}：在“{read}”处，预测“{query}”·“{key}”：{quantity} {weight}</translation>
    </message>
    <message>
        <source>sinusoidal, stored as a table</source>
        <translation>正弦，以表的形式存储</translation>
    </message>
    <message>
        <source>{place}: at “{read}”, predicting “{query}”, reads:</source>
        <translation>{place}：在“{read}”处，预测“{query}”时读：</translation>
    </message>
    <message>
        <source>damaged: in layer {layer}, head {head}, row {row} sums to {total}, not to 1</source>
        <translation>已损坏：第 {layer} 层第 {head} 头第 {row} 行之和为 {total}，不是 1</translation>
    </message>
    <message>
        <source>damaged: rows of {count} heads do not sum to 1 (layer {layer}, head {head}, row {row}: {total})</source>
        <translation>已损坏：{count} 个头有行之和不为 1（第 {layer} 层第 {head} 头第 {row} 行：{total}）</translation>
    </message>
    <message>
        <source>damaged: row {row} sums to {total}, not to 1</source>
        <translation>已损坏：第 {row} 行之和为 {total}，不是 1</translation>
    </message>
    <message>
        <source>damaged: {count} rows do not sum to 1 (row {row}: {total})</source>
        <translation>已损坏：{count} 行之和不为 1（第 {row} 行：{total}）</translation>
    </message>
    <message>
        <source>as of step {step}</source>
        <translation>截至第 {step} 步</translation>
    </message>
    <message>
        <source>without dropped hypotheses</source>
        <translation>不含已舍弃的候选序列</translation>
    </message>
    <message>
        <source>Tree of tokens</source>
        <translation>词元树</translation>
    </message>
    <message>
        <source>A square: finished; two bars: cut by the length limit; a cross: dropped by the search.</source>
        <translation>方块：已结束；两条竖线：因长度上限截断；叉：被搜索舍弃。</translation>
    </message>
    <message>
        <source>Head {head}</source>
        <translation>注意力头 {head}</translation>
    </message>
    <message>
        <source>{count} more rows are not shown.</source>
        <translation>另有 {count} 行未显示。</translation>
    </message>
    <message>
        <source>The same offset for pairs of other speeds</source>
        <translation>同样的偏移，其他转速的维度对</translation>
    </message>
</context>
<context>
    <name>FigureView</name>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
</context>
<context>
    <name>FilesBox</name>
    <message>
        <source>Add…</source>
        <translation>添加…</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Remove this file</source>
        <translation>移除这个文件</translation>
    </message>
    <message>
        <source>Choose files</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>FlowTools</name>
    <message>
        <source>Heads of the layer</source>
        <translation>此层的注意力头</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Draw the lines of every head of the layer</source>
        <translation>画出此层所有注意力头的线</translation>
    </message>
    <message>
        <source>Lines from</source>
        <translation>线 ≥</translation>
    </message>
    <message>
        <source>Weaker lines are left out; the share of the weight that this hides is stated</source>
        <translation>略去权重更小的线；图中注明由此隐藏的权重比例</translation>
    </message>
    <message>
        <source>Smallest weight of a line</source>
        <translation>线的最小权重</translation>
    </message>
</context>
<context>
    <name>FolderBox</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
</context>
<context>
    <name>FoldersTab</name>
    <message>
        <source>Begin in this folder</source>
        <translation>从这个文件夹开始</translation>
    </message>
    <message>
        <source>Discard all autosaved sessions? Their runs cannot be brought back.</source>
        <translation>丢弃所有自动保存的会话？其中的解码无法恢复。</translation>
    </message>
    <message>
        <source>Remove the models of all experiments? They can be trained again.</source>
        <translation>删除所有实验的模型？它们可以重新训练。</translation>
    </message>
    <message>
        <source>What is trained now stays.</source>
        <translation>正在训练的保留。</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Dialogs for files begin in</source>
        <translation>文件对话框的起始文件夹</translation>
    </message>
    <message>
        <source>the folder used last</source>
        <translation>上次使用的文件夹</translation>
    </message>
    <message>
        <source>always</source>
        <translation>始终为</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Kept on this computer</source>
        <translation>保存在本机上的内容</translation>
    </message>
    <message>
        <source>Autosaved sessions</source>
        <translation>自动保存的会话</translation>
    </message>
    <message>
        <source>Models of experiments</source>
        <translation>实验的模型</translation>
    </message>
    <message>
        <source>Discard all autosaved sessions</source>
        <translation>丢弃所有自动保存的会话</translation>
    </message>
    <message>
        <source>Remove the models of all experiments</source>
        <translation>删除所有实验的模型</translation>
    </message>
    <message>
        <source>Clear…</source>
        <translation>清除…</translation>
    </message>
</context>
<context>
    <name>FormCheck</name>
    <message>
        <source>Choose a task.</source>
        <translation>请选择一个任务。</translation>
    </message>
    <message>
        <source>Choose a file of sentence pairs, or drop one here.</source>
        <translation>请选择一个句对文件，或把它拖到这里。</translation>
    </message>
    <message>
        <source>Both files are the same; choose the translations as the second.</source>
        <translation>两个文件相同；请选择译文作为第二个。</translation>
    </message>
    <message>
        <source>There is no file {path}; choose another.</source>
        <translation>没有文件 {path}；请另选一个。</translation>
    </message>
    <message>
        <source>Choose two files that translate each other line by line.</source>
        <translation>请选择两个逐行互为译文的文件。</translation>
    </message>
    <message>
        <source>Waiting for the disk to answer.</source>
        <translation>正在等待磁盘响应。</translation>
    </message>
    <message>
        <source>The ratio cannot be below 1; give 1 or more.</source>
        <translation>比值不能小于 1；请给出 1 或更大的数。</translation>
    </message>
    <message>
        <source>Both columns are the same; choose two.</source>
        <translation>两列相同；请选择不同的两列。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>A width of {width} cannot be shared evenly among {heads} heads; try {near}.</source>
        <translation>维数 {width} 不能平均分给 {heads} 个注意力头；请试试 {near}。</translation>
    </message>
    <message>
        <source>{heads} heads cannot be shared evenly among {kept} of keys and values; try {near}.</source>
        <translation>{heads} 个注意力头不能平均共用 {kept} 组键和值；请试试 {near}。</translation>
    </message>
    <message>
        <source>Sines and cosines come in pairs: the width must be even, or positions learned.</source>
        <translation>正弦和余弦成对出现：维数必须是偶数，或改用学得的位置。</translation>
    </message>
    <message>
        <source>Rotary positions turn pairs: a head&apos;s width, {width}, must be even.</source>
        <translation>旋转位置编码成对旋转：每个头的宽度 {width} 必须是偶数。</translation>
    </message>
    <message>
        <source>Two vocabularies cannot share one table; tie target and output only, or none.</source>
        <translation>两个词表不能共用一张嵌入表；请只共享目标端与输出，或都不共享。</translation>
    </message>
    <message>
        <source>Words can be copied only where both languages share one vocabulary.</source>
        <translation>两种语言共用一个词表时才能复制词。</translation>
    </message>
    <message>
        <source>Pairs of up to {tokens} tokens are used; the model must be able to read that many.</source>
        <translation>训练采用长达 {tokens} 个词元的句对；模型也必须能读这么多。</translation>
    </message>
    <message>
        <source>Choose when the run ends: after epochs, steps or minutes.</source>
        <translation>请指定训练何时结束：轮数、步数或分钟数。</translation>
    </message>
    <message>
        <source>A rate of {rate} would ruin the weights in one step; try {usual}.</source>
        <translation>学习率 {rate} 一步就会毁掉权重；请试试 {usual}。</translation>
    </message>
    <message>
        <source>BLEU is not measured; set a number of sentences for it, or watch the loss.</source>
        <translation>没有测量 BLEU；请填写测量用的句数，或改看损失。</translation>
    </message>
    <message>
        <source>Choose a folder for the model.</source>
        <translation>请指定模型存放的位置。</translation>
    </message>
    <message>
        <source>This folder holds a run that can be resumed.</source>
        <translation>此文件夹中有一次可以继续的训练。</translation>
    </message>
    <message>
        <source>This place is already taken; choose a new folder.</source>
        <translation>这个位置已有别的内容；请选择新的文件夹。</translation>
    </message>
    <message>
        <source>No folder can be created there; choose another place.</source>
        <translation>无法在那里创建文件夹；请选择其他位置。</translation>
    </message>
    <message>
        <source>The cosine must know where it ends: give epochs or steps, or its last step.</source>
        <translation>余弦调度必须知道终点：请给出轮数或步数，或余弦的最后一步。</translation>
    </message>
    <message>
        <source>Give the sentence that this translates.</source>
        <translation>请给出这句译文的原句。</translation>
    </message>
    <message>
        <source>{path} cannot be read as SentencePiece pieces; choose another file.</source>
        <translation>无法把 {path} 作为 SentencePiece 子词文件读取；请另选一个文件。</translation>
    </message>
</context>
<context>
    <name>FormDerived</name>
    <message>
        <source>{usual} → {value}, {reason}</source>
        <translation>{usual} → {value}，{reason}</translation>
    </message>
    <message>
        <source>Measuring how fast this machine is…</source>
        <translation>正在测量这台机器的速度…</translation>
    </message>
    <message>
        <source>{time} on this machine</source>
        <translation>在这台机器上训练 {time}</translation>
    </message>
    <message>
        <source>About {time} on this machine, and evaluations besides</source>
        <translation>在这台机器上约需 {time}，评测的时间另计</translation>
    </message>
    <message>
        <source>{head}: about {steps} steps.</source>
        <translation>{head}：约 {steps} 步。</translation>
    </message>
    <message>
        <source>{head}: about {steps} steps; the warm-up ends after {warmup} ({time}).</source>
        <translation>{head}：约 {steps} 步；预热在 {warmup} 步（{time}）后结束。</translation>
    </message>
</context>
<context>
    <name>FormFigures</name>
    <message>
        <source>{encoder}+{decoder} layers, each with {heads} heads of {wide} dimensions</source>
        <translation>{encoder}+{decoder} 层，每层 {heads} 个注意力头，每头 {wide} 维</translation>
    </message>
    <message>
        <source>{count} parameters; training needs about {memory} of memory</source>
        <translation>{count} 个参数；训练约需 {memory} 内存</translation>
    </message>
    <message>
        <source>at most {count} parameters, fewer with few words; training needs up to {memory} of memory</source>
        <translation>最多 {count} 个参数，词少则更少；训练最多需 {memory} 内存</translation>
    </message>
    <message>
        <source>This machine has {there} of memory, but training needs about {memory}: choose a smaller batch or model.</source>
        <translation>本机有 {there} 内存，而训练约需 {memory}：请减小批次或模型。</translation>
    </message>
    <message>
        <source>The run makes about {steps} steps and the warm-up takes {warmup}: the learning rate hardly rises and little is learned. Give more epochs, or a shorter warm-up.</source>
        <translation>这次训练约有 {steps} 步，而预热要 {warmup} 步：学习率几乎升不起来，学不到多少东西。请增加轮数，或缩短预热。</translation>
    </message>
    <message>
        <source>About {each} a frame, at most {most} on disk; when full, every second frame is deleted.</source>
        <translation>每帧约 {each}，最多占用磁盘 {most}；满了之后每隔一帧删去一帧。</translation>
    </message>
    <message>
        <source>About {kept} frames of {each}: {total} on disk, and never more than {most}.</source>
        <translation>约 {kept} 帧，每帧 {each}：共占磁盘 {total}，绝不超过 {most}。</translation>
    </message>
    <message>
        <source>The model takes {model} on disk; resuming the run needs {state} more.</source>
        <translation>模型占磁盘 {model}；继续训练所需的状态另占 {state}。</translation>
    </message>
</context>
<context>
    <name>FormFoot</name>
    <message>
        <source>A model of your own</source>
        <translation>训练自己的模型</translation>
    </message>
    <message>
        <source>Press Start to train this model, or choose other data. Each field is explained here.</source>
        <translation>点“开始”即可训练这个模型，也可以选择其他数据。各字段的说明显示在这里。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>The command that runs the same training</source>
        <translation>可以做同样训练的命令行</translation>
    </message>
</context>
<context>
    <name>FormGroup</name>
    <message>
        <source>Less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>More ({number} changed)</source>
        <translation>更多（已改 {number} 项）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>More fields of {group}</source>
        <translation>{group}：更多字段</translation>
    </message>
</context>
<context>
    <name>GeneralTab</name>
    <message>
        <source>This screen has no room for a window in type of {sizes}.</source>
        <translation>这个屏幕放不下字号为 {sizes} 的窗口。</translation>
    </message>
    <message>
        <source>{count} MB</source>
        <translation>{count} MB</translation>
    </message>
    <message>
        <source>For translations (two thirds) and for what can be undone (one third); {held} MB are in use. Beyond it the oldest go, which is said. The model, pictures and answers need more beside it.</source>
        <translation>用于各次解码（三分之二）和可撤销的内容（三分之一），现已使用 {held} MB。超出时最旧的会被移除，并给出提示。模型、图和计算结果另外占用内存。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Type &amp;size</source>
        <translation>字号(&amp;S)</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>线程数(&amp;H)</translation>
    </message>
    <message>
        <source>Train &amp;on</source>
        <translation>训练设备(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Runs and undo</source>
        <translation>解码与撤销(&amp;R)</translation>
    </message>
    <message>
        <source>Automatic ({count})</source>
        <translation>自动（{count}）</translation>
    </message>
    <message>
        <source>For models, from their next token on. A run that is trained now keeps its number.</source>
        <translation>用于模型，从下一个词元起生效。正在进行的训练不变。</translation>
    </message>
    <message>
        <source>What the form of Train begins with. Models in Look always compute on the processor.</source>
        <translation>“训练”表单的初始值。“观察”页的模型始终用处理器计算。</translation>
    </message>
</context>
<context>
    <name>GoTo</name>
    <message>
        <source>query {number}, {token}</source>
        <translation>查询 {number}，{token}</translation>
    </message>
    <message>
        <source>key {number}, {token}</source>
        <translation>键 {number}，{token}</translation>
    </message>
</context>
<context>
    <name>GoToLine</name>
    <message>
        <source>Token or its number</source>
        <translation>词元或其序号</translation>
    </message>
    <message>
        <source>Go to token</source>
        <translation>转到词元</translation>
    </message>
    <message>
        <source>Previous match (Shift+Enter)</source>
        <translation>上一个匹配（Shift+回车）</translation>
    </message>
    <message>
        <source>Next match (Enter)</source>
        <translation>下一个匹配（回车）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>no such token</source>
        <translation>没有这样的词元</translation>
    </message>
    <message>
        <source>{rows} queries, {columns} keys: Enter goes there</source>
        <translation>{rows} 个查询，{columns} 个键：按回车转到</translation>
    </message>
    <message>
        <source>{number} of {count}: {token}</source>
        <translation>{number}/{count}：{token}</translation>
    </message>
</context>
<context>
    <name>Gold</name>
    <message>
        <source>the row that reads it</source>
        <translation>读入它的行</translation>
    </message>
    <message>
        <source>the row that predicts it</source>
        <translation>预测它的行</translation>
    </message>
    <message>
        <source>gold links at the row that reads the word</source>
        <translation>标准对齐标在读入该词的行</translation>
    </message>
    <message>
        <source>gold links at the row that predicts the word</source>
        <translation>标准对齐标在预测该词的行</translation>
    </message>
    <message>
        <source> (dashed: possible)</source>
        <translation>（虚线：可能）</translation>
    </message>
    <message>
        <source>{links}: AER of this head {rate}</source>
        <translation>{links}：此头的 AER {rate}</translation>
    </message>
    <message>
        <source>{links}: AER of these numbers {rate}</source>
        <translation>{links}：这些数值的 AER {rate}</translation>
    </message>
    <message>
        <source>plain diagonal: {rate}</source>
        <translation>单纯的对角线：{rate}</translation>
    </message>
    <message>
        <source>Scores give no alignment: choose weights for an alignment error rate.</source>
        <translation>得分不构成对齐：要看对齐错误率，请选择权重。</translation>
    </message>
    <message>
        <source>AER {rate} by {rule}: precision {precision}, recall {recall}</source>
        <translation>AER {rate}（按{rule}）：精确率 {precision}，召回率 {recall}</translation>
    </message>
    <message>
        <source>AER of a plain diagonal: {rate} (target word j of J with source word ⌊(j + ½) I / J⌋ of I)</source>
        <translation>单纯对角线的 AER：{rate}（J 个目标词中的第 j 个连到 I 个源词中的第 ⌊(j + ½) I / J⌋ 个）</translation>
    </message>
    <message>
        <source>AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) (Och &amp; Ney 2003), over the whole translation.
A links each target word with the source word of the largest weight,
start and end tokens left out, pieces merged to words;
S are the sure links, P the sure and possible ones.</source>
        <translation>AER（对齐错误率）= 1 − (|A∩S| + |A∩P|) / (|A| + |S|)（Och &amp; Ney 2003），对整个译文计算。
A 把每个目标词与权重最大的源词相连，
略去起止词元，子词合并为词；
S 为确定的对齐，P 为确定的和可能的对齐。</translation>
    </message>
    <message>
        <source>{links}, no better than a diagonal ({rate})</source>
        <translation>{links}，不优于对角线（{rate}）</translation>
    </message>
</context>
<context>
    <name>GoldButton</name>
    <message>
        <source>Gold links: which words translate each other</source>
        <translation>标准对齐：哪些词互为译文</translation>
    </message>
    <message>
        <source>Gold alignment…</source>
        <translation>标准对齐…</translation>
    </message>
    <message>
        <source>Show gold links</source>
        <translation>显示标准对齐</translation>
    </message>
    <message>
        <source>Align a word by the row that predicts it</source>
        <translation>按预测该词的行对齐</translation>
    </message>
    <message>
        <source>Align a word by the row that reads it</source>
        <translation>按读入该词的行对齐</translation>
    </message>
</context>
<context>
    <name>GoldDialog</name>
    <message>
        <source>Gold alignment</source>
        <translation>标准对齐</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>从文件…</translation>
    </message>
    <message>
        <source>&amp;Line</source>
        <translation>行(&amp;L)</translation>
    </message>
    <message>
        <source>No links</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>Separated by spaces, as the links count them</source>
        <translation>词与词之间用空格隔开，与对齐中的编号一致</translation>
    </message>
    <message>
        <source>The number of the first word in the line of links</source>
        <translation>对齐一行中第一个词的编号</translation>
    </message>
    <message>
        <source>Links: one row per target word, one column per source word</source>
        <translation>对齐：一行一个目标词，一列一个源词</translation>
    </message>
    <message>
        <source>Paste a line in Pharaoh format: i-j links source word i and target word j, ipj or i?j is possible but not sure. Or click in the grid: sure ■, possible □, none.</source>
        <translation>粘贴一行 Pharaoh 格式的对齐：i-j 把源词 i 与目标词 j 相连，ipj 或 i?j 表示可能但不确定。也可以在表格中点击，依次为：确定 ■、可能 □、无。</translation>
    </message>
    <message>
        <source>&amp;Source words</source>
        <translation>源词(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Target words</source>
        <translation>目标词(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Words count from</source>
        <translation>词的编号起于(&amp;W)</translation>
    </message>
    <message>
        <source>L&amp;inks</source>
        <translation>对齐(&amp;I)</translation>
    </message>
    <message>
        <source> of {count}</source>
        <translation> / {count}</translation>
    </message>
    <message>
        <source>Links in Pharaoh format (*.pharaoh *.align *.txt);;All files (*)</source>
        <translation>Pharaoh 格式的对齐 (*.pharaoh *.align *.txt);;所有文件 (*)</translation>
    </message>
    <message>
        <source>{source}–{target} (possible)</source>
        <translation>{source}–{target}（可能）</translation>
    </message>
</context>
<context>
    <name>GoldGridModel</name>
    <message>
        <source>“{source}” – “{target}”: sure link</source>
        <translation>“{source}”–“{target}”：确定的对齐</translation>
    </message>
    <message>
        <source>“{source}” – “{target}”: possible link</source>
        <translation>“{source}”–“{target}”：可能的对齐</translation>
    </message>
    <message>
        <source>“{source}” – “{target}”: no link</source>
        <translation>“{source}”–“{target}”：未对齐</translation>
    </message>
</context>
<context>
    <name>GoldMenu</name>
    <message>
        <source>Gold links…</source>
        <translation>标准对齐…</translation>
    </message>
    <message>
        <source>Word alignments in Pharaoh format, one line per pair: adds the AER</source>
        <translation>Pharaoh 格式的词对齐，一行一个句对：增加 AER</translation>
    </message>
</context>
<context>
    <name>Handouts</name>
    <message>
        <source>Save a handout</source>
        <translation>保存讲义</translation>
    </message>
    <message>
        <source>Writing the handout</source>
        <translation>正在写讲义</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Handout</source>
        <translation>讲义</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written</source>
        <translation>已取消：什么也没有写入</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 页，共 {count} 页</translation>
    </message>
    <message>
        <source>Bookmarks belong to the window: no command can read them.</source>
        <translation>书签属于窗口：没有命令能读取它们。</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
</context>
<context>
    <name>HeadSection</name>
    <message>
        <source>This head</source>
        <translation>此注意力头</translation>
    </message>
    <message>
        <source>The head&apos;s output is multiplied by this; 1 changes nothing, 0 switches it off</source>
        <translation>头的输出乘以此数；1 为不变，0 为关闭</translation>
    </message>
    <message>
        <source>Factor of this head</source>
        <translation>此头的系数</translation>
    </message>
    <message>
        <source>Factor of this layer</source>
        <translation>此层的系数</translation>
    </message>
    <message>
        <source>This layer&apos;s cross-attention</source>
        <translation>此层的交叉注意力</translation>
    </message>
    <message>
        <source>This layer&apos;s self-attention</source>
        <translation>此层的自注意力</translation>
    </message>
</context>
<context>
    <name>HeadStrip</name>
    <message>
        <source>Heads drawn: {heads}</source>
        <translation>画出的注意力头：{heads}</translation>
    </message>
    <message>
        <source>Head {head}, drawn</source>
        <translation>注意力头 {head}，已绘出</translation>
    </message>
    <message>
        <source>Head {head}, not drawn</source>
        <translation>注意力头 {head}，未绘出</translation>
    </message>
    <message>
        <source>Head {head}: click to draw it alone; with Ctrl or Shift it joins or leaves</source>
        <translation>注意力头 {head}：点击则只画它；按住 Ctrl 或 Shift 点击则加入或移除</translation>
    </message>
</context>
<context>
    <name>HeadsGrid</name>
    <message>
        <source>Heads as a grid</source>
        <translation>注意力头网格</translation>
    </message>
</context>
<context>
    <name>HeadsList</name>
    <message>
        <source>Heads table</source>
        <translation>注意力头表</translation>
    </message>
    <message>
        <source>What this head does in &amp;general…</source>
        <translation>这个注意力头一般做什么(&amp;G)…</translation>
    </message>
</context>
<context>
    <name>HeadsModel</name>
    <message>
        <source>Family</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
</context>
<context>
    <name>HeadsPanel</name>
    <message>
        <source>Heads, encoder layers</source>
        <translation>编码器各层的头</translation>
    </message>
    <message>
        <source>Heads, decoder layers</source>
        <translation>解码器各层的头</translation>
    </message>
    <message>
        <source>Heads, decoder layers (cross)</source>
        <translation>交叉注意力各层的头</translation>
    </message>
    <message>
        <source>Orange: without the head the translation is less probable; blue: more. Click a head.</source>
        <translation>橙：关闭后译文概率降低；蓝：升高。点击一个头。</translation>
    </message>
    <message>
        <source>What each head wrote: computed once the output is complete.</source>
        <translation>每个注意力头写了什么：输出完成后计算。</translation>
    </message>
    <message>
        <source>Blue: the head wrote for the word; orange: against it. Choose words in Next word.</source>
        <translation>蓝色：该头为这个词而写；橙色：写得对它不利。在“下一个词”里选词。</translation>
    </message>
    <message>
        <source>heads: attention weights</source>
        <translation>各头：注意力权重</translation>
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
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>What each head wrote for the step&apos;s word, or rather than for a rival (Next word)</source>
        <translation>每个注意力头为这一步的词写了什么，或与对手词相比（见“下一个词”）</translation>
    </message>
    <message>
        <source>How much less probable the translation becomes without each head, once measured</source>
        <translation>没有某个头时，译文的概率降低多少（测量后显示）</translation>
    </message>
    <message>
        <source>Average the heads of the layer in view (M)</source>
        <translation>对当前层的各注意力头取平均（M）</translation>
    </message>
</context>
<context>
    <name>HeadsTable</name>
    <message>
        <source>{name}: nothing to measure here</source>
        <translation>{name}：此处无可测量</translation>
    </message>
    <message>
        <source>this head with random weights: {value}</source>
        <translation>此头换成随机权重时：{value}</translation>
    </message>
    <message>
        <source>Encoder self</source>
        <translation>编码器自注意力</translation>
    </message>
    <message>
        <source>Decoder self</source>
        <translation>解码器自注意力</translation>
    </message>
    <message>
        <source>Cross</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Entropy, normalised</source>
        <translation>归一化熵</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大权重</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Diagonality</source>
        <translation>对角程度</translation>
    </message>
    <message>
        <source>Previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>Next token</source>
        <translation>后一词元</translation>
    </message>
    <message>
        <source>Same token</source>
        <translation>同一词元</translation>
    </message>
    <message>
        <source>End token</source>
        <translation>终止词元</translation>
    </message>
    <message>
        <source>Start token</source>
        <translation>起始词元</translation>
    </message>
    <message>
        <source>Punctuation</source>
        <translation>标点</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>AER</source>
        <translation>AER</translation>
    </message>
    <message>
        <source>Likeness to the drawn pattern</source>
        <translation>与所画模式的相似度</translation>
    </message>
    <message>
        <source>Copying score</source>
        <translation>复制分数</translation>
    </message>
    <message>
        <source>Previous token, random tokens</source>
        <translation>前一个词元（随机词元）</translation>
    </message>
    <message>
        <source>Duplicate token, random tokens</source>
        <translation>重复词元（随机词元）</translation>
    </message>
    <message>
        <source>Induction, random tokens</source>
        <translation>归纳（随机词元）</translation>
    </message>
    <message>
        <source>norm.</source>
        <translation>归一熵</translation>
    </message>
    <message>
        <source>Max.</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Dist.</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>Diag.</source>
        <translation>对角</translation>
    </message>
    <message>
        <source>Prev.</source>
        <translation>前一</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>后一</translation>
    </message>
    <message>
        <source>Same</source>
        <translation>同一</translation>
    </message>
    <message>
        <source>End</source>
        <translation>终止</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>起始</translation>
    </message>
    <message>
        <source>Punct.</source>
        <translation>标点</translation>
    </message>
    <message>
        <source>Import.</source>
        <translation>重要性</translation>
    </message>
    <message>
        <source>Likeness</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Prev. rnd.</source>
        <translation>前一（随机）</translation>
    </message>
    <message>
        <source>Dupl.</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Induct.</source>
        <translation>归纳</translation>
    </message>
    <message>
        <source>How spread a row&apos;s weights are, in nats: −Σⱼ αᵢⱼ ln αᵢⱼ, mean over rows. 0: one key; at most ln of the number of keys.</source>
        <translation>一行的权重有多分散，单位 nat：−Σⱼ αᵢⱼ ln αᵢⱼ，对各行取平均。0：只关注一个键；最大为键数的 ln。</translation>
    </message>
    <message>
        <source>Entropy of a row divided by ln of the number of keys that it may see, mean over rows that may see more than one. 0: one key, 1: all equal.</source>
        <translation>一行的熵除以它可见键数的 ln，对可见不止一个键的各行取平均。0：只关注一个键；1：各键均等。</translation>
    </message>
    <message>
        <source>What switching off this head alone adds to the natural log probability of the translation; below 0 the translation becomes less probable. Measured in the list of heads, tab Importance.</source>
        <translation>单独关闭此头时，译文的自然对数概率增加多少；小于 0 表示译文概率降低。在注意力头列表的“重要性”页中测量。</translation>
    </message>
    <message>
        <source>Largest weight of a row, maxⱼ αᵢⱼ, mean over rows. From 0 to 1.</source>
        <translation>一行中最大的权重 maxⱼ αᵢⱼ，对各行取平均。从 0 到 1。</translation>
    </message>
    <message>
        <source>How far a row looks, in tokens: Σⱼ αᵢⱼ |i − j|, mean over rows. Self-attention: in cross-attention i and j count different sentences.</source>
        <translation>一行看得多远，以词元计：Σⱼ αᵢⱼ |i − j|，对各行取平均。仅限自注意力：交叉注意力中 i 和 j 属于不同的句子。</translation>
    </message>
    <message>
        <source>How near the diagonal the weight is: 1 − Σⱼ αᵢⱼ d(i, j) / max d(i, j), mean over rows, with d(i, j) = |i / (Q − 1) − j / (K − 1)| and the maximum over the keys that row i may see. From 0 to 1, all on the diagonal.</source>
        <translation>权重离对角线有多近：1 − Σⱼ αᵢⱼ d(i, j) / max d(i, j)，对各行取平均，其中 d(i, j) = |i / (Q − 1) − j / (K − 1)|，最大值取自第 i 行可见的键。从 0 到 1，1 表示全在对角线上。</translation>
    </message>
    <message>
        <source>Weight on the token before, α(i, i − 1), mean over rows that have one. Self-attention.</source>
        <translation>前一个词元上的权重 α(i, i − 1)，对有前一个词元的各行取平均。仅限自注意力。</translation>
    </message>
    <message>
        <source>Weight on the token after, α(i, i + 1), mean over rows that have one. Encoder self-attention: a decoder cannot look ahead.</source>
        <translation>后一个词元上的权重 α(i, i + 1)，对有后一个词元的各行取平均。仅限编码器自注意力：解码器不能向后看。</translation>
    </message>
    <message>
        <source>Weight on the row&apos;s own token, α(i, i), mean over rows; in the decoder the token just read. Self-attention.</source>
        <translation>该行自身词元上的权重 α(i, i)，对各行取平均；在解码器中是刚读入的词元。仅限自注意力。</translation>
    </message>
    <message>
        <source>Share of the weight on the end token, mean over rows.</source>
        <translation>终止词元所占的权重，对各行取平均。</translation>
    </message>
    <message>
        <source>Share of the weight on the start token, mean over rows.</source>
        <translation>起始词元所占的权重，对各行取平均。</translation>
    </message>
    <message>
        <source>Share of the weight on punctuation, mean over rows of sentences that have some.</source>
        <translation>标点所占的权重，对有标点的句子的各行取平均。</translation>
    </message>
    <message>
        <source>Alignment error rate of the head&apos;s links against gold links: 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|). 0: all right, 1: all wrong. Cross-attention.</source>
        <translation>此头的对齐相对于标准对齐的错误率（alignment error rate）：1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|)。0：全对；1：全错。仅限交叉注意力。</translation>
    </message>
    <message>
        <source>Measured by the package {package}.</source>
        <translation>由软件包 {package} 计算。</translation>
    </message>
    <message>
        <source>{what}, mean over the second copy of random tokens that are written twice (a decoder is forced to, an encoder reads them). Self-attention.</source>
        <translation>{what}，对写了两遍的随机词元的第二遍取平均（解码器被强制写出，编码器是读入）。自注意力。</translation>
    </message>
    <message>
        <source>Σ Re λ / Σ |λ| over the eigenvalues λ of what the head writes of words for the same words, from −1 to 1; above 0 where words rather promote themselves. Direct path alone, deviations of norms left out. An encoder&apos;s head is told by the source&apos;s own words; cross-attention needs one vocabulary on both sides.</source>
        <translation>Σ Re λ / Σ |λ|，λ 是该头由词写到同样这些词的映射的特征值，从 −1 到 1；大于 0 表示词大多促进自己。只算直接路径，不计归一化的标准差。编码器的头用源语言自己的词来衡量；交叉注意力要求两侧词表相同。</translation>
    </message>
    <message>
        <source>Weight on the token before, α(i, i − 1)</source>
        <translation>前一个词元上的权重 α(i, i − 1)</translation>
    </message>
    <message>
        <source>Weight on the same token&apos;s first copy, α(i, i − n)</source>
        <translation>同一词元第一遍出现处的权重 α(i, i − n)</translation>
    </message>
    <message>
        <source>Weight on what stood behind the first copy, α(i, i − n + 1)</source>
        <translation>第一遍出现处后一个词元上的权重 α(i, i − n + 1)</translation>
    </message>
    <message>
        <source>cos(D, α) = Σ d α / √(Σ d² · Σ α²) over the cells that a query may see, in the rows on which something is drawn, each row of D divided by its sum. From 0 to 1.</source>
        <translation>cos(D, α) = Σ d α / √(Σ d² · Σ α²)，只算查询看得到的单元格和画了内容的行，D 的每一行除以该行之和。从 0 到 1。</translation>
    </message>
    <message>
        <source>diagonal</source>
        <translation>对角线</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>last token</source>
        <translation>最后一个词元</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>drawn pattern</source>
        <translation>所画模式</translation>
    </message>
    <message>
        <source>What the head does in most rows of the corpus: its largest weight is on that token (after Voita et al. 2019, arXiv 1905.09418, who ask for 90 %), at least half of its weight is there (sinks), or 1 − AER is at least 0.5 (alignment); and that is {margin} more than any head of random weights reaches. Named only from {least} sentences on.</source>
        <translation>此头在语料的大多数行中做什么：最大的权重在该词元上（依 Voita 等，2019，arXiv 1905.09418，原文要求 90%），或至少一半的权重在那里（汇聚），或 1 − AER 至少为 0.5（对齐）；并且比任何随机权重的头都高出 {margin}。至少有 {least} 个句子时才命名。</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一词元</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>后一词元</translation>
    </message>
    <message>
        <source>same token</source>
        <translation>同一词元</translation>
    </message>
    <message>
        <source>sink: end</source>
        <translation>汇聚：终止</translation>
    </message>
    <message>
        <source>sink: start</source>
        <translation>汇聚：起始</translation>
    </message>
    <message>
        <source>sink: punctuation</source>
        <translation>汇聚：标点</translation>
    </message>
    <message>
        <source>alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>{role} {score} (random {random})</source>
        <translation>{role} {score}（随机 {random}）</translation>
    </message>
    <message>
        <source>Open the model that wrote this to see what its heads do in general.</source>
        <translation>打开写出这段译文的模型，才能看到它的注意力头一般做什么。</translation>
    </message>
</context>
<context>
    <name>HeadsTablePanel</name>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV 文件 (*.csv)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON 文件 (*.json)</translation>
    </message>
    <message>
        <source>Save the heads table</source>
        <translation>保存注意力头表</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Measuring every head…</source>
        <translation>正在测量所有注意力头…</translation>
    </message>
    <message>
        <source>Choose a file of sentences or pairs: every head is measured over all of them.</source>
        <translation>选择一个句子或句对文件：用其中所有句子测量每一个注意力头。</translation>
    </message>
    <message>
        <source>Every head is measured when the output is complete.</source>
        <translation>输出完成后才测量所有注意力头。</translation>
    </message>
    <message>
        <source>Type a sentence above: what every head does with it is shown here in numbers.</source>
        <translation>在上方输入一个句子：这里会用数值列出每个注意力头在其中做什么。</translation>
    </message>
    <message>
        <source>This sentence alone. No roles are named: what a head does in one sentence may be due to that sentence; Corpus… tells more.</source>
        <translation>只针对这一句，因此不给出角色：一个头在一句话中的表现可能出于句子本身；“语料…”能说明更多。</translation>
    </message>
    <message>
        <source>Likeness to: {name}. {formula}</source>
        <translation>相似度，比较对象：{name}。{formula}</translation>
    </message>
    <message>
        <source>roles are named from {least} sentences on</source>
        <translation>少于 {least} 句时不给出角色</translation>
    </message>
    <message>
        <source>roles compared with random weights (seed {seed})</source>
        <translation>角色以随机权重为对照（种子 {seed}）</translation>
    </message>
    <message>
        <source>{name}, model {model}: {sentences} sentences, up to {rows} rows a head</source>
        <translation>{name}，模型 {model}：{sentences} 个句子，每头至多 {rows} 行</translation>
    </message>
    <message>
        <source>{count} too long or empty</source>
        <translation>{count} 句过长或为空</translation>
    </message>
    <message>
        <source>targets as in the file</source>
        <translation>译文取自文件</translation>
    </message>
    <message>
        <source>greedy translations</source>
        <translation>译文为贪心解码</translation>
    </message>
</context>
<context>
    <name>HeadsTools</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Corpus…</source>
        <translation>语料…</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Measured over a file of sentences and compared with random weights; only then are roles named</source>
        <translation>对一个文件中的所有句子测量，以随机权重的模型为对照；这样才给出角色</translation>
    </message>
    <message>
        <source>What the head in view does whatever the sentence: what it promotes, attracts</source>
        <translation>当前注意力头不论什么句子都做什么：促进什么，吸引什么</translation>
    </message>
    <message>
        <source>Prune…</source>
        <translation>剪枝…</translation>
    </message>
    <message>
        <source>Switch heads off one after the other over a file of pairs, and see what is left</source>
        <translation>在一个句对文件上逐个关掉注意力头，看还剩下什么</translation>
    </message>
    <message>
        <source>Measured on the sentence in view</source>
        <translation>对当前句子测量</translation>
    </message>
    <message>
        <source>Draw a pattern…</source>
        <translation>画模式…</translation>
    </message>
    <message>
        <source>Sort the heads by how like a drawn pattern they are</source>
        <translation>按与所画模式的相似程度给注意力头排序</translation>
    </message>
    <message>
        <source>In general…</source>
        <translation>一般作用…</translation>
    </message>
    <message>
        <source>Layers × heads, coloured by one metric</source>
        <translation>层 × 头，按一个指标着色</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>As CSV…</source>
        <translation>存为 CSV…</translation>
    </message>
    <message>
        <source>As JSON…</source>
        <translation>存为 JSON…</translation>
    </message>
</context>
<context>
    <name>HeadsView</name>
    <message>
        <source>Layer {layer}, head {head}</source>
        <translation>第 {layer} 层，注意力头 {head}</translation>
    </message>
    <message>
        <source>What this head does in &amp;general…</source>
        <translation>这个注意力头一般做什么(&amp;G)…</translation>
    </message>
</context>
<context>
    <name>HeldModel</name>
    <message>
        <source>Step {step}: {before} before, {after} after, difference {difference}</source>
        <translation>第 {step} 步：之前 {before}，之后 {after}，差值 {difference}</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>opening</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>translation</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>continuation</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>forced target</source>
        <translation>指定译文</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>hypothesis</source>
        <translation>查看候选序列</translation>
    </message>
    <message>
        <source>what-if</source>
        <translation>干预</translation>
    </message>
    <message>
        <source>keeping the what-if</source>
        <translation>保留干预</translation>
    </message>
    <message>
        <source>deletion</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>clearing</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>second map</source>
        <translation>第二幅图</translation>
    </message>
    <message>
        <source>view option</source>
        <translation>显示选项</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>gold alignment</source>
        <translation>标准对齐</translation>
    </message>
</context>
<context>
    <name>Importance</name>
    <message>
        <source>Without {place} the translation is just as probable: {change}</source>
        <translation>关闭{place}，译文概率不变：{change}</translation>
    </message>
    <message>
        <source>Without {place} the translation becomes {times} times less probable: {change}</source>
        <translation>关闭{place}，译文概率降为 1/{times}：{change}</translation>
    </message>
    <message>
        <source>Without {place} the translation becomes {times} times more probable: {change}</source>
        <translation>关闭{place}，译文概率升为 {times} 倍：{change}</translation>
    </message>
    <message>
        <source>Switching off any single head makes this translation no less probable</source>
        <translation>单独关闭任何一个头，这个译文的概率都不会降低</translation>
    </message>
</context>
<context>
    <name>ImportanceControls</name>
    <message>
        <source>Each head is switched off once: {done} of {total}</source>
        <translation>逐个关闭注意力头：{done}/{total}</translation>
    </message>
    <message>
        <source>Switches off each head in turn and shows what that does to the output.</source>
        <translation>逐个关闭每个注意力头，看对输出有什么影响。</translation>
    </message>
    <message>
        <source>Measure all heads</source>
        <translation>测量所有注意力头</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>Masked word</source>
        <translation>遮盖词</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>干预实验</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
</context>
<context>
    <name>Invitation</name>
    <message>
        <source>Type a sentence above and press Enter to see who attends to whom.</source>
        <translation>在上方输入一个句子并按回车，看谁在关注谁。</translation>
    </message>
    <message>
        <source>Or drop a trace, a session or the folder of a model here.</source>
        <translation>也可以把解码记录、会话或模型文件夹拖到这里。</translation>
    </message>
</context>
<context>
    <name>KeptDialog</name>
    <message>
        <source>Autosaved sessions</source>
        <translation>自动保存的会话</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>解码次数</translation>
    </message>
    <message>
        <source>First sentence</source>
        <translation>第一句</translation>
    </message>
    <message>
        <source>How it ended</source>
        <translation>结束方式</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Discard…</source>
        <translation>丢弃…</translation>
    </message>
    <message>
        <source>Sessions stay here until you discard them, or too many newer ones are kept.</source>
        <translation>它们会一直保留，直到被丢弃，或较新的会话过多。</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>正常关闭</translation>
    </message>
    <message>
        <source>Unexpectedly</source>
        <translation>意外结束</translation>
    </message>
    <message>
        <source>Discard this session? Its runs cannot be brought back.</source>
        <translation>丢弃此会话？其中的解码无法找回。</translation>
    </message>
    <message>
        <source>Discard these {count} sessions? Their runs cannot be brought back.</source>
        <translation>丢弃这 {count} 个会话？其中的解码无法找回。</translation>
    </message>
</context>
<context>
    <name>KeptMenu</name>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>&amp;List, to open or discard…</source>
        <translation>列表，打开或丢弃(&amp;L)…</translation>
    </message>
    <message>
        <source>{when}, runs: {count}: {text}</source>
        <translation>{when}，{count} 次解码：{text}</translation>
    </message>
    <message>
        <source>Before it ended unexpectedly, {when}, runs: {count}: {text}</source>
        <translation>意外结束之前，{when}，{count} 次解码：{text}</translation>
    </message>
</context>
<context>
    <name>KeySheet</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>translate, continue or read; the keys then act on the picture</source>
        <translation>翻译、续写或读入；之后按键作用于图</translation>
    </message>
    <message>
        <source>to the sentence</source>
        <translation>到句子输入框</translation>
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
        <source>in the next words: choose one, continue with it</source>
        <translation>在“下一个词”中：选一个词，以它继续</translation>
    </message>
    <message>
        <source>pause or resume the model</source>
        <translation>暂停模型，或让它继续</translation>
    </message>
    <message>
        <source>reset all model changes</source>
        <translation>还原模型的所有改动</translation>
    </message>
    <message>
        <source>Before an audience (F5)</source>
        <translation>演示时（F5）</translation>
    </message>
    <message>
        <source>the next words, the heads</source>
        <translation>下一个词、各头</translation>
    </message>
    <message>
        <source>the pages</source>
        <translation>各页面</translation>
    </message>
    <message>
        <source>models, bookmarks</source>
        <translation>模型、书签</translation>
    </message>
    <message>
        <source>the bookmark&apos;s note: away, or back</source>
        <translation>书签备注：隐藏或显示</translation>
    </message>
    <message>
        <source>theme, language</source>
        <translation>主题、语言</translation>
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
        <source>the next of these views</source>
        <translation>下一种视图</translation>
    </message>
    <message>
        <source>square root scale</source>
        <translation>平方根标度</translation>
    </message>
    <message>
        <source>In the views</source>
        <translation>在视图中</translation>
    </message>
    <message>
        <source>in flow and words: the chosen token</source>
        <translation>在流向图和文字中：选择词元</translation>
    </message>
    <message>
        <source>in all heads: the map of the chosen one</source>
        <translation>在所有头中：打开所选头的热图</translation>
    </message>
    <message>
        <source>in the map: zoom (so does the wheel; drag to move)</source>
        <translation>在图中：缩放（滚轮亦可；拖动可移动）</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Shift+方向键</translation>
    </message>
    <message>
        <source>in a zoomed map: move the part in view</source>
        <translation>在放大的图中：移动显示的部分</translation>
    </message>
    <message>
        <source>go to a token, by a part of it or its number</source>
        <translation>按部分文字或编号转到词元</translation>
    </message>
    <message>
        <source>in a map of cross-attention: gold link of the cell&apos;s words</source>
        <translation>在交叉注意力图中：标注单元格两词的标准对齐</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>各次解码</translation>
    </message>
    <message>
        <source>branches: the tree of what was written</source>
        <translation>分支：所写内容的树</translation>
    </message>
    <message>
        <source>compare with the pinned one</source>
        <translation>与固定的解码对比</translation>
    </message>
    <message>
        <source>heads table: what every head does</source>
        <translation>注意力头表：每个头在做什么</translation>
    </message>
    <message>
        <source>a file of sentences</source>
        <translation>句子文件</translation>
    </message>
    <message>
        <source>arithmetic of the chosen cell</source>
        <translation>所选单元格的计算</translation>
    </message>
    <message>
        <source>what if the model were changed</source>
        <translation>干预实验：改动模型</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Delete</translation>
    </message>
    <message>
        <source>in the tree: delete the branch</source>
        <translation>在树中：删除分支</translation>
    </message>
    <message>
        <source>undo, redo</source>
        <translation>撤销、重做</translation>
    </message>
    <message>
        <source>before the first and after the last step: previous or next bookmark</source>
        <translation>在第一步之前、最后一步之后：上一个、下一个书签</translation>
    </message>
    <message>
        <source>a spotlight around the pointer</source>
        <translation>指针周围的聚光</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>give this view a name</source>
        <translation>为当前视图加书签</translation>
    </message>
    <message>
        <source>next, previous bookmark</source>
        <translation>下一个、上一个书签</translation>
    </message>
    <message>
        <source>flow, words, all heads, graph; again: the map</source>
        <translation>流向图、文字、所有头、贡献图；再按回到热图</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>command palette: anything, by its name</source>
        <translation>命令面板：按名称找任何东西</translation>
    </message>
    <message>
        <source>to Look, to Positions, to Learn</source>
        <translation>到观察、位置编码、学习页</translation>
    </message>
    <message>
        <source>to the Train page</source>
        <translation>到训练页</translation>
    </message>
    <message>
        <source>previous, next page</source>
        <translation>上一页、下一页</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>save the trace, the session</source>
        <translation>保存解码记录、会话</translation>
    </message>
    <message>
        <source>open a model, a trace</source>
        <translation>打开模型、解码记录</translation>
    </message>
    <message>
        <source>open a recent file</source>
        <translation>打开最近的文件</translation>
    </message>
    <message>
        <source>stop the model; else leave the field, Present, or the chosen cell</source>
        <translation>停止模型；否则离开输入框、退出演示，或取消选中的单元格</translation>
    </message>
    <message>
        <source>previous, next step: in a map without a chosen cell</source>
        <translation>上一步、下一步：热图中没有选中单元格时</translation>
    </message>
    <message>
        <source>in the heads: layer and head</source>
        <translation>在注意力头总览中：层和头</translation>
    </message>
    <message>
        <source>in the map: the chosen cell; ↑ and ↓ choose one</source>
        <translation>在热图中：选中的单元格；↑ 和 ↓ 选中一个</translation>
    </message>
    <message>
        <source>copy the cell&apos;s number, its row, the picture</source>
        <translation>复制该单元格的数值、所在的行、图片</translation>
    </message>
    <message>
        <source>the manual, where one is</source>
        <translation>手册：所在之处的说明</translation>
    </message>
    <message>
        <source>Present: one large figure, for a lecture</source>
        <translation>演示：一幅大图，讲课用</translation>
    </message>
    <message>
        <source>settings: language, type size, keys, memory</source>
        <translation>设置：语言、字号、按键、内存</translation>
    </message>
    <message>
        <source>quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Before an audience: the next words</source>
        <translation>演示时：下一个词</translation>
    </message>
    <message>
        <source>Before an audience: the heads</source>
        <translation>演示时：注意力头</translation>
    </message>
    <message>
        <source>Before an audience: Look</source>
        <translation>演示时：观察</translation>
    </message>
    <message>
        <source>Before an audience: Positions</source>
        <translation>演示时：位置编码</translation>
    </message>
    <message>
        <source>Before an audience: Learn</source>
        <translation>演示时：学习</translation>
    </message>
    <message>
        <source>Before an audience: Train</source>
        <translation>演示时：训练</translation>
    </message>
    <message>
        <source>Before an audience: models</source>
        <translation>演示时：模型</translation>
    </message>
    <message>
        <source>Before an audience: bookmarks</source>
        <translation>演示时：书签</translation>
    </message>
    <message>
        <source>Before an audience: the bookmark&apos;s note</source>
        <translation>演示时：书签的备注</translation>
    </message>
    <message>
        <source>Before an audience: theme</source>
        <translation>演示时：主题</translation>
    </message>
    <message>
        <source>Before an audience: language</source>
        <translation>演示时：语言</translation>
    </message>
    <message>
        <source>Before an audience: spotlight</source>
        <translation>演示时：聚光</translation>
    </message>
    <message>
        <source>Go to the sentence</source>
        <translation>转到句子</translation>
    </message>
    <message>
        <source>Pause or resume while typing</source>
        <translation>输入时暂停或继续</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>First step</source>
        <translation>第一步</translation>
    </message>
    <message>
        <source>Last step</source>
        <translation>最后一步</translation>
    </message>
    <message>
        <source>Play the steps</source>
        <translation>逐步播放</translation>
    </message>
    <message>
        <source>Pause or resume the model</source>
        <translation>暂停模型，或让它继续</translation>
    </message>
    <message>
        <source>Next view of the map</source>
        <translation>下一种视图</translation>
    </message>
    <message>
        <source>Previous layer</source>
        <translation>上一层</translation>
    </message>
    <message>
        <source>Next layer</source>
        <translation>下一层</translation>
    </message>
    <message>
        <source>Previous head</source>
        <translation>上一个注意力头</translation>
    </message>
    <message>
        <source>Next head</source>
        <translation>下一个注意力头</translation>
    </message>
</context>
<context>
    <name>KeysTab</name>
    <message>
        <source>Choose a line, then press the key that it is to have.</source>
        <translation>先选一行，再按下要给它的键。</translation>
    </message>
    <message>
        <source>Press the key that it is to have.</source>
        <translation>按下要给它的键。</translation>
    </message>
    <message>
        <source>{key} belongs to fields, lists and views.</source>
        <translation>{key} 由输入框、列表和视图使用。</translation>
    </message>
    <message>
        <source>{key} is free.</source>
        <translation>{key} 未被占用。</translation>
    </message>
    <message>
        <source>{key} is its key already.</source>
        <translation>{key} 已经是它的键。</translation>
    </message>
    <message>
        <source>{key} is a key of “{what}”, which would keep {left} alone.</source>
        <translation>{key} 是“{what}”的键，改后它只剩 {left}。</translation>
    </message>
    <message>
        <source>{key} is the key of “{what}”, which would have none.</source>
        <translation>{key} 是“{what}”的键，改后它就没有键了。</translation>
    </message>
    <message>
        <source>{key} is no key of “{what}” any more.</source>
        <translation>{key} 不再是“{what}”的键。</translation>
    </message>
    <message>
        <source>What</source>
        <translation>功能</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Find by name or key</source>
        <translation>按名称或按键查找</translation>
    </message>
    <message>
        <source>The new key</source>
        <translation>新的键</translation>
    </message>
    <message>
        <source>Use this key</source>
        <translation>使用此键</translation>
    </message>
    <message>
        <source>No key</source>
        <translation>不用键</translation>
    </message>
    <message>
        <source>As at first</source>
        <translation>恢复默认</translation>
    </message>
    <message>
        <source>All as at first</source>
        <translation>全部恢复默认</translation>
    </message>
</context>
<context>
    <name>KindRow</name>
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
    <message>
        <source>Each word of prompt and continuation looks at itself and those before it (D)</source>
        <translation>causal self-attention：提示和续写中的每个词元看自己和前面的词元（D）</translation>
    </message>
    <message>
        <source>Self-attention (causal)</source>
        <translation>自注意力（因果）</translation>
    </message>
    <message>
        <source>Every word looks at every word (D)</source>
        <translation>self-attention：每个词元看每个词元（D）</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Every word looks at every word (E)</source>
        <translation>self-attention：每个词元看每个词元（E）</translation>
    </message>
</context>
<context>
    <name>LanguageNames</name>
    <message>
        <source>English</source>
        <translation>英语</translation>
    </message>
    <message>
        <source>French</source>
        <translation>法语</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>中文</translation>
    </message>
    <message>
        <source>Cantonese</source>
        <translation>粤语</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>日语</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>韩语</translation>
    </message>
    <message>
        <source>German</source>
        <translation>德语</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>西班牙语</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>意大利语</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>葡萄牙语</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>荷兰语</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>瑞典语</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>丹麦语</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>芬兰语</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>波兰语</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>捷克语</translation>
    </message>
    <message>
        <source>Hungarian</source>
        <translation>匈牙利语</translation>
    </message>
    <message>
        <source>Romanian</source>
        <translation>罗马尼亚语</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>土耳其语</translation>
    </message>
    <message>
        <source>Vietnamese</source>
        <translation>越南语</translation>
    </message>
    <message>
        <source>Indonesian</source>
        <translation>印度尼西亚语</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>俄语</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>乌克兰语</translation>
    </message>
    <message>
        <source>Bulgarian</source>
        <translation>保加利亚语</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>希腊语</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>阿拉伯语</translation>
    </message>
    <message>
        <source>Persian</source>
        <translation>波斯语</translation>
    </message>
    <message>
        <source>Urdu</source>
        <translation>乌尔都语</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>希伯来语</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>印地语</translation>
    </message>
    <message>
        <source>Marathi</source>
        <translation>马拉地语</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>泰语</translation>
    </message>
    <message>
        <source>Chinese characters</source>
        <translation>汉字</translation>
    </message>
    <message>
        <source>Latin letters</source>
        <translation>拉丁字母</translation>
    </message>
    <message>
        <source>Cyrillic letters</source>
        <translation>西里尔字母</translation>
    </message>
    <message>
        <source>Arabic letters</source>
        <translation>阿拉伯字母</translation>
    </message>
    <message>
        <source>Greek letters</source>
        <translation>希腊字母</translation>
    </message>
    <message>
        <source>Hebrew letters</source>
        <translation>希伯来字母</translation>
    </message>
    <message>
        <source>Devanagari letters</source>
        <translation>天城文字母</translation>
    </message>
    <message>
        <source>Thai letters</source>
        <translation>泰文字母</translation>
    </message>
    <message>
        <source>Hangul letters</source>
        <translation>谚文</translation>
    </message>
    <message>
        <source>Hiragana letters</source>
        <translation>平假名</translation>
    </message>
    <message>
        <source>Katakana letters</source>
        <translation>片假名</translation>
    </message>
    <message>
        <source>Bopomofo letters</source>
        <translation>注音符号</translation>
    </message>
</context>
<context>
    <name>LayerRow</name>
    <message>
        <source>layer {layer} of {layers}</source>
        <translation>第 {layer} 层，共 {layers} 层</translation>
    </message>
    <message>
        <source>embeddings</source>
        <translation>词嵌入</translation>
    </message>
</context>
<context>
    <name>LayerSection</name>
    <message>
        <source>{done} of {total} layers</source>
        <translation>{total} 层中已完成 {done} 层</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>original</source>
        <translation>原译文</translation>
    </message>
    <message>
        <source>Encoder layer that is read</source>
        <translation>读取的编码器层</translation>
    </message>
    <message>
        <source>The decoder reads another layer</source>
        <translation>解码器读取另一层</translation>
    </message>
    <message>
        <source>Encoder layer that the decoder reads</source>
        <translation>解码器读取的编码器层</translation>
    </message>
    <message>
        <source>Translate from every layer</source>
        <translation>从每一层翻译</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Natural log probability per token of what is written from a layer, and of the original translation as a whole with that layer. Written greedily; a click on a line makes its run.</source>
        <translation>由某层写出的译文的每词元自然对数概率，以及原译文整句在该层下的自然对数概率。用贪心解码写出；点击一行就得到它的一次解码。</translation>
    </message>
</context>
<context>
    <name>LayerWalkView</name>
    <message>
        <source>Go to Look</source>
        <translation>转到“观察”</translation>
    </message>
    <message>
        <source>Reading the sentence again, layer by layer…</source>
        <translation>正在逐层重读句子…</translation>
    </message>
    <message>
        <source>The translation is still being made…</source>
        <translation>仍在翻译…</translation>
    </message>
    <message>
        <source>↑ ↓ walk through the blocks, ← → along the sentence; click a token or a block.</source>
        <translation>↑ ↓ 逐块移动，← → 沿句子移动；也可点击词元或方块。</translation>
    </message>
    <message>
        <source>Show head {head} on Look</source>
        <translation>在“观察”中显示头 {head}</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Translate a sentence, then follow one of its words through every layer.</source>
        <translation>翻译一个句子，然后跟着其中一个词逐层走一遍。</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源句</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Layer walk</source>
        <translation>逐层追踪</translation>
    </message>
</context>
<context>
    <name>LearnPage</name>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>contextual embeddings, homonyms</source>
        <translation>上下文嵌入，同形异义词</translation>
    </message>
    <message>
        <source>Order of words</source>
        <translation>词序</translation>
    </message>
    <message>
        <source>Layer walk</source>
        <translation>逐层追踪</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Other Transformers</source>
        <translation>其他 Transformer</translation>
    </message>
    <message>
        <source>logit lens, residual stream</source>
        <translation>logit lens，残差流</translation>
    </message>
    <message>
        <source>One word, two sentences</source>
        <translation>一词两句</translation>
    </message>
    <message>
        <source>positional encoding, permutation</source>
        <translation>位置编码，排列</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>架构</translation>
    </message>
</context>
<context>
    <name>LectureHead</name>
    <message>
        <source>{step} / {steps}</source>
        <translation>{step} / {steps}</translation>
    </message>
    <message>
        <source>{kind} · layer {layer} · mean over heads</source>
        <translation>{kind} · 第 {layer} 层 · 各头平均</translation>
    </message>
    <message>
        <source>{kind} · layer {layer} · head {head}</source>
        <translation>{kind} · 第 {layer} 层 · 第 {head} 头</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Previous step (Page Up)</source>
        <translation>上一步（Page Up）</translation>
    </message>
    <message>
        <source>Next step (Page Down)</source>
        <translation>下一步（Page Down）</translation>
    </message>
</context>
<context>
    <name>LengthHistogram</name>
    <message>
        <source>Lengths of the sentences in characters</source>
        <translation>句子长度（字符数）</translation>
    </message>
    <message>
        <source>{first} to {last} characters: sentences {source}, translations {target}</source>
        <translation>{first} 至 {last} 个字符：句子 {source}，译文 {target}</translation>
    </message>
    <message>
        <source>{length} characters</source>
        <translation>{length} 个字符</translation>
    </message>
    <message>
        <source>{length} characters (1 in 100 is longer, up to {longest})</source>
        <translation>{length} 个字符（百分之一更长，最长 {longest}）</translation>
    </message>
    <message>
        <source>sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>translation</source>
        <translation>译文</translation>
    </message>
</context>
<context>
    <name>LessonList</name>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
</context>
<context>
    <name>Lessons</name>
    <message>
        <source>{finding} Here it is not as expected.</source>
        <translation>{finding}这里与预期不符。</translation>
    </message>
    <message>
        <source>Key {number}</source>
        <translation>键 {number}</translation>
    </message>
    <message>
        <source>Base b</source>
        <translation>基数 b</translation>
    </message>
    <message>
        <source>Longest text, in positions</source>
        <translation>最长文本（位置数）</translation>
    </message>
    <message>
        <source>The other order</source>
        <translation>另一词序</translation>
    </message>
    <message>
        <source>Sinusoids of a base</source>
        <translation>某一基数的正弦编码</translation>
    </message>
    <message>
        <source>The model without positions</source>
        <translation>去掉位置编码的模型</translation>
    </message>
    <message>
        <source>backwards</source>
        <translation>倒序</translation>
    </message>
    <message>
        <source>the first piece moved to the end</source>
        <translation>第一个子词移到末尾</translation>
    </message>
    <message>
        <source>Wavelengths go from {shortest} (2π) to {value} positions, below b·2π = {limit}.</source>
        <translation>波长从 {shortest}（2π）到 {value} 个位置，小于 b·2π = {limit}。</translation>
    </message>
    <message>
        <source>{value} of {pairs} pairs never complete a turn within {length} positions (base 1000: {slip}, 10000: {paper}).</source>
        <translation>{pairs} 个维度对中有 {value} 个在 {length} 个位置内转不满一圈（基数 1000：{slip} 个，10000：{paper} 个）。</translation>
    </message>
    <message>
        <source>Subject</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>The two most similar of {length} positions are {apart} apart, at distance {value} (base 1000: {slip}, 10000: {paper}).</source>
        <translation>{length} 个位置中最相近的两个相隔 {apart}，距离为 {value}（基数 1000：{slip}，10000：{paper}）。</translation>
    </message>
    <message>
        <source>Dot products of one offset differ by {value} at most over {positions} positions.</source>
        <translation>在 {positions} 个位置上，同一间隔的点积最多相差 {value}。</translation>
    </message>
    <message>
        <source>The model adds no positions: the orders differ by {value} at most.</source>
        <translation>模型不加位置编码：两种词序之间最多相差 {value}。</translation>
    </message>
    <message>
        <source>With positions a piece&apos;s encoding depends on where it stands: a number differs by up to {value}.</source>
        <translation>有位置编码时，子词的编码取决于它所在的位置：每个数最多相差 {value}。</translation>
    </message>
    <message>
        <source>Without positions a number differs by {value} at most between the orders.</source>
        <translation>去掉位置编码后，两种词序之间每个数最多相差 {value}。</translation>
    </message>
    <message>
        <source>Without positions both orders are translated alike.</source>
        <translation>去掉位置编码后，两种词序的译文相同。</translation>
    </message>
    <message>
        <source>Without positions the two orders are translated differently.</source>
        <translation>去掉位置编码后，两种词序的译文不同。</translation>
    </message>
    <message>
        <source>With positions both orders are translated alike, too.</source>
        <translation>有位置编码时，两种词序的译文也相同。</translation>
    </message>
    <message>
        <source>With positions the two orders are translated differently.</source>
        <translation>有位置编码时，两种词序的译文不同。</translation>
    </message>
    <message>
        <source>This model has no positions.</source>
        <translation>本模型没有位置编码。</translation>
    </message>
    <message>
        <source>This model has learned positions, which have no base.</source>
        <translation>本模型的位置编码是学得的，没有基数。</translation>
    </message>
    <message>
        <source>This model&apos;s positions act on distances and have no base.</source>
        <translation>该模型的位置按距离起作用，没有底数。</translation>
    </message>
    <message>
        <source>neither the paper&apos;s 10000 nor the 1000 of some lecture notes</source>
        <translation>既不是论文的 10000，也不是讲义的 1000</translation>
    </message>
    <message>
        <source>the paper&apos;s, not the 1000 of some lecture notes</source>
        <translation>与论文相同，而不是讲义的 1000</translation>
    </message>
    <message>
        <source>that of some lecture notes, not the paper&apos;s 10000</source>
        <translation>与讲义相同，而不是论文的 10000</translation>
    </message>
    <message>
        <source>This model turns queries and keys (rotary) with base {base}, {whose}.</source>
        <translation>该模型以底数 {base} 旋转查询和键（旋转位置编码），{whose}。</translation>
    </message>
    <message>
        <source>Similarity: dot product of two positions</source>
        <translation>相似程度：两个位置的点积</translation>
    </message>
    <message>
        <source>The two most similar of {length} positions</source>
        <translation>{length} 个位置中最相近的两个</translation>
    </message>
    <message>
        <source>Bases compared</source>
        <translation>各基数对照</translation>
    </message>
    <message>
        <source>Pairs without a full turn</source>
        <translation>转不满一圈的维度对</translation>
    </message>
    <message>
        <source>altered: positions of source and target removed</source>
        <translation>已改动：去掉了源句和译文的位置编码</translation>
    </message>
    <message>
        <source>by the formula, not a model&apos;s table</source>
        <translation>按公式计算，不是某个模型的表</translation>
    </message>
    <message>
        <source>Attention ignores word order, so each word gets a position: sines and cosines of many wavelengths. The base sets the longest one: 10000 in the paper, 1000 in some lecture notes.</source>
        <translation>注意力不知道词序，所以给每个词加上位置编码：许多不同波长的正弦和余弦。基数决定最长的波长：论文用 10000，有些讲义用 1000。</translation>
    </message>
    <message>
        <source>This model has sinusoids of base {base}, {whose}; its d_model is {d_model}.</source>
        <translation>本模型的正弦编码以 {base} 为基数，{whose}；d_model 为 {d_model}。</translation>
    </message>
    <message>
        <source>base {base}</source>
        <translation>基数 {base}</translation>
    </message>
    <message>
        <source>Encoding of positions 0 to {last}</source>
        <translation>位置 0 到 {last} 的编码</translation>
    </message>
    <message>
        <source>← position</source>
        <translation>← 位置</translation>
    </message>
    <message>
        <source>dimension →</source>
        <translation>维度 →</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>base (log scale)</source>
        <translation>基数（对数刻度）</translation>
    </message>
    <message>
        <source>smallest distance</source>
        <translation>最小距离</translation>
    </message>
    <message>
        <source>base</source>
        <translation>基数</translation>
    </message>
    <message>
        <source>Longest wavelength</source>
        <translation>最长波长</translation>
    </message>
    <message>
        <source>Smallest distance</source>
        <translation>最小距离</translation>
    </message>
    <message>
        <source>own order</source>
        <translation>原词序</translation>
    </message>
    <message>
        <source>other order</source>
        <translation>另一词序</translation>
    </message>
    <message>
        <source>What is read: the same pieces</source>
        <translation>读入的内容：同样的子词</translation>
    </message>
    <message>
        <source>Translated with positions</source>
        <translation>有位置编码时的译文</translation>
    </message>
    <message>
        <source>Translated without positions</source>
        <translation>去掉位置编码后的译文</translation>
    </message>
    <message>
        <source>How far each piece&apos;s encoding is from itself in the other order</source>
        <translation>每个子词的编码在两种词序之间的距离</translation>
    </message>
    <message>
        <source>with positions</source>
        <translation>有位置编码</translation>
    </message>
    <message>
        <source>without positions</source>
        <translation>去掉位置编码</translation>
    </message>
    <message>
        <source>Base 10000 or 1000</source>
        <translation>基数 10000 还是 1000</translation>
    </message>
    <message>
        <source>A smaller base turns faster: neighbours are easier to tell apart, and fewer pairs stay nearly still. Either base gives every position of a text a vector of its own. Without positions the encoder gives each word the same vector whatever the order.</source>
        <translation>基数越小转得越快：相邻位置更容易区分，几乎不动的维度对更少。两种基数都让文本中每个位置有自己的向量。去掉位置编码后，无论词序如何，编码器给每个词的向量都相同。</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), section 3.5</source>
        <translation>Vaswani 等（2017），第 3.5 节</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>d_k, length of query and key</source>
        <translation>d_k：查询与键的长度</translation>
    </message>
    <message>
        <source>Random seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Second text (empty: half of the first)</source>
        <translation>第二句（空：第一句的前一半）</translation>
    </message>
    <message>
        <source>Third text (empty: a quarter of it)</source>
        <translation>第三句（空：第一句的前四分之一）</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>The row becomes</source>
        <translation>这一行换成</translation>
    </message>
    <message>
        <source>Word of the output</source>
        <translation>译文中的词</translation>
    </message>
    <message>
        <source>Decoder layer</source>
        <translation>解码器层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Permutation</source>
        <translation>排列</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀</translation>
    </message>
    <message>
        <source>permuted</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>all heads of the layer</source>
        <translation>该层所有的头</translation>
    </message>
    <message>
        <source>The row is {tvd} (TVD) and {jsd} (JSD, at most 0.693) from the model&apos;s own; log p of the word changes by {value}, the distribution of words by {moved} (TVD).</source>
        <translation>这一行与模型原来的相差 {tvd}（全变差 TVD）、{jsd}（JSD，最大 0.693）；该词的 log p 变化 {value}，词的分布变化 {moved}（TVD）。</translation>
    </message>
    <message>
        <source>The most probable word stays.</source>
        <translation>概率最大的词不变。</translation>
    </message>
    <message>
        <source>Another word becomes the most probable.</source>
        <translation>概率最大的词变成了另一个。</translation>
    </message>
    <message>
        <source>The adversarial row is being searched for.</source>
        <translation>正在搜索对抗行。</translation>
    </message>
    <message>
        <source>log p may change by (nats)</source>
        <translation>log p 允许的变化（nat）</translation>
    </message>
    <message>
        <source>adversarial: far away, same log p</source>
        <translation>对抗：相差远，log p 几乎不变</translation>
    </message>
    <message>
        <source>Of {searched} rows tried, this is the furthest that changes log p by at most {epsilon}; there may be a further one.</source>
        <translation>试过的 {searched} 行中，这是使 log p 变化不超过 {epsilon} 的最远一行；可能还有更远的没有找到。</translation>
    </message>
    <message>
        <source>Of {draws} permutations, {stay} leave the word on top; half of them change log p by {value} or less, one by {most}.</source>
        <translation>{draws} 种排列中有 {stay} 种该词仍居首位；半数使 log p 变化不超过 {value}，最多的一种变化 {most}。</translation>
    </message>
    <message>
        <source>Rank correlation (Kendall&apos;s τ) of weight and length {weights_norms}, of weight and gradient {weights_gradients}, of length and gradient {norms_gradients}.</source>
        <translation>秩相关（Kendall τ）：权重与长度 {weights_norms}，权重与梯度 {weights_gradients}，长度与梯度 {norms_gradients}。</translation>
    </message>
    <message>
        <source>the model&apos;s own</source>
        <translation>模型原来的</translation>
    </message>
    <message>
        <source>swapped</source>
        <translation>替换后</translation>
    </message>
    <message>
        <source>The row of “{word}”</source>
        <translation>“{word}”的一行</translation>
    </message>
    <message>
        <source>Next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>weight α</source>
        <translation>权重 α</translation>
    </message>
    <message>
        <source>length of α v W_O</source>
        <translation>α v W_O 的长度</translation>
    </message>
    <message>
        <source>|gradient × α|</source>
        <translation>|梯度 × α|</translation>
    </message>
    <message>
        <source>Three measures of “{word}”, as shares</source>
        <translation>“{word}”的三种度量（所占比例）</translation>
    </message>
    <message>
        <source>adversarial</source>
        <translation>对抗</translation>
    </message>
    <message>
        <source>How far each row is, and how much log p changes</source>
        <translation>每一行有多远，log p 变化多少</translation>
    </message>
    <message>
        <source>Jensen–Shannon divergence from the model&apos;s own row (nats)</source>
        <translation>与原来一行的 Jensen–Shannon 散度（nat）</translation>
    </message>
    <message>
        <source>measures: each divided by its sum</source>
        <translation>三种度量：各除以自己的总和</translation>
    </message>
    <message>
        <source>rows, TVD and JSD: means over {count} heads</source>
        <translation>各行、TVD 与 JSD：{count} 个头的平均</translation>
    </message>
    <message>
        <source>If the weights explained a word, other weights should give another word. Swap a row of cross-attention and see what happens to the output.</source>
        <translation>如果权重能解释一个词，换一组权重就应该得到另一个词。替换交叉注意力的一行，看输出怎样变化。</translation>
    </message>
    <message>
        <source>|Δ log p|</source>
        <translation>|Δ log p|</translation>
    </message>
    <message>
        <source>altered: the row is swapped</source>
        <translation>已改动：这一行被替换</translation>
    </message>
    <message>
        <source>Is attention explanation?</source>
        <translation>注意力是解释吗？</translation>
    </message>
    <message>
        <source>Often a row far from the model&apos;s own leaves the word as it is: other heads, layers and the residual stream go on without it. Swap all heads of the layer, and it may change. Neither says that weights mean nothing: an adversarial row is chosen, not learned.</source>
        <translation>与原来相差很远的一行往往不改变这个词：其他头、其他层和残差流照常工作。替换该层所有的头，词就可能改变。但这都不说明权重没有意义：对抗行是挑选出来的，不是学到的。</translation>
    </message>
    <message>
        <source>Jain and Wallace (2019), arXiv 1902.10186; Wiegreffe and Pinter (2019), arXiv 1908.04626; Serrano and Smith (2019), arXiv 1906.03731; Kobayashi et al. (2020), arXiv 2004.10102</source>
        <translation>Jain 和 Wallace（2019），arXiv 1902.10186；Wiegreffe 和 Pinter（2019），arXiv 1908.04626；Serrano 和 Smith（2019），arXiv 1906.03731；Kobayashi 等（2020），arXiv 2004.10102</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Token to change</source>
        <translation>要改动的词元</translation>
    </message>
    <message>
        <source>Padding mask</source>
        <translation>填充掩码</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>With the mask, text {text} is computed as if it stood alone; its log probabilities differ by {value} at most.</source>
        <translation>有掩码时，第 {text} 句的计算与单独输入时相同；对数概率最多相差 {value}。</translation>
    </message>
    <message>
        <source>Missing mask</source>
        <translation>漏掉的掩码</translation>
    </message>
    <message>
        <source>Text shown</source>
        <translation>查看第几句</translation>
    </message>
    <message>
        <source>Without the mask, probabilities change by up to {percent} %: most at step {step}, where “{token}” has {without} % instead of {with} %.</source>
        <translation>没有掩码时，概率的变化最多为 {percent}%：出现在第 {step} 步，“{token}”的概率由 {with}% 变为 {without}%。</translation>
    </message>
    <message>
        <source>The mask hides nothing here, and no probability changes by more than {percent} %.</source>
        <translation>这里掩码什么也没有遮住，概率的变化都不超过 {percent}%。</translation>
    </message>
    <message>
        <source>Without the mask the head in view puts {percent} % of its weight on padding.</source>
        <translation>没有掩码时，所看的注意力头把 {percent}% 的权重放在填充上。</translation>
    </message>
    <message>
        <source>Log probability of the whole translation: {with} with the mask, {value} without.</source>
        <translation>整句译文的对数概率：有掩码时 {with}，没有时 {value}。</translation>
    </message>
    <message>
        <source>Without the mask row {row} (“{token}”) of the head in view puts {percent} % of its weight on later tokens.</source>
        <translation>没有掩码时，所看的注意力头的第 {row} 行（“{token}”）把 {percent}% 的权重放在后面的词元上。</translation>
    </message>
    <message>
        <source>With the mask, reading “{put}” instead of “{token}” changes the {count} predictions before it by {value}.</source>
        <translation>有掩码时，把读入的“{token}”换成“{put}”，它之前的 {count} 个预测变化了 {value}。</translation>
    </message>
    <message>
        <source>Without the mask it changes them by up to {percent} %.</source>
        <translation>没有掩码时，这些预测最多变化 {percent}%。</translation>
    </message>
    <message>
        <source>text {number}</source>
        <translation>第 {number} 句</translation>
    </message>
    <message>
        <source>pad</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>The padding mask: 0 or −∞ (hatched)</source>
        <translation>填充掩码：0 或 −∞（斜线）</translation>
    </message>
    <message>
        <source>position in the batch →</source>
        <translation>批次中的位置 →</translation>
    </message>
    <message>
        <source>Click a token to change it; tokens whose prediction changes are coloured</source>
        <translation>点击一个词元来改动它：预测发生变化的词元会着色</translation>
    </message>
    <message>
        <source>changes made to this run are ignored</source>
        <translation>不含对此次运行所做的改动</translation>
    </message>
    <message>
        <source>Sentences of a batch are padded to one length, and in training a decoder is given the whole translation: masks keep attention off the padding and off the future.</source>
        <translation>一个批次中的句子被填充到同一长度，而训练时解码器面前就是整句译文：掩码使注意力不落在填充上，也不落在后面的词元上。</translation>
    </message>
    <message>
        <source>With the padding mask a short sentence is translated as if it stood alone; without it attention drifts to the padding. With the causal mask no later token changes an earlier prediction; without it all do. This model learned with the mask, so it usually gets worse without it; a model trained without it would copy the answer that it sees.</source>
        <translation>有填充掩码时，短句的翻译与单独输入时相同；没有时，注意力会漂到填充上。有因果掩码时，后面的词元不会改变前面的预测；没有时则都会改变。这个模型是带着掩码训练的，去掉后通常会变差；若训练时就没有掩码，模型会照抄它看到的答案。</translation>
    </message>
    <message>
        <source>The batch, padded to one length</source>
        <translation>填充到同一长度的批次</translation>
    </message>
    <message>
        <source>The causal mask: 0 or −∞ (hatched)</source>
        <translation>因果掩码：0 或 −∞（斜线）</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>read, changed</source>
        <translation>读入（已改动）</translation>
    </message>
    <message>
        <source>predicts, with the mask</source>
        <translation>预测（有掩码）</translation>
    </message>
    <message>
        <source>predicts, without it</source>
        <translation>预测（没有掩码）</translation>
    </message>
    <message>
        <source>with the mask</source>
        <translation>有掩码</translation>
    </message>
    <message>
        <source>without</source>
        <translation>没有掩码</translation>
    </message>
    <message>
        <source>Probability of each token of the translation</source>
        <translation>译文每个词元的概率</translation>
    </message>
    <message>
        <source>{head}, with mask</source>
        <translation>{head}，有掩码</translation>
    </message>
    <message>
        <source>{head}, without</source>
        <translation>{head}，没有掩码</translation>
    </message>
    <message>
        <source>without the mask: altered on purpose</source>
        <translation>没有掩码：有意改动</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), sections 3.1 and 3.2.3 (arXiv 1706.03762)</source>
        <translation>Vaswani 等（2017），第 3.1 和 3.2.3 节（arXiv 1706.03762）</translation>
    </message>
    <message>
        <source>Random vectors</source>
        <translation>随机向量</translation>
    </message>
    <message>
        <source>What scores cost</source>
        <translation>打分的开销</translation>
    </message>
    <message>
        <source>n, the number of words</source>
        <translation>n：词的个数</translation>
    </message>
    <message>
        <source>d, the length of the vectors</source>
        <translation>d：向量的长度</translation>
    </message>
    <message>
        <source>q·k has a variance of {value} within a row; random vectors should give d_k = {d_k}.</source>
        <translation>一行之内 q·k 的方差为 {value}；随机向量应为 d_k = {d_k}。</translation>
    </message>
    <message>
        <source>q·k of this head has a variance of {value} within a row; random vectors would give d_k = {d_k}.</source>
        <translation>该注意力头一行之内 q·k 的方差为 {value}；随机向量会是 d_k = {d_k}。</translation>
    </message>
    <message>
        <source>Largest weight: {value} without scaling, {scaled} with it.</source>
        <translation>最大权重：不缩放为 {value}，缩放后为 {scaled}。</translation>
    </message>
    <message>
        <source>Gradient through the softmax: {value} without scaling, {scaled} with it.</source>
        <translation>通过 softmax 的梯度：不缩放为 {value}，缩放后为 {scaled}。</translation>
    </message>
    <message>
        <source>Dividing by √d changes the {dot} ms of the plain dot product by {value} ms.</source>
        <translation>除以 √d 使点积的 {dot} ms 变化 {value} ms。</translation>
    </message>
    <message>
        <source>Number of keys</source>
        <translation>键的个数</translation>
    </message>
    <message>
        <source>What is varied</source>
        <translation>增大的量</translation>
    </message>
    <message>
        <source>Entropy: {value} nats without scaling, {scaled} with it; uniform weights have {most}.</source>
        <translation>熵：不缩放为 {value} nat，缩放后为 {scaled}；权重均匀时为 {most}。</translation>
    </message>
    <message>
        <source>At {size} the additive score takes {value} ms, the scaled dot product {scaled} ms: {times} times as long.</source>
        <translation>在 {size} 处，加性打分用时 {value} ms，缩放点积用时 {scaled} ms：{times} 倍。</translation>
    </message>
    <message>
        <source>The largest tensor of the additive score has {value} bytes, that of the dot product {scaled}: {times} times as many.</source>
        <translation>加性打分的最大张量为 {value} 字节，点积的为 {scaled} 字节：{times} 倍。</translation>
    </message>
    <message>
        <source>Times were just measured on this machine (threads: {value}); each is the median of {runs} runs.</source>
        <translation>时间为本机刚刚测得，所用线程数：{value}；每个数是 {runs} 次的中位数。</translation>
    </message>
    <message>
        <source>Entropy of a row</source>
        <translation>一行的熵</translation>
    </message>
    <message>
        <source>nats</source>
        <translation>nat</translation>
    </message>
    <message>
        <source>Largest weight of a row</source>
        <translation>一行的最大权重</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Gradient through the softmax</source>
        <translation>通过 softmax 的梯度</translation>
    </message>
    <message>
        <source>norm of the Jacobian</source>
        <translation>雅可比矩阵的范数</translation>
    </message>
    <message>
        <source>Weights of one row</source>
        <translation>一行的权重</translation>
    </message>
    <message>
        <source>Weights of one row: the {shown} largest of {all}</source>
        <translation>一行的权重：{all} 个中最大的 {shown} 个</translation>
    </message>
    <message>
        <source>÷ √d_k</source>
        <translation>÷ √d_k</translation>
    </message>
    <message>
        <source>not scaled</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>d_k</source>
        <translation>d_k</translation>
    </message>
    <message>
        <source>additive</source>
        <translation>加性</translation>
    </message>
    <message>
        <source>left of d_k = {d_k}: its first dimensions; right of it: joined with the next heads</source>
        <translation>d_k = {d_k} 左侧：取该头的前若干维；右侧：与后面的头拼接</translation>
    </message>
    <message>
        <source>without what this model&apos;s positions add to scores</source>
        <translation>不含该模型的位置加到分数上的部分</translation>
    </message>
    <message>
        <source>The longer the vectors, the larger q·k becomes, until the softmax picks a single key and stops learning; dividing by √d_k keeps it soft.</source>
        <translation>向量越长，q·k 越大，softmax 便只取一个键，也就学不动了；除以 √d_k 可使它保持平缓。</translation>
    </message>
    <message>
        <source>Without scaling the largest weight goes to 1 as d_k grows, entropy and gradient to 0; with it all three stay about the same. At d_k = 4 the gradient may be larger without. A trained head&apos;s vectors are not random, so its curves bend. Additive scores take more memory and time.</source>
        <translation>不缩放时，d_k 越大，最大权重越接近 1，熵和梯度越接近 0；缩放后三者基本不变。d_k = 4 时不缩放的梯度可能反而更大。训练好的头的向量不是随机的，所以它的曲线会弯。加性打分占用更多内存和时间。</translation>
    </message>
    <message>
        <source>dot product</source>
        <translation>点积</translation>
    </message>
    <message>
        <source>scaled dot product</source>
        <translation>缩放点积</translation>
    </message>
    <message>
        <source>n, at d = {fixed}</source>
        <translation>n（d = {fixed}）</translation>
    </message>
    <message>
        <source>d, at n = {fixed}</source>
        <translation>d（n = {fixed}）</translation>
    </message>
    <message>
        <source>Time, measured here</source>
        <translation>在本机测得的时间</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Largest tensor, by its shape</source>
        <translation>最大的张量（按形状计）</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <source>both axes logarithmic</source>
        <translation>两轴均为对数刻度</translation>
    </message>
    <message>
        <source>curves: mean over {rows} rows</source>
        <translation>曲线：{rows} 行的平均</translation>
    </message>
    <message>
        <source>Why √d_k</source>
        <translation>为什么除以 √d_k</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), section 3.2.1, footnote 4; additive: Bahdanau et al. (2015), arXiv 1409.0473, appendix A.1.2</source>
        <translation>Vaswani 等（2017），第 3.2.1 节，脚注 4；加性打分：Bahdanau 等（2015），arXiv 1409.0473，附录 A.1.2</translation>
    </message>
    <message>
        <source>Six points</source>
        <translation>六个点</translation>
    </message>
    <message>
        <source>A head of the model</source>
        <translation>模型的一个头</translation>
    </message>
    <message>
        <source>The prediction is {value}, between the smallest and the largest value.</source>
        <translation>预测值为 {value}，在最小值与最大值之间。</translation>
    </message>
    <message>
        <source>With a very large width every key weighs {weight}, and the prediction is the mean, {value}.</source>
        <translation>宽度极大时每个键的权重都是 {weight}，预测值就是平均值 {value}。</translation>
    </message>
    <message>
        <source>The weights add up to {value}.</source>
        <translation>权重之和为 {value}。</translation>
    </message>
    <message>
        <source>Drag the query and the keys</source>
        <translation>拖动查询和键</translation>
    </message>
    <message>
        <source>query, keys</source>
        <translation>查询、键</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>prediction at every query</source>
        <translation>各个查询处的预测</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key {number}</source>
        <translation>键 {number}</translation>
    </message>
    <message>
        <source>Key {key} fits the query best and has the largest weight: {value}.</source>
        <translation>键 {key} 与查询最匹配，权重最大：{value}。</translation>
    </message>
    <message>
        <source>Averaging the value vectors with them gives the head&apos;s output; the largest difference is {value}.</source>
        <translation>用它们对值向量加权平均，就得到这个头的输出；最大差异为 {value}。</translation>
    </message>
    <message>
        <source>the curve of the values</source>
        <translation>值所在的曲线</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Weights of the keys</source>
        <translation>各个键的权重</translation>
    </message>
    <message>
        <source>Value vectors, and their weighted average below</source>
        <translation>值向量，最下一行是它们的加权平均</translation>
    </message>
    <message>
        <source>average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>dimensions of the head →</source>
        <translation>头的维度 →</translation>
    </message>
    <message>
        <source>A weighted average</source>
        <translation>加权平均</translation>
    </message>
    <message>
        <source>Attention is a weighted average: a query compares itself with keys, and the better a key fits, the more its value counts.</source>
        <translation>注意力就是加权平均：查询与每个键比较，键越匹配，它的值占的分量就越大。</translation>
    </message>
    <message>
        <source>A narrow width follows the nearest key alone; a wide one averages all of them. A head does the same with vectors: its weights come from q·k in place of a distance.</source>
        <translation>宽度窄时只跟随最近的键，宽度大时把所有的键平均。注意力头对向量做同样的事：权重来自 q·k，而不是距离。</translation>
    </message>
    <message>
        <source>Nadaraya and Watson (1964); Vaswani et al. (2017), section 3.2.1</source>
        <translation>Nadaraya 与 Watson（1964）；Vaswani 等（2017），第 3.2.1 节</translation>
    </message>
    <message>
        <source>kernel regression, attention pooling, soft lookup</source>
        <translation>核回归，注意力汇聚，软查找</translation>
    </message>
    <message>
        <source>Word (padding in brackets)</source>
        <translation>词（括号内为填充）</translation>
    </message>
    <message>
        <source>Feature</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>Sentence that is changed</source>
        <translation>被改动的句子</translation>
    </message>
    <message>
        <source>Added to all its values</source>
        <translation>给它所有的值加上</translation>
    </message>
    <message>
        <source>BatchNorm counts padding</source>
        <translation>BatchNorm 把填充计算在内</translation>
    </message>
    <message>
        <source>LayerNorm, {count} numbers: ({x} − {mean}) / {root} = {value}.</source>
        <translation>LayerNorm，{count} 个数：({x} − {mean}) / {root} = {value}。</translation>
    </message>
    <message>
        <source>BatchNorm, {count} numbers: ({x} − {mean}) / {root} = {value}.</source>
        <translation>BatchNorm，{count} 个数：({x} − {mean}) / {root} = {value}。</translation>
    </message>
    <message>
        <source>Adding {add} to sentence {changed} moves {sentence} by up to {value} under BatchNorm, {layer} under LayerNorm.</source>
        <translation>给句子 {changed} 加上 {add}，句子 {sentence} 的最大变化：BatchNorm 下为 {value}，LayerNorm 下为 {layer}。</translation>
    </message>
    <message>
        <source>Counting padding or not moves {sentence} by up to {value} under BatchNorm only.</source>
        <translation>是否计入填充，使句子 {sentence} 最多变化 {value}，且只在 BatchNorm 下。</translation>
    </message>
    <message>
        <source>Sentence {changed} itself is changed: by up to {value} under BatchNorm, {layer} under LayerNorm, which cancels what is added to all features equally.</source>
        <translation>被改动的正是句子 {changed}：最大变化在 BatchNorm 下为 {value}，在 LayerNorm 下为 {layer}，因为 LayerNorm 会消去给所有特征同样加上的量。</translation>
    </message>
    <message>
        <source>LayerNorm averages the framed numbers</source>
        <translation>LayerNorm 对框内的数求平均</translation>
    </message>
    <message>
        <source>BatchNorm averages the framed numbers</source>
        <translation>BatchNorm 对框内的数求平均</translation>
    </message>
    <message>
        <source>After LayerNorm</source>
        <translation>LayerNorm 之后</translation>
    </message>
    <message>
        <source>After BatchNorm</source>
        <translation>BatchNorm 之后</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>Largest change of sentence {sentence}</source>
        <translation>句子 {sentence} 的最大变化</translation>
    </message>
    <message>
        <source>added to sentence {changed}</source>
        <translation>给句子 {changed} 加上的量</translation>
    </message>
    <message>
        <source>change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Word {word}, feature {feature}, by hand</source>
        <translation>手算：词 {word}，特征 {feature}</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>方差</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>hatched: padding</source>
        <translation>斜线：填充</translation>
    </message>
    <message>
        <source>padding counts as zeros under BatchNorm</source>
        <translation>BatchNorm 把填充当作 0 计入</translation>
    </message>
    <message>
        <source>γ = 1, β = 0, statistics of this batch</source>
        <translation>γ = 1，β = 0，用本批的统计量</translation>
    </message>
    <message>
        <source>LayerNorm or BatchNorm</source>
        <translation>LayerNorm 还是 BatchNorm</translation>
    </message>
    <message>
        <source>LayerNorm looks at one word alone; BatchNorm makes a sentence depend on the others in its batch, and on padding.</source>
        <translation>LayerNorm 只看一个词；BatchNorm 使一个句子依赖同一批中的其他句子，还依赖填充。</translation>
    </message>
    <message>
        <source>Add to another sentence: under LayerNorm yours stays the same, under BatchNorm it changes; counting padding changes it again. Click a cell to see what each norm averages over.</source>
        <translation>给另一个句子加一个数：在 LayerNorm 下您的句子不变，在 BatchNorm 下会变；计入填充又会再变。单击一个格子，看两种归一化各对哪些数求平均。</translation>
    </message>
    <message>
        <source>Ba et al. (2016), arXiv 1607.06450; Ioffe and Szegedy (2015), arXiv 1502.03167; PowerNorm: Shen et al. (2020), arXiv 2003.07845</source>
        <translation>Ba 等（2016），arXiv 1607.06450；Ioffe 与 Szegedy（2015），arXiv 1502.03167；PowerNorm：Shen 等（2020），arXiv 2003.07845</translation>
    </message>
    <message>
        <source>V, tokens of the vocabulary</source>
        <translation>V：词表的词元数</translation>
    </message>
    <message>
        <source>Probability of the right token</source>
        <translation>正确词元的概率</translation>
    </message>
    <message>
        <source>d_model</source>
        <translation>d_model</translation>
    </message>
    <message>
        <source>Warm-up steps</source>
        <translation>预热步数</translation>
    </message>
    <message>
        <source>The right token keeps {value}, each other one gets {other}, all others together {others}.</source>
        <translation>正确词元保留 {value}，其余每个得到 {other}，其余合计 {others}。</translation>
    </message>
    <message>
        <source>Without smoothing the loss falls all the way; the curve ends at {value} with {loss}.</source>
        <translation>不平滑时，损失一路下降；曲线止于 {value}，损失为 {loss}。</translation>
    </message>
    <message>
        <source>At a probability of {confidence} the loss is {value} with smoothing, {plain} without.</source>
        <translation>概率为 {confidence} 时，平滑的损失为 {value}，不平滑为 {plain}。</translation>
    </message>
    <message>
        <source>The learning rate is largest at step {step}, the end of the warm-up: {value}.</source>
        <translation>学习率在第 {step} 步（预热结束时）最大：{value}。</translation>
    </message>
    <message>
        <source>right token</source>
        <translation>正确词元</translation>
    </message>
    <message>
        <source>others, together</source>
        <translation>其余合计</translation>
    </message>
    <message>
        <source>each other</source>
        <translation>其余每个</translation>
    </message>
    <message>
        <source>Target of one token</source>
        <translation>一个词元的目标分布</translation>
    </message>
    <message>
        <source>smoothed</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>not smoothed</source>
        <translation>不平滑</translation>
    </message>
    <message>
        <source>ε, probability that is spread</source>
        <translation>ε：被分散的概率</translation>
    </message>
    <message>
        <source>With smoothing the loss is lowest, {loss}, at a probability of {value}, not at 1.</source>
        <translation>平滑时，损失在概率 {value} 处最小（{loss}），而不是在 1 处。</translation>
    </message>
    <message>
        <source>At step {step}, four times as far, it is {value} of that.</source>
        <translation>到第 {step} 步，即四倍之后，是它的 {value} 倍。</translation>
    </message>
    <message>
        <source>lowest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Loss of a confident model</source>
        <translation>自信的模型的损失</translation>
    </message>
    <message>
        <source>probability of the right token</source>
        <translation>正确词元的概率</translation>
    </message>
    <message>
        <source>d_model {d_model}, warm-up {warmup}</source>
        <translation>d_model {d_model}，预热 {warmup}</translation>
    </message>
    <message>
        <source>the paper: d_model {d_model}, warm-up {warmup}</source>
        <translation>论文：d_model {d_model}，预热 {warmup}</translation>
    </message>
    <message>
        <source>step {step}: {rate}</source>
        <translation>第 {step} 步：{rate}</translation>
    </message>
    <message>
        <source>Learning rate; drag its peak</source>
        <translation>学习率（可拖动峰值）</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>ε is spread over</source>
        <translation>ε 分散到</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>all V tokens: Szegedy et al., and training here</source>
        <translation>全部 V 个词元：Szegedy 等，本程序的训练也如此</translation>
    </message>
    <message>
        <source>V − 1: all but the right token</source>
        <translation>V − 1：除正确词元以外</translation>
    </message>
    <message>
        <source>V − 2: padding left out too</source>
        <translation>V − 2：再除去填充</translation>
    </message>
    <message>
        <source>Where the probability goes differs</source>
        <translation>概率的去向有几种做法</translation>
    </message>
    <message>
        <source>all other tokens equally probable</source>
        <translation>其余词元的概率相同</translation>
    </message>
    <message>
        <source>Being more confident than the target raises the loss: its minimum is not at 1. The learning rate rises evenly to the end of the warm-up, then falls with 1/√step; a larger d_model or a longer warm-up lowers its peak.</source>
        <translation>比目标更自信会增加损失：损失的最小值不在 1 处。学习率匀速上升到预热结束，然后按 1/√步数 下降；d_model 越大或预热越长，峰值越低。</translation>
    </message>
    <message>
        <source>Smoothing and warm-up</source>
        <translation>标签平滑与预热</translation>
    </message>
    <message>
        <source>Label smoothing keeps a model from being too sure; a warm-up keeps the first steps from being too large.</source>
        <translation>标签平滑使模型不至于过分自信；预热使最初的几步不至于太大。</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), sections 5.3 and 5.4; Szegedy et al. (2015), arXiv 1512.00567, section 7</source>
        <translation>Vaswani 等（2017），第 5.3、5.4 节；Szegedy 等（2015），arXiv 1512.00567，第 7 节</translation>
    </message>
    <message>
        <source>Longest text, in tokens</source>
        <translation>最长文本（词元数）</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Logarithmic axes</source>
        <translation>对数坐标轴</translation>
    </message>
    <message>
        <source>one pass (teacher forcing)</source>
        <translation>一次前向（教师强制）</translation>
    </message>
    <message>
        <source>step by step, with cache</source>
        <translation>逐步，有缓存</translation>
    </message>
    <message>
        <source>step by step, without cache</source>
        <translation>逐步，无缓存</translation>
    </message>
    <message>
        <source>GRU, the whole text</source>
        <translation>GRU，整个文本</translation>
    </message>
    <message>
        <source>One pass and {steps} cached steps compute the same: log probabilities differ by {value} at most, weights by {weights}.</source>
        <translation>一次前向与 {steps} 个带缓存的步计算结果相同：对数概率最多相差 {value}，注意力权重最多相差 {weights}。</translation>
    </message>
    <message>
        <source>{length} tokens take {one_pass} ms in one pass and {cached} ms step by step: {value} times as long.</source>
        <translation>{length} 个词元一次前向用 {one_pass} 毫秒，逐步用 {cached} 毫秒：是前者的 {value} 倍。</translation>
    </message>
    <message>
        <source>Without a cache the steps take {recomputed} ms, {value} times as long as with one.</source>
        <translation>没有缓存时逐步用 {recomputed} 毫秒，是有缓存时的 {value} 倍。</translation>
    </message>
    <message>
        <source>From {first} to {last} tokens, {value} times as many, one pass takes {one_pass} times as long, cached steps {cached}, steps without cache {recomputed}, the GRU {gru}.</source>
        <translation>从 {first} 到 {last} 个词元（{value} 倍），一次前向用时变为 {one_pass} 倍，有缓存的逐步 {cached} 倍，无缓存的逐步 {recomputed} 倍，GRU {gru} 倍。</translation>
    </message>
    <message>
        <source>milliseconds</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>Measurement (change it to measure again)</source>
        <translation>测量（拨动即重新测量）</translation>
    </message>
    <message>
        <source>for the whole text</source>
        <translation>整个文本</translation>
    </message>
    <message>
        <source>per token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>The GRU reads them in {gru} ms, {value} times the one pass. Its layers do less work (no feed-forward network, no cross-attention), but one position after another; on a GPU that order is what counts.</source>
        <translation>GRU 用 {gru} 毫秒读完，是一次前向的 {value} 倍。它的层计算量较小（没有前馈网络，也没有交叉注意力），但必须一个位置接一个位置；在 GPU 上，起决定作用的正是这种先后顺序。</translation>
    </message>
    <message>
        <source>milliseconds per token</source>
        <translation>每个词元的毫秒数</translation>
    </message>
    <message>
        <source>Time against length</source>
        <translation>时间与长度</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>complexity per layer</source>
        <translation>每层复杂度</translation>
    </message>
    <message>
        <source>sequential operations</source>
        <translation>顺序操作数</translation>
    </message>
    <message>
        <source>maximum path length</source>
        <translation>最大路径长度</translation>
    </message>
    <message>
        <source>self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Table 1 of the paper, with n = {n} tokens and d = {d}</source>
        <translation>论文表 1，n = {n} 个词元，d = {d}</translation>
    </message>
    <message>
        <source>measured now on this machine; processor threads: {threads}</source>
        <translation>本机此刻的时间；处理器线程数：{threads}</translation>
    </message>
    <message>
        <source>One pass is far quicker than as many steps. With a cache each step computes one position only; without one it computes all of them again. A GRU has to go step by step even in training. Times vary with what else the machine is doing.</source>
        <translation>一次前向比同样多的步快得多。有缓存时，每步只计算一个位置；没有缓存时，每步都要全部重算。GRU 即使在训练时也只能逐步进行。时间会随机器上的其他工作而波动。</translation>
    </message>
    <message>
        <source>medians of up to {runs} runs</source>
        <translation>至多 {runs} 次运行的中位数</translation>
    </message>
    <message>
        <source>GRU: {layers} layers of width {width}, random weights</source>
        <translation>GRU：{layers} 层，宽度 {width}，随机权重</translation>
    </message>
    <message>
        <source>still measuring</source>
        <translation>仍在测量</translation>
    </message>
    <message>
        <source>Parallel or step by step</source>
        <translation>并行或逐步</translation>
    </message>
    <message>
        <source>In training the whole translation is known, so the decoder reads it in one pass; when it writes, each token waits for the one before. Both compute the same.</source>
        <translation>训练时整句译文是已知的，解码器一次前向就能读完；生成时，每个词元都要等前一个。两者的计算结果相同。</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), section 4 and Table 1 (arXiv 1706.03762); GRU: Cho et al. (2014), section 2.3 (arXiv 1406.1078)</source>
        <translation>Vaswani 等（2017），第 4 节与表 1（arXiv 1706.03762）；GRU：Cho 等（2014），第 2.3 节（arXiv 1406.1078）</translation>
    </message>
    <message>
        <source>Mistake</source>
        <translation>错误类型</translation>
    </message>
    <message>
        <source>Padding behind the sentence, in tokens</source>
        <translation>句后填充的词元数</translation>
    </message>
    <message>
        <source>Scaling after the softmax</source>
        <translation>softmax 之后才缩放</translation>
    </message>
    <message>
        <source>Masked scores are 0</source>
        <translation>被掩蔽的得分为 0</translation>
    </message>
    <message>
        <source>Masked scores are −100</source>
        <translation>被掩蔽的得分为 −100</translation>
    </message>
    <message>
        <source>Softmax over queries</source>
        <translation>对查询做 softmax</translation>
    </message>
    <message>
        <source>Embeddings not times √d_model</source>
        <translation>嵌入没有乘以 √d_model</translation>
    </message>
    <message>
        <source>No padding mask</source>
        <translation>没有填充掩码</translation>
    </message>
    <message>
        <source>Positions added twice</source>
        <translation>位置编码加了两次</translation>
    </message>
    <message>
        <source>The softmax sees scores √d_k = {root} times too large and tends to pick one key; then all weights are divided by {root}, and the output with them.</source>
        <translation>softmax 看到的得分大了 √d_k = {root} 倍，往往只选中一个键；随后所有权重都除以 {root}，输出也随之变小。</translation>
    </message>
    <message>
        <source>A score of 0 is not a mask: it weighs as much as any key whose score is 0, so padding and later tokens are read.</source>
        <translation>得分为 0 并不是掩码：它的权重与任何得分为 0 的键相同。填充和后面的词元都会被读到。</translation>
    </message>
    <message>
        <source>e to the −100 is about 4e−44: next to any usual score the weight is nothing. It would fail only if real scores were that low.</source>
        <translation>e 的 −100 次方约为 4e−44：与通常的得分相比，权重等于零。只有当真实得分也这么低时才会出错。</translation>
    </message>
    <message>
        <source>The translations diverge at step {value}: “{wrong}” instead of “{right}”.</source>
        <translation>译文从第 {value} 步开始不同：“{right}”变成了“{wrong}”。</translation>
    </message>
    <message>
        <source>With the right translation forced, probabilities change by up to {percent} %: most at step {step}, where “{token}” has {wrong} % instead of {right} %.</source>
        <translation>用正确译文做教师强制时，概率的变化最多为 {percent}%：出现在第 {step} 步，“{token}”的概率由 {right}% 变为 {wrong}%。</translation>
    </message>
    <message>
        <source>This mistake has no visible effect here: no probability changes by more than {percent} %.</source>
        <translation>这个错误在这里看不出来：概率的变化都不超过 {percent}%。</translation>
    </message>
    <message>
        <source>Probability of each token of the right translation, which both versions read</source>
        <translation>正确译文每个词元的概率（两种计算都读入正确译文）</translation>
    </message>
    <message>
        <source>Common mistakes</source>
        <translation>常见错误</translation>
    </message>
    <message>
        <source>Most mistakes in implementing attention raise no error: the shapes fit, numbers come out, and only the translation is bad. Here each runs on the open model, beside the right computation.</source>
        <translation>编写注意力时的多数错误不会报错：形状相符，数也算得出来，只是译文很差。这里每种错误都在打开的模型上运行，并与正确的计算并列。</translation>
    </message>
    <message>
        <source>Most mistakes spoil the translation within a few words; some change the probabilities but not the words, and −100 in place of −∞ does nothing. The model learned the right way: one trained with a mistake may learn to live with it.</source>
        <translation>多数错误几个词之内就毁掉译文；有些只改变概率而不改变词，用 −100 代替 −∞ 则毫无影响。这个模型是按正确方式训练的：若带着错误训练，模型可能学会适应它。</translation>
    </message>
    <message>
        <source>Every key hands out a weight of 1 among the queries: columns sum to 1, rows to anything, and later queries take from earlier ones.</source>
        <translation>每个键把总和为 1 的权重分给各个查询：各列之和为 1，各行之和则不定，后面的查询会从前面的查询那里分走权重。</translation>
    </message>
    <message>
        <source>Without × √d_model the embeddings are small beside the positional encoding, and the positions drown out the words.</source>
        <translation>不乘以 √d_model，嵌入与位置编码相比就太小，位置会淹没词义。</translation>
    </message>
    <message>
        <source>The {padding} tokens of padding are keys like any other, in encoder and decoder.</source>
        <translation>{padding} 个填充词元在编码器和解码器中都成了普通的键。</translation>
    </message>
    <message>
        <source>Added once by the embedding and once more by the stack: positions weigh twice as much.</source>
        <translation>嵌入时加了一次，进入各层之前又加了一次：位置编码的分量加倍。</translation>
    </message>
    <message>
        <source>The translation stays the same, token by token.</source>
        <translation>译文逐词元相同。</translation>
    </message>
    <message>
        <source>The translation is the same so far; it is still being written.</source>
        <translation>到目前为止译文相同；仍在生成。</translation>
    </message>
    <message>
        <source>The rows of the wrong map sum to {range}, not to 1.</source>
        <translation>错误热图的各行之和为 {range}，而不是 1。</translation>
    </message>
    <message>
        <source>The largest weight of any head on what should be masked is {percent} %.</source>
        <translation>各注意力头放在应被掩蔽之处的权重最大为 {percent}%。</translation>
    </message>
    <message>
        <source>(nothing)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>The translation, greedy</source>
        <translation>译文（贪心）</translation>
    </message>
    <message>
        <source>{head}, right</source>
        <translation>{head}，正确</translation>
    </message>
    <message>
        <source>{head}, wrong</source>
        <translation>{head}，错误</translation>
    </message>
    <message>
        <source>wrong on purpose: {slip}</source>
        <translation>故意出错：{slip}</translation>
    </message>
    <message>
        <source>rows of the wrong map sum to {range}, not to 1</source>
        <translation>错误热图的各行之和为 {range}，而不是 1</translation>
    </message>
    <message>
        <source>rows of padding are left out</source>
        <translation>不显示填充所在的行</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), sections 3.2.1, 3.2.3, 3.4 and 3.5 (arXiv 1706.03762)</source>
        <translation>Vaswani 等（2017），第 3.2.1、3.2.3、3.4 和 3.5 节（arXiv 1706.03762）</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>attends to →</source>
        <translation>关注 →</translation>
    </message>
    <message>
        <source>Pieces learned by</source>
        <translation>子词的学习方法</translation>
    </message>
    <message>
        <source>Pieces in the vocabulary</source>
        <translation>词表中的子词数</translation>
    </message>
    <message>
        <source>Split by</source>
        <translation>切分所用词表</translation>
    </message>
    <message>
        <source>Text (empty: the current sentence)</source>
        <translation>文本（留空：当前句子）</translation>
    </message>
    <message>
        <source>Pieces in the vocabulary to compare</source>
        <translation>对照词表中的子词数</translation>
    </message>
    <message>
        <source>Steps before the result</source>
        <translation>距结果的步数</translation>
    </message>
    <message>
        <source>Piece in view</source>
        <translation>所看的子词</translation>
    </message>
    <message>
        <source>the open model</source>
        <translation>打开的模型</translation>
    </message>
    <message>
        <source>a vocabulary learned here</source>
        <translation>在此学得的词表</translation>
    </message>
    <message>
        <source>unigram model</source>
        <translation>unigram 模型</translation>
    </message>
    <message>
        <source>byte pair encoding</source>
        <translation>字节对编码（BPE）</translation>
    </message>
    <message>
        <source>The best split has {pieces} pieces and log probability {value}; SentencePiece&apos;s own split is the same.</source>
        <translation>最佳切分有 {pieces} 个子词，对数概率为 {value}；SentencePiece 自己的切分与此相同。</translation>
    </message>
    <message>
        <source>The best split has log probability {value}; SentencePiece&apos;s own, with {pieces} pieces, is different.</source>
        <translation>最佳切分的对数概率为 {value}；SentencePiece 自己的切分（{pieces} 个子词）与此不同。</translation>
    </message>
    <message>
        <source>{value} merges turn {characters} characters into {pieces} pieces, as SentencePiece itself does.</source>
        <translation>{value} 次合并把 {characters} 个字符变成 {pieces} 个子词，与 SentencePiece 自己的切分相同。</translation>
    </message>
    <message>
        <source>{value} merges of {characters} characters; SentencePiece&apos;s own split, with {pieces} pieces, is different.</source>
        <translation>{characters} 个字符合并了 {value} 次；SentencePiece 自己的切分（{pieces} 个子词）与此不同。</translation>
    </message>
    <message>
        <source>{size} pieces split a character into {value} pieces on average, {size_beside} pieces into {beside}.</source>
        <translation>词表有 {size} 个子词时，每个字平均切成 {value} 个子词；有 {size_beside} 个时切成 {beside} 个。</translation>
    </message>
    <message>
        <source>{size} pieces split a word into {value} pieces on average, {size_beside} pieces into {beside}.</source>
        <translation>词表有 {size} 个子词时，每个词平均切成 {value} 个子词；有 {size_beside} 个时切成 {beside} 个。</translation>
    </message>
    <message>
        <source>{piece}: not in the vocabulary, so {score}</source>
        <translation>{piece}：不在词表中，记为 {score}</translation>
    </message>
    <message>
        <source>All pieces that fit, with their log probability; the best path is highlighted</source>
        <translation>所有可用的子词及其对数概率；高亮的是最佳路径</translation>
    </message>
    <message>
        <source>All pieces that fit, with their log probability; path {number} is highlighted</source>
        <translation>所有可用的子词及其对数概率；高亮的是第 {number} 佳路径</translation>
    </message>
    <message>
        <source>Merges in order, stacked; dashed: not merged yet</source>
        <translation>逐层合并，数字为次序；虚线表示尚未合并</translation>
    </message>
    <message>
        <source>The best paths: their share of the probability of all paths</source>
        <translation>最佳的几条路径：在所有路径概率中所占的比例</translation>
    </message>
    <message>
        <source>pieces per word</source>
        <translation>每个词的子词数</translation>
    </message>
    <message>
        <source>pieces per character</source>
        <translation>每个字的子词数</translation>
    </message>
    <message>
        <source>Pieces per word, by the size of the vocabulary</source>
        <translation>每个词的子词数与词表大小</translation>
    </message>
    <message>
        <source>Pieces per character, by the size of the vocabulary</source>
        <translation>每个字的子词数与词表大小</translation>
    </message>
    <message>
        <source>the one to compare</source>
        <translation>对照词表</translation>
    </message>
    <message>
        <source>A model reads pieces, not words: a few thousand of them can spell every word.</source>
        <translation>模型读的是子词，不是词：几千个子词就能拼出所有的词。</translation>
    </message>
    <message>
        <source>The unigram model takes the most probable path through the lattice; byte pair encoding merges neighbours in the order it learned. A larger vocabulary splits words into fewer pieces; what has no piece is spelled in bytes.</source>
        <translation>unigram 模型在网格中取概率最大的路径；字节对编码按学到的次序合并相邻的子词。词表越大，每个词切成的子词越少；没有对应子词的字符用字节拼出。</translation>
    </message>
    <message>
        <source>The next best has {value}: {less} less, so the best is {times} times as probable.</source>
        <translation>次佳切分为 {value}，低 {less}；最佳切分的概率是它的 {times} 倍。</translation>
    </message>
    <message>
        <source>Every character has a piece; an emoji or a rare one may have none.</source>
        <translation>每个字符都有对应的子词；表情符号或生僻字可能没有。</translation>
    </message>
    <message>
        <source>No piece for {characters}: the vocabulary&apos;s bytes spell it, or it is unknown.</source>
        <translation>{characters} 没有对应的子词：用词表中的字节拼出，或者成为未知词元。</translation>
    </message>
    <message>
        <source>The text in pieces</source>
        <translation>切成子词的文本</translation>
    </message>
    <message>
        <source>{size} pieces</source>
        <translation>{size} 个子词</translation>
    </message>
    <message>
        <source>{piece}: log probability {score}</source>
        <translation>{piece}：对数概率 {score}</translation>
    </message>
    <message>
        <source>merge {number}: {left} + {right}, learned as number {learned}</source>
        <translation>第 {number} 次合并：{left} + {right}，第 {learned} 个学到</translation>
    </message>
    <message>
        <source>Merges in their order</source>
        <translation>合并的次序</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>neighbours</source>
        <translation>相邻两项</translation>
    </message>
    <message>
        <source>learned as number</source>
        <translation>学到的次序</translation>
    </message>
    <message>
        <source>learned from the story</source>
        <translation>从故事中学得</translation>
    </message>
    <message>
        <source>this vocabulary</source>
        <translation>当前词表</translation>
    </message>
    <message>
        <source>pieces in the vocabulary</source>
        <translation>词表中的子词数</translation>
    </message>
    <message>
        <source>small vocabularies: learned from an English story of {count} characters</source>
        <translation>小词表：从一篇 {count} 个字符的英文故事学得</translation>
    </message>
    <message>
        <source>small vocabularies: learned from a Chinese story of {count} characters</source>
        <translation>小词表：从一篇 {count} 个字符的中文故事学得</translation>
    </message>
    <message>
        <source>below: characters {first} to {last} of {all}</source>
        <translation>下图：全部 {all} 个字符中的第 {first} 到第 {last} 个</translation>
    </message>
    <message>
        <source>Tokenisation</source>
        <translation>子词切分</translation>
    </message>
    <message>
        <source>Kudo (2018), arXiv 1804.10959, section 3; Kudo and Richardson (2018), arXiv 1808.06226; Sennrich et al. (2016), arXiv 1508.07909, section 3.2</source>
        <translation>Kudo（2018），arXiv 1804.10959，第 3 节；Kudo 和 Richardson（2018），arXiv 1808.06226；Sennrich 等（2016），arXiv 1508.07909，第 3.2 节</translation>
    </message>
    <message>
        <source>BLEU of</source>
        <translation>BLEU 对象</translation>
    </message>
    <message>
        <source>Translation to be judged</source>
        <translation>待评译文</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参考译文</translation>
    </message>
    <message>
        <source>Second reference, if any</source>
        <translation>第二个参考译文（可空）</translation>
    </message>
    <message>
        <source>Colour matches of n-grams, n</source>
        <translation>着色匹配的 n 元词组，n</translation>
    </message>
    <message>
        <source>n-grams up to</source>
        <translation>n 元词组最高阶</translation>
    </message>
    <message>
        <source>Where nothing matches</source>
        <translation>无匹配时</translation>
    </message>
    <message>
        <source>Sentences to train on</source>
        <translation>训练句数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>训练轮数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Two texts, by hand</source>
        <translation>两段文本，手算</translation>
    </message>
    <message>
        <source>half a match, then a quarter (exp)</source>
        <translation>计半个匹配，再计四分之一（exp）</translation>
    </message>
    <message>
        <source>nothing (BLEU 0)</source>
        <translation>不处理（BLEU 为 0）</translation>
    </message>
    <message>
        <source>13a (words and marks)</source>
        <translation>13a（单词与标点）</translation>
    </message>
    <message>
        <source>zh (Chinese characters)</source>
        <translation>zh（汉字）</translation>
    </message>
    <message>
        <source>char (characters)</source>
        <translation>char（字符）</translation>
    </message>
    <message>
        <source>By hand: BLEU {value} of 100, with a brevity penalty of {penalty} ({candidate} words against {reference}).</source>
        <translation>手算：BLEU 为 {value}（满分 100），简短惩罚为 {penalty}（{candidate} 个词对 {reference} 个词）。</translation>
    </message>
    <message>
        <source>sacreBLEU itself says {value} ({signature}).</source>
        <translation>sacreBLEU 自己算得 {value}（{signature}）。</translation>
    </message>
    <message>
        <source>Of the {value}-grams none matches; so that the product is not 0, they count as half a match, the next order without one as a quarter.</source>
        <translation>{value} 元词组没有一个匹配；为使乘积不为 0，按半个匹配计，下一个无匹配的阶按四分之一计。</translation>
    </message>
    <message>
        <source>Of the {value}-grams none matches, and the product is 0.</source>
        <translation>{value} 元词组没有一个匹配，乘积为 0。</translation>
    </message>
    <message>
        <source>The translation has no {value}-grams at all, and BLEU is 0.</source>
        <translation>译文根本没有 {value} 元词组，BLEU 为 0。</translation>
    </message>
    <message>
        <source>The translation has no {value}-grams: longer orders are left out.</source>
        <translation>译文没有 {value} 元词组：更高的阶不计。</translation>
    </message>
    <message>
        <source>Only n-gram orders that the text has</source>
        <translation>只计文本具有的阶</translation>
    </message>
    <message>
        <source>Split into words by</source>
        <translation>切词方式</translation>
    </message>
    <message>
        <source>The lecture notes&apos; model, trained now</source>
        <translation>讲义中的模型，现场训练</translation>
    </message>
    <message>
        <source>{value} {n}-grams occur in the translation more often than in any reference: they are clipped.</source>
        <translation>译文中有 {value} 个 {n} 元词组多于任何一个参考译文中的次数：它们被截断，不计入。</translation>
    </message>
    <message>
        <source>The four sentences from lecture notes, after epoch {epoch} of {total}: BLEU {value}.</source>
        <translation>讲义中的四个句子，第 {epoch}/{total} 轮之后：BLEU {value}。</translation>
    </message>
    <message>
        <source>All {sentences} sentences that it was trained on: BLEU {value}.</source>
        <translation>训练用的全部 {sentences} 句：BLEU {value}。</translation>
    </message>
    <message>
        <source>{sentences} sentences of the same kind that it never saw: BLEU {value}.</source>
        <translation>{sentences} 个从未见过的同类句子：BLEU {value}。</translation>
    </message>
    <message>
        <source>Matching {n}-grams; orange: more often than in a reference</source>
        <translation>匹配的 {n} 元词组；橙色：次数多于参考译文</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>matches</source>
        <translation>匹配数</translation>
    </message>
    <message>
        <source>n-grams</source>
        <translation>n 元词组数</translation>
    </message>
    <message>
        <source>Clipped counts and precisions</source>
        <translation>截断后的计数与精确率</translation>
    </message>
    <message>
        <source>brevity penalty</source>
        <translation>简短惩罚</translation>
    </message>
    <message>
        <source>Precisions, brevity penalty and BLEU</source>
        <translation>精确率、简短惩罚与 BLEU</translation>
    </message>
    <message>
        <source>{n}-gram of the translation</source>
        <translation>译文的 {n} 元词组</translation>
    </message>
    <message>
        <source>in it</source>
        <translation>译文中</translation>
    </message>
    <message>
        <source>most in a reference</source>
        <translation>参考译文中最多</translation>
    </message>
    <message>
        <source>counts</source>
        <translation>计入</translation>
    </message>
    <message>
        <source>Its {n}-grams</source>
        <translation>译文的 {n} 元词组</translation>
    </message>
    <message>
        <source>Its first {count} of {all} {n}-grams</source>
        <translation>译文 {all} 个 {n} 元词组中的前 {count} 个</translation>
    </message>
    <message>
        <source>BLEU while it learns</source>
        <translation>训练过程中的 BLEU</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>sentences trained on</source>
        <translation>训练过的句子</translation>
    </message>
    <message>
        <source>sentences never seen</source>
        <translation>从未见过的句子</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>The model writes</source>
        <translation>模型写出</translation>
    </message>
    <message>
        <source>Trained on</source>
        <translation>训练过</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Translations; the right ones stand out</source>
        <translation>译文；正确的突出显示</translation>
    </message>
    <message>
        <source>BLEU from 0 to 1 (sacreBLEU ÷ 100)</source>
        <translation>BLEU 取 0 到 1（sacreBLEU ÷ 100）</translation>
    </message>
    <message>
        <source>smoothed: exp</source>
        <translation>平滑：exp</translation>
    </message>
    <message>
        <source>BLEU, and a BLEU of 1.000</source>
        <translation>BLEU 与 BLEU 1.000</translation>
    </message>
    <message>
        <source>BLEU counts the sequences of one to four words that a translation shares with a reference. It knows nothing of meaning, and on sentences from the training data it says nothing about translating.</source>
        <translation>BLEU 统计译文与参考译文共有的一到四个连续词。它不理解意义；在训练过的句子上，它也说明不了翻译能力。</translation>
    </message>
    <message>
        <source>Another order of the same words keeps p1 and lowers p2 to p4; a repeated word counts only as often as in a reference; a short translation pays the brevity penalty. The lecture notes&apos; model reaches 1.000 on what it has memorised, and far less on other sentences of the same kind.</source>
        <translation>同样的词换一个顺序，p1 不变，p2 到 p4 下降；重复的词最多计到参考译文中的次数；译文过短要付简短惩罚。讲义中的模型在背下来的句子上达到 1.000，在同类的新句子上则低得多。</translation>
    </message>
    <message>
        <source>Papineni et al. (2002), ACL P02-1040, section 2; Post (2018), arXiv 1804.08771</source>
        <translation>Papineni 等（2002），ACL P02-1040，第 2 节；Post（2018），arXiv 1804.08771</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Beam width</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>Length penalty</source>
        <translation>长度惩罚</translation>
    </message>
    <message>
        <source>α of the length penalty</source>
        <translation>长度惩罚的 α</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样次数</translation>
    </message>
    <message>
        <source>Instead of this token</source>
        <translation>代替这个词元</translation>
    </message>
    <message>
        <source>Next tokens of each node</source>
        <translation>每个节点的后继词元数</translation>
    </message>
    <message>
        <source>A small tree, by hand</source>
        <translation>一棵可手算的小树</translation>
    </message>
    <message>
        <source>The open model&apos;s next tokens</source>
        <translation>当前模型的后继词元</translation>
    </message>
    <message>
        <source>Greedy</source>
        <translation>贪心</translation>
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
        <source>T^α (this program)</source>
        <translation>T^α（本程序）</translation>
    </message>
    <message>
        <source>((5 + T) / 6)^α (Wu et al.)</source>
        <translation>((5 + T) / 6)^α（Wu 等）</translation>
    </message>
    <message>
        <source>Greedy search writes {words} (probability {value}).</source>
        <translation>贪心搜索写出 {words}（概率 {value}）。</translation>
    </message>
    <message>
        <source>It misses {words} (probability {value}), more probable as a whole.</source>
        <translation>它错过了 {words}（概率 {value}），后者整体上更可能。</translation>
    </message>
    <message>
        <source>Nothing in this tree is more probable as a whole.</source>
        <translation>这棵树中没有整体概率更高的句子。</translation>
    </message>
    <message>
        <source>A beam of {width} finds {words} (probability {value}); its score is {score}, that of greedy search {greedy}.</source>
        <translation>束宽为 {width} 时找到 {words}（概率 {value}）；其得分为 {score}，贪心搜索的得分为 {greedy}。</translation>
    </message>
    <message>
        <source>It wins without the length penalty too: of what the beam found it is the most probable.</source>
        <translation>没有长度惩罚时它也胜出：在束搜索找到的句子中它的概率最高。</translation>
    </message>
    <message>
        <source>Without a length penalty {plain} would win: it has {plain_tokens} tokens, the winner {tokens}, and every further token lowers the sum.</source>
        <translation>没有长度惩罚时 {plain} 会胜出：它有 {plain_tokens} 个词元，胜出者有 {tokens} 个，而每多一个词元，对数概率之和就更低。</translation>
    </message>
    <message>
        <source>{samples} samples differ from the exact distribution by {value} (total variation); about {expected} is expected by chance.</source>
        <translation>{samples} 次采样与精确分布的全变差距离为 {value}；仅因偶然，预期约为 {expected}。</translation>
    </message>
    <message>
        <source>{path}: probability {p} given what comes before; log P {score}, {tokens} tokens</source>
        <translation>{path}：在前文之后的概率为 {p}；log P {score}，{tokens} 个词元</translation>
    </message>
    <message>
        <source>Score at every α (drag to change it)</source>
        <translation>各 α 下的得分：可拖动</translation>
    </message>
    <message>
        <source>{words} is {share} of the samples; exactly it is {exact}.</source>
        <translation>{words} 占采样的 {share}；精确概率为 {exact}。</translation>
    </message>
    <message>
        <source>{value} of {leaves} different texts were drawn.</source>
        <translation>{leaves} 种不同的文本中抽到了 {value} 种。</translation>
    </message>
    <message>
        <source>Each line has the token&apos;s probability</source>
        <translation>每条线上是该词元的概率</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Probability from here</source>
        <translation>从此处起的概率</translation>
    </message>
    <message>
        <source>Hypothesis</source>
        <translation>候选句</translation>
    </message>
    <message>
        <source>log P</source>
        <translation>log P</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>What greedy search writes, and the most probable of all</source>
        <translation>贪心搜索写出的句子，以及概率最高的句子</translation>
    </message>
    <message>
        <source>Hypotheses, the winner first</source>
        <translation>候选句，胜出者在最前</translation>
    </message>
    <message>
        <source>log P / penalty</source>
        <translation>log P / 惩罚</translation>
    </message>
    <message>
        <source>others ({count})</source>
        <translation>其他（{count} 种）</translation>
    </message>
    <message>
        <source>How often each text was drawn, and its exact probability</source>
        <translation>每种文本被抽到的频率及其精确概率</translation>
    </message>
    <message>
        <source>drawn</source>
        <translation>抽到</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>only the {count} most probable next tokens</source>
        <translation>只含概率最高的 {count} 个后继词元</translation>
    </message>
    <message>
        <source>no more than {count} tokens deep</source>
        <translation>最多 {count} 个词元深</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
    <message>
        <source>Greedy, beam, sampling</source>
        <translation>贪心、束搜索与采样</translation>
    </message>
    <message>
        <source>A model gives probabilities of the next token only; the search decides which whole sentence comes out.</source>
        <translation>模型只给出下一个词元的概率；最后得到哪一句，由搜索决定。</translation>
    </message>
    <message>
        <source>The best first token need not begin the best sentence: greedy search misses it, a beam of 2 finds it. Every token lowers the sum of log probabilities, so short sentences win until a length penalty divides by the length. Many samples come close to the exact distribution.</source>
        <translation>概率最高的首个词元未必是最佳句子的开头：贪心搜索会错过它，束宽为 2 就能找到。每个词元都会降低对数概率之和，所以短句占优，直到长度惩罚按长度相除。采样次数多时，频率接近精确分布。</translation>
    </message>
    <message>
        <source>Vaswani et al. (2017), section 6.1 (beam of 4, α = 0.6); Wu et al. (2016), arXiv 1609.08144, section 7; Sutskever et al. (2014), section 3.2</source>
        <translation>Vaswani 等（2017），第 6.1 节（束宽 4，α = 0.6）；Wu 等（2016），arXiv 1609.08144，第 7 节；Sutskever 等（2014），第 3.2 节</translation>
    </message>
</context>
<context>
    <name>Lists</name>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
</context>
<context>
    <name>LiveStrip</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save and end</source>
        <translation>保存并结束</translation>
    </message>
    <message>
        <source>Use this model now</source>
        <translation>立即使用此模型</translation>
    </message>
    <message>
        <source>Open in Look</source>
        <translation>在“观察”中打开</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Save everything and pause; the computer is free meanwhile</source>
        <translation>全部保存后停住；期间电脑可以做别的事</translation>
    </message>
    <message>
        <source>Continue where the run was paused</source>
        <translation>从停下的地方继续</translation>
    </message>
    <message>
        <source>Finish this evaluation, or run one now; keep the better weights, save and end</source>
        <translation>做完这次评测（没有就马上评测一次），保留更好的权重，存盘并结束</translation>
    </message>
    <message>
        <source>Translate and look with the current weights; the run continues</source>
        <translation>用此刻的权重翻译和观察；训练照常进行</translation>
    </message>
    <message>
        <source>Evaluate and stop</source>
        <translation>评测后停止</translation>
    </message>
    <message>
        <source>Cancel: save everything and end at once; the run can be resumed at any time</source>
        <translation>取消：全部保存并立即结束；随时可以继续训练</translation>
    </message>
    <message>
        <source>Look at a batch…</source>
        <translation>查看批次…</translation>
    </message>
    <message>
        <source>Token ids, masks and the shifted target of one training step</source>
        <translation>训练一步的词元编号、掩码和移位后的目标</translation>
    </message>
    <message>
        <source>Share of the run that is done</source>
        <translation>训练的完成比例</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Open a model, a session or a time-lapse</source>
        <translation>打开模型、会话或延时回放</translation>
    </message>
    <message>
        <source>Traces (*.trace *.npz)</source>
        <translation>解码记录 (*.trace *.npz)</translation>
    </message>
    <message>
        <source>Open a trace</source>
        <translation>打开解码记录</translation>
    </message>
    <message>
        <source>Headscope</source>
        <translation>Headscope</translation>
    </message>
    <message>
        <source>Drop to open: a model, a session or a time-lapse, traces, a file of sentences</source>
        <translation>松开即可打开：模型、会话或延时回放、解码记录、句子文件</translation>
    </message>
</context>
<context>
    <name>Manual</name>
    <message>
        <source>| Keys | What they do |</source>
        <translation>| 键 | 作用 |</translation>
    </message>
    <message>
        <source>Not possible now: there is nothing here that it could act on.</source>
        <translation>现在做不到：这里没有可以操作的对象。</translation>
    </message>
</context>
<context>
    <name>ManualWindow</name>
    <message>
        <source>{page} · Headscope manual</source>
        <translation>{page} · Headscope 手册</translation>
    </message>
    <message>
        <source>Keys here</source>
        <translation>此处的按键</translation>
    </message>
    <message>
        <source>All keys</source>
        <translation>所有按键</translation>
    </message>
    <message>
        <source>Search the manual (Ctrl+F)</source>
        <translation>搜索手册（Ctrl+F）</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>主题列表</translation>
    </message>
    <message>
        <source>Pages found</source>
        <translation>找到的页</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册的一页</translation>
    </message>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>后退（Alt+←）</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前进（Alt+→）</translation>
    </message>
    <message>
        <source>No page has these words. Fewer letters find more.</source>
        <translation>没有一页含有这些字。少输几个字能找到更多。</translation>
    </message>
    <message>
        <source>Headscope manual</source>
        <translation>Headscope 手册</translation>
    </message>
</context>
<context>
    <name>MapPane</name>
    <message>
        <source>Show the whole map (double-click)</source>
        <translation>显示整幅图（双击）</translation>
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
        <source>Second map</source>
        <translation>第二幅图</translation>
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
        <source>Flow of attention</source>
        <translation>注意力流向图</translation>
    </message>
    <message>
        <source>Words shaded by attention</source>
        <translation>按注意力着色的文字</translation>
    </message>
    <message>
        <source>Unpin this run</source>
        <translation>取消固定这次解码</translation>
    </message>
    <message>
        <source>Pin this run, to compare others with it</source>
        <translation>固定这次解码，用来与其他解码对比</translation>
    </message>
    <message>
        <source>Contribution graph</source>
        <translation>贡献图</translation>
    </message>
</context>
<context>
    <name>MaskedPanel</name>
    <message>
        <source>To change the sentence from here, open the model that read it.</source>
        <translation>要在此改动句子，请打开读它的那个模型。</translation>
    </message>
    <message>
        <source>Insert this word into the sentence</source>
        <translation>把这个词填入句子</translation>
    </message>
    <message>
        <source>Copy word and numbers</source>
        <translation>复制词和数值</translation>
    </message>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元</translation>
    </message>
    <message>
        <source>Stronger colour: the model finds this word more likely here</source>
        <translation>颜色越深：模型认为此处的词越有可能</translation>
    </message>
    <message>
        <source>Enter inserts the row&apos;s word into the sentence</source>
        <translation>按回车，把此行的词填入句子</translation>
    </message>
    <message>
        <source>The answer of this model ({head}) is not shown, only the attention of its heads.</source>
        <translation>不显示此模型的回答（{head}），只显示它的注意力头关注什么。</translation>
    </message>
    <message>
        <source>This model does not say which words it expects; only the attention of its heads can be shown.</source>
        <translation>此模型不给出它认为应有的词；只能看它的注意力头在关注什么。</translation>
    </message>
    <message>
        <source>Replaces the mask and reads the text again (double-click)</source>
        <translation>替换遮盖符并重新读入文本（双击）</translation>
    </message>
    <message>
        <source>Insert “{word}” into the sentence</source>
        <translation>把“{word}”填入句子</translation>
    </message>
    <message>
        <source>Insert “{word}”</source>
        <translation>填入“{word}”</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>填入</translation>
    </message>
    <message>
        <source>Candidates for the masked word</source>
        <translation>被遮住的词的候选</translation>
    </message>
    <message>
        <source>Which words the model expects at each token appears here once it has read a text.</source>
        <translation>模型读入文本后，这里显示它认为每个词元处应是什么词。</translation>
    </message>
    <message>
        <source>Mask this word</source>
        <translation>遮住这个词</translation>
    </message>
    <message>
        <source>Puts {mask} in its place and reads the text again</source>
        <translation>以 {mask} 代替它，重新读入文本</translation>
    </message>
</context>
<context>
    <name>MaskedText</name>
    <message>
        <source>{word} at token {number}</source>
        <translation>{word}（词元 {number}）</translation>
    </message>
    <message>
        <source>{word} at token {number}, {sentence}</source>
        <translation>{word}（词元 {number}，{sentence}）</translation>
    </message>
    <message>
        <source>{where}: what the model expects here</source>
        <translation>{where}：模型的猜测</translation>
    </message>
    <message>
        <source>The model&apos;s own probabilities at this token. The words listed add up to {share}.</source>
        <translation>模型自身在此词元处的概率。所列的词合计 {share}。</translation>
    </message>
    <message>
        <source>The model has read the word that is here; masked, it has to be guessed.</source>
        <translation>模型已读到此处的词；遮住后才需要猜。</translation>
    </message>
    <message>
        <source>{where}: the model gives it {share} here (rank {rank})</source>
        <translation>{where}：模型在此给它 {share}（排名 {rank}）</translation>
    </message>
</context>
<context>
    <name>MatrixModel</name>
    <message>
        <source>Pair {row}, position {column}</source>
        <translation>第 {row} 对，位置 {column}</translation>
    </message>
    <message>
        <source>padding that was added for the comparison</source>
        <translation>为比较而增加的填充</translation>
    </message>
    <message>
        <source>padding, token {number}</source>
        <translation>填充，词元编号 {number}</translation>
    </message>
    <message>
        <source>{piece}, token {number}</source>
        <translation>{piece}，词元编号 {number}</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>More menus</source>
        <translation>更多菜单</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Bookmarks</source>
        <translation>书签(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Autosaved sessions</source>
        <translation>自动保存的会话(&amp;K)</translation>
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
        <source>T&amp;heme</source>
        <translation>主题(&amp;H)</translation>
    </message>
    <message>
        <source>{name}: {description}</source>
        <translation>{name}：{description}</translation>
    </message>
    <message>
        <source>Open model folder…</source>
        <translation>打开模型文件夹…</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>解码记录</translation>
    </message>
    <message>
        <source>Time-lapses</source>
        <translation>延时回放</translation>
    </message>
    <message>
        <source>English to French</source>
        <translation>英译法</translation>
    </message>
    <message>
        <source>Chinese to English</source>
        <translation>中译英</translation>
    </message>
    <message>
        <source>a toy that reverses words</source>
        <translation>把词倒过来的小模型</translation>
    </message>
    <message>
        <source>What is sho&amp;wn</source>
        <translation>显示内容(&amp;W)</translation>
    </message>
</context>
<context>
    <name>Methods</name>
    <message>
        <source>Why it looks there</source>
        <translation>为什么看那里</translation>
    </message>
    <message>
        <source>q·k / √d_head = Σ_a Σ_b (r_a W_Q) · (r_b W_K) / √d_head, over all parts a of the query&apos;s residual stream and b of the key&apos;s, every norm held at its recorded deviation</source>
        <translation>q·k / √d_head = Σ_a Σ_b (r_a W_Q) · (r_b W_K) / √d_head，a 遍历查询处残差流的各部分，b 遍历键处残差流的各部分，各归一化层固定在记录到的标准差上</translation>
    </message>
    <message>
        <source>Parts are of this sentence, and with the norms held they say nothing of what another part would have become. Only differences within a row matter to the softmax: what a part adds for all keys alike moves no weight.</source>
        <translation>各部分只属于这个句子；归一化层既已固定，它们说明不了换一个部分会怎样。softmax 只看同一行内的差别：对所有键加得一样多的部分不改变任何权重。</translation>
    </message>
    <message>
        <source>What each head wrote</source>
        <translation>每个注意力头写了什么</translation>
    </message>
    <message>
        <source>logit(a) − logit(b) = Σ_c out_c · (U_a − U_b), over everything c that was written to the decoder&apos;s residual stream, every norm held at its recorded deviation; without a rival, U_b is 0</source>
        <translation>logit(a) − logit(b) = Σ_c out_c · (U_a − U_b)，c 遍历写入解码器残差流的一切，各归一化层固定在记录到的标准差上；没有对手词时 U_b 为 0</translation>
    </message>
    <message>
        <source>Direct effects only: what a part did through later heads and networks counts as theirs, and the encoder&apos;s heads write nothing here themselves. A part that raises all words alike shows in a single word&apos;s logit, though it changes no probability: name a rival.</source>
        <translation>只计直接作用：某部分经由后面的注意力头和前馈网络起的作用算在它们名下，编码器的注意力头自己不在这里写任何东西。把所有词同样抬高的部分会出现在单个词的 logit 里，却不改变概率：请指定一个对手词。</translation>
    </message>
    <message>
        <source>Why this word and not that</source>
        <translation>为什么是这个词而不是那个</translation>
    </message>
    <message>
        <source>D = log p(a) − log p(b); gradient × input: ∂D/∂x · x with x the token&apos;s word vector without its position (L1: Σ |∂D/∂x|); taken away: D minus D where nobody may look at the token and its word vector is 0</source>
        <translation>D = log p(a) − log p(b)；梯度 × 输入：∂D/∂x · x，x 是词元的词向量，不含位置（L1：Σ |∂D/∂x|）；拿走：D 减去任何位置都不能关注该词元、其词向量为 0 时的 D</translation>
    </message>
    <message>
        <source>Gradient × input tells of small changes, and its sum need not be what is explained. A token taken away leaves a sentence that nobody trained on; of two that say the same, each alone seems to do nothing.</source>
        <translation>梯度 × 输入只说明微小的变化，其和不必等于所解释的数。拿走一个词元，剩下的句子不是训练时见过的；两个词元说的是同一件事时，单独拿走哪一个都像没有作用。</translation>
    </message>
    <message>
        <source>What brought this word</source>
        <translation>这个词从何而来</translation>
    </message>
    <message>
        <source>D = log p(a); gradient × input: ∂D/∂x · x with x the token&apos;s word vector without its position (L1: Σ |∂D/∂x|); taken away: D minus D where nobody may look at the token and its word vector is 0</source>
        <translation>D = log p(a)；梯度 × 输入：∂D/∂x · x，x 是词元的词向量，不含位置（L1：Σ |∂D/∂x|）；拿走：D 减去任何位置都不能关注该词元、其词向量为 0 时的 D</translation>
    </message>
    <message>
        <source>Contributions (ALTI+)</source>
        <translation>贡献（ALTI+）</translation>
    </message>
    <message>
        <source>c_ij ∝ max(0, ‖y_i‖₁ − ‖y_i − T_i(x_j)‖₁), rows normalised to sum to 1</source>
        <translation>c_ij ∝ max(0, ‖y_i‖₁ − ‖y_i − T_i(x_j)‖₁)，各行归一化，和为 1</translation>
    </message>
    <message>
        <source>T_i(x_j) is what token j brings to y_i, the output of an attention block, with the norm kept at its recorded deviation and the residual in T_i(x_i). Biases have no share, what points away from y_i counts as nothing, and feed-forward networks are passed through; through several layers, shares are multiplied.</source>
        <translation>T_i(x_j) 是词元 j 给注意力块输出 y_i 带来的部分，归一化固定在记录下的标准差，残差计入 T_i(x_i)。偏置不占份额，背离 y_i 方向的部分计为 0，前馈网络视为直接通过；多层的份额相乘。</translation>
    </message>
    <message>
        <source>Value zeroing</source>
        <translation>值置零</translation>
    </message>
    <message>
        <source>c_ij ∝ 1 − cos(y_i, y_i with v_j = 0), rows normalised to sum to 1</source>
        <translation>c_ij ∝ 1 − cos(y_i, v_j = 0 时的 y_i)，各行归一化，和为 1</translation>
    </message>
    <message>
        <source>y_i is the layer&apos;s output behind its feed-forward network. The values of token j are set to zero in that layer alone, in all its heads, attention weights unchanged: how far the output turns, not how much of it token j makes up, and rows hide whether anything turned at all. Through the encoder&apos;s layers, shares are multiplied.</source>
        <translation>y_i 是该层经过前馈网络之后的输出。只在该层把词元 j 在所有头中的值置零，注意力权重不变：它表示输出转了多少，而不是词元 j 占多少；归一化的行看不出究竟有没有转动。编码器各层的份额相乘。</translation>
    </message>
    <message>
        <source>Words after each layer (logit lens)</source>
        <translation>每一层之后的词（logit 透镜）</translation>
    </message>
    <message>
        <source>softmax(W · norm(h_l) + b) of the stream h_l after each layer l, through the norm that closes the stack, if there is one, and the output matrix</source>
        <translation>对每一层 l 之后的残差流 h_l 计算 softmax(W · norm(h_l) + b)，经过结束该堆叠的归一化（若有）和输出矩阵</translation>
    </message>
    <message>
        <source>Layers before the last were not trained to be read so: a word that does not show may well be there. Of a model that only reads, the step is the place of a token.</source>
        <translation>最后一层之前的各层并未被训练成这样读：没有显示的词也可能已在其中。对只读的模型，步是词元的位置。</translation>
    </message>
    <message>
        <source>A translation from each encoder layer</source>
        <translation>从编码器每一层得到的译文</translation>
    </message>
    <message>
        <source>the decoder reads the encoder&apos;s layer l (0: the embeddings) through the norm that closes the encoder, if it has one, instead of its output</source>
        <translation>解码器读取编码器第 l 层（0 为词嵌入）而不是编码器的输出；编码器末尾若有归一化，则先经过它</translation>
    </message>
    <message>
        <source>The decoder was trained on what it usually reads: what it cannot say of another layer may well be there.</source>
        <translation>解码器是按它平常读取的内容训练的：它从另一层说不出来的东西，那一层里未必没有。</translation>
    </message>
    <message>
        <source>Each word with and without the source</source>
        <translation>有源句与无源句时的每个词</translation>
    </message>
    <message>
        <source>ln p(word) with all cross-attention × 0, beside ln p(word) as it is, after the same words</source>
        <translation>全部交叉注意力 × 0 时的 ln p(词)，与原来的 ln p(词) 并列，前文相同</translation>
    </message>
    <message>
        <source>A word that needs no source is not for that reason made up: grammar and common endings need none. To find made-up translations the log probability alone does at least as well as attention does (HalOmi).</source>
        <translation>不需要源句的词不等于凭空编造：语法和常见的结尾本来就不需要源句。要找出编造的译文，单凭对数概率至少与注意力一样好（HalOmi）。</translation>
    </message>
    <message>
        <source>Can this map be trusted</source>
        <translation>这张图可信吗</translation>
    </message>
    <message>
        <source>area = mean over k = 0 … n of log p(word) − log p(word | the k tokens that the map ranks highest taken away), beside random orders, the reverse order and other rankings</source>
        <translation>面积 = 对 k = 0 … n 求 log p(词) − log p(词 | 拿走图中排在最前的 k 个词元) 的平均，与随机次序、相反次序和其他排序对照</translation>
    </message>
    <message>
        <source>A faster fall than in random order says that the map ranks tokens that the word depends on; it does not say that the map is how the model reads. What is left when tokens are gone is no sentence that it learned from, and single steps may go either way: look at several.</source>
        <translation>比随机次序下降得快，说明这张图把该词所依赖的词元排在前面；并不说明模型就是照这张图阅读的。拿走词元后剩下的不是它学过的句子，单独一步可能两样都出现：请多看几步。</translation>
    </message>
    <message>
        <source>What a head does in general</source>
        <translation>注意力头一般做什么</translation>
    </message>
    <message>
        <source>OV, what it writes of a word w for a word v: x(w) W_V W_O · (U_v − Ū)</source>
        <translation>OV，读到词 w 后为词 v 写出多少：x(w) W_V W_O · (U_v − Ū)</translation>
    </message>
    <message>
        <source>OV, how like a word v is what it writes of a word w: x(w) W_V W_O · (x(v) − x̄)</source>
        <translation>OV，读到词 w 后写出的内容有多像词 v：x(w) W_V W_O · (x(v) − x̄)</translation>
    </message>
    <message>
        <source>QK, how word a attracts word b: x(a) W_Q · (x(b) − x̄) W_K / √d_head</source>
        <translation>QK，词 a 有多想看词 b：x(a) W_Q · (x(b) − x̄) W_K / √d_head</translation>
    </message>
    <message>
        <source>copying score: Σ Re λ / Σ |λ| over the eigenvalues λ of OV from words to the same words, from −1 to 1; above 0 where words rather promote themselves, below 0 where they count against themselves</source>
        <translation>复制分数：Σ Re λ / Σ |λ|，λ 是由词到同样这些词的 OV 的特征值，从 −1 到 1；大于 0 表示词大多促进自己，小于 0 表示词大多抑制自己</translation>
    </message>
    <message>
        <source>x(w) is the word&apos;s embedding on the direct path to the head, each norm on the path kept as its gains and centring; its deviation, a positive factor, and all biases are left out</source>
        <translation>x(w) 是词嵌入沿直接路径到达该头时的样子，路上每个归一化只保留增益和减均值；标准差（一个正的倍数）和所有偏置都不计</translation>
    </message>
    <message>
        <source>x(w) is the word&apos;s embedding; norms and biases are left out</source>
        <translation>x(w) 是词嵌入；归一化和偏置都不计</translation>
    </message>
    <message>
        <source>The direct path alone: what earlier heads and networks make of a word is left out, and so is what later ones make of what the head writes.</source>
        <translation>只算直接路径：之前的头和前馈网络对词的加工不计，之后的部分对该头所写内容的加工也不计。</translation>
    </message>
    <message>
        <source>An encoder&apos;s head has no direct path to the words of the target: what it writes is compared with the source&apos;s own words as they stand in that stream.</source>
        <translation>编码器的头没有通往目标词的直接路径：这里把它写出的内容与源语言的词在该残差流中的样子比较。</translation>
    </message>
    <message>
        <source>Cross-attention reads the source&apos;s words straight through the encoder, as embeddings, and is asked by words of the target.</source>
        <translation>交叉注意力读到的是源语言词嵌入直接穿过编码器的样子，查询来自目标语言的词。</translation>
    </message>
    <message>
        <source>This model also copies words: these are the words that it writes by itself.</source>
        <translation>这个模型还会照抄词：这里只说它自己写出的词。</translation>
    </message>
    <message>
        <source>Pairs are of the first {count} words of each vocabulary in its order, in which frequent ones come early.</source>
        <translation>配对取各词表按自身次序的前 {count} 个词，常用词靠前。</translation>
    </message>
    <message>
        <source>Positions, which are added to the embeddings, are left out.</source>
        <translation>加在词嵌入上的位置编码不计。</translation>
    </message>
    <message>
        <source>Positions turn queries and keys by their distance: this is QK at distance 0.</source>
        <translation>位置按距离旋转查询和键：这里是距离 0 处的 QK。</translation>
    </message>
    <message>
        <source>Positions add to keys and values by distance: that is left out.</source>
        <translation>位置按距离加到键和值上：这里不计。</translation>
    </message>
    <message>
        <source>Positions take from a score by distance: this is QK at distance 0.</source>
        <translation>位置按距离减少分数：这里是距离 0 处的 QK。</translation>
    </message>
    <message>
        <source>Heads switched off one after the other</source>
        <translation>逐个关掉注意力头</translation>
    </message>
    <message>
        <source>the order is that of ln p per target token with all heads − the same with this head alone off, least first</source>
        <translation>顺序按“全部头都在时每目标词元的 ln p − 只关掉该头时的 ln p”，最小的先关</translation>
    </message>
    <message>
        <source>the order is that of E|∂L/∂ξ_h|, L = −ln p of a sentence, ξ_h the factor of the head&apos;s output, divided by its L2 norm over the layer, least first</source>
        <translation>顺序按 E|∂L/∂ξ_h|，其中 L = 一个句子的 −ln p，ξ_h 为该头输出的系数，再除以该层的 L2 范数，最小的先关</translation>
    </message>
    <message>
        <source>the order is drawn at random</source>
        <translation>顺序随机抽取</translation>
    </message>
    <message>
        <source>the output of a head that is off is 0, before the output projection</source>
        <translation>被关掉的头在输出投影之前的输出为 0</translation>
    </message>
    <message>
        <source>the output of a head that is off is its mean over all tokens of the file</source>
        <translation>被关掉的头的输出取它在文件所有词元上的均值</translation>
    </message>
    <message>
        <source>the output of a head that is off is the one it has at a token of another sentence, drawn once for every token</source>
        <translation>被关掉的头的输出取它在另一句的某个词元上的输出，每个词元抽取一次</translation>
    </message>
    <message>
        <source>A head that costs nothing alone may be needed once others are gone: other heads make up for it. The model is not trained again in between, as it was for the curves of 1905.09418.</source>
        <translation>单独关掉毫无代价的头，在其他头不在之后可能就不可缺少：是其他头弥补了它。其间模型没有再训练，而 1905.09418 的曲线是再训练过的。</translation>
    </message>
</context>
<context>
    <name>MissingAnswer</name>
    <message>
        <source>These numbers are computed once the output is complete.</source>
        <translation>输出完成后才计算这些数值。</translation>
    </message>
    <message>
        <source>Computing: {percent} %</source>
        <translation>正在计算：{percent}%</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
</context>
<context>
    <name>ModelDoors</name>
    <message>
        <source>Look into the models trained here:</source>
        <translation>打开这里训练出的模型：</translation>
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
        <source>encoder and decoder</source>
        <translation>编码器和解码器</translation>
    </message>
    <message>
        <source>{encoder}, of {heads} heads each</source>
        <translation>{encoder} 层，每层 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>{decoder}, of {heads} heads each</source>
        <translation>{decoder} 层，每层 {heads} 个注意力头</translation>
    </message>
    <message>
        <source>{encoder} encoder, of {heads} heads; {decoder} decoder, of {decoder_heads} heads</source>
        <translation>编码器 {encoder} 层，每层 {heads} 个注意力头；解码器 {decoder} 层，每层 {decoder_heads} 个</translation>
    </message>
    <message>
        <source>d_model {d_model}</source>
        <translation>d_model {d_model}</translation>
    </message>
    <message>
        <source>its answer ({head}); its attention heads are shown</source>
        <translation>模型的回答（{head}）；注意力头都会显示</translation>
    </message>
    <message>
        <source>{pieces} pieces</source>
        <translation>{pieces} 个子词</translation>
    </message>
    <message>
        <source>{source} pieces for both languages; words can be copied</source>
        <translation>两种语言共用 {source} 个子词；可复制词</translation>
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
        <source>rotary (RoPE)</source>
        <translation>旋转位置编码（RoPE）</translation>
    </message>
    <message>
        <source>relative bias</source>
        <translation>相对位置偏置</translation>
    </message>
    <message>
        <source>relative vectors</source>
        <translation>相对位置向量</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>of a kind that Headscope cannot show</source>
        <translation>Headscope 无法显示的一种</translation>
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
        <source>after each sub-layer (post)</source>
        <translation>在每个子层之后（post-norm）</translation>
    </message>
    <message>
        <source>before each sub-layer (pre)</source>
        <translation>在每个子层之前（pre-norm）</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>验证</translation>
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
        <source>Keys and values</source>
        <translation>键和值</translation>
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
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>from generation_config.json: {names}; output may differ from that of transformers</source>
        <translation>generation_config.json 中的 {names}；生成的内容可能与 transformers 的不同</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Not shown</source>
        <translation>未显示</translation>
    </message>
    <message>
        <source>Ignored rules</source>
        <translation>未采用的规则</translation>
    </message>
    <message>
        <source>decoder only</source>
        <translation>仅解码器</translation>
    </message>
    <message>
        <source>encoder only</source>
        <translation>仅编码器</translation>
    </message>
    <message>
        <source>{stacks}; Headscope bundle</source>
        <translation>{stacks}；Headscope 模型</translation>
    </message>
    <message>
        <source>{stacks}; Hugging Face Marian model, computed by Headscope itself</source>
        <translation>{stacks}；Hugging Face 的 Marian 模型，由 Headscope 自己计算</translation>
    </message>
    <message>
        <source>{stacks}; Hugging Face model of type {type}, run by transformers</source>
        <translation>{stacks}；Hugging Face 的 {type} 类型模型，由 transformers 运行</translation>
    </message>
    <message>
        <source>{grouped} heads, shared by {heads} query heads (grouped-query attention)</source>
        <translation>{grouped} 个头，由 {heads} 个查询头共用（分组查询注意力，grouped-query attention）</translation>
    </message>
    <message>
        <source>d_model {d_model}, feed-forward {d_ff} in the encoder, {decoder_d_ff} in the decoder</source>
        <translation>d_model {d_model}，前馈网络：编码器 {d_ff}，解码器 {decoder_d_ff}</translation>
    </message>
    <message>
        <source>sinusoidal, stored as a table</source>
        <translation>正弦，以表的形式存储</translation>
    </message>
</context>
<context>
    <name>ModelText</name>
    <message>
        <source>Show an example</source>
        <translation>显示示例</translation>
    </message>
    <message>
        <source>Try a sample</source>
        <translation>试一个例句</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Type the beginning of a text and press Enter</source>
        <translation>输入文本的开头，按回车</translation>
    </message>
    <message>
        <source>Let the model continue the text (Enter)</source>
        <translation>让模型把文本续写下去（回车）</translation>
    </message>
    <message>
        <source>Type the beginning of a text; the model continues it.</source>
        <translation>输入文本的开头，模型会续写下去。</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>Let the model read the text and write its output (Enter)</source>
        <translation>让模型读这段文本，写出相应的文本（回车）</translation>
    </message>
    <message>
        <source>Type a text and press Enter</source>
        <translation>输入一段文本，按回车</translation>
    </message>
    <message>
        <source>Type a text; the model reads it and writes another.</source>
        <translation>输入一段文本，模型读后写出另一段。</translation>
    </message>
    <message>
        <source>Translate</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>Translate the sentence (Enter)</source>
        <translation>翻译句子（回车）</translation>
    </message>
    <message>
        <source>Type a sentence and press Enter</source>
        <translation>输入一个句子，按回车</translation>
    </message>
    <message>
        <source>Type a sentence to translate.</source>
        <translation>输入一个要翻译的句子。</translation>
    </message>
    <message>
        <source>Type a sentence; the model reads it and writes nothing.</source>
        <translation>输入一个句子；模型只读，不写。</translation>
    </message>
    <message>
        <source>Type a sentence; write {mask} where a word is to be guessed.</source>
        <translation>输入一个句子；要让模型猜的词写成 {mask}。</translation>
    </message>
    <message>
        <source>Two sentences: put {separator} between them.</source>
        <translation>两个句子之间放 {separator}。</translation>
    </message>
    <message>
        <source>Type a sentence, with {mask} for a word to guess, and press Enter</source>
        <translation>输入一个句子，要猜的词写成 {mask}，按回车</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>Let the model read the text (Enter)</source>
        <translation>让模型读这段文本（回车）</translation>
    </message>
    <message>
        <source>not verified</source>
        <translation>未经验证</translation>
    </message>
    <message>
        <source>Not verified: no test of Headscope compares the attention of models of type “{type}” with that of transformers; it is shown as transformers reports it.</source>
        <translation>未经验证：Headscope 没有测试把“{type}”类型模型的注意力与 transformers 自己给出的作过对照；这里显示的就是 transformers 报告的权重。</translation>
    </message>
</context>
<context>
    <name>MotionFields</name>
    <message>
        <source>The training (time-lapse)</source>
        <translation>训练过程（延时回放）</translation>
    </message>
    <message>
        <source>The steps of this decoding</source>
        <translation>这次解码的各步</translation>
    </message>
    <message>
        <source>Animate</source>
        <translation>动画内容</translation>
    </message>
    <message>
        <source>Frames per second</source>
        <translation>每秒帧数</translation>
    </message>
    <message>
        <source>Hold the last frame</source>
        <translation>末帧停留</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>循环播放</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>How much longer the last frame stays than the others</source>
        <translation>末帧比其他帧多停留多久</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>NextWordPanel</name>
    <message>
        <source>No probabilities were recorded at this step.</source>
        <translation>这一步没有录制概率。</translation>
    </message>
    <message>
        <source>The model&apos;s candidates for each next word appear here while it writes.</source>
        <translation>模型生成时，这里显示每步的候选词。</translation>
    </message>
    <message>
        <source>What the model expected before it was given the next token of the prompt.</source>
        <translation>这是模型得到提示的下一个词元之前的预测。</translation>
    </message>
    <message>
        <source>To continue with another word, open the model that wrote this.</source>
        <translation>要换一个词继续，请打开写出它的模型。</translation>
    </message>
    <message>
        <source>Continue with this word</source>
        <translation>以这个词继续</translation>
    </message>
    <message>
        <source>Copy word and numbers</source>
        <translation>复制词和数值</translation>
    </message>
    <message>
        <source>What each head wrote for “{word}”</source>
        <translation>每个注意力头为“{word}”写了什么</translation>
    </message>
    <message>
        <source>What each head wrote for “{word}” rather than “{rival}”</source>
        <translation>每个注意力头为“{word}”而非“{rival}”写了什么</translation>
    </message>
    <message>
        <source>Why “{word}” and not “{rival}”: what each token did</source>
        <translation>为什么是“{word}”而不是“{rival}”：每个词元的作用</translation>
    </message>
    <message>
        <source>What each token did for “{word}”</source>
        <translation>每个词元对“{word}”的作用</translation>
    </message>
    <message>
        <source>What each head wrote for the word, or what each token did for it, rather than another word</source>
        <translation>每个注意力头为这个词写了什么，或每个词元对它（而非另一个词）的作用</translation>
    </message>
    <message>
        <source>Why this word…</source>
        <translation>为什么是这个词…</translation>
    </message>
    <message>
        <source>Enter continues with the word of the row</source>
        <translation>按回车，以此行的词继续</translation>
    </message>
    <message>
        <source>Type a word, or several</source>
        <translation>输入一个或几个词</translation>
    </message>
    <message>
        <source>Another word, or a continuation</source>
        <translation>另一个词，或后续文字</translation>
    </message>
    <message>
        <source>Enter replaces the word and all after it with this, then continues</source>
        <translation>按回车，用它替换该词及其后的全部内容，然后继续</translation>
    </message>
    <message>
        <source>Click to continue with “{word}”</source>
        <translation>点击，以“{word}”继续</translation>
    </message>
    <message>
        <source>Candidates for the next word</source>
        <translation>下一个词的候选</translation>
    </message>
</context>
<context>
    <name>NextWordText</name>
    <message>
        <source>Step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>click a word to try it</source>
        <translation>点击一个词试试</translation>
    </message>
    <message>
        <source>chosen: rank {rank} of {words}</source>
        <translation>所选：排名 {rank}/{words}</translation>
    </message>
    <message>
        <source>given: rank {rank} of {words}</source>
        <translation>给定：排名 {rank}/{words}</translation>
    </message>
    <message>
        <source>chosen: rank {rank}</source>
        <translation>所选：排名 {rank}</translation>
    </message>
    <message>
        <source>given: rank {rank}</source>
        <translation>给定：排名 {rank}</translation>
    </message>
    <message>
        <source>{share} of them is copied from the sentence read, the rest generated.</source>
        <translation>其中 {share} 从读入的句子复制，其余由模型生成。</translation>
    </message>
    <message>
        <source>Model: its own probabilities; the words listed add up to {share}.</source>
        <translation>“模型”：其自身的概率；所列的词合计 {share}。</translation>
    </message>
    <message>
        <source>Model, altered: its probabilities; the words listed add up to {share}.</source>
        <translation>“模型”（已改动）：其概率；所列的词合计 {share}。</translation>
    </message>
    <message>
        <source>The altered model&apos;s probabilities, before sampling or search. The words listed add up to {share}.</source>
        <translation>改动后的模型的概率，未经采样或搜索。所列的词合计 {share}。</translation>
    </message>
    <message>
        <source>The model&apos;s own probabilities, before sampling or search. The words listed add up to {share}.</source>
        <translation>模型自身的概率，未经采样或搜索。所列的词合计 {share}。</translation>
    </message>
    <message>
        <source>temperature {value}</source>
        <translation>温度 {value}</translation>
    </message>
    <message>
        <source>top-k {value}</source>
        <translation>top-k {value}</translation>
    </message>
    <message>
        <source>top-p {value}</source>
        <translation>top-p {value}</translation>
    </message>
    <message>
        <source>Drawn with {filters}.</source>
        <translation>采样：{filters}。</translation>
    </message>
    <message>
        <source>Drawn with {filters}: {count} words are left.</source>
        <translation>采样：{filters}；剩下 {count} 个词。</translation>
    </message>
    <message>
        <source>Drawn with {filters}: {count} of {words} words are left.</source>
        <translation>采样：{filters}；{words} 个词中剩下 {count} 个。</translation>
    </message>
</context>
<context>
    <name>NodeDetails</name>
    <message>
        <source>Rank score</source>
        <translation>排序得分</translation>
    </message>
    <message>
        <source>Total / number of tokens to the power of the length penalty A: what a beam search ranks by</source>
        <translation>累计 ÷ 词元数的 A 次方（A 为长度惩罚）：束搜索按此排序</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>&lt; 0.01 %</source>
        <translation>&lt; 0.01%</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>解码次数</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Log probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Piece</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>累计</translation>
    </message>
    <message>
        <source>{score} (A = {penalty})</source>
        <translation>{score} (A={penalty})</translation>
    </message>
</context>
<context>
    <name>NoteStrip</name>
    <message>
        <source>Note of the bookmark</source>
        <translation>书签备注</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>All of this message</source>
        <translation>显示整条消息</translation>
    </message>
    <message>
        <source>Close this message</source>
        <translation>关闭这条消息</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>Formula: {formula}.</source>
        <translation>公式：{formula}。</translation>
    </message>
    <message>
        <source>Source: {source}.</source>
        <translation>出处：{source}。</translation>
    </message>
    <message>
        <source>the plain maximum, cell by cell; no paper defines it as a measure</source>
        <translation>逐单元格取最大值；没有论文把它定义为度量</translation>
    </message>
    <message>
        <source>as in Garg et al. 2019, arXiv 1909.02074 (there over one layer&apos;s heads)</source>
        <translation>同 Garg 等，2019，arXiv 1909.02074（原文只对一层的各头平均）</translation>
    </message>
    <message>
        <source>Maximum over heads</source>
        <translation>各头最大值</translation>
    </message>
    <message>
        <source>maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>max over the layer&apos;s heads h of α_h</source>
        <translation>max α_h，取自该层各头 h</translation>
    </message>
    <message>
        <source>Mean over layers</source>
        <translation>各层平均</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>mean over all layers l and heads h of α_lh</source>
        <translation>α_lh 对所有层 l 和头 h 的平均</translation>
    </message>
    <message>
        <source>Maximum over layers</source>
        <translation>各层最大值</translation>
    </message>
    <message>
        <source>max over all layers l and heads h of α_lh</source>
        <translation>max α_lh，取自所有层 l 和头 h</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>rollout</source>
        <translation>rollout</translation>
    </message>
    <message>
        <source>softmax over the keys of q·k / √d_head</source>
        <translation>q·k ÷ √d_head 对各键的 softmax</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>mean over the layer&apos;s heads h of α_h</source>
        <translation>α_h 对该层各头 h 的平均</translation>
    </message>
    <message>
        <source>Where a head looks is not how much of that reaches the output.</source>
        <translation>头看向哪里，不等于有多少内容到达输出。</translation>
    </message>
    <message>
        <source>Value-weighted</source>
        <translation>值加权</translation>
    </message>
    <message>
        <source>value-weighted</source>
        <translation>值加权</translation>
    </message>
    <message>
        <source>α ‖f(x)‖ with f(x) = (x W_V + b_V) W_O of the head</source>
        <translation>α ‖f(x)‖，其中 f(x) = (x W_V + b_V) W_O，取该头的矩阵</translation>
    </message>
    <message>
        <source>‖Σ_h α_h f_h(x)‖ with f_h(x) = (x W_V + b_V) W_O of head h</source>
        <translation>‖Σ_h α_h f_h(x)‖，其中 f_h(x) = (x W_V + b_V) W_O，取头 h 的矩阵</translation>
    </message>
    <message>
        <source>Gradient × attention</source>
        <translation>梯度 × 注意力</translation>
    </message>
    <message>
        <source>gradient × attention</source>
        <translation>梯度 × 注意力</translation>
    </message>
    <message>
        <source>α · ∂ log p(the step&apos;s token) / ∂α</source>
        <translation>α · ∂ log p（这一步的词元）/ ∂α</translation>
    </message>
    <message>
        <source>mean over the layer&apos;s heads h of α_h · ∂ log p(the step&apos;s token) / ∂α_h</source>
        <translation>α_h · ∂ log p（这一步的词元）/ ∂α_h 对该层各头 h 的平均</translation>
    </message>
    <message>
        <source>A mean belongs to no single head: none need attend like this.</source>
        <translation>平均值不属于任何一个头：可能没有哪个头这样关注。</translation>
    </message>
    <message>
        <source>A single strong head hides what the others do; rows need not sum to 1.</source>
        <translation>一个突出的头会掩盖其他头；各行之和不一定为 1。</translation>
    </message>
    <message>
        <source>With many heads nearly every cell is large in some head; rows do not sum to 1.</source>
        <translation>头很多时，几乎每个单元格都会在某个头中很大；各行之和不为 1。</translation>
    </message>
    <message>
        <source>A′_l = ½ · mean over heads of α_l + ½ · I, rows normalised to sum to 1; product A′_l ⋯ A′_2 A′_1</source>
        <translation>A′_l = ½ · α_l 的各头平均 + ½ · I，各行归一化为和 1；再求积 A′_l ⋯ A′_2 A′_1</translation>
    </message>
    <message>
        <source>It weighs attention and the residual connection equally and ignores values, LayerNorm and feed-forward networks.</source>
        <translation>注意力与残差连接各按一半计算，不考虑值、LayerNorm 和前馈网络。</translation>
    </message>
    <message>
        <source>A length, not a share: rows do not sum to 1; the residual connection, LayerNorm and later layers are left out.</source>
        <translation>这是长度而不是比例：各行之和不为 1；不考虑残差连接、LayerNorm 和后面各层。</translation>
    </message>
    <message>
        <source>A first-order estimate, for a small change of that weight alone; switching a head off may act differently.</source>
        <translation>一阶近似，只对单独微调该权重成立；关闭一个头的效果可能不同。</translation>
    </message>
    <message>
        <source>Contributions (ALTI+)</source>
        <translation>贡献（ALTI+）</translation>
    </message>
    <message>
        <source>Contributions, one layer</source>
        <translation>贡献（单层）</translation>
    </message>
    <message>
        <source>Value zeroing</source>
        <translation>值置零</translation>
    </message>
    <message>
        <source>Value zeroing, one layer</source>
        <translation>值置零（单层）</translation>
    </message>
    <message>
        <source>The layers up to the one in view are multiplied.</source>
        <translation>到所看的层为止，各层相乘。</translation>
    </message>
    <message>
        <source>Of this layer alone, not multiplied.</source>
        <translation>只是这一层，不相乘。</translation>
    </message>
    <message>
        <source>value zeroing</source>
        <translation>值置零</translation>
    </message>
    <message>
        <source>contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Only differences within a row matter to the softmax.</source>
        <translation>对 softmax 而言，只有同一行内的差值才起作用。</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>q·k</source>
        <translation>q·k</translation>
    </message>
    <message>
        <source>Scaled scores</source>
        <translation>缩放得分</translation>
    </message>
    <message>
        <source>scaled score</source>
        <translation>缩放得分</translation>
    </message>
    <message>
        <source>q·k / √d_head</source>
        <translation>q·k ÷ √d_head</translation>
    </message>
    <message>
        <source>Masked scores</source>
        <translation>掩蔽得分</translation>
    </message>
    <message>
        <source>masked score</source>
        <translation>掩蔽得分</translation>
    </message>
    <message>
        <source>q·k / √d_head, and −∞ where attention is not allowed</source>
        <translation>q·k ÷ √d_head，不允许关注处为 −∞</translation>
    </message>
    <message>
        <source>this trace holds no attention weights to compute it from</source>
        <translation>此解码记录中没有可据以计算的注意力权重</translation>
    </message>
    <message>
        <source>value zeroing is multiplied through the layers of the encoder only; choose that of one layer</source>
        <translation>值置零只在编码器的各层之间相乘；请选择单层的值置零</translation>
    </message>
    <message>
        <source>there is no step yet to take the gradient of</source>
        <translation>还没有可对其词元求梯度的步</translation>
    </message>
    <message>
        <source>rollout is defined for the encoder; in a decoder, source and prefix mix, and there is no agreed way to multiply their maps</source>
        <translation>rollout 是为编码器定义的；在解码器中，源端与前缀混在一起，怎样把它们的图相乘尚无公认做法</translation>
    </message>
    <message>
        <source>scores belong to one head: choose a head</source>
        <translation>得分属于单个头：请选择一个头</translation>
    </message>
    <message>
        <source>no package that is installed gives these numbers</source>
        <translation>已安装的软件包都不提供这种数值</translation>
    </message>
    <message>
        <source>these numbers belong to one head: choose a head</source>
        <translation>这种数值属于单个头：请选择一个头</translation>
    </message>
</context>
<context>
    <name>NumbersButton</name>
    <message>
        <source>{numbers}, words</source>
        <translation>{numbers}，整词</translation>
    </message>
    <message>
        <source>What the numbers show</source>
        <translation>数值的含义</translation>
    </message>
    <message>
        <source>All heads always shows weights, by piece</source>
        <translation>“所有头”页显示各头的权重，以子词为单位</translation>
    </message>
    <message>
        <source>The contribution graph always shows contributions, by piece</source>
        <translation>贡献图总是按子词显示贡献</translation>
    </message>
</context>
<context>
    <name>NumbersMenu</name>
    <message>
        <source>Whole words</source>
        <translation>整词</translation>
    </message>
    <message>
        <source>Take away the words that it ranks first, and watch the next word&apos;s probability fall</source>
        <translation>拿走它排在最前的词，看下一个词的概率怎样下降</translation>
    </message>
    <message>
        <source>Can this map be trusted?…</source>
        <translation>这张图可信吗？…</translation>
    </message>
</context>
<context>
    <name>OrderCell</name>
    <message>
        <source>Own order, with positions</source>
        <translation>原词序，有位置编码</translation>
    </message>
    <message>
        <source>Other order, with positions</source>
        <translation>另一词序，有位置编码</translation>
    </message>
    <message>
        <source>Own order, without positions</source>
        <translation>原词序，无位置编码</translation>
    </message>
    <message>
        <source>Other order, without positions</source>
        <translation>另一词序，无位置编码</translation>
    </message>
    <message>
        <source>Look at this</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show every head of this reading on the Look page</source>
        <translation>在“观察”页显示这次读入的所有注意力头</translation>
    </message>
</context>
<context>
    <name>OrderExperimentView</name>
    <message>
        <source>Encoder layer {layer}</source>
        <translation>编码器层 {layer}</translation>
    </message>
    <message>
        <source>Head {head}</source>
        <translation>注意力头 {head}</translation>
    </message>
    <message>
        <source>Mean over heads</source>
        <translation>各注意力头平均</translation>
    </message>
    <message>
        <source>Attention sees a set of words, not a sequence. That is why the Transformer adds to each word a vector for its position (paper, section 3.5). Read the same pieces in two orders, with positions and without, and see what is left of the order.</source>
        <translation>注意力看到的是词的集合，而不是序列。因此 Transformer 给每个词加上一个表示其位置的向量，即位置编码（论文第 3.5 节）。以两种词序读入同样的子词，有位置编码和没有位置编码各一次，看看词序还剩下什么。</translation>
    </message>
    <message>
        <source>Maps show self-attention of</source>
        <translation>图中的自注意力：</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
</context>
<context>
    <name>OrderForm</name>
    <message>
        <source>Reading the pieces in four ways…</source>
        <translation>正在以四种方式读入子词…</translation>
    </message>
    <message>
        <source>The experiment needs a model.</source>
        <translation>这个实验需要一个模型。</translation>
    </message>
    <message>
        <source>The classic is 你打我 (you hit me); it needs a model that reads Chinese.</source>
        <translation>经典的例子是“你打我”；它需要能读中文的模型。</translation>
    </message>
    <message>
        <source>Press Try to read the sentence in both orders, with positions and without.</source>
        <translation>点“试一试”，以两种词序读入句子，有位置编码和没有位置编码各一次。</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Other order</source>
        <translation>另一词序</translation>
    </message>
    <message>
        <source>Type a short sentence and press Enter</source>
        <translation>输入一个短句，按回车</translation>
    </message>
    <message>
        <source>Drag a piece to another place, or choose it with ← → and move it with Shift</source>
        <translation>把子词拖到另一处；或用 ← → 选中，按住 Shift 移动</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>倒序</translation>
    </message>
    <message>
        <source>Shuffle</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Read the sentence in both orders, with and without positions (Enter)</source>
        <translation>以两种词序读入句子，有位置编码和没有位置编码各一次（回车）</translation>
    </message>
</context>
<context>
    <name>OrderWords</name>
    <message>
        <source>The encodings are the same in both orders, with and without positions (largest difference {own}): this model adds none.</source>
        <translation>无论有没有位置编码，两种词序下的编码都相同（最大差值 {own}）：此模型不加位置编码。</translation>
    </message>
    <message>
        <source>With positions each word&apos;s encoding depends on where it stands (largest difference {own}). Without positions it is the same whatever the order (largest difference {without}), so the model cannot tell who does what to whom.</source>
        <translation>有位置编码时，每个词的编码取决于它的位置（最大差值 {own}）。没有位置编码时，词序怎样都相同（最大差值 {without}），因此模型分不清谁对谁做了什么。</translation>
    </message>
    <message>
        <source>With positions the encodings differ between the orders by up to {own}, without positions by up to {without}.</source>
        <translation>两种词序下的编码，有位置编码时最多相差 {own}，没有时最多相差 {without}。</translation>
    </message>
    <message>
        <source>The two orders do not have the same ids, so this comparison says nothing.</source>
        <translation>两种词序读入的编号不同；这个对比说明不了什么。</translation>
    </message>
    <message>
        <source>The pieces are permuted, not split again: both orders read the ids {ids}.</source>
        <translation>子词只是换了位置，没有重新切分：两种词序读入的编号都是 {ids}。</translation>
    </message>
    <message>
        <source>probability {share}</source>
        <translation>概率 {share}</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>1 token differs; log probability {before} → {after}</source>
        <translation>1 个词元不同；对数概率 {before} → {after}</translation>
    </message>
    <message>
        <source>{count} tokens differ; log probability {before} → {after}</source>
        <translation>{count} 个词元不同；对数概率 {before} → {after}</translation>
    </message>
    <message>
        <source>Same translation; its log probability changes by less than 0.001</source>
        <translation>译文相同；对数概率的变化小于 0.001</translation>
    </message>
    <message>
        <source>Same translation; its log probability changes by {difference}</source>
        <translation>译文相同；对数概率变化 {difference}</translation>
    </message>
    <message>
        <source>Same translation, and no probability changes: this has no effect here.</source>
        <translation>译文相同，概率也都没有变化：这项改动在这里不起作用。</translation>
    </message>
    <message>
        <source>Same translation, and no probability changes: {reasons}.</source>
        <translation>译文相同，概率也都没有变化：{reasons}。</translation>
    </message>
    <message>
        <source>a factor of 1 leaves a head as it is</source>
        <translation>系数为 1 时注意力头保持原样</translation>
    </message>
    <message>
        <source>this model adds no positions to its tokens</source>
        <translation>这个模型不给词元加位置编码</translation>
    </message>
    <message>
        <source>the translation ends before the row that was set</source>
        <translation>译文在所设的行之前就结束了</translation>
    </message>
    <message>
        <source>the row that was set can attend to one token only</source>
        <translation>所设的行只有一个词元可看，怎么设都一样</translation>
    </message>
    <message>
        <source>a factor of 1 leaves cross-attention as it is</source>
        <translation>系数 1 使交叉注意力保持不变</translation>
    </message>
    <message>
        <source>the decoder reads the encoder&apos;s last layer anyway, as published</source>
        <translation>解码器本来就读取编码器的最后一层，与论文一致</translation>
    </message>
    <message>
        <source>This model says nothing of the text: only its maps change</source>
        <translation>该模型对文本不作任何判断：只有热图会变</translation>
    </message>
    <message>
        <source>“{word}”</source>
        <translation>“{word}”</translation>
    </message>
</context>
<context>
    <name>OutcomeSection</name>
    <message>
        <source>Change something above: the new translation appears here.</source>
        <translation>在上面改动一处：新的译文会显示在这里。</translation>
    </message>
    <message>
        <source>Translating with the altered model…</source>
        <translation>正在用改动后的模型翻译…</translation>
    </message>
    <message>
        <source>The words are the same.</source>
        <translation>词没有变化。</translation>
    </message>
    <message>
        <source>≠ changed   − gone   + new</source>
        <translation>≠ 改变   − 消失   + 新增</translation>
    </message>
    <message>
        <source>Log probability of the translation: {before} before, {after} after.</source>
        <translation>译文的对数概率：之前 {before}，之后 {after}。</translation>
    </message>
    <message>
        <source>The original words, scored by both models; differences in percentage points. Together {before} before, {after} after.</source>
        <translation>两个模型读同一份未改动的译文；差值以百分点计。对数概率合计：之前 {before}，之后 {after}。</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>未改动</translation>
    </message>
    <message>
        <source>Original translation</source>
        <translation>未改动的译文</translation>
    </message>
    <message>
        <source>Keep this run as it is; the next change starts another</source>
        <translation>按现状保留；下一个改动会另做一次解码</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>gone from the altered translation</source>
        <translation>改动后的译文中没有</translation>
    </message>
    <message>
        <source>new in the altered translation</source>
        <translation>改动后的译文中新增</translation>
    </message>
    <message>
        <source>Altered</source>
        <translation>改动后</translation>
    </message>
    <message>
        <source>Altered translation</source>
        <translation>改动后的译文</translation>
    </message>
    <message>
        <source>Probability of each word before and after</source>
        <translation>每个词之前和之后的概率</translation>
    </message>
    <message>
        <source>Keep this run</source>
        <translation>保留这次解码</translation>
    </message>
</context>
<context>
    <name>OutputChips</name>
    <message>
        <source>{share} copied</source>
        <translation>复制 {share}</translation>
    </message>
    <message>
        <source>A different token from the original translation</source>
        <translation>与未改动的译文不同的词元</translation>
    </message>
    <message>
        <source>Step {step}: no probabilities were recorded. Click to look at this step.</source>
        <translation>第 {step} 步：未录制概率。点击查看这一步。</translation>
    </message>
    <message>
        <source>Step {step}: {share} probable. Click to look at this step.</source>
        <translation>第 {step} 步：概率 {share}。点击查看这一步。</translation>
    </message>
    <message>
        <source>Step {step}: {share} probable, rank {rank}. Click to look at this step.</source>
        <translation>第 {step} 步：概率 {share}，排名 {rank}。点击查看这一步。</translation>
    </message>
    <message>
        <source>1 branch here</source>
        <translation>这里有 1 个分支</translation>
    </message>
    <message>
        <source>{count} branches here</source>
        <translation>这里有 {count} 个分支</translation>
    </message>
</context>
<context>
    <name>OverflowMenu</name>
    <message>
        <source>{name}: {choice}</source>
        <translation>{name}：{choice}</translation>
    </message>
</context>
<context>
    <name>OverflowRow</name>
    <message>
        <source>More controls</source>
        <translation>更多：这里放不下的控件</translation>
    </message>
</context>
<context>
    <name>PairBox</name>
    <message>
        <source>of the source</source>
        <translation>源端</translation>
    </message>
    <message>
        <source>of the target</source>
        <translation>目标端</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Source token {number}: {token}</source>
        <translation>源句第 {number} 个词元：{token}</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Step {step}: {sentence}</source>
        <translation>第 {step} 步：{sentence}</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>解码</translation>
    </message>
</context>
<context>
    <name>PaletteDialog</name>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>An action, a page, a lesson, a run … or “cross 2.3”, “step 7”</source>
        <translation>操作、页面、课程、运行……或“交叉 2.3”“步 7”</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>查找命令</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>找到的命令</translation>
    </message>
    <message>
        <source>Nothing is called that. Fewer letters find more.</source>
        <translation>没有叫这个名字的。少输入几个字会找到更多。</translation>
    </message>
    <message>
        <source>↑ ↓ choose, Enter does it, Esc closes. Also “word rouge”: the step that writes it.</source>
        <translation>↑ ↓ 选择，Enter 执行，Esc 关闭。也可以输入“词 rouge”：写出它的那一步。</translation>
    </message>
    <message>
        <source>{entry}, not possible now</source>
        <translation>{entry}，现在不可用</translation>
    </message>
</context>
<context>
    <name>PaneHead</name>
    <message>
        <source>√ scale</source>
        <translation>√ 标度</translation>
    </message>
    <message>
        <source>Second map</source>
        <translation>第二幅图</translation>
    </message>
</context>
<context>
    <name>Phrases</name>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>PositionsKnown</name>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Encoder and decoder</source>
        <translation>编码器和解码器</translation>
    </message>
    <message>
        <source>Rotary, base {base}</source>
        <translation>旋转，基数 {base}</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>编码表</translation>
    </message>
</context>
<context>
    <name>PositionsPage</name>
    <message>
        <source>Encoding</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>The angles by which queries and keys are rotated</source>
        <translation>查询和键所转过的角度</translation>
    </message>
    <message>
        <source>The vectors that are added to the tokens</source>
        <translation>加到词元上的向量</translation>
    </message>
    <message>
        <source>{name} rotates queries and keys by angles that grow with the position (RoPE, Su et al. 2021): nothing is added to the embeddings.</source>
        <translation>{name} 把查询和键转过随位置增大的角度（旋转位置编码 RoPE，Su 等，2021）：嵌入上什么也不加。</translation>
    </message>
    <message>
        <source>The positions of {name} are learned: one free vector for each, added to the embedding.</source>
        <translation>{name} 的位置编码是学得的：每个位置一个自由的向量，加到嵌入上。</translation>
    </message>
    <message>
        <source>Wavelengths</source>
        <translation>波长</translation>
    </message>
    <message>
        <source>How fast each pair of dimensions turns</source>
        <translation>各维度对转得多快</translation>
    </message>
    <message>
        <source>Rotation</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>PE(pos + k) = R(k) · PE(pos), shown and checked</source>
        <translation>PE(pos + k) = R(k) · PE(pos)，演示并验证</translation>
    </message>
    <message>
        <source>Angles</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>R(p)ᵀ R(p + k) = R(k): only the distance counts</source>
        <translation>R(p)ᵀ R(p + k) = R(k)：只与距离有关</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>How similar positions are, and how far apart</source>
        <translation>各位置有多相似，相距多远</translation>
    </message>
    <message>
        <source>Two bases</source>
        <translation>两种基数</translation>
    </message>
    <message>
        <source>The paper&apos;s base beside another</source>
        <translation>论文的基数与另一基数对照</translation>
    </message>
    <message>
        <source>Without positions</source>
        <translation>去掉位置编码</translation>
    </message>
    <message>
        <source>The sentence translated without positions, or shuffled</source>
        <translation>去掉或打乱位置编码后翻译句子</translation>
    </message>
    <message>
        <source>{name} takes from every score in proportion to how far the key is from the query, each head its own part (ALiBi, Press et al. 2022): nothing is added to the embeddings.</source>
        <translation>{name} 按键离查询的远近从每个分数中扣减，每个头的比例不同（ALiBi，Press 等，2022）：嵌入上什么也不加。</translation>
    </message>
    <message>
        <source>{name} adds a learned vector to every key and value, by how far the key is from the query (Shaw et al. 2018): nothing is added to the embeddings. Cross-attention has none.</source>
        <translation>{name} 按键离查询的远近给每个键和值加上学习得到的向量（Shaw 等，2018）：嵌入上什么也不加。交叉注意力中没有。</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Vectors</source>
        <translation>向量</translation>
    </message>
    <message>
        <source>How long the vectors are that are added to keys by distance</source>
        <translation>按距离加到键上的向量有多长</translation>
    </message>
    <message>
        <source>What is added to the scores by distance</source>
        <translation>按距离加到得分上的数值</translation>
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
        <source>Headscope cannot show how {name} encodes positions.</source>
        <translation>Headscope 无法显示 {name} 怎样标记位置。</translation>
    </message>
    <message>
        <source>{name} adds no positional encoding: it reads words without their order.</source>
        <translation>{name} 不加位置编码：它读词时不知道词序。</translation>
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
        <source>{name} adds a learned number to every score, by head and by how far the key is from the query (T5, Raffel et al. 2020): nothing is added to the embeddings.</source>
        <translation>{name} 给每个得分加上一个学得的数，由注意力头和键与查询的距离决定（相对位置偏置，T5，Raffel 等，2020）：嵌入上什么也不加。</translation>
    </message>
    <message>
        <source>The paper&apos;s sinusoids have the base 10,000; lecture notes often print 1,000 by mistake. With a smaller base the slow pairs turn faster: positions far apart differ more, but repeat sooner.</source>
        <translation>论文的正弦编码以 10,000 为基数；讲义常误印为 1,000。基数较小时，慢的维度对转得更快：相距远的位置差别更大，但也更早重复。</translation>
    </message>
    <message>
        <source>{name} adds a computed vector for each position to the embedding.</source>
        <translation>{name} 为每个位置算出一个向量，加到嵌入上。</translation>
    </message>
    <message>
        <source>{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5).</source>
        <translation>{name} 把频率递减的正弦和余弦加到每个词元的嵌入上（论文第 3.5 节）。</translation>
    </message>
    <message>
        <source>{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5); they are stored as a table among its weights.</source>
        <translation>{name} 给每个嵌入加上频率递减的正弦和余弦（论文第 3.5 节）；它们以表的形式存储在权重中。</translation>
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
    <name>Presenting</name>
    <message>
        <source>N next words</source>
        <translation>N 下一个词</translation>
    </message>
    <message>
        <source>G heads</source>
        <translation>G 各头</translation>
    </message>
    <message>
        <source>1–4 pages</source>
        <translation>1–4 页面</translation>
    </message>
    <message>
        <source>O model</source>
        <translation>O 模型</translation>
    </message>
    <message>
        <source>B bookmarks</source>
        <translation>B 书签</translation>
    </message>
    <message>
        <source>R note</source>
        <translation>R 备注</translation>
    </message>
    <message>
        <source>T theme</source>
        <translation>T 主题</translation>
    </message>
    <message>
        <source>L language</source>
        <translation>L 语言</translation>
    </message>
    <message>
        <source>X spotlight</source>
        <translation>X 聚光</translation>
    </message>
    <message>
        <source>F5 leaves</source>
        <translation>F5 退出</translation>
    </message>
</context>
<context>
    <name>PreviewModel</name>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符数</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未采用</translation>
    </message>
</context>
<context>
    <name>PreviewText</name>
    <message>
        <source>empty side</source>
        <translation>一侧为空</translation>
    </message>
    <message>
        <source>too long</source>
        <translation>过长</translation>
    </message>
    <message>
        <source>too uneven</source>
        <translation>长短悬殊</translation>
    </message>
    <message>
        <source>duplicate</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>{pairs} pairs so far</source>
        <translation>已读到 {pairs} 个句对</translation>
    </message>
    <message>
        <source>{count} to train on</source>
        <translation>训练 {count} 对</translation>
    </message>
    <message>
        <source>{count} held out to measure progress</source>
        <translation>留出 {count} 对衡量进度</translation>
    </message>
    <message>
        <source>{count} kept for the test</source>
        <translation>留作测试 {count} 对</translation>
    </message>
    <message>
        <source>{pairs} pairs: {parts}</source>
        <translation>{pairs} 个句对：{parts}</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>{count} duplicates</source>
        <translation>重复 {count} 对</translation>
    </message>
    <message>
        <source>{count} with an empty side</source>
        <translation>一侧为空 {count} 对</translation>
    </message>
    <message>
        <source>{count} too long</source>
        <translation>过长 {count} 对</translation>
    </message>
    <message>
        <source>{count} too uneven</source>
        <translation>长短悬殊 {count} 对</translation>
    </message>
    <message>
        <source>{count} duplicates are used like the others</source>
        <translation>重复的 {count} 对照常使用</translation>
    </message>
    <message>
        <source>Left out: {parts}</source>
        <translation>未采用：{parts}</translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>tab-separated</source>
        <translation>制表符分隔</translation>
    </message>
    <message>
        <source>comma-separated (CSV)</source>
        <translation>逗号分隔（CSV）</translation>
    </message>
    <message>
        <source>two parallel files</source>
        <translation>两个平行文件</translation>
    </message>
    <message>
        <source>{kind}, written in {encodings}</source>
        <translation>{kind}，编码 {encodings}</translation>
    </message>
    <message>
        <source>No pair is left to train on: check the file and the filters.</source>
        <translation>没有可用于训练的句对：请检查文件和筛选条件。</translation>
    </message>
    <message>
        <source>Too few pairs to hold any out: progress is measured on pairs that were trained on.</source>
        <translation>句对太少，无法留出：只能用训练过的句对衡量进度。</translation>
    </message>
</context>
<context>
    <name>ProbeView</name>
    <message>
        <source>step {number}</source>
        <translation>第 {number} 步</translation>
    </message>
    <message>
        <source>√ scale</source>
        <translation>√ 标度</translation>
    </message>
    <message>
        <source>Colour by the square root, so that small weights show</source>
        <translation>按平方根着色，让小的权重也看得见</translation>
    </message>
    <message>
        <source>Square root scale</source>
        <translation>平方根标度</translation>
    </message>
    <message>
        <source>Show the whole map (double-click)</source>
        <translation>显示整幅图（双击）</translation>
    </message>
    <message>
        <source>The heads of the probe sentence appear here once the run has read it.</source>
        <translation>训练首次读过探针句后，这里就会显示它的各个注意力头。</translation>
    </message>
    <message>
        <source>Scrub through training, for any head, on the Look page</source>
        <translation>在“观察”页拖动浏览训练过程，可看任意注意力头</translation>
    </message>
    <message>
        <source>Attention of the chosen head on the probe sentence</source>
        <translation>所选注意力头在探针句上的注意力</translation>
    </message>
    <message>
        <source>Time-lapse</source>
        <translation>延时回放</translation>
    </message>
    <message>
        <source>This run keeps no traces of the probe sentence (field “Keep every”)</source>
        <translation>这次训练不保存探针句的记录（“保存间隔”一栏）</translation>
    </message>
</context>
<context>
    <name>PruneView</name>
    <message>
        <source>Choose a file of pairs</source>
        <translation>选择句对文件</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose another file</source>
        <translation>选择另一个文件</translation>
    </message>
    <message>
        <source>{done} of {total} heads and points</source>
        <translation>{total} 个头与点中已完成 {done} 个</translation>
    </message>
    <message>
        <source>In which order heads go</source>
        <translation>关掉注意力头的顺序</translation>
    </message>
    <message>
        <source>What takes the place of a head&apos;s output</source>
        <translation>用什么代替注意力头的输出</translation>
    </message>
    <message>
        <source>Maximum number of sentences</source>
        <translation>最多句数</translation>
    </message>
    <message>
        <source> sentences</source>
        <translation> 句</translation>
    </message>
    <message>
        <source>Prune</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Pruning curves</source>
        <translation>剪枝曲线</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Every head is switched off once, then ever more together…</source>
        <translation>先单独关掉每个头，再一起关掉越来越多的头…</translation>
    </message>
    <message>
        <source>Choose a file of pairs: heads are switched off one after the other, and what is left of the translations is drawn.</source>
        <translation>选择一个句对文件：注意力头逐个关掉，译文还剩下多少画成曲线。</translation>
    </message>
</context>
<context>
    <name>Pruning</name>
    <message>
        <source>by importance</source>
        <translation>按重要性</translation>
    </message>
    <message>
        <source>by gradient</source>
        <translation>按梯度</translation>
    </message>
    <message>
        <source>in random order</source>
        <translation>随机顺序</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>置零</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>resampled</source>
        <translation>重抽样</translation>
    </message>
    <message>
        <source>heads off</source>
        <translation>关掉的头数</translation>
    </message>
    <message>
        <source>Log probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>ln p per target token</source>
        <translation>每目标词元的 ln p</translation>
    </message>
    <message>
        <source>BLEU of greedy translations</source>
        <translation>贪心译文的 BLEU</translation>
    </message>
    <message>
        <source>{name}, model {model}: {sentences} sentences, {tokens} target tokens; BLEU {bleu} with all heads.</source>
        <translation>{name}，模型 {model}：{sentences} 句，{tokens} 个目标词元；全部头都在时 BLEU 为 {bleu}。</translation>
    </message>
    <message>
        <source>{count} were too long or empty.</source>
        <translation>{count} 句过长或为空。</translation>
    </message>
    <message>
        <source>Up to {count} of {heads} heads off cost at most {bleu} BLEU.</source>
        <translation>{heads} 个头中关掉至多 {count} 个，BLEU 下降不超过 {bleu}。</translation>
    </message>
    <message>
        <source>From {count} heads off on they cost more together than the sum of each alone: there {joint} nats a token against {summed}, at the end {last} against {all}. While the others are on, they make up for one that is missing (self-repair).</source>
        <translation>从关掉 {count} 个头起，一起关掉的代价大于各自单独关掉的代价之和：此处每词元 {joint} 奈特对 {summed}，最后 {last} 对 {all}。其他头还在时，它们会弥补缺失的那一个（自我修复）。</translation>
    </message>
    <message>
        <source>What heads cost together and alone</source>
        <translation>一起关掉与单独关掉的代价</translation>
    </message>
    <message>
        <source>nats per target token</source>
        <translation>每目标词元的奈特数</translation>
    </message>
    <message>
        <source>together</source>
        <translation>一起</translation>
    </message>
    <message>
        <source>sum of each alone</source>
        <translation>各自之和</translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1 File</source>
        <translation>%1 文件</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>驱动器</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>查找范围(&amp;L)：</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>文件类型(&amp;T)：</translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>文件夹：</translation>
    </message>
    <message>
        <source>Find Directory</source>
        <translation>选择文件夹</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
</context>
<context>
    <name>ReadingProgress</name>
    <message>
        <source>Reading {name}…</source>
        <translation>正在读取 {name}…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
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
        <source>it is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>it is not a SentencePiece model</source>
        <translation>不是 SentencePiece 模型</translation>
    </message>
    <message>
        <source>it is cut short, or not a SentencePiece model</source>
        <translation>文件不完整，或不是 SentencePiece 模型</translation>
    </message>
    <message>
        <source>another file took its place after it was opened</source>
        <translation>打开之后，它的位置被另一个文件取代了</translation>
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
    <name>Recorder</name>
    <message>
        <source>Scripts (*.sh)</source>
        <translation>脚本 (*.sh)</translation>
    </message>
    <message>
        <source>Save the script</source>
        <translation>保存脚本</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
</context>
<context>
    <name>ReportDialog</name>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Copy this text into your report, and say what you did and what happened. It holds nothing of your sentences or models; read it before you send it.</source>
        <translation>请把下面的文字复制到您的报告里，并说明您做了什么、发生了什么。其中不含您的句子和模型；发送前请先看一遍。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>ResultGroup</name>
    <message>
        <source>Resume this run</source>
        <translation>继续这次训练</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看</translation>
    </message>
</context>
<context>
    <name>RotationPanel</name>
    <message>
        <source>This model&apos;s positions are learned: nothing makes PE(pos + k) a rotation of PE(pos). Show sinusoids to see one.</source>
        <translation>此模型的位置编码是学得的：没有什么使 PE(pos + k) 成为 PE(pos) 的旋转。要看它成立，请查看正弦编码。</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Position pos to start from</source>
        <translation>起始位置 pos</translation>
    </message>
    <message>
        <source>Offset k</source>
        <translation>偏移 k</translation>
    </message>
    <message>
        <source>Offset k: how many positions ahead</source>
        <translation>偏移 k：向后多少个位置</translation>
    </message>
    <message>
        <source>Pair of dimensions to show</source>
        <translation>要显示的维度对</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>维度对</translation>
    </message>
    <message>
        <source>Rotation from one position to another</source>
        <translation>从一个位置到另一个位置的旋转</translation>
    </message>
</context>
<context>
    <name>RowSection</name>
    <message>
        <source>Click a cell of the map to choose a row.</source>
        <translation>点击图中的单元格，选择一行。</translation>
    </message>
    <message>
        <source>as the model computes it</source>
        <translation>由模型计算</translation>
    </message>
    <message>
        <source>uniform</source>
        <translation>均匀分布</translation>
    </message>
    <message>
        <source>only {number} “{token}”</source>
        <translation>只关注 {number}“{token}”</translation>
    </message>
    <message>
        <source>type values…</source>
        <translation>输入数值…</translation>
    </message>
    <message>
        <source>Row in view</source>
        <translation>当前行</translation>
    </message>
    <message>
        <source>What this row attends to</source>
        <translation>此行关注什么</translation>
    </message>
    <message>
        <source>Row {number}, “{token}”</source>
        <translation>第 {number} 行，“{token}”</translation>
    </message>
    <message>
        <source>Row {number}, reads “{reads}” → predicts “{predicts}”</source>
        <translation>第 {number} 行，读入“{reads}”→ 预测“{predicts}”</translation>
    </message>
</context>
<context>
    <name>RowValues</name>
    <message>
        <source>Weights of the row</source>
        <translation>此行的权重</translation>
    </message>
    <message>
        <source>Scale to 1</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Divide every number by their sum</source>
        <translation>每个数除以它们的和</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Sum {total}</source>
        <translation>和 {total}</translation>
    </message>
    <message>
        <source>Every weight must be a number that is not negative.</source>
        <translation>每个权重必须是不为负的数。</translation>
    </message>
    <message>
        <source>The weights of a row must add up to 1.</source>
        <translation>一行的权重之和必须为 1。</translation>
    </message>
</context>
<context>
    <name>RunBadge</name>
    <message>
        <source>recorded example</source>
        <translation>录制的示例</translation>
    </message>
    <message>
        <source>by {model}</source>
        <translation>由 {model} 产生</translation>
    </message>
    <message>
        <source>forced target</source>
        <translation>指定译文（教师强制）</translation>
    </message>
    <message>
        <source>paused after 1 token</source>
        <translation>1 个词元后暂停</translation>
    </message>
    <message>
        <source>paused after {number} tokens</source>
        <translation>{number} 个词元后暂停</translation>
    </message>
    <message>
        <source>stopped after 1 token</source>
        <translation>1 个词元后停止</translation>
    </message>
    <message>
        <source>stopped after {number} tokens</source>
        <translation>{number} 个词元后停止</translation>
    </message>
    <message>
        <source>dropped by the beam search</source>
        <translation>被束搜索舍弃</translation>
    </message>
    <message>
        <source>hypothesis of the beam search</source>
        <translation>束搜索的候选序列</translation>
    </message>
</context>
<context>
    <name>RunNames</name>
    <message>
        <source>(no text yet)</source>
        <translation>（尚无文本）</translation>
    </message>
    <message>
        <source>altered: {changes}</source>
        <translation>已改动：{changes}</translation>
    </message>
    <message>
        <source>branch: {token}</source>
        <translation>分支：{token}</translation>
    </message>
    <message>
        <source>beam {size}</source>
        <translation>束 {size}</translation>
    </message>
    <message>
        <source>hypothesis</source>
        <translation>候选序列</translation>
    </message>
    <message>
        <source>hypothesis {number}</source>
        <translation>候选序列 {number}</translation>
    </message>
    <message>
        <source>sample {number}</source>
        <translation>样本 {number}</translation>
    </message>
    <message>
        <source>forced target</source>
        <translation>指定译文</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>录制</translation>
    </message>
</context>
<context>
    <name>RunsModel</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Log prob.</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>Natural log probability of all tokens together</source>
        <translation>所有词元合计的自然对数概率</translation>
    </message>
    <message>
        <source>Log probability divided by the number of tokens</source>
        <translation>对数概率除以词元数</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>已固定</translation>
    </message>
</context>
<context>
    <name>RunsView</name>
    <message>
        <source>Runs</source>
        <translation>各次解码</translation>
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
        <source>From its training</source>
        <translation>训练中的句子</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>短句</translation>
    </message>
    <message>
        <source>Agreement, near and far</source>
        <translation>主谓一致（近／远）</translation>
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
        <source>Who does what to whom</source>
        <translation>谁对谁做了什么</translation>
    </message>
    <message>
        <source>Words to reverse</source>
        <translation>要倒序的词</translation>
    </message>
    <message>
        <source>Text to continue</source>
        <translation>续写的开头</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>有重复的内容</translation>
    </message>
    <message>
        <source>Tasks it was trained on</source>
        <translation>训练过的任务</translation>
    </message>
    <message>
        <source>A word to guess</source>
        <translation>猜一个词</translation>
    </message>
    <message>
        <source>Two sentences</source>
        <translation>句对</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>原句</translation>
    </message>
</context>
<context>
    <name>SamplesModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Held-out loss</source>
        <translation>验证损失</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>The best weights up to this step: they were kept in the model&apos;s folder.</source>
        <translation>到这一步为止最好的权重：已保存在模型的文件夹中。</translation>
    </message>
    <message>
        <source>Measured with the average of recent weights, which was better.</source>
        <translation>用近期权重的平均值测得，结果更好。</translation>
    </message>
</context>
<context>
    <name>SamplesView</name>
    <message>
        <source>Translations of</source>
        <translation>此句的译文：</translation>
    </message>
    <message>
        <source>Translations</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Held-out sentence</source>
        <translation>验证句</translation>
    </message>
    <message>
        <source>Its translation at each evaluation</source>
        <translation>它在每次评测时的译文</translation>
    </message>
    <message>
        <source>At each evaluation, translations of held-out sentences are listed here.</source>
        <translation>每次评测时，验证句的译文会依次列在这里。</translation>
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
        <source>Draw only from this many of the most probable words</source>
        <translation>只在概率最大的这么多个词中抽取</translation>
    </message>
    <message>
        <source>Draw only from the most probable words that together reach this share</source>
        <translation>只在合计占此比例的最可能的词中抽取</translation>
    </message>
    <message>
        <source>The same seed draws the same words</source>
        <translation>相同的种子抽取相同的词</translation>
    </message>
    <message>
        <source>How many texts to draw, each with a seed of its own</source>
        <translation>抽取多少个文本，每个有自己的种子</translation>
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
    <message>
        <source>&amp;Number of samples</source>
        <translation>样本数(&amp;N)</translation>
    </message>
    <message>
        <source>Step {step} with these settings:</source>
        <translation>对第 {step} 步的影响：</translation>
    </message>
</context>
<context>
    <name>Script</name>
    <message>
        <source>No command makes {name}: it lies beside this script.</source>
        <translation>没有命令能生成 {name}：它与本脚本放在一起。</translation>
    </message>
    <message>
        <source>What it shows is not in the session any more.</source>
        <translation>它所显示的内容已不在会话中。</translation>
    </message>
    <message>
        <source>No command makes it: {reason}</source>
        <translation>没有命令能生成它：{reason}</translation>
    </message>
    <message>
        <source>What was done in Headscope {version}, as commands: bash runs them in an empty folder.</source>
        <translation>在 Headscope {version} 中所做的一切，写成命令：请在空文件夹中用 bash 运行。</translation>
    </message>
    <message>
        <source>Where headscope is not installed: HEADSCOPE=&quot;python main.py&quot; in front.</source>
        <translation>没有安装 headscope 时，在前面加上 HEADSCOPE=&quot;python main.py&quot;。</translation>
    </message>
</context>
<context>
    <name>ScriptDialog</name>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Commands that make the same files without a window: save them and run them with bash in an empty folder.</source>
        <translation>这些命令不开窗口也能生成同样的文件：保存后在空文件夹中用 bash 运行。</translation>
    </message>
    <message>
        <source>What the script makes</source>
        <translation>脚本生成什么</translation>
    </message>
    <message>
        <source>Everything done in this session</source>
        <translation>本次会话中所做的一切</translation>
    </message>
    <message>
        <source>The figure in view</source>
        <translation>当前的图</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>SentencePanel</name>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Esc); what is written stays</source>
        <translation>停止（Esc）；已有内容保留</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Continuation</source>
        <translation>续写</translation>
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
        <source>The pieces the model reads; · joins the pieces of one word</source>
        <translation>模型读入的子词；· 连接同一个词的子词</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Continue where it was stopped</source>
        <translation>从停止处继续</translation>
    </message>
    <message>
        <source>{tokens} tokens with the end token</source>
        <translation>{tokens} 个词元（含终止符）</translation>
    </message>
    <message>
        <source>The model has no piece for {characters}: it reads bytes and can only guess.</source>
        <translation>模型没有 {characters} 对应的子词：这里读入的是字节，只能猜测。</translation>
    </message>
    <message>
        <source>unknown: {characters}</source>
        <translation>未收录：{characters}</translation>
    </message>
    <message>
        <source>Pause (P, or Ctrl+P while typing)</source>
        <translation>暂停（P，输入时用 Ctrl+P）</translation>
    </message>
    <message>
        <source>Produce the next token (P, or Ctrl+P while typing)</source>
        <translation>产生下一个词元（P，输入时用 Ctrl+P）</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>计算概率</translation>
    </message>
    <message>
        <source>Compute the probability of each token of the target (Enter)</source>
        <translation>计算指定译文中每个词元的概率（回车）</translation>
    </message>
    <message>
        <source>Continue (P, or Ctrl+P while typing)</source>
        <translation>继续（P，输入时用 Ctrl+P）</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>{tokens} tokens</source>
        <translation>{tokens} 个词元</translation>
    </message>
    <message>
        <source>{tokens} tokens; this model reads at most {limit}</source>
        <translation>{tokens} 个词元；此模型最多读 {limit} 个</translation>
    </message>
    <message>
        <source>{task} (Ctrl+L)</source>
        <translation>{task}（Ctrl+L）</translation>
    </message>
</context>
<context>
    <name>SentencesModel</name>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Sentence</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Per token</source>
        <translation>每词元</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Log prob.</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Lowest</source>
        <translation>最低</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>覆盖度</translation>
    </message>
    <message>
        <source>Entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>Length ratio</source>
        <translation>长度比</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Line of the file</source>
        <translation>文件中的行号</translation>
    </message>
    <message>
        <source>As it stands in the file</source>
        <translation>文件中的原文</translation>
    </message>
    <message>
        <source>How scattered attention is, in nats: entropy of the averaged cross-attention, mean over steps (after Rikters and Fishel 2017, arXiv 1710.03743)</source>
        <translation>注意力有多分散，单位 nat：平均后的交叉注意力的熵，对各步取平均（依 Rikters 与 Fishel 2017，arXiv 1710.03743）</translation>
    </message>
    <message>
        <source>Output tokens per source token, special tokens not counted</source>
        <translation>每个源词元对应的输出词元数，不计特殊词元</translation>
    </message>
    <message>
        <source>Tokens of the output, the end token included</source>
        <translation>输出的词元数，含终止词元</translation>
    </message>
    <message>
        <source>Log probability divided by the number of tokens</source>
        <translation>对数概率除以词元数</translation>
    </message>
    <message>
        <source>The model&apos;s greedy output, or why a sentence could not be processed</source>
        <translation>模型的贪心输出；无法处理的句子会说明原因</translation>
    </message>
    <message>
        <source>Natural log probability of all tokens together</source>
        <translation>所有词元合计的自然对数概率</translation>
    </message>
    <message>
        <source>Probability of the least probable token</source>
        <translation>概率最小的词元的概率</translation>
    </message>
    <message>
        <source>How much of the source was read: mean over its tokens of min(1, Σ weight), cross-attention averaged over all heads of all layers (after Wu et al. 2016, arXiv 1609.08144)</source>
        <translation>源句有多少被读到：min(1, Σ 权重) 对各源词元的平均，交叉注意力对所有层的所有头取平均（依 Wu 等，2016，arXiv 1609.08144）</translation>
    </message>
    <message>
        <source>The length limit stopped it before its end token.</source>
        <translation>在终止词元之前因长度上限停止。</translation>
    </message>
</context>
<context>
    <name>SentencesPanel</name>
    <message>
        <source>Texts (*.txt *.tsv *.csv *.gz *.xz *.bz2 *.zip);;All files (*)</source>
        <translation>文本 (*.txt *.tsv *.csv *.gz *.xz *.bz2 *.zip);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Save table and traces in</source>
        <translation>选择保存表格和解码记录的文件夹</translation>
    </message>
    <message>
        <source>Saved sentences.csv and {count} traces in {folder}</source>
        <translation>已在 {folder} 中保存 sentences.csv 和 {count} 份解码记录</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>另选文件…</translation>
    </message>
    <message>
        <source>Choose or drop a text file with one sentence per line: the model translates them in the background, and each can be opened here.</source>
        <translation>选择或拖入一个每行一句的文本文件：模型在后台处理所有句子，每一句都可以在这里打开。</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Choose a file of sentences</source>
        <translation>选择句子文件</translation>
    </message>
    <message>
        <source>A table of sentences is written by the window alone.</source>
        <translation>句子表只能由窗口写出。</translation>
    </message>
    <message>
        <source>Process no more sentences; finished ones stay</source>
        <translation>不再处理其余句子；已有的保留</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save the table as CSV, and every trace</source>
        <translation>把表格存为 CSV，并保存每份解码记录</translation>
    </message>
    <message>
        <source>Other file…</source>
        <translation>另选文件…</translation>
    </message>
    <message>
        <source>Sentences of the file</source>
        <translation>文件中的句子</translation>
    </message>
    <message>
        <source>{name}: {count} of its first {total} sentences</source>
        <translation>{name}：前 {total} 句中的 {count} 句</translation>
    </message>
    <message>
        <source>{name}: {count} of {total} sentences</source>
        <translation>{name}：{count}/{total} 句</translation>
    </message>
    <message>
        <source>{name}: {total} sentences</source>
        <translation>{name}：{total} 句</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
</context>
<context>
    <name>Shares</name>
    <message>
        <source>source</source>
        <translation>源端</translation>
    </message>
    <message>
        <source>prefix</source>
        <translation>前缀</translation>
    </message>
    <message>
        <source>Step {step}, predicting “{token}”: source {source}, prefix {prefix}</source>
        <translation>第 {step} 步，预测“{token}”：源端 {source}，前缀 {prefix}</translation>
    </message>
    <message>
        <source>source “{word}” {share} %</source>
        <translation>源端“{word}”{share}%</translation>
    </message>
    <message>
        <source>prefix “{word}” {share} %</source>
        <translation>前缀“{word}”{share}%</translation>
    </message>
    <message>
        <source>Source and prefix, mean over {layers} decoder layers</source>
        <translation>源端与前缀，{layers} 个解码器层的平均</translation>
    </message>
    <message>
        <source>Source and prefix, decoder layer {layer} of {layers}</source>
        <translation>源端与前缀，解码器层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Source and prefix, through both stacks</source>
        <translation>源端与前缀，贯穿编码器和解码器</translation>
    </message>
    <message>
        <source>Source and prefix, up to decoder layer {layer} of {layers}</source>
        <translation>源端与前缀，到解码器层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>share of the source: {formula}, not an attention weight</source>
        <translation>源端的份额：{formula}，不是注意力权重</translation>
    </message>
    <message>
        <source>‖c‖ / (‖c‖ + ‖x‖)</source>
        <translation>‖c‖ ÷ (‖c‖ + ‖x‖)</translation>
    </message>
    <message>
        <source>c is what cross-attention adds in that layer, x the residual stream that it is added to, counted as the prefix&apos;s. x also holds what lower layers brought from the source; the angle between both is left out.</source>
        <translation>c 是该层交叉注意力所加的向量，x 是它所加到的残差流，算作前缀的部分。x 中也含有较低各层从源端取来的内容；两者的夹角未予考虑。</translation>
    </message>
    <message>
        <source>sum of the source words&apos; contributions (ALTI+)</source>
        <translation>源端各词贡献之和（ALTI+）</translation>
    </message>
    <message>
        <source>Share of the source: the sum of its words&apos; contributions to what leaves the decoder, followed through all layers of both stacks; the rest is the prefix&apos;s.</source>
        <translation>源端的份额：源端各词对解码器输出的贡献之和，贯穿编码器和解码器的所有层；其余属于前缀。</translation>
    </message>
    <message>
        <source>Share of the source: {formula}.</source>
        <translation>源端的份额：{formula}。</translation>
    </message>
    <message>
        <source>The question is from {source}; the measure is Headscope&apos;s own.</source>
        <translation>问题出自 {source}；度量方法是 Headscope 自己的。</translation>
    </message>
</context>
<context>
    <name>SharesView</name>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>When sampled</source>
        <translation>采样概率</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>已排除</translation>
    </message>
</context>
<context>
    <name>SliderPanel</name>
    <message>
        <source>These positions are computed by a formula that Headscope does not know.</source>
        <translation>这些位置编码由 Headscope 不认识的公式算出。</translation>
    </message>
    <message>
        <source>Show sinusoids</source>
        <translation>查看正弦编码</translation>
    </message>
</context>
<context>
    <name>SourceSection</name>
    <message>
        <source>Click to block</source>
        <translation>点击屏蔽</translation>
    </message>
    <message>
        <source>Blocked; click to unblock</source>
        <translation>已屏蔽；点击恢复</translation>
    </message>
    <message>
        <source>seed {seed}</source>
        <translation>种子 {seed}</translation>
    </message>
    <message>
        <source>Source tokens</source>
        <translation>源词元</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示词元</translation>
    </message>
    <message>
        <source>Source tokens to block</source>
        <translation>要屏蔽的源词元</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>Click a token to block it: no position can read it.</source>
        <translation>点击词元即可屏蔽：谁都不能读它。</translation>
    </message>
    <message>
        <source>Which side&apos;s positions</source>
        <translation>哪一端的位置编码</translation>
    </message>
    <message>
        <source>shuffled</source>
        <translation>打乱</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>both sides</source>
        <translation>两端</translation>
    </message>
    <message>
        <source>source</source>
        <translation>源端</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标端</translation>
    </message>
    <message>
        <source>New shuffle</source>
        <translation>重新打乱</translation>
    </message>
    <message>
        <source>Prompt tokens to block</source>
        <translation>要屏蔽的提示词元</translation>
    </message>
</context>
<context>
    <name>SourceShareSection</name>
    <message>
        <source>source {source} | prefix {prefix}</source>
        <translation>源端 {source} | 前缀 {prefix}</translation>
    </message>
    <message>
        <source>Source and prefix at every step</source>
        <translation>每一步的源端与前缀</translation>
    </message>
    <message>
        <source>What the shares are measured by</source>
        <translation>份额的度量</translation>
    </message>
    <message>
        <source>Contributions</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Cross-attention, mean</source>
        <translation>交叉注意力，平均</translation>
    </message>
    <message>
        <source>Cross-attention, layer {layer}</source>
        <translation>交叉注意力，第 {layer} 层</translation>
    </message>
    <message>
        <source>Source and prefix: computed once the output is complete.</source>
        <translation>源端与前缀：输出完成后计算。</translation>
    </message>
    <message>
        <source>Source and prefix: computing…</source>
        <translation>源端与前缀：正在计算…</translation>
    </message>
</context>
<context>
    <name>SourceTabs</name>
    <message>
        <source>This model</source>
        <translation>此模型</translation>
    </message>
    <message>
        <source>Show the table of the model in use</source>
        <translation>显示当前模型的编码表</translation>
    </message>
    <message>
        <source>Other values</source>
        <translation>其他数值</translation>
    </message>
    <message>
        <source>Try other bases and other d_model; the model stays as it is</source>
        <translation>试试其他基数和其他 d_model；模型本身不变</translation>
    </message>
</context>
<context>
    <name>Spoken</name>
    <message>
        <source>{place}: {said}</source>
        <translation>{place}：{said}</translation>
    </message>
    <message>
        <source>this row belongs to a later step</source>
        <translation>这一行属于之后的步</translation>
    </message>
    <message>
        <source>predicting {query}, cannot read {key}</source>
        <translation>预测 {query} 时不能读 {key}</translation>
    </message>
    <message>
        <source>{query} cannot read {key}</source>
        <translation>{query} 不能读 {key}</translation>
    </message>
    <message>
        <source>predicting {query}, {key}, {quantity} {number}</source>
        <translation>预测 {query} 时，{key}，{quantity} {number}</translation>
    </message>
    <message>
        <source>{query}, {key}, {quantity} {number}</source>
        <translation>{query}，{key}，{quantity} {number}</translation>
    </message>
    <message>
        <source>predicting {query}, reads {key}, {number}</source>
        <translation>预测 {query} 时读 {key}，{number}</translation>
    </message>
    <message>
        <source>{query} reads {key}, {number}</source>
        <translation>{query} 读 {key}，{number}</translation>
    </message>
    <message>
        <source>at {read}, before the given {query}, cannot read {key}</source>
        <translation>在 {read} 处，给定的 {query} 之前，不能读 {key}</translation>
    </message>
    <message>
        <source>at {read}, before the given {query}, {key}, {quantity} {number}</source>
        <translation>在 {read} 处，给定的 {query} 之前，{key}，{quantity} {number}</translation>
    </message>
    <message>
        <source>at {read}, before the given {query}, reads {key}, {number}</source>
        <translation>在 {read} 处，给定的 {query} 之前，读 {key}，{number}</translation>
    </message>
    <message>
        <source>at {read}, predicting {query}, cannot read {key}</source>
        <translation>在 {read} 处，预测 {query} 时不能读 {key}</translation>
    </message>
    <message>
        <source>at {read}, predicting {query}, {key}, {quantity} {number}</source>
        <translation>在 {read} 处，预测 {query}，{key}，{quantity} {number}</translation>
    </message>
    <message>
        <source>at {read}, predicting {query}, reads {key}, {number}</source>
        <translation>在 {read} 处，预测 {query} 时读 {key}，{number}</translation>
    </message>
    <message>
        <source>no number</source>
        <translation>没有数值</translation>
    </message>
    <message>
        <source>nearly 0</source>
        <translation>接近 0</translation>
    </message>
    <message>
        <source>minus {number}</source>
        <translation>负 {number}</translation>
    </message>
</context>
<context>
    <name>StageMaps</name>
    <message>
        <source>Map of</source>
        <translation>热图显示：</translation>
    </message>
    <message>
        <source>Show one stage, for all rows of this head, as a map</source>
        <translation>把此头所有行的某一步计算显示为图</translation>
    </message>
    <message>
        <source>q⋅k</source>
        <translation>q⋅k</translation>
    </message>
    <message>
        <source>Every score, q ⋅ k</source>
        <translation>每个得分 q ⋅ k</translation>
    </message>
    <message>
        <source>÷ √d</source>
        <translation>÷ √d</translation>
    </message>
    <message>
        <source>Every score divided by √d_head</source>
        <translation>每个得分除以 √d_head</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Every scaled score, where attention is allowed</source>
        <translation>允许关注处的每个缩放得分</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>Every attention weight</source>
        <translation>每个注意力权重</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Loading the model…</source>
        <translation>正在加载模型…</translation>
    </message>
    <message>
        <source>Waiting for the model…</source>
        <translation>正在等待模型…</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Translating…</source>
        <translation>正在翻译…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在生成…</translation>
    </message>
    <message>
        <source>Translating, word {number}…</source>
        <translation>正在翻译，第 {number} 个词…</translation>
    </message>
    <message>
        <source>Writing, token {number}…</source>
        <translation>正在生成，第 {number} 个词元…</translation>
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
        <source>Produce the next token (Page Down)</source>
        <translation>产生下一个词元（Page Down）</translation>
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
        <source>First token of the continuation; again: of the prompt (Home)</source>
        <translation>续写的第一个词元；再按：提示的第一个（Home）</translation>
    </message>
    <message>
        <source>{step} of {steps}</source>
        <translation>{step}/{steps}</translation>
    </message>
    <message>
        <source>Round {step} of {steps}</source>
        <translation>第 {step} 轮，共 {steps} 轮</translation>
    </message>
    <message>
        <source>Prompt: {step} of {steps}</source>
        <translation>提示：{step}/{steps}</translation>
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
    <name>TargetRow</name>
    <message>
        <source>Type the translation you have in mind and press Enter</source>
        <translation>输入您设想的译文，按回车</translation>
    </message>
    <message>
        <source>Type the continuation you have in mind and press Enter</source>
        <translation>输入您设想的续写，按回车</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>指定译文</translation>
    </message>
    <message>
        <source>Close the target: let the model choose the words (Esc)</source>
        <translation>关闭指定译文：让模型选词（Esc）</translation>
    </message>
</context>
<context>
    <name>TaughtView</name>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Translate a sentence on the Look page first; this lesson uses it.</source>
        <translation>请先在“观察”里翻译一个句子，这一课讲的就是它。</translation>
    </message>
    <message>
        <source>Computing: {done} of {total}</source>
        <translation>正在计算：{done}/{total}</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>What to expect</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>What you got</source>
        <translation>实际结果</translation>
    </message>
    <message>
        <source>The formula</source>
        <translation>公式</translation>
    </message>
</context>
<context>
    <name>TimeLapseBar</name>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Play the training (Space)</source>
        <translation>播放训练过程（空格）</translation>
    </message>
    <message>
        <source>{step} (frame {number} of {count})</source>
        <translation>{step}（第 {number} 帧，共 {count} 帧）</translation>
    </message>
    <message>
        <source>Time-lapse</source>
        <translation>延时回放</translation>
    </message>
    <message>
        <source>First frame (Home)</source>
        <translation>第一帧（Home）</translation>
    </message>
    <message>
        <source>Newest frame (End)</source>
        <translation>最新一帧（End）</translation>
    </message>
    <message>
        <source>Training step</source>
        <translation>训练步</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>各轮</translation>
    </message>
    <message>
        <source>Play the rounds (Space)</source>
        <translation>播放各轮（空格）</translation>
    </message>
    <message>
        <source>Round</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Drag through the training; the arrow keys go frame by frame</source>
        <translation>拖动浏览训练过程；方向键逐帧移动</translation>
    </message>
    <message>
        <source>Drag through the rounds; the arrow keys go round by round</source>
        <translation>拖动以浏览各轮；方向键逐轮移动</translation>
    </message>
    <message>
        <source>Follow the newest</source>
        <translation>跟随最新</translation>
    </message>
    <message>
        <source>While training goes on, show each new frame as soon as it is kept</source>
        <translation>训练进行时，每存下新的一帧就立即显示</translation>
    </message>
</context>
<context>
    <name>TokensModel</name>
    <message>
        <source>Rank of the token in the whole vocabulary; 1 is the most probable</source>
        <translation>词元在整个词表中的排名；1 为概率最大</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>Log prob.</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>排名</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>累计</translation>
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
        <source>p in A</source>
        <translation>A 的 p</translation>
    </message>
    <message>
        <source>p in B</source>
        <translation>B 的 p</translation>
    </message>
    <message>
        <source>Token that the pinned run predicts</source>
        <translation>固定的解码所预测的词元</translation>
    </message>
    <message>
        <source>Its probability there</source>
        <translation>它在那里的概率</translation>
    </message>
    <message>
        <source>Token that the run in view predicts</source>
        <translation>当前解码所预测的词元</translation>
    </message>
    <message>
        <source>Σ ln p</source>
        <translation>Σ ln p</translation>
    </message>
    <message>
        <source>{side}, step {step}: no probability was recorded</source>
        <translation>{side}，第 {step} 步：未录制概率</translation>
    </message>
    <message>
        <source>Natural log probability of the whole output: A {first}, B {second}</source>
        <translation>整个输出的自然对数概率：A {first}，B {second}</translation>
    </message>
    <message>
        <source>{side}: no token here</source>
        <translation>{side}：此处没有词元</translation>
    </message>
    <message>
        <source>Natural log of the probability in B minus that in A; same token only</source>
        <translation>B 中概率的自然对数减去 A 中的；仅限相同的词元</translation>
    </message>
    <message>
        <source>Probability in B minus that in A, in percentage points; same token only</source>
        <translation>B 中的概率减去 A 中的，以百分点计；仅限相同的词元</translation>
    </message>
    <message>
        <source>{side}, step {step}: “{token}”, log probability {logprob}</source>
        <translation>{side}，第 {step} 步：“{token}”，对数概率 {logprob}</translation>
    </message>
    <message>
        <source>two different tokens: their probabilities are not compared</source>
        <translation>两个不同的词元：不比较它们的概率</translation>
    </message>
</context>
<context>
    <name>TokensView</name>
    <message>
        <source>Tokens of the run in view</source>
        <translation>当前解码的词元</translation>
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
        <source>{name} · {layers} layers, {heads} heads</source>
        <translation>{name} · {layers} 层，{heads} 头</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>观察</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>菜单</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Stop loading this model (Esc); the previous one stays</source>
        <translation>不再加载此模型（Esc）；之前的模型保留</translation>
    </message>
    <message>
        <source>One large figure, for a lecture (F5)</source>
        <translation>一幅大图，讲课用（F5）</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>选择其他模型</translation>
    </message>
    <message>
        <source>{name} · loading {percent} %</source>
        <translation>{name} · 加载中 {percent}%</translation>
    </message>
    <message>
        <source>{done} of {total} MB</source>
        <translation>{done}/{total} MB</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Save the picture or its numbers (Ctrl+E)</source>
        <translation>保存图片或其数值（Ctrl+E）</translation>
    </message>
</context>
<context>
    <name>Tour</name>
    <message>
        <source>Type a sentence</source>
        <translation>输入一个句子</translation>
    </message>
    <message>
        <source>Click the field, or press Ctrl+L, and type one in the language of the model.</source>
        <translation>点击输入框，或按 Ctrl+L，用模型的语言输入一句话。</translation>
    </message>
    <message>
        <source>Press Enter</source>
        <translation>按回车</translation>
    </message>
    <message>
        <source>The model writes one token after another; you see each as it comes.</source>
        <translation>模型一个词元接一个词元地写，每写一个你都能看到。</translation>
    </message>
    <message>
        <source>Go from step to step</source>
        <translation>一步一步地看</translation>
    </message>
    <message>
        <source>Page Up and Page Down, or these buttons: what was known before each word?</source>
        <translation>Page Up 和 Page Down，或这些按钮：写每个词之前，模型知道什么？</translation>
    </message>
    <message>
        <source>Choose who looks at whom</source>
        <translation>选择谁关注谁</translation>
    </message>
    <message>
        <source>Source at source, output at output, or output at source: E, D and C.</source>
        <translation>源句关注源句、输出关注输出，或输出关注源句：E、D、C。</translation>
    </message>
    <message>
        <source>Click a head</source>
        <translation>点击一个注意力头</translation>
    </message>
    <message>
        <source>Each looks elsewhere. Ctrl and an arrow go to the next one.</source>
        <translation>每个头关注的地方不同。Ctrl 加方向键转到相邻的头。</translation>
    </message>
    <message>
        <source>Read a cell</source>
        <translation>读一个格子</translation>
    </message>
    <message>
        <source>Click one, or press ↑ or ↓ in the map: how much attention goes there?</source>
        <translation>点击一个格子，或在热图中按 ↑ 或 ↓：有多少注意力落在那里？</translation>
    </message>
    <message>
        <source>Take another word</source>
        <translation>换一个词</translation>
    </message>
    <message>
        <source>These were the rivals at this step. Click one: the model goes on from it.</source>
        <translation>这些是这一步的候选词。点击其中一个，模型就从它继续写。</translation>
    </message>
    <message>
        <source>Switch the head off</source>
        <translation>关掉这个注意力头</translation>
    </message>
    <message>
        <source>What becomes of the output without it? Or export the picture (Ctrl+E).</source>
        <translation>没有它，输出会变成什么？或者导出图片（Ctrl+E）。</translation>
    </message>
    <message>
        <source>That was the whole way</source>
        <translation>全程走完了</translation>
    </message>
    <message>
        <source>From a sentence to the next word. The menu Help has the tour for another time.</source>
        <translation>从一个句子到下一个词。想再走一遍，“帮助”菜单里有这个导览。</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Skip this step of the tour</source>
        <translation>跳过导览的这一步</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>End the tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>End the tour (Esc)</source>
        <translation>结束导览（Esc）</translation>
    </message>
</context>
<context>
    <name>TrainForm</name>
    <message>
        <source>Checking the pairs; then the run starts.</source>
        <translation>正在查看句对，随后开始训练。</translation>
    </message>
    <message>
        <source>A run is in progress; it can be paused or ended on the right.</source>
        <translation>正在训练；可在右侧暂停或结束。</translation>
    </message>
    <message>
        <source>{field}: {problem}</source>
        <translation>{field}：{problem}</translation>
    </message>
    <message>
        <source>Train a model</source>
        <translation>训练模型</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the first task and the default of every field</source>
        <translation>回到第一个任务，所有字段恢复初始值</translation>
    </message>
</context>
<context>
    <name>TrainPage</name>
    <message>
        <source>The run {name} did not finish; nothing is lost.</source>
        <translation>训练 {name} 没有完成；没有丢失任何内容。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Show or hide the form</source>
        <translation>显示或隐藏表单</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>训练过程</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>新训练</translation>
    </message>
    <message>
        <source>Resume it</source>
        <translation>继续训练</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Drop to train on these pairs</source>
        <translation>松开即可用这些句对训练</translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message>
        <source>No run yet</source>
        <translation>还没有训练</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Pausing</source>
        <translation>正在暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Stopped by an error</source>
        <translation>因出错而停止</translation>
    </message>
    <message>
        <source>What was saved last is kept: Resume goes on from there.</source>
        <translation>上次保存的内容还在：点“继续”可从那里接着训练。</translation>
    </message>
    <message>
        <source>The best weights are in {folder}. Look at their attention, or translate with them.</source>
        <translation>最好的权重在 {folder} 中。可以观察它的注意力，或用它翻译。</translation>
    </message>
    <message>
        <source>Everything is saved in {folder}. Resume goes on as if it had never stopped.</source>
        <translation>全部内容已保存在 {folder} 中。点“继续”可接着训练，如同从未停过。</translation>
    </message>
    <message>
        <source>Everything is saved. The program may be closed; Resume goes on from here.</source>
        <translation>全部内容已保存。可以关闭程序；点“继续”可从这里接着训练。</translation>
    </message>
    <message>
        <source>reading the pairs</source>
        <translation>正在读取句对</translation>
    </message>
    <message>
        <source>learning the vocabulary</source>
        <translation>正在学习词表</translation>
    </message>
    <message>
        <source>The run is waiting; nothing is lost.</source>
        <translation>训练先等待，不会丢失任何内容。</translation>
    </message>
    <message>
        <source>splitting the pairs into tokens</source>
        <translation>正在把句对切成词元</translation>
    </message>
    <message>
        <source>evaluating on held-out pairs</source>
        <translation>正在用验证句对评测</translation>
    </message>
    <message>
        <source>finishing the model&apos;s folder</source>
        <translation>正在完成模型的文件夹</translation>
    </message>
    <message>
        <source>{work}, {share} %</source>
        <translation>{work}，{share}%</translation>
    </message>
    <message>
        <source>{work}, {done} of {total}</source>
        <translation>{work}，{done}/{total}</translation>
    </message>
    <message>
        <source>less than a minute</source>
        <translation>不到 1 分钟</translation>
    </message>
    <message>
        <source>{count} min</source>
        <translation>{count} 分钟</translation>
    </message>
    <message>
        <source>{count} h</source>
        <translation>{count} 小时</translation>
    </message>
    <message>
        <source>{count} days</source>
        <translation>{count} 天</translation>
    </message>
    <message>
        <source>step {number}</source>
        <translation>第 {number} 步</translation>
    </message>
    <message>
        <source>epoch {number}</source>
        <translation>第 {number} 轮</translation>
    </message>
    <message>
        <source>{count} tokens/s</source>
        <translation>{count} 词元/秒</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>还剩不到 1 分钟</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>约剩 {time}</translation>
    </message>
    <message>
        <source>Ended before its limit</source>
        <translation>提前结束</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>{count} steps</source>
        <translation>{count} 步</translation>
    </message>
    <message>
        <source>held-out loss {loss}</source>
        <translation>验证损失 {loss}</translation>
    </message>
    <message>
        <source>BLEU {score}</source>
        <translation>BLEU {score}</translation>
    </message>
    <message>
        <source>Finished: no more improvement</source>
        <translation>训练完成：不再有改进</translation>
    </message>
    <message>
        <source>Finished after an evaluation, as requested</source>
        <translation>训练完成：按要求在评测后停止</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>训练完成</translation>
    </message>
    <message>
        <source>measuring how fast this machine is</source>
        <translation>正在测量这台机器的速度</translation>
    </message>
</context>
<context>
    <name>TranslationCard</name>
    <message>
        <source>log probability {value}</source>
        <translation>对数概率 {value}</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>gone from the other translation</source>
        <translation>另一译文中没有</translation>
    </message>
    <message>
        <source>new in this translation</source>
        <translation>此译文中新增</translation>
    </message>
</context>
<context>
    <name>TreeMenu</name>
    <message>
        <source>Another word here</source>
        <translation>此处换一个词</translation>
    </message>
    <message>
        <source>Continue from here with…</source>
        <translation>从这里接着写…</translation>
    </message>
    <message>
        <source>Copy the text up to here</source>
        <translation>复制到此为止的文本</translation>
    </message>
    <message>
        <source>Look at this word first: its step is not computed yet</source>
        <translation>请先查看这个词：它的这一步尚未计算</translation>
    </message>
    <message>
        <source>Type another word here…</source>
        <translation>输入此处的内容…</translation>
    </message>
    <message>
        <source>Stop comparing with it</source>
        <translation>不再与它对比</translation>
    </message>
    <message>
        <source>Pin the run in view to compare</source>
        <translation>固定当前解码，用来对比</translation>
    </message>
    <message>
        <source>Compare with the run in view</source>
        <translation>与当前解码对比</translation>
    </message>
    <message>
        <source>Keep this altered run</source>
        <translation>保留改动后的解码</translation>
    </message>
    <message>
        <source>Delete this run</source>
        <translation>删除这次解码</translation>
    </message>
    <message>
        <source>Copy the whole text</source>
        <translation>复制全文</translation>
    </message>
</context>
<context>
    <name>TreeTools</name>
    <message>
        <source>Whole</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Everything that was decoded or considered</source>
        <translation>解码过或考虑过的全部内容</translation>
    </message>
    <message>
        <source>As of this step</source>
        <translation>截至此步</translation>
    </message>
    <message>
        <source>Only what was known after the step in view: the tree grows as you step</source>
        <translation>只显示到当前步为止已知的内容：树随步生长</translation>
    </message>
    <message>
        <source>Dropped</source>
        <translation>已舍弃</translation>
    </message>
    <message>
        <source>Also hypotheses that the beam search dropped</source>
        <translation>也显示被束搜索舍弃的候选序列</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>适应窗口</translation>
    </message>
    <message>
        <source>Make the whole tree fit (Ctrl+wheel zooms)</source>
        <translation>让整棵树都显示得下（Ctrl+滚轮缩放）</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
</context>
<context>
    <name>TrustDialog</name>
    <message>
        <source>Computing the map&apos;s numbers…</source>
        <translation>正在计算这张图的数值…</translation>
    </message>
    <message>
        <source>Can this map be trusted?</source>
        <translation>这张图可信吗？</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
</context>
<context>
    <name>TwoFilesBox</name>
    <message>
        <source>sentences</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>translations</source>
        <translation>译文</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose the file of {name}</source>
        <translation>选择{name}文件</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>TwoSentencesForm</name>
    <message>
        <source>First sentence</source>
        <translation>第一句</translation>
    </message>
    <message>
        <source>Second sentence</source>
        <translation>第二句</translation>
    </message>
    <message>
        <source>Type a sentence and press Enter</source>
        <translation>输入一个句子，按回车</translation>
    </message>
    <message>
        <source>Pieces: {sentence}</source>
        <translation>子词：{sentence}</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Read both sentences and compare the word&apos;s vectors layer by layer (Enter)</source>
        <translation>读入两个句子，逐层比较这个词的向量（回车）</translation>
    </message>
</context>
<context>
    <name>TwoSentencesView</name>
    <message>
        <source>The experiment needs a model.</source>
        <translation>这个实验需要一个模型。</translation>
    </message>
    <message>
        <source>Type two sentences that share a word, and press Compare.</source>
        <translation>输入两个含有同一个词的句子，点“对比”。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Reading both sentences…</source>
        <translation>正在读入两个句子…</translation>
    </message>
    <message>
        <source>No word has the same pieces in both; choose a piece in each.</source>
        <translation>没有以相同子词出现在两句中的词；请在每句中各选一个子词。</translation>
    </message>
    <message>
        <source>Shaded words are in both sentences; click any piece to compare it.</source>
        <translation>着色的词在两句中都有；点击任一子词即可比较。</translation>
    </message>
    <message>
        <source>A word has one embedding, whatever it means. Layer by layer, attention adds to it from the words around it. Read the same word in two sentences and see where its two vectors diverge.</source>
        <translation>一个词不论是什么意思，都只有一个嵌入。注意力逐层把周围的内容加进去。把同一个词放在两个句子中读入，看它的两个向量从哪里开始分开。</translation>
    </message>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Cosine of the word&apos;s two vectors, layer by layer</source>
        <translation>这个词的两个向量的逐层余弦</translation>
    </message>
</context>
<context>
    <name>ViewTabs</name>
    <message>
        <source>Map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Every weight as a coloured cell (V: the next view)</source>
        <translation>每个权重是一个着色的单元格（V：下一种视图）</translation>
    </message>
    <message>
        <source>Flow</source>
        <translation>流向图</translation>
    </message>
    <message>
        <source>Tokens in two columns, lines by weight (F)</source>
        <translation>词元排成两列，连线粗细表示权重（F）</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>The sentence, shaded by attention (W)</source>
        <translation>按注意力着色的句子（W）</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Every head of every layer and family (A)</source>
        <translation>每一类、每一层的每一个注意力头（A）</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>贡献图</translation>
    </message>
    <message>
        <source>What one output word is made of, through all layers of both stacks (H)</source>
        <translation>一个输出词由什么构成，贯穿编码器和解码器的所有层 (H)</translation>
    </message>
</context>
<context>
    <name>Walk</name>
    <message>
        <source>before: {length} long</source>
        <translation>之前：长 {length}</translation>
    </message>
    <message>
        <source>added: {length} long, cosine with before {cosine}</source>
        <translation>所加：长 {length}，与之前的余弦 {cosine}</translation>
    </message>
    <message>
        <source>sum: {length} long, cosine with before {kept}</source>
        <translation>和：长 {length}，与之前的余弦 {kept}</translation>
    </message>
    <message>
        <source>Lengths and angles are true, in the plane that the two vectors span.</source>
        <translation>在两个向量张成的平面内，长度和角度都是真实的。</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>{name}: mean {mean}, deviation {deviation}</source>
        <translation>{name}：均值 {mean}，标准差 {deviation}</translation>
    </message>
    <message>
        <source>“{token}”</source>
        <translation>“{token}”</translation>
    </message>
    <message>
        <source>most probable words</source>
        <translation>概率最大的词</translation>
    </message>
    <message>
        <source>{value} %</source>
        <translation>{value}%</translation>
    </message>
    <message>
        <source>rank {rank}</source>
        <translation>排名 {rank}</translation>
    </message>
    <message>
        <source>dimensions 0 to {last}</source>
        <translation>第 0 到 {last} 维</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Architecture: {encoder} encoder and {decoder} decoder layers</source>
        <translation>结构：编码器 {encoder} 层，解码器 {decoder} 层</translation>
    </message>
    <message>
        <source>Paper, figure 1.</source>
        <translation>论文图 1。</translation>
    </message>
    <message>
        <source>Each token is a vector of d_model = {d} numbers; {heads} heads; {f} neurons in each network.</source>
        <translation>每个词元是 d_model = {d} 维的向量；{heads} 个注意力头；每个前馈网络有 {f} 个神经元。</translation>
    </message>
    <message>
        <source>BatchNorm stands before each sub-layer (pre-norm).</source>
        <translation>BatchNorm 在每个子层之前（pre-norm）。</translation>
    </message>
    <message>
        <source>BatchNorm stands after each residual sum (post-norm).</source>
        <translation>BatchNorm 在每次残差相加之后（post-norm）。</translation>
    </message>
    <message>
        <source>LayerNorm stands before each sub-layer (pre-norm).</source>
        <translation>LayerNorm 在每个子层之前（pre-norm）。</translation>
    </message>
    <message>
        <source>LayerNorm stands after each residual sum (post-norm), as in the paper.</source>
        <translation>LayerNorm 在每次残差相加之后（post-norm），与论文相同。</translation>
    </message>
    <message>
        <source>The numbers are being worked out…</source>
        <translation>正在计算数值…</translation>
    </message>
    <message>
        <source>embedding × {scale}</source>
        <translation>嵌入 × {scale}</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>position P</source>
        <translation>位置 P</translation>
    </message>
    <message>
        <source>sum X + P</source>
        <translation>和 X + P</translation>
    </message>
    <message>
        <source>head {head}</source>
        <translation>头 {head}</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Length of what it adds</source>
        <translation>所加向量的长度</translation>
    </message>
    <message>
        <source>Neuron</source>
        <translation>神经元</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>after layer {layer}</source>
        <translation>第 {layer} 层后</translation>
    </message>
    <message>
        <source>Next word</source>
        <translation>下一个词</translation>
    </message>
    <message>
        <source>Layer {layer} of {layers}</source>
        <translation>层 {layer}/{layers}</translation>
    </message>
    <message>
        <source>Layer {layer}</source>
        <translation>层 {layer}</translation>
    </message>
    <message>
        <source>Layers {first}–{last}</source>
        <translation>层 {first}–{last}</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Masked self-attention</source>
        <translation>掩码自注意力</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Position P</source>
        <translation>位置 P</translation>
    </message>
    <message>
        <source>X + P</source>
        <translation>X + P</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>残差相加</translation>
    </message>
    <message>
        <source>LayerNorm</source>
        <translation>层归一化（LayerNorm）</translation>
    </message>
    <message>
        <source>BatchNorm</source>
        <translation>批归一化（BatchNorm）</translation>
    </message>
    <message>
        <source>Closing BatchNorm</source>
        <translation>末尾 BatchNorm</translation>
    </message>
    <message>
        <source>Closing LayerNorm</source>
        <translation>末尾 LayerNorm</translation>
    </message>
    <message>
        <source>reads “{read}” → “{made}”</source>
        <translation>读入“{read}”→“{made}”</translation>
    </message>
    <message>
        <source>Layer walk: source token {place} of {count}, “{read}”</source>
        <translation>逐层追踪：源词元 {place}/{count}，“{read}”</translation>
    </message>
    <message>
        <source>Layer walk: step {place} of {count}, reads “{read}” → predicts “{made}”</source>
        <translation>逐层追踪：第 {place} 步，共 {count} 步，读入“{read}”→ 预测“{made}”</translation>
    </message>
    <message>
        <source>Next word, and what earlier layers would have said</source>
        <translation>下一个词，以及前面各层会给出的词</translation>
    </message>
    <message>
        <source>{side}: {stage}</source>
        <translation>{side}：{stage}</translation>
    </message>
    <message>
        <source>{side} layer {layer} of {layers}: residual connection around {sublayer}</source>
        <translation>{side}层 {layer}/{layers}：绕过{sublayer}的残差连接</translation>
    </message>
    <message>
        <source>{side} layer {layer} of {layers}: {stage} of {sublayer}</source>
        <translation>{side}层 {layer}/{layers}：{sublayer}的 {stage}</translation>
    </message>
    <message>
        <source>{side} layer {layer} of {layers}: {stage}</source>
        <translation>{side}层 {layer}/{layers}：{stage}</translation>
    </message>
    <message>
        <source>Paper, section 3.4; logit lens: nostalgebraist 2020.</source>
        <translation>论文第 3.4 节；logit lens：nostalgebraist 2020。</translation>
    </message>
    <message>
        <source>Paper, section 3.4.</source>
        <translation>论文第 3.4 节。</translation>
    </message>
    <message>
        <source>Paper, section 3.5.</source>
        <translation>论文第 3.5 节。</translation>
    </message>
    <message>
        <source>Paper, section 3.1; residual connections: He et al. 2016.</source>
        <translation>论文第 3.1 节；残差连接：He 等，2016。</translation>
    </message>
    <message>
        <source>BatchNorm: Ioffe &amp; Szegedy 2015; in a Transformer: Shen et al. 2020.</source>
        <translation>BatchNorm：Ioffe 与 Szegedy 2015；用于 Transformer：Shen 等 2020。</translation>
    </message>
    <message>
        <source>Paper, section 3.1; layer normalisation: Ba et al. 2016.</source>
        <translation>论文第 3.1 节；层归一化：Ba 等，2016。</translation>
    </message>
    <message>
        <source>Paper, section 3.3.</source>
        <translation>论文第 3.3 节。</translation>
    </message>
    <message>
        <source>Paper, sections 3.2.2 and 3.2.3.</source>
        <translation>论文第 3.2.2 和 3.2.3 节。</translation>
    </message>
    <message>
        <source>Nothing is added for the place: this model has no positions.</source>
        <translation>没有为位置加上任何东西：该模型没有位置编码。</translation>
    </message>
    <message>
        <source>Nothing is added here: this model&apos;s positions act in self-attention.</source>
        <translation>这里什么也不加：该模型的位置在自注意力中起作用。</translation>
    </message>
    <message>
        <source>Each feature is normalised by its running mean and variance, collected over the tokens of the batches in training, then scaled by γ and shifted by β. The token&apos;s own mean and standard deviation, shown here, play no part in it.</source>
        <translation>每个特征用滑动均值和方差归一化，它们是训练中在各批次的词元上累积得到的；然后乘以 γ、加上 β。这里显示的词元自身的均值和标准差不参与计算。</translation>
    </message>
    <message>
        <source>The output matrix turns the last vector into a probability for each word. Applied to the vectors of earlier layers too (the logit lens), it shows where the word is decided.</source>
        <translation>输出矩阵把最后的向量变成每个词的概率。把它也用在前面各层的向量上（logit lens），就能看出这个词是在哪里决定的。</translation>
    </message>
    <message>
        <source>Each token is looked up in a table: it gets the same row of numbers in every sentence.</source>
        <translation>每个词元查表得到一行数：在任何句子中都相同。</translation>
    </message>
    <message>
        <source>A vector for its position is added, since attention alone sees no order.</source>
        <translation>再加上表示位置的向量，因为注意力本身看不到词序。</translation>
    </message>
    <message>
        <source>Each token goes through the same small network on its own; its neurons detect features.</source>
        <translation>每个词元各自通过同一个小网络，其中的神经元检测特征。</translation>
    </message>
    <message>
        <source>The sub-layer&apos;s output is added to its input, so nothing need be lost.</source>
        <translation>子层的输出加到它的输入上，因此不必丢失任何信息。</translation>
    </message>
    <message>
        <source>This token&apos;s vector is normalised to mean 0 and standard deviation 1, then scaled by γ and shifted by β. Only this token counts: neither other tokens nor the length of the sentence matter.</source>
        <translation>这个词元的向量归一化为均值 0、标准差 1，再乘以 γ、加上 β。只涉及这个词元：不受其他词元和句子长度的影响。</translation>
    </message>
    <message>
        <source>In pre-norm the output of the stack is normalised once more, token by token.</source>
        <translation>pre-norm 时，各层堆叠的输出再逐个词元归一化一次。</translation>
    </message>
    <message>
        <source>Each decoder layer reads the encoder layer of its own depth, not the last; a closing norm comes behind that.</source>
        <translation>每个解码器层读取与自己同深度的编码器层，而不是最后一层；若有末尾归一化，则在其后进行。</translation>
    </message>
    <message>
        <source>Each decoder layer reads a learned mix of the embedding and all encoder layers; a closing norm comes behind the mix.</source>
        <translation>每个解码器层读取词嵌入与所有编码器层的混合，混合的权重由学习得到；若有末尾归一化，则在混合之后进行。</translation>
    </message>
    <message>
        <source>Earlier layers were not trained to be read this way: a hint, not what they mean.</source>
        <translation>前面各层并未为这样读取而训练：这只是提示，不是它们的含义。</translation>
    </message>
    <message>
        <source>What enters the first layer: which token, and where it stands.</source>
        <translation>进入第一层的内容：是哪个词元，在什么位置。</translation>
    </message>
    <message>
        <source>The token collects what it needs from its own sentence, each head in its own way.</source>
        <translation>词元从自己的句子中收集所需的内容，每个头各有各的方式。</translation>
    </message>
    <message>
        <source>The step collects what it needs from the words so far; later ones are masked.</source>
        <translation>这一步从已有的词中收集所需的内容；后面的词被掩蔽。</translation>
    </message>
    <message>
        <source>The step collects what it needs from the source sentence.</source>
        <translation>这一步从源句中收集所需的内容。</translation>
    </message>
    <message>
        <source>What it adds is {length} long.</source>
        <translation>所加向量长 {length}。</translation>
    </message>
    <message>
        <source>Head {head} adds most.</source>
        <translation>头 {head} 加得最多。</translation>
    </message>
    <message>
        <source>{active} of {total} neurons are above 0 ({share} %). What they add is {length} long.</source>
        <translation>{total} 个神经元中有 {active} 个大于 0（{share}%）。所加向量长 {length}。</translation>
    </message>
    <message>
        <source>From {before} to {after} long.</source>
        <translation>长度从 {before} 变为 {after}。</translation>
    </message>
    <message>
        <source>From {before} to {after} long; without γ and β it would be √{size} = {plain}.</source>
        <translation>长度从 {before} 变为 {after}；没有 γ 和 β 则为 √{size} = {plain}。</translation>
    </message>
    <message>
        <source>The cosine between before and after is {kept}: 1 would be the same direction as before.</source>
        <translation>之前与之后的余弦为 {kept}：1 表示方向与之前相同。</translation>
    </message>
    <message>
        <source>Each token is a vector of d_model = {d} numbers; {heads} heads; {f} neurons in each network of the encoder, {g} in each of the decoder.</source>
        <translation>每个词元是 d_model = {d} 维的向量；{heads} 个注意力头；编码器的每个前馈网络有 {f} 个神经元，解码器的有 {g} 个。</translation>
    </message>
</context>
<context>
    <name>WalkBar</name>
    <message>
        <source>What was computed before (Page Up)</source>
        <translation>上一步计算（Page Up）</translation>
    </message>
    <message>
        <source>What is computed next (Page Down)</source>
        <translation>下一步计算（Page Down）</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>End tour</source>
        <translation>结束导览</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Watch it compute (Space)</source>
        <translation>观看计算过程（空格）</translation>
    </message>
</context>
<context>
    <name>WalkView</name>
    <message>
        <source>{name}: {length} long</source>
        <translation>{name}：长 {length}</translation>
    </message>
    <message>
        <source>{name}: {length} long, {change} compared with the input</source>
        <translation>{name}：长 {length}，比输入 {change}</translation>
    </message>
</context>
<context>
    <name>Waterfall</name>
    <message>
        <source>{count} others together</source>
        <translation>其余 {count} 项合计</translation>
    </message>
    <message>
        <source>{name}: {value}; so far {sum}</source>
        <translation>{name}：{value}；累计 {sum}</translation>
    </message>
</context>
<context>
    <name>WavelengthsPanel</name>
    <message>
        <source>This model&apos;s positions are learned: no pair of dimensions turns at a speed of its own, so there are no wavelengths. Show sinusoids to see what they are.</source>
        <translation>此模型的位置编码是学得的：没有哪一对维以自己的速度转动，因此没有波长。要知道波长是什么，请查看正弦编码。</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Position whose hands are shown</source>
        <translation>显示哪个位置的指针</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>维度对</translation>
    </message>
    <message>
        <source>Pair of dimensions to show</source>
        <translation>要显示的维度对</translation>
    </message>
    <message>
        <source>Wavelengths and hands of all pairs</source>
        <translation>所有维度对的波长和指针</translation>
    </message>
    <message>
        <source>Stop the hands</source>
        <translation>停住指针</translation>
    </message>
    <message>
        <source>Let the hands turn, position by position</source>
        <translation>让指针逐个位置转动</translation>
    </message>
</context>
<context>
    <name>WhatIfPanel</name>
    <message>
        <source>Translating with the altered model…</source>
        <translation>正在用改动后的模型翻译…</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部还原</translation>
    </message>
    <message>
        <source>Reset all changes (Ctrl+R)</source>
        <translation>还原所有改动（Ctrl+R）</translation>
    </message>
    <message>
        <source>Translate a sentence; then switch heads off or block words here and see what happens.</source>
        <translation>翻译一个句子，然后在这里关闭注意力头或屏蔽词元，看译文会怎样。</translation>
    </message>
    <message>
        <source>This run was altered before it was opened. Translate its sentence again to change more.</source>
        <translation>这次解码在打开之前就已被改动。要做更多改动，请重新翻译它的句子。</translation>
    </message>
    <message>
        <source>Translating; change the model once it is done.</source>
        <translation>正在翻译；完成之后才能改动模型。</translation>
    </message>
    <message>
        <source>Head importance</source>
        <translation>注意力头的重要性</translation>
    </message>
    <message>
        <source>A model must be open to translate with changes. Open one to go on.</source>
        <translation>要在改动后翻译，必须先打开模型。请打开一个模型。</translation>
    </message>
    <message>
        <source>Another model made this run. Open that one, or translate the sentence with the model in use.</source>
        <translation>这次解码由另一个模型产生。请打开那个模型，或用当前模型翻译这个句子。</translation>
    </message>
</context>
<context>
    <name>WindowNotices</name>
    <message>
        <source>Open {model}</source>
        <translation>打开 {model}</translation>
    </message>
    <message>
        <source>Show the time-lapse</source>
        <translation>显示延时回放</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>开始导览</translation>
    </message>
</context>
<context>
    <name>WordEditor</name>
    <message>
        <source>after “{word}” …</source>
        <translation>在“{word}”之后…</translation>
    </message>
    <message>
        <source>instead of “{word}” …</source>
        <translation>代替“{word}”…</translation>
    </message>
    <message>
        <source>Enter: the model continues from what you type. Esc: cancel.</source>
        <translation>回车：模型从您输入的内容继续。Esc：放弃。</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>&lt; 0.1 %</source>
        <translation>&lt; 0.1%</translation>
    </message>
    <message>
        <source>reads “{reads}” → predicts “{predicts}”</source>
        <translation>读入“{reads}”→ 预测“{predicts}”</translation>
    </message>
    <message>
        <source>reads “{reads}” → predicts “{predicts}”, {share}</source>
        <translation>读入“{reads}”→ 预测“{predicts}”，{share}</translation>
    </message>
    <message>
        <source>reads “{reads}” → (given) “{predicts}”, to the model {share}</source>
        <translation>读入“{reads}”→ 给定“{predicts}”，模型给它 {share}</translation>
    </message>
    <message>
        <source>{number} %</source>
        <translation>{number}%</translation>
    </message>
    <message>
        <source> (rank {rank})</source>
        <translation> · 排名 {rank}</translation>
    </message>
</context>
<context>
    <name>WordsTools</name>
    <message>
        <source>Reads</source>
        <translation>关注谁</translation>
    </message>
    <message>
        <source>Shade the tokens by how much the chosen one reads them (a row of the map)</source>
        <translation>按所选词元读各词元的多少着色（图中的一行）</translation>
    </message>
    <message>
        <source>Is read by</source>
        <translation>被谁关注</translation>
    </message>
    <message>
        <source>Shade the tokens by how much they read the chosen one (a column of the map)</source>
        <translation>按各词元读所选词元的多少着色（图中的一列）</translation>
    </message>
    <message>
        <source>Click a token, or use the arrow keys, to choose it.</source>
        <translation>点击词元或用方向键选择。</translation>
    </message>
</context>
<context>
    <name>Writing</name>
    <message>
        <source>Copying the picture</source>
        <translation>正在复制图片</translation>
    </message>
    <message>
        <source>Picture copied</source>
        <translation>图片已复制</translation>
    </message>
    <message>
        <source>Cancelled: nothing was copied</source>
        <translation>已取消：没有复制任何内容</translation>
    </message>
    <message>
        <source>Writing {name}</source>
        <translation>正在写 {name}</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
    <message>
        <source>Cancelled: nothing was written</source>
        <translation>已取消：没有写任何内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Saved {files} of {total} files</source>
        <translation>已保存 {files} 个文件，共 {total} 个</translation>
    </message>
    <message>
        <source>Saved {name}: {frames} frames, {size}</source>
        <translation>已保存 {name}：{frames} 帧，{size}</translation>
    </message>
</context>
<context>
    <name>WrittenSection</name>
    <message>
        <source>These words are no candidates of this step: choose others.</source>
        <translation>这些词不是这一步的候选：请另选。</translation>
    </message>
    <message>
        <source>no other word</source>
        <translation>不与别的词比</translation>
    </message>
    <message>
        <source>‹ Candidates</source>
        <translation>‹ 候选词</translation>
    </message>
    <message>
        <source>Back to the candidates for the next word</source>
        <translation>回到下一个词的候选</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>What is told of the word</source>
        <translation>说明这个词的什么</translation>
    </message>
    <message>
        <source>what each head wrote</source>
        <translation>每个注意力头写了什么</translation>
    </message>
    <message>
        <source>what each token did</source>
        <translation>每个词元的作用</translation>
    </message>
    <message>
        <source>For</source>
        <translation>为</translation>
    </message>
    <message>
        <source>rather than</source>
        <translation>而非</translation>
    </message>
    <message>
        <source>Word that is explained</source>
        <translation>要解释的词</translation>
    </message>
    <message>
        <source>Word that it is compared with</source>
        <translation>与之相比的词</translation>
    </message>
    <message>
        <source>Colour the heads by it</source>
        <translation>按此给注意力头上色</translation>
    </message>
</context>
</TS>
