//! Two accesses at once: cycles of overlap counted by hand, on a free path, on a shared one, and during DMA.
//!
//! A byte of data takes 3 cycles, an opcode 1. Every program begins with its first fetch, 0 to 1.

use cyclescope_engine::board::Board;

use crate::assembler::*;
use crate::core::DATA;
use crate::{cycles, made, toy, BOARD};

const COPIER: u8 = 8;
const BURST: u8 = 0x80;

/// The board with slow data, which lie on a path of their own or share that of the program.
fn board(own_path: bool) -> Board {
    let slow = BOARD.replace("width = 8\n", "width = 8\nn_wait = 2\n");
    made(&if own_path {
        let separate = slow.replace("n_wait = 2\n", "n_wait = 2\nbus = \"side\"\n");
        format!("{separate}[[bus]]\nname = \"side\"\ncycles = 1\noverlaps = true\n")
    } else {
        slow
    })
    .unwrap()
}

/// Runs the program and gives the cycle at which each of its opcodes began to execute.
fn begun(board: &mut Board, program: &[u16]) -> Vec<u64> {
    board.load(&image(&[(0x20, program)], &[("main", 0x20)])).unwrap();
    let addresses: Vec<u32> = (0..program.len() as u32).map(|word| 0x40 + 2 * word).collect();
    board.watch(&addresses, &[]);
    board.reset(None);
    board.run(&cycles(200)).unwrap();
    let mut cycles: Vec<_> = board.take_executed().iter().map(|e| e.cycle).collect();
    cycles.truncate(program.len());
    cycles
}

#[test]
fn on_two_paths_a_load_takes_as_long_as_the_longer_of_its_accesses() {
    let program = [ldi(7, 1), ld(0, 0), st(0, 1), NOP, STUCK];
    // Fetch and data begin together: 2 to 5, 5 to 8.
    assert_eq!(begun(&mut board(true), &program), [1, 2, 5, 8, 9]);
    // Data behind the fetch: 2 + 1 + 3, 6 + 1 + 3.
    assert_eq!(begun(&mut board(false), &program), [1, 2, 6, 10, 11]);
}

#[test]
fn on_two_paths_a_slow_fetch_hides_the_data() {
    let slow_program = |own_path| {
        let text = board(own_path).description().to_toml().unwrap();
        made(&text.replacen(
            "width = 16\nn_wait = 0\ns_wait = 0",
            "width = 16\nn_wait = 4\ns_wait = 4",
            1,
        ))
        .unwrap()
    };
    let program = [ldi(7, 1), ld(0, 0), NOP, STUCK];
    assert_eq!(begun(&mut slow_program(true), &program), [5, 10, 15, 20]);
    assert_eq!(begun(&mut slow_program(false), &program), [5, 10, 18, 23]);
}

/// Starts a copy of 2 bytes, loads during it, and goes on.
fn copying(count: u8) -> [u16; 7] {
    [ldi(7, 1), ldi(0, count), output(0, COPIER), ld(1, 0), NOP, ld(1, 0), STUCK]
}

#[test]
fn a_program_that_leaves_the_data_alone_does_not_feel_the_copy() {
    let with = |count| [ldi(0, count), output(0, COPIER), NOP, NOP, NOP, NOP, NOP, NOP, STUCK];
    // The write: fetch 2 to 3, register 3 to 5. Then the copier reads from 5 to 8, and so on.
    assert_eq!(begun(&mut board(true), &with(2)), [1, 2, 5, 6, 7, 8, 9, 10, 11]);
    // On the path of the program: transfers 5 to 8, 9 to 12, 13 to 16, 17 to 20, a fetch between two.
    assert_eq!(begun(&mut board(false), &with(2)), [1, 2, 5, 9, 13, 17, 21, 22, 23]);
    let mut burst = board(false);
    assert_eq!(begun(&mut burst, &with(2 | BURST)), [1, 2, 5, 18, 19, 20, 21, 22, 23]);
}

#[test]
fn a_load_during_the_copy_waits_for_the_transfer_under_way() {
    // The write to the copier ends at 6. Transfer 6 to 9, load 9 to 12, transfer 12 to 15 beside the
    // fetch of NOP, load 15 to 18.
    assert_eq!(begun(&mut board(true), &copying(2)), [1, 2, 3, 6, 12, 13, 18]);
    // Transfer 6 to 9, fetch 9 to 10, transfer 10 to 13, load 13 to 16. Transfer 16 to 19, fetch 19
    // to 20, transfer 20 to 23, fetch 23 to 24, load 24 to 27.
    assert_eq!(begun(&mut board(false), &copying(2)), [1, 2, 3, 6, 16, 20, 27]);
}

#[test]
fn a_load_during_a_burst_waits_for_all_of_it() {
    // Transfers 6 to 18, then the load.
    assert_eq!(begun(&mut board(true), &copying(2 | BURST)), [1, 2, 3, 6, 21, 22, 25]);
    // Transfers 6 to 18, fetch, load; then nothing is contended.
    assert_eq!(begun(&mut board(false), &copying(2 | BURST)), [1, 2, 3, 6, 22, 23, 27]);
}

#[test]
fn observers_see_the_transfers_of_a_device_when_they_are_complete() {
    let mut board = board(true);
    let main = [ldi(0, 2), output(0, COPIER), STUCK];
    board.load(&image(&[(0x20, &main)], &[("main", 0x20)])).unwrap();
    board.load_bytes(DATA + 0x140, &[4, 5]).unwrap();
    board.watch(&[], &[0x140, 0x141, 0x150, 0x151].map(|offset| DATA + offset));
    board.reset(None);
    board.run(&cycles(200)).unwrap();
    let seen = board.take_accessed();
    let seen: Vec<_> =
        seen.iter().map(|one| (one.cycle, one.address - DATA, one.value, one.write)).collect();
    // The register is written by 5; the last byte goes first.
    let expected =
        [(8, 0x141, 5, false), (11, 0x151, 5, true), (14, 0x140, 4, false), (17, 0x150, 4, true)];
    assert_eq!(seen, expected);
}

#[test]
fn the_copy_arrives_and_requests_an_interrupt_by_its_level() {
    for own_path in [true, false] {
        let mut board = board(own_path);
        let main = [ldi(0, 3), output(0, COPIER), EI, STUCK];
        let program = image(&[(8, &[CAUSE, RETI]), (0x20, &main)], &[("main", 0x20)]);
        board.load(&program).unwrap();
        board.load_bytes(DATA + 0x140, &[4, 5, 6]).unwrap();
        board.reset(None);
        board.run(&cycles(200)).unwrap();
        assert_eq!(board.read_memory(DATA + 0x150, 3).unwrap(), [4, 5, 6]);
        assert_eq!((toy(&board).state.r[0], board.level("copier.done").unwrap()), (7, 0));
    }
}
