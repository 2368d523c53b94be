PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint types clean

demo: .venv/.runs
	$(BIN)/weft demo

test: .venv/.tests
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder

lint: .venv/.tests
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.runs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/.tests: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@ .venv/.runs

clean:
	rm -rf .venv build *.egg-info
