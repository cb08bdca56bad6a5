//! The console's board seen from the core: wait states set at run time, the unit that reads ahead, timers, DMA and
//! interrupts, to the cycle.

mod cartridge;
mod devices;

use std::path::Path;

use cyclescope_engine::board::{Board, Request, Tier};

const EWRAM: u32 = 0x0200_0000;
const IWRAM: u32 = 0x0300_0000;
const ROM: u32 = 0x0800_0000;
const STACK: u32 = IWRAM + 0x7F00;

const DMA0: u32 = 0x0400_00B0;
const TIMER0: u32 = 0x0400_0100;
const ENABLES: u32 = 0x0400_0200;
const WAITCNT: u32 = 0x0400_0204;
const SWITCH: u32 = 0x0400_0208;

const NOP: u32 = 0xe1a0_0000;
const B_SELF: u32 = 0xeaff_fffe;

/// r0 points at pairs of address and value up to address 0; then interrupts are let in, and r3 says where
/// to go on.
const START: [u32; 10] = [
    0xe59f_001c, // ldr r0, the pairs
    0xe59f_d01c, // ldr sp, the stack
    0xe8b0_0006, // next: ldmia r0!, {r1, r2}
    0xe351_0000, // cmp r1, #0
    0x1581_2000, // strne r2, [r1]
    0x1aff_fffb, // bne next
    0xe590_3000, // ldr r3, [r0]
    0xe321_f013, // msr cpsr_c, #0x13
    0xe12f_ff13, // bx r3
    TABLE,
];
const CODE: u32 = IWRAM;
const TABLE: u32 = IWRAM + 0x100;

fn load(board: &mut Board, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(address, &bytes).unwrap();
}

/// A board that makes these writes from IWRAM and then goes to `main`, where this program lies.
fn board(setup: &[(u32, u32)], main: u32, program: &[u32]) -> Board {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/console/board.toml");
    let mut board = Board::open(&file).unwrap();
    load(&mut board, CODE, &START);
    load(&mut board, CODE + 4 * START.len() as u32, &[STACK]);
    let pairs = setup.iter().chain(&[(0, 0)]);
    let mut words: Vec<u32> = pairs.flat_map(|&(address, value)| [address, value]).collect();
    words.push(main);
    load(&mut board, TABLE, &words);
    load(&mut board, main, program);
    board.reset(Some(CODE));
    board
}

/// The cycle at which an instruction begins, from now on.
fn arrives(board: &mut Board, address: u32) -> u64 {
    let bound = Some(board.cycle() + 100_000);
    let request = Request { pcs: vec![address], cycles: bound, ..Request::default() };
    let stop = board.run(&request).unwrap();
    assert_ne!(Some(stop.cycle), bound, "{address:#x} was not reached: {stop:?}");
    stop.cycle
}

/// Cycles of each instruction of a program but the last.
fn costs(board: &mut Board, main: u32, count: u32) -> Vec<u64> {
    let times: Vec<_> = (0..count).map(|n| arrives(board, main + 4 * n)).collect();
    times.windows(2).map(|two| two[1] - two[0]).collect()
}

fn nothing_refused(board: &Board) {
    assert!(board.unmodelled().is_empty(), "{:?}", board.unmodelled());
}

fn register(board: &Board, name: &str) -> u32 {
    board.core().registers().into_iter().find(|one| one.0 == name).unwrap().1
}

fn tiers() -> [Tier; 2] {
    [Tier::Plain, Tier::Blocks]
}
