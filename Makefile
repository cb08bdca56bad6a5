# The two commands a user needs are `make characterize` and `make test`; `make help` lists the rest.
BIN := .venv/bin
RESULTS ?= results/characterize
BOARD ?= lpc2148
KERNEL ?= freertos
ARGS ?=
TRANSLATE ?= yes

# One thing after another, whatever MAKEFLAGS says: setup comes before what needs it.
.NOTPARALLEL:
.PHONY: help setup setup-test setup-realtime build characterize test test-engine test-lab truth mutants time-errors lint format conformance programs agreement cortex-m3-rules faults bench bench-tiers bench-campaign bench-host tiers fuzz same-results same-speed coverage pictures pages transcript estimates laws lists shipped-laws paper-000 paper-003 source-prices codes changelog linux cyclictest tshark clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1 - /p' $(MAKEFILE_LIST)

setup: ## install what the main job needs (says what, asks sudo only when not root)
	@scripts/setup.sh

setup-test:
	@scripts/setup.sh test

setup-realtime: ## install cyclictest, which runs beside real-time figures of this machine
	@scripts/setup.sh realtime

build: setup ## build the engine for Python (TRANSLATE=no: without translated code, in half of the time)
	@TRANSLATE="$(TRANSLATE)" scripts/build-engine.sh --skip-install

characterize: build ## time the calls of KERNEL on the virtual BOARD, write RESULTS and its report (ARGS=… adds options)
	@$(BIN)/cyclescope characterize --board $(BOARD) --kernel $(KERNEL) --out $(RESULTS) \
		$(if $(filter --resume,$(ARGS)),,--replace) $(ARGS)

test: setup-test build lint test-engine test-lab ## all tests

test-engine:
	@echo "== part 2 of 3: the engine"
	cargo test --locked -p cyclescope-engine

test-lab:
	@echo "== part 3 of 3: the lab and the firmware (every case: make truth)"
	$(BIN)/pytest --numprocesses auto

truth: setup-test build ## every case at every x in every kind of build against the truth (ten minutes)
	$(BIN)/pytest --numprocesses auto -m matrix

faults: setup-test build ## forty faults planted one after the other: do the daily tests notice each? (an hour)
	$(BIN)/python benches/planted_faults

mutants: setup-test build ## 2,000 damaged or edited files of each kind: one sentence, or the same figures
	$(BIN)/pytest --numprocesses auto -m mutants

time-errors: build ## every technique against the truth of the board, everywhere, into docs/reference/time-errors.md (eight minutes)
	$(BIN)/cyclescope errors --page docs/reference/time-errors.md

lint: setup-test ## formatters and linters, warnings denied
	@echo "== part 1 of 3: formatters and linters"
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items --quiet
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/mypy --no-error-summary
	$(BIN)/vulture
	clang-format --dry-run --Werror $$(git ls-files '*.c' '*.h')
	$(BIN)/python scripts/prose.py

format: setup-test ## rewrite the sources in the house style
	cargo fmt --all
	$(BIN)/ruff check --quiet --fix .
	$(BIN)/ruff format --quiet .
	clang-format -i $$(git ls-files '*.c' '*.h')

conformance: ## the cores against the one-instruction vectors (CYCLESCOPE_VECTORS=folder, else ../shared/vectors)
	cargo test --locked -p cyclescope-engine --test arm7tdmi_conformance --test avr_conformance --test cortex_m3_conformance -- --ignored --nocapture

programs: setup-test ## 60,000 random programs on the ARMv7-M core and in unicorn's Cortex-M3 (two minutes; CYCLESCOPE_SEED=hex)
	cargo test --locked -p cyclescope-engine --test armv7m many_random -- --ignored --nocapture

cortex-m3-rules: setup-test ## which recordings of the Cortex-M3 need which rule of its pipeline (CYCLESCOPE_VECTORS=folder, else ../shared/vectors; four minutes)
	@$(BIN)/python benches/cortex_m3_rules

agreement: build ## the engine beside recordings of real parts, into docs/reference/agreement.md (CYCLESCOPE_VECTORS=folder, else ../shared/vectors)
	@$(BIN)/python benches/agreement docs/reference/agreement.md

tiers: ## decoded blocks and translated code against the plain core on PROGRAMS random programs of each kind from SEED on (3,000: ten minutes)
	CYCLESCOPE_TIERS_PROGRAMS=$(or $(PROGRAMS),3000) CYCLESCOPE_TIERS_SEED=$(or $(SEED),1) \
		cargo test --locked -p cyclescope-engine --test board --test armv7m --test avr tiers::many -- --ignored --nocapture

fuzz: ## decoded blocks and translated code against the plain core, guided by coverage, for SECONDS (600) from SEED on
	CYCLESCOPE_FUZZ_SECONDS=$(or $(SECONDS),600) CYCLESCOPE_FUZZ_SEED=$(or $(SEED),1) LLVM_PROFILE_FILE=/dev/null \
		RUSTC_WORKSPACE_WRAPPER=scripts/rustc-guided.sh \
		cargo test --locked -p cyclescope-engine --test board guided -- --ignored --nocapture

bench-tiers: ## speed of the tiers of ARM7TDMI, Cortex-M3 and AVR beside mGBA, QEMU, unicorn and simavr, to docs/reference/speed.md
	cargo bench --locked -p cyclescope-engine --bench tier_speed -- docs/reference/speed.md
	cargo bench --locked -p cyclescope-engine --bench armv7m_speed -- docs/reference/speed.md
	cargo bench --locked -p cyclescope-engine --bench avr_speed -- docs/reference/speed.md

bench: build ## speed of the engine, side by side with what else there is
	cargo bench --locked -p cyclescope-engine

bench-campaign: build ## what the whole catalogues take: time, then memory as samples become more (three minutes)
	$(BIN)/python benches/campaign/speed.py
	$(BIN)/python benches/campaign/memory.py

bench-host: build ## our techniques beside long loops, Google Benchmark and criterion on this machine, to docs/reference/host.md (fifteen minutes)
	@scripts/setup.sh bench
	$(BIN)/python benches/host/overlap.py build/bench-host
	$(BIN)/python benches/host/compare.py build/bench-host && cat docs/reference/host.md

same-results: build ## the same measurements in the baseline's commit and here: every number equal (eight minutes first)
	$(BIN)/python benches/same_results

same-speed: build ## the baseline's commit and this checkout in turn: engine, campaign, start (ten minutes)
	$(BIN)/python benches/same_speed

pages: build ## the measured figures of README.md and docs/ anew, with images and date (a quarter of an hour)
	$(BIN)/python benches/pages

pictures: setup-test build ## draw docs/pictures/ from a virtual board, the report by chromium
	$(BIN)/python benches/pictures/draw.py
	$(BIN)/python benches/pictures/blocks.py
	$(BIN)/python benches/pictures/report.py

transcript: setup-test build ## the session with gdb of docs/how-to/debug.md anew (seconds)
	$(BIN)/python benches/gdb/transcript.py

coverage: build ## do the techniques' 95 % intervals hold? 2,000 simulations of each, to docs/reference/coverage.md (ten minutes)
	@mkdir -p build
	$(BIN)/python benches/coverage.py > build/coverage.md && mv build/coverage.md docs/reference/coverage.md && cat docs/reference/coverage.md

laws: build ## methods that find laws, compared on simulated ones, into docs/explanation/laws.md (five minutes)
	@$(BIN)/pip install --quiet --no-deps --constraint constraints.txt ckwrap jenkspy ruptures
	$(BIN)/python benches/laws/compare.py docs/explanation/laws.md

paper-003: build ## tables 1 and 2 of the paper on an ATmega2560 with a sound card, all executed, into docs/reference/table-1.md and table-2.md (ten minutes)
	$(BIN)/python benches/paper_003

paper-000: build ## true times of the benchmark's programs on the exact boards, in all configurations, into examples/programs/true_times.json (ARGS=--check compares)
	$(BIN)/python benches/paper_000 $(ARGS)
	$(BIN)/python benches/paper_000 --page

shipped-laws: build ## the laws of calls that estimates ship, of every board, memory, instruction set and kernel (ARGS='--only "at91x40*"' for some; half an hour)
	$(BIN)/python benches/shipped_laws $(ARGS)

estimates: build ## estimates of the benchmark's programs beside their truths, into examples/programs/estimates.json and docs/reference/estimates.md (ARGS=--held-back: those of programs that are held back too)
	$(BIN)/python benches/paper_000/estimates.py $(ARGS)

source-prices: build ## coefficients of estimates from source: fitted to the training programs' true cycles on the exact boards (ARGS=--fit runs no board; --only TEXT)
	$(BIN)/python benches/source_training $(ARGS)

lists: build ## which calls of FreeRTOS walk a list, and which do not, into docs/reference/freertos-lists.md (20 seconds)
	$(BIN)/python benches/lists

codes: build ## the code of every error, into docs/reference/errors.md
	$(BIN)/python scripts/error_codes.py

changelog: ## collect changes/ into CHANGELOG.md under a new version (VERSION=X.Y.Z)
	@$(BIN)/python scripts/changelog.py $(VERSION)

linux: build ## Linux for the AT91x40 and its programs into build/linux, from Debian's source packages (first ten minutes, then seconds)
	@$(MAKE) --no-print-directory -C linux

cyclictest: build ## cyclictest of Debian's rt-tests for the AT91x40, after make linux (MIRROR=… another mirror, RT_TESTS=… an unpacked source)
	@$(MAKE) --no-print-directory -C linux cyclictest $(if $(MIRROR),MIRROR=$(MIRROR)) $(if $(RT_TESTS),RT_TESTS=$(abspath $(RT_TESTS)))

tshark: build ## fetch Debian's tshark into build/tshark, for tests of infrared lines (20 MB; the system stays as it is)
	@$(BIN)/python scripts/debian/tshark.py

clean: ## remove everything that was built, except results
	rm -rf target build .venv python/cyclescope/*.so
