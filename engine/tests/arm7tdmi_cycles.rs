//! Cycle table of the ARM7TDMI: what each kind of instruction costs, by the manual.
//!
//! Each row cites the section of ARM DDI 0210C, chapter "Instruction cycle timings", whose table it
//! states. The tables' values were taken from notes and checked against other simulators' bus
//! cycles. The manual's own pages were not at hand, so section numbers are left out (unverified).
//!
//! The manual counts, instead of the fetch an instruction starts with, the one it leaves to its
//! successor: that is why a store costs 2N.

use cyclescope_engine::bus::{Access, Pending, Width};
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::input;
use cyclescope_engine::recording_bus::{BusCycle, Kind};

const UNEXECUTED: &str = "Unexecuted instructions";
const DATA: &str = "Data operations";
const MULTIPLY: &str = "Multiply and multiply accumulate";
const LOAD: &str = "Load register";
const STORE: &str = "Store register";
const LOAD_MULTIPLE: &str = "Load multiple registers";
const STORE_MULTIPLE: &str = "Store multiple registers";
const SWAP: &str = "Data swap";
const BRANCH: &str = "Branch; branch with link; branch and exchange";
const EXCEPTION: &str = "Software interrupt and exception entry";
const UNDEFINED: &str = "Undefined instructions and coprocessor absent";

struct Row {
    opcode: u32,
    source: &'static str,
    cost: &'static str,
    section: &'static str,
}

const fn row(opcode: u32, source: &'static str, cost: &'static str, section: &'static str) -> Row {
    Row { opcode, source, cost, section }
}

// r3 to r6 need 1 to 4 cycles of the multiplier, r7 (negative) 1 or, unsigned, 4.
const REGISTERS: [u32; 16] = [
    0x1000,
    0x1100,
    0x20,
    0x7F,
    0x7FFF,
    0x7F_FFFF,
    0x7FFF_FFFF,
    0xFFFF_FF80,
    0x1000,
    0,
    0,
    0,
    0,
    0x2000,
    0x3000,
    0,
];

#[rustfmt::skip] // a table
const ARM: &[Row] = &[
    row(0x0081_0002, "addeq r0, r1, r2", "1S", UNEXECUTED),
    row(0x0898_FFFF, "ldmeqia r8, {r0-r15}", "1S", UNEXECUTED),
    row(0xE081_0002, "add r0, r1, r2", "1S", DATA),
    row(0xE1B0_01A1, "movs r0, r1, lsr #3", "1S", DATA),
    row(0xE350_0001, "cmp r0, #1", "1S", DATA),
    row(0xE081_0312, "add r0, r1, r2, lsl r3", "1S 1I", DATA),
    row(0xE1A0_F00E, "mov pc, r14", "2S 1N", DATA),
    row(0xE081_F312, "add pc, r1, r2, lsl r3", "2S 1N 1I", DATA),
    row(0xE10F_0000, "mrs r0, cpsr", "1S", DATA),
    row(0xE128_F000, "msr cpsr_f, r0", "1S", DATA),
    row(0xE16F_F000, "msr spsr_cxsf, r0", "1S", DATA),
    row(0xE000_0391, "mul r0, r1, r3", "1S 1I", MULTIPLY),
    row(0xE000_0491, "mul r0, r1, r4", "1S 2I", MULTIPLY),
    row(0xE000_0591, "mul r0, r1, r5", "1S 3I", MULTIPLY),
    row(0xE000_0691, "mul r0, r1, r6", "1S 4I", MULTIPLY),
    row(0xE000_0791, "mul r0, r1, r7", "1S 1I", MULTIPLY),
    row(0xE020_2491, "mla r0, r1, r4, r2", "1S 3I", MULTIPLY),
    row(0xE081_0392, "umull r0, r1, r2, r3", "1S 2I", MULTIPLY),
    row(0xE081_0792, "umull r0, r1, r2, r7", "1S 5I", MULTIPLY),
    row(0xE0C1_0792, "smull r0, r1, r2, r7", "1S 2I", MULTIPLY),
    row(0xE0A1_0592, "umlal r0, r1, r2, r5", "1S 5I", MULTIPLY),
    row(0xE0E1_0692, "smlal r0, r1, r2, r6", "1S 6I", MULTIPLY),
    row(0xE598_0000, "ldr r0, [r8]", "1S 1N 1I", LOAD),
    row(0xE7F8_0003, "ldrb r0, [r8, r3]!", "1S 1N 1I", LOAD),
    row(0xE0D8_00F2, "ldrsh r0, [r8], #2", "1S 1N 1I", LOAD),
    row(0xE598_F000, "ldr pc, [r8]", "2S 2N 1I", LOAD),
    row(0xE588_0000, "str r0, [r8]", "2N", STORE),
    row(0xE1C8_00B2, "strh r0, [r8, #2]", "2N", STORE),
    row(0xE898_0001, "ldmia r8, {r0}", "1S 1N 1I", LOAD_MULTIPLE),
    row(0xE8B8_000F, "ldmia r8!, {r0-r3}", "4S 1N 1I", LOAD_MULTIPLE),
    row(0xE898_8001, "ldmia r8, {r0, pc}", "3S 2N 1I", LOAD_MULTIPLE),
    row(0xE898_FFFF, "ldmia r8, {r0-r15}", "17S 2N 1I", LOAD_MULTIPLE),
    row(0xE888_0001, "stmia r8, {r0}", "2N", STORE_MULTIPLE),
    row(0xE928_000F, "stmdb r8!, {r0-r3}", "3S 2N", STORE_MULTIPLE),
    row(0xE888_FFFF, "stmia r8, {r0-r15}", "15S 2N", STORE_MULTIPLE),
    row(0xE108_0091, "swp r0, r1, [r8]", "1S 2N 1I", SWAP),
    row(0xE148_0091, "swpb r0, r1, [r8]", "1S 2N 1I", SWAP),
    row(0xEA00_000E, "b .+0x40", "2S 1N", BRANCH),
    row(0xEB00_000E, "bl .+0x40", "2S 1N", BRANCH),
    row(0xE12F_FF1E, "bx r14", "2S 1N", BRANCH),
    row(0xEF00_0001, "svc 1", "2S 1N", EXCEPTION),
    row(0xE7F0_00F0, "(undefined)", "2S 1N 1I", UNDEFINED),
    row(0xEE00_0100, "cdp p1, 0, c0, c0, c0", "2S 1N 1I", UNDEFINED),
    row(0xEE10_0E10, "mrc p14, 0, r0, c0, c0", "2S 1N 1I", UNDEFINED),
    row(0xED98_0100, "ldc p1, c0, [r8]", "2S 1N 1I", UNDEFINED),
];

#[rustfmt::skip] // a table
const THUMB: &[Row] = &[
    row(0x00C8, "lsls r0, r1, #3", "1S", DATA),
    row(0x1888, "adds r0, r1, r2", "1S", DATA),
    row(0x2801, "cmp r0, #1", "1S", DATA),
    row(0x4008, "ands r0, r1", "1S", DATA),
    row(0xA001, "add r0, pc, #4", "1S", DATA),
    row(0xB082, "sub sp, #8", "1S", DATA),
    row(0x4098, "lsls r0, r3", "1S 1I", DATA),
    row(0x4360, "muls r0, r4, r0", "1S 2I", MULTIPLY),
    row(0x4346, "muls r6, r0, r6", "1S 4I", MULTIPLY),
    row(0x4688, "mov r8, r1", "1S", DATA),
    row(0x46F7, "mov pc, r14", "2S 1N", DATA),
    row(0x4770, "bx r14", "2S 1N", BRANCH),
    row(0x4801, "ldr r0, [pc, #4]", "1S 1N 1I", LOAD),
    row(0x9801, "ldr r0, [sp, #4]", "1S 1N 1I", LOAD),
    row(0x5C88, "ldrb r0, [r1, r2]", "1S 1N 1I", LOAD),
    row(0x6048, "str r0, [r1, #4]", "2N", STORE),
    row(0x5288, "strh r0, [r1, r2]", "2N", STORE),
    row(0xB50F, "push {r0-r3, lr}", "4S 2N", STORE_MULTIPLE),
    row(0xBC0F, "pop {r0-r3}", "4S 1N 1I", LOAD_MULTIPLE),
    row(0xBD0F, "pop {r0-r3, pc}", "6S 2N 1I", LOAD_MULTIPLE),
    row(0xC80E, "ldmia r0!, {r1-r3}", "3S 1N 1I", LOAD_MULTIPLE),
    row(0xC00E, "stmia r0!, {r1-r3}", "2S 2N", STORE_MULTIPLE),
    row(0xD00E, "beq .+0x20", "1S", BRANCH),
    row(0xD10E, "bne .+0x20", "2S 1N", BRANCH),
    row(0xE00E, "b .+0x20", "2S 1N", BRANCH),
    row(0xF000, "bl, first half", "1S", BRANCH),
    row(0xF810, "bl, second half", "2S 1N", BRANCH),
    row(0xDF01, "svc 1", "2S 1N", EXCEPTION),
    row(0xDE00, "udf 0", "2S 1N 1I", UNDEFINED),
];

#[test]
fn arm_instructions_cost_what_the_manual_says() {
    check(ARM, Width::Word, 0x13);
}

#[test]
fn thumb_instructions_cost_what_the_manual_says() {
    check(THUMB, Width::Half, 0x33);
}

#[test]
fn an_exception_entry_costs_3_cycles() {
    for requested in [input::FIQ, input::IRQ] {
        let mut bench = bench(0xE598_0000, Width::Word, 0x13);
        bench.pending = Pending::default().with(requested);
        let cycles = bench.step();
        assert_eq!(cost(&cycles, bench.state.next_fetch), "2S 1N", "{EXCEPTION}");
    }
    let mut bench = bench(0xE598_0000, Width::Word, 0x13);
    bench.state.pipeline_aborted = [true, false];
    let cycles = bench.step();
    assert_eq!(cost(&cycles, bench.state.next_fetch), "2S 1N", "{EXCEPTION}");
}

fn check(rows: &[Row], width: Width, cpsr: u32) {
    for row in rows {
        let mut bench = bench(row.opcode, width, cpsr);
        let cycles = bench.step();
        let cost = cost(&cycles, bench.state.next_fetch);
        assert_eq!(cost, row.cost, "{} ({:X}): {}", row.source, row.opcode, row.section);
    }
}

/// The instruction at 0x100, flags clear, interrupts enabled, every word of memory zero.
fn bench(opcode: u32, width: Width, cpsr: u32) -> Bench {
    let mut bench = Bench::default();
    bench.state.user = REGISTERS;
    bench.state.user[15] = 0x100 + 2 * width.bytes();
    bench.state.supervisor = [REGISTERS[13], REGISTERS[14]];
    bench.state.cpsr = cpsr;
    bench.state.pipeline = [opcode, 0];
    bench.state.next_fetch = Access::code(width).sequential();
    bench
}

/// As the manual writes it: without the fetch at the start, with the next one.
fn cost(cycles: &[BusCycle], next: Access) -> String {
    let internal = cycles.iter().filter(|cycle| cycle.kind == Kind::Internal).count();
    let memory = cycles[1..].iter().filter(|cycle| cycle.kind != Kind::Internal);
    let sequential = memory.clone().filter(|cycle| cycle.access & 1 != 0).count()
        + usize::from(next.is_sequential());
    let non_sequential = memory.count() + 1 - sequential;
    let parts = [(sequential, 'S'), (non_sequential, 'N'), (internal, 'I')];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    parts.map(|(count, kind)| format!("{count}{kind}")).collect::<Vec<_>>().join(" ")
}
