//! Random programs here and in unicorn's Cortex-M3: registers, flags and memory.

use cyclescope_engine::cores::armv7m::decoder::{decode, is_wide, Operation as O};

use crate::cases::*;
use crate::generate::case;

/// Programs of a daily run.
const DAILY: usize = 1500;
/// Programs of a whole run.
const WHOLE: usize = 60_000;
/// Programs given to unicorn at once.
const BATCH: usize = 500;

/// Flags, mode and state; the bits of an IT block are those of the next instruction.
fn compare(python: &std::path::Path, seed: u64, count: usize) {
    let mut random = Random(seed | 1);
    let mut board = board_for_cases();
    let mut wrong = 0;
    for first in (0..count).step_by(BATCH) {
        let cases: Vec<Case> = (0..BATCH.min(count - first)).map(|_| case(&mut random)).collect();
        let wanted = in_unicorn(python, &cases);
        for (number, (case, wanted)) in cases.iter().zip(&wanted).enumerate() {
            let found = case.run(&mut board);
            if found != *wanted {
                wrong += 1;
                if wrong <= 3 {
                    println!("seed {seed:#x}, program {}", first + number);
                    println!("found  {found:X?}\nwanted {wanted:X?}");
                    let code: Vec<String> =
                        case.code.iter().map(|half| format!("{half:04x}")).collect();
                    println!("r {:X?} lr {:X} flags {:X}", case.r, case.lr, case.flags);
                    println!("{}", code.join(" "));
                }
            }
        }
    }
    println!("{} of {count} programs are equal (seed {seed:#x})", count - wrong);
    assert_eq!(wrong, 0);
}

/// The seed of a run: that of the environment, or a fresh one.
fn seed() -> u64 {
    std::env::var("CYCLESCOPE_SEED").ok().map_or_else(
        || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |since| since.as_nanos() as u64)
        },
        |text| u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("a number in hex"),
    )
}

#[test]
fn random_programs_do_as_in_unicorn() {
    let Some(python) = driver() else { return };
    compare(&python, seed(), DAILY);
}

/// Not in these programs: traps, and hints at which unicorn stops.
const LEFT_OUT: [O; 8] =
    [O::Undefined, O::Coprocessor, O::Svc, O::Bkpt, O::Wfi, O::Wfe, O::Sev, O::Yield];

#[test]
fn programs_have_every_operation() {
    let mut random = Random(0x5EED);
    let mut found = [false; 256];
    for _ in 0..2000 {
        let code = case(&mut random).code;
        let mut halves = code.iter().copied();
        while let Some(first) = halves.next() {
            let second = if is_wide(first) { halves.next().unwrap_or(0) } else { 0 };
            let one = decode(u32::from(second) << 16 | u32::from(first));
            found[one.operation as usize] = true;
        }
    }
    let last = O::Bkpt as usize;
    let left_out = |number: usize| LEFT_OUT.iter().any(|one| *one as usize == number);
    let missing: Vec<usize> = (0..=last).filter(|&n| !found[n] && !left_out(n)).collect();
    assert!(missing.is_empty(), "operations by number: {missing:?}");
}

#[test]
#[ignore = "takes minutes: make programs"]
fn many_random_programs_do_as_in_unicorn() {
    let python = driver().expect("unicorn");
    compare(&python, seed(), WHOLE);
}
