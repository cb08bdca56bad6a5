//! Decodes opcodes to a block.

use super::super::decoder::{self, operation, Operation as O, Reach};
use super::functions;
use super::{Block, Choice, Ending, Step};
use crate::bus::{CodeBus, LONGEST_BLOCK};

/// All flags of SREG.
const ALL_FLAGS: u8 = u8::MAX;

/// Returns the block at `pc`, of which `first` is the number of its first step, and its steps. It has neither steps nor
/// an ending where the plain core must execute.
pub(super) fn block_at<B: CodeBus>(
    bus: &B,
    pc: u32,
    pc_mask: u32,
    first: u32,
) -> (Block<B>, Vec<Step<B>>) {
    let words: Vec<u16> = bus
        .code(2 * pc)
        .unwrap_or_default()
        .chunks_exact(2)
        .take(2 * LONGEST_BLOCK + 4)
        .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let (mut steps, mut at, mut cycles, mut ending) = (Vec::new(), 0, 0, Ending::None);
    while let (Some(&opcode), Some(&second), Some(_)) =
        (words.get(at), words.get(at + 1), words.get(at + 3))
    {
        let operation = operation(opcode);
        let reach = operation.reach();
        let full = steps.len() + 1 >= LONGEST_BLOCK;
        if full || reach == Reach::Control || bus.has_breakpoint(2 * (pc + at as u32)) {
            break;
        }
        if reach == Reach::Flow {
            ending = ending_of(operation, &words[at..], pc + at as u32, pc_mask);
            break;
        }
        let run = functions::run(operation, true);
        steps.push(Step { run, opcode, second, start: cycles as u16, word: at as u16 });
        cycles += operation.cycles();
        at += operation.words();
    }
    drop_dead_flags(&mut steps);
    let longest_cycles = cycles + ending.longest_cycles();
    let count = steps.len() as u32;
    (Block { pc, first, count, words: at as u32, cycles, longest_cycles, ending }, steps)
}

/// Instructions whose flags nobody reads before they are written again leave the flags alone.
fn drop_dead_flags<B: CodeBus>(steps: &mut [Step<B>]) {
    let mut live = ALL_FLAGS;
    for step in steps.iter_mut().rev() {
        let operation = operation(step.opcode);
        if operation.reach() != Reach::Registers {
            // Data may be SREG.
            live = ALL_FLAGS;
            continue;
        }
        let (reads, writes) = operation.flags(step.opcode);
        if writes != 0 && writes & live == 0 {
            step.run = functions::run(operation, false);
        }
        live = live & !writes | reads;
    }
}

/// The ending of a block by the instruction at `at`, with which `words` begin.
fn ending_of<B: CodeBus>(operation: O, words: &[u16], at: u32, pc_mask: u32) -> Ending<B> {
    let (opcode, second) = (words[0], words[1]);
    let target = |distance: u32| at.wrapping_add(distance).wrapping_add(1) & pc_mask;
    let skipped = super::super::decoder::operation(second).words() as u32;
    let choose = |choice, distance, cycles| Ending::Chosen {
        choice,
        opcode,
        targets: [target(0), target(distance)],
        cycles,
    };
    let near = decoder::near(opcode);
    match operation {
        O::Brbs => choose(Choice::FlagSet, near, [1, 2]),
        O::Brbc => choose(Choice::FlagClear, near, [1, 2]),
        O::Sbrs => choose(Choice::BitSet, skipped, [1, 1 + skipped]),
        O::Sbrc => choose(Choice::BitClear, skipped, [1, 1 + skipped]),
        O::Cpse => choose(Choice::Equal, skipped, [1, 1 + skipped]),
        O::Rjmp => choose(Choice::Always, decoder::relative(opcode), [2, 2]),
        O::Jmp => Ending::Chosen {
            choice: Choice::Always,
            opcode,
            targets: [decoder::far(opcode, second) & pc_mask; 2],
            cycles: [3, 3],
        },
        _ => Ending::Other {
            run: functions::go(operation),
            finish: functions::finish(operation),
            opcode,
            second,
            cycles: operation.cycles(),
        },
    }
}
