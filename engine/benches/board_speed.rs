//! Million instructions per second of host time in both tiers, by where the code lies:
//! `cargo bench --bench board_speed`.

use std::time::Instant;

use cyclescope_engine::board::{Board, Request, Tier};

const BOARD: &str = r#"
name = "speed"
[core]
kind = "arm7tdmi"
[[memory]]
name = "flash"
base = 0
size = 0x10000
kind = "rom"
timing = { kind = "mam_lpc2000" }
[[memory]]
name = "sram"
base = 0x40000000
size = 0x8000
"#;

/// Sums, rotates, stores, multiplies and calls a leaf, 64 times over 256 bytes, for ever.
const PROGRAM: [u32; 21] = [
    0xe3a0_4101, // mov r4, #0x40000000
    0xe384_4a01, // orr r4, r4, #0x1000
    0xe3a0_0001, // mov r0, #1
    0xe1a0_1004, // outer: mov r1, r4
    0xe284_2b01, // add r2, r4, #0x400
    0xe3a0_5040, // mov r5, #64
    0xe491_3004, // inner: ldr r3, [r1], #4
    0xe080_0003, // add r0, r0, r3
    0xe020_03e0, // eor r0, r0, r0, ror #7
    0xe310_0001, // tst r0, #1
    0x1280_0003, // addne r0, r0, #3
    0xe482_0004, // str r0, [r2], #4
    0xe006_0590, // mul r6, r0, r5
    0xeb00_0002, // bl leaf
    0xe255_5001, // subs r5, r5, #1
    0x1aff_fff5, // bne inner
    0xeaff_fff1, // b outer
    0xe087_71a6, // leaf: add r7, r7, r6, lsr #3
    0xe157_0000, // cmp r7, r0
    0x83a0_7000, // movhi r7, #0
    0xe12f_ff1e, // bx lr
];
const INSTRUCTIONS: u64 = 10_000_000;
/// Of so many runs of each tier, one after the other, the fastest counts.
const RUNS: usize = 7;

/// Million instructions per second, and the cycles that the board counts.
fn measure(tier: Tier, entry: u32, mam: Option<u32>) -> (f64, u64) {
    let mut board = Board::from_text(BOARD, "board_speed").expect("a good board file");
    board.set_tier(tier);
    let bytes: Vec<u8> = PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    board.load_bytes(entry, &bytes).expect("room");
    board.reset(Some(entry));
    if let Some(level) = mam {
        board.drive("memory.flash.mam", level, None).expect("the input");
    }
    let begun = Instant::now();
    let request = Request { instructions: Some(INSTRUCTIONS), ..Request::default() };
    let stop = board.run(&request).expect("a run");
    (INSTRUCTIONS as f64 / begun.elapsed().as_secs_f64() / 1e6, stop.cycle)
}

/// Both tiers in turn, so that what else the machine does falls on both.
fn compare(what: &str, entry: u32, mam: Option<u32>) {
    let mut best = [0f64; 2];
    let mut cycles = [0; 2];
    for _ in 0..RUNS {
        for (i, tier) in [Tier::Plain, Tier::Blocks].into_iter().enumerate() {
            let (speed, counted) = measure(tier, entry, mam);
            (best[i], cycles[i]) = (best[i].max(speed), counted);
        }
    }
    assert_eq!(cycles[0], cycles[1], "a tier changes no result");
    let [plain, blocks] = best;
    println!(
        "{what:18} plain {plain:6.1}, blocks {blocks:6.1} million instructions/s, ratio {:4.2}   {} cycles",
        blocks / plain,
        cycles[0]
    );
}

fn main() {
    compare("SRAM", 0x4000_0000, None);
    for mode in 0..3 {
        compare(&format!("flash, MAM mode {mode}"), 0, Some(mode | 3 << 8));
    }
}
