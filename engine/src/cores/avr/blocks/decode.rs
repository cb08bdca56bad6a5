//! Decodes opcodes to a block.

use super::super::decoder::{operation, Operation, Reach};
use super::functions::{finish, run};
use super::{Block, Ending, Step};
use crate::bus::{CodeBus, LONGEST_BLOCK};

/// The most cycles that an instruction takes.
const LONGEST_CYCLES: u32 = 5;

/// Returns the block at `pc`, whose steps follow those there are, and its steps. It has neither steps nor ending where
/// the plain core must execute.
pub(super) fn block_at<B: CodeBus>(bus: &B, pc: u32, first: u32) -> (Block<B>, Vec<Step<B>>) {
    let words: Vec<u16> = bus
        .code(2 * pc)
        .unwrap_or_default()
        .chunks_exact(2)
        .take(2 * LONGEST_BLOCK)
        .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let (mut steps, mut at, mut cycles, mut ending) = (Vec::new(), 0, 0, None);
    while let Some(&opcode) = words.get(at) {
        let operation: Operation = operation(opcode);
        let (long, reach) = (operation.is_long(), operation.reach());
        let second = words.get(at + 1).copied();
        let full = steps.len() + 1 >= LONGEST_BLOCK || (long && second.is_none());
        if full || reach == Reach::Control || bus.has_breakpoint(2 * (pc + at as u32)) {
            break;
        }
        if reach == Reach::Flow {
            ending = Some(Ending { finish: finish(operation), opcode });
            break;
        }
        steps.push(Step {
            run: run(operation),
            opcode,
            second: second.unwrap_or_default(),
            start: cycles as u16,
            word: at as u16,
        });
        cycles += operation.cycles();
        at += 1 + usize::from(long);
    }
    let longest_cycles = cycles + LONGEST_CYCLES * u32::from(ending.is_some());
    let count = steps.len() as u32;
    (Block { pc, first, count, words: at as u32, cycles, longest_cycles, ending }, steps)
}
