# `make play` and `make test` do everything on a machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

# Tests load the program hundreds of times: what Python has compiled is kept, whatever this machine's environment says.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\#.*/\1/p' Makefile) clean

play: $(VENV)/play.stamp ## set up, then open the house at http://127.0.0.1:8000
	@$(MAKE) --no-print-directory web || true
	$(BIN)/pairhouse serve

quick: $(VENV)/dev.stamp ## style, layers, rules, replay, rounds, the pit and a served round: an answer in under a minute
	$(BIN)/ruff check -q .
	$(BIN)/lint-imports --no-cache | tail -1
	$(BIN)/pytest -n 2 tests/core/test_fingerprint.py tests/games tests/machines/test_views.py tests/machines/test_enumerate.py \
		tests/rounds/test_slip.py tests/rounds/test_table_limits.py tests/rounds/test_private_table.py tests/house/test_pit.py \
		tests/analysis/methods tests/server/test_rounds_api.py tests/test_golden.py tests/test_tidy.py tests/test_readme.py \
		-k "not postgresql and not really_dealt and not at_which_reading"

test: $(VENV)/dev.stamp chromium ## set up, then run every test
	@$(MAKE) --no-print-directory -j2 -O check
	$(BIN)/pytest -n 4 --reruns 1 -r R # real browsers and killed servers on a busy machine: what fails is tried once more, and named

chromium: ## a browser for the tests of the pages, from Debian's packages where there is none
	@for name in chromium-headless-shell chromium chromium-browser google-chrome; do command -v $$name >/dev/null && exit 0; done; \
	as_root=`[ "$$(id -u)" = 0 ] || echo sudo`; echo "Fetching Chromium for the tests of the pages ..."; \
	install="$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends"; \
	{ $$as_root apt-get update -qq && { $$install chromium-headless-shell || $$install chromium; }; } >/dev/null 2>&1 \
		|| echo "Chromium could not be installed, so the tests of the pages will be skipped" >&2

test-long: $(VENV)/dev.stamp ## tests of `make test` at their full size: more rounds, every game, table and size of a screen (some minutes)
	$(BIN)/pytest -n 2 -m slow tests/machines tests/rounds/test_verify.py tests/analysis/test_certificate.py tests/analysis/test_strategies.py \
		tests/analysis/test_final_hands.py tests/analysis/test_blackjack_exact.py tests/analysis/test_drills.py \
		tests/server/test_http_worker.py tests/server/test_child_process.py tests/server/test_run.py tests/server/test_live.py tests/web

test-dealing: $(VENV)/dev.stamp ## a million shuffles of every pack (half an hour)
	$(BIN)/pytest -n 2 -m slow tests/rounds/test_dealing.py

test-protect: $(VENV)/dev.stamp ## what counters win and how they are noticed, over many shoes (some minutes)
	$(BIN)/pytest -n 2 -m slow tests/analysis/protect tests/analysis/design tests/games/test_floor_plan.py tests/server/test_judge.py

test-gallery: $(VENV)/dev.stamp ## every price of the gallery, solved and derived again (some minutes); PAIRHOUSE_WRITE_GOLDEN=1 writes its table
	$(BIN)/pytest -n 2 -m slow tests/gallery tests/analysis/generic

test-faults: $(VENV)/dev.stamp ## kill servers under load hundreds of times, on both databases
	PAIRHOUSE_KILLS=$(or $(KILLS),110) $(BIN)/pytest -s -m "slow or not slow" tests/faults

.PHONY: test-live-faults test-live-laws
test-live-faults: $(VENV)/dev.stamp ## kill dealers, workers and PostgreSQL under a crowd, 100 times on each database
	PAIRHOUSE_LIVE_KILLS=$(or $(KILLS),100) $(BIN)/pytest -n 0 -s -m "slow or not slow" tests/faults/test_live_kill.py

test-live-laws: $(VENV)/dev.stamp ## the laws of live tables over hundreds of random crowds
	$(BIN)/pytest -n 2 -m slow tests/house/live/test_live_laws.py

test-operations: $(VENV)/dev.stamp ## docs/operations.md with a real nginx, Prometheus and PostgreSQL (minutes)
	$(BIN)/pytest -n 0 -s -m "slow or not slow" tests/operations tests/house/test_backup.py tests/house/test_old_books.py tests/cli/test_operate.py

check: python-check web-check ## style, types, layers and web checks

python-check: $(VENV)/dev.stamp ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Pairhouse needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version`. Try: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/play.stamp: $(VENV)/python.stamp requirements/play.txt pyproject.toml
	$(PIP) --require-hashes -r requirements/play.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/play.stamp requirements/dev.txt
	$(PIP) --require-hashes -r requirements/dev.txt
	@touch $@

bench-serve: $(VENV)/dev.stamp ## time the house: durable rounds, many players, both databases, a long history
	$(BIN)/python benchmarks/serve.py

bench-live: $(VENV)/dev.stamp ## time live tables: streams, tables with seats, one coup with thousands, private rounds
	$(BIN)/python benchmarks/live.py

bench-audit: $(VENV)/dev.stamp ## time the audit of 200,000 rounds, and its memory
	$(BIN)/python benchmarks/audit.py

bench-sealing: $(VENV)/dev.stamp ## time what signed ends, heads and the watch take of a round, by parts and over HTTP
	$(BIN)/python benchmarks/sealing.py
	$(BIN)/python benchmarks/sealing.py --http

bench-http: $(VENV)/dev.stamp ## time HTTP alone: the application, and the least that any application costs
	$(BIN)/python benchmarks/http_path.py

bench-attacks: $(VENV)/dev.stamp ## time honest players while the house is attacked
	$(BIN)/python benchmarks/attacks.py

bench-exact: $(VENV)/dev.stamp ## time the exact answers
	$(BIN)/python benchmarks/exact.py

bench-kit: $(VENV)/dev.stamp ## time games from files: prices, best play, simulated rounds
	$(BIN)/python benchmarks/kit.py

bench-pages: $(VENV)/dev.stamp ## time the pages: frames while cards are dealt, a second visit on a slow line
	$(BIN)/python benchmarks/pages.py

bench: $(VENV)/dev.stamp ## time simulated rounds against C and public packages; writes docs/performance.md
	$(BIN)/python benchmarks/simulate.py

mutate: ## change bank, sealing, fairness and limits in a thousand ways: the tests must notice (docs/mutation.md)
	test -x $(VENV)-mutate/bin/mutmut || { $(PYTHON) -m venv $(VENV)-mutate && \
		$(VENV)-mutate/bin/pip install -q --require-hashes -r requirements/mutate.txt; }
	PATH="$(CURDIR)/$(VENV)-mutate/bin:$$PATH" $(VENV)-mutate/bin/mutmut run "pairhouse.house.pace.xǁTooSoonǁ__init____mutmut_1"
	$(VENV)-mutate/bin/python tests/try_mutants.py
	$(VENV)-mutate/bin/mutmut results

agree-slow: $(VENV)/dev.stamp ## a thousand million rounds a game against the exact prices
	$(BIN)/pytest -m slow tests/analysis/test_agreement.py

test-soak: $(VENV)/dev.stamp ## ask every route a thousand times: memory stays flat (some minutes)
	$(BIN)/pytest -m slow tests/server/test_soak.py

test-api-long: $(VENV)/dev.stamp ## many generated requests over the API's document, on both databases
	PAIRHOUSE_API_EXAMPLES=200 $(BIN)/pytest -n 2 tests/server/test_schema.py

golden: $(VENV)/dev.stamp ## tell the golden playthroughs anew, after a change that is meant
	PAIRHOUSE_WRITE_GOLDEN=1 $(BIN)/pytest tests/test_golden.py tests/analysis/test_counts.py

vectors: $(VENV)/dev.stamp ## join the verifier's sources, and write the test vectors anew, after a change that is meant
	$(BIN)/python verifier/build.py
	cd tests && ../$(BIN)/python vectors.py
	cd tests && ../$(BIN)/python seal_vectors.py

examples: $(VENV)/dev.stamp ## ask a running house for the examples of the OpenAPI document, after a change that is meant
	cd tests && ../$(BIN)/python tour.py

lock: $(VENV)/dev.stamp ## resolve the dependencies anew: names, versions and hashes, no addresses
	$(BIN)/python requirements/lock.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

include web/web.mk
