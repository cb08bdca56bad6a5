//! Instruments that look into calls: where the cycles go, and how long interrupts are off. The numbers
//! are worked out by hand.

use cyclescope_engine::board::Board;
use cyclescope_engine::instruments::interrupts_off::InterruptsOff;
use cyclescope_engine::instruments::profile::{Costs, Line};
use cyclescope_engine::instruments::window::Window;

use crate::any_program::{load, Random, LPC2148, RESTART};
use crate::programs::{board, lpc2148, run_cycles, words, ArmBoard};

/// RAM without wait states, RAM with 2 (N) and 1 (S), and a device 3 cycles away.
const BOARD: &str = r#"
name = "waits"
[core]
kind = "arm7tdmi"
[[memory]]
name = "ram"
base = 0
size = 0x10000
[[memory]]
name = "slow"
base = 0x100000
size = 0x1000
n_wait = 2
s_wait = 1
[[bus]]
name = "local"
cycles = 3
[[device]]
name = "timer"
kind = "measurement_timer"
maps = [{ base = 0x200000, size = 8, bus = "local" }]
"#;

/// Where the caller lies in its memory, and the function it calls if that is in the same.
const CALLER: u32 = 0x100;
const FUNCTION: u32 = 0x200;
const NOP: u32 = 0xe1a0_0000;
const BX_LR: u32 = 0xe12f_ff1e;
/// r5 = r6, lr = pc, bx r5: what the caller executes before it is in the function.
const CALLING_CYCLES: u64 = 1 + 1 + 3;

const PCON: u32 = 0xE01F_C0C0;
const VIC: u32 = 0xFFFF_F000;
const SRAM: u32 = 0x4000_0000;

/// The calls made by the caller in the memory at `base`.
fn window(base: u32, entry: u32) -> Window {
    Window { start: base + CALLER, entry, returned: base + CALLER + 12 }
}

/// A board about to call the function at `entry` twice. r1 to r4 are as given; interrupts are let in.
fn calling(mut board: Board, base: u32, entry: u32, function: &[u32], r: [u32; 4]) -> Board {
    let caller = [
        0xe1a0_5006, // mov r5, r6
        0xe1a0_e00f, // mov lr, pc
        0xe12f_ff15, // bx r5
        0xe257_7001, // subs r7, r7, #1
        0x1aff_fffa, // bne CALLER
        0xeaff_fffe, // b .
    ];
    board.load_bytes(base + CALLER, &words(&caller)).unwrap();
    board.load_bytes(0x18, &words(&[0xe25e_f004 /* subs pc, lr, #4 */])).unwrap();
    board.load_bytes(entry, &words(function)).unwrap();
    board.reset(Some(base + CALLER));
    let mut state = board.arm().state();
    state.cpsr &= !0x80;
    state.user[1..5].copy_from_slice(&r);
    (state.user[6], state.user[7]) = (entry, 2);
    board.arm_mut().set_state(&state);
    board
}

fn line(executions: u64, instructions: u64) -> Line {
    Line { executions, costs: Costs { instructions, ..Costs::default() } }
}

#[test]
fn every_cycle_goes_to_its_instruction_and_kind() {
    let function = [
        0xe592_1000, // ldr r1, [r2]: 1S + 1N + 1I; the N takes 3 cycles
        0xe593_1000, // ldr r1, [r3]: the same, at the device
        0xe254_4001, // again: subs r4, r4, #1: 1S
        0x1aff_fffd, // bne again: taken 2S + 1N, not taken 1S
        BX_LR,       // 2S + 1N
    ];
    let mut board = calling(board(BOARD), 0, FUNCTION, &function, [0, 0x10_0000, 0x20_0000, 2]);
    board.profile(window(0, FUNCTION));
    board.run(&run_cycles(1_000)).unwrap();
    let calls = board.take_profiles();
    assert_eq!(calls.len(), 1, "the second loop begins at 0 and runs for ever");
    let first = &calls[0];
    let slow = Costs { instructions: 3, data_waits: 2, ..Costs::default() };
    let device = Costs { instructions: 3, bus_waits: 2, ..Costs::default() };
    let expected = [
        (0x200, Line { executions: 1, costs: slow }),
        (0x204, Line { executions: 1, costs: device }),
        (0x208, line(2, 2)),
        (0x20C, line(2, 4)),
        (0x210, line(1, 3)),
    ];
    assert_eq!(first.lines.clone().into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(first.cycles, 5 + 5 + 2 + 4 + 3);
}

#[test]
fn code_that_waits_is_charged_to_the_instruction_that_fetches() {
    let function = [
        0xe592_1000, // ldr r1, [r2]: S fetch (2) + N + I
        0xe582_1000, // str r1, [r2]: merged fetch (2) + N
        NOP,         // N fetch, behind a store (3)
        BX_LR,       // S fetch (2), then 1N + 1S where there is nothing to wait for
    ];
    let mut board = calling(board(BOARD), 0, 0x10_0000, &function, [0, 0x1000, 0, 0]);
    board.profile(window(0, 0x10_0000));
    board.run(&run_cycles(1_000)).unwrap();
    let calls = board.take_profiles();
    assert_eq!(calls.len(), 2);
    for call in calls {
        let stalled = |instructions, fetch_stalls| Line {
            executions: 1,
            costs: Costs { instructions, fetch_stalls, ..Costs::default() },
        };
        let lines: Vec<_> = call.lines.into_values().collect();
        assert_eq!(lines, [stalled(3, 1), stalled(2, 1), stalled(1, 2), stalled(3, 1)]);
        assert_eq!(call.cycles, 4 + 3 + 3 + 4);
    }
}

#[test]
fn an_interrupt_inside_a_call_is_charged_to_its_vector() {
    let function = [NOP, NOP, NOP, NOP, BX_LR];
    let mut board = calling(board(BOARD), 0, FUNCTION, &function, [0; 4]);
    board.profile(window(0, FUNCTION));
    let called = board.cycle() + CALLING_CYCLES;
    // The request ends before the handler does.
    board.drive("core.irq", 1, Some(called + 1)).unwrap();
    board.drive("core.irq", 0, Some(called + 5)).unwrap();
    board.run(&run_cycles(1_000)).unwrap();
    let calls = board.take_profiles();
    assert_eq!(calls[0].lines[&0x18], line(1, 3 + 3), "entry 2S + 1N, and the return to the call");
    assert_eq!([calls[0].cycles, calls[1].cycles], [7 + 6, 7]);
}

#[test]
fn sleeping_is_a_kind_of_its_own() {
    let function = [0xe582_1000 /* str r1, [r2] */, NOP, NOP, BX_LR];
    let mut board = calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, [1, PCON, 0, 0]);
    board.profile(window(SRAM, SRAM + FUNCTION));
    let called = board.cycle() + CALLING_CYCLES;
    board.drive("scb.wake", 1, Some(called + 1_000)).unwrap();
    board.run(&run_cycles(3_000)).unwrap();
    let calls = board.take_profiles();
    let store = calls[0].lines[&(SRAM + FUNCTION)].costs;
    // The fetch, the way over the bridge; then the clock stops until the request.
    assert_eq!(store.instructions, 2);
    let (begun, pclk) = (called + 1, 4); // cycles; the divider is 4 after reset
    let done = (begun + 4).div_ceil(pclk) * pclk + 2 * pclk; // docs/timing/bus_lpc2148.md
    assert_eq!(store.bus_waits, done - begun - 1);
    assert_eq!(store.asleep, 1_000 - 2 - store.bus_waits);
    assert_eq!(calls[0].entered, called);
    assert_eq!(calls[0].cycles, 1_000 + 1 + 1 + 3);
}

/// Returns the first call's intervals without interrupts.
fn interrupts_off(mut board: Board) -> InterruptsOff {
    board.watch_interrupts(window(SRAM, SRAM + FUNCTION));
    board.run(&run_cycles(3_000)).unwrap();
    board.take_interrupts_off()[0]
}

const ENABLED: [u32; 4] = [0x10, VIC, 0x80, 0];
const ENABLE: u32 = 0xe582_1010; // str r1, [r2, #0x10]: VICIntEnable
const DISABLE: u32 = 0xe582_1014; // str r1, [r2, #0x14]: VICIntEnClear
/// A store there: its fetch, and 2 cycles on the AHB.
const VIC_STORE_CYCLES: u64 = 1 + 2;

#[test]
fn an_interval_without_interrupts_lasts_from_the_boundary_behind_what_masks_to_the_one_behind_what_unmasks(
) {
    let function = [
        ENABLE,
        0xe10f_0000, // mrs r0, cpsr
        0xe180_3003, // orr r3, r0, r3
        0xe121_f003, // msr cpsr_c, r3: off
        NOP,
        0xe121_f000, // msr cpsr_c, r0: on
        0xe121_f003, // off
        NOP,         // begin
        NOP,
        NOP,
        0xe121_f000, // on
        NOP,         // end
        BX_LR,
    ];
    let off = interrupts_off(calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, ENABLED));
    let begin = SRAM + FUNCTION + 7 * 4;
    assert_eq!((off.longest_cycles, off.begin, off.end), (4, begin, begin + 4 * 4));
    assert_eq!(off.cycles, VIC_STORE_CYCLES + 11 + 3);
    assert_eq!((off.entered_off, off.returned_off), (true, false), "nothing was enabled before");
}

#[test]
fn every_interval_is_reported_with_the_cycles_and_instructions_of_its_ends() {
    let function = [
        ENABLE,
        0xe10f_0000, // mrs r0, cpsr
        0xe180_3003, // orr r3, r0, r3
        0xe121_f003, // msr cpsr_c, r3: off
        NOP,         // begin
        0xe121_f000, // msr cpsr_c, r0: on
        NOP,         // end
        0xe121_f003, // off
        NOP,         // begin
        NOP,
        0xe121_f000, // on
        BX_LR,       // end
    ];
    let mut board = calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, ENABLED);
    let began = board.cycle();
    board.watch_off_intervals();
    board.run(&run_cycles(60)).unwrap();
    let at = |index: u32| SRAM + FUNCTION + index * 4;
    let seen = board.take_off_intervals();
    let [first, second, third] = seen[..3] else { panic!("{seen:?}") };
    assert_eq!((first.since, first.end), (began, at(1)), "nothing was enabled before");
    assert_eq!((second.begin, second.end, second.cycles()), (at(4), at(6), 2));
    assert_eq!((third.begin, third.end, third.cycles()), (at(8), at(11), 3));
    assert_eq!(third.since - second.until, 2);
    assert_eq!(second.since - first.until, 3);
    assert!(board.take_off_intervals().is_empty(), "taken once");
}

#[test]
fn a_controller_that_passes_nothing_on_masks_like_the_core() {
    let function = [ENABLE, NOP, DISABLE, NOP, NOP, NOP, NOP, ENABLE, NOP, BX_LR];
    let off = interrupts_off(calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, ENABLED));
    let begin = SRAM + FUNCTION + 3 * 4;
    assert_eq!((off.begin, off.end), (begin, begin + 5 * 4));
    assert_eq!(off.longest_cycles, 4 + VIC_STORE_CYCLES);
}

#[test]
fn a_call_with_interrupts_off_all_through_is_one_interval_and_is_marked() {
    let mut board = calling(lpc2148(), SRAM, SRAM + FUNCTION, &[NOP, NOP, BX_LR], ENABLED);
    let mut state = board.arm().state();
    state.cpsr |= 0x80;
    board.arm_mut().set_state(&state);
    let off = interrupts_off(board);
    assert_eq!((off.cycles, off.longest_cycles), (5, 5));
    assert_eq!((off.begin, off.end), (SRAM + FUNCTION, SRAM + CALLER + 12));
    assert!(off.entered_off && off.returned_off);
}

#[test]
fn a_call_that_lets_interrupts_in_all_through_has_no_interval() {
    let function = [ENABLE, NOP, BX_LR];
    let mut board = calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, ENABLED);
    board.watch_interrupts(window(SRAM, SRAM + FUNCTION));
    board.run(&run_cycles(3_000)).unwrap();
    let calls = board.take_interrupts_off();
    let expected = InterruptsOff {
        entered: calls[1].entered,
        cycles: VIC_STORE_CYCLES + 1 + 3,
        ..InterruptsOff::default()
    };
    assert_eq!(calls[1], expected, "the first call was the one that enabled");
}

#[test]
fn looking_into_calls_changes_nothing() {
    let function = [ENABLE, 0xe592_0000, 0xe582_0100, NOP, DISABLE, BX_LR];
    let run = |watched: bool| {
        let mut board = calling(lpc2148(), SRAM, SRAM + FUNCTION, &function, ENABLED);
        if watched {
            board.profile(window(SRAM, SRAM + FUNCTION));
            board.watch_interrupts(window(SRAM, SRAM + FUNCTION));
        }
        let stop = board.run(&run_cycles(3_000)).unwrap();
        (stop, board.arm().state())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_call_that_a_reset_cuts_is_none() {
    // The program is the call.
    let mut board = board(BOARD);
    board.load_bytes(0, &words(&[NOP, NOP, NOP, NOP, BX_LR, NOP, 0xeaff_fffe])).unwrap();
    let call = Window { start: 0, entry: 0, returned: 20 };
    board.profile(call);
    board.watch_interrupts(call);
    let mut run = |cycles: u64| {
        board.reset(None);
        board.arm_mut().set_register(14, 20);
        let stop = board.run(&run_cycles(cycles)).unwrap();
        (stop, board.take_profiles(), board.take_interrupts_off())
    };
    let whole = run(100);
    assert_eq!((whole.1.len(), whole.2.len()), (1, 1));
    let cut = run(5);
    assert_eq!((cut.1.len(), cut.2.len()), (0, 0));
    assert_eq!(run(100), whole);
}

/// Events passed to one instrument must not depend on the others: an observer of memory gets every access.
#[test]
fn an_observer_of_devices_or_calls_gets_the_same_events_alone_and_with_others() {
    // From one restart of the program to the next.
    let call = Window { start: RESTART + 12, entry: RESTART + 16, returned: RESTART };
    let (mut calls, mut accesses) = (0, 0);
    for program in 0..40 {
        let [alone, with_others] =
            [&[LPC2148.device][..], &[LPC2148.device, SRAM + 0x7FFC]].map(|accessed| {
                let mut board = lpc2148();
                load(&mut board, &mut Random::new(&LPC2148, 0xD1B5_4A33 + program));
                board.reset(None);
                board.drive("core.irq", 1, Some(20_000)).unwrap();
                board.drive("core.irq", 0, Some(20_040)).unwrap();
                board.watch(&[], accessed);
                board.profile(call);
                let stop = board.run(&run_cycles(60_000)).unwrap();
                let mut accessed = board.take_accessed();
                accessed.retain(|one| one.address == LPC2148.device);
                (stop, board.arm().state(), accessed, board.take_profiles())
            });
        assert_eq!(alone, with_others, "program {program}");
        calls += alone.3.len();
        accesses += alone.2.len();
    }
    assert!(calls > 100 && accesses > 100, "{calls} calls, {accesses} accesses");
}
