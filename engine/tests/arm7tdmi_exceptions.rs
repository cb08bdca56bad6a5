//! Exceptions of the ARM7TDMI: what each leaves in link register, status and memory (ARM DDI 0029,
//! "Exceptions"), aborts in particular.

mod flat_bus;

use cyclescope_engine::bus::{Pending, Width};
use cyclescope_engine::core::{Core, Limit, Stop};
use cyclescope_engine::cores::arm7tdmi::bench::Bench;
use cyclescope_engine::cores::arm7tdmi::{input, mode, Arm7tdmi};
use cyclescope_engine::recording_bus::{BusCycle, Kind, Unmapped};
use flat_bus::{Entry, FlatBus};

const AT: u32 = 0x1000;
const CONTROL: u32 = 0xFF;

/// An instruction at AT in User mode with flags clear, where only what `bench.put` maps answers,
/// besides the code around it and the vectors.
fn arm(opcode: u32) -> Bench {
    let mut bench = Bench { unmapped: Unmapped::Aborts, ..Bench::default() };
    bench.state.cpsr = mode::USER;
    bench.state.pipeline = [opcode, 0];
    bench.state.user = std::array::from_fn(|i| 0x100 + i as u32);
    bench.state.user[15] = AT + 8;
    for address in (0..0x20).chain(AT..AT + 0x20).step_by(4) {
        bench.put(address, Width::Word, 0xE1A0_0000);
    }
    bench
}

fn kinds(cycles: &[BusCycle]) -> String {
    let letter = |cycle: &BusCycle| match cycle.kind {
        Kind::Code => 'c',
        Kind::Read => 'r',
        Kind::Write => 'w',
        Kind::Internal => 'i',
    };
    cycles.iter().map(letter).collect()
}

#[test]
fn each_exception_enters_its_mode_and_masks_what_it_must() {
    let take = |opcode, pending, aborted, thumb: bool| {
        let mut bench = arm(opcode);
        bench.pending = pending;
        bench.state.pipeline_aborted[0] = aborted;
        if thumb {
            bench.state.cpsr |= 0x20;
            bench.state.user[15] = AT + 4;
        }
        bench.step();
        let state = bench.state;
        let link = match state.cpsr & 0x1F {
            mode::FIQ => state.fiq[6],
            mode::IRQ => state.irq[1],
            mode::SUPERVISOR => state.supervisor[1],
            mode::ABORT => state.abort[1],
            _ => state.undefined[1],
        };
        (state.user[15] - 8, state.cpsr & CONTROL, link - AT)
    };
    let (none, irq, fiq) = (
        Pending::default(),
        Pending::default().with(input::IRQ),
        Pending::default().with(input::IRQ).with(input::FIQ),
    );
    let (nop, refused) = (0xE1A0_0000, 0xE590_0000); // mov r0, r0; ldr r0, [r0]
    assert_eq!(take(0xE7F0_00F0, none, false, false), (0x04, 0x9B, 4));
    assert_eq!(take(0xEF00_0000, none, false, false), (0x08, 0x93, 4));
    assert_eq!(take(nop, none, true, false), (0x0C, 0x97, 4));
    assert_eq!(take(refused, none, false, false), (0x10, 0x97, 8));
    assert_eq!(take(nop, irq, false, false), (0x18, 0x92, 4));
    assert_eq!(take(nop, fiq, false, false), (0x1C, 0xD1, 4));
    // The same from Thumb state: only SWI and undefined link 2 instead of 4 ahead.
    assert_eq!(take(0xDE00, none, false, true), (0x04, 0x9B, 2));
    assert_eq!(take(0xDF00, none, false, true), (0x08, 0x93, 2));
    assert_eq!(take(0x46C0, none, true, true), (0x0C, 0x97, 4));
    assert_eq!(take(0x6800, none, false, true), (0x10, 0x97, 8));
    assert_eq!(take(0x46C0, irq, false, true), (0x18, 0x92, 4));
    assert_eq!(take(0x46C0, fiq, false, true), (0x1C, 0xD1, 4));
}

#[test]
fn an_interrupt_goes_before_a_prefetch_abort() {
    let mut bench = arm(0);
    bench.state.pipeline_aborted[0] = true;
    bench.pending = Pending::default().with(input::IRQ);
    bench.step();
    assert_eq!(bench.state.cpsr & 0x1F, mode::IRQ);
}

#[test]
fn a_prefetch_abort_is_taken_only_if_the_instruction_is_reached() {
    // The last word before memory that refuses is a branch back: its two successors abort unseen.
    let mut bus = FlatBus { refused: 0x104..0x200, ..FlatBus::default() };
    bus.put_words(0x0C, &[0xE1A0_0000]);
    bus.put_words(0xFC, &[0xE280_0001, 0xEAFF_FFFD]); // add r0, r0, #1; b .-4
    let mut core = Arm7tdmi::new();
    core.reset(&mut bus, 0xFC);
    core.run(&mut bus, Limit { instructions: 20, ..Limit::NONE });
    assert_eq!((core.register(0), bus.entries.len()), (10, 0));
    // Without the branch it is reached.
    bus.put_words(0x100, &[0xE1A0_0000]);
    core.reset(&mut bus, 0xFC);
    core.run(&mut bus, Limit { instructions: 3, ..Limit::NONE });
    let entry = bus.entries[0];
    assert_eq!((entry.vector, entry.blamed, entry.link), (0x0C, 0x104, 0x108));
}

#[test]
fn a_refused_load_moves_its_base_and_keeps_its_register() {
    let mut bench = arm(0xE5B1_0010); // ldr r0, [r1, #16]!
    let cycles = bench.step();
    assert_eq!(kinds(&cycles), "criccc");
    assert_eq!((bench.state.user[0], bench.state.user[1]), (0x100, 0x111));
    assert_eq!(bench.state.abort[1], AT + 8);

    let mut bench = arm(0xE4A1_0004); // strt r0, [r1], #4
    assert_eq!(kinds(&bench.step()), "cwccc");
    assert_eq!(bench.state.user[1], 0x105);
}

#[test]
fn a_refused_block_load_stops_writing_registers_and_sets_its_base_again() {
    // ldmia r1, {r0-r3, pc} and the same with write-back; the third word is refused.
    for (opcode, base) in [(0xE891_800F, 0x2000), (0xE8B1_800F, 0x2014)] {
        let mut bench = arm(opcode);
        bench.state.user[1] = 0x2000;
        for address in [0x2000, 0x2004, 0x200C, 0x2010] {
            bench.put(address, Width::Word, 0xAAAA_0000);
        }
        let cycles = bench.step();
        assert_eq!(kinds(&cycles), "crrrrriccc");
        assert_eq!(bench.state.user[..4], [0xAAAA_0000, base, 0x102, 0x103]);
        assert_eq!((bench.state.user[15], bench.state.abort[1]), (0x18, AT + 8));
    }
}

#[test]
fn a_refused_block_store_makes_all_its_writes() {
    let mut bench = arm(0xE8A1_000D); // stmia r1!, {r0, r2, r3}
    bench.state.user[1] = 0x2000;
    bench.put(0x2000, Width::Word, 0);
    bench.put(0x2008, Width::Word, 0);
    assert_eq!(kinds(&bench.step()), "cwwwccc");
    assert_eq!((bench.memory[&0x2000], bench.memory[&0x2008]), (0x00, 0x03));
    assert_eq!(bench.state.user[1], 0x200C);
}

#[test]
fn a_refused_swap_makes_both_accesses_and_keeps_its_register() {
    let mut bench = arm(0xE102_0091); // swp r0, r1, [r2]
    assert_eq!(kinds(&bench.step()), "crwiccc");
    assert_eq!(bench.state.user[0], 0x100);
}

#[test]
fn a_fiq_during_an_aborting_load_is_taken_right_after_the_abort_entry() {
    let mut bus = FlatBus { refused: 0x8000_0000..0x9000_0000, ..FlatBus::default() };
    bus.put_words(0, &[0xE1A0_0000; 0x80]);
    bus.put_words(0x100, &[0xE3A0_0102, 0xE321_F013, 0xE590_1000]); // mov r0, #0x80000000; msr; ldr
    let mut core = Arm7tdmi::new();
    core.reset(&mut bus, 0x100);
    bus.request = Pending::default().with(input::FIQ);
    bus.asserted = 5; // the load runs from 4 to 7, its abort entry to 10
    core.run(&mut bus, Limit::cycle(14));
    let entries: Vec<_> = bus.entries.iter().map(|e| (e.vector, e.link, e.at)).collect();
    assert_eq!(entries, [(0x10, 0x110, 10), (0x1C, 0x14, 13)]);
}

#[test]
fn returns_restore_status_and_state() {
    // movs pc, lr from Supervisor to Thumb in User mode.
    let mut bench = arm(0xE1B0_F00E);
    bench.state.cpsr = mode::SUPERVISOR | 0xC0;
    bench.state.supervisor = [0, AT + 3];
    bench.state.spsr[1] = mode::USER | 0x20 | 0x8000_0000;
    let cycles = bench.step();
    assert_eq!(bench.state.cpsr, 0x8000_0030);
    assert_eq!((cycles[1].address, cycles[1].size, cycles[2].address), (AT + 2, 2, AT + 4));
    assert_eq!(bench.state.user[15], AT + 6);
}

#[test]
fn semihosting_calls_cost_their_fetch_and_stop_the_core() {
    for (thumb, call, other) in [(0, 0xEF12_3456, 0xEF12_3457u32), (1, 0xDFAB, 0xDFAC)] {
        let mut bus = FlatBus::default();
        if thumb == 0 {
            bus.put_words(0x100, &[call, other]);
        } else {
            bus.put_halves(0x100, &[call as u16, other as u16]);
        }
        let mut core = Arm7tdmi::new();
        core.set_host_calls(true);
        core.reset(&mut bus, 0x100 | thumb);
        assert_eq!(core.run(&mut bus, Limit::NONE), Stop::HostCall);
        assert_eq!((bus.now, core.retired(), bus.count.sequential), (3, 1, 2));
        assert_eq!(core.address(), if thumb == 0 { 0x104 } else { 0x102 });
        assert_eq!(core.step(&mut bus), None);
        assert_eq!(bus.entries.pop().map(|Entry { vector, .. }| vector), Some(0x08));
        core.set_host_calls(false);
        core.reset(&mut bus, 0x100 | thumb);
        core.step(&mut bus);
        assert_eq!(bus.entries.len(), 1);
    }
}

#[test]
fn reset_fills_the_pipeline_in_the_state_that_bit_0_selects() {
    for (entry, at, pc) in [(0x100, 0x100, 0x108), (0x103, 0x102, 0x106)] {
        let mut bus = FlatBus::default();
        let mut core = Arm7tdmi::new();
        core.reset(&mut bus, entry);
        assert_eq!((core.address(), core.register(15), bus.now), (at, pc, 2));
        assert_eq!((bus.count.non_sequential, bus.count.sequential), (1, 1));
        assert_eq!(core.is_thumb(), entry & 1 != 0);
        assert_eq!(core.cpsr() & 0xDF, mode::SUPERVISOR | 0xC0);
    }
}

#[test]
fn a_run_ends_at_the_limit_or_where_the_board_asks() {
    let mut bus = FlatBus::default();
    bus.put_words(0, &[0xE1A0_0000; 64]);
    let mut core = Arm7tdmi::new();
    core.reset(&mut bus, 0);
    assert_eq!(core.run(&mut bus, Limit::cycle(10)), Stop::Limit);
    assert_eq!((bus.now, core.retired()), (10, 8));
    bus.break_at = Some(0x40);
    assert_eq!(core.run(&mut bus, Limit::NONE), Stop::Boundary);
    assert_eq!((core.address(), core.retired()), (0x40, 16));
    bus.break_at = None;
    (bus.asserted, bus.request.stop) = (20, true);
    assert_eq!(core.run(&mut bus, Limit::NONE), Stop::Board);
    assert_eq!((bus.now, core.retired()), (20, 18));
}
