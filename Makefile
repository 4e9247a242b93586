PYTHON ?= python3.11
BIN = .venv/bin

.PHONY: app test clean

app: .venv/app
	$(BIN)/python -m streamlit run app.py

test: .venv/test
	$(BIN)/python -m pytest

.venv/app: requirements.txt pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@

.venv/test: .venv/app tests/requirements.txt
	$(BIN)/pip install --quiet --requirement tests/requirements.txt
	touch $@

clean:
	rm -rf .venv
