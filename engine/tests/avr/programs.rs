//! Random programs: in simavr, and in all tiers.

use cyclescope_engine::board::{Board, Request, Stop};
use cyclescope_engine::cores::avr::{operation, Avr, Operation as O, Reach, State};

use crate::cases::*;
use crate::tiers::TIERS;

pub const WORDS: usize = 64;
const STEPS: u32 = 90;
const PROGRAMS: u32 = 1_000;

/// The words of a random program, for pointers in the middle of the RAM.
pub fn program(random: &mut Random) -> Vec<u16> {
    let mut words = Vec::new();
    while words.len() < WORDS {
        let opcode = random.next() as u16;
        let io = opcode >> 5 & 0x30 | opcode & 0xF;
        let high_pair = |register: u16| register >= 26;
        let (d, high_d) = (opcode >> 4 & 31, opcode >> 4 & 15 | 16);
        let operation = operation(opcode);
        let keeps_pointers = match operation {
            O::Subi | O::Sbci | O::Andi | O::Ori | O::Ldi => !high_pair(high_d),
            O::Movw => opcode >> 4 & 15 < 13,
            O::Adiw | O::Sbiw => opcode >> 4 & 3 == 0,
            O::Push | O::Out | O::Bset | O::Bclr => true,
            _ if operation.reach() < Reach::Flow => !high_pair(d),
            _ => true,
        };
        let allowed = match operation {
            O::In => PLAIN_IO.contains(&io),
            O::Out => PLAIN_IO[..3].contains(&io) || io == 0x3F,
            O::Sbi | O::Cbi | O::Sbic | O::Sbis => opcode >> 3 & 31 == PLAIN_IO[0],
            O::Brbs | O::Brbc => opcode >> 3 & 0x7F < 12,
            O::Rcall | O::Rjmp => opcode & 0xFFF < 12,
            O::Jmp | O::Call | O::Ijmp | O::Eijmp | O::Icall | O::Eicall | O::Ret => false,
            O::Sei | O::Cli => true,
            O::Undefined => false,
            _ if operation.reach() == Reach::Control => false,
            _ => true,
        };
        if !allowed || !keeps_pointers {
            continue;
        }
        words.push(opcode);
        if matches!(operation, O::Lds | O::Sts) {
            words.push(random.pick(&[0x5F, 0x3E, 0x4A, 5, 17, 0x300, 0x1234, 0x21FF]));
        }
    }
    words.truncate(WORDS);
    words
}

fn case(random: &mut Random) -> Case {
    let mut r: [u8; 32] = std::array::from_fn(|_| random.byte());
    for low in [26, 28, 30] {
        r[low + 1] = 0x04 + random.below(0x18) as u8;
    }
    let pc = random.below(PROGRAM_WORDS - 0x400);
    let state = State {
        r,
        sreg: random.next() as u8,
        sp: 0x400 + random.below(0x1A00) as u16,
        rampz: random.below(4) as u8,
        eind: 0,
        pc,
        shadow: false,
    };
    let words = program(random);
    let patches = (pc..).zip(words.into_iter().chain([0; 128])).collect();
    Case { state, patches, seed: random.next() as u16, fill: random.byte(), steps: STEPS }
}

fn run(board: &mut Board, instructions: u64) -> Stop {
    let until = board.instructions() + instructions;
    board.run(&Request { instructions: Some(until), ..Request::default() }).unwrap()
}

#[test]
fn random_programs_do_as_in_simavr_in_all_tiers() {
    let mut random = Random(0x1234_5678_9ABC);
    let flash = vec![0; 2 * PROGRAM_WORDS as usize];
    let cases: Vec<Case> = (0..PROGRAMS).map(|_| case(&mut random)).collect();
    let expected = driver().map(|driver| in_simavr(&driver, &flash, &cases));
    let mut boards = TIERS.map(|tier| {
        let mut board = board(&flash);
        board.set_tier(tier);
        board
    });
    for (n, case) in cases.iter().enumerate() {
        let begun = boards.each_mut().map(|board| {
            case.prepare(board);
            board.cycle()
        });
        let mut step = 0;
        while step < STEPS {
            // The plain core goes one by one, the others in strides.
            let stride = (1 + random.below(24)).min(STEPS - step);
            for _ in 0..stride {
                run(&mut boards[0], 1);
                step += 1;
                let found = record(&mut boards[0], begun[0], step == STEPS);
                if let Some(expected) = &expected {
                    assert_eq!(found, expected[n][step as usize - 1], "program {n}, step {step}");
                }
            }
            boards[1..].iter_mut().for_each(|board| drop(run(board, stride.into())));
            let [expected, found @ ..] =
                [0, 1, 2].map(|which| record(&mut boards[which], begun[which], true));
            let as_expected = [expected.clone(), expected];
            assert_eq!(found, as_expected, "program {n}, step {step}: the tiers differ");
        }
    }
}

/// Interrupts at random cycles: handlers count, and return. All tiers stop at the same boundaries.
#[test]
fn interrupts_come_at_the_same_boundaries_in_all_tiers() {
    let mut random = Random(0xFEED_2560);
    for round in 0..60 {
        let (words, first) = (program(&mut random), 0x200);
        let lines: Vec<(u32, u64)> =
            (0..12).map(|_| (1 + random.below(56), 200 + u64::from(random.below(6_000)))).collect();
        let mut boards = TIERS.map(|tier| {
            let mut board = board(&vec![0; 2 * PROGRAM_WORDS as usize]);
            board.set_tier(tier);
            let put = |board: &mut Board, word: u32, opcodes: &[u16]| {
                let bytes: Vec<u8> = opcodes.iter().flat_map(|one| one.to_le_bytes()).collect();
                board.write_memory(2 * word, &bytes).unwrap();
            };
            for vector in 1..57 {
                // inc r3; reti: it fits where two words are.
                put(&mut board, 2 * vector, &[0x9433, 0x9518]);
            }
            put(&mut board, first, &words);
            // sei; rjmp to the first word again.
            let back = 0xC000 | (0x1000 - (WORDS as u16 + 130)) & 0xFFF;
            put(&mut board, first + WORDS as u32, &[0; 128]);
            put(&mut board, first + WORDS as u32 + 128, &[0x9478, back]);
            let mut r = [0x55; 32];
            (r[27], r[29], r[31]) = (8, 12, 16);
            let state =
                State { r, sreg: 0x80, sp: 0x2000, rampz: 0, eind: 0, pc: first, shadow: false };
            board.core_as_mut::<Avr>().unwrap().set_state(&state);
            for &(vector, at) in &lines {
                board.drive(&format!("core.vector{vector}"), 1, Some(at)).unwrap();
                board.drive(&format!("core.vector{vector}"), 0, Some(at + 40)).unwrap();
            }
            board
        });
        let mut at = 0;
        while at < 7_000 {
            at += 1 + u64::from(random.below(300));
            let found = boards.each_mut().map(|board| {
                let stop = board.run(&Request { cycles: Some(at), ..Request::default() }).unwrap();
                (stop, record(board, 0, true), board.instructions())
            });
            assert_eq!(found[1], found[0], "round {round}, cycle {at}");
            assert_eq!(found[2], found[0], "translated, round {round}, cycle {at}");
        }
    }
}
