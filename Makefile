# Each target sets up what it needs in .venv. Required: git, make, a C++ compiler, and Python 3.11 or later.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
BUILT := .venv/.built
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
NATIVE := CMakeLists.txt $(wildcard native/*.cpp native/*.hpp)
PYTEST := $(BIN)/python -m pytest
# The requirements of a table of pyproject.toml: $(call requirements,["build-system"]["requires"])
requirements = $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))$(1))')

.PHONY: help demo check fast-test test lowest-test licences lock train-test extras-test browser-test api-test lint types bench native-test fuzz fuzz-native io-errors docs docs-serve dist clean

help:
	@echo "make demo         parse a sentence: derivations, certificates, dependencies"
	@echo "make check        run the fast tests, the linter and the type checker: for every edit"
	@echo "make fast-test    run the fast tests alone, with a tenth of the random cases"
	@echo "make test         run all tests that need no extra, on all cores"
	@echo "make lowest-test  run the fast tests with the oldest versions of all dependencies"
	@echo "make licences     print the licences of all dependencies; an error for one that is not permissive"
	@echo "make lock         write the versions that are installed in .venv to constraints.txt"
	@echo "make train-test   run the tests of training, which need torch"
	@echo "make extras-test  run the tests of the integrations, and of our formats in other programs"
	@echo "make browser-test run the tests of the page in Chromium"
	@echo "make api-test     check the server against its OpenAPI description, and behind nginx; EXAMPLES=15 is short"
	@echo "make lint         check the style (ruff)"
	@echo "make types        check the types (mypy --strict)"
	@echo "make bench        run the benchmarks of the formats; DATA='FILE.auto ...' adds a treebank of your own"
	@echo "make native-test  test the native core with sanitizers"
	@echo "make fuzz         fuzz the readers and model folders (atheris); SECONDS=60 of all targets together"
	@echo "make fuzz-native  fuzz the native core (libFuzzer) with sanitizers; SECONDS=60"
	@echo "make io-errors    run commands with every call that reads or writes a file failing in turn"
	@echo "make docs         build the documentation into site/"
	@echo "make docs-serve   show the documentation while you write"
	@echo "make dist         build the source package and the wheel, install the wheel in an empty environment and parse"
	@echo "make clean        remove everything that was built, and the virtual environment"

demo: $(BUILT)
	@$(BIN)/starccg parse "She saw the man with the telescope." --nbest 2
	@$(BIN)/starccg parse "She saw the man with the telescope." --nbest 2 --format parg

check: $(READY)
	@$(MAKE) --no-print-directory --jobs --output-sync lint types fast-test

fast-test: $(READY)
	STARCCG_HYPOTHESIS=quick $(PYTEST) -n auto -m "not slow"

test: $(READY)
	$(PYTEST) -n auto

# The tests of what calls other packages. Python 3.11 or 3.12: the oldest versions have no packages for later ones.
DEPENDENT := $(addprefix tests/,cli model_folder parser server tagger text)
lowest-test: $(BUILT)
	$(PYTHON) -m venv build/lowest-env
	build/lowest-env/bin/python -m pip install --quiet --disable-pip-version-check \
	$(call requirements,["build-system"]["requires"]) cmake ninja $$($(BIN)/python .ci/dependencies.py lowest)
	PATH="$(CURDIR)/build/lowest-env/bin:$$PATH" build/lowest-env/bin/python -m pip install --quiet --no-deps \
	--disable-pip-version-check --no-build-isolation --config-settings build-dir=build/lowest .
	build/lowest-env/bin/python -m pytest -n auto -m "not slow" -p no:cacheprovider $(DEPENDENT)

licences: $(BUILT)
	@$(PIP) $(call requirements,["project"]["optional-dependencies"]["serve"])
	@$(BIN)/python .ci/dependencies.py licences

lock: $(READY)
	$(BIN)/python .ci/dependencies.py lock

# Torch is pinned so that pip takes a plain CPU build where there is one; without torch these tests are skipped.
train-test: $(READY)
	$(PIP) torch==2.13.0 onnx onnxscript transformers tokenizers
	$(PYTEST) -n auto tests/training tests/experiments tests/tagger

# The programs that read our formats. As root they are installed; otherwise the tests that need a missing one are skipped.
READERS := swipl dot xmllint pdflatex
extras-test: $(READY)
	$(PIP) torch==2.13.0 spacy nltk lxml "ray[data]" pandas lambeq depccg
	@missing=$$(for p in $(READERS); do command -v $$p >/dev/null || echo $$p; done); test -z "$$missing" \
	|| { test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
	--no-install-recommends swi-prolog-nox graphviz libxml2-utils texlive-latex-recommended >/dev/null; } \
	|| echo "not installed, so their tests are skipped:" $$missing >&2
	$(PYTEST) -n auto tests/integrations tests/formats tests/test_readme.py

# Playwright drives the Chromium of the distribution; it downloads none of its own.
browser-test: $(READY)
	$(PIP) playwright
	@command -v "$${STARCCG_CHROMIUM:-chromium}" >/dev/null || command -v chromium-browser >/dev/null \
	|| { test "$$(id -u)" = 0 && apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } \
	|| { echo "error: no Chromium found; install it (apt-get install chromium) or name it: STARCCG_CHROMIUM=..." >&2; exit 1; }
	$(PYTEST) tests/browser

# nginx is installed, and not started (RUNLEVEL), to run the configuration of the docs in front of the server.
EXAMPLES ?= 500
api-test: $(READY)
	$(PIP) schemathesis
	@command -v nginx /usr/sbin/nginx >/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq \
	&& RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nginx-light >/dev/null; } \
	|| echo "not installed, so its tests are skipped: nginx" >&2
	STARCCG_EXAMPLES=$(EXAMPLES) $(PYTEST) tests/server/test_schema.py tests/server/test_nginx.py

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

# Fuzzing starts from tests/fuzz/corpus and native/fuzz/corpus, and puts there what causes a defect.
SECONDS ?= 60
fuzz: $(READY)
	$(PIP) atheris
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

# Each call that reads or writes a file fails in turn (Linux). make test does the same with a few calls of each command.
io-errors: $(READY)
	$(BIN)/python -m tests.io_errors

# libFuzzer is a part of clang. As root it is installed; where there is none, this fuzzer is skipped.
HAS_LIBFUZZER := echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' \
	| $${CLANGXX:-clang++} -fsanitize=address,undefined,fuzzer -x c++ -o /dev/null - 2>/dev/null
fuzz-native: $(READY)
	@$(HAS_LIBFUZZER) || { test "$$(id -u)" = 0 && apt-get update -qq \
	&& DEBIAN_FRONTEND=noninteractive apt-get install -y -qq clang libclang-rt-dev >/dev/null; } || true
	@if $(HAS_LIBFUZZER); then PATH="$(CURDIR)/$(BIN):$$PATH" native/fuzz.sh $(SECONDS); \
	else echo "skipped: clang with libFuzzer is not installed (apt-get install clang libclang-rt-dev)" >&2; fi

# A broken link, or a name that is not in the code, ends the build with an error.
docs: $(READY)
	$(PIP) $(call requirements,["project"]["optional-dependencies"]["docs"])
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs-serve: docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve

# auditwheel, where it runs, prints the oldest Linux that the wheel supports.
dist: $(BUILT)
	rm -rf dist build/dist-env
	$(PIP) build auditwheel
	$(BIN)/python -m build --outdir dist
	-@$(BIN)/auditwheel show dist/*.whl
	$(PYTHON) -m venv build/dist-env
	build/dist-env/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt dist/*.whl
	cd build && dist-env/bin/starccg parse "The wheel works."

# Python sources are used in place; only a change of the build or of the native core installs again. The build takes its
# tools from the same environment, not from a new one each time, so that only what changed is compiled again.
$(BUILT): pyproject.toml $(NATIVE)
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or later found; name it: make PYTHON=..." >&2; exit 1; }
	@echo "setting up .venv: this takes about a minute, once"
	@$(PYTHON) -m venv .venv
	@echo "  1/2 installing the build tools"
	@$(PIP) $(call requirements,["build-system"]["requires"]) cmake ninja
	@echo "  2/2 compiling the native core and installing starccg"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) --no-build-isolation --editable .
	@touch $@

$(READY): $(BUILT)
	@echo "installing the tools for tests"
	@$(PIP) $(call requirements,["project"]["optional-dependencies"]["dev"])
	@touch $@

clean:
	rm -rf .venv build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
