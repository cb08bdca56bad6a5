//! The AT91x40's devices seen from the core: wait states, remap, interrupts, sleep and the PDC, to the cycle.
//!
//! Code runs in the RAM on the chip, where every fetch is one cycle, unless a test says otherwise.

mod counting;
mod energy;
mod external_bus;
mod follow;
mod interrupts;
mod pdc;
mod registers;
mod watchdog;

use std::path::Path;

use cyclescope_engine::board::{Board, Reason, Request, Tier};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};

const INTERNAL: u32 = 0x0030_0000;
const ROM: u32 = 0x0040_0000;
const RAM: u32 = 0x0100_0000;
const CODE: u32 = INTERNAL + 0x400;

const EBI: u32 = 0xFFE0_0000;
const REMAP: (u32, u32) = (EBI + 0x20, 1);
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

/// Writes that let USART0 send so many characters from a buffer by its PDC. Both chip selects have
/// the settings of `csr`.
fn sends(csr: u32, buffer: u32, characters: u32) -> [(u32, u32); 8] {
    [
        (EBI, ROM | csr),
        (EBI + 4, RAM | csr),
        REMAP,
        (USART0 + 0x04, 0x8C0),
        (USART0 + 0x20, 2),
        (USART0, 1 << 4 | 1 << 6),
        (USART0 + 0x38, buffer),
        (USART0 + 0x3C, characters),
    ]
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

fn register(board: &Board, name: &str) -> u32 {
    board.core().registers().into_iter().find(|one| one.0 == name).unwrap().1
}
