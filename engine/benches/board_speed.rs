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
/// The like in Thumb state, with a stack.
const THUMB: [u16; 36] = [
    0x2401, // movs r4, #1
    0x07a4, // lsls r4, r4, #30
    0x2001, // movs r0, #1
    0x0302, // lsls r2, r0, #12
    0x18a4, // adds r4, r4, r2
    0x46a5, // mov sp, r4
    0x1c21, // outer: adds r1, r4, #0
    0x2301, // movs r3, #1
    0x029b, // lsls r3, r3, #10
    0x18e2, // adds r2, r4, r3
    0x2540, // movs r5, #64
    0xc908, // inner: ldmia r1!, {r3}
    0x18c0, // adds r0, r0, r3
    0x2607, // movs r6, #7
    0x41f3, // rors r3, r6
    0x4058, // eors r0, r3
    0x2601, // movs r6, #1
    0x4230, // tst r0, r6
    0xd000, // beq skip
    0x3003, // adds r0, #3
    0x6050, // skip: str r0, [r2, #4]
    0x3204, // adds r2, #4
    0x1c2e, // adds r6, r5, #0
    0x4346, // muls r6, r0
    0xf000, // bl leaf
    0xf803, // its second half
    0x3d01, // subs r5, #1
    0xd1ee, // bne inner
    0xe7e8, // b outer
    0xb510, // leaf: push {r4, lr}
    0x08f4, // lsrs r4, r6, #3
    0x193f, // adds r7, r7, r4
    0x4287, // cmp r7, r0
    0xd900, // bls done
    0x2700, // movs r7, #0
    0xbd10, // done: pop {r4, pc}
];
const INSTRUCTIONS: u64 = 10_000_000;
/// Of so many runs of each tier, one after the other, the fastest counts.
const RUNS: usize = 7;

/// Million instructions per second, and the cycles that the board counts.
fn measure(tier: Tier, code: &[u8], entry: u32, mam: Option<u32>) -> (f64, u64) {
    let mut board = Board::from_text(BOARD, "board_speed").expect("a good board file");
    board.set_tier(tier);
    board.load_bytes(entry & !1, code).expect("capacity");
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
fn compare(what: &str, code: &[u8], entry: u32, mam: Option<u32>) {
    let mut best = [0f64; 2];
    let mut cycles = [0; 2];
    for _ in 0..RUNS {
        for (i, tier) in [Tier::Plain, Tier::Blocks].into_iter().enumerate() {
            let (speed, counted) = measure(tier, code, entry, mam);
            (best[i], cycles[i]) = (best[i].max(speed), counted);
        }
    }
    assert_eq!(cycles[0], cycles[1], "a tier changes no result");
    let [plain, blocks] = best;
    println!(
        "{what:24} plain {plain:6.1}, blocks {blocks:6.1} million instructions/s, ratio {:4.2}   {} cycles",
        blocks / plain,
        cycles[0]
    );
}

fn main() {
    let arm: Vec<u8> = PROGRAM.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let thumb: Vec<u8> = THUMB.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    for (set, code, bit) in [("ARM", &arm, 0), ("Thumb", &thumb, 1)] {
        compare(&format!("{set}, SRAM"), code, 0x4000_0000 | bit, None);
        for mode in 0..3 {
            compare(&format!("{set}, flash, MAM mode {mode}"), code, bit, Some(mode | 3 << 8));
        }
    }
}
