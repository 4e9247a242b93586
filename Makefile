PYTHON ?= python3.11
BIN = .venv/bin

.PHONY: app bench check container dist test clean

app: .venv/app
	$(BIN)/python -m streamlit run app.py

test: .venv/test
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --quiet --doctest-modules spice_core

.venv/app: requirements.txt pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@

.venv/test: .venv/app tests/requirements.txt
	$(BIN)/pip install --quiet --requirement tests/requirements.txt
	touch $@

bench: .venv/test
	$(BIN)/python -m tools.benchmarks.ratios $(if $(JAR),--jar $(JAR))

container:
	$(PYTHON) deploy/build_container.py

dist: .venv/test
	rm -rf build dist
	$(BIN)/pip install --quiet build
	$(BIN)/python -m build
	$(BIN)/python -m tools.split_wheel dist/*.whl

clean:
	rm -rf .venv
