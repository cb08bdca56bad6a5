"""Do the daily tests notice faults? Plants one after the other, runs the tests, takes it out again.

    .venv/bin/python benches/planted_faults [NAME ...]

Works in the files of this checkout, which must be clean, and puts them back. A fault is noticed if
the daily part of the named tests fails. Exits with 1 if a fault is not noticed.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAB = "python/cyclescope"
ENGINE = "engine/src"


@dataclass(frozen=True)
class Fault:
    """`before`, which stands once in a file, becomes `after`. `tests` are files of tests/, or none
    where the engine's own tests are to notice it."""

    name: str
    path: str
    before: str
    after: str
    tests: tuple[str, ...] = ()


FAULTS = (
    Fault("m3-block-horizon", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "node.slowest < self.cycles",
          "0 < self.cycles"),
    Fault("m3-block-slowest", f"{ENGINE}/cores/armv7m/blocks/decode.rs",
          "24 + 3 * u32::from(self.decoded.accesses) + several",
          "1 + several"),
    Fault("m3-block-bus", f"{ENGINE}/cores/armv7m/blocks/reach.rs",
          "Path::Code => self.key |= 1 << bit,",
          "Path::Code => {}"),
    Fault("m3-block-invalidation", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "if self.version != system.version() || self.numbers",
          "if self.numbers"),
    Fault("m3-block-view", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "self.first == First::Fixed || self.first.view(core)",
          "true || self.first.view(core)"),
    Fault("m3-block-key", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "(known == key && self.onward",
          "(known != NO_KEY && self.onward"),
    Fault("m3-block-side", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "(Left::Side, Some(_)) => None,",
          "(Left::Side, Some(_)) => Some(core.pc),"),
    Fault("m3-block-condition", f"{ENGINE}/cores/armv7m/blocks/functions.rs",
          "reach.key |= u64::from(fails) << (step.bit & 63);",
          "let _ = fails;"),
    Fault("m3-block-flags", f"{ENGINE}/cores/armv7m/blocks/decode.rs",
          "                // The plain core may go on here, and read all.\n"
          "                live = N | Z | C | V;\n",
          ""),
    Fault("m3-block-target", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "self.target == target\n            && (self.first",
          "(self.first"),
    Fault("m3-block-likely", f"{ENGINE}/cores/armv7m/blocks/mod.rs",
          "        node.likely[done.left as usize] = Likely { exit, next: link.onward.next };\n",
          ""),
    Fault("m3-near", f"{ENGINE}/cores/armv7m/memo.rs",
          "if self.near(address).opcode != opcode || self.version",
          "if self.version"),
    Fault("m3-passage", f"{ENGINE}/cores/armv7m/pipeline/automaton.rs",
          "        if known != key {\n            return None;\n        }\n",
          ""),
    Fault("m3-block-held", f"{ENGINE}/cores/armv7m/blocks/decode.rs",
          "held = if guarded { None } else { now };",
          "held = now;"),
    Fault("m3-block-held-store", f"{ENGINE}/cores/armv7m/blocks/functions.rs",
          "                PRE | POST => Some(one.n),\n",
          ""),
    Fault("m3-block-held-load", f"{ENGINE}/cores/armv7m/blocks/functions.rs",
          "                _ if !stores(one) => Some(one.d),\n",
          ""),
    Fault("m3-nvic-order", f"{ENGINE}/cores/armv7m/nvic.rs",
          "min_by_key(|&number| (self.full_priority(number), number))",
          "min_by_key(|&number| (self.full_priority(number), !number))"),
    Fault("m3-nvic-edge", f"{ENGINE}/cores/armv7m/nvic.rs",
          "(seen & !self.active | rose)",
          "(seen & !self.active)"),
    Fault("m3-nvic-late", f"{ENGINE}/cores/armv7m/exceptions/entry.rs",
          "Some(late) if late != entry.number => {",
          "Some(late) if late > 0xFFFF => {"),
    Fault("m3-tail-chain", f"{ENGINE}/cores/armv7m/exceptions/leave.rs",
          "self.go_to_handler(bus, entry, value, CHAIN_CYCLES);",
          "self.go_to_handler(bus, entry, value, CHAIN_CYCLES + 1);"),
    Fault("m3-systick-period", f"{ENGINE}/devices/systick_armv7m.rs",
          "% (Cycle::from(self.reload) + 1);",
          "% (Cycle::from(self.reload) + 2);"),
    Fault("m3-systick-flag", f"{ENGINE}/devices/systick_armv7m.rs",
          "std::mem::take(&mut self.passed_zero)",
          "self.passed_zero"),
    Fault("m3-dma-priority", f"{ENGINE}/devices/dma_stm32f1.rs",
          "(3 - self.channels[*n].priority(), *n)",
          "(self.channels[*n].priority(), *n)"),
    Fault("m3-pair", f"{ENGINE}/system/access.rs",
          "let known = free && in_line(address)",
          "let known = in_line(address)"),
    Fault("chain-flag", f"{ENGINE}/cores/arm7tdmi/blocks/translate/draft.rs",
          "flags.sets |= psr::C;",
          "flags.sets |= psr::Z;"),
    Fault("chain-multiplier", f"{ENGINE}/cores/arm7tdmi/blocks/chains/alu.rs",
          "bus.spend(further_cycles(multiplier, true));",
          "bus.spend(further_cycles(multiplier, false));"),
    Fault("chain-refill", f"{ENGINE}/cores/arm7tdmi/blocks/chains/flow.rs",
          "    bus.spend(op.since);\n    if fetch_both",
          "    bus.spend(op.since + 1);\n    if fetch_both"),
    Fault("chain-invalidation", f"{ENGINE}/cores/arm7tdmi/blocks/chains/memory.rs",
          "    (ram.granules.get(at >> Lent::GRANULE_SHIFT)? & Lent::TRACKED == 0).then_some(slot)",
          "    ram.granules.get(at >> Lent::GRANULE_SHIFT).map(|_| slot)"),
    Fault("chain-horizon", f"{ENGINE}/cores/arm7tdmi/blocks/translate/draft.rs",
          "        let each = self.costs.ram.max(self.costs.fetches.slowest);",
          "        let each = self.costs.ram;"),
    Fault("chain-mam", f"{ENGINE}/timing/mam_lpc2000/lent.rs",
          "if next != self.latch && next != self.prefetch && next != self.trail {",
          "if next != self.latch {"),
    Fault("chain-mam-waits", f"{ENGINE}/timing/mam_lpc2000/lent.rs",
          "let arrives = line == self.latch && held == 1;",
          "let arrives = line == self.latch;"),
    Fault("chain-mam-off", f"{ENGINE}/cores/arm7tdmi/blocks/chains/mod.rs",
          "            bus.set_fetched(self.last_fetched(ended));\n",
          ""),
    Fault("chain-behind-store", f"{ENGINE}/cores/arm7tdmi/blocks/chains/flow.rs",
          "Behind::STORE => !op.condition.holds(registers.flags),",
          "Behind::STORE => false,"),
    Fault("chain-left-out-store", f"{ENGINE}/cores/arm7tdmi/blocks/translate/draft.rs",
          "self.entries[guard].op.imm += nonsequential - again;",
          "self.entries[guard].op.imm += again - again;"),
    Fault("chain-first-fetch", f"{ENGINE}/cores/arm7tdmi/blocks/chains/mod.rs",
          "bus.spend(block.nonsequential);",
          "bus.spend(0);"),
    Fault("chain-first-line", f"{ENGINE}/cores/arm7tdmi/blocks/chains/flow.rs",
          "_ => registers.kind != kind::NON_SEQUENTIAL,",
          "_ => true,"),
    Fault("chain-condition", f"{ENGINE}/cores/arm7tdmi/blocks/translate/draft.rs",
          "        op.imm = self.since - op.imm;",
          "        op.imm = 0;"),
    Fault("chain-state", f"{ENGINE}/cores/arm7tdmi/blocks/chains/leaving.rs",
          "        core.set_thumb(place.is_thumb());\n",
          ""),
    Fault("chain-next-fetch", f"{ENGINE}/cores/arm7tdmi/blocks/translate/draft.rs",
          "            self.entries[guard].op.a += 1;",
          "            self.entries[guard].op.a += 0;"),
    Fault("chain-ahead", f"{ENGINE}/cores/arm7tdmi/blocks/chains/mod.rs",
          "let bytes = (translated.instructions + super::AHEAD as u32) * length;",
          "let bytes = translated.instructions * length;"),
    Fault("steady-code", f"{ENGINE}/memory.rs",
          "let often = granules.iter().position(|granule| granule & !TRACKED >= MOST_REWRITES);",
          "let often: Option<usize> = granules.iter().position(|_| false);"),
    Fault("chain-constant", f"{ENGINE}/cores/arm7tdmi/blocks/chains/memory.rs",
          "        bus.spend(op.since + cycles);\n",
          "        bus.spend(cycles);\n"),
    Fault("translated-mam", f"{ENGINE}/timing/mam_lpc2000/ahead.rs",
          "            (false, true) => Begins::IfDropped,",
          "            (false, true) => Begins::Never,"),
    Fault("translated-flag", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "let other = if subtracts { a } else { result };",
          "let other = if subtracts { b } else { result };"),
    Fault("translated-multiplier", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "let highest = self.b.ins().irsub_imm(zeros, 31);",
          "let highest = self.b.ins().irsub_imm(zeros, 32);"),
    Fault("translated-horizon", f"{ENGINE}/translated/graph.rs",
          ".slowest += most.unwrap_or(0);",
          ".slowest += most.unwrap_or(0).min(0);"),
    Fault("translated-invalidation", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "icmp_imm(IntCC::Equal, tracked, 0);",
          "icmp_imm(IntCC::UnsignedGreaterThanOrEqual, tracked, 0);"),
    Fault("translated-invalidation-many", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "let last = (words - bytes) as i32;",
          "let last = 0;"),
    Fault("kept-code", f"{ENGINE}/system/mod.rs",
          "if !self.memories.iter().all(Memory::code_is_back) {",
          "if false {"),
    Fault("kept-code-elsewhere", f"{ENGINE}/system/code.rs",
          "if same && before.ends.includes(&now.ends) {",
          "if before.ends.includes(&now.ends) {"),
    Fault("kept-code-unended", f"{ENGINE}/system/code.rs",
          "if same && before.ends",
          "if same || before.ends"),
    Fault("translated-asks", f"{ENGINE}/translated/flow.rs",
          "iadd_imm(now, i64::from(slowest));",
          "iadd_imm(now, i64::from(slowest) * 0);"),
    Fault("translated-ways-out", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "self.keep(!self.sets);",
          "self.keep(!self.sets & !1);"),
    Fault("translated-condition", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "iadd_imm(now, -i64::from(op.imm));",
          "iadd_imm(now, 0);"),
    Fault("translated-carry", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "{ 32 - amount } else { amount - 1 };",
          "{ 32 - amount } else { amount };"),
    Fault("translated-state", f"{ENGINE}/cores/arm7tdmi/blocks/native/mod.rs",
          "Some(now.known()) == flash && now.holds(held),",
          "Some(now.known()) == flash,"),
    Fault("translated-first-fetch", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "self.spend(area.blocks[area.places[place].block].nonsequential.into());",
          "self.spend(0);"),
    Fault("translated-entry", f"{ENGINE}/cores/arm7tdmi/blocks/native/mod.rs",
          "if differ && entry.comes.nonsequential",
          "if false && entry.comes.nonsequential"),
    Fault("translated-behind-store", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "Behind::Store => self.fetch_one_of(op.condition, nonsequential, sequential),",
          "Behind::Store => self.fetch_one_of(op.condition, nonsequential, nonsequential),"),
    Fault("translated-compared", f"{ENGINE}/cores/arm7tdmi/blocks/native/emit.rs",
          "self.compared.filter(|_| keeps)",
          "self.compared"),
    Fault("avr-translated-flag", f"{ENGINE}/cores/avr/blocks/native/emit.rs",
          "let half = self.b.ins().bxor(from_a, b);",
          "let half = self.b.ins().bxor(from_b, b);"),
    Fault("avr-translated-branch", f"{ENGINE}/cores/avr/blocks/native/emit.rs",
          "let taken = (next.wrapping_add(instruction.distance()), 1);",
          "let taken = (next.wrapping_add(instruction.distance()), 0);"),
    Fault("avr-translated-horizon", f"{ENGINE}/cores/avr/blocks/mod.rs",
          "let fits = bus.cycles.saturating_add(entry.slowest) < most;",
          "let fits = bus.cycles.saturating_add(entry.slowest) <= most + 1;"),
    Fault("avr-translated-invalidation", f"{ENGINE}/cores/avr/blocks/mod.rs",
          "if self.version != bus.version() {",
          "if self.version > bus.version() {"),
    Fault("avr-translated-sreg", f"{ENGINE}/cores/avr/blocks/native/emit.rs",
          "[(SIGN, 5), (V, 4), (S, 3)]", "[(SIGN, 5), (V, 4), (S, 4)]"),
    Fault("avr-translated-return", f"{ENGINE}/cores/avr/blocks/native/emit.rs",
          "[middle, low]", "[low, middle]"),
    Fault("multiply-accumulate", f"{ENGINE}/cores/arm7tdmi/multiply.rs",
          "self.idle_by(bus, Cost::plain(operation), further_cycles(multiplier, true));",
          "self.idle_by(bus, Cost::plain(operation), 1 + further_cycles(multiplier, true));"),
    Fault("timer-reset", f"{ENGINE}/devices/timer_lpc2000/counter.rs",
          "if resets { 0 }", "if resets { 1 }"),
    Fault("stop-bit", f"{ENGINE}/devices/uart_16550/line.rs",
          "(false, _) => 16", "(false, _) => 15"),
    Fault("wait-states", f"{ENGINE}/timing/waits.rs",
          "if access.is_sequential() { s_wait } else { n_wait }",
          "if access.is_sequential() { n_wait } else { s_wait }"),
    Fault("read-ahead", f"{ENGINE}/timing/mam_lpc2000/accelerator.rs",
          "let enters = line != lines.current;", "let enters = true;", ("test_agreement.py",)),
    Fault("interrupt-priority", f"{ENGINE}/devices/vic_pl190.rs",
          "first.filter(|&priority| priority < self.current())",
          "first.filter(|&priority| priority <= self.current())"),
    Fault("sleep-is-waiting", f"{ENGINE}/instruments/profile.rs",
          "Pause::Asleep => self.costs().asleep += cycles",
          "Pause::Asleep => self.costs().bus_waits += cycles"),
    Fault("lane-of-two-bytes", f"{ENGINE}/instruments/follow.rs",
          "(Some(one), Some(other)) if one.byte != other.byte => None,",
          "(Some(one), Some(other)) if one.byte == other.byte => None,"),
    Fault("crc", "firmware/harness/wire.c",
          "0xEDB88320u", "0xEDB88321u", ("test_firmware_run.py",)),
    Fault("tick-unflagged", "firmware/harness/series.c",
          "sample[8] = ticked ? SAMPLE_TICK : 0;", "sample[8] = 0 * ticked * SAMPLE_TICK;",
          ("test_firmware_run.py",)),
    Fault("room-left-full", "firmware/kernels/freertos/cases/queues.c",
          "return sent == pdPASS && xQueueReceive(queue, message, 0) == pdPASS;",
          "return sent == pdPASS;", ("test_firmware_run.py",)),
    Fault("tick-unavoided", "firmware/harness/series.c",
          "timer_now() - ticked > TICK_PERIOD - TICK_MARGIN",
          "timer_now() - ticked > TICK_PERIOD + TICK_MARGIN", ("test_firmware_run.py",)),
    Fault("layouts-alike", "firmware/layout.py", "[i ^ TIMES[column][b]]", "[i]",
          ("test_layouts.py", "test_firmware_build.py")),
    Fault("load-underway", "firmware/workloads/realtime/background.h",
          "underway[(self)->origin] = (id);", "underway[(self)->origin] = 0;",
          ("test_realtime_target.py", "test_realtime_load.py")),
    Fault("interval-of-one", f"{LAB}/stats/net.py",
          "if abs(value) <= half_width:", "if abs(value) < half_width / 2:",
          ("test_stats.py", "test_examples.py")),
    Fault("seal-unchecked", f"{LAB}/results/seal.py",
          "if _digest(body) != found[1].decode():", "if not body:", ("test_seal.py",)),
    Fault("law-tolerance", f"{LAB}/laws/exact_law.py",
          "<= self.tolerance))", "<= 9 * self.tolerance))", ("test_exploration.py",)),
    Fault("analytic-flash", f"{LAB}/studies/switch/cores/arm7tdmi/flash.py",
          "cycles = max(1, self.ahead_ready - at)", "cycles = max(2, self.ahead_ready - at)",
          ("test_agreement.py", "test_switch_analytic.py")),
    Fault("preemption-free", f"{LAB}/studies/schedule/exact.py",
          "job.switching -= spent", "job.switching = 0", ("test_schedule.py",)),
    Fault("gate-sign", f"{LAB}/studies/compare/judge.py",
          "beyond = rule.sign * (point.means[1].value - limit)",
          "beyond = point.means[1].value - limit", ("test_compare_gate.py",)),
    Fault("pauta-sigmas", f"{LAB}/stats/pauta.py",
          "limit = kept.mean + SIGMAS", "limit = kept.mean + 2 + SIGMAS",
          ("test_pauta.py", "test_examples.py")),
    Fault("differential-step", f"{LAB}/studies/time/techniques/differential.py",
          "/ step\n        kept", "/ (step + 1)\n        kept", ("test_techniques.py",)),
    Fault("layouts-not-alike", f"{LAB}/studies/characterize/placement.py",
          "(name, address % LINE_BYTES)", "(name, address)", ("test_layouts.py",)),
)  # fmt: skip


LONGEST_SECONDS = 900
"""Tests and the build before them take two to five minutes."""
ENDLESS = 124
"""The exit code of timeout(1) where that is over."""


def main(names: list[str]) -> int:
    """Plants the faults of these names, or all; returns the exit code."""
    if subprocess.run(["git", "diff", "--quiet"], cwd=ROOT).returncode:
        sys.exit("commit your changes first: faults are planted in the files themselves")
    chosen = [fault for fault in FAULTS if not names or fault.name in names]
    unnoticed = [fault.name for fault in chosen if not _noticed(fault)]
    if any(fault.path.startswith(ENGINE) and fault.tests for fault in chosen):
        _build_engine()
    print(f"{len(chosen) - len(unnoticed)} of {len(chosen)} faults noticed {' '.join(unnoticed)}")
    return int(bool(unnoticed))


def _noticed(fault: Fault) -> bool:
    path = ROOT / fault.path
    text = path.read_text()
    if text.count(fault.before) != 1:
        sys.exit(f"{fault.name}: what it changes stands {text.count(fault.before)} times in {path}")
    path.write_text(text.replace(fault.before, fault.after))
    try:
        by = _failing(fault)
    finally:
        path.write_text(text)
    print(f"{fault.name}: {by or 'NOT NOTICED'}", flush=True)
    return bool(by)


def _failing(fault: Fault) -> str:
    """The first test that fails, or an empty string."""
    if not fault.tests:
        command = ["cargo", "test", "--locked", "--quiet", "-p", "cyclescope-engine"]
        done = _run(command)
        if done.returncode == ENDLESS:
            return "a test does not end"
        failed = [line for line in done.stdout.splitlines() if line.startswith("---- ")]
        return failed[0].strip("- ") if failed else ("it does not build" if done.returncode else "")
    if fault.path.startswith(ENGINE):
        _build_engine()
    tests = [f"tests/{name}" for name in fault.tests]
    command = [".venv/bin/pytest", "--exitfirst", "--numprocesses", "2", *tests]
    done = _run(command)
    if done.returncode == ENDLESS:
        return "a test does not end"
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].partition(" - ")[0] if failed else ("no test ran" if done.returncode else "")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs tests, which a fault may keep from ending, and all that they start."""
    limited = ["timeout", "--kill-after=10", str(LONGEST_SECONDS), *command]
    return subprocess.run(limited, cwd=ROOT, capture_output=True, text=True)


def _build_engine() -> None:
    subprocess.run(["scripts/build-engine.sh", "--skip-install"], cwd=ROOT, check=True,
                   capture_output=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
