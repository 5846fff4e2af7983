# Needs Python 3.11 or newer with pip and venv, and make; everything is installed into .venv beside this file.
# Another interpreter: `make demo PYTHON=python3.12`. Without make (Windows): README.md, "Without make".
PYTHON ?= python3
PIPFLAGS ?=
OUT ?= demo

VENV := .venv
BIN := $(VENV)/bin
CLIP := models/scene/sample/clip.mp4
PACKAGES := carromeye models vision tracking referee reports
# Byte code of a hundred megabytes of libraries that nobody imports is not worth its disk: Python compiles what is used at first use.
PIP := $(BIN)/python -m pip --disable-pip-version-check install --no-compile $(PIPFLAGS)

.PHONY: demo test lint coverage benchmark format clean help

help:
	@echo 'make demo       install into .venv, review the sample clip, print its score sheet'
	@echo 'make test       install the test tools into .venv, run every test'
	@echo 'make lint       ruff and mypy'
	@echo 'make coverage   branches of referee/ that its tests run'
	@echo 'make benchmark  the fast figures against benchmarks/baselines.toml'
	@echo 'make format     let ruff format the code'
	@echo 'make clean      remove .venv and what the commands above wrote'

demo: $(VENV)/.base
	@echo 'Reviewing the sample clip.'
	@$(BIN)/python -m carromeye review $(CLIP) -o "$(OUT)"
	@echo 'Open $(OUT)/review.html in a browser.'

test: $(VENV)/.dev
	@$(BIN)/python -m pytest

lint: $(VENV)/.dev
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/python -m mypy $(PACKAGES) benchmarks

coverage: $(VENV)/.dev
	@$(BIN)/python -m coverage run -m pytest -q tests/referee
	@$(BIN)/python -m coverage report

benchmark: $(VENV)/.dev
	@$(BIN)/python -m benchmarks.fast

format: $(VENV)/.dev
	@$(BIN)/python -m ruff check --fix
	@$(BIN)/python -m ruff format

clean:
	rm -rf $(VENV) .venv-train demo build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/.base: pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo 'make: no $(PYTHON) here; name yours: make PYTHON=python3.11'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo 'make: CarromEye needs Python 3.11 or newer; name one: make PYTHON=python3.11'; exit 1; }
	@echo 'Installing into $(VENV): about 200 MB to download the first time.'
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	@$(PIP) -e '.[dev]'
	@touch $@
