//! Decodes opcodes to the steps of a block.

use super::super::decoder::{arm, thumb, Condition, Reach};
use super::{functions, Does, Execute, Step, AHEAD};
use crate::bus::{Bus, CodeBus, LONGEST_BLOCK};

/// The condition that never holds.
const NEVER: u32 = 15;

impl<B> Step<B> {
    /// The step of an opcode behind a block, which is fetched and not executed.
    fn not_executed(opcode: u32) -> Self {
        Step::new(|_, _, _| {}, opcode, Condition::of(NEVER), Reach::Bus)
    }

    fn new(execute: Execute<B>, opcode: u32, condition: Condition, reach: Reach) -> Self {
        let does = match reach {
            Reach::Registers => Does(0),
            Reach::Bus => Does(Does::SETTLES.0 | Does::REACHES.0),
            _ => Does(Does::SETTLES.0 | Does::REACHES.0 | Does::BRANCHES.0),
        };
        Step { execute, opcode, condition, due: 0, does }
    }

    /// Whether a block ends after it.
    fn ends_block(&self) -> bool {
        self.does.has(Does::BRANCHES) && self.condition.holds_always()
    }
}

impl<B: Bus> Step<B> {
    /// Returns the step of an opcode; none if the plain core must execute it.
    fn of(opcode: u32, length: u32) -> Option<Self> {
        let (execute, condition, reach) = if length == 4 {
            let instruction = arm::decode(opcode);
            let execute = functions::of_arm(instruction.form, opcode);
            (execute, instruction.condition, instruction.reach)
        } else {
            let instruction = thumb::decode(opcode);
            let execute = functions::of_thumb(instruction.form, opcode);
            (execute, instruction.condition, instruction.reach)
        };
        (reach < Reach::Mode).then(|| Step::new(execute, opcode, condition, reach))
    }
}

/// Returns the steps from `address` to the end of a block, then two steps for the opcodes that the
/// pipeline has fetched behind it. An instruction that the plain core must execute ends the block
/// before it.
pub(super) fn steps_at<B: CodeBus>(bus: &B, address: u32, length: u32) -> Option<Vec<Step<B>>> {
    if address % length != 0 {
        return None;
    }
    let code = bus.steady_code(address, (LONGEST_BLOCK + AHEAD) * length as usize)?;
    let opcodes = code.chunks_exact(length as usize).map(|bytes| match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        _ => 0,
    });
    let opcodes: Vec<u32> = opcodes.collect();
    let mut steps = Vec::new();
    for (place, &opcode) in opcodes.iter().enumerate().take(opcodes.len().saturating_sub(AHEAD)) {
        if bus.has_breakpoint(address.wrapping_add(place as u32 * length)) {
            break;
        }
        let Some(step) = Step::of(opcode, length) else { break };
        let ends = step.ends_block();
        steps.push(step);
        if ends {
            break;
        }
    }
    schedule(&mut steps, address, length, bus.line_bytes(address));
    if !steps.is_empty() {
        steps.extend(
            opcodes[steps.len()..][..AHEAD].iter().map(|&opcode| Step::not_executed(opcode)),
        );
    }
    Some(steps)
}

/// Decides which step makes the fetch of each.
fn schedule<B>(steps: &mut [Step<B>], address: u32, length: u32, line_bytes: u32) {
    let count = steps.len();
    let mut due = 0;
    for (place, step) in steps.iter_mut().enumerate() {
        let fetched = address.wrapping_add((place + AHEAD) as u32 * length);
        if fetched & (line_bytes - 1) == 0 {
            step.does.0 |= Does::SETTLES.0 | Does::CROSSES.0;
        } else {
            due += 1;
        }
        if place + 1 == count {
            step.does.0 |= Does::SETTLES.0;
        }
        if step.does.has(Does::SETTLES) {
            step.due = std::mem::take(&mut due);
        }
    }
}
