//! Decodes opcodes to a block.

use super::super::data::{is_of_core, place};
use super::super::decoder::{instruction, Reach};
use super::{functions, Step};
use crate::bus::{CodeBus, LONGEST_BLOCK};

/// All flags of SREG.
const ALL_FLAGS: u8 = u8::MAX;

/// A skip takes so many cycles more than where it does not skip, at most.
const MOST_SKIPPED_CYCLES: u32 = 2;

/// Returns the steps of the block at `pc`, and the most cycles that it takes. There are none where the plain core must
/// execute.
pub(super) fn steps_at(bus: &impl CodeBus, pc: u32) -> (Vec<Step>, u32) {
    let words: Vec<u16> = bus
        .code(2 * pc)
        .unwrap_or_default()
        .chunks_exact(2)
        .take(2 * LONGEST_BLOCK + 4)
        .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let (mut steps, mut at, mut cycles) = (Vec::new(), 0, 0);
    while let (Some(&opcode), Some(&behind), Some(_)) =
        (words.get(at), words.get(at + 1), words.get(at + 3))
    {
        let instruction = instruction(opcode);
        let operation = instruction.operation;
        let reach = operation.reach();
        let full = steps.len() + 1 >= LONGEST_BLOCK;
        let is_device = |address| !is_of_core(address) && bus.code(place(address)).is_none();
        let reaches_device = instruction.named_address(behind).is_some_and(is_device);
        let alone = reach == Reach::Control || reaches_device;
        if full || alone || bus.has_breakpoint(2 * (pc + at as u32)) {
            break;
        }
        let run = functions::run(instruction);
        steps.push(Step { run, instruction, behind, words: at as u8, cycles: cycles as u8 });
        cycles += operation.cycles();
        at += operation.words();
        if reach == Reach::Flow {
            drop_dead_flags(&mut steps);
            return (steps, cycles + MOST_SKIPPED_CYCLES);
        }
    }
    drop_dead_flags(&mut steps);
    if let Some(&Step { instruction, behind, .. }) = steps.last() {
        let run = functions::end;
        steps.push(Step { run, instruction, behind, words: at as u8, cycles: cycles as u8 });
    }
    (steps, cycles)
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
