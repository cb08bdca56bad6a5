//! Faults that end a run, aliases of single bits, sleep, and images of the wrong profile.

use cyclescope_engine::board::{Board, Reason, Request};
use cyclescope_engine::cores::armv7m::State;
use cyclescope_engine::image::Image;

use crate::board::*;

fn run(board: &mut Board) -> (Reason, String) {
    let stop = board.run(&Request { cycles: Some(10_000), ..Request::default() }).unwrap();
    (stop.reason, stop.sentence)
}

/// A board whose faults all lead to the same handler, at 0x240.
fn with_handler(code: &[u16], handler: &[u16]) -> Board {
    let mut board = with_code(code);
    let vectors: Vec<u8> = (3..16).flat_map(|_| 0x241_u32.to_le_bytes()).collect();
    board.load_bytes(12, &vectors).unwrap();
    let bytes: Vec<u8> = handler.iter().flat_map(|half| half.to_le_bytes()).collect();
    board.load_bytes(0x240, &bytes).unwrap();
    board.reset(None);
    board
}

#[test]
fn a_fault_without_a_vector_ends_the_run_with_its_cause() {
    // udf #0
    let (reason, sentence) = run(&mut with_code(&[0xDE00]));
    assert_eq!(reason, Reason::NoHandler);
    assert_eq!(
        sentence,
        "Fault: the opcode 0xde00 at 0x200 is no instruction of ARMv7-M, and vector 3 holds no address of a handler."
    );
    // movs r0, #1; lsls r0, r0, #30; ldr r0, [r0]
    let (_, sentence) = run(&mut with_code(&[0x2001, 0x0780, 0x6800]));
    assert!(
        sentence.starts_with("Fault: read of 4 bytes at 0x40000000, where nothing"),
        "{sentence}"
    );
}

#[test]
fn a_handler_that_only_waits_ends_the_run() {
    let (reason, sentence) = run(&mut with_handler(&[0xDE00], &[0xE7FE]));
    assert_eq!(reason, Reason::NoHandler);
    assert!(sentence.ends_with("and its handler at 0x240 is a branch to itself."), "{sentence}");
}

#[test]
fn a_fault_in_the_handler_of_a_hard_fault_locks_the_core_up() {
    let mut board = with_handler(&[0xDE00], &[0xBF00, 0xDE01]);
    let (reason, sentence) = run(&mut board);
    assert_eq!(reason, Reason::NoHandler);
    assert_eq!(
        sentence,
        "Fault: the opcode 0xde01 at 0x242 is no instruction of ARMv7-M, and no handler is left for it: the core locks up."
    );
    assert_eq!(state(&board).pc, 0x242);
}

#[test]
fn unaligned_accesses_trap_if_the_program_asks() {
    // ldr r1, =0x20000001 as movw, movt; ldr r0, [r1]; b .
    let code = [0xF240, 0x0101, 0xF2C2, 0x0100, 0x6808, 0xE7FE];
    let mut board = with_handler(&code, &[0xBF00, 0xE7FD]);
    board.write_memory(RAM, &[1, 2, 3, 4, 5]).unwrap();
    let request = Request { instructions: Some(3), ..Request::default() };
    board.run(&request).unwrap();
    assert_eq!(state(&board).r[0], 0x0504_0302);
    board.reset(None);
    poke(&mut board, 0xE000_ED14, 1 << 3);
    poke(&mut board, 0xE000_ED24, 7 << 16);
    let instructions = Some(board.instructions() + 3);
    board.run(&Request { instructions, ..request }).unwrap();
    assert_eq!((state(&board).xpsr & 0x1FF, peek(&mut board, 0xE000_ED28)), (6, 1 << 24));
}

#[test]
fn a_load_without_privilege_reaches_no_private_register() {
    // r1 = CPUID; ldr r0, [r1, #0]!; ldrt r0, [r1]; b .
    let code = [0xF64E, 0x5100, 0xF2CE, 0x0100, 0xF851, 0x0F00, 0xF851, 0x0E00, 0xE7FE];
    let mut board = with_handler(&code, &[0xBF00, 0xE7FD]);
    let request = Request { instructions: Some(3), ..Request::default() };
    board.run(&request).unwrap();
    assert_eq!((state(&board).r[0], state(&board).xpsr & 0x1FF), (0x412F_C230, 0));
    board.run(&Request { instructions: Some(4), ..request }).unwrap();
    // HardFault, because BusFault is off; precise, with the address.
    let registers = [0xE000_ED28, 0xE000_ED2C, 0xE000_ED38].map(|at| peek(&mut board, at));
    assert_eq!(state(&board).xpsr & 0x1FF, 3);
    assert_eq!(registers, [0x8200, 1 << 30, 0xE000_ED00]);
}

#[test]
fn a_write_to_an_alias_changes_one_bit() {
    // r1 = 0x22000014 (word 0, bit 5); r2 = 3; str r2, [r1]; ldr r3, [r1]; movs r2, #2; strb r2, [r1, #32]; b .
    let code =
        [0xF240, 0x0114, 0xF2C2, 0x2100, 0x2203, 0x600A, 0x680B, 0x2202, 0xF881, 0x2020, 0xE7FE];
    let mut board = with_code(&code);
    board.write_memory(RAM, &[0x00, 0xFF, 0xFF, 0x00]).unwrap();
    board.run(&Request { instructions: Some(7), ..Request::default() }).unwrap();
    assert_eq!(state(&board).r[3], 1);
    assert_eq!(board.read_memory(RAM, 4).unwrap(), [0x20, 0xDF, 0xFF, 0x00]);
}

/// A board with what stops its core's clock.
fn sleeper(code: &[u16]) -> Board {
    let more = r#"
connect = [
    { from = "core.sleep_asked", to = "pwr.asked" },
    { from = "core.requested", to = "pwr.requested" },
    { from = "pwr.sleep", to = "core.sleep" },
]
[[bus]]
name = "apb"
cycles = 0
[[device]]
name = "pwr"
kind = "pwr_stm32f1"
maps = [{ base = 0x4000_7000, size = 0x400, bus = "apb" }]
"#;
    with_more(more, code)
}

#[test]
fn only_an_interrupt_that_may_be_taken_ends_a_sleep() {
    // wfi; nop; nop; b .
    let mut board = sleeper(&[0xBF30, 0xBF00, 0xBF00, 0xE7FE]);
    // IRQ 1 is on, at priority 0x40; PRIMASK is set.
    poke(&mut board, 0xE000_E100, 2);
    poke(&mut board, 0xE000_E400, 0x4000);
    let masked = State { primask: true, ..state(&board) };
    set_state(&mut board, &masked);
    board.drive("core.irq0", 1, Some(100)).unwrap();
    board.drive("core.irq1", 1, Some(300)).unwrap();
    let request = Request { cycles: Some(10_000), pcs: vec![0x202], ..Request::default() };
    let stop = board.run(&request).unwrap();
    // PRIMASK wakes all the same, and the program goes on behind WFI.
    assert_eq!((stop.pc, stop.cycle), (0x202, 300), "{}", stop.sentence);
    assert_eq!(state(&board).xpsr & 0x1FF, 0);
}

#[test]
fn a_priority_that_basepri_holds_off_ends_no_sleep() {
    let mut board = sleeper(&[0xBF30, 0xBF00, 0xBF00, 0xE7FE]);
    poke(&mut board, 0xE000_E100, 2);
    poke(&mut board, 0xE000_E400, 0x4000);
    let masked = State { basepri: 0x40, ..state(&board) };
    set_state(&mut board, &masked);
    board.drive("core.irq1", 1, Some(300)).unwrap();
    let stop = board.run(&Request { cycles: Some(10_000), ..Request::default() }).unwrap();
    assert_eq!((stop.reason, stop.pc), (Reason::Asleep, 0x202), "{}", stop.sentence);
}

#[test]
fn an_event_ends_wfe_and_is_kept_for_it() {
    // sev; wfe; wfe; nop; b .
    let mut board = sleeper(&[0xBF40, 0xBF20, 0xBF20, 0xBF00, 0xE7FE]);
    board.drive("core.event", 1, Some(200)).unwrap();
    let request = Request { cycles: Some(10_000), pcs: vec![0x204], ..Request::default() };
    assert_eq!(board.run(&request).unwrap().cycle, 2, "the first takes the event of SEV");
    let stop = board.run(&Request { pcs: vec![0x206], ..request }).unwrap();
    assert_eq!((stop.pc, stop.cycle), (0x206, 200), "{}", stop.sentence);
}

/// An ELF executable with one segment at 0 and these attributes.
fn elf(attributes: &[u8]) -> Vec<u8> {
    let word = |value: usize| (value as u32).to_le_bytes();
    let file = [b"\x01", &word(attributes.len() + 5)[..], attributes].concat();
    let vendor = [b"aeabi\0", &file[..]].concat();
    let section = [b"A", &word(vendor.len() + 4)[..], &vendor].concat();
    let mut elf = b"\x7FELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x28\0".to_vec();
    // Header, one program header, two section headers, four bytes of code, the section and an empty text.
    let (programs, sections, code) = (52, 84, 164);
    for value in [1, 0x201, programs, sections, 0x0500_0000] {
        elf.extend(word(value));
    }
    for half in [52u16, 32, 1, 40, 2, 1] {
        elf.extend(half.to_le_bytes());
    }
    for value in [1, code, 0, 0, 4, 4, 5, 4] {
        elf.extend(word(value));
    }
    for value in [0, 0x7000_0003, 0, 0, code + 4, section.len(), 0, 0, 1, 0] {
        elf.extend(word(value));
    }
    for value in [0, 3, 0, 0, code + 4 + section.len(), 1, 0, 0, 1, 0] {
        elf.extend(word(value));
    }
    [&elf[..], &[0, 0xBF, 0xFE, 0xE7], &section, &[0]].concat()
}

#[test]
fn an_image_is_for_the_core_of_its_profile() {
    let image = |attributes: &[u8]| Image::from_elf(&elf(attributes), "a.elf").unwrap();
    let (microcontroller, other) = (image(b"\x06\x0A\x07M"), image(b"\x06\x02"));
    assert_eq!(microcontroller.machine.unwrap().name, "ARMv7-M");
    let mut board = with_code(&[0xE7FE]);
    board.load(&microcontroller).unwrap();
    assert_eq!(
        board.load(&other).unwrap_err().to_string(),
        "a.elf is for ARM, and the core of armv7m is armv7m: build it for that core, or take another board."
    );
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../boards/lpc2148/board.toml");
    let mut board = Board::open(std::path::Path::new(file)).unwrap();
    board.load(&other).unwrap();
    let refused = board.load(&microcontroller).unwrap_err().to_string();
    assert!(refused.starts_with("a.elf is for ARMv7-M, and the core of lpc2148"), "{refused}");
}
