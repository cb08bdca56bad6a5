//! Accesses and cycles taken at once have the same cost and effect as one by one.

use super::*;
use crate::bus::CodeBus;

/// Fetches from one line, of the next line and after branches take short ways: against a MAM that is asked
/// each time.
#[test]
fn fetches_cost_what_the_timing_says_of_each() {
    for (mode, read_cycles) in [(0, 3), (1, 4), (2, 7), (2, 3)] {
        let (mut system, _) = system(silent, silent);
        let mut asked = Timing::Other(Box::new(mam(mode, read_cycles)));
        system.memories[0].timing = mam(mode, read_cycles);
        let (mut random, mut address) = (Random(1), 0);
        for _ in 0..40_000 {
            let begun = system.now();
            let kinds = [CODE.sequential(), CODE, CODE.after_branch(), DATA];
            let access = kinds[random.below(4) as usize];
            let branches = access == CODE.after_branch();
            let jumps = access == DATA || branches;
            address = if jumps { random.below(62) * 4 } else { (address + 4) & 0xFF };
            let mut completed = asked.access(begun, address, access);
            let known = random.below(2) == 0 && system.hot.code.size > 0;
            if branches && known {
                assert!(system.refill(address, Width::Word).is_some());
                address += 4;
                completed = asked.access(completed, address, CODE.sequential());
            } else if access.is_code() && known && address & !15 != system.hot.line {
                system.fetch_line(address, access);
            } else {
                system.read(address, access).unwrap();
            }
            assert_eq!(system.now(), completed, "mode {mode}: {access:?} at {address:#x}");
            if random.below(4) == 0 {
                system.idle(2);
            }
            let state = |timing: &Timing| {
                let mut state = Vec::new();
                timing.state_at(system.now(), &mut state);
                state
            };
            assert_eq!(state(&system.memories[0].timing), state(&asked));
        }
    }
}

/// Words one by one, as the core would.
fn one_by_one(system: &mut System, address: u32, values: Option<&[u32]>, count: u32) -> Vec<u32> {
    let kind = |place| if place == 0 { DATA } else { DATA.sequential() };
    let each = |place: u32| {
        let address = address + 4 * place;
        match values {
            Some(values) => {
                system.write(address, values[place as usize], kind(place)).unwrap();
                0
            }
            None => system.read(address, kind(place)).unwrap(),
        }
    };
    (0..count).map(each).collect()
}

/// The same at once, where the system does that; whether it did.
fn at_once(
    system: &mut System,
    address: u32,
    values: Option<&[u32]>,
    count: u32,
) -> (Vec<u32>, bool) {
    let words = match values {
        Some(values) => system.write_words(address, count).map(|bytes| {
            for (word, value) in bytes.chunks_exact_mut(4).zip(values) {
                word.copy_from_slice(&value.to_le_bytes());
            }
            vec![0; count as usize]
        }),
        None => system.read_words(address, count).map(|bytes| {
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
        }),
    };
    match words {
        Some(words) => (words, true),
        None => (one_by_one(system, address, values, count), false),
    }
}

#[test]
fn words_at_once_are_so_many_accesses() {
    let (mut each, log) = system(silent, silent);
    let (mut all, all_log) = system(silent, silent);
    let (mut random, mut short) = (Random(7), 0);
    for _ in 0..5_000 {
        let (address, count) = (random.below(0xE00), 1 + random.below(16));
        let values: Vec<u32> = (0..count).map(|_| random.below(1 << 16)).collect();
        let values = (random.below(2) == 0).then_some(&values[..]);
        if random.below(3) == 0 {
            let (delay, tracked) = (random.below(80), random.below(0xE00) & !63);
            for system in [&mut each, &mut all] {
                system.write(0x1000 + delay, 1, DATA).unwrap();
                let _ = system.track_writes(tracked, 64);
            }
        }
        let expected = one_by_one(&mut each, address, values, count);
        let (words, done) = at_once(&mut all, address, values, count);
        short += u32::from(done);
        assert_eq!(words, expected);
        assert_eq!((all.now(), all.version()), (each.now(), each.version()));
        assert_eq!(
            (taken(&all_log), all.memories[0].bytes()),
            (taken(&log), each.memories[0].bytes())
        );
    }
    assert!((1_000..4_900).contains(&short), "{short}");
}

#[test]
fn a_pair_is_two_fetches_that_wait_for_nothing() {
    let half = Access::code(Width::Half);
    for (cycles, expected) in [(0, 3_000..5_000), (1, 0..1)] {
        let (mut system, log) = system(silent, silent);
        let timing = Waits::new(Width::Word, cycles, cycles).within_cycles_of_core();
        system.memories[0].timing = Timing::Waits(timing);
        let mut random = Random(5);
        let bytes: Vec<u8> = (0..0x1000).map(|_| random.below(256) as u8).collect();
        system.load(0, &bytes);
        let mut pairs = 0;
        for _ in 0..5_000 {
            let address = if random.below(4) == 0 { 0xFFC } else { random.below(0x800) * 2 };
            if random.below(16) == 0 {
                system.write(0x1000 + random.below(80), 1, DATA).unwrap();
            }
            let begun = system.now();
            let pair = system.fetch_pair_beside(address);
            assert_eq!(system.now(), begun);
            let inside = address < 0xFFE;
            let each = [0, 2].map(|behind| system.fetch_beside(address + behind, half));
            if let Some(pair) = pair {
                assert!(inside);
                assert_eq!(each, [pair & 0xFFFF, pair >> 16].map(|half| Ok((half, 0))));
                pairs += 1;
            }
            system.idle(1);
        }
        assert!(expected.contains(&pairs), "{cycles}: {pairs}");
        assert!(!taken(&log).is_empty());
    }
}
