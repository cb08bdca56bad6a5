//! Two boards in lock step beside one board alone and beside both, one after the other:
//! `cargo bench --bench bench_speed`.
//!
//! All times of a line are measured in turn, several times; the least counts. The boards compute, send a
//! character now and then, and read what came.

use std::path::Path;
use std::time::Instant;

use cyclescope_engine::bench::{Bench, Wire};
use cyclescope_engine::board::{Board, Request};

const USART0: u32 = 0xFFFD_0000;
const INTERNAL: u32 = 0x0030_0000;
const CYCLES: u64 = 40_000_000;
const SECOND_AS: u128 = 1_000_000_000_000_000_000;
const HZ: u128 = 32_768_000;
const ROUNDS: usize = 5;

/// Sums for a while, sends the sum if the line is free, adds what came.
const BUSY: [u32; 19] = [
    0xe59f_a03c, // ldr r10, usart
    0xe59f_503c, // ldr r5, 0x8c0
    0xe58a_5004, // str r5, [r10, #4]
    0xe3a0_5012, // mov r5, #18
    0xe58a_5020, // str r5, [r10, #0x20]
    0xe3a0_5050, // mov r5, #0x50
    0xe58a_5000, // str r5, [r10]
    0xe3a0_6c03, // again: mov r6, #0x300
    0xe084_4184, // work: add r4, r4, r4, lsl #3
    0xe256_6001, // subs r6, r6, #1
    0x1aff_fffc, // bne work
    0xe59a_5014, // ldr r5, [r10, #0x14]
    0xe315_0002, // tst r5, #2
    0x158a_401c, // strne r4, [r10, #0x1c]
    0xe59a_5018, // ldr r5, [r10, #0x18]
    0xe084_4005, // add r4, r4, r5
    0xeaff_fff5, // b again
    USART0,
    0x8C0,
];

/// The same, but waits for a character instead of the sums.
fn polling() -> Vec<u32> {
    let mut words = BUSY.to_vec();
    words[7] = 0xe59a_5014; // again: ldr r5, [r10, #0x14]
    words[8] = 0xe315_0001; // tst r5, #1
    words[9] = 0x0aff_fffc; // beq again
    words[10] = 0xe1a0_0000; // nop
    words
}

fn board(words: &[u32]) -> Board {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/at91x40/board.toml");
    let mut board = Board::open(&file).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(INTERNAL + 0x400, &bytes).unwrap();
    board.reset(Some(INTERNAL + 0x400));
    board
}

fn alone(words: &[u32]) {
    board(words).run(&Request { cycles: Some(CYCLES), ..Request::default() }).unwrap();
}

fn together(words: [&[u32]; 2], kind: Option<(u64, Option<u32>)>) {
    let (mut a, mut b) = (board(words[0]), board(words[1]));
    let wire = |from: &str, to: &str| Wire {
        from: from.into(),
        to: to.into(),
        delay_cycles: kind.unwrap_or_default().0,
        fastest_baud: kind.unwrap_or_default().1,
    };
    let wires = [wire("a.usart0.txd", "b.usart0.rxd"), wire("b.usart0.txd", "a.usart0.rxd")];
    let wires = if kind.is_some() { &wires[..] } else { &[] };
    let mut bench = Bench::new(&mut [("a", &mut a), ("b", &mut b)], wires).unwrap();
    let requests = [Request::default(), Request::default()];
    let until = Some(u128::from(CYCLES) * SECOND_AS / HZ);
    bench.run(&mut [&mut a, &mut b], &requests, until, &mut || true).unwrap();
}

fn seconds(work: &dyn Fn()) -> f64 {
    let begun = Instant::now();
    work();
    begun.elapsed().as_secs_f64()
}

fn main() {
    let polling = polling();
    println!(
        "{:<10} {:<16} {:>14} {:>12} {:>12}",
        "programs", "wires", "Mcycles/s each", "× one alone", "× in turn"
    );
    for (name, words) in [("busy", [&BUSY[..], &BUSY]), ("one polls", [&BUSY, &polling])] {
        for (wires, kind) in [
            ("none", None),
            ("delay 0", Some((0, None))),
            ("delay 0, baud", Some((0, Some(115_200)))),
            ("delay 1,000", Some((1000, None))),
            ("delay 100,000", Some((100_000, None))),
        ] {
            let mut least = [f64::INFINITY; 3];
            for _ in 0..ROUNDS {
                let times = [
                    seconds(&|| alone(words[0])),
                    seconds(&|| words.iter().for_each(|words| alone(words))),
                    seconds(&|| together(words, kind)),
                ];
                least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
            }
            let [one, in_turn, both] = least;
            println!(
                "{name:<10} {wires:<16} {:>14.1} {:>12.2} {:>12.2}",
                CYCLES as f64 / both / 1e6,
                both / one,
                both / in_turn
            );
        }
    }
}
