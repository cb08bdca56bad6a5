//! Decoded blocks against the plain core: the same core to the last bit at every look, the same memory, the same stops.

use cyclescope_engine::board::{Board, Request, Tier};
use cyclescope_engine::core::Core;
use cyclescope_engine::cores::armv7m::{Armv7m, State};
use cyclescope_engine::instruments::window::Window;

use crate::board::{RAM, RAM_BYTES};
use crate::cases::{Random, CODE};
use crate::generate::{case, Writer};

/// Two RAMs, one behind the other; the part's timer for ticks. `code_ram` answers in place of half a flash.
const BOARD: &str = r#"
name = "tiers"
connect = [{ from = "systick.interrupt", to = "core.systick" }]
[core]
kind = "armv7m"
interrupt_synchroniser_cycles = 0
parameters = { interrupts = 8, priority_bits = 4, revision = "r1p1" }
[[memory]]
name = "flash"
base = 0
size = 0x1_0000
kind = "rom"
cycles = 0
[[memory]]
name = "code_ram"
base = 0x1_0000
size = 0x1_0000
cycles = 0
[[memory]]
name = "ram"
base = 0x2000_0000
size = 0x6000
cycles = 0
[[memory]]
name = "more_ram"
base = 0x2000_6000
size = 0xA000
cycles = 0
[[bus]]
name = "private"
cycles = 0
[[device]]
name = "systick"
kind = "systick_armv7m"
maps = [{ base = 0xE000_E010, size = 0x10, bus = "private" }]
parameters = { reference_cycles = 8, calibration = 3000 }
"#;

/// The flash waits, as flash of sibling parts does.
fn waiting() -> String {
    BOARD.replacen("kind = \"rom\"\ncycles = 0", "kind = \"rom\"\ncycles = 0\nn_wait = 2", 1)
}

/// A DMA controller beside the core; the flash is on a bus of its own.
fn shared() -> String {
    BOARD.replacen("size = 0x1_0000", "size = 0x1_0000\nbus = \"flash\"", 1)
        + r#"
[[bus]]
name = "flash"
cycles = 0
overlaps = true
[[bus]]
name = "ahb"
cycles = 0
[[device]]
name = "dma1"
kind = "dma_stm32f1"
maps = [{ base = 0x4002_0000, size = 0x400, bus = "ahb" }]
"#
}

/// Registers of the first channel of that controller, and the value of its own that copies words from memory to memory:
/// MEM2MEM, words on both sides, both addresses go on, EN.
const CHANNEL: u32 = 0x4002_0008;
const COPIES: u32 = 0x4AC1;

const TIERS: [Tier; 2] = [Tier::Plain, Tier::Blocks];
/// Where a program begins, where handlers do, and where a fault leads.
const BEGIN: u32 = 0x200;
const HANDLER: u32 = 0x600;
const RETURN: u32 = 0x640;
const ON_FAULT: u32 = 0x680;
/// Two functions that return, by the link register and by the stack.
const LEAF: u32 = 0x700;
/// Where code begins that lies in a RAM.
const CODE_IN_RAM: [u32; 3] = [RAM + 0x5000, RAM + 0x9000, 0x1_0000];

fn bytes(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

fn write(random: &mut Random, put: impl FnOnce(&mut Writer)) -> Vec<u16> {
    let mut writer = Writer { random, code: Vec::new() };
    put(&mut writer);
    writer.code
}

/// Stores constants, by r0 and r1.
fn stores(writer: &mut Writer, words: &[(u32, u32)]) {
    for &(address, value) in words {
        writer.set(0, address);
        writer.set(1, value);
        writer.code.push(0x6001);
    }
}

/// B.W from behind `halves` half-words to their beginning.
fn back(halves: usize) -> [u16; 2] {
    let offset = -(2 * halves as i32 + 4);
    [0xF400 | (offset >> 12 & 0x3FF) as u16, 0xB800 | (offset >> 1 & 0x7FF) as u16]
}

/// Branches by the link register and by the stack, and conditional ones behind one another. It lies at `at`.
fn branches(writer: &mut Writer, at: u32) {
    let here = at + 2 * writer.code.len() as u32;
    let condition = |writer: &mut Writer| writer.random.below(14) as u16;
    match writer.random.below(8) {
        // The link register is loaded, and led elsewhere before.
        0 => {
            let target = here + 24;
            writer.set(14, target | 1);
            writer.code.push(0xB500);
            writer.set(14, (target ^ 2) | 1);
            writer.code.extend([0xF85D, 0xEB04, 0x4770]);
        }
        // BX LR in an IT block; both ways lead on behind it.
        1 => {
            writer.set(14, (here + 14) | 1);
            let it = 0xBF08 | condition(writer) << 4;
            writer.code.extend([0x4291, it, 0x4770]);
        }
        // A call of what lies before it.
        2 => writer.code.extend([0xE002, 0xB500, 0x3101, 0xBD00, 0xF7FF, 0xFFFB]),
        // Calls of what others call, too.
        3 => {
            let leaf = writer.random.pick(&[LEAF, LEAF + 4]);
            writer.set(3, leaf | 1);
            writer.code.extend([0x4798, 0x4798, 0xBF00, 0x4798, 0x3203, 0x4798]);
        }
        // MOVS r2, and a store that changes what it moves: that of before, or the next one.
        4 => {
            writer.code.push(0x2200);
            writer.set(0, here);
            writer.code.extend([0x7801, 0x3101, 0x7001]);
        }
        5 => {
            writer.set(0, here + 14);
            writer.code.extend([0x7801, 0x3101, 0x7001, 0x2200]);
        }
        // A loop of five MLA, each in an IT block of its own: every one is skipped in some rounds. r2 rotates by a bit.
        6 => {
            let bits = writer.random.below(u32::MAX);
            writer.set(2, bits);
            writer.code.push(0x271E);
            for _ in 0..5 {
                writer.code.extend([0x0052, 0xF142, 0x0200, 0xBF28, 0xFB03, 0x5304]);
            }
            writer.code.extend([0x3F01, 0xD1DF]);
        }
        _ => {
            for _ in 0..3 {
                let (first, second) = (condition(writer), condition(writer));
                writer.code.extend([0x4291, 0xD000 | first << 8, 0x3101]);
                writer.code.extend([0xD000 | second << 8, 0x3A03]);
            }
        }
    }
}

/// A loop of some instructions on low registers, which load and store by r6.
fn short_loop(writer: &mut Writer) {
    let base = RAM + 0x5F80 + 4 * writer.random.below(0x40);
    let base = if writer.random.below(6) == 0 { CODE + 0x40 } else { base };
    writer.set(6, base);
    let times = 1 + writer.random.below(30) as u16;
    writer.code.push(0x2700 | times);
    let begin = writer.code.len();
    for _ in 0..1 + writer.random.below(8) {
        let (d, m) = (writer.random.below(6) as u16, writer.random.below(6) as u16);
        let places = writer.random.below(32) as u16;
        let opcode = match writer.random.below(9) {
            0 => 0x1800 | m << 6 | d << 3 | m,
            1 => 0x4000 | places << 6 & 0x3C0 | m << 3 | d,
            2 => 0x6830 | places << 6 & 0x1C0 | d,
            3 => 0x6030 | places << 6 & 0x1C0 | d,
            4 => 0x7830 | places << 6 & 0x1C0 | d,
            5 => 0x7030 | places << 6 & 0x1C0 | d,
            6 => 0x3000 | d << 8 | places,
            7 => 0xB470 | d,
            _ => places << 6 | m << 3 | d,
        };
        writer.code.push(opcode);
        if opcode & 0xFF00 == 0xB400 {
            writer.code.push(0xBC00 | opcode & 0xFF);
        }
        if writer.random.below(6) == 0 {
            // CMP, and an IT block of one or two.
            writer
                .code
                .extend([0x4280 | m << 3 | d, 0xBF0C | (writer.random.below(14) as u16) << 4]);
            writer.code.extend([0x3001 | d << 8, 0x6830 | m]);
        }
    }
    writer.code.push(0x3F01);
    let distance = writer.code.len() - begin + 2;
    writer.code.push(0xD100 | (0x100 - distance as u16) & 0xFF);
}

/// A loop over random code. `at` is where it lies.
fn body(random: &mut Random, at: u32) -> Vec<u16> {
    // Branches by register lead to where the code of cases is.
    let mut code = case(random).code;
    let behind = at + 2 * code.len() as u32;
    let mut more = write(random, |writer| {
        for _ in 0..1 + writer.random.below(8) {
            match writer.random.below(11) {
                // CYCCNT, the timer's count, and the counters of the debug unit.
                0 => {
                    let own = [0xE000_1004, 0xE000_E018, 0xE000_1008, 0xE000_1014, 0xE000_1018];
                    let place = writer.random.pick(&own);
                    writer.set(0, place);
                    writer.code.push(0x6801);
                }
                // Code that is read and written.
                1 => {
                    let place = at + 4 * writer.random.below(200);
                    writer.set(0, place);
                    let distance = if writer.random.below(4) == 0 { 0x40 } else { 0 };
                    writer.code.extend([0x6801, 0x6001 | distance]);
                }
                2 => writer.code.extend([0xB672, 0xB662]),
                // CLZ, a barrier, and a call that returns at once.
                3 => writer.code.extend([0xFAB1, 0xF181, 0xF3BF, 0x8F4F]),
                4..7 => branches(writer, behind),
                _ => short_loop(writer),
            }
        }
        writer.set(0, RAM + 0x8000);
        writer.code.push(0x4685);
    });
    code.append(&mut more);
    let back = back(code.len());
    code.extend(back);
    code
}

/// A board with a program.
fn load(board: &mut Board, tier: Tier, seed: u64) {
    let mut random = Random(seed | 1);
    let random = &mut random;
    board.set_tier(tier);
    board.detach_all();
    let has_controller = board.description().device.iter().any(|device| device.name == "dma1");
    let in_ram = random.below(3) == 0;
    let at = if in_ram { random.pick(&CODE_IN_RAM) } else { CODE };
    let mut vectors = vec![ON_FAULT | 1; 24];
    (vectors[0], vectors[1]) = (RAM + 0x8000, BEGIN | 1);
    vectors[14..20]
        .copy_from_slice(&[RETURN, HANDLER, HANDLER, RETURN, HANDLER, RETURN].map(|to| to | 1));
    let begin = write(random, |writer| {
        let events = if writer.random.below(4) == 0 { 0 } else { 0x3F << 16 };
        let reload = 50 + writer.random.below(3000);
        let priorities = writer.random.next();
        let timer = 7 * writer.random.below(2);
        stores(
            writer,
            &[
                (0xE000_EDFC, 1 << 24),
                (0xE000_1000, events | 1),
                (0xE000_E100, 0xF),
                (0xE000_E400, priorities),
                (0xE000_E014, reload),
                (0xE000_E010, timer),
            ],
        );
        if has_controller {
            let from = writer.random.pick(&[CODE, RAM + 0x100, 0x1_0000]);
            let count = 1 + writer.random.below(0x1000);
            let copy = [(12, RAM + 0xC000), (8, from), (4, count), (0, COPIES)];
            stores(writer, &copy.map(|(register, value)| (CHANNEL + register, value)));
        }
        writer.set(0, at | 1);
        writer.code.push(0x4700);
    });
    let handler = write(random, |writer| {
        writer.code.push(0xB510);
        writer.set(4, RAM + 0x100);
        writer.code.extend([0x6820, 0x3001, 0x6020, 0x4340, 0xBD10]);
    });
    let on_fault = write(random, |writer| {
        writer.set(0, at);
        writer.set(1, 1 << 24);
        writer.code.extend([0x9006, 0x9107, 0x4770]);
    });
    let code = body(random, at);
    let words =
        |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let pattern: Vec<u8> = (0..RAM_BYTES).map(|n| (37 * n) as u8).collect();
    let parts = [
        (0, words(&vectors)),
        (BEGIN, bytes(&begin)),
        (HANDLER, bytes(&handler)),
        (RETURN, bytes(&[0x4770])),
        (ON_FAULT, bytes(&on_fault)),
        (LEAF, bytes(&[0x3101, 0x4770, 0xB500, 0x3103, 0xBD00])),
        (CODE, bytes(&code)),
    ];
    board.write_memory(RAM, &pattern).unwrap();
    for (place, part) in parts {
        board.load_bytes(place, &part).unwrap();
    }
    board.reset(None);
    board.write_memory(RAM, &pattern).unwrap();
    if in_ram {
        board.write_memory(at, &bytes(&code)).unwrap();
    }
    for n in 0..4 {
        let line = format!("core.irq{n}");
        let mut when = 500 + u64::from(random.below(3000));
        while when < END {
            board.drive(&line, 1, Some(when)).unwrap();
            board.drive(&line, 0, Some(when + 1 + u64::from(random.below(30)))).unwrap();
            when += 30 + u64::from(random.below(8000));
        }
    }
    let mut entry = || CODE + 2 * random.below(200);
    let window = Window { start: entry(), entry: entry(), returned: entry() };
    match random.below(8) {
        0 => board.watch(&[CODE, CODE + 0x20, HANDLER], &[RAM + 0x100]),
        1 => board.watch(&[CODE, CODE + 0x40], &[]),
        2 => board.profile(window),
        _ => {}
    }
}

/// Cycles of a program.
const END: u64 = 40_000;

fn core(board: &Board) -> &Armv7m {
    board.core_as().unwrap()
}

fn records(board: &mut Board) -> String {
    format!("{:?} {:?} {:?}", board.take_executed(), board.take_accessed(), board.take_profiles())
}

fn pair(file: &str) -> [Board; 2] {
    [(); 2].map(|()| Board::from_text(file, "tiers.toml").unwrap())
}

/// Runs a program on both boards. Returns instructions, and whether it ran to the end.
fn alike(boards: &mut [Board; 2], seed: u64) -> (u64, bool) {
    for (board, tier) in boards.iter_mut().zip(TIERS) {
        load(board, tier, seed);
    }
    let mut random = Random(seed.wrapping_mul(77) | 1);
    loop {
        let [plain, blocks] = boards;
        let slice = match seed % 4 {
            0 => 61,
            1 => 997,
            2 => 60_000,
            _ => 1 + u64::from(random.below(3_000)),
        };
        let by_instructions = random.below(9) == 0;
        let request = Request {
            cycles: Some(plain.cycle() + slice),
            instructions: by_instructions.then(|| plain.instructions() + slice / 2 + 1),
            ..Request::default()
        };
        let [expected, stop] =
            [&mut *plain, &mut *blocks].map(|board| board.run(&request).unwrap());
        assert_eq!(stop, expected, "program {seed}");
        let at = format!("program {seed}, cycle {}", stop.cycle);
        assert_eq!(core(blocks).state(), core(plain).state(), "{at}");
        assert!(core(blocks).equals(core(plain)), "{at}: pipeline or counters");
        let ends = stop.cycle >= END || !matches!(stop.reason.name(), "cycles" | "instructions");
        if ends {
            assert_eq!(records(blocks), records(plain), "{at}");
            for place in [RAM, 0x1_0000] {
                let memory =
                    |board: &mut Board| board.read_memory(place, RAM_BYTES as usize).unwrap();
                assert!(memory(blocks) == memory(plain), "{at}: memory");
            }
            return (plain.instructions(), stop.cycle >= END);
        }
    }
}

fn programs(file: &str, first: u64, count: u64) -> (u64, u64) {
    let mut boards = pair(file);
    let (mut whole, mut instructions) = (0, 0);
    for seed in first..first + count {
        let (executed, ran) = alike(&mut boards, seed);
        whole += u64::from(ran);
        instructions += executed;
    }
    (whole, instructions)
}

#[test]
fn random_programs_run_alike_in_both_tiers() {
    let (whole, instructions) = programs(BOARD, 1, 150);
    assert!(whole > 75 && instructions > 150 * 5_000, "{whole} whole, {instructions} instructions");
}

#[test]
fn they_do_where_flash_waits_and_where_a_controller_takes_memories() {
    for file in [waiting(), shared()] {
        let (whole, instructions) = programs(&file, 1_000, 40);
        assert!(whole > 20 && instructions > 40 * 3_000, "{whole} whole, {instructions}");
    }
}

/// Random bytes, with registers that lead to memory, to the core's own registers, or nowhere.
fn any_bytes(boards: &mut [Board; 2], seed: u64) -> u64 {
    for (board, tier) in boards.iter_mut().zip(TIERS) {
        let mut random = Random(seed | 1);
        let mut flash: Vec<u8> = (0..0x1000).map(|_| random.next() as u8).collect();
        for vector in flash[..0x200].chunks_exact_mut(4) {
            vector.copy_from_slice(&((0x200 + random.below(0xE00)) | 1).to_le_bytes());
        }
        for half in flash[0x200..].chunks_exact_mut(2).filter(|_| random.below(4) > 0) {
            half[1] = (u32::from(half[1]) % 0xE8) as u8;
        }
        board.set_tier(tier);
        board.detach_all();
        board.load_bytes(0, &flash).unwrap();
        board.reset(None);
        let near = |random: &mut Random| RAM + 0x4000 + random.below(0x8000);
        let mut state = State {
            r: std::array::from_fn(|_| random.word()),
            msp: near(&mut random),
            psp: near(&mut random),
            lr: [random.next(), 0xFFFF_FFF1, 0xFFFF_FFF9, 0x201][seed as usize % 4],
            pc: 0x200 + 2 * random.below(0x700),
            xpsr: random.next() & 0xF800_0000 | 1 << 24,
            ..State::default()
        };
        for register in 0..8 {
            state.r[register] = near(&mut random) & !3;
        }
        board.core_as_mut::<Armv7m>().unwrap().set_state(&state);
        for n in 0..4u64 {
            board.drive(&format!("core.irq{n}"), 1, Some(20 * n + 30)).unwrap();
        }
    }
    loop {
        let [plain, blocks] = &mut *boards;
        let cycles = Some(plain.cycle() + 1 + seed % 300);
        let request = Request { cycles, ..Request::default() };
        let [expected, stop] =
            [&mut *plain, &mut *blocks].map(|board| board.run(&request).unwrap());
        assert_eq!(stop, expected, "bytes {seed}");
        assert!(core(blocks).equals(core(plain)), "bytes {seed}, cycle {}", stop.cycle);
        if stop.reason.name() != "cycles" || stop.cycle > 6_000 {
            return plain.instructions();
        }
    }
}

#[test]
fn any_bytes_run_alike_in_both_tiers() {
    let mut boards = pair(BOARD);
    let instructions: u64 = (1..1_000).map(|seed| any_bytes(&mut boards, seed)).sum();
    assert!(instructions > 50_000, "{instructions} instructions");
}

/// The pipeline fetches behind the last block of a memory: there nothing is, or another memory.
#[test]
fn code_at_the_end_of_a_memory_runs_alike() {
    // adds r0, #1; nop; nop; b back to the first: 8 bytes.
    const LOOP: [u8; 8] = [0x01, 0x30, 0x00, 0xBF, 0x00, 0xBF, 0xFB, 0xE7];
    for end in [0x2_0000, RAM + 0x6000] {
        let mut boards = pair(BOARD);
        for (board, tier) in boards.iter_mut().zip(TIERS) {
            board.set_tier(tier);
        }
        let ended = boards.each_mut().map(|board| {
            board.load_bytes(0, &[0; 0x200]).unwrap();
            board.load_bytes(end - 8, &LOOP).unwrap();
            board.reset(None);
            let state = State { pc: end - 8, msp: RAM + 0x100, xpsr: 1 << 24, ..State::default() };
            board.core_as_mut::<Armv7m>().unwrap().set_state(&state);
            let request = Request { cycles: Some(board.cycle() + 5_000), ..Request::default() };
            board.run(&request).unwrap();
            (board.cycle(), board.instructions(), core(board).state().r[0])
        });
        assert_eq!(ended[1], ended[0], "before {end:#x}");
        assert!(ended[0].2 > 500, "the loop ran");
    }
}

/// A number from the environment.
fn given(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect(name))
}

/// `CYCLESCOPE_TIERS_PROGRAMS` programs of each kind, from the seed `CYCLESCOPE_TIERS_SEED` on.
#[test]
#[ignore = "long: make tiers"]
fn many_random_programs_run_alike() {
    let count = given("CYCLESCOPE_TIERS_PROGRAMS", 5_000);
    let first = given("CYCLESCOPE_TIERS_SEED", 1).wrapping_mul(1_000_003);
    for file in [BOARD.to_owned(), waiting(), shared()] {
        let (whole, instructions) = programs(&file, first, count);
        println!("{count} programs, {whole} ran to the end, {instructions} instructions");
    }
    let mut boards = pair(BOARD);
    let instructions: u64 = (first..first + count).map(|one| any_bytes(&mut boards, one)).sum();
    println!("{count} times random bytes, {instructions} instructions");
}
