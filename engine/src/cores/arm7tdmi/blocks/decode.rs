//! From opcodes to the steps of a block.

use super::super::psr::Condition;
use super::{arm, thumb, Does, Form, Reach, Step, AHEAD};
use crate::bus::{CodeBus, LONGEST_BLOCK};

impl<B> Step<B> {
    /// An opcode behind a block.
    fn not_executed(opcode: u32) -> Self {
        let form = Form { execute: |_, _, _| {}, condition: Condition::of(15), reach: Reach::Bus };
        Step::new(form, opcode)
    }

    fn new(form: Form<B>, opcode: u32) -> Self {
        let Form { execute, condition, reach } = form;
        let does = match reach {
            Reach::Registers => Does(0),
            Reach::Bus => Does(Does::SETTLES.0 | Does::REACHES.0),
            Reach::Branch => Does(Does::SETTLES.0 | Does::REACHES.0 | Does::BRANCHES.0),
        };
        Step { execute, opcode, condition, due: 0, does }
    }
}

/// The steps from `address` on, up to what ends a block or is left to the plain core, and the two behind.
pub(super) fn steps_at<B: CodeBus>(bus: &B, address: u32, length: u32) -> Option<Vec<Step<B>>> {
    if address % length != 0 {
        return None;
    }
    let code = bus.code(address)?;
    let opcodes = code.chunks_exact(length as usize).map(|bytes| match *bytes {
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        [a, b] => u32::from(u16::from_le_bytes([a, b])),
        _ => 0,
    });
    let opcodes: Vec<u32> = opcodes.take(LONGEST_BLOCK + AHEAD).collect();
    let mut steps = Vec::new();
    for (place, &opcode) in opcodes.iter().enumerate().take(opcodes.len().saturating_sub(AHEAD)) {
        if bus.is_awaited(address.wrapping_add(place as u32 * length)) {
            break;
        }
        let form = if length == 4 { arm::form(opcode) } else { thumb::form(opcode) };
        let Some(form) = form else { break };
        let ends = form.reach == Reach::Branch && form.condition.holds_always();
        steps.push(Step::new(form, opcode));
        if ends {
            break;
        }
    }
    schedule::<B>(&mut steps, address, length);
    if !steps.is_empty() {
        steps.extend(
            opcodes[steps.len()..][..AHEAD].iter().map(|&opcode| Step::not_executed(opcode)),
        );
    }
    Some(steps)
}

/// Finds when each step fetches.
fn schedule<B: CodeBus>(steps: &mut [Step<B>], address: u32, length: u32) {
    let count = steps.len();
    let line = (1 << B::LINE_SHIFT) - 1;
    let mut due = 0;
    for (place, step) in steps.iter_mut().enumerate() {
        let fetched = address.wrapping_add((place + AHEAD) as u32 * length);
        if fetched & line == 0 {
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
