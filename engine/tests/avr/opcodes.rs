//! Every opcode in random states, in the engine and in simavr.

use cyclescope_engine::board::{Request, Tier};
use cyclescope_engine::cores::avr::{operation, Operation as O, Reach, State};

use crate::cases::*;

/// Random states for each opcode.
const STATES: u32 = 2;
/// Space around pointers for displacements, in the RAM.
const AROUND: u16 = 0x80;

/// Whether a case of this opcode reaches nothing that simavr has a device for, and is defined.
fn is_comparable(opcode: u16) -> bool {
    let io = opcode >> 5 & 0x30 | opcode & 0xF;
    let low_io = opcode >> 3 & 31;
    match operation(opcode) {
        O::Undefined | O::Spm | O::Sleep | O::Wdr | O::Break => false,
        O::In | O::Out => PLAIN_IO.contains(&io),
        O::Sbi | O::Cbi | O::Sbic | O::Sbis => low_io == PLAIN_IO[0],
        _ => true,
    }
}

/// A data address that a case may reach: mostly in the RAM, else a register.
fn data_address(random: &mut Random) -> u16 {
    match random.below(8) {
        0 => random.below(32) as u16,
        1 => 0x20 + random.pick(&PLAIN_IO),
        _ => RAM_FIRST + AROUND + random.below(u32::from(RAM_END - RAM_FIRST - 2 * AROUND)) as u16,
    }
}

fn case(opcode: u16, random: &mut Random) -> Case {
    let mut r: [u8; 32] = std::array::from_fn(|_| random.byte());
    let displaced = matches!(operation(opcode), O::LddY | O::LddZ | O::StdY | O::StdZ);
    for low in [26, 28, 30] {
        let mut address = data_address(random);
        // A displacement leads from a register to devices, and an increment from the last of them.
        while address < RAM_FIRST && (displaced || matches!(address, 0 | 0x3F..)) {
            address = data_address(random);
        }
        // Addresses of program memory are free.
        let free = low == 30 && matches!(operation(opcode), O::LpmR0 | O::Lpm | O::LpmInc);
        let address = if free { random.next() as u16 } else { address };
        [r[low], r[low + 1]] = address.to_le_bytes();
    }
    let second = match operation(opcode) {
        O::Lds | O::Sts => data_address(random),
        O::Jmp | O::Call => random.next() as u16,
        // Skips: one word, or two.
        _ => random.pick(&[0x940E, 0x9100, 0x9300, 0x940C, 0x0000, 0x0C01, 0xE123]),
    };
    // The program counter wraps; simavr does not fetch behind the wrap.
    let wraps = operation(opcode).reach() == Reach::Registers && random.below(64) == 0;
    let pc = if wraps { PROGRAM_WORDS - 1 } else { random.below(PROGRAM_WORDS - 8) };
    let state = State {
        r,
        sreg: random.next() as u8,
        sp: 0x300 + random.below(0x1C00) as u16,
        rampz: random.below(4) as u8,
        eind: random.below(2) as u8,
        pc,
        shadow: false,
    };
    let behind = (pc + 1) % PROGRAM_WORDS;
    let patches = vec![(pc, opcode), (behind, second), ((pc + 2) % PROGRAM_WORDS, 0)];
    Case { state, patches, seed: random.next() as u16, fill: random.byte(), steps: 1 }
}

#[test]
fn every_opcode_does_as_in_simavr() {
    let Some(driver) = driver() else { return };
    let mut random = Random(0x2560_2560_2560);
    let flash: Vec<u8> = (0..2 * PROGRAM_WORDS).map(|_| random.next() as u8).collect();
    let opcodes = (0..=u16::MAX).filter(|&opcode| is_comparable(opcode));
    let cases: Vec<Case> = opcodes
        .flat_map(|opcode| (0..STATES).map(move |_| opcode))
        .map(|opcode| case(opcode, &mut random))
        .collect();
    let expected = in_simavr(&driver, &flash, &cases);
    let mut board = board(&flash);
    board.set_tier(Tier::Plain);
    let mut failures = Vec::new();
    for (case, expected) in cases.iter().zip(&expected) {
        case.prepare(&mut board);
        let (begun, retired) = (board.cycle(), board.instructions());
        board.run(&Request { instructions: Some(retired + 1), ..Request::default() }).unwrap();
        let found = record(&mut board, begun, true);
        let opcode = case.patches[0].1;
        if found != expected[0] {
            failures.push(format!(
                "{:?} {opcode:04X} {:04X}: from {:X?}\n  {found:X?}\n  {:X?}",
                operation(opcode),
                case.patches[1].1,
                case.state,
                expected[0]
            ));
        }
    }
    println!("{} cases, {} differ", cases.len(), failures.len());
    assert!(
        failures.is_empty(),
        "{} differ\n{}",
        failures.len(),
        failures[..failures.len().min(8)].join("\n")
    );
}
