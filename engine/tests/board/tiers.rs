//! Decoded blocks and translated code against the plain core: the same registers at every look, the same memory, the same
//! records of whoever watches.

#[cfg(guided)]
mod guided;

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::instruments::window::Window;

use crate::alike::{self, given};
use crate::any_program::{load, Layout, Random, AT91X40, CONSOLE, LPC2148, RAM_SIZE};
use crate::loops;
use crate::programs::{at91x40, console, lpc2148, run_cycles, waiting, words, ArmBoard};

/// The plain core, and what must equal it. Blocks are translated at once, where that is asked for.
const TIERS: [Tier; 3] = [Tier::Plain, Tier::Blocks, Tier::Translated { after: 2 }];

/// One board for each tier.
type Boards = [Board; TIERS.len()];

/// A board whose memories have states that all tiers must keep alike.
#[derive(Clone, Copy)]
struct Part {
    open: fn() -> Board,
    layout: &'static Layout,
    /// Sets its memories at random, now or later.
    set: fn(&mut Board, &mut Random, Option<u64>),
    /// Much of its code becomes code of the host.
    translates: bool,
}

const PARTS: [Part; 4] = [
    Part { open: lpc2148, layout: &LPC2148, set: set_flash, translates: true },
    Part { open: waiting, layout: &LPC2148, set: set_waits, translates: true },
    Part { open: at91x40, layout: &AT91X40, set: set_external_bus, translates: false },
    Part { open: console, layout: &CONSOLE, set: set_cartridge, translates: false },
];

fn set_flash(board: &mut Board, random: &mut Random, at: Option<u64>) {
    let mam = random.below(3) | random.below(8) << 8;
    board.drive("memory.flash.mam", mam, at).unwrap();
}

/// Wait states: those of N more than those of S as a rule.
fn set_waits(board: &mut Board, random: &mut Random, at: Option<u64>) {
    let (more, sequential) = (random.below(4), random.below(4));
    let other = if random.below(8) == 0 { random.below(4) } else { sequential + more };
    board.drive("memory.flash.n_wait", other, at).unwrap();
    board.drive("memory.flash.s_wait", sequential, at).unwrap();
}

/// Wait states and data float time of both memories, and early read. The RAM answers where it is linked.
fn set_external_bus(board: &mut Board, random: &mut Random, at: Option<u64>) {
    let control = random.below(2) << 4;
    for memory in ["rom", "ram"] {
        let float_cycles = if random.below(2) == 0 { 0 } else { random.below(8) };
        let select = random.below(2) << 5 | random.below(4) << 2 | float_cycles << 9;
        board.drive(&format!("memory.{memory}.select"), select, at).unwrap();
        board.drive(&format!("memory.{memory}.control"), control, at).unwrap();
    }
    board.drive("memory.ram.place", AT91X40.ram | 4, at).unwrap();
}

/// Wait states, and whether the unit reads ahead.
fn set_cartridge(board: &mut Board, random: &mut Random, at: Option<u64>) {
    let waitcnt = random.below(8) << 2 | random.below(2) << 14;
    board.drive("memory.rom.waitcnt", waitcnt, at).unwrap();
}

/// Loads a program.
type Load = fn(&mut Board, &'static Layout, &mut Random);

/// Code without an order, or loops.
const PROGRAMS: [Load; 2] = [|board, _, random| load(board, random), loops::load];

/// Sets up a board at random: other events while the program runs, and observers.
fn prepare(board: &mut Board, tier: Tier, part: Part, program: Load, random: &mut Random) {
    board.set_tier(tier);
    program(board, part.layout, random);
    board.detach_all();
    start(board, part, random);
}

/// Resets a board and sets up the rest.
fn start(board: &mut Board, part: Part, random: &mut Random) {
    board.reset(None);
    (part.set)(board, random, None);
    (part.set)(board, random, Some(30_000));
    for line in ["core.irq", "core.fiq"] {
        let mut at = u64::from(random.below(3_000)) + 100;
        while at < 80_000 {
            board.drive(line, 1, Some(at)).unwrap();
            board.drive(line, 0, Some(at + 1 + u64::from(random.below(12)))).unwrap();
            at += 20 + u64::from(random.below(9_000));
        }
    }
    watch(board, part.layout, random);
}

fn prepare_all(boards: &mut Boards, part: Part, program: Load, seed: u64) {
    for (board, tier) in boards.iter_mut().zip(TIERS) {
        prepare(board, tier, part, program, &mut Random::new(part.layout, seed));
    }
}

fn watch(board: &mut Board, layout: &Layout, random: &mut Random) {
    let window = Window { start: random.entry(), entry: random.entry(), returned: random.entry() };
    match random.below(5) {
        0 => {}
        1 => board.watch(&[random.entry(), random.entry(), 0x18], &[layout.ram + 0x4400]),
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

/// Runs all boards alike until a cycle, and compares them after each slice. Returns whether they ran to the end.
fn alike(boards: &mut Boards, ram: u32, end: u64, slice: impl FnMut() -> u64) -> bool {
    let state = |board: &mut Board| board.arm().state();
    let at_end = |board: &mut Board| (records(board), board.read_memory(ram, RAM_SIZE).unwrap());
    alike::alike((boards, &TIERS), end, slice, state, at_end)
}

fn open(part: Part) -> Boards {
    TIERS.map(|_| (part.open)())
}

/// Runs programs alike; returns how many ran to the end, the instructions of all, and how many of them ran translated.
fn random_programs(part: Part, load: Load, seed: u64, programs: u64) -> (u32, u64, u64) {
    let mut boards = open(part);
    let (mut whole, mut instructions) = (0, 0);
    for program in 0..programs {
        prepare_all(&mut boards, part, load, seed.wrapping_add(program).max(1));
        let mut random = Random::new(part.layout, 77 + program);
        whole += u32::from(alike(&mut boards, part.layout.ram, 90_000, || match program % 4 {
            0 => 61,
            1 => 997,
            2 => 60_000,
            _ => 1 + u64::from(random.below(3_000)),
        }));
        instructions += boards[0].instructions();
    }
    let translates = cfg!(all(feature = "translate", target_arch = "x86_64"));
    let [.., translated] = &boards;
    let ran = translated.translations().instructions;
    assert!(!translates || !part.translates || ran >= instructions / 100, "{ran}");
    (whole, instructions, ran)
}

#[test]
fn random_programs_run_alike_in_all_tiers() {
    for part in PARTS {
        for (load, programs) in PROGRAMS.into_iter().zip([120, 40]) {
            let (whole, instructions, _) = random_programs(part, load, 0x9E37_79B9, programs);
            let enough = u64::from(whole) > programs / 2 && instructions > 10_000 * programs;
            assert!(enough, "{whole} of {programs} programs, {instructions} instructions");
        }
    }
}

#[test]
fn a_run_ends_at_the_same_instruction_in_all_tiers() {
    for part in PARTS {
        let mut boards = open(part);
        for program in 0..20 {
            prepare_all(&mut boards, part, PROGRAMS[program as usize % 2], 5_000 + program);
            let mut random = Random::new(part.layout, 99 + program);
            for _ in 0..200 {
                let instructions = boards[0].instructions() + 1 + u64::from(random.below(40));
                let pcs = vec![random.entry(), random.entry()];
                let cycles = Some(boards[0].cycle() + 500);
                let request =
                    Request { instructions: Some(instructions), cycles, pcs, ..Request::default() };
                let [expected, stops @ ..] =
                    boards.each_mut().map(|board| board.run(&request).unwrap());
                assert_eq!(stops, [expected.clone(), expected]);
                for other in 1..TIERS.len() {
                    assert_eq!(boards[other].arm().state(), boards[0].arm().state());
                }
            }
        }
    }
}

#[test]
fn who_watches_may_change_between_runs() {
    for part in PARTS {
        let mut boards = open(part);
        for program in 0..40 {
            prepare_all(&mut boards, part, PROGRAMS[program as usize % 2], 9_000 + program);
            for round in 0..30 {
                let next = boards[0].cycle() + 700;
                let [expected, stops @ ..] =
                    boards.each_mut().map(|board| board.run(&run_cycles(next)).unwrap());
                assert_eq!(stops, [expected.clone(), expected]);
                let [plain, others @ ..] = &mut boards;
                let records_then = records(plain);
                for other in others {
                    assert_eq!(other.arm().state(), plain.arm().state());
                    assert_eq!(records(other), records_then);
                }
                for board in &mut boards {
                    board.detach_all();
                    let seed = 100 * program + round / 2 + 1;
                    watch(board, part.layout, &mut Random::new(part.layout, seed));
                }
            }
        }
    }
}

/// Code outlives a reset where its bytes are loaded again; it was rewritten in between, by the program or by hand.
#[test]
fn programs_run_alike_behind_a_reset() {
    for part in PARTS {
        let mut boards = open(part);
        for program in 0..25 {
            prepare_all(&mut boards, part, PROGRAMS[program as usize % 2], 13_000 + program);
            for again in 0..4 {
                alike(&mut boards, part.layout.ram, 8_000, || 997);
                let mut random = Random::new(part.layout, 31 * program + again + 1);
                let (place, value) = (random.below(0x400) & !3, random.below(u32::MAX));
                for board in &mut boards {
                    if again == 1 {
                        board.write_memory(part.layout.ram + place, &value.to_le_bytes()).unwrap();
                        continue;
                    }
                    board.detach_all();
                    let seed = 17 * program + again / 2 + 1;
                    start(board, part, &mut Random::new(part.layout, seed));
                }
            }
        }
    }
}

#[test]
fn a_reset_keeps_translated_code() {
    // mov sp, #0x40000000; add sp, sp, #0x100; then subs r0, r0, #1; str r1, [sp]; add r1, r1, #1; bne; mov r0, #0x1000; b
    let program = [
        0xE3A0_D101,
        0xE28D_DC01,
        0xE250_0001,
        0xE58D_1000,
        0xE281_1001,
        0x1AFF_FFFB,
        0xE3A0_0A01,
        0xEAFF_FFF9,
    ];
    let mut board = lpc2148();
    board.set_tier(Tier::Translated { after: 100 });
    board.load_bytes(LPC2148.ram, &words(&program)).unwrap();
    let mut run = || {
        board.reset(Some(LPC2148.ram));
        board.drive("memory.flash.mam", 0x402, None).unwrap();
        board.run(&run_cycles(1_000_000)).unwrap();
        board.translations()
    };
    let (first, second) = (run(), run());
    let translates = cfg!(all(feature = "translate", target_arch = "x86_64"));
    assert_eq!(first.functions > 0, translates);
    assert_eq!(second.functions, first.functions);
    assert_eq!(second.instructions > first.instructions, translates);
}

/// Code that a reset takes away is no code: what was decoded from it is void.
#[test]
fn code_that_is_gone_behind_a_reset_runs_no_more() {
    // Two words for the pipeline, then add r0, r0, #1; b
    let program = [0, 0, 0xE280_0001, 0xEAFF_FFFD];
    let place = LPC2148.ram + 0x100;
    let [plain, blocks, translated] = TIERS.map(|tier| {
        let mut board = lpc2148();
        board.set_tier(tier);
        board.reset(Some(place));
        board.write_memory(place, &words(&program)).unwrap();
        board.run(&run_cycles(10_000)).unwrap();
        assert!(board.arm().state().user[0] > 1_000);
        board.reset(Some(place));
        board.run(&run_cycles(1_000)).unwrap();
        board.arm().state()
    });
    assert_eq!(plain.user[0], 0);
    assert_eq!([&blocks, &translated], [&plain, &plain]);
}

/// A list is stored over words that are no code, and one that is.
#[test]
fn the_last_word_of_a_list_may_change_code() {
    let program = [
        0xE28F_DC02, // add sp, pc, #0x200: the memory behind is the one that translated code accesses
        0xE3A0_6B01, // mov r6, #0x400
        0xE28F_1C01, // add r1, pc, #0x100
        0xE59F_4030, // ldr r4, the last word
        0xE28F_7008, // add r7, pc, #8: two words before the loop
        0xEA00_0003, // b to the loop
        0,
        0,
        0,
        0,
        0xE285_5001, // the loop: add r5, r5, #1
        0xE356_0C02, // cmp r6, #0x200
        0x01A0_1007, // moveq r1, r7
        0xE881_001C, // stmia r1, {r2, r3, r4}
        0xE256_6001, // subs r6, r6, #1
        0x1AFF_FFF9, // bne to the loop
        0xEAFF_FFFE, // b
        0xE285_5002, // add r5, r5, #2
    ];
    for tier in TIERS {
        let mut board = lpc2148();
        board.set_tier(tier);
        board.load_bytes(LPC2148.ram, &words(&program)).unwrap();
        board.reset(Some(LPC2148.ram));
        board.run(&run_cycles(100_000)).unwrap();
        let translates = cfg!(all(feature = "translate", target_arch = "x86_64"));
        let translated = board.translations().instructions;
        assert_eq!(translated > 0, translates && tier == TIERS[2], "{tier:?}");
        // 0x201 rounds before the store, and 0x1FF behind it.
        assert_eq!(board.arm().state().user[5], 0x201 + 2 * 0x1FF, "{tier:?}");
    }
}

/// Data beside code, in the same 64 bytes, are written all the time: the code runs in blocks.
#[test]
fn stores_beside_code_leave_it_decoded() {
    // add r1, pc, #20; str r0, [r1]; stmia r1, {r0, r2, r3}; add r0, r0, #1; b; then two words, then data
    let program = [0xE28F_1014, 0xE581_0000, 0xE881_000D, 0xE280_0001, 0xEAFF_FFFA, 0, 0, 0, 0, 0];
    let mut board = lpc2148();
    board.load_bytes(LPC2148.ram, &words(&program)).unwrap();
    board.reset(Some(LPC2148.ram));
    board.run(&run_cycles(100_000)).unwrap();
    let (stepped, all) = (board.translations().stepped, board.instructions());
    assert!(stepped < all / 10, "{stepped} of {all} instructions stepped");
}

/// A store whose condition fails is the last before an instruction that no block has: the fetch behind it is S.
#[test]
fn the_fetch_behind_an_instruction_left_out_is_alike() {
    // mov r0, #1; tst r0, #0; strne r1, [r0]; mrs r2, cpsr; b
    let program = [0xE3A0_0001, 0xE310_0000, 0x1580_1000, 0xE10F_2000, 0xEAFF_FFFA];
    let [plain, blocks, translated] = TIERS.map(|tier| {
        let mut board = lpc2148();
        board.set_tier(tier);
        board.load_bytes(LPC2148.ram, &words(&program)).unwrap();
        board.reset(Some(LPC2148.ram));
        let request =
            Request { instructions: Some(503), cycles: Some(1_000_000), ..Request::default() };
        let stop = board.run(&request).unwrap();
        (stop, board.arm().state())
    });
    assert_eq!([&blocks, &translated], [&plain, &plain]);
}

/// `CYCLESCOPE_TIERS_PROGRAMS` programs for each part, from the seed `CYCLESCOPE_TIERS_SEED` on.
#[test]
#[ignore = "long: make tiers"]
fn many_random_programs_run_alike() {
    let (programs, seed) =
        (given("CYCLESCOPE_TIERS_PROGRAMS", 5_000), given("CYCLESCOPE_TIERS_SEED", 1));
    let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for part in PARTS {
        for load in PROGRAMS {
            let (whole, instructions, ran) = random_programs(part, load, seed, programs);
            println!(
                "{programs} programs, {whole} ran to the end, {instructions} instructions, {ran} of them translated, {} states compared",
                alike::compared()
            );
        }
    }
}
