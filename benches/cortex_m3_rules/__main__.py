"""Which recordings of the Cortex-M3 need which rule of its pipeline?

    .venv/bin/python benches/cortex_m3_rules [RULE ...]

Copies the engine to a folder of its own, puts a switch at each rule there, and builds it once. For
each rule it replays all recordings (`CYCLESCOPE_VECTORS`, else ../shared/vectors) without it. A
line for each has the cases that are then unequal, and their groups. Then come those outside the
groups that the rule was found in, and those with another counter than CYCCNT unequal. For a rule
that one group alone needs it splits that group's cases in halves, by seeds. The sources here stay
as they are. Exits with 1 where a case is unequal with all rules.
"""

import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PIPELINE = "engine/src/cores/armv7m/pipeline"
JUDGE = "engine/tests/cortex_m3_conformance.rs"
SEEDS = range(1, 1001)

SWITCH = """
/// Whether this rule is switched off.
pub fn off(rule: &str) -> bool {
    static RULE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    RULE.get_or_init(|| std::env::var("CYCLESCOPE_RULE_OFF").unwrap_or_default()) == rule
}
"""
SHOWN = "if let Some(one) = unequal.or(found.first().filter(|_| shows_all)) {"
SHOWS_EACH = "for one in found.iter().filter(|one| shows_all || one.recorded != one.counted) {"
LINE = re.compile(r"^case (\S+) (\w+) (\d+) (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Rule:
    """`before`, which stands once in a file of the pipeline, becomes `after`; OFF there asks for
    the switch. `found` are the groups that the rule was found in. `also` is a second change."""

    name: str
    path: str
    before: str
    after: str
    found: tuple[str, ...] = ()
    also: tuple[str, str] | None = None


RULES = (
    Rule("fetch-ahead", "fetch.rs", "<= 4 {", "<= if OFF { 2 } else { 4 } {", ("ldr_imm",)),
    Rule("fetch-counts-decode", "fetch.rs",
         "let leaves = if queue.careful", "let leaves = if OFF || queue.careful",
         ("cbz_after_ldr",)),
    Rule("fetch-keeps-under-long", "fetch.rs",
         "self.main.as_ref().is_some_and(|m| m.holds_queue())",
         "self.main.as_ref().is_some_and(|m| m.holds_queue() && !OFF)", ("ldr_imm",)),
    Rule("fetch-registered", "buses.rs",
         "                    (queue.registered, queue.request) = (Some(request), None);\n",
         "                    (queue.registered, queue.request) = (Some(request), None);\n"
         "                    if OFF && kept != Some(Path::System) && fetched.is_none()"
         " && !wants_system && !wrote {\n"
         "                        queue.data = queue.registered.take();\n                    }\n",
         ("add_adc_sub_sbc_rsb_imm",)),
    Rule("fetch-guess", "decode.rs",
         "(true, true) => Branch::Guess,",
         "(true, true) => if OFF { Branch::None } else { Branch::Guess },", ("bcond",)),
    Rule("fetch-branch-place", "decode.rs",
         "branch, held: stage.held, along", "branch, held: stage.held && !OFF, along",
         ("b_after_div_mull",)),
    Rule("fetch-sum", "fetch.rs", "if is_sum {", "if is_sum && !OFF {", ("tbb_tbh",)),
    Rule("decode-link", "decode.rs",
         "let early = shape.way == Way::Early &&",
         "let early = shape.way == Way::Early && !(shape.by_link && OFF) &&",
         ("bl_blx_bx_mov_pc_lr",)),
    Rule("decode-link-busy", "decode.rs",
         "(shape.by_link && self.decoding.link_busy)",
         "(shape.by_link && self.decoding.link_busy && !OFF)", ("bl_blx_bx_mov_pc_lr",)),
    Rule("decode-address", "decode.rs",
         "if needs && next.shape.address", "if needs && !OFF && next.shape.address",
         ("add_ldr_deps",)),
    Rule("decode-loaded-in-time", "decode.rs",
         "        let busy = self.busy();\n        let next",
         "        if OFF {\n            return;\n        }\n"
         "        let busy = self.busy();\n        let next",
         ("ldr_ldm_ldmdb_ldrd_deps",)),
    Rule("decode-loaded-late", "buses.rs",
         "(!slot.shape.writes_base || has_second)",
         "(OFF || !slot.shape.writes_base || has_second)",
         ("ldr_ldm_ldmdb_ldrd_deps",)),
    Rule("decode-skipped", "decode.rs",
         "hidden: self", "hidden: !OFF && self", ("it_pipeline",),
         ("(!self.newest_hides ||", "(OFF || !self.newest_hides ||")),
    Rule("decode-fold", "decode.rs",
         "if self.next.it_follows &&", "if !OFF && self.next.it_follows &&", ("it_fold",)),
    Rule("decode-multiply", "decode.rs",
         "stage.after_multiply && self.main", "stage.after_multiply && !OFF && self.main"),
    Rule("execute-under-data", "execute.rs",
         "let plain = matches!(", "let plain = !OFF && matches!(", ("ldr_deps",)),
    Rule("execute-nop-under-data", "execute.rs",
         "                    true\n                }",
         "                    !OFF\n                }",
         ("ldr_writeback_pipelining",)),
    Rule("execute-stack-data", "execute.rs",
         "(before.store || !before.stack_data);", "(OFF || before.store || !before.stack_data);"),
    Rule("execute-store-buffer", "shape.rs",
         "self.way == Way::Store && !self.register_offset",
         "self.way == Way::Store && !self.register_offset && !OFF", ("mov_str_imm_deps",)),
    Rule("execute-list-registers", "buses.rs",
         "if slot.shape.way == Way::List && !slot.shape.store {",
         "if slot.shape.way == Way::List && !slot.shape.store && !OFF {",
         ("ldr_ldm_ldmdb_ldrd_deps",)),
    Rule("execute-list-alone", "execute.rs",
         "Way::Load | Way::Store if self.loads.answers_last()",
         "Way::Load | Way::Store | Way::List if (before.way != Way::List || OFF)"
         " && self.loads.answers_last()", ("ldr_ldm_ldmdb_ldrd_deps",)),
    Rule("execute-operands", "long.rs",
         "pub fn cycles(operation: O, operands: [u32; 2]) -> u8 {\n",
         "pub fn cycles(operation: O, operands: [u32; 2]) -> u8 {\n"
         "    let operands = if OFF { [1; 2] } else { operands };\n",
         ("smull_umull_timing", "udiv")),
    Rule("execute-low-half", "execute.rs",
         "slot.busy_next &= !slot.shape.low;\n    }\n}",
         "slot.busy_next &= if OFF { !0 } else { !slot.shape.low };\n    }\n}",
         ("smull_umull_smlal_umlal_dependencies",)),
    Rule("execute-accumulate", "execute.rs",
         "=> self.accumulates(),", "=> !OFF && self.accumulates(),", ("mull_div_dependencies",)),
    Rule("buses-change", "buses.rs",
         "data.is_none_or(|before|", "data.is_none_or(|before| OFF ||", ("ldr_two_memories",)),
    Rule("buses-code-data-first", "buses.rs",
         "} else if !wants_code &&", "} else if (!wants_code || OFF) &&", ("ldr_imm",),
         ("let waits = waits_of[0];\n",
          "let waits = waits_of[0];\n                granted &= !wants_code;\n")),
    Rule("buses-system-fetch-first", "buses.rs",
         "queue.registered.filter(|_| kept",
         "queue.registered.filter(|_| !(OFF && wants_system) && kept",
         ("ldr_two_memories",)),
    Rule("buses-load-behind-write", "buses.rs",
         "u16::from(wrote && ", "u16::from(!OFF && wrote && ", ("it_pipeline",)),
    Rule("buses-fetch-behind-write", "buses.rs",
         "            if !wrote {", "            if !wrote || OFF {", ("strd",)),
    Rule("buses-store-data", "buses.rs",
         "let quiet = !before", "let quiet = OFF || !before", ("str_imm",)),
    Rule("fetch-sum wider: all branches that execute finds", "shape.rs",
         "matches!(self.way, Way::Table | Way::Sum)",
         "matches!(self.way, Way::Table | Way::Sum) || (OFF && self.way == Way::Late)",
         ("tbb_tbh",)),
    Rule("decode-skipped wider: behind all instructions", "decode.rs",
         "newest_hides = ", "newest_hides = OFF || ", ("it_pipeline",)),
    Rule("decode-skipped narrower: behind opcodes that may set flags alone", "decode.rs",
         "next.skipped || next.shape.may", "(next.skipped && !OFF) || next.shape.may",
         ("it_pipeline",)),
    Rule("decode-skipped narrower: behind skipped instructions alone", "decode.rs",
         "next.shape.may_set_flags;", "(next.shape.may_set_flags && !OFF);", ("it_pipeline",)),
)  # fmt: skip


@dataclass
class Judged:
    """The cases that are unequal without a rule, with their groups and the counters that differ."""

    groups: dict[str, str]
    counters: dict[str, set[str]]

    def by_group(self) -> Counter[str]:
        return Counter(self.groups[case] for case in self.counters)

    def elsewhere(self, found: tuple[str, ...]) -> Counter[str]:
        return Counter({one: n for one, n in self.by_group().items() if one not in found})

    def beside_cyccnt(self) -> int:
        return sum(bool(names - {"cyccnt"}) for names in self.counters.values())


def main(names: list[str]) -> int:
    """Judges the rules of these names, or all; returns the exit code."""
    known = [rule.name for rule in RULES]
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{unknown[0]} is no rule; the rules are {', '.join(known)}")
    folder = Path(os.environ.get("CYCLESCOPE_VECTORS") or ROOT.parent / "shared" / "vectors")
    cases = _cases(folder)
    if not cases:
        sys.exit(f"no recordings in {folder}/cortex-m3: set CYCLESCOPE_VECTORS to their folder")
    with tempfile.TemporaryDirectory(prefix="cortex-m3-rules-") as copy:
        judge = _build(Path(copy))
        if wrong := _judge(judge, folder, cases, "").counters:
            sys.exit(f"{len(wrong)} cases are unequal with all rules: no rule can be judged")
        print(f"{len(cases)} cases in {len(set(cases.values()))} groups, equal with all rules")
        print("rule | cases | groups | elsewhere: cases | groups | beside CYCCNT | most in")
        for rule in RULES:
            if not names or rule.name in names:
                _print(rule, _judge(judge, folder, cases, rule.name), cases)
    return 0


def _cases(folder: Path) -> dict[str, str]:
    """The group of each case."""
    files = sorted((folder / "cortex-m3").glob("*.json.gz"))
    return {
        case["id"]: case["group"].rpartition("/")[2]
        for file in files
        for case in json.loads(gzip.decompress(file.read_bytes()))
    }


def _build(copy: Path) -> Path:
    """The judge of the recordings, with a switch at each rule. Returns its program."""
    for name in ("Cargo.toml", "Cargo.lock", "bindings", "gdb", "engine", "boards"):
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / name)
    _change(copy / PIPELINE / "mod.rs", "pub use shape::", SWITCH + "\npub use shape::")
    _change(copy / JUDGE, SHOWN, SHOWS_EACH)
    for rule in RULES:
        for before, after in filter(None, ((rule.before, rule.after), rule.also)):
            asks = f'crate::cores::armv7m::pipeline::off("{rule.name}")'
            _change(copy / PIPELINE / rule.path, before, after.replace("OFF", asks))
    command = ["cargo", "test", "--locked", "--release", "--no-run", "--message-format", "json",
               "-p", "cyclescope-engine", "--test", "cortex_m3_conformance"]  # fmt: skip
    done = subprocess.run(command, cwd=copy, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit("the engine with switches does not build; cargo says why above")
    built = [json.loads(line) for line in done.stdout.splitlines()]
    programs = [one["executable"] for one in built if one.get("executable")]
    return Path(programs[-1])


def _change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    if text.count(before) != 1:
        sys.exit(f"{path.name} has {text.count(before)} places, not one, that read {before!r}")
    path.write_text(text.replace(before, after))


def _judge(judge: Path, folder: Path, cases: dict[str, str], rule: str) -> Judged:
    environment = os.environ | {"CYCLESCOPE_VECTORS": str(folder), "CYCLESCOPE_RULE_OFF": rule}
    environment.pop("CYCLESCOPE_CASES", None)
    command = [str(judge), "--ignored", "--nocapture"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    if "cortex-m3: " not in done.stdout:
        sys.exit(f"without {rule} the judge ends early: {done.stderr.strip()[-300:]}")
    counters: dict[str, set[str]] = {}
    for case, counter, _, _ in LINE.findall(done.stdout):
        counters.setdefault(case, set()).add(counter)
    return Judged(cases, counters)


def _print(rule: Rule, judged: Judged, cases: dict[str, str]) -> None:
    groups, elsewhere = judged.by_group(), judged.elsewhere(rule.found)
    most = ", ".join(f"{name} {count}" for name, count in elsewhere.most_common(3))
    print(f"{rule.name} | {len(judged.counters)} | {len(groups)} | {elsewhere.total()} "
          f"| {len(elsewhere)} | {judged.beside_cyccnt()} | {most}", flush=True)  # fmt: skip
    if len(groups) == 1:
        _print_halves(judged, cases)


def _print_halves(judged: Judged, cases: dict[str, str]) -> None:
    """How often both halves of the one group hold a case that needs the rule."""
    (group,) = judged.by_group()
    members = sorted(case for case, one in cases.items() if one == group)
    both = 0
    for seed in SEEDS:
        half = set(random.Random(seed).sample(members, len(members) // 2))
        here = sum(case in half for case in judged.counters)
        both += 0 < here < len(judged.counters)
    print(f"  {group} alone: {len(judged.counters)} of its {len(members)} cases; "
          f"both halves need the rule in {both} of {len(SEEDS)} splits")  # fmt: skip
    for case in sorted(judged.counters):
        print(f"  {case}: {', '.join(sorted(judged.counters[case]))}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
