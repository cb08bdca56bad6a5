//! Fuzzing that is guided by coverage: programs whose execution takes new branches of the engine are kept, and changed
//! further. Every program must run alike in all tiers.
//!
//! The compiler counts branches for `-C instrument-coverage`. Its counters lie in one section of this process, where
//! they are read and cleared for each program. A program is a seed, and numbers that are drawn instead of
//! the seed's own. A change of one number changes one opcode, one input or one setting.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::{alike, given, open, prepare, Boards, Load, Part, Random, PARTS, PROGRAMS, TIERS};

/// A program: how its numbers are drawn.
#[derive(Clone, Debug)]
struct Program {
    part: usize,
    load: usize,
    slice: u64,
    seed: u64,
    instead: BTreeMap<u32, u32>,
}

/// Cycles that a program runs at most.
const CYCLES: u64 = 30_000;
/// Most numbers that one change draws anew.
const MOST_CHANGES: u32 = 24;

/// The counters of all branches.
#[allow(unsafe_code)]
fn counters() -> &'static mut [u64] {
    extern "C" {
        static mut __start___llvm_prf_cnts: u64;
        static mut __stop___llvm_prf_cnts: u64;
    }
    // SAFETY: the linker defines both as the ends of the section of the counters. This thread alone runs
    // the engine, and its increments are never under way while the counters are read.
    unsafe {
        let first = &raw mut __start___llvm_prf_cnts;
        let count = (&raw mut __stop___llvm_prf_cnts).offset_from(first) as usize;
        std::slice::from_raw_parts_mut(first, count)
    }
}

/// A count as a bit: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, up to 127, and more.
fn bucket(count: u64) -> u8 {
    match count {
        0 => 0,
        1..=3 => 1 << (count - 1),
        4..=31 => 1 << (count.ilog2() + 1),
        32..=127 => 1 << 6,
        _ => 1 << 7,
    }
}

/// The buckets that each counter was in.
struct Seen(Vec<u8>);

impl Seen {
    /// Adds the counts of now. Returns whether any is new.
    fn add(&mut self, counters: &[u64]) -> bool {
        let mut is_new = false;
        for (seen, &count) in self.0.iter_mut().zip(counters) {
            let bit = bucket(count);
            is_new |= bit & !*seen != 0;
            *seen |= bit;
        }
        is_new
    }

    fn covered(&self) -> usize {
        self.0.iter().filter(|&&seen| seen != 0).count()
    }
}

/// Runs a program in all tiers. Returns how many numbers it drew.
fn run(boards: &mut [Option<Boards>], program: &Program) -> u32 {
    let part: Part = PARTS[program.part];
    let load: Load = PROGRAMS[program.load];
    let boards = boards[program.part].get_or_insert_with(|| open(part));
    let mut drawn = 0;
    for (board, tier) in boards.iter_mut().zip(TIERS) {
        let mut random = Random::with(part.layout, program.seed, program.instead.clone());
        prepare(board, tier, part, load, &mut random);
        drawn = random.drawn();
    }
    let mut random = Random::new(part.layout, program.seed);
    alike(boards, part.layout.ram, CYCLES, || match program.slice {
        0 => 1 + u64::from(random.below(3_000)),
        slice => slice,
    });
    drawn
}

/// A kept program, changed; now and then a fresh one.
fn next(random: &mut Random, kept: &[(Program, u32)]) -> Program {
    let slice = [0, 61, 997, 60_000][random.below(4) as usize];
    if kept.is_empty() || random.below(16) == 0 {
        let part = [0, 0, 0, 0, 1, 1, 2, 3][random.below(8) as usize];
        let load = random.below(2) as usize;
        let seed = u64::from(random.next()) << 16 | 1;
        return Program { part, load, slice, seed, instead: BTreeMap::new() };
    }
    let (mut program, drawn) = kept[random.below(kept.len() as u32) as usize].clone();
    program.slice = slice;
    if random.below(4) == 0 {
        let (other, _) = &kept[random.below(kept.len() as u32) as usize];
        program.instead.extend(other.instead.iter().filter(|(at, _)| **at < drawn));
    }
    for _ in 0..=random.below(MOST_CHANGES) {
        let at = random.below(drawn.max(1));
        let value = match random.below(3) {
            0 => random.below(64),
            1 => program.instead.get(&at).map_or(0, |old| old ^ 1 << random.below(32)),
            _ => random.next(),
        };
        program.instead.insert(at, value);
    }
    program
}

/// Fuzzes for `CYCLESCOPE_FUZZ_SECONDS`, from the seed `CYCLESCOPE_FUZZ_SEED` on.
#[test]
#[ignore = "long: make fuzz"]
fn programs_that_take_new_branches_run_alike() {
    let seconds = Duration::from_secs(given("CYCLESCOPE_FUZZ_SECONDS", 60));
    let seed = given("CYCLESCOPE_FUZZ_SEED", 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).max(1);
    let mut random = Random::new(PARTS[0].layout, seed);
    let counters = counters();
    assert!(!counters.is_empty(), "built without -C instrument-coverage");
    let mut seen = Seen(vec![0; counters.len()]);
    let mut boards: Vec<Option<Boards>> = PARTS.iter().map(|_| None).collect();
    let (mut kept, mut executions, mut reported) = (Vec::new(), 0u64, Instant::now());
    let begun = Instant::now();
    while begun.elapsed() < seconds {
        let program = next(&mut random, &kept);
        counters.fill(0);
        let ran =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&mut boards, &program)));
        let Ok(drawn) = ran else { panic!("not alike: {program:?}") };
        executions += 1;
        if seen.add(counters) {
            kept.push((program, drawn));
        }
        if reported.elapsed() > Duration::from_secs(60) {
            reported = Instant::now();
            eprintln!("{executions} programs, {} counters, {} kept", seen.covered(), kept.len());
        }
    }
    println!(
        "{executions} programs run alike in all tiers; {} of {} counters taken, {} programs kept",
        seen.covered(),
        counters.len(),
        kept.len()
    );
}
