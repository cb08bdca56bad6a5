//! Bytes that are followed. Random programs move bytes that are all different, so that the values in memory
//! say which byte stands where.

use std::ops::Range;

use cyclescope_engine::board::{Attachment, Board};
use cyclescope_engine::instruments::follow::Follow;

use crate::any_program::{Random, LPC2148};
use crate::programs::{board, run_cycles, words, ArmBoard, MINIMAL};

/// Followed bytes lie here, …
const FROM: u32 = 0x8000;
const BYTES: u32 = 32;
/// … and programs write here.
const TO: u32 = 0x9000;
const TO_BYTES: u32 = 64;
const LIST: u32 = 0xFF;

/// r8 and r9 hold the two addresses.
fn attach(board: &mut Board, sources: Range<u32>) -> Attachment {
    let follow = board.follow(&[], &[], vec![sources], 1 << 20).unwrap();
    board.attach(Box::new(follow))
}

/// No two are alike, none is 0, and none is what a sign leaves.
fn different(n: u32) -> u8 {
    (3 + 7 * n) as u8
}

fn start(program: &[u8], thumb: bool) -> Board {
    let mut board = board(MINIMAL);
    board.load_bytes(0x100, program).unwrap();
    let bytes: Vec<u8> = (0..BYTES).map(different).collect();
    board.load_bytes(FROM, &bytes).unwrap();
    board.reset(Some(0x100 | u32::from(thumb)));
    let mut state = board.arm().state();
    let unaligned_or_stack = if thumb { TO + TO_BYTES } else { TO + 5 };
    (state.user[8], state.user[9], state.user[10]) = (FROM, TO, unaligned_or_stack);
    (state.user[6], state.user[7]) = if thumb { (FROM, TO) } else { (0, 0) };
    state.supervisor[0] = TO + TO_BYTES;
    board.arm_mut().set_state(&state);
    board
}

/// One or more instructions that move bytes whole.
fn arm_moves(random: &mut Random) -> Vec<u32> {
    let (rd, rn, rm) = (random.below(8), 8 + random.below(2), random.below(8));
    let at = random.below(28);
    let half = (at & 0xF0) << 4 | at & 15;
    let eight = 8 * random.below(4);
    let kind = random.below(4) << 5;
    // ROR #0 is a shift by one with the carry.
    let constant = if kind == 3 << 5 { eight.max(8) } else { eight };
    match random.below(16) {
        0 | 1 => vec![0xE590_0000 | rn << 16 | rd << 12 | at], // ldr
        2 => vec![0xE5D0_0000 | rn << 16 | rd << 12 | at],     // ldrb
        3 => vec![0xE1D0_00B0 | rn << 16 | rd << 12 | half],   // ldrh
        4 => vec![0xE1D0_00D0 | random.below(2) << 5 | rn << 16 | rd << 12 | half], // ldrsb, ldrsh
        5 => vec![0xE589_0000 | rd << 12 | at],                // str
        6 => vec![0xE5C9_0000 | rd << 12 | at],                // strb
        7 => vec![0xE1C9_00B0 | rd << 12 | half],              // strh
        8 => vec![0xE890_0000 | rn << 16 | (1 + random.below(LIST))], // ldmia
        9 => vec![0xE889_0000 | (1 + random.below(LIST))],     // stmia
        10 => vec![0xE10A_0090 | random.below(2) << 22 | rd << 12 | rm], // swp, swpb
        11 => vec![0xE1A0_0000 | rd << 12 | constant << 7 | kind | rm], // mov shifted by a constant
        12 => vec![
            0xE3A0_B000 | eight,                // mov r11, #eight
            0xE1A0_0B10 | rd << 12 | kind | rm, // mov shifted by r11
        ],
        13 => vec![0xE200_00FF | random.below(4) << 10 | rm << 16 | rd << 12], // and #0xFF << n
        14 => vec![0xE3C0_00FF | random.below(4) << 10 | rm << 16 | rd << 12], // bic #0xFF << n
        _ => {
            // The loop of a memcpy between alignments: the rest of one word with the begin of the next.
            let sum = [0xE180_0000, 0xE080_0000, 0xE020_0000][random.below(3) as usize];
            let eight = 8 + 8 * random.below(3);
            vec![
                0xE1A0_0020 | rd << 12 | eight << 7 | rm,
                sum | rd << 16 | rd << 12 | (32 - eight) << 7 | ((rm + 1) % 8),
            ]
        }
    }
}

/// The same in Thumb state; r6 and r7 hold the addresses, and r13 the end of what is written.
fn thumb_moves(random: &mut Random) -> Vec<u16> {
    let (rd, rb, rm) = (random.below(6), 6 + random.below(2), random.below(6));
    let imm = random.below(7);
    let found = match random.below(13) {
        0 => vec![0x6800 | imm << 6 | rb << 3 | rd], // ldr
        1 => vec![0x7800 | imm << 6 | rb << 3 | rd], // ldrb
        2 => vec![0x8800 | imm << 6 | rb << 3 | rd], // ldrh
        3 => vec![0x6000 | imm << 6 | 7 << 3 | rd],  // str
        4 => vec![0x7000 | imm << 6 | 7 << 3 | rd],  // strb
        5 => vec![0x8000 | imm << 6 | 7 << 3 | rd],  // strh
        6 => vec![random.below(3) << 11 | (8 + 8 * random.below(3)) << 6 | rm << 3 | rd], // shifts
        7 => vec![0xB400 | (1 + random.below(0x3F)), 0xBC00 | 1 << rd], // push some, pop one
        // adds r5, rb, #0; ldmia r5!, some of r0 to r4
        8 => vec![0x1C00 | rb << 3 | 5, 0xCD00 | (1 + random.below(0x1F))],
        9 => vec![0x4600 | rm << 3 | rd], // mov
        10 => vec![0x2500 | (imm % 3), 0x5D40 | rb << 3 | rd], // mov r5, #imm; ldrb by r5
        // mov r5, #0xFF; and r5, rm; mov r8, r5; mov rd, r8
        11 => vec![0x25FF, 0x4005 | rm << 3, 0x46A8, 0x4640 | rd],
        _ => {
            let eight = 8 + 8 * random.below(3);
            // lsr r5, rm, #n; lsl r4, rd, #32 - n; orr r4, r5
            vec![0x0800 | eight << 6 | rm << 3 | 5, (32 - eight) << 6 | rd << 3 | 4, 0x432C]
        }
    };
    found.into_iter().map(|opcode| opcode as u16).collect()
}

/// Runs to the branch to itself at the end of the program, and compares what is followed with what stands.
fn compare(mut board: Board, seed: u64) -> [usize; 2] {
    let follow = attach(&mut board, FROM..FROM + BYTES);
    board.run(&run_cycles(board.cycle() + 60_000)).unwrap();
    let (low, high) = (TO - 64, TO + TO_BYTES + 64);
    let memory = board.read_memory(low, (high - low) as usize).unwrap();
    let found = board.instrument::<Follow>(follow).unwrap();
    let copies = found.copies().1;
    assert_eq!((found.lost(), found.copies().0), (0, 1));
    let (mut held, mut empty) = (0, 0);
    for (address, value) in (low..).zip(memory) {
        let expected = (0..BYTES).find(|&n| different(n) == value);
        let byte = found.held(address).map(|(byte, _)| byte);
        let came_from = byte.map(|byte| {
            let arrival = copies.iter().find(|one| (one.byte, one.from) == (byte, 0)).unwrap();
            arrival.address - FROM
        });
        assert_eq!(came_from, expected, "seed {seed}: {address:#x} holds {value:#x}");
        *(if byte.is_some() { &mut held } else { &mut empty }) += 1;
    }
    for (number, one) in copies.iter().enumerate() {
        assert_eq!(one.value, one.arrived, "seed {seed}");
        assert!((one.from as usize) <= number, "seed {seed}: from itself");
        if let Some(from) = (one.from as usize).checked_sub(1) {
            assert_eq!(copies[from].byte, one.byte, "seed {seed}");
        }
    }
    [held, empty]
}

#[test]
fn bytes_stand_where_their_values_say() {
    let mut seen = [0, 0];
    for seed in 1..400 {
        let mut random = Random::new(&LPC2148, seed);
        let mut program = Vec::new();
        while program.len() < 300 {
            program.extend(arm_moves(&mut random));
        }
        // At last all registers are stored: stmib r9, {r0-r7} moved by 32.
        program.extend([0xE289_9020, 0xE889_00FF, 0xEAFF_FFFE]);
        let found = compare(start(&words(&program), false), seed);
        (seen[0], seen[1]) = (seen[0] + found[0], seen[1] + found[1]);
    }
    assert!(seen.iter().all(|&count| count > 5_000), "{seen:?}");
}

#[test]
fn bytes_stand_where_their_values_say_in_short_instructions() {
    let mut seen = [0, 0];
    for seed in 1..400 {
        let mut random = Random::new(&LPC2148, seed);
        let mut program = Vec::new();
        while program.len() < 300 {
            program.extend(thumb_moves(&mut random));
            program.push(0x46D5); // mov sp, r10
        }
        program.push(0xE7FE);
        let bytes: Vec<u8> = program.iter().flat_map(|one: &u16| one.to_le_bytes()).collect();
        let found = compare(start(&bytes, true), seed);
        (seen[0], seen[1]) = (seen[0] + found[0], seen[1] + found[1]);
    }
    assert!(seen.iter().all(|&count| count > 5_000), "{seen:?}");
}
