# Everything sets itself up: git, make, a C++ compiler and Python 3.11 or later are enough.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt $(wildcard native/*.cpp native/*.hpp)

.PHONY: help demo test train-test extras-test browser-test lint types bench native-test docs docs-serve clean

help:
	@echo "make demo         parse a sentence: derivations, certificates, dependencies"
	@echo "make test         run the tests"
	@echo "make train-test   run the tests of training, which need torch"
	@echo "make extras-test  run the tests of what works with spaCy and NLTK"
	@echo "make browser-test run the tests of the page in a Chromium"
	@echo "make lint         check the style (ruff)"
	@echo "make types        check the types (mypy --strict)"
	@echo "make bench        measure; DATA='FILE.auto ...' adds a treebank of your own"
	@echo "make native-test  test the native core under sanitizers"
	@echo "make docs         build the site of the documentation, into site/"
	@echo "make docs-serve   show it while you write"
	@echo "make clean        remove what was built, the virtual environment too"

demo: $(READY)
	@$(BIN)/starccg parse "Fruit flies like bananas." --nbest 2
	@$(BIN)/starccg parse "Fruit flies like bananas." --nbest 2 --format parg

test: $(READY)
	$(BIN)/python -m pytest

# Torch is pinned so that pip takes a plain CPU build where one is at hand; without torch these tests are skipped.
train-test: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check torch==2.13.0 onnx
	$(BIN)/python -m pytest tests/training tests/training_global tests/training_model tests/experiments tests/tagger

# The programs that read our formats: as root they are installed, else the tests that need a missing one are skipped.
READERS := swipl dot xmllint pdflatex
extras-test: $(READY)
	$(PIP) spacy nltk lxml
	@missing=$$(for p in $(READERS); do command -v $$p >/dev/null || echo $$p; done); test -z "$$missing" \
	|| { test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	--no-install-recommends swi-prolog-nox graphviz libxml2-utils texlive-latex-recommended >/dev/null; } \
	|| echo "not here, so their tests are skipped:" $$missing >&2
	$(BIN)/python -m pytest tests/integrations tests/formats tests/test_readme.py

# Playwright drives the Chromium of the distribution; it downloads none of its own.
browser-test: $(READY)
	$(PIP) playwright
	@command -v "$${STARCCG_CHROMIUM:-chromium}" >/dev/null || command -v chromium-browser >/dev/null \
	|| { test "$$(id -u)" = 0 && apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } \
	|| { echo "error: no Chromium found; install it (apt-get install chromium) or name it: STARCCG_CHROMIUM=..." >&2; exit 1; }
	$(BIN)/python -m pytest tests/browser

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/python benchmarks/formats.py
ifneq ($(DATA),)
	$(BIN)/python benchmarks/roundtrip.py $(DATA)
	$(BIN)/python benchmarks/compile_grammar.py $(DATA)
	$(BIN)/python benchmarks/licensing.py $(DATA)
endif

native-test: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" native/sanitize.sh

# The pages as a site that needs no other machine. A broken link or a name that the code does not have ends the build.
docs: $(READY)
	$(PIP) $$($(BIN)/python -c \
	'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["docs"])')
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs-serve: docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

# Python sources are used in place; only a change of the build or of the native core installs again. The build takes its
# tools from the same environment, not from a new one each time, so that only what changed is compiled again.
$(READY): pyproject.toml $(NATIVE)
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or later found; name it: make PYTHON=..." >&2; exit 1; }
	@echo "setting up .venv (once; builds the native core)"
	@$(PYTHON) -m venv .venv
	@$(PIP) $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])') cmake ninja
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
