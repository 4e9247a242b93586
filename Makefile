PYTHON ?= python3.11
BIN = .venv/bin
PARALLEL = --numprocesses auto --dist loadfile --no-loadscope-reorder  # tests/conftest.py groups the tests, longest first
unexport PYTHONDONTWRITEBYTECODE  # without stored bytecode, every test process would compile all modules again

.PHONY: app bench check clean container dist mutants rule-files step-report test test-quick test-release

app: .venv/app
	$(BIN)/python -m streamlit run app.py

test: .venv/test
	$(BIN)/python -m pytest $(PARALLEL) -m "not release"

test-quick: .venv/test
	$(BIN)/python -m pytest $(PARALLEL) -m "not release" $(addprefix --ignore tests/,app browser contracts tools cli/test_app.py)

test-release: .venv/test .venv-release/ready
	$(BIN)/python -m pytest $(PARALLEL)
	.venv-release/bin/python -m pytest tests/adapters tests/release

check: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings assets/scripts spice_core/draw
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.check_size
	$(BIN)/python -m pytest --quiet --doctest-modules spice_core

.venv/app: requirements.txt pyproject.toml
	test -d .venv || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --no-compile --requirement requirements.txt
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@

.venv/test: .venv/app tests/requirements.txt
	$(BIN)/pip install --quiet --no-compile --requirement tests/requirements.txt
	touch $@

.venv-release/ready: tests/release/requirements.txt  # the libraries that SPICE is tested with; with torch, 6 GB
	test -d .venv-release || $(PYTHON) -m venv .venv-release
	.venv-release/bin/pip install --quiet --no-compile --no-deps --requirement tests/release/requirements.txt
	.venv-release/bin/pip install --quiet --no-deps --editable .
	touch $@

rule-files: .venv/test  # everything that contains the hash or the output of the bundled rules; docs/extending.md
	$(BIN)/python -m tools.step_digests
	$(BIN)/python -m tools.rule_book
	$(BIN)/python -m tools.samples
	$(BIN)/python -m tools.command_pages
	$(BIN)/python -m tools.gallery

bench: .venv/test
	$(BIN)/python -m tools.benchmarks ratios $(if $(JAR),--jar $(JAR))

mutants: .venv/test
	$(BIN)/python -m tools.mutants draw build/mutants
	$(BIN)/python -m tools.mutants reach build/mutants
	$(BIN)/python -m tools.mutants kill build/mutants

step-report: .venv/test  # TEXTS=FOLDER: captions in FOLDER/en/*.txt and FOLDER/ja/*.txt
	$(BIN)/python -m tools.step_report $(TEXTS)

container:
	$(PYTHON) deploy/build_container.py $(if $(BASE),--build-arg BASE=$(BASE))

dist: .venv/test
	rm -rf build dist
	$(BIN)/pip install --quiet build
	$(BIN)/python -m build
	$(BIN)/python -m tools.split_wheel dist/*.whl

clean:
	rm -rf .venv .venv-release
