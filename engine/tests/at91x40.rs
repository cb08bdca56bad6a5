//! The AT91x40's devices seen from the core: wait states, remap, interrupts, sleep and the PDC, to the cycle.
//!
//! Code runs in the RAM on the chip, where every fetch is one cycle, unless a test says otherwise.

use std::path::Path;

use cyclescope_engine::board::{Board, Request};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};

const INTERNAL: u32 = 0x0030_0000;
const ROM: u32 = 0x0040_0000;
const RAM: u32 = 0x0100_0000;
const CODE: u32 = INTERNAL + 0x400;

const EBI: u32 = 0xFFE0_0000;
const USART0: u32 = 0xFFFD_0000;
const TC: u32 = 0xFFFE_0000;
const PIO: u32 = 0xFFFF_0000;
const PS: u32 = 0xFFFF_4000;
const AIC: u32 = 0xFFFF_F000;

/// Core cycles from a request to the first boundary that sees it, and of an exception entry.
const SYNCHRONISER: u64 = 2;
const ENTRY_CYCLES: u64 = 3;

/// r0 points at pairs of address and value up to address 0; then interrupts are let in, and r3 says where
/// to go on.
const START: [u32; 8] = [
    0xe8b0_0006, // next: ldmia r0!, {r1, r2}
    0xe351_0000, // cmp r1, #0
    0x1581_2000, // strne r2, [r1]
    0x1aff_fffb, // bne next
    0xe590_3000, // ldr r3, [r0]
    0xe321_f013, // msr cpsr_c, #0x13
    0xe12f_ff13, // bx r3
    0xeaff_fffe, // b .
];
const B_SELF: u32 = 0xeaff_fffe;
const NOP: u32 = 0xe1a0_0000;

fn open() -> Board {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/at91x40/board.toml");
    Board::open(&file).unwrap()
}

fn load(board: &mut Board, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(address, &bytes).unwrap();
}

/// A board that makes these writes from the RAM on the chip and then goes to `main`. At 0x18 the vector of
/// the controller is loaded (`ldr pc, [pc, #-0xF20]`).
fn board(setup: &[(u32, u32)], main: u32) -> Board {
    let mut board = open();
    let table = CODE + 0x100;
    load(&mut board, INTERNAL + 0x18, &[0xe51f_ff20]);
    load(&mut board, CODE, &[0xe59f_0000, 0xea00_0000, table]);
    load(&mut board, CODE + 12, &START);
    let pairs = setup.iter().chain(&[(0, 0)]);
    let mut words: Vec<u32> = pairs.flat_map(|&(address, value)| [address, value]).collect();
    words.push(main);
    load(&mut board, table, &words);
    board.reset(Some(CODE));
    board
}

fn run_to(board: &mut Board, cycle: u64) {
    board.run(&Request { cycles: Some(cycle), ..Request::default() }).unwrap();
}

/// The cycle at which an instruction begins, from now on.
fn arrives(board: &mut Board, address: u32) -> u64 {
    let bound = Some(board.cycle() + 100_000);
    let request = Request { pcs: vec![address], cycles: bound, ..Request::default() };
    let stop = board.run(&request).unwrap();
    assert_ne!(Some(stop.cycle), bound, "{address:#x} was not reached: {stop:?}");
    stop.cycle
}

fn record(board: &mut Board, signals: &[&str]) -> Reader {
    let (recorder, reader) = Recorder::new(signals);
    board.attach(Box::new(recorder));
    reader
}

fn rises(reader: &Reader) -> Vec<u64> {
    reader.take().iter().filter(|change| change.level == 1).map(|change| change.cycle).collect()
}

fn nothing_refused(board: &Board) {
    assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
}

#[test]
fn after_a_reset_the_rom_is_at_0_and_waits_eight_cycles() {
    let mut board = open();
    load(&mut board, ROM, &[NOP, NOP, NOP, NOP]);
    board.reset(None);
    let times = [0u32, 4, 8].map(|at| arrives(&mut board, at));
    // A word is two accesses of 1 + 8 cycles.
    assert_eq!(times[2] - times[1], 18);
    assert_eq!(times[1] - times[0], 18);
}

#[test]
fn a_fetch_costs_its_wait_states_for_each_half_of_a_word() {
    for (csr, cycles) in [(0x2001, 1), (0x2021, 2), (0x2025, 3), (0x203D, 9)] {
        let setup = [(EBI, ROM | csr), (EBI + 4, RAM | csr)];
        for memory in [ROM, RAM] {
            let mut board = board(&setup, memory);
            load(&mut board, memory, &[NOP, NOP, NOP, NOP]);
            let times = [0, 4, 8].map(|at| arrives(&mut board, memory + at));
            assert_eq!([times[1] - times[0], times[2] - times[1]], [2 * cycles; 2], "{csr:#x}");
            nothing_refused(&board);
        }
    }
}

#[test]
fn the_remap_shows_the_ram_on_the_chip_at_0() {
    let main = INTERNAL + 0x800;
    let mut board = board(&[(EBI + 0x20, 1)], main - INTERNAL);
    load(&mut board, main, &[NOP, B_SELF]);
    arrives(&mut board, main - INTERNAL);
    nothing_refused(&board);
}

/// The handler of source n ends its interrupt: a read of TC_SR2, a write of AIC_EOICR, the return.
const HANDLER: [u32; 5] = [
    0xe596_c0a0, // ldr r12, [r6, #0xA0]: TC_SR of channel 2
    0xe587_c130, // str r12, [r7, #0x130]: AIC_EOICR
    0xe25e_f004, // subs pc, lr, #4
    0,
    0,
];

/// Channel 2 interrupts at each RC of MCK / 2, and the core spins or sleeps.
fn ticking(main: &[u32], clocks: u32) -> (Board, u32) {
    let (at, handler) = (INTERNAL + 0x800, INTERNAL + 0x900);
    let setup = [
        (EBI + 0x20, 1),
        (AIC + 4 * 6, 3),
        (AIC + 0x80 + 4 * 6, handler),
        (AIC + 0x120, 1 << 6),
        (TC + 0x84, 1 << 14 | 1 << 15),
        (TC + 0x9C, clocks),
        (TC + 0xA4, 1 << 4),
        (TC + 0x80, 5),
    ];
    let mut board = board(&setup, at);
    // r6: timer, r7: controller, r8: power saving, r9: 1.
    load(&mut board, at, &[0xe59f_6010, 0xe59f_7010, 0xe59f_8010, 0xe3a0_9001]);
    load(&mut board, at + 16, &[0xea00_0003, NOP, TC, AIC]);
    load(&mut board, at + 32, &[PS]);
    load(&mut board, at + 32 + 4, main);
    load(&mut board, handler, &HANDLER);
    (board, at + 36)
}

#[test]
fn a_timer_interrupt_is_taken_at_the_cycle_that_the_rules_give() {
    let (mut board, spin) = ticking(&[B_SELF], 250);
    board.watch(&[spin, 0x18], &[]);
    let interrupt = record(&mut board, &["tc.interrupt2"]);
    arrives(&mut board, spin);
    let from = board.cycle();
    run_to(&mut board, from + 5_000);
    let rises = rises(&interrupt);
    assert!(rises.len() > 7, "{rises:?}");
    assert!(rises.windows(2).all(|two| two[1] - two[0] == 500), "RC clocks of MCK / 2");
    let log: Vec<_> = board.take_executed().iter().map(|one| (one.cycle, one.address)).collect();
    let vectors: Vec<_> = log.iter().filter(|one| one.1 == 0x18).map(|one| one.0).collect();
    for (rise, vector) in rises.iter().zip(&vectors) {
        let last = log.iter().rfind(|one| one.1 == spin && one.0 < *vector).unwrap().0;
        assert!(last < rise + SYNCHRONISER && last + 3 >= rise + SYNCHRONISER);
        assert_eq!(*vector, last + 3 + ENTRY_CYCLES);
    }
    nothing_refused(&board);
}

#[test]
fn power_saving_stops_the_core_until_the_line_rises_masked_or_not() {
    for mask in [NOP, 0xe321_f0d3 /* msr cpsr_c, #0xD3: both masked */] {
        // str r9, [r8]; nop; b to the store
        let (mut board, main) = ticking(&[mask, 0xe588_9000, NOP, 0xeaff_fffc], 500);
        let (interrupt, sleep) =
            (record(&mut board, &["tc.interrupt2"]), record(&mut board, &["ps.sleep"]));
        arrives(&mut board, main);
        let from = board.cycle();
        run_to(&mut board, from + 2_500);
        let (rises, slept) = (rises(&interrupt), sleep.take());
        let woken: Vec<_> =
            slept.iter().filter(|one| one.level == 0).map(|one| one.cycle).collect();
        assert_eq!(woken[0], *rises.iter().find(|rise| **rise > slept[0].cycle).unwrap());
        nothing_refused(&board);
    }
}

#[test]
fn the_pdc_takes_its_accesses_from_the_core_and_nothing_else() {
    const CHARACTERS: u32 = 40;
    const INSTRUCTIONS: u64 = 20_000;
    for (csr, cycles) in [(0x2001, 1), (0x2025, 3), (0x203D, 9)] {
        let spent = |count: u32| {
            let setup = [
                (EBI + 4, RAM | csr),
                (USART0 + 0x04, 0x8C0),
                (USART0 + 0x20, 2),
                (USART0, 1 << 4 | 1 << 6),
                (USART0 + 0x38, RAM + 0x100),
                (USART0 + 0x3C, count),
            ];
            let mut board = board(&setup, INTERNAL + 0x800);
            load(&mut board, INTERNAL + 0x800, &[B_SELF]);
            arrives(&mut board, INTERNAL + 0x800);
            let until = board.instructions() + INSTRUCTIONS;
            board.run(&Request { instructions: Some(until), ..Request::default() }).unwrap();
            let sent = board.receive("usart0.txd").unwrap().len() as u32;
            nothing_refused(&board);
            (board.cycle(), sent)
        };
        let ((without, none), (with, sent)) = (spent(0), spent(CHARACTERS));
        assert_eq!((none, sent), (0, CHARACTERS));
        assert_eq!(with - without, u64::from(CHARACTERS) * cycles, "{csr:#x}");
    }
}

#[test]
fn a_byte_or_halfword_of_a_register_acts_on_the_whole_register_and_is_reported_once() {
    let main = INTERNAL + 0x800;
    let mut board = board(&[(PIO + 0x20, 0xFFFF_FFFF)], main);
    // r0: PIO, r1: 0x1FF. A byte at offset 0x25 clears bits 7 to 0 of IFSR, as a word at 0x24 would.
    let program = [
        0xe59f_0010, // ldr r0, [pc, #16]
        0xe59f_1010, // ldr r1, [pc, #16]
        0xe5c0_1025, // strb r1, [r0, #0x25]
        0xe5d0_202b, // ldrb r2, [r0, #0x2B]
        0xe1d0_32ba, // ldrh r3, [r0, #0x2A]
        B_SELF,
        PIO,
        0x1FF,
    ];
    load(&mut board, main, &program);
    arrives(&mut board, main + 0x14);
    let registers = board.core().registers();
    let value = |name| registers.iter().find(|one| one.0 == name).unwrap().1;
    assert_eq!((value("r2"), value("r3")), (0x00, 0xFF00));
    let texts: Vec<_> = board.unmodelled().iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["an access of pio that is no word: it acts on the whole register"]);
}
