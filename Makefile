PYTHON ?= python3
BIN := .venv/bin
# Bytecode is written for the few modules that are imported, when they are.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install --no-compile
# What else is installed for the tests, such as dev,spark.
EXTRAS := dev
# Tests wait for processes, servers and time limits for a fifth of their time.
CORES = len(os.sched_getaffinity(0)) if hasattr(os, 'sched_getaffinity') else os.cpu_count() or 1
WORKERS = $(shell $(BIN)/python -c "import os; n = $(CORES); print(n + n // 2)")

.PHONY: demo test lint types clean

demo: .venv/.runs
	$(BIN)/weft demo

# Tests start hundreds of processes, which keep what they compile of their imports whatever the environment says.
test: export PYTHONDONTWRITEBYTECODE =
test: .venv/.tests
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

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
