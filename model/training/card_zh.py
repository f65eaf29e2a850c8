"""Model card in Chinese, a bundle's `README.zh.md`: what `model.training.card` says in English."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from model.data.tasks import TASKS
from model.folder.bundle_config import BundleConfig, count_parameters
from model.folder.languages import chinese_name
from model.folder.training_log import newest_options, summary

# Marks a card as ours, so that one written by a person is never replaced.
MARK = "<!-- written by headscope train; remove this line to keep your own text -->"

_USE = (
    "在此文件夹中，`headscope .` 打开窗口并载入此模型；`headscope translate --model . 文本` 翻译；"
    "`headscope info .` 说明模型。权重采用 `torch.nn.Transformer` 的名称；`example.trace` 是一次录制的解码。"
)
_CAUTION = "一个词对另一个词的注意力高，本身并不能解释输出。"
_WIRINGS = {
    "same_depth": "每个解码器层读取同深度的编码器层，",
    "mix": "每个解码器层读取所有编码器层的学得的混合，",
}
_POSITIONS = {"sinusoidal": "正弦", "learned": "学得的"}


def card_text_zh(config: BundleConfig, entries: list[dict[str, Any]]) -> str:
    """The card, in Markdown.

    Args:
        entries: of the bundle's training log.
    """
    told = summary(entries)
    options = newest_options(entries)
    parts = [f"# {config.name}", MARK, _about(config)]
    if told is not None:
        parts += ["## 训练", _training(told, options), "## 质量", _quality(told, options)]
    parts += ["## 用法", _USE, "## 不足", _limits(told, options)]
    return "\n\n".join(parts) + "\n"


def _about(config: BundleConfig) -> str:
    a = config.architecture
    source, target = config.languages
    languages = "" if source == target == "und" else f"{chinese_name(source)}到{chinese_name(target)}的"
    positions = _POSITIONS.get(a.positions)
    encoding = (
        "没有位置编码" if positions is None else f"{positions}位置编码（最多 {a.max_positions} 个位置）"
    )
    return (
        f"{languages}编码器–解码器 Transformer：编码器 {a.encoder_layers} 层，解码器 {a.decoder_layers} 层，"
        f"每层 {a.n_heads} 个注意力头，d_model {a.d_model}，d_ff {a.d_ff}，"
        f"{a.norm.replace('_', '-')}{'（BatchNorm）' if a.normalisation == 'batch' else ''}，"
        f"{_WIRINGS.get(a.wiring, '')}{encoding}；{'一次全写、逐轮修改；' if a.in_rounds else ''}"
        f"源端 {a.source_vocab} 个子词，目标端 {a.target_vocab} 个子词；{count_parameters(a):,} 个参数。"
    )


def _training(told: dict[str, Any], options: dict[str, Any]) -> str:
    lines = ["命令：", "", f"    {told['command']}", ""]
    for each in told["resumed"]:
        lines += [f"从第 {each['step'] or 0:,} 步继续：", "", f"    {each['command']}", ""]
    task = TASKS.get(options.get("task", ""))
    if task is not None:
        lines += [f"数据：由程序生成的 {options['task_size']:,} 个句对。{task.about_zh}", ""]
    lines += ["数据的 SHA-256：", ""]
    lines += [f"- `{name}`: {digest}" for name, digest in told["data"].items()]
    lines += ["", "，".join(_amounts(told)) + "。"]
    return "\n".join(lines)


def _amounts(told: dict[str, Any]) -> Iterator[str]:
    pairs = told["pairs"]
    if "train" in pairs:
        yield f"训练用 {pairs['train']:,} 个句对"
    if pairs.get("dev"):
        yield f"留出 {pairs['dev']:,} 个"
    last = told["last_eval"]
    if last is not None:
        yield f"{last['step']:,} 步（数据遍历 {last['epoch']:.1f} 遍）"
    if told["minutes"] is not None:
        yield f"{told['minutes']:.1f} 分钟"
    versions = told["versions"]
    if versions:
        yield "使用 " + " ".join(f"{name} {version}" for name, version in versions.items())
    yield f"种子 {told['seed']}"


def _quality(told: dict[str, Any], options: dict[str, Any]) -> str:
    best = told["best"]
    if best is None:
        return "未测量。"
    few = told["pairs"].get("dev") == 0
    where = "训练数据中的句对上（句对太少，无法留出）" if few else "留出的句对上"
    kind = "权重的滑动平均" if best["averaged"] else "权重"
    text = f"在{where}，第 {best['step']:,} 步时，{kind}的损失为每个目标词元 {best['heldout_loss']:.3f} nat"
    if best["bleu"] is None:
        return text + "。"
    most = (options.get("train") or {}).get("bleu_sentences")
    amount = f"，至多 {most} 句" if most else ""
    return (
        f"{text}，BLEU 为 {best['bleu']:.1f}（sacreBLEU，贪心解码，第一个参考译文{amount}）。"
        "权重是用这些句对选出的，因此数字略为偏高；`headscope evaluate` 可在其他句对上测量。"
    )


def _limits(told: dict[str, Any] | None, options: dict[str, Any]) -> str:
    task = TASKS.get(options.get("task", ""))
    if task is not None:
        return f"{task.limits_zh}{_CAUTION}"
    seen = "" if told is None else "它只知道上述数据，连同其中的偏差和错误。"
    return (
        f"它用来观察注意力，翻译结果不可依赖。{seen}遇到人名、数字和数据中罕见的词，"
        "比训练句子更长或不同类型的句子，以及需要句子以外知识的地方，都会出错；"
        f"它可能重复、遗漏，并且错得很自信。{_CAUTION}"
    )
