//! Entries, returns and chains of exceptions, with cycles counted by hand from the manual's 12, 10 and 6.

use cyclescope_engine::board::{Board, Reason, Request};

use crate::board::*;

/// Where the handler of IRQ n begins, and the size of its place.
const HANDLERS: u32 = 0x400;
const PLACE: u32 = 0x40;
/// Where programs begin.
const PROGRAM: u32 = 0x200;
const NOP: u16 = 0xBF00;
const RETURN: u16 = 0x4770;

fn handler(n: u32) -> u32 {
    HANDLERS + n * PLACE
}

/// A board whose first four interrupts are on, with these priorities. A handler is one `bx lr`. The cycle at which it
/// begins is not 0.
fn interrupted(code: &[u16], priorities: [u8; 4]) -> (Board, u64) {
    let mut flash = vec![0; PROGRAM as usize];
    let mut put = |number: u32, value: u32| {
        let place = 4 * number as usize;
        flash[place..place + 4].copy_from_slice(&value.to_le_bytes());
    };
    put(0, RAM + RAM_BYTES);
    put(1, PROGRAM | 1);
    (2..16).for_each(|number| put(number, handler(5) | 1));
    (0..4).for_each(|n| put(16 + n, handler(n) | 1));
    flash.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    flash.resize((HANDLERS + 8 * PLACE) as usize, 0);
    for n in 0..8 {
        let place = handler(n) as usize;
        flash[place..place + 2].copy_from_slice(&RETURN.to_le_bytes());
    }
    let mut board = board(&flash);
    poke(&mut board, 0xE000_E100, 0xF);
    poke(&mut board, 0xE000_E400, u32::from_le_bytes(priorities));
    let begin = board.cycle();
    (board, begin)
}

/// Cycles from `begin` until an address is about to execute.
fn reach(board: &mut Board, begin: u64, address: u32) -> u64 {
    let cycles = Some(board.cycle() + 500);
    let request = Request { cycles, pcs: vec![address], ..Request::default() };
    let stop = board.run(&request).unwrap();
    assert_eq!((stop.reason, stop.pc), (Reason::Pc, address), "{}", stop.sentence);
    stop.cycle - begin
}

fn nops() -> Vec<u16> {
    vec![NOP; 64]
}

#[test]
fn an_entry_takes_12_cycles_and_a_return_10() {
    let (mut board, begin) = interrupted(&nops(), [0; 4]);
    board.drive("core.irq0", 1, Some(begin + 5)).unwrap();
    assert_eq!(reach(&mut board, begin, handler(0)), 5 + 12);
    let found = state(&board);
    assert_eq!((found.xpsr & 0x1FF, found.lr, found.msp), (16, 0xFFFF_FFF9, RAM + RAM_BYTES - 32));
    let frame = board.read_memory(found.msp, 32).unwrap();
    let word = |n: usize| u32::from_le_bytes(frame[4 * n..4 * n + 4].try_into().unwrap());
    assert_eq!((word(6), word(7)), (PROGRAM + 10, 1 << 24));
    board.drive("core.irq0", 0, None).unwrap();
    // BX LR takes 2.
    assert_eq!(reach(&mut board, begin, PROGRAM + 10), 5 + 12 + 2 + 10);
    assert_eq!(state(&board).msp, RAM + RAM_BYTES);
}

const DEMCR: u32 = 0xE000_EDFC;
const DWT_CTRL: u32 = 0xE000_1000;
const EXCCNT: u32 = 0xE000_100C;

#[test]
fn entries_and_returns_count_as_exceptions() {
    for lines in [&["core.irq0"][..], &["core.irq0", "core.irq1"]] {
        let (mut board, _) = interrupted(&nops(), [0; 4]);
        poke(&mut board, DEMCR, 1 << 24);
        poke(&mut board, EXCCNT, 0);
        poke(&mut board, DWT_CTRL, 1 << 18);
        let begin = board.cycle();
        for line in lines {
            board.drive(line, 1, Some(begin + 5)).unwrap();
        }
        for (line, n) in lines.iter().zip(0..) {
            reach(&mut board, begin, handler(n));
            board.drive(line, 0, None).unwrap();
        }
        reach(&mut board, begin, PROGRAM + 20);
        // EXCCNT counts the cycles of both (ARM DDI 0403, C1.8.3).
        let counted = peek(&mut board, EXCCNT);
        assert_eq!(counted, 12 + 6 * (lines.len() as u32 - 1) + 10);
    }
}

#[test]
fn a_second_interrupt_follows_in_6_cycles() {
    let (mut board, begin) = interrupted(&nops(), [0x40, 0x40, 0x20, 0x60]);
    for (line, at) in [("core.irq0", 5), ("core.irq1", 5)] {
        board.drive(line, 1, Some(begin + at)).unwrap();
    }
    assert_eq!(reach(&mut board, begin, handler(0)), 17);
    board.drive("core.irq0", 0, None).unwrap();
    assert_eq!(reach(&mut board, begin, handler(1)), 17 + 2 + 6);
    assert_eq!(state(&board).msp, RAM + RAM_BYTES - 32, "one frame for both");
    assert_eq!(state(&board).lr, 0xFFFF_FFF9);
}

#[test]
fn one_that_stays_requested_is_taken_again() {
    let (mut board, begin) = interrupted(&nops(), [0; 4]);
    board.drive("core.irq0", 1, Some(begin + 5)).unwrap();
    assert_eq!(reach(&mut board, begin, handler(0)), 17);
    let instructions = Some(board.instructions() + 1);
    board.run(&Request { instructions, ..Request::default() }).unwrap();
    board.run(&Request { cycles: Some(begin + 20), ..Request::default() }).unwrap();
    assert_eq!((board.cycle() - begin, state(&board).pc), (17 + 2 + 6, handler(0)));
}

#[test]
fn a_late_one_of_higher_priority_takes_the_entry_over() {
    for late in 6..=14 {
        let (mut board, begin) = interrupted(&nops(), [0x40, 0x40, 0x20, 0x60]);
        board.drive("core.irq0", 1, Some(begin + 5)).unwrap();
        board.drive("core.irq2", 1, Some(begin + late)).unwrap();
        board.drive("core.irq3", 1, Some(begin + late)).unwrap();
        assert_eq!(reach(&mut board, begin, handler(2)), 17, "late at {late}");
        for line in ["core.irq0", "core.irq2"] {
            board.drive(line, 0, None).unwrap();
        }
        assert_eq!(reach(&mut board, begin, handler(0)), 17 + 2 + 6);
        assert_eq!(reach(&mut board, begin, handler(3)), 17 + 2 * (2 + 6));
    }
    // Behind the ninth cycle of the entry it interrupts the first handler instead.
    let (mut board, begin) = interrupted(&nops(), [0x40, 0x40, 0x20, 0x60]);
    board.drive("core.irq0", 1, Some(begin + 5)).unwrap();
    board.drive("core.irq2", 1, Some(begin + 15)).unwrap();
    assert_eq!(reach(&mut board, begin, handler(2)), 17 + 12);
    assert_eq!(state(&board).lr, 0xFFFF_FFF1);
}

#[test]
fn a_lower_priority_waits_for_the_handler_and_a_higher_interrupts_it() {
    let (mut board, begin) = interrupted(&nops(), [0x40, 0x20, 0x60, 0x60]);
    board.load_bytes(handler(0), &[NOP.to_le_bytes(); 8].concat()).unwrap();
    board.drive("core.irq0", 1, Some(begin + 5)).unwrap();
    board.drive("core.irq2", 1, Some(begin + 18)).unwrap();
    board.drive("core.irq1", 1, Some(begin + 20)).unwrap();
    assert_eq!(reach(&mut board, begin, handler(1)), 20 + 12);
    assert_eq!(state(&board).msp, RAM + RAM_BYTES - 64);
}

/// Runs a program whose third instruction is long, with an interrupt at each of its cycles. Returns, for each, the
/// address that the frame holds, the bits of XPSR behind it, and the registers at the end.
fn interrupt_at_each_cycle(code: &[u16], cycles: u64, slowest: u64) -> Vec<(u32, u32, [u32; 13])> {
    let mut code = code.to_vec();
    code.extend([NOP; 8]);
    let end = PROGRAM + 2 * code.len() as u32 - 4;
    let found = (3..3 + cycles).map(|at| {
        let (mut board, begin) = interrupted(&code, [0; 4]);
        let words: Vec<u8> = (0..64u32).flat_map(|n| (0x1111 * (n + 1)).to_le_bytes()).collect();
        board.write_memory(RAM + 0x100, &words).unwrap();
        board.drive("core.irq0", 1, Some(begin + at)).unwrap();
        let entered = reach(&mut board, begin, handler(0));
        assert!((at + 12..=at + slowest).contains(&entered), "{at}: {entered}");
        board.drive("core.irq0", 0, None).unwrap();
        let frame = board.read_memory(state(&board).msp, 32).unwrap();
        let word = |n: usize| u32::from_le_bytes(frame[4 * n..4 * n + 4].try_into().unwrap());
        reach(&mut board, begin, end);
        (word(6) - PROGRAM, word(7) & 0x0600_FC00, state(&board).r)
    });
    found.collect()
}

/// Sets r7 to the words, and the instruction behind it.
fn with_base(rest: &[u16]) -> Vec<u16> {
    // movw r7, #0x100; movt r7, #0x2000
    [&[0xF240, 0x1700, 0xF2C2, 0x0700], rest].concat()
}

#[test]
fn a_list_goes_on_where_it_was_interrupted() {
    // ldmia r7!, {r0-r6, r12}
    let found = interrupt_at_each_cycle(&with_base(&[0xE8B7, 0x107F]), 8, 15);
    let mut resumed = 0;
    for (at, bits, r) in found {
        let wanted: Vec<u32> = (1..8).map(|n| 0x1111 * n).collect();
        assert_eq!((&r[..7], r[7], r[12]), (&wanted[..], RAM + 0x120, 0x1111 * 8));
        if bits != 0 {
            // The number of the next register is in bits 15 to 12.
            assert_eq!((at, bits & 0x0600_0C00), (8, 0));
            assert!((1..=12).contains(&(bits >> 12)));
            resumed += 1;
        }
    }
    assert!(resumed >= 5, "{resumed}");
}

#[test]
fn a_push_is_whole_whenever_it_was_interrupted() {
    // ldmia r7, {r0-r6}; push {r0-r6}; movs r0, #0 … movs r6, #0; pop {r0-r6}
    let mut code = vec![0xE897, 0x007F, 0xB47F];
    code.extend((0..7).map(|n| 0x2000 | n << 8));
    code.push(0xBC7F);
    for (at, _, r) in interrupt_at_each_cycle(&with_base(&code), 30, 15) {
        let wanted: Vec<u32> = (1..8).map(|n| 0x1111 * n).collect();
        assert_eq!(&r[..7], wanted, "interrupted at {at:#x}");
    }
}

#[test]
fn a_list_in_a_block_or_with_its_base_begins_again() {
    // movs r0, #0 would set Z; cmp r7, r7; it eq; ldmia r7!, {r0-r6}
    let block = with_base(&[0x42BF, 0xBF08, 0xE8B7, 0x007F]);
    for (at, bits, r) in interrupt_at_each_cycle(&block, 9, 15) {
        assert_eq!((r[0], r[6], r[7]), (0x1111, 0x7777, RAM + 0x11C));
        if at == 12 {
            assert_eq!(bits >> 25 & 3 | bits >> 8 & 0xFC, 0x08);
        }
    }
    // ldmia r7, {r0-r7}
    for (_, bits, r) in interrupt_at_each_cycle(&with_base(&[0xE897, 0x00FF]), 8, 15) {
        assert_eq!((r[0], r[7], bits), (0x1111, 0x8888, 0));
    }
}

#[test]
fn a_quotient_is_given_up_and_begins_again() {
    // movs r0, #255 -> mvn r0, #0; movs r1, #1; udiv r0, r0, r1
    let code = [0xF06F, 0x0000, 0x2101, 0xFBB0, 0xF0F1];
    let found = interrupt_at_each_cycle(&code, 10, 14);
    assert!(found.iter().all(|(_, _, r)| r[0] == u32::MAX));
    assert!(found.iter().filter(|(at, ..)| *at == 6).count() >= 9);
    // umlal r2, r3, r0, r0: the sum is not made twice.
    let code = [0xF06F, 0x0000, 0x2205, 0xFBE0, 0x2300];
    for (_, _, r) in interrupt_at_each_cycle(&code, 5, 14) {
        assert_eq!((r[2], r[3]), (6, 0xFFFF_FFFE));
    }
}

#[test]
fn a_program_may_forbid_that() {
    let code = [0xF06F, 0x0000, 0x2101, 0xFBB0, 0xF0F1, NOP, NOP, NOP];
    let (mut board, _) = interrupted(&code, [0; 4]);
    poke(&mut board, 0xE000_E008, 1);
    let begin = board.cycle();
    board.drive("core.irq0", 1, Some(begin + 4)).unwrap();
    let entered = reach(&mut board, begin, handler(0));
    // It begins behind two instructions and takes 12.
    assert!((2 + 12 + 12..=2 + 12 + 12 + 2).contains(&entered), "{entered}");
    assert_eq!(state(&board).r[0], u32::MAX);
}
