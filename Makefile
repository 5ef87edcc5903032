# Everything here makes and fills .venv by itself; nothing outside this folder is touched.
PYTHON ?= python3
BIN := .venv/bin
PROGRAM := .venv/has-program
STAMP := .venv/filled

.PHONY: help demo test lint bench bench-vision bench-scenes bench-photos bench-score bench-rules bench-lights pictures clean
.DEFAULT_GOAL := help

help:
	@echo "make demo   a virtual table plays a whole game, on a page"
	@echo "make test   all tests"
	@echo "make lint   ruff and mypy --strict"
	@echo "make bench  every benchmark (bench-vision: the readings of 400 virtual pictures; bench-rules: the engine;"
	@echo "            bench-lights: the simulated board, with gcc-avr, arduino-core-avr and simavr)"
	@echo "make bench-scenes SCENES=FOLDER, make bench-photos  the readings of rendered scenes; of photographs"

$(PROGRAM): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: try make PYTHON=/path/to/python3.11"; exit 2; }
	@$(PYTHON) -m venv .venv || { echo "This Python cannot make a virtual environment: on Debian, apt install python3-venv"; exit 2; }
	@echo "Filling .venv with what the program needs, just this once: a minute or two, depending on the network."
	@$(BIN)/python -m pip install -qq --upgrade "pip>=25.1"
	@$(BIN)/python -m pip install -qq --editable .
	@touch $(PROGRAM)

$(STAMP): $(PROGRAM)
	@echo "Filling .venv with what tests and measurements need besides."
	@$(BIN)/python -m pip install -qq --editable . --group dev
	@touch $(STAMP)

demo: $(PROGRAM)
	$(BIN)/pyramids demo

test: $(STAMP)
	$(BIN)/python -m pytest

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: bench-vision bench-score bench-rules bench-lights

bench-vision: $(STAMP)
	$(BIN)/python -m benchmarks.virtual_readings

bench-scenes: $(STAMP)
	@test -d "$(SCENES)" || { echo "Which scenes? make bench-scenes SCENES=FOLDER"; exit 2; }
	$(BIN)/python -m benchmarks.scene_readings "$(SCENES)"

bench-photos: $(STAMP)
	$(BIN)/python -m benchmarks.photo_scores

bench-score: $(STAMP)
	$(BIN)/python -m benchmarks.score_time

bench-rules: $(STAMP)
	$(BIN)/python -m benchmarks.rules_speed

bench-lights: $(STAMP)
	PYTHONPATH=tests/firmware $(BIN)/python -m benchmarks.light_times

clean:
	rm -rf .venv build *.egg-info

pictures: $(STAMP)
	sh docs/pictures.sh
