"""The packages that starccg is installed with: exact versions, oldest versions, licences.

    python .ci/dependencies.py lock       write constraints.txt: the versions that are installed here
    python .ci/dependencies.py lowest     print the oldest versions that pyproject.toml allows
    python .ci/dependencies.py licences   print each package with its licence; ends with 1 for one that is not known

All three are about the parser with the extra ``serve``: what a server on the web runs. ``lowest`` adds pytest.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DIRECT = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["serve"]]
TEST_TOOLS = ("httpx", "hypothesis", "pytest", "pytest-timeout", "pytest-xdist")
NAME = re.compile(r"[A-Za-z0-9_.-]+")
PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|PSF|PSFL|Python Software Foundation|MPL|0BSD|ISC|Zlib|CC0)\b", re.IGNORECASE
)
COPYLEFT = re.compile(r"\b(A?GPL|LGPL|GNU|SSPL|BUSL|proprietary)\b", re.IGNORECASE)


def normal(name: str) -> str:
    """A name as all spellings of it are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed() -> dict[str, str]:
    """What is needed, with all that it needs in turn, and the versions that are installed here."""
    found: dict[str, str] = {}
    waiting = [requirement for requirement in DIRECT if "extra ==" not in requirement]
    while waiting:
        match = NAME.match(waiting.pop())
        assert match
        name = normal(match[0])
        if name in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue  # for other systems or versions of Python
        found[name] = package.version
        waiting += [needed for needed in package.requires or () if "extra ==" not in needed]
    return dict(sorted(found.items()))


def oldest(requirement: str) -> str:
    """``numpy>=1.26`` as ``numpy==1.26``."""
    name, _, version = requirement.partition(">=")
    return f"{name}=={version}"


def licence(name: str) -> str:
    """The licence that a package declares."""
    about = distribution(name).metadata
    classified = [one.rpartition(":: ")[2] for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    declared = str(about.get("License-Expression") or about.get("License") or "").splitlines()
    return (declared[0] if declared else "") or ", ".join(classified) or "not declared"


def main() -> None:
    """Run one of the three."""
    match sys.argv[1:]:
        case ["lock"]:
            lines = [f"{name}=={version}" for name, version in installed().items()]
            head = "# Written by make lock, for: pip install -c constraints.txt '.[serve]'"
            (ROOT / "constraints.txt").write_text("\n".join([head, *lines, ""]))
        case ["lowest"]:
            tools = [one for one in PROJECT["optional-dependencies"]["dev"] if one.partition(">=")[0] in TEST_TOOLS]
            print("\n".join([*map(oldest, DIRECT), *tools]))
        case ["licences"]:
            print("| package | version | licence |\n|---|---|---|")
            licences = {name: licence(name) for name in installed()}
            for name, version in installed().items():
                print(f"| {name} | {version} | {licences[name]} |")
            wrong = [name for name, text in licences.items() if COPYLEFT.search(text) or not PERMISSIVE.search(text)]
            if wrong:
                sys.exit(f"error: these licences are not known to be permissive, read them: {', '.join(wrong)}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
