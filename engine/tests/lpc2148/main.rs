//! The LPC2148's devices seen from the core: interrupts, idle, clocks and the UART, to the cycle.
//!
//! All code runs in SRAM, where every fetch is one cycle, with the vectors shown there (MEMMAP = 2).

mod programs;

use std::path::Path;

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};

use programs::*;

/// Core cycles from a request to the first boundary that sees it, and of an exception entry.
const SYNCHRONISER: u64 = 2;
const ENTRY_CYCLES: u64 = 3;
/// A load of the PC takes 5 cycles, one of them the access, which costs 2 on the VIC's bus.
const VECTOR_CYCLES: u64 = 5 - 1 + 2;

/// A board that runs through `setup`, with the vectors in SRAM and PCLK = CCLK, then goes to `main`
/// with interrupts on. Registers: r4 the measurement timer, r5 the log, r6 `device`, r7
/// VICVectAddr, r8 PCON.
fn board(main: u32, device: u32, setup: &[(u32, u32)]) -> Board {
    let registers = [SRAM + main, MEASUREMENT_TIMER, LOG, device, VIC_ADDRESS, PCON];
    board_with(registers, setup)
}

fn board_with(registers: [u32; 6], setup: &[(u32, u32)]) -> Board {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/lpc2148/board.toml");
    let mut board = Board::open(&file).unwrap();
    for (offset, words) in [START, SPIN, TIMER_ISR, EMPTY_ISR, UART_ISR, ECHO_ISR, LOCK, IDLE] {
        load(&mut board, SRAM + offset, words);
    }
    let always = [(MEMMAP, 2), (VPBDIV, 1)];
    let pairs = always.iter().chain(setup).chain(&[(0, 0)]);
    let table: Vec<u32> = pairs.flat_map(|&(address, value)| [address, value]).collect();
    load(&mut board, SETUP, &table);
    load(&mut board, SETUP + 4 * table.len() as u32, &registers);
    board.reset(Some(ENTRY));
    board
}

fn load(board: &mut Board, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(address, &bytes).unwrap();
}

fn run_to(board: &mut Board, cycle: u64) {
    board.run(&Request { cycles: Some(cycle), ..Request::default() }).unwrap();
}

fn record(board: &mut Board, signals: &[&str]) -> Reader {
    let (recorder, reader) = Recorder::new(signals);
    board.attach(Box::new(recorder));
    reader
}

/// When the recorded signal came to `level`.
fn times(reader: &Reader, level: u32) -> Vec<u64> {
    reader.take().iter().filter(|change| change.level == level).map(|change| change.cycle).collect()
}

/// When instructions at `address` began, of those watched.
fn executed(log: &[(u64, u32)], address: u32) -> Vec<u64> {
    log.iter().filter(|entry| entry.1 == address).map(|entry| entry.0).collect()
}

fn take_executed(board: &mut Board) -> Vec<(u64, u32)> {
    board.take_executed().iter().map(|executed| (executed.cycle, executed.address)).collect()
}

fn logged(board: &mut Board, words: usize) -> Vec<u32> {
    let bytes = board.read_memory(LOG, 4 * words).unwrap();
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

const fn vectored(isr: u32, source: u32) -> [(u32, u32); 3] {
    [(VIC_ADDRESS0, SRAM + isr), (VIC_CONTROL0, 0x20 | source), (VIC_ENABLE, 1 << source)]
}

fn with(parts: &[&[(u32, u32)]]) -> Vec<(u32, u32)> {
    parts.concat()
}

#[test]
fn a_timer_interrupt_reaches_its_handler_at_the_cycle_that_the_rules_give() {
    let setup = with(&[&vectored(TIMER_ISR.0, 4), &[(T0MR0, 499), (T0MCR, 3), (T0TCR, 1)]]);
    let mut board = board(SPIN.0, T0IR, &setup);
    board.watch(&[SRAM + SPIN.0, IRQ_VECTOR, SRAM + TIMER_ISR.0], &[T0TCR]);
    let interrupt = record(&mut board, &["timer0.interrupt"]);
    run_to(&mut board, 10_000);

    let start = board.take_accessed()[0].cycle;
    let rises = times(&interrupt, 1);
    assert!(rises.len() > 15);
    for (n, rise) in rises.iter().enumerate() {
        assert_eq!(*rise, start + 500 * (n as u64 + 1));
    }
    let log = take_executed(&mut board);
    let (spins, vectors) = (executed(&log, SRAM + SPIN.0), executed(&log, IRQ_VECTOR));
    let handlers = executed(&log, SRAM + TIMER_ISR.0);
    let times = logged(&mut board, rises.len());
    for (n, rise) in rises.iter().enumerate() {
        let last = spins.iter().rfind(|spin| **spin < vectors[n]).unwrap();
        let taken = last + 3;
        assert!(*last < rise + SYNCHRONISER && taken >= rise + SYNCHRONISER);
        assert_eq!(vectors[n], taken + ENTRY_CYCLES);
        assert_eq!(handlers[n], vectors[n] + VECTOR_CYCLES);
        // The handler's first instruction reads the timer in its second cycle.
        assert_eq!(u64::from(times[n]), handlers[n] + 2);
    }
    assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
}

#[test]
fn a_request_that_vanishes_before_the_vector_is_read_goes_to_the_default_handler() {
    let setup = with(&[&vectored(TIMER_ISR.0, 14), &[(VIC_DEFAULT, SRAM + EMPTY_ISR.0)]]);
    let mut board = board(SPIN.0, T0IR, &setup);
    board.watch(&[IRQ_VECTOR, SRAM + TIMER_ISR.0, SRAM + EMPTY_ISR.0], &[VIC_ADDRESS]);
    run_to(&mut board, 1000);
    let pulse = |board: &mut Board, from, to| {
        board.drive("vic.line14", 1, Some(from)).unwrap();
        board.drive("vic.line14", 0, Some(to)).unwrap();
    };
    // Long enough to be taken at a boundary, too short for the read of the vector.
    pulse(&mut board, 1100, 1106);
    // Long enough for both.
    pulse(&mut board, 1200, 1212);
    run_to(&mut board, 1400);
    let log = take_executed(&mut board);
    let order: Vec<_> = log.iter().map(|entry| entry.1).collect();
    let (default, vectored) = (SRAM + EMPTY_ISR.0, SRAM + TIMER_ISR.0);
    assert_eq!(order, [IRQ_VECTOR, default, IRQ_VECTOR, vectored]);
    let reads: Vec<_> =
        board.take_accessed().iter().filter(|a| !a.write).map(|a| a.value).collect();
    assert_eq!(reads, [default, vectored]);
}

#[test]
fn idle_stops_the_core_until_the_cycle_of_the_interrupt() {
    let setup = with(&[&vectored(TIMER_ISR.0, 4), &[(T0MR0, 999), (T0MCR, 3), (T0TCR, 1)]]);
    let mut board = board(IDLE.0, T0IR, &setup);
    let addresses = [IRQ_VECTOR, SRAM + IDLE.0, SRAM + IDLE.0 + 8, SRAM + IDLE.0 + 12];
    board.watch(&addresses, &[PCON]);
    let sleep = record(&mut board, &["scb.sleep"]);
    let interrupt = record(&mut board, &["timer0.interrupt"]);
    run_to(&mut board, 10_000);
    let (changes, rises) = (sleep.take(), times(&interrupt, 1));
    let asleep: Vec<_> = changes.iter().filter(|c| c.level == 1).map(|c| c.cycle).collect();
    let awake: Vec<_> = changes.iter().filter(|c| c.level == 0).map(|c| c.cycle).collect();
    let writes: Vec<_> = board.take_accessed().iter().map(|access| access.cycle).collect();
    assert_eq!(asleep, writes, "asleep from the write of PCON on");
    assert_eq!(awake, rises, "awake with the request");
    let log = take_executed(&mut board);
    assert!(rises.len() > 5);
    for (from, to) in asleep.iter().zip(&awake) {
        assert!(
            !log.iter().any(|(cycle, _)| from < cycle && cycle < to),
            "nothing executes between"
        );
    }
    let vectors = executed(&log, IRQ_VECTOR);
    // While the request passes the synchroniser, nop and branch begin; the boundary after them sees it.
    let expected: Vec<_> = rises.iter().map(|rise| rise + 1 + 3 + ENTRY_CYCLES).collect();
    assert_eq!(vectors, expected);
}

#[test]
fn pll0_locks_after_its_time_and_takes_over_at_the_feed() {
    let feed = [(PLLFEED, 0xAA), (PLLFEED, 0x55)];
    let setup = with(&[&[(PLLCFG, 0x24), (PLLCON, 1)], &feed]);
    let mut board = board_with([SRAM + LOCK.0, PLLSTAT, 0, 0, 0, 0], &setup);
    board.watch(&[], &[PLLFEED]);
    let lock = record(&mut board, &["scb.pll_lock"]);
    run_to(&mut board, 10_000);
    let feeds: Vec<_> = board.take_accessed().iter().map(|access| access.cycle).collect();
    // 100 us at 12 MHz.
    assert_eq!(times(&lock, 1), [feeds[1] + 1200]);
    assert_eq!(board.clock_epochs(), [(0, 12_000_000), (feeds[3], 60_000_000)]);
    assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
}

#[test]
fn the_mam_gets_what_mamcr_and_mamtim_say() {
    for (mode, time) in [(0, 1), (0, 4), (1, 3), (2, 7)] {
        let setup = [(MAMCR, 0), (MAMTIM, time), (MAMCR, mode)];
        let mut board = board(SPIN.0, 0, &setup);
        run_to(&mut board, 1000);
        assert_eq!(board.level("scb.mam").unwrap(), mode | time << 8);
        assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
    }
    let mut board = board(SPIN.0, 0, &[(MAMCR, 1), (MAMTIM, 3)]);
    run_to(&mut board, 1000);
    assert_eq!(board.unmodelled().len(), 1, "MAMTIM written while the MAM is on");
}

/// UART0 on its pins, eight bits, receive interrupts.
fn uart(isr: u32, divisor: u32, fraction: u32, fcr: u32) -> Vec<(u32, u32)> {
    with(&[
        &[(PINSEL0, 5), (U0LCR, 0x83), (U0THR, divisor), (U0FDR, fraction), (U0LCR, 3)],
        &[(U0FCR, fcr), (U0IER, 1)],
        &vectored(isr, 6),
    ])
}

#[test]
fn the_uart_interrupts_at_its_level_and_for_what_is_left_behind() {
    let mut board = board(SPIN.0, U0THR, &uart(UART_ISR.0, 4, 0x10, 0x41));
    run_to(&mut board, 2000);
    let interrupt = record(&mut board, &["uart0.interrupt"]);
    let sent = board.cycle();
    board.send("uart0.rxd", b"ABCDE").unwrap();
    run_to(&mut board, 20_000);
    let frame = 10 * 16 * 4;
    // One character of four: (8 x 7 - 2) x 8 + (4 - 1) x 8 + 1 RCLK of 4 PCLK after the last one came.
    let time_out = (432 + 24 + 1) * 4;
    assert_eq!(times(&interrupt, 1), [sent + 4 * frame, sent + 5 * frame + time_out]);
    let expected: Vec<u32> = [0xC4].into_iter().chain(65..69).chain([0xCC, 69]).collect();
    assert_eq!(logged(&mut board, 7), expected);
    assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
}

#[test]
fn bytes_at_115200_baud_come_back_one_frame_after_they_are_written() {
    // 12 MHz / (16 x 6 x (1 + 1/12)) = 115,385 baud, 0.16 % above 115,200: 1,040 cycles a frame.
    let mut board = board(SPIN.0, U0THR, &uart(ECHO_ISR.0, 6, 0xC1, 0x01));
    run_to(&mut board, 2000);
    assert_eq!(board.level("uart0.frame_cycles").unwrap(), 1040);
    board.watch(&[], &[U0THR]);
    let text: Vec<u8> = (0..64).map(|n| n * 3 + 1).collect();
    board.send("uart0.rxd", &text).unwrap();
    run_to(&mut board, 200_000);
    let accesses = board.take_accessed();
    let writes: Vec<_> = accesses.iter().filter(|a| a.write).map(|a| a.cycle).collect();
    let echoed = board.receive("uart0.txd").unwrap();
    let bytes: Vec<u8> = echoed.iter().map(|(_, byte)| *byte as u8).collect();
    assert_eq!(bytes, text);
    let mut free = 0;
    for (write, (end, _)) in writes.iter().zip(&echoed) {
        assert_eq!(*end, free.max(*write) + 1040);
        free = *end;
    }
}

#[test]
fn a_uart_whose_pins_pinsel_keeps_loses_its_bytes_and_says_so() {
    let setup = [(U0LCR, 3), (U0FCR, 1), (U0THR, 0x55)];
    let mut board = board(SPIN.0, 0, &setup);
    run_to(&mut board, 2000);
    assert!(board.receive("uart0.txd").unwrap().is_empty());
    let reports = board.unmodelled();
    assert_eq!(reports.len(), 1, "{reports:?}");
}
