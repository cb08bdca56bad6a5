//! When an interrupt reaches the core, and what the truth and the host see of it.

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::cores::arm7tdmi::mode;

use crate::programs::{board, run_cycles, words, ArmBoard, MINIMAL};

/// Vectors that count in r0 (IRQ) and r1 (FIQ), then a main program of one-cycle instructions.
fn interruptible() -> Board {
    let mut program = vec![0u32; 8];
    program[6] = 0xEA00_0002; // IRQ: b 0x28
    program[7] = 0xEA00_0003; // FIQ: b 0x30
    program.extend([0, 0]);
    program.extend([0xE280_0001, 0xE25E_F004]); // 0x28: add r0, r0, #1; subs pc, lr, #4
    program.extend([0xE281_1001, 0xE25E_F004]); // 0x30: add r1, r1, #1; subs pc, lr, #4
    program.extend([0xE3A0_201F, 0xE121_F002]); // 0x38: mov r2, #0x1F; msr cpsr_c, r2
    program.extend([0xE1A0_0000; 64]); // nop
    program.push(0xEAFF_FFFE);
    let mut board = board(MINIMAL);
    board.load_bytes(0, &words(&program)).unwrap();
    board.reset(Some(0x38));
    board
}

/// Cycle at which the instruction at `address` begins to execute, when the line rises at `cycle`.
fn begins(address: u32, line: &str, cycle: u64) -> u64 {
    let mut board = interruptible();
    board.drive(line, 1, Some(cycle)).unwrap();
    let stop = board.run(&Request { pcs: vec![address], ..run_cycles(200) }).unwrap();
    assert_eq!(stop.reason, Reason::Pc);
    stop.cycle
}

#[test]
fn a_request_is_seen_at_the_first_boundary_after_the_synchroniser() {
    // All instructions take one cycle: seen 2 cycles later, entered in 3.
    for cycle in 10..20 {
        assert_eq!(begins(0x18, "core.irq", cycle), cycle + 2 + 3);
        assert_eq!(begins(0x1C, "core.fiq", cycle), cycle + 2 + 3);
    }
}

#[test]
fn the_synchroniser_is_a_constant_of_the_board() {
    let text = MINIMAL.replace("\"arm7tdmi\"", "\"arm7tdmi\"\ninterrupt_synchroniser_cycles = 4");
    let mut slow = board(&text);
    let bytes = interruptible().read_memory(0, 0x180).unwrap();
    slow.load_bytes(0, &bytes).unwrap();
    slow.reset(Some(0x38));
    slow.drive("core.irq", 1, Some(10)).unwrap();
    let stop = slow.run(&Request { pcs: vec![0x18], ..run_cycles(200) }).unwrap();
    assert_eq!(stop.cycle, 10 + 4 + 3);
}

#[test]
fn a_request_withdrawn_before_it_is_seen_is_gone() {
    let mut board = interruptible();
    board.drive("core.irq", 1, Some(10)).unwrap();
    board.drive("core.irq", 0, Some(12)).unwrap();
    let stop = board.run(&run_cycles(60)).unwrap();
    assert_eq!((stop.reason, board.arm().register(0)), (Reason::Cycles, 0));
}

#[test]
fn a_masked_request_waits_for_the_mask() {
    let mut board = interruptible();
    // The line is up before MSR clears the masks: main stands in SVC mode with I and F set until then.
    board.drive("core.fiq", 1, None).unwrap();
    let request = Request { pcs: vec![0x1C], ..run_cycles(200) };
    let stop = board.run(&request).unwrap();
    // Fill 2, mov 1, msr 1, entry 3.
    assert_eq!((stop.cycle, board.arm().cpsr() & 0x1F), (2 + 1 + 1 + 3, mode::FIQ));
}

#[test]
fn an_interrupt_costs_what_the_manual_says() {
    let end = 0x40 + 64 * 4;
    let to_the_end = |board: &mut Board| {
        board.run(&Request { pcs: vec![end], ..run_cycles(1000) }).unwrap().cycle
    };
    let undisturbed = to_the_end(&mut interruptible());
    let mut board = interruptible();
    board.drive("core.irq", 1, Some(20)).unwrap();
    board.drive("core.irq", 0, Some(25)).unwrap();
    // Entry 3, branch 3, add 1, subs pc 3.
    assert_eq!(to_the_end(&mut board), undisturbed + 10);
    assert_eq!(board.arm().register(0), 1);
}

#[test]
fn a_level_cannot_be_driven_in_the_past_or_into_nowhere() {
    let mut board = interruptible();
    assert_eq!(
        board.drive("core.irq", 1, Some(1)).unwrap_err().0,
        "Cannot drive core.irq at cycle 1: the board is at cycle 2 already."
    );
    assert_eq!(
        board.drive("core.nmi", 1, None).unwrap_err().0,
        "The board has no input \"core.nmi\"; it has core.irq, core.fiq, core.sleep, board.reset, \
         clock.core_hz, memory.ram.n_wait, memory.ram.s_wait, memory.ram.place."
    );
}

#[test]
fn a_sleeping_core_wakes_at_the_cycle_of_the_level_that_wakes_it() {
    let mut board = interruptible();
    board.drive("core.sleep", 1, Some(10)).unwrap();
    board.drive("core.sleep", 0, Some(5_000_000_000)).unwrap();
    let stop = board.run(&run_cycles(4_000_000_000)).unwrap();
    assert_eq!((stop.reason, stop.cycle), (Reason::Cycles, 4_000_000_000));
    let asleep_at = stop.instructions;
    let stop = board.run(&run_cycles(5_000_000_003)).unwrap();
    assert_eq!((stop.cycle, stop.instructions), (5_000_000_003, asleep_at + 3));
}

#[test]
fn a_sleep_that_nothing_can_end_is_told() {
    let mut board = interruptible();
    board.drive("core.sleep", 1, Some(10)).unwrap();
    let stop = board.run(&run_cycles(1_000_000)).unwrap();
    assert_eq!((stop.reason, stop.cycle, stop.pc), (Reason::Asleep, 10, 0x58));
    assert_eq!(
        stop.sentence,
        "The core sleeps before 0x58 and nothing pending can wake it: enable an interrupt before sleeping, \
         or drive an input."
    );
}
