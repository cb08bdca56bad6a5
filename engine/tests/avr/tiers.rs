//! Decoded blocks and translated code against the plain core, on random programs that loop, call and return.

use std::path::Path;

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::cores::avr::{operation, Avr, Operation as O, Reach, State, DATA};
use cyclescope_engine::image::Image;

use crate::alike::{alike, compared, given};
use crate::cases::*;

pub const TIERS: [Tier; 3] = [Tier::Plain, Tier::Blocks, Tier::Translated { after: 2 }];
/// Words of functions, and of the handler of interrupts.
const FUNCTIONS: u32 = 0x400;
const FUNCTION_WORDS: u32 = 0x100;
const COUNT: u32 = 5;
const HANDLER: u32 = 0x200;
const END_CYCLES: u64 = 90_000;

fn ldi(register: u32, value: u32) -> u16 {
    (0xE000 | (value & 0xF0) << 4 | (register - 16) << 4 | value & 0xF) as u16
}

/// An opcode without a second word that may stand anywhere: pointers keep their high bytes but for increments.
fn plain_opcode(random: &mut Random) -> u16 {
    loop {
        let opcode = random.next() as u16;
        let io = opcode >> 5 & 0x30 | opcode & 0xF;
        let (d, high_d) = (opcode >> 4 & 31, opcode >> 4 & 15 | 16);
        let keeps = |register: u16| register < 26 && register != 25;
        let allowed = match operation(opcode) {
            O::Subi | O::Sbci | O::Andi | O::Ori | O::Ldi => keeps(high_d),
            O::Movw => opcode >> 4 & 15 < 12,
            O::Adiw | O::Sbiw => opcode >> 4 & 3 > 0,
            O::Push | O::Pop | O::Lds | O::Sts | O::Sbi | O::Cbi => false,
            O::In => PLAIN_IO.contains(&io) && keeps(d),
            // SREG, so that interrupts go on and off.
            O::Out => PLAIN_IO[..4].contains(&io) || io == 0x3F && random.below(4) == 0,
            O::Bset | O::Bclr | O::Cp | O::Cpc | O::Cpi => true,
            operation if operation.writes_data() => true,
            operation => operation.reach() < Reach::Flow && keeps(d),
        };
        if allowed && operation(opcode).reach() < Reach::Flow {
            return opcode;
        }
    }
}

/// Something that is more than an opcode, in the function of a number, `at` words behind its beginning.
fn deed(random: &mut Random, function: u32, at: u32) -> Vec<u16> {
    let byte = u32::from(random.byte());
    let callee = function + 1 + random.below(COUNT);
    let target = FUNCTIONS + callee * FUNCTION_WORDS;
    match random.below(15) {
        // LDS and STS: the RAM, registers, SREG, and memory that is not lent.
        0 => vec![
            0x9000 | (random.below(25) as u16) << 4,
            random.pick(&[0x5F, 0x3E, 5, 0x300, 0x21FF]),
        ],
        1 => vec![
            0x9200 | (random.below(25) as u16) << 4,
            random.pick(&[0x3E, 0x4A, 17, 0x300, 0x1234]),
        ],
        // A branch or a skip over an instruction or two.
        2..=4 => {
            let flow = 0xF000 | (random.below(16) as u16) << 3 & 0x8 | random.below(8) as u16;
            let flow =
                flow | (random.below(2) as u16) << 10 | (1 + random.below(2) as u16) << 3 & 0x18;
            vec![flow, plain_opcode(random), plain_opcode(random), 0]
        }
        5 => vec![0xFC00 | (random.below(512) as u16) & 0x1F7, plain_opcode(random), 0],
        6 => vec![0xFE00 | (random.below(512) as u16) & 0x1F7, 0x9100, 0x0400],
        7 => vec![0x1000 | random.below(0x400) as u16, plain_opcode(random)],
        // A loop: a counter, and a branch back.
        8 => {
            let mut words = vec![ldi(25, 1 + random.below(20))];
            (0..1 + random.below(6)).for_each(|_| words.push(plain_opcode(random)));
            let back = 0x80 - (words.len() as u16 + 1);
            words.extend([0x959A, 0xF401 | back << 3]);
            words
        }
        // Through the stack: PUSH and POP, and a call of a later function.
        9 => vec![0x920F | (random.below(26) as u16) << 4, 0x900F | (random.below(25) as u16) << 4],
        10 if callee < COUNT => vec![0x940E, target as u16],
        11 if callee < COUNT => {
            let here = FUNCTIONS + function * FUNCTION_WORDS + at;
            vec![0xD000 | ((target - here - 1) & 0xFFF) as u16]
        }
        // ICALL, and Z as it was.
        12 if callee < COUNT => {
            vec![ldi(30, target), ldi(31, target >> 8), 0x9509, ldi(30, byte), ldi(31, 0x10)]
        }
        // LPM and ELPM through any address, which moves.
        13 => {
            vec![0x9005 | (random.below(25) as u16) << 4, 0x9007 | (random.below(25) as u16) << 4]
        }
        // A bit of an I/O register: cleared, skipped by if clear, set, skipped by if set.
        14 => {
            let bit = PLAIN_IO[0] << 3 | random.below(8) as u16;
            vec![0x9800 | (random.below(4) as u16) << 8 | bit, plain_opcode(random), 0]
        }
        _ => vec![plain_opcode(random)],
    }
}

/// The words of a function. The first, which nobody calls, begins again without an end.
fn function(random: &mut Random, number: u32) -> Vec<u16> {
    let mut words = Vec::new();
    if number == 0 {
        // Pointers and the stack again, and interrupts on.
        words.extend([ldi(27, 0x08), ldi(29, 0x0C), ldi(31, 0x10), ldi(16, 0xFF), 0xBF0D]);
        words.extend([ldi(16, 0x20), 0xBF0E, 0x9478]);
    }
    for _ in 0..4 + random.below(14) {
        if random.below(3) == 0 {
            let at = words.len() as u32;
            words.extend(deed(random, number, at));
        } else {
            words.push(plain_opcode(random));
        }
    }
    if number == 0 {
        words.extend([0x940C, FUNCTIONS as u16]);
    } else {
        words.push(0x9508);
    }
    assert!(words.len() < FUNCTION_WORDS as usize);
    words
}

fn bytes(opcodes: &[u16]) -> Vec<u8> {
    opcodes.iter().flat_map(|one| one.to_le_bytes()).collect()
}

/// A program on a board, with its interrupts. A reset forgets how often code was rewritten.
fn load(board: &mut Board, random: &mut Random) {
    let put = |board: &mut Board, word: u32, opcodes: &[u16]| {
        board.load_bytes(2 * word, &bytes(opcodes)).unwrap();
    };
    for number in 0..COUNT {
        let mut words = function(random, number);
        words.resize(FUNCTION_WORDS as usize, 0);
        put(board, FUNCTIONS + number * FUNCTION_WORDS, &words);
    }
    // push r16; in r16, SREG; inc r2; out SREG, r16; pop r16; reti.
    put(board, HANDLER, &[0x930F, 0xB70F, 0x9423, 0xBF0F, 0x910F, 0x9518]);
    (1..57).for_each(|vector| put(board, 2 * vector, &[0x940C, HANDLER as u16]));
    board.reset(None);
    let mut r: [u8; 32] = std::array::from_fn(|_| random.byte());
    (r[27], r[29], r[31]) = (8, 12, 16);
    let sreg = random.next() as u8;
    let state = State { r, sreg, sp: 0x20FF, rampz: 0, eind: 0, pc: FUNCTIONS, shadow: false };
    board.core_as_mut::<Avr>().unwrap().set_state(&state);
    let mut at = 200;
    while random.below(20) > 0 && at < END_CYCLES {
        let line = format!("core.vector{}", 1 + random.below(56));
        board.drive(&line, 1, Some(at)).unwrap();
        board.drive(&line, 0, Some(at + 1 + u64::from(random.below(40)))).unwrap();
        at += 20 + u64::from(random.below(9_000));
    }
    board.detach_all();
    if random.below(3) == 0 {
        let executed = [0; 2].map(|_| 2 * any_place(random));
        board.watch(&executed, &[DATA + random.pick(&[0x300, 0x1000, 0x1020, 0x21FC])]);
    }
}

/// The word of a function, more often than not.
fn any_place(random: &mut Random) -> u32 {
    FUNCTIONS + random.below(COUNT) * FUNCTION_WORDS + random.below(40)
}

/// The host puts an instruction that reaches registers alone in place of another; the stack's beginning stays.
fn rewrite(boards: &mut [Board], random: &mut Random) {
    let at = any_place(random).max(FUNCTIONS + 8);
    let words = boards[0].read_memory(2 * at - 2, 4).unwrap();
    let [before, old] = [0, 2].map(|n| operation(u16::from_le_bytes([words[n], words[n + 1]])));
    let has_second_word = matches!(before, O::Lds | O::Sts | O::Call | O::Jmp);
    if !has_second_word && old.reach() == Reach::Registers {
        let new = loop {
            let opcode = plain_opcode(random);
            if operation(opcode).reach() == Reach::Registers {
                break opcode;
            }
        };
        boards.iter_mut().for_each(|board| board.write_memory(2 * at, &bytes(&[new])).unwrap());
    }
}

fn open() -> Vec<Board> {
    let opened = TIERS.map(|tier| {
        let mut board = board(&vec![0; 2 * PROGRAM_WORDS as usize]);
        board.set_tier(tier);
        board
    });
    opened.into()
}

fn ram(board: &mut Board) -> Vec<u8> {
    board.read_memory(DATA + 0x20, 0x21E0).unwrap()
}

/// Runs programs alike; returns how many ran to the end, the instructions of all, and how many of them ran translated.
fn random_programs(seed: u64, programs: u64) -> (u64, u64, u64) {
    let (mut boards, mut whole, mut instructions) = (open(), 0, 0);
    for program in 0..programs {
        let seed = seed.wrapping_add(program.wrapping_mul(0x9E37_79B9)).max(1);
        boards.iter_mut().for_each(|board| load(board, &mut Random(seed)));
        let mut random = Random(seed ^ 0x5DEE_CE66);
        (0..8).for_each(|_| {
            random.next();
        });
        let mut slice = || match program % 4 {
            0 => 61,
            1 => 997,
            2 => 60_000,
            _ => 1 + u64::from(random.below(3_000)),
        };
        let look = |board: &mut Board| {
            let state = board.core_as::<Avr>().unwrap().state();
            (state, board.cycle(), board.instructions())
        };
        let at_end = |board: &mut Board| {
            (ram(board), format!("{:?} {:?}", board.take_executed(), board.take_accessed()))
        };
        let mut rewrites = Random(seed ^ 0x1234_5678);
        while boards[0].cycle() < END_CYCLES {
            let end = boards[0].cycle() + END_CYCLES / 6;
            if !alike((&mut boards, &TIERS), end, &mut slice, look, at_end) {
                break;
            }
            rewrite(&mut boards, &mut rewrites);
        }
        whole += u64::from(boards[0].cycle() >= END_CYCLES);
        instructions += boards[0].instructions();
    }
    (whole, instructions, boards[2].translations().instructions)
}

const TRANSLATES: bool = cfg!(all(feature = "translate", target_arch = "x86_64"));

#[test]
fn random_programs_run_alike_in_all_tiers() {
    let (whole, instructions, translated) = random_programs(0x2560, 120);
    assert!(whole > 110 && instructions > 1_000_000, "{whole} to the end, {instructions}");
    assert!(!TRANSLATES || translated > instructions / 4, "{translated} of {instructions}");
}

/// An interrupt that waits is taken as soon as a hot loop writes I to SREG, not where that loop ends.
#[test]
fn an_interrupt_that_waits_is_taken_where_a_loop_allows_it() {
    let program = [
        0xBF0F, // the loop: out SREG, r16
        0x9543, // inc r20
        0x3644, // cpi r20, 100
        0xF409, // brne behind the next
        0x2F02, // mov r16, r18
        0xCFFA, // rjmp to the loop
    ];
    let handler = [0x2E24, 0xCFFF]; // mov r2, r20; rjmp to itself
    let mut boards = open();
    let states = boards.iter_mut().map(|board| {
        let mut put = |word: u32, words: &[u16]| board.load_bytes(2 * word, &bytes(words)).unwrap();
        put(FUNCTIONS, &program);
        put(HANDLER, &handler);
        put(2, &[0x940C, HANDLER as u16]);
        board.reset(None);
        let mut r = [0; 32];
        r[18] = 0x80;
        let state =
            State { r, sreg: 0, sp: 0x20FF, rampz: 0, eind: 0, pc: FUNCTIONS, shadow: false };
        board.core_as_mut::<Avr>().unwrap().set_state(&state);
        board.drive("core.vector1", 1, None).unwrap();
        board.run(&Request { cycles: Some(5_000), ..Request::default() }).unwrap();
        board.core_as::<Avr>().unwrap().state()
    });
    let states: Vec<State> = states.collect();
    // One instruction executes behind the one that sets I.
    assert_eq!(states[0].r[2], 101);
    assert_eq!(states[1..], [states[0].clone(), states[0].clone()]);
}

/// `CYCLESCOPE_TIERS_PROGRAMS` programs, from the seed `CYCLESCOPE_TIERS_SEED` on.
#[test]
#[ignore = "long: make tiers"]
fn many_random_programs_run_alike() {
    let programs = given("CYCLESCOPE_TIERS_PROGRAMS", 5_000);
    let seed = given("CYCLESCOPE_TIERS_SEED", 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (whole, instructions, translated) = random_programs(seed, programs);
    println!(
        "{programs} programs, {whole} ran to the end, {instructions} instructions, {translated} of them translated, {} states compared",
        compared()
    );
}

/// Code that the host rewrites between two slices of a run is another at once.
#[test]
fn rewritten_code_is_another_at_once_in_all_tiers() {
    let mut boards = open();
    // inc r16; add r17, r16; rjmp back: then dec r16 in place of the first.
    for (number, word) in [0x9503, 0x950A, 0x9503, 0x9500].into_iter().cycle().take(24).enumerate()
    {
        for board in &mut boards {
            board.write_memory(0x600, &bytes(&[word, 0x0F10, 0xCFFD])).unwrap();
            let core = board.core_as_mut::<Avr>().unwrap();
            if number == 0 {
                core.set_state(&State { pc: 0x300, ..core.state() });
            }
        }
        let end = boards[0].cycle() + 2_000;
        let look = |board: &mut Board| board.core_as::<Avr>().unwrap().state();
        assert!(alike((&mut boards, &TIERS), end, || 777, look, ram));
    }
    // Code that is rewritten too often is left to the plain core.
    assert!(!TRANSLATES || boards[2].translations().instructions > 500);
}

/// The same number of instructions in all tiers, wherever a run ends.
#[test]
fn a_run_ends_at_the_same_instruction_in_all_tiers() {
    let (mut boards, mut random) = (open(), Random(0xACE5));
    for program in 0..12 {
        boards.iter_mut().for_each(|board| load(board, &mut Random(0x77 + program)));
        for _ in 0..150 {
            let most = random.pick(&[40, 400, 4_000]);
            let instructions = boards[0].instructions() + 1 + u64::from(random.below(most));
            let request = Request { instructions: Some(instructions), ..Request::default() };
            let found: Vec<_> = boards
                .iter_mut()
                .map(|board| {
                    let stop = board.run(&request).unwrap();
                    (stop, board.core_as::<Avr>().unwrap().state())
                })
                .collect();
            assert_eq!(found[1], found[0], "blocks, program {program}");
            assert_eq!(found[2], found[0], "translated, program {program}");
        }
    }
}

/// Every image of `CYCLESCOPE_TIERS_IMAGES`, a list of ELF files for the ATmega2560 with a comma between, runs alike.
#[test]
#[ignore = "needs images: CYCLESCOPE_TIERS_IMAGES"]
fn images_run_alike_in_all_tiers() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/atmega2560/board.toml");
    let images = std::env::var("CYCLESCOPE_TIERS_IMAGES").expect("a list of ELF files");
    for image in images.split(',') {
        let tiers = [Tier::Plain, Tier::Blocks, Tier::Translated { after: 20 }];
        let mut boards: Vec<Board> = tiers
            .iter()
            .map(|&tier| {
                let mut board = Board::open(&file).unwrap();
                board
                    .load(&Image::from_elf(&std::fs::read(image).unwrap(), image).unwrap())
                    .unwrap();
                board.set_tier(tier);
                board.reset(None);
                board
            })
            .collect();
        let (mut slices, look) =
            ([61, 997, 60_000, 13].into_iter().cycle(), |board: &mut Board| {
                let state = board.core_as::<Avr>().unwrap().state();
                (state, board.cycle(), board.instructions())
            });
        let sram = |board: &mut Board| board.read_memory(DATA + 0x200, 0x2000).unwrap();
        alike((&mut boards, &tiers), 16_000_000, || slices.next().unwrap(), look, sram);
        let ran = boards[2].translations();
        println!(
            "{image}: {} instructions, {} of them translated, {} stepped",
            boards[0].instructions(),
            ran.instructions,
            ran.stepped
        );
    }
}
