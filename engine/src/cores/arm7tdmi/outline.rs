//! Prices instructions: executes each by itself, with registers that lead to the given accesses.

use super::decoder::arm::{self, rm, rn, rs};
use super::decoder::{thumb, Condition};
use super::{psr, Arm7tdmi, State, PC};
use crate::bus::{Access, Width};
use crate::core::Core;
use crate::pricing::{Given, Outline, Passage};

/// Selects Thumb state in an address.
const THUMB: u32 = 1;

/// Multiplier operands that take 1, 2, 3 and 4 cycles.
const FACTORS: [u32; 4] = [0, 0x100, 0x1_0000, 0x100_0000];

/// A core of which only the kind of the next fetch lasts from one instruction to the next.
pub(super) struct InstructionOutline {
    core: Arm7tdmi,
}

/// The needs of an opcode for its execution.
struct Needs {
    condition: Condition,
    /// A register to set, and its value.
    registers: Vec<(usize, u32)>,
    has_own_data: bool,
    needs_target: bool,
}

impl InstructionOutline {
    pub(super) fn new(core: Arm7tdmi) -> Self {
        InstructionOutline { core }
    }
}

fn needs_arm(opcode: u32, given: Given) -> Needs {
    use arm::Format;
    let instruction = arm::decode(opcode);
    let format = instruction.form.format;
    let factor = FACTORS[usize::from(given.multiplier_cycles - 1) & 3];
    let transfers = matches!(
        format,
        Format::OffsetImmediate
            | Format::OffsetShifted
            | Format::HalfOffsetImmediate
            | Format::HalfOffsetRegister
    );
    let registers = match format {
        Format::Multiply | Format::MultiplyLong => vec![(rs(opcode), factor)],
        Format::Exchange => vec![(rm(opcode), given.target.unwrap_or(0))],
        _ => Vec::new(),
    };
    Needs {
        condition: instruction.condition,
        registers,
        has_own_data: transfers && rn(opcode) == PC,
        needs_target: format == Format::Exchange && rm(opcode) != PC,
    }
}

fn needs_thumb(opcode: u32, given: Given) -> Needs {
    use thumb::Format;
    let instruction = thumb::decode(opcode);
    let factor = FACTORS[usize::from(given.multiplier_cycles - 1) & 3];
    let high = (opcode >> 3 & 15) as usize;
    let format = instruction.form.format;
    let registers = match format {
        Format::Multiply => vec![(thumb::low(opcode, 0), factor)],
        Format::Exchange => vec![(high, given.target.unwrap_or(0))],
        _ => Vec::new(),
    };
    Needs {
        condition: instruction.condition,
        registers,
        has_own_data: format == Format::Literal,
        needs_target: format == Format::Exchange && high != PC,
    }
}

impl Outline for InstructionOutline {
    fn step(&mut self, given: Given, passage: &mut Passage<'_>) -> Result<u32, String> {
        let is_thumb = given.at & THUMB != 0;
        let at = given.at & !THUMB;
        let width = if is_thumb { Width::Half } else { Width::Word };
        let length = width.bytes();
        let opcode = passage.opcode(at, width);
        let needs = if is_thumb { needs_thumb(opcode, given) } else { needs_arm(opcode, given) };
        if given.executes && needs.needs_target && given.target.is_none() {
            return Err("where it branches to is in a register and was not given".into());
        }
        let mut flags = (0..16).map(|flags| flags << 28);
        let flags = flags.find(|&psr| needs.condition.holds(psr) == given.executes);
        let flags = flags.ok_or("whether it executes is not open")?;
        let mut user = [0; 16];
        for (register, value) in needs.registers {
            user[register] = value;
        }
        user[PC] = at.wrapping_add(2 * length);
        let state = if is_thumb { psr::T } else { 0 };
        self.core.set_state(&State {
            cpsr: psr::mode::SYSTEM | psr::I | psr::F | state | flags,
            user,
            pipeline: [opcode, passage.opcode(at.wrapping_add(length), width)],
            next_fetch: self.core.next.with_width(width),
            ..State::default()
        });
        if needs.has_own_data {
            passage.has_own_data();
        }
        self.core.step(passage);
        Ok(self.core.address())
    }

    fn length(&self, at: u32) -> u32 {
        if at & THUMB == 0 {
            4
        } else {
            2
        }
    }

    /// The kind of the next fetch: S or N.
    fn state(&self) -> u64 {
        self.core.next.is_sequential().into()
    }

    fn set_state(&mut self, state: u64) {
        let fetch = Access::code(Width::Word);
        self.core.next = if state == 0 { fetch } else { fetch.sequential() };
    }
}
