//! Faults: what a run says of them, and where it ends.

use crate::programs::{loaded, run_cycles, words, ArmBoard, MINIMAL};
use cyclescope_engine::board::{Reason, Request};

#[test]
fn an_unmapped_read_without_a_handler_is_told_with_address_and_pc() {
    let program = [
        0xe3a0_1201, // mov r1, #0x10000000
        0xe591_0004, // ldr r0, [r1, #4]
    ];
    let mut board = loaded(MINIMAL, 0x100, &program);
    board.reset(Some(0x100));
    let stop = board.run(&run_cycles(1000)).unwrap();
    assert_eq!(stop.reason, Reason::NoHandler);
    assert_eq!(
        stop.sentence,
        "Data abort: read of 4 bytes at 0x10000004, where nothing answers, by the instruction at 0x104, \
         and the vector at 0x10 is empty (0x00000000)."
    );
    assert_eq!(stop.pc, 0x10);
}

#[test]
fn each_kind_of_dead_vector_is_told() {
    let swi = 0xef00_0005;
    let cases = [
        (0xFFFF_FFFF, "the vector at 0x8 is empty (0xffffffff)"),
        (0xEAFF_FFFE, "the vector at 0x8 is a branch to itself"),
        // ldr pc, [pc, #0x18] finds zero's neighbour 0x40000000 below.
        (0xE59F_F018, "the vector at 0x8 leads to 0x40000000, which is in no memory"),
    ];
    for (vector, why) in cases {
        let mut board = loaded(MINIMAL, 0x100, &[swi]);
        board.load_bytes(8, &words(&[vector])).unwrap();
        board.load_bytes(0x28, &words(&[0x4000_0000])).unwrap();
        board.reset(Some(0x100));
        let stop = board.run(&run_cycles(1000)).unwrap();
        assert_eq!(stop.reason, Reason::NoHandler);
        assert_eq!(stop.sentence, format!("SWI (opcode 0xef000005) at 0x100, and {why}."));
    }
}

#[test]
fn a_fault_stops_a_run_that_asks_for_it_and_goes_to_its_handler_otherwise() {
    let mut program = [0u32; 65];
    program[1] = 0xEA00_0005; // vector 4: b 0x20
    program[8] = 0xE3A0_0055; // mov r0, #0x55
    program[9] = 0xEAFF_FFFE; // b .
    program[64] = 0xE7F0_00F0; // undefined
    let mut board = loaded(MINIMAL, 0, &program);
    board.reset(Some(0x100));
    let request = Request { stop_on_exception: true, ..run_cycles(1000) };
    let stop = board.run(&request).unwrap();
    assert_eq!(stop.reason, Reason::Exception);
    assert_eq!(stop.sentence, "Undefined instruction 0xe7f000f0 at 0x100.");
    board.reset(Some(0x100));
    assert_eq!(board.run(&run_cycles(1000)).unwrap().reason, Reason::Cycles);
    assert_eq!(board.arm().register(0), 0x55);
}

#[test]
fn running_off_the_end_of_memory_is_a_prefetch_abort() {
    let mut board = loaded(MINIMAL, 0xFFFC, &[0xe1a0_0000]);
    board.reset(Some(0xFFFC));
    let stop = board.run(&run_cycles(1000)).unwrap();
    assert_eq!(
        stop.sentence,
        "Prefetch abort: the instruction at 0x10000 lies where nothing answers, \
         and the vector at 0xc is empty (0x00000000)."
    );
}

#[test]
fn a_rom_ignores_writes_and_says_so_once() {
    let text = MINIMAL.replace("size = 0x10000", "size = 0x10000\nkind = \"rom\"");
    let program = [
        0xe3a0_1c02, // mov r1, #0x200
        0xe581_1000, // str r1, [r1]
        0xe581_1004, // str r1, [r1, #4]
        0xeaff_fffe, // b .
    ];
    let mut board = loaded(&text, 0, &program);
    board.run(&run_cycles(50)).unwrap();
    assert_eq!(board.read_memory(0x200, 4).unwrap(), [0; 4]);
    let reported = board.unmodelled();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].text, "a write to ram: it is ignored");
    assert_eq!((reported[0].address, reported[0].pc), (Some(0x200), Some(4)));
}
