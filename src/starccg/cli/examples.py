"""The examples at the end of each command's help. The tests check every one against the command that it calls."""

from __future__ import annotations

from typing import Any

EXAMPLES: dict[str, tuple[str, ...]] = {
    "": (
        'starccg parse "Fruit flies like bananas."      draw the best parse, with its certificate',
        "starccg parse -i text.txt -o parses.auto       parse a file",
        "starccg convert parses.auto                    draw the derivations",
        "starccg convert parses.auto parses.parg        write their dependencies",
        "starccg eval --gold a.auto --predicted b.auto  score parses against a treebank",
        "starccg COMMAND --help                         more about a command, with examples",
    ),
    "parse": (
        'starccg parse "Fruit flies like bananas."         draw the best parse, with its certificate',
        'starccg parse "Fruit flies like bananas." -n 3    the three best, each proved',
        "starccg parse -i a.txt -i b.txt -o parses.auto    files; the extension decides the format",
        "starccg parse --lines -f jsonl < sentences.txt    one sentence and one result per line",
        "starccg parse --tokenized -f parg < tokens.txt    words separated by spaces; dependencies",
        "starccg parse -i a.txt --decoder supertag -t 4    the supertag-factored parser on four threads",
    ),
    "corpus": (
        "starccg corpus texts/ --out parses/               all .txt, .tok and .jsonl files, on all cores; resumes",
        "starccg corpus a.jsonl.gz --keep id -o parses/    JSON lines: copy the field id to the output",
        "starccg corpus a.txt -o parses/ -f auto -p 4      CCGbank's format, four processes",
    ),
    "convert": (
        "starccg convert parses.auto                       draw the derivations",
        "starccg convert parses.auto parses.parg           write their dependencies",
        "starccg convert en.conllu en.auto --skip-bad      convert Universal Dependencies to CCG",
        "starccg convert - out.json --from auto            read standard input",
    ),
    "eval": (
        "starccg eval --gold dev.auto --predicted parses.auto",
        "starccg eval --gold dev.auto --predicted parses.auto --relations 20       by category and slot",
        "starccg eval --gold dev.parg --predicted a.parg --predicted b.parg        does b differ from a?",
        "starccg eval --gold dev.auto --predicted parses.auto --json               for other programs",
    ),
    "treebank normalise": ("starccg treebank normalise pmb.auto ccgbank-like.auto",),
    "treebank gold": ("starccg treebank gold train.auto -o gold.auto --grammar grammar.json --set-aside aside.auto",),
    "treebank stats": (
        "starccg treebank stats train.auto dev.auto",
        "starccg treebank stats train.auto --json",
    ),
    "treebank constructions": ("starccg treebank constructions constructions-train.auto --each 40",),
    "treebank split": ("starccg treebank split all.auto part --into train=0.9 --into dev=0.1",),
    "train tagger": (
        "starccg train tagger configs/tagger-encoder.toml --data DATA --out runs/tagger",
        "starccg train tagger configs/tagger-lstm.toml --data DATA --out runs/try --limit 500 --epochs 1",
    ),
    "train jackknife": ("starccg train jackknife configs/tagger-encoder.toml --data DATA --out runs/tags",),
    "train export": ("starccg train export runs/tagger models/tagger --data DATA",),
    "train global": (
        "starccg train global configs/global.toml --data DATA --out runs/global",
        "starccg train global configs/global.toml --data DATA --out runs/try --set learning.epochs=1 --limit 500",
    ),
    "train model": (
        "starccg train model configs/en.toml --data DATA --out runs/en                the whole default model",
        "starccg train model configs/en.toml --data DATA --out runs/try --limit 200   does it work here?",
    ),
    "bench": (
        "starccg bench                                   sentences that come with starccg",
        "starccg bench dev.auto --decoder global -t 1    a treebank, one decoder, one thread",
        "starccg bench text.txt --sentences 500 --json   the first 500 sentences of a text, as JSON",
    ),
    "serve": (
        "starccg serve --open                                                     open the page in the browser",
        "starccg serve --port 8080 --threads 8 --allow-host parser.example.org    behind a reverse proxy",
    ),
    "models list": ("starccg models list",),
    "models assemble": (
        "starccg models assemble models/mine --tagger models/tagger --global runs/global/best --treebank gold.auto",
    ),
    "models share": ("starccg models share models/mine en",),
    "experiment results": ("starccg experiment results --dev dev.auto",),
    "experiment decoders": ("starccg experiment decoders --dev dev.auto --sentences 200",),
    "experiment confidence": ("starccg experiment confidence --dev dev.auto",),
    "experiment lazy": ("starccg experiment lazy --dev dev.auto --out runs/experiments",),
    "experiment garden-path": ('starccg experiment garden-path "The horse raced past the barn fell."',),
    "experiment scaling": ("starccg experiment scaling --dev dev.auto --per-length 10 --longest 60",),
    "experiment ablations": ("starccg experiment ablations --data DATA --sentences 1000 --epochs 2",),
    "experiment updates": ("starccg experiment updates --data DATA",),
    "experiment learning-curves": ("starccg experiment learning-curves --data DATA",),
    "experiment trainings": ("starccg experiment trainings --data DATA --jobs 4",),
    "experiment document": ("starccg experiment document docs/results.md --out runs/experiments",),
    "reproduce": (
        "starccg reproduce --ccgbank ccgbank_1_1 --out runs/paper",
        "starccg reproduce --ccgbank ccgbank_1_1 --out runs/paper --only-full --device cuda",
    ),
}
"""By the words of the command; the text after two spaces says what the example does."""


def epilog(command: str) -> str:
    """The examples as the last section of a command's help; a group shows the first example of each command."""
    own = EXAMPLES.get(command) or tuple(it[0] for name, it in EXAMPLES.items() if name.startswith(f"{command} "))
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in own)]) if own else ""


KINDS = {"str": "TEXT", "int": "N", "int range": "N", "float": "NUMBER", "float range": "NUMBER", "path": "PATH"}
"""What the help calls the values of options, by the type that Typer would name."""


def attach(name: str, command: Any) -> None:
    """Add the examples to the help of a command and its subcommands, and name the values of options.

    Whether a file can be read is left to the command: the library would call it an error of the command line.
    """
    command.epilog = command.epilog or epilog(name)
    command.short_help = command.short_help or (command.help or "").partition("\n\n")[0].replace("\n", " ")  # in full
    for parameter in command.params:
        _name_value(parameter)
        if descriptor := getattr(parameter, "type_descriptor", None):
            descriptor.parameter_info.readable = False
    for each, held in getattr(command, "commands", {}).items():
        attach(f"{name} {each}", held)


def _name_value(parameter: Any) -> None:
    """``--threads N`` instead of ``--threads <int range>``, which recent versions of Typer write."""
    if parameter.param_type_name == "argument":
        usage = [piece.strip("{}").replace("}...", "...") for piece in parameter.get_usage_pieces(None)]
        parameter.get_usage_pieces = lambda ctx: usage  # IN, not {IN}
        parameter.display_type_rich = lambda ctx: None
    elif parameter.metavar is None and not parameter.is_flag and hasattr(parameter, "display_type"):
        label = parameter.display_type(None).strip("<>").removeprefix("list[").removesuffix("]")
        parameter.metavar = KINDS.get(label.lower(), label)
