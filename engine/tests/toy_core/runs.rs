//! Runs: cycles, stops, faults, interrupts, host calls.

use cyclescope_engine::board::{Board, Reason, Request, Tier};
use cyclescope_engine::core::ElfMachine;
use cyclescope_engine::image::Image;
use cyclescope_engine::semihosting::Limits;

use crate::assembler::*;
use crate::core::{DATA, ILLEGAL, INPUTS, REFUSED};
use crate::{cycles, loaded, made, registry, toy, BOARD};

/// r0 = 3 + 2 + 1, kept at data 0x100.
const SUM: [u16; 9] = [
    0x1103, // ldi r1, 3
    0x1000, // ldi r0, 0
    0x1600, // ldi r6, 0
    0x1701, // ldi r7, 1
    0x3001, // again: add r0, r1
    0x21FF, // addi r1, -1
    0x7FFD, // jump_unless again
    0x5000, // st r0, 0
    STUCK,
];

fn sum() -> Image {
    image(&[(0x20, &SUM)], &[("main", 0x20), ("again", 0x24), ("end", 0x28)])
}

fn error(text: &str) -> String {
    made(text).map(drop).unwrap_err().0
}

#[test]
fn a_program_runs_with_the_cycles_counted_by_hand() {
    for tier in [Tier::Plain, Tier::Blocks] {
        let mut board = loaded(&sum());
        board.set_tier(tier);
        let end = board_address(&sum(), "end");
        let stop = board.run(&Request { pcs: vec![end], ..cycles(1000) }).unwrap();
        assert_eq!(stop.reason, Reason::Pc);
        // The first fetch; 4 loads of constants; 3 iterations of 3 opcodes, of which 2 jump and fetch
        // once more; a store, whose data go behind the fetch.
        assert_eq!((stop.cycle, stop.instructions), (1 + 4 + 3 * 3 + 2 + 2, 4 + 9 + 1));
        assert_eq!(board.read_memory(DATA + 0x100, 1).unwrap(), [6]);
        assert_eq!(toy(&board).state.r[..2], [6, 0]);
        let registers = board.core().registers();
        assert!(registers.contains(&("r0", 6)) && registers.contains(&("pc", 0x28)));
    }
}

fn board_address(image: &Image, symbol: &str) -> u32 {
    image.address_of(symbol).unwrap()
}

#[test]
fn a_breakpoint_by_symbol_stops_each_time() {
    let image = sum();
    let mut board = loaded(&image);
    let request = Request { pcs: vec![board_address(&image, "again")], ..cycles(1000) };
    let mut seen = Vec::new();
    for _ in 0..3 {
        assert_eq!(board.run(&request).unwrap().sentence, "Stopped before 0x48 executes.");
        seen.push((board.cycle(), toy(&board).state.r[0]));
    }
    assert_eq!(seen, [(5, 0), (9, 3), (13, 5)]);
    let stop = board.run(&request).unwrap();
    assert_eq!(
        stop.sentence,
        "Reached the bound of 1000 cycles at 0x50, an endless loop: a branch to itself."
    );
}

#[test]
fn a_fault_is_one_sentence_of_the_core() {
    let handlers: [u16; 2] = [RETI, RETI];
    let cases: [(&[u16], &str); 4] = [
        (&[NOP, 0xF000], "Illegal opcode at word 0x21"),
        (&[HOST], "Illegal opcode at word 0x20"),
        (&[ldi(7, 4), ld(0, 3)], "No data at 0x403, asked for at word 0x21"),
        (&[jump(0x3FF)], "No program at word 0x420"),
    ];
    for (program, sentence) in cases {
        let empty = image(&[(0x20, program)], &[("main", 0x20)]);
        let stop = loaded(&empty).run(&cycles(1000)).unwrap();
        assert_eq!(stop.reason, Reason::NoHandler, "{sentence}");
        let vector = if sentence.starts_with("Illegal") { ILLEGAL } else { REFUSED };
        assert_eq!(stop.sentence, format!("{sentence}, and no handler is at word {vector:#x}."));
        let handled = image(&[(0x20, program), (ILLEGAL, &handlers)], &[("main", 0x20)]);
        let request = Request { stop_on_exception: true, ..cycles(1000) };
        let stop = loaded(&handled).run(&request).unwrap();
        assert_eq!((stop.reason, stop.sentence), (Reason::Exception, format!("{sentence}.")));
    }
}

/// Each vector jumps to a handler that adds 1 to the byte of its input, at data 0x100 + n.
fn vectored() -> Image {
    let handlers = 0x40;
    let vectors: Vec<u16> = (0..20).map(|n| jump(handlers + 4 * n - (n + 2))).collect();
    let handler = |n: u8| [ld(0, n), addi(0, 1), st(0, n), RETI];
    let code: Vec<u16> = (0..20).flat_map(handler).collect();
    let main = [ldi(6, 0), ldi(7, 1), EI, STUCK];
    image(&[(1, &vectors), (0x20, &main), (handlers as u16, &code)], &[("main", 0x20)])
}

#[test]
fn each_of_20_inputs_has_its_vector() {
    for (n, name) in INPUTS.iter().enumerate() {
        let mut board = loaded(&vectored());
        board.drive(&format!("core.{name}"), 1, Some(100)).unwrap();
        board.drive(&format!("core.{name}"), 0, Some(103)).unwrap();
        board.run(&cycles(200)).unwrap();
        let mut expected = [0; 20];
        expected[n] = 1;
        assert_eq!(board.read_memory(DATA + 0x100, 20).unwrap(), expected, "{name}");
    }
}

#[test]
fn the_lowest_of_several_inputs_goes_first_and_nobody_takes_what_was_withdrawn() {
    let mut board = loaded(&vectored());
    for n in [19, 4] {
        board.drive(&format!("core.line{n}"), 1, Some(100)).unwrap();
    }
    board.drive("core.line4", 0, Some(105)).unwrap();
    // The loop of 2 cycles sees it at 101: entry pushes 2 bytes and fetches the vector.
    let stop = board.run(&Request { pcs: vec![2 * 5], ..cycles(200) }).unwrap();
    assert_eq!((stop.reason, stop.cycle), (Reason::Pc, 102 + 2 + 1));
    let stop = board.run(&Request { pcs: vec![2 * 20], ..cycles(200) }).unwrap();
    assert_eq!(stop.reason, Reason::Pc, "and then the other one");
    assert_eq!(board.read_memory(DATA + 0x104, 1).unwrap(), [1]);
}

/// Lets the ticker of `period` cycles interrupt: the handler adds the acknowledged level to r1.
pub fn ticking(period: u8) -> Image {
    let main = [ldi(0, period), output(0, 0), EI, STUCK];
    let handler = [CAUSE, add(1, 0), RETI];
    image(
        &[(4, &[jump(0x2B)]), (0x20, &main), (0x30, &handler)],
        &[("main", 0x20), ("handler", 0x30)],
    )
}

#[test]
fn acknowledging_withdraws_the_request_and_gives_its_level() {
    let mut board = loaded(&ticking(100));
    // First fetch, constant, write (fetch, then the bus's 2 cycles) at 5: requests at 105, 205 and so on.
    let request = Request { pcs: vec![2 * 4], ..cycles(1000) };
    let first = board.run(&request).unwrap();
    assert_eq!(board.level("ticker.tick").unwrap(), 0, "acknowledged");
    assert!((105 + 1 + 3..105 + 1 + 3 + 2).contains(&first.cycle), "{}", first.cycle);
    board.run(&cycles(450)).unwrap();
    assert_eq!(toy(&board).state.r[1], 1 + 2 + 3 + 4);
    board.drive("core.line3", 9, None).unwrap();
    board.run(&cycles(460)).unwrap();
    assert_eq!(toy(&board).state.cause, 9, "what the host drives carries a level too");
}

#[test]
fn host_calls_and_their_answers_reach_the_program() {
    let main = [
        ldi(6, 0),
        ldi(7, 1),
        ldi(1, b'!'),
        st(1, 0),
        ldi(0, 3),
        HOST, // WRITEC
        ldi(0, 0xEE),
        HOST, // nothing
        st(0, 1),
        ldi(0, 0x18),
        HOST, // EXIT
    ];
    let mut board = loaded(&image(&[(0x20, &main)], &[("main", 0x20)]));
    board.enable_semihosting(None, None, Limits::default()).unwrap();
    let stop = board.run(&cycles(1000)).unwrap();
    assert_eq!((stop.reason, stop.exit_code), (Reason::SemihostingExit, Some(1)));
    assert_eq!(board.semihosting_output(), b"!");
    assert_eq!(board.read_memory(DATA + 0x101, 1).unwrap(), [0xFF], "-1: there is no such call");
}

#[test]
fn a_board_file_for_it_is_checked_like_any_other() {
    let with = |from: &str, to: &str| error(&BOARD.replace(from, to));
    assert_eq!(
        with("stack_top = 0x1FF", "stack = 1"),
        "[core] of kind \"toy\": unknown field `stack`, expected `stack_top`."
    );
    assert_eq!(
        with("parameters = { stack_top = 0x1FF }", ""),
        "[core] of kind \"toy\": missing field `stack_top`."
    );
    assert_eq!(
        with("\"toy\"", "\"toys\""),
        "[core] of kind \"toys\": no core of kind `toys`; the kinds are arm7tdmi, avr, armv7m, toy."
    );
    let message = with("core.line3", "core.irq");
    assert!(
        message.contains("leads to \"core.irq\"") && message.contains("core.line19, core.sleep")
    );
    let message = with("\"ticker\"\nmaps", "\"tick\"\nmaps");
    assert!(
        ["copier, ", "ticker, ", "timer_lpc2000, "].iter().all(|kind| message.contains(kind)),
        "{message}"
    );
    let message = Board::from_text(BOARD, "board.toml").map(drop).unwrap_err().0;
    assert!(
        message.contains("the kinds are arm7tdmi, avr, armv7m."),
        "what is not registered is unknown: {message}"
    );
}

#[test]
fn an_image_for_another_core_is_refused() {
    let arm = registry().core("arm7tdmi").unwrap().elf_machine();
    let foreign = Image { machine: arm, ..sum() };
    assert_eq!(
        made(BOARD).unwrap().load(&foreign).unwrap_err().0,
        "toy program is for ARM, and the core of toy-board is toy: build it for that core, or take another board."
    );
    let machine = Some(ElfMachine { number: 0x1234, name: "toys", big_endian: false });
    assert!(made(BOARD).unwrap().load(&Image { machine, ..sum() }).is_err());
}

#[test]
fn a_device_that_fails_ends_the_run_at_the_next_boundary_and_the_board_can_be_asked() {
    let failing = r#"
[[device]]
name = "broken"
kind = "failing"
maps = [{ base = 0x80_0004, size = 4, bus = "io" }]
"#;
    for tier in [Tier::Plain, Tier::Blocks] {
        let mut board = made(&format!("{BOARD}{failing}")).unwrap();
        // ldi r7, 0; ldi r0, 1; ld r0, 5 (register 1 of the device); ldi r1, 9
        let program = [0x1700, 0x1001, 0x4005, 0x1109, STUCK];
        board.load(&image(&[(0x20, &program)], &[("main", 0x20)])).unwrap();
        board.set_tier(tier);
        let stop = board.run(&cycles(1000)).unwrap();
        assert_eq!(stop.reason, Reason::DeviceFailed);
        assert_eq!(stop.sentence, "Device \"broken\" failed: register 1 is broken.");
        assert_eq!((stop.instructions, toy(&board).state.r[0], toy(&board).state.r[1]), (3, 7, 0));
    }
}
