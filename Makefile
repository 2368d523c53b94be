PYTHON ?= python3
BIN := .venv/bin
# Bytecode is written for the few modules that are imported, when they are.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --no-compile
# What else is installed for the tests, such as dev,spark.
EXTRAS := dev

.PHONY: demo test lint types clean

demo: .venv/.runs
	$(BIN)/weft demo

# Tests start hundreds of processes, which keep what they compile of their imports whatever the environment says.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/.tests
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: .venv/.tests
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.runs: pyproject.toml | .venv/bin/python
	$(PIP) -e .
	touch $@

.venv/.tests: pyproject.toml | .venv/bin/python
	$(PIP) -e '.[$(EXTRAS)]'
	touch $@ .venv/.runs

clean:
	rm -rf .venv build *.egg-info
