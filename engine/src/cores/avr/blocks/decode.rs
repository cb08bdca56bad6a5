//! Decodes opcodes to a block.

use super::super::data::{is_of_core, place};
use super::super::decoder::{instruction, Instruction, Reach};
use super::{functions, Step};
use crate::bus::{CodeBus, LONGEST_BLOCK};

/// All flags of SREG.
const ALL_FLAGS: u8 = u8::MAX;

/// A skip takes so many cycles more than where it does not skip, at most.
const MOST_SKIPPED_CYCLES: u32 = 2;

/// An instruction in a block.
#[derive(Clone, Copy)]
pub(super) struct Placed {
    pub instruction: Instruction,
    /// The word behind the opcode.
    pub behind: u16,
    /// Words from the beginning of the block to the instruction.
    pub words: u8,
    /// Cycles from there to here.
    pub cycles: u8,
}

/// The instructions of a block.
pub(super) struct Sequence {
    pub placed: Vec<Placed>,
    /// Words and cycles of all, where the last neither skips nor branches.
    pub words: u32,
    pub cycles: u32,
    /// The last may go elsewhere.
    pub flows: bool,
}

impl Sequence {
    /// The most cycles.
    pub fn slowest(&self) -> u32 {
        self.cycles + if self.flows { MOST_SKIPPED_CYCLES } else { 0 }
    }
}

/// The instructions of the block at `pc`, which ends where another begins by `ends`. There are none where the plain core
/// must execute.
pub(super) fn sequence_at(bus: &impl CodeBus, pc: u32, ends: impl Fn(u32) -> bool) -> Sequence {
    let words: Vec<u16> = bus
        .code(2 * pc)
        .unwrap_or_default()
        .chunks_exact(2)
        .take(2 * LONGEST_BLOCK + 4)
        .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let (mut placed, mut at, mut cycles, mut flows) = (Vec::new(), 0, 0, false);
    while let (Some(&opcode), Some(&behind), Some(_), false) =
        (words.get(at), words.get(at + 1), words.get(at + 3), flows)
    {
        let instruction = instruction(opcode);
        let (operation, here) = (instruction.operation, pc + at as u32);
        let full = placed.len() + 1 >= LONGEST_BLOCK || at > 0 && ends(here);
        let is_device = |address| !is_of_core(address) && bus.code(place(address)).is_none();
        let reaches_device = instruction.named_address(behind).is_some_and(is_device);
        let alone = operation.reach() == Reach::Control || reaches_device;
        if full || alone || bus.has_breakpoint(2 * here) {
            break;
        }
        placed.push(Placed { instruction, behind, words: at as u8, cycles: cycles as u8 });
        cycles += operation.cycles();
        at += operation.words();
        flows = operation.reach() == Reach::Flow;
    }
    Sequence { placed, words: at as u32, cycles, flows }
}

/// Returns the steps of the block at `pc`, and the most cycles that it takes. There are none where the plain core must
/// execute.
pub(super) fn steps_at(bus: &impl CodeBus, pc: u32) -> (Vec<Step>, u32) {
    let sequence = sequence_at(bus, pc, |_| false);
    let step = |&Placed { instruction, behind, words, cycles }: &Placed| {
        let run = functions::run(instruction);
        Step { run, instruction, behind, words, cycles }
    };
    let mut steps: Vec<Step> = sequence.placed.iter().map(step).collect();
    drop_dead_flags(&mut steps);
    if let (Some(&Step { instruction, behind, .. }), false) = (steps.last(), sequence.flows) {
        let (words, cycles) = (sequence.words as u8, sequence.cycles as u8);
        steps.push(Step { run: functions::end, instruction, behind, words, cycles });
    }
    (steps, sequence.slowest())
}

/// Instructions whose flags nobody reads before they are written again leave the flags alone.
fn drop_dead_flags(steps: &mut [Step]) {
    let mut live = ALL_FLAGS;
    for step in steps.iter_mut().rev() {
        let operation = step.instruction.operation;
        if operation.reach() != Reach::Registers {
            // Data may be SREG.
            live = ALL_FLAGS;
            continue;
        }
        let (reads, writes) = operation.flags(step.instruction.constant());
        if writes != 0 && writes & live == 0 {
            step.run = functions::run_without_flags(operation);
        }
        live = live & !writes | reads;
    }
}
