//! Interrupts of the ARM7TDMI: taken at the right boundary whatever the cycle of the request. Then
//! the FIQ latencies, published and reached (ARM DDI 0210C, section 2.9; ARM7TDMI-S: LSI Logic,
//! ARM7TDMI-S manual, section 3.7).

mod flat_bus;

use cyclescope_engine::bus::Pending;
use cyclescope_engine::core::{Core, Limit, Stop};
use cyclescope_engine::cores::arm7tdmi::{input, Arm7tdmi, State};
use cyclescope_engine::time::Cycle;
use flat_bus::FlatBus;

const NONE: Pending = Pending { inputs: 0, stop: false };
const FIQ: Pending = NONE.with(input::FIQ);
const IRQ: Pending = NONE.with(input::IRQ);

const CODE: u32 = 0x100;
/// NOPs before the instruction: as many as the slowest synchroniser has cycles.
const LEAD: u32 = 4;
const ARM_NOP: u32 = 0xE1A0_0000; // mov r0, r0
const THUMB_NOP: u32 = 0x46C0; // mov r8, r8
const RETURN: u32 = 0xE25E_F004; // subs pc, lr, #4
const LDM_ALL: u32 = 0xE898_FFFF; // ldmia r8, {r0-r15}
const LDM_ALL_REFUSED: u32 = 0xE899_FFFF; // ldmia r9, {r0-r15}; r9 points where memory refuses

/// Source, opcode, cycles from boundary to boundary without wait states.
type Instruction = (&'static str, u32, Cycle);

/// One of each kind. r8 and the stack pointer hold addresses of memory whose words are CODE + 0x40;
/// r3 makes the multiplier take 4 cycles.
const ARM: [Instruction; 23] = [
    ("mov r0, r0", ARM_NOP, 1),
    ("condition failed", 0x0898_FFFF, 1),
    ("add r0, r1, r2, lsl r4", 0xE081_0412, 2),
    ("mov pc, r14", 0xE1A0_F00E, 3),
    ("add pc, r14, r4, lsl r4", 0xE08E_F414, 4),
    ("mrs r0, cpsr", 0xE10F_0000, 1),
    ("msr cpsr_f, r0", 0xE128_F000, 1),
    ("mul r0, r1, r3", 0xE000_0391, 5),
    ("mla r0, r1, r3, r2", 0xE020_2391, 6),
    ("umull r0, r1, r2, r3", 0xE081_0392, 6),
    ("smlal r0, r1, r2, r3", 0xE0E1_0392, 7),
    ("ldr r0, [r8]", 0xE598_0000, 3),
    ("ldr pc, [r8]", 0xE598_F000, 5),
    ("str r0, [r8]", 0xE588_0000, 2),
    ("ldrh r0, [r8]", 0xE1D8_00B0, 3),
    ("strh r0, [r8]", 0xE1C8_00B0, 2),
    ("ldmia r8!, {r0-r3}", 0xE8B8_000F, 6),
    ("ldmia r8, {r0-r15}", LDM_ALL, 20),
    ("stmia r8, {r0-r15}", 0xE888_FFFF, 17),
    ("swp r0, r1, [r8]", 0xE108_0091, 4),
    ("b", 0xEA00_000E, 3),
    ("bl", 0xEB00_000E, 3),
    ("bx r14", 0xE12F_FF1E, 3),
];

/// These mask IRQ, so only FIQ can follow them.
const ARM_TRAPS: [Instruction; 5] = [
    ("swi", 0xEF00_0001, 3),
    ("undefined", 0xE7F0_00F0, 4),
    ("ldr r0, [r9], refused", 0xE599_0000, 6),
    ("str r0, [r9], refused", 0xE589_0000, 5),
    ("ldmia r9, {r0-r15}, refused", LDM_ALL_REFUSED, 21),
];

const THUMB: [Instruction; 14] = [
    ("mov r8, r8", THUMB_NOP, 1),
    ("lsl r0, r4", 0x40A0, 2),
    ("mul r3, r1", 0x434B, 5),
    ("mov pc, r14", 0x46F7, 3),
    ("bx r14", 0x4770, 3),
    ("ldr r0, [pc, #4]", 0x4801, 3),
    ("str r0, [sp]", 0x9000, 2),
    ("push {r0-r3, lr}", 0xB50F, 6),
    ("pop {r0-r3}", 0xBC0F, 6),
    ("pop {r0-r3, pc}", 0xBD0F, 9),
    ("bne", 0xD10E, 3),
    ("beq", 0xD00E, 1),
    ("first half of bl", 0xF000, 1),
    ("second half of bl", 0xF810, 3),
];

/// A core about to execute LEAD NOPs, `opcode`, NOPs at CODE, interrupts enabled, with its bus.
fn prepare(opcode: u32, thumb: bool) -> (Arm7tdmi, FlatBus) {
    let mut bus = FlatBus { refused: 0x8000_0000..0x9000_0000, ..FlatBus::default() };
    bus.put_words(0x0, &[ARM_NOP; 0x40]);
    bus.put_words(0x18, &[RETURN, RETURN]);
    bus.put_words(0x1000, &[CODE + 0x40; 0x400]);
    let mut state = State { cpsr: 0x13, ..State::default() };
    if thumb {
        bus.put_halves(CODE, &[THUMB_NOP as u16; 0x400]);
        bus.put_halves(CODE + 2 * LEAD, &[opcode as u16]);
        state.cpsr |= 0x20;
    } else {
        bus.put_words(CODE, &[ARM_NOP; 0x100]);
        bus.put_words(CODE + 4 * LEAD, &[opcode]);
    }
    let mut core = Arm7tdmi::new();
    core.reset(&mut bus, CODE | u32::from(thumb));
    let reset = core.state();
    state.pipeline = reset.pipeline;
    state.user[15] = reset.user[15];
    state.user[3] = 0x7FFF_FFFF;
    state.user[8] = 0x1800;
    state.user[9] = 0x8000_0000;
    state.supervisor = [0x1800, CODE + 0x40 + u32::from(thumb)];
    core.set_state(&state);
    bus.now = 0;
    (core, bus)
}

/// Boundaries of the program left alone: cycle and address.
fn boundaries(opcode: u32, thumb: bool) -> Vec<(Cycle, u32)> {
    let (mut core, mut bus) = prepare(opcode, thumb);
    bus.boundaries = Some(Vec::new());
    core.run(&mut bus, Limit::cycle(60));
    bus.boundaries.expect("they were asked for")
}

/// Cycles from boundary to boundary of one instruction, an abort entry included.
fn measure(opcode: u32, thumb: bool) -> Cycle {
    let alone = boundaries(opcode, thumb);
    alone[LEAD as usize + 1].0 - alone[LEAD as usize].0
}

/// Cycles at which a request meets the instruction, those just before and after it included.
fn requests(cycles: Cycle) -> Cycle {
    Cycle::from(LEAD) + cycles + 2
}

fn at_every_cycle(instruction: Instruction, thumb: bool, request: Pending) {
    let (source, opcode, cycles) = instruction;
    let alone = boundaries(opcode, thumb);
    assert_eq!(measure(opcode, thumb), cycles, "{source}");
    for synchroniser in [2, 3, 4] {
        for asserted in 0..requests(cycles) {
            let (mut core, mut bus) = prepare(opcode, thumb);
            (bus.request, bus.asserted, bus.synchroniser) = (request, asserted, synchroniser);
            core.run(&mut bus, Limit { instructions: 20, ..Limit::cycle(50) });
            let visible = asserted + synchroniser;
            let taken = alone.iter().find(|(cycle, _)| *cycle >= visible);
            let &(cycle, address) = taken.expect("the program is long enough");
            let vector = if request == FIQ { 0x1C } else { 0x18 };
            let entry = bus.entries.iter().find(|entry| entry.vector == vector);
            let entry = entry.unwrap_or_else(|| panic!("{source}: request at {asserted} lost"));
            assert_eq!(
                (entry.at, entry.blamed, entry.link),
                (cycle + 3, address, address + 4),
                "{source}, requested at {asserted}, visible at {visible}"
            );
        }
    }
}

#[test]
fn an_interrupt_at_every_cycle_of_every_kind_of_instruction_is_taken_at_the_next_boundary() {
    for instruction in ARM {
        at_every_cycle(instruction, false, FIQ);
        at_every_cycle(instruction, false, IRQ);
    }
    for instruction in ARM_TRAPS {
        at_every_cycle(instruction, false, FIQ);
    }
    for instruction in THUMB {
        at_every_cycle(instruction, true, FIQ);
        at_every_cycle(instruction, true, IRQ);
    }
}

#[test]
fn a_program_that_was_interrupted_ends_as_if_it_had_not_been() {
    let kinds = ARM.iter().map(|i| (i, false)).chain(THUMB.iter().map(|i| (i, true)));
    for (&(source, opcode, cycles), thumb) in kinds {
        let run = |asserted| {
            let (mut core, mut bus) = prepare(opcode, thumb);
            (bus.request, bus.asserted) = (IRQ, asserted);
            bus.break_at = Some(CODE + 0x80);
            assert_eq!(core.run(&mut bus, Limit::cycle(400)), Stop::Boundary, "{source}");
            let mut state = core.state();
            (state.irq, state.spsr[3]) = ([0; 2], 0);
            (state, bus.memory, core.retired(), bus.entries.len(), bus.now)
        };
        let alone = run(1000);
        for asserted in 0..requests(cycles) {
            let interrupted = run(asserted);
            assert_eq!(interrupted.0, alone.0, "{source}, requested at {asserted}");
            assert_eq!(interrupted.1, alone.1, "{source}, requested at {asserted}");
            // The handler is one instruction: 3 cycles of entry, 3 of return.
            assert_eq!(interrupted.2, alone.2 + 1, "{source}");
            assert_eq!(interrupted.3, alone.3 + 1, "{source}");
            assert_eq!(interrupted.4, alone.4 + 6, "{source}, requested at {asserted}");
        }
    }
}

/// The published figures of a variant: its synchroniser, and its sums.
struct Variant {
    name: &'static str,
    synchroniser: (Cycle, Cycle),
    published: (Cycle, Cycle),
}

const VARIANTS: [Variant; 2] = [
    Variant { name: "ARM7TDMI-S", synchroniser: (2, 2), published: (4, 27) },
    // Between 3 and 4 by where in its cycle the request arrives.
    Variant { name: "hard macro", synchroniser: (3, 4), published: (5, 29) },
];

/// Cycles from the request to the boundary at which the vector's instruction is about to execute.
fn latency(opcode: u32, asserted: Cycle, synchroniser: Cycle) -> Cycle {
    let (mut core, mut bus) = prepare(opcode, false);
    (bus.request, bus.asserted, bus.synchroniser) = (FIQ, asserted, synchroniser);
    core.run(&mut bus, Limit::cycle(80));
    let entry = bus.entries.iter().find(|entry| entry.vector == 0x1C);
    entry.expect("the request is taken").at - asserted
}

/// The least or greatest latency over all kinds of instruction and all cycles of the request.
fn extreme(synchroniser: Cycle, greatest: bool) -> (Cycle, &'static str) {
    let all = ARM.into_iter().chain(ARM_TRAPS).flat_map(|(source, opcode, cycles)| {
        (0..requests(cycles)).map(move |asserted| (latency(opcode, asserted, synchroniser), source))
    });
    let by = |&(latency, _): &(Cycle, &str)| latency;
    if greatest { all.max_by_key(by) } else { all.min_by_key(by) }.expect("there are some")
}

#[test]
fn fiq_latencies_published_and_reached() {
    let ldm = measure(LDM_ALL, false);
    let abort_entry = measure(0xE599_0000, false) - measure(0xE598_0000, false);
    let (mut core, mut bus) = prepare(ARM_NOP, false);
    (bus.request, bus.asserted) = (FIQ, 0);
    core.step(&mut bus);
    // The first of its cycles fetches an opcode that is thrown away; the manual does not count it.
    let fiq_entry = bus.entries[0].at - 1;
    assert_eq!((ldm, abort_entry, fiq_entry), (20, 3, 2));

    println!(
        "summands: LDM of 16 registers {ldm}, abort entry {abort_entry}, FIQ entry {fiq_entry}"
    );
    println!(
        "variant      synchroniser  published  sum of terms  reached (request to 0x1C executing)"
    );
    for Variant { name, synchroniser: (shortest, longest), published } in VARIANTS {
        // Measured among instructions of one cycle: from the request to the boundary that sees it.
        let synchronised = |cycles| latency(ARM_NOP, 0, cycles) - (fiq_entry + 1);
        assert_eq!((synchronised(shortest), synchronised(longest)), (shortest, longest));
        let sums = (
            synchronised(shortest) + fiq_entry,
            synchronised(longest) + ldm + abort_entry + fiq_entry,
        );
        assert_eq!(sums, published, "{name}");
        let (least, (greatest, source)) = (extreme(shortest, false).0, extreme(longest, true));
        println!(
            "{name:12} {shortest} to {longest}        {} to {}    {} to {}       {least} to {greatest} ({source})",
            published.0, published.1, sums.0, sums.1
        );
        // One more than published: the discarded fetch is not overlapped with anything here.
        assert_eq!(least, published.0 + 1);
        // Two less: + 1 for that fetch; - 2, since a load that aborts does not refill the pipeline
        // from r15. Last - 1, since a request must miss the boundary before the load to wait for
        // it.
        assert_eq!(greatest, published.1 - 2);
        assert_eq!(source, "ldmia r9, {r0-r15}, refused");
    }
}
