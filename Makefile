# `make demo` and `make test` need Python 3.11 or newer and make, nothing else.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint attack kills lowest bench papers docs clean

demo: $(VENV)/.installed
	$(BIN)/laconic demo

test: $(VENV)/.installed-test
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

# As in make attack SECONDS=600, or SEED=17 to repeat a run: random problems, files, folders and command lines, each judged by an independent oracle.
SECONDS ?= 60
attack: $(VENV)/.installed-test
	$(BIN)/python -m tools.attack --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

# Saves that are killed at each of their system calls (by strace, where there is one) and at random moments.
kills: $(VENV)/.installed-test
	$(BIN)/python -m tools.attack.saves

# The tests of the core with the oldest packages that pyproject.toml allows, and with the newest.
lowest:
	$(PYTHON) -m tools.lowest

# As in make bench NAME="lasso --data imdb"; peers get environments of their own in benchmarks/.environments.
bench: $(VENV)/.installed-bench
	$(BIN)/python -m benchmarks $(NAME)

# As in make papers NAME="wnut2018 --quick --out quick".
papers: $(VENV)/.installed-test
	$(BIN)/python -m papers $(NAME)

docs: $(VENV)/.installed-docs
	$(BIN)/sphinx-build -W --keep-going -q docs docs/_build/html

clean:
	rm -rf $(VENV) docs/_build docs/_shots docs/gallery benchmarks/results .pytest_cache .mypy_cache .ruff_cache

$(VENV)/.python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "laconic needs Python 3.11 or newer, this is " + sys.version.split()[0] + ": set PYTHON=python3.12 or similar.")'
	$(PYTHON) -m venv $(VENV)
	touch $@

$(VENV)/.installed: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.installed-test: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[files,bench]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@
