//! Decoded blocks against the plain core: the same registers at every look, the same memory, the same
//! records of whoever watches.

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::instruments::window::Window;

use crate::any_program::{load, Random, SRAM, SRAM_SIZE};
use crate::programs::{lpc2148, run_cycles, ArmBoard};

const TIERS: [Tier; 2] = [Tier::Plain, Tier::Blocks];

/// Sets up a board at random: other events while the program runs, and observers.
fn prepare(board: &mut Board, tier: Tier, random: &mut Random) {
    board.set_tier(tier);
    load(board, random);
    board.detach_all();
    board.reset(None);
    let mam = |random: &mut Random| random.below(3) | random.below(8) << 8;
    board.drive("memory.flash.mam", mam(random), None).unwrap();
    board.drive("memory.flash.mam", mam(random), Some(30_000)).unwrap();
    for line in ["core.irq", "core.fiq"] {
        let mut at = u64::from(random.below(3_000)) + 100;
        while at < 80_000 {
            board.drive(line, 1, Some(at)).unwrap();
            board.drive(line, 0, Some(at + 1 + u64::from(random.below(12)))).unwrap();
            at += 20 + u64::from(random.below(9_000));
        }
    }
    watch(board, random);
}

fn prepare_both(boards: &mut [Board; 2], seed: u64) {
    for (board, tier) in boards.iter_mut().zip(TIERS) {
        prepare(board, tier, &mut Random(seed));
    }
}

fn watch(board: &mut Board, random: &mut Random) {
    let window = Window { start: random.entry(), entry: random.entry(), returned: random.entry() };
    match random.below(5) {
        0 => {}
        1 => board.watch(&[random.entry(), random.entry(), 0x18], &[SRAM + 0x4400]),
        2 => board.watch(&[random.entry(), random.entry()], &[]),
        3 => {
            board.watch_interrupts(window);
            board.watch_off_intervals();
        }
        _ => board.profile(window),
    }
}

fn records(board: &mut Board) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {}",
        board.take_executed(),
        board.take_accessed(),
        board.take_interrupts_off(),
        board.take_off_intervals(),
        board.take_profiles(),
        board.unmodelled(),
        board.unverified(),
        board.skipped_cycles()
    )
}

/// Runs both boards alike, and compares them after each slice. Returns whether they ran to the end.
fn alike(boards: &mut [Board; 2], mut slice: impl FnMut() -> u64) -> bool {
    let end = 90_000;
    loop {
        let [plain, blocks] = boards;
        let next = plain.cycle() + slice();
        let [expected, stop] =
            [&mut *plain, &mut *blocks].map(|board| board.run(&run_cycles(next)));
        let (expected, stop) = (expected.unwrap(), stop.unwrap());
        assert_eq!(stop, expected);
        assert_eq!(blocks.arm().state(), plain.arm().state(), "at {}", stop.cycle);
        if stop.cycle < next || stop.cycle >= end {
            assert_eq!(records(blocks), records(plain));
            let memory = |board: &mut Board| board.read_memory(SRAM, SRAM_SIZE).unwrap();
            assert_eq!(memory(blocks), memory(plain));
            return stop.cycle >= end;
        }
    }
}

#[test]
fn random_programs_run_alike_in_both_tiers() {
    let mut boards = [lpc2148(), lpc2148()];
    let (mut whole, mut instructions) = (0, 0);
    for program in 0..120u64 {
        prepare_both(&mut boards, 0x9E37_79B9 + program);
        let mut random = Random(77 + program);
        whole += u32::from(alike(&mut boards, || match program % 4 {
            0 => 61,
            1 => 997,
            2 => 60_000,
            _ => 1 + u64::from(random.below(3_000)),
        }));
        instructions += boards[0].instructions();
    }
    assert!(whole > 60 && instructions > 1_000_000, "{whole} programs, {instructions}");
}

#[test]
fn a_run_ends_at_the_same_instruction_in_both_tiers() {
    let mut boards = [lpc2148(), lpc2148()];
    for program in 0..20 {
        prepare_both(&mut boards, 5_000 + program);
        let mut random = Random(99 + program);
        for _ in 0..200 {
            let instructions = boards[0].instructions() + 1 + u64::from(random.below(40));
            let pcs = vec![random.entry(), random.entry()];
            let cycles = Some(boards[0].cycle() + 500);
            let request =
                Request { instructions: Some(instructions), cycles, pcs, ..Request::default() };
            let [expected, stop] = boards.each_mut().map(|board| board.run(&request).unwrap());
            assert_eq!(stop, expected);
            assert_eq!(boards[1].arm().state(), boards[0].arm().state());
        }
    }
}

#[test]
fn who_watches_may_change_between_runs() {
    let mut boards = [lpc2148(), lpc2148()];
    for program in 0..40 {
        prepare_both(&mut boards, 9_000 + program);
        for round in 0..30 {
            let next = boards[0].cycle() + 700;
            let [expected, stop] = boards.each_mut().map(|board| board.run(&run_cycles(next)));
            assert_eq!(stop.unwrap(), expected.unwrap());
            let [plain, blocks] = &mut boards;
            assert_eq!(blocks.arm().state(), plain.arm().state());
            assert_eq!(records(blocks), records(plain));
            for board in &mut boards {
                board.detach_all();
                watch(board, &mut Random(100 * program + round / 2 + 1));
            }
        }
    }
}
