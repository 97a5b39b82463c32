"""Tiny random encoders of every architecture, in folders of the usual layout, with tokenisers of the usual kinds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SIZES = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 66,
}  # fmt: skip
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = "the cat dog sees Kim Pat sleep likes".split()  # noqa: SIM905

ENCODERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "bert-cased": ("bert", "cased", {}),
    "bert-uncased": ("bert", "uncased", {}),
    "roberta": ("roberta", "bytes", {"pad_token_id": 1}),
    "mpnet": ("mpnet", "uncased", {"pad_token_id": 1}),
    "deberta-v3": (
        "deberta-v2", "unigram",
        {
            "relative_attention": True, "position_buckets": 16, "pos_att_type": ["p2c", "c2p"], "share_att_key": True,
            "norm_rel_ebd": "layer_norm", "position_biased_input": False, "type_vocab_size": 0,
        },
    ),
    "electra": ("electra", "uncased", {"embedding_size": 16}),
    "modernbert": ("modernbert", "bytes", {"local_attention": 8, "global_attn_every_n_layers": 2}),
}  # fmt: skip
"""By name: the type in ``config.json``, the kind of tokeniser, further settings."""


def write_encoder(folder: Path, name: str) -> Path:
    """The folder of one encoder."""
    import torch  # noqa: PLC0415
    from transformers import AutoConfig, AutoModel  # noqa: PLC0415

    kind, splitting, further = ENCODERS[name]
    tokenizer = make_tokenizer(splitting)
    torch.manual_seed(0)
    marks = {"pad_token_id": 0, "bos_token_id": 2, "cls_token_id": 2, "eos_token_id": 3, "sep_token_id": 3}
    sizes = {**SIZES, **marks, "vocab_size": tokenizer.get_vocab_size(), **further}
    model = AutoModel.from_config(AutoConfig.for_model(kind, **sizes))
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=0.2)
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def make_tokenizer(kind: str) -> Any:
    """WordPiece cased or uncased, byte-level BPE without a blank of its own, Unigram."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors  # noqa: PLC0415

    letters = [chr(code) for code in range(33, 127)]
    if kind == "bytes":
        alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
        joined = [("Ġ", "t"), ("Ġt", "h"), ("Ġth", "e"), ("c", "a"), ("ca", "t"), ("Ġ", "cat")]
        vocabulary = [*MARKS, *alphabet, *(left + right for left, right in joined)]
        tokenizer = Tokenizer(models.BPE({piece: n for n, piece in enumerate(vocabulary)}, joined))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    elif kind == "unigram":
        pieces = [*MARKS, "▁", *("▁" + word for word in WORDS), *letters]
        tokenizer = Tokenizer(models.Unigram([(piece, -float(n)) for n, piece in enumerate(pieces)], unk_id=1))
        tokenizer.normalizer = normalizers.Sequence([normalizers.Strip(), normalizers.NFKC()])
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    else:
        words = WORDS if kind == "cased" else [word.lower() for word in WORDS]
        vocabulary = [*MARKS, *words, *letters, *("##" + letter for letter in letters)]
        table = {piece: n for n, piece in enumerate(dict.fromkeys(vocabulary))}
        tokenizer = Tokenizer(models.WordPiece(table, unk_token="[UNK]"))
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=kind == "uncased")
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(MARKS)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return tokenizer
