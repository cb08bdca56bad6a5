//! All tiers on the board file of the ATmega2560: timers, ports, a USART, the EEPROM, sleep and the watchdog, and
//! whoever watches, under random programs.

use std::path::Path;

use cyclescope_engine::board::{Board, Request, Stop};
use cyclescope_engine::cores::avr::{Avr, State, DATA};
use cyclescope_engine::instruments::recorder::{Reader, Recorder};
use cyclescope_engine::instruments::window::Window;

use crate::cases::Random;
use crate::programs::program;
use crate::tiers::TIERS;

type Boards = [Board; TIERS.len()];

/// Words of the program: its setup, its loop, and the handler of interrupts.
const SETUP: u32 = 0x100;
const HANDLER: u32 = 0x1000;
const DUMP: u32 = 0x3000;
const VECTORS: u32 = 56;
const END_CYCLES: u64 = 100_000;
const END_INSTRUCTIONS: u64 = 30_000;
/// A byte of the RAM that handlers count in. Programs change what lies above.
const COUNTER: u16 = 0x0210;

/// Data addresses of registers that a program reads and writes at random.
const REGISTERS: [u16; 30] = [
    0x23, 0x24, 0x25, 0x2B, // PINB, DDRB, PORTB, PORTD
    0x35, 0x36, 0x37, 0x43, // TIFR0 to TIFR2, GTCCR
    0x44, 0x45, 0x46, 0x47, // TCCR0A, TCCR0B, TCNT0, OCR0A
    0x80, 0x81, 0x84, 0x85, 0x88, 0x89, // TCCR1A, TCCR1B, TCNT1, OCR1A
    0xB0, 0xB1, 0xB2, 0xB3, // TCCR2A, TCCR2B, TCNT2, OCR2A
    0xC0, 0xC6, // UCSR0A, UDR0
    0x40, 0x41, // EEDR, EEARL
    0x3E, 0x4A, 0x64, 0x61, // GPIOR0, GPIOR1, PRR0, CLKPR
];

fn ldi(register: u16, value: u8) -> u16 {
    0xE000 | u16::from(value & 0xF0) << 4 | (register - 16) << 4 | u16::from(value & 0xF)
}

/// `ldi r16, value` and `sts address, r16`.
fn write(address: u16, value: u8) -> Vec<u16> {
    vec![ldi(16, value), 0x9300, address]
}

/// Something that reaches a device, or the conditions for interrupts.
fn deed(random: &mut Random) -> Vec<u16> {
    let value = random.byte();
    let bit = random.below(8) as u16;
    let register = random.pick(&REGISTERS);
    match random.below(16) {
        0..=2 => write(register, value),
        3 | 4 => vec![0x9100, register],
        // SBI PINB, SBI and CBI PORTB, SBIS PINB over LDS, IN TCNT0, OUT PORTB.
        5 => vec![0x9A18 | bit],
        6 => vec![0x9A28 | bit, 0x9828 | bit],
        7 => vec![0x9B18 | bit, 0x9100, 0x0300],
        8 => vec![0xB506, 0xB905],
        // The EEPROM: a byte is programmed, and read.
        9 => [write(0x41, value & 7), write(0x40, value), vec![0x9AFA, 0x9AF9]].concat(),
        10 => [write(0x41, value & 7), vec![0x9AF8, 0xB500]].concat(),
        // SLEEP, WDR, SEI, CLI, and the watchdog's timed sequence: interrupts after 16 ms, or none.
        11 => vec![0x9588],
        12 => vec![0x95A8, 0x9478],
        13 => vec![0x94F8, 0x0000, 0x9478],
        14 => vec![ldi(16, 0x18), ldi(17, value & 0x40), 0x9300, 0x60, 0x9310, 0x60],
        // A push of the value, and a pop: through the stack.
        _ => vec![ldi(18, value), 0x932F, 0x910F],
    }
}

fn setup(random: &mut Random) -> Vec<u16> {
    let once = |random: &mut Random, choices: &[u8]| random.pick(choices);
    [
        write(0x24, 0xFF),
        write(0x44, once(random, &[0, 2, 0x42, 0x83])),
        write(0x45, once(random, &[1, 2, 3, 4])),
        write(0x47, 20 + random.byte() / 2),
        write(0x6E, once(random, &[0, 1, 2, 3])),
        write(0x81, once(random, &[1, 9, 10, 0x1A])),
        write(0x80, once(random, &[0, 0x43, 0x82])),
        write(0x89, random.below(8) as u8),
        write(0x88, random.byte()),
        write(0x6F, once(random, &[0, 1, 2, 7])),
        write(0xB1, once(random, &[0, 1, 4])),
        write(0x70, once(random, &[0, 1, 2])),
        // 2 Mbit/s to 9,600 bit/s; receiver, transmitter and their interrupts.
        write(0xC4, once(random, &[0, 5, 103])),
        write(0xC1, once(random, &[0x18, 0x98, 0xD8])),
        // Idle, power-save, or no sleep.
        write(0x53, once(random, &[0, 1, 1, 7])),
    ]
    .concat()
}

/// Programs on all boards: what interrupts do, and a loop without an end.
fn load(boards: &mut Boards, random: &mut Random) {
    let first = [setup(random), vec![0x9478]].concat();
    // The stack, and the pointers in the middle of the RAM.
    let mut again = vec![ldi(16, 0xFF), 0xBF0D, ldi(16, 0x20), 0xBF0E];
    again.extend([ldi(27, 0x08), ldi(29, 0x0C), ldi(31, 0x10)]);
    for _ in 0..3 {
        (0..12).for_each(|_| again.extend(deed(random)));
        again.extend(program(random));
        // Branches lead so far.
        again.extend([0; 14]);
    }
    let beginning = SETUP + first.len() as u32;
    again.extend([0x940C, beginning as u16]);
    for vector in 1..=VECTORS {
        let handler = HANDLER + 0x20 * vector;
        // It keeps r16 and SREG, toggles a pin, counts, and sometimes writes a register.
        let mut words = vec![0x930F, 0xB70F, 0x930F, 0x9A18 | vector as u16 & 7];
        words.extend([0x9100, COUNTER, 0x9503, 0x9300, COUNTER]);
        if random.below(4) == 0 {
            words.extend([0x9300, random.pick(&[0x47, 0x88, 0x25])]);
        }
        // A received character is read, so the request of the USART ends.
        words.extend([0x9100, 0xC6]);
        words.extend([0x910F, 0xBF0F, 0x910F, 0x9518]);
        put(boards, 2 * vector, &[0x940C, handler as u16]);
        put(boards, handler, &words);
    }
    put(boards, 0, &[0x940C, SETUP as u16]);
    put(boards, SETUP, &[first, again].concat());
}

fn put(boards: &mut Boards, word: u32, opcodes: &[u16]) {
    let bytes: Vec<u8> = opcodes.iter().flat_map(|one| one.to_le_bytes()).collect();
    boards.iter_mut().for_each(|board| board.load_bytes(2 * word, &bytes).unwrap());
}

/// The state of a board at a boundary.
fn look(board: &mut Board) -> (State, u64, u64, u64) {
    let state = board.core_as::<Avr>().unwrap().state();
    (state, board.cycle(), board.instructions(), board.skipped_cycles())
}

/// All that a board holds and that instruments have seen.
fn everything(board: &mut Board, reader: &Reader) -> String {
    let ram = board.read_memory(DATA + 0x200, 0x2000).unwrap();
    let eeprom = board.read_memory(0x81_0000, 0x1000).unwrap();
    let outputs: Vec<String> = board.signals().0.into_iter().map(str::to_owned).collect();
    let levels: Vec<u32> = outputs.iter().map(|output| board.level(output).unwrap()).collect();
    format!(
        "{ram:?} {eeprom:?} {levels:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        reader.take(),
        board.receive("usart0.txd").unwrap(),
        board.take_executed(),
        board.take_accessed(),
        board.take_off_intervals(),
        board.take_profiles(),
        board.unmodelled(),
        board.unverified(),
    )
}

/// Has the core read the registers of devices into the RAM.
fn dump(boards: &mut Boards) {
    let reads = REGISTERS.iter().zip(0x0300..);
    let reads = reads.flat_map(|(&register, at)| [0x9100, register, 0x9300, at]);
    // CLI at the beginning, and `rjmp .-2` at the end.
    let words: Vec<u16> = [0x94F8].into_iter().chain(reads).chain([0xCFFF]).collect();
    put(boards, DUMP, &words);
    for board in boards {
        let core = board.core_as_mut::<Avr>().unwrap();
        core.set_state(&State { pc: DUMP, ..core.state() });
        let until = board.cycle() + 8 * REGISTERS.len() as u64;
        board.run(&Request { cycles: Some(until), ..Request::default() }).unwrap();
    }
}

/// Lets instruments watch all boards alike.
fn watch(board: &mut Board, random: &mut Random) -> Reader {
    let mut entry = || 2 * (SETUP + 50 + random.below(300));
    let window = Window { start: entry(), entry: entry(), returned: entry() };
    let some = [entry(), entry()];
    match random.below(4) {
        0 => {}
        1 => board.watch(&some, &[DATA + 0x800]),
        2 => board.watch_off_intervals(),
        _ => board.profile(window),
    }
    let (recorder, reader) = Recorder::new(&board.signals().0);
    if random.below(3) > 0 {
        board.attach(Box::new(recorder));
    }
    reader
}

#[test]
fn programs_with_devices_run_alike_in_all_tiers() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../boards/atmega2560/board.toml");
    let mut boards = TIERS.map(|tier| {
        let mut board = Board::open(&file).unwrap();
        board.set_tier(tier);
        board
    });
    let (mut instructions, mut interrupts) = (0, 0);
    for round in 0..24u64 {
        let mut random = Random(0x2560_1280 + 77 * round);
        boards.iter_mut().for_each(Board::detach_all);
        boards.iter_mut().for_each(|board| board.reset(None));
        load(&mut boards, &mut random);
        boards.iter_mut().for_each(|board| board.reset(None));
        let seed = random.next().into();
        let readers = boards.each_mut().map(|board| watch(board, &mut Random(seed)));
        let (mut at, mut number) = (0, 0);
        while at < END_CYCLES && number < END_INSTRUCTIONS {
            let request = if round % 5 == 4 {
                number += 1 + u64::from(random.below(8));
                Request {
                    instructions: Some(number),
                    cycles: Some(END_CYCLES),
                    ..Request::default()
                }
            } else {
                at += match round % 5 {
                    0 => 61,
                    1 => 997,
                    2 => 60_000,
                    _ => 1 + u64::from(random.below(3_000)),
                };
                Request { cycles: Some(at), ..Request::default() }
            };
            let found: [(Stop, _); TIERS.len()] = boards.each_mut().map(|board| {
                let stop = board.run(&request).unwrap();
                (stop, look(board))
            });
            assert_eq!(found[1], found[0], "round {round}, cycle {at}, instruction {number}");
            assert_eq!(found[2], found[0], "translated, round {round}, cycle {at}, {number}");
            if found[0].0.cycle < at || found[0].0.cycle >= END_CYCLES {
                break;
            }
        }
        interrupts += u64::from(boards[0].read_memory(DATA + u32::from(COUNTER), 1).unwrap()[0]);
        dump(&mut boards);
        let found = [0, 1, 2].map(|which| everything(&mut boards[which], &readers[which]));
        assert!(found[0] == found[1], "round {round}: {} and {}", found[0], found[1]);
        assert!(found[0] == found[2], "translated, round {round}: {} and {}", found[0], found[2]);
        instructions += boards[0].instructions();
    }
    assert!(instructions > 500_000 && interrupts > 1_000, "{instructions}, {interrupts}");
}
