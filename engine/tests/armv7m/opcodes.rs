//! Which opcodes there are, here and in unicorn's Cortex-M3.

use cyclescope_engine::cores::armv7m::decoder::{decode, is_wide, Class, Operation as O};

use crate::cases::*;

/// Opcodes of 32 bits.
const WIDE: usize = 4_000;

/// Whether an opcode executes here. None where unicorn reports something else alike: traps, and branches to a value
/// without bit 0.
fn is_defined(opcode: u32) -> Option<bool> {
    let one = decode(opcode);
    match (one.operation, one.class()) {
        (O::Undefined | O::Coprocessor, _) => Some(false),
        (O::Svc | O::Bkpt | O::Yield | O::Wfe | O::Wfi, _) | (_, Class::RegisterBranch) => None,
        (_, Class::Load | Class::Loads) if one.writes_pc() => None,
        _ => Some(true),
    }
}

/// Whether the manual calls an opcode unpredictable that unicorn treats as undefined. It has bits that should be 0 or 1
/// and are not, an empty list or one of the wrong registers, or its result is the program counter.
fn is_unpredictable(first: u32, second: u32) -> bool {
    match first {
        0xB660..0xB680 => first & 0xC != 0,
        0xC000..0xD000 => first & 0xFF == 0,
        0xE800..0xEA00 if first & 0x40 == 0 => true,
        // Exclusive accesses and tables have fields of ones.
        0xE840..0xE860 | 0xE8C0..0xE8E0 => true,
        0xEA00..0xEC00 => second & 0x8000 != 0 || second & 0xF00 == 0xF00,
        0xF800..0xFA00 => second >> 12 == 15,
        0xF380..0xF400 => true,
        0xFB90..0xFBC0 => second & 0xF000 != 0xF000,
        _ => false,
    }
}

/// Whether a Cortex-M3 does not have an opcode that unicorn's executes: coprocessors, vectors, the DSP extension,
/// exclusive accesses of later architectures, stores at the program counter.
fn is_extension(first: u32) -> bool {
    let dsp = matches!(first, 0xEAC0..0xEAE0 | 0xFA00..0xFC00);
    let store_at_pc = first & 0xFF1F == 0xF80F;
    let exclusive = matches!(first, 0xE8C0..0xE8E0);
    let vector = first & 0xFF10 == 0xF900;
    first & 0xEC00 == 0xEC00 || dsp || store_at_pc || exclusive || vector
}

#[test]
fn the_same_opcodes_are_defined_as_in_unicorn() {
    let Some(python) = driver() else { return };
    let mut random = Random(0x0C0D_E5ED);
    let narrow = (0..=u16::MAX).filter(|&half| !is_wide(half)).map(u32::from);
    let mut opcodes: Vec<u32> = narrow.step_by(11).collect();
    let all = opcodes.len() + WIDE;
    while opcodes.len() < all {
        opcodes.push(random.next() << 16 | 0xE800 | random.next() & 0x1FFF);
    }
    let found = defined_in_unicorn(&python, &opcodes);
    assert_eq!(found.len(), opcodes.len());
    let differs = |(&opcode, &defined): &(&u32, &bool)| {
        let (first, second) = (opcode & 0xFFFF, opcode >> 16);
        let excused = if defined { is_extension(first) } else { is_unpredictable(first, second) };
        !excused && is_defined(opcode).is_some_and(|here| here != defined)
    };
    let wrong: Vec<String> = opcodes
        .iter()
        .zip(&found)
        .filter(differs)
        .map(|(opcode, defined)| {
            let operation = decode(*opcode).operation;
            format!("{:04x} {:04x} {operation:?}, {defined}", opcode & 0xFFFF, opcode >> 16)
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {all}: {:#?}", wrong.len(), &wrong[..wrong.len().min(30)]);
}
