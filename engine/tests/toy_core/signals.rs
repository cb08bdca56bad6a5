//! Signals of the core itself, devices that lengthen accesses, windows of single bytes, and erased memories.

use cyclescope_engine::board::{Board, Reason};

use crate::assembler::*;
use crate::core::DATA;
use crate::{cycles, made, BOARD};

/// The board of these tests with a waiter at bytes 5 and 6 of the I/O space, and erased memories.
fn board(program: &[u16]) -> Board {
    let text = BOARD.replace("kind = \"rom\"", "kind = \"rom\"\nfill = 0xFF")
        + r#"
[[device]]
name = "waiter"
kind = "waiter"
maps = [{ base = 0x80_0005, size = 2, bus = "io" }]
[[connect]]
from = "core.waits"
to = "waiter.waits"
[[connect]]
from = "core.requested"
to = "waiter.requested"
[[connect]]
from = "waiter.asleep"
to = "core.sleep"
"#;
    let mut board = made(&text).unwrap();
    board.load(&image(&[(0x20, program)], &[("main", 0x20)])).unwrap();
    board.reset(None);
    board
}

#[test]
fn an_instruction_stops_the_clock_and_a_request_starts_it_again() {
    let mut board = board(&[WAIT, ldi(1, 7), STUCK]);
    board.drive("core.line5", 1, Some(100)).unwrap();
    board.run(&cycles(90)).unwrap();
    assert!(!board.core().registers().contains(&("r1", 7)), "the core sleeps");
    assert_eq!(board.level("waiter.asleep").unwrap(), 1);
    board.run(&cycles(101)).unwrap();
    // The input is masked: its request wakes the core all the same.
    assert!(board.core().registers().contains(&("r1", 7)));
    assert_eq!(board.level("core.requested").unwrap(), 1);
    board.drive("core.line5", 0, None).unwrap();
    assert_eq!(board.level("core.requested").unwrap(), 0);
}

#[test]
fn a_sleep_that_no_request_ends_ends_the_run() {
    assert_eq!(board(&[WAIT, STUCK]).run(&cycles(90)).unwrap().reason, Reason::Asleep);
}

#[test]
fn a_device_lengthens_an_access_and_time_passes_in_it() {
    // The write to the ticker completes at 9, so it counts at 29. The second read completes at 15 and later.
    let ticks = |stall: u8| {
        let program =
            [ldi(0, stall), output(0, 5), ldi(0, 20), output(0, 0), input(1, 6), input(2, 1)];
        let mut board = board(&[&program[..], &[STUCK]].concat());
        board.run(&cycles(15 + u64::from(stall))).unwrap();
        let registers = board.core().registers();
        let value = |name| registers.iter().find(|one| one.0 == name).unwrap().1;
        (value("r1"), value("r2"))
    };
    assert_eq!([0, 1, 13, 14, 15].map(ticks), [(0, 0), (1, 0), (13, 0), (14, 1), (15, 1)]);
}

#[test]
fn a_memory_holds_its_fill_where_nothing_was_loaded() {
    let mut board = board(&[STUCK]);
    assert_eq!(board.read_memory(0x3E, 4).unwrap(), [0xFF, 0xFF, 0xFF, 0x6F]);
    assert_eq!(board.read_memory(DATA + 0x100, 1).unwrap(), [0]);
    board.write_memory(0, &[1]).unwrap();
    board.reset(None);
    assert_eq!(board.read_memory(0, 1).unwrap(), [0xFF]);
}
