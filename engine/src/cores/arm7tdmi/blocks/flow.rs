//! Executes a block: combines fetches while no event can fall between them, else fetches one by one.

use super::super::{Arm7tdmi, FETCH};
use super::{Does, Step, AHEAD};
use crate::bus::{CodeBus, Width};

/// Returns whether the pipeline contains the opcodes that the block was decoded from.
#[inline(always)]
pub(super) fn stands_before<B>(core: &Arm7tdmi, steps: &[Step<B>]) -> bool {
    matches!(steps, [first, second, ..] if core.pipeline == [first.opcode, second.opcode])
        && core.aborted == 0
}

/// Executes a block with the two steps behind it. Returns whether the bus pauses at the boundary after it.
#[inline(always)]
pub(super) fn follow<B: CodeBus>(
    core: &mut Arm7tdmi,
    bus: &mut B,
    steps: &[Step<B>],
    width: Width,
) -> bool {
    let rest = if bus.flows(core.r[15].wrapping_sub(width.bytes())) {
        let rest = flow(core, bus, steps, width);
        if bus.pauses() {
            return true;
        }
        rest
    } else {
        steps
    };
    rest.len() > AHEAD && step_by_step(core, bus, rest, width)
}

/// Executes a block while the bus flows. Returns the rest of it.
///
/// Instructions that reach registers alone spend their fetch only and do not depend on the time. So the
/// step that settles makes the fetches of several from one line at once.
#[inline(always)]
fn flow<'a, B: CodeBus>(
    core: &mut Arm7tdmi,
    bus: &mut B,
    steps: &'a [Step<B>],
    width: Width,
) -> &'a [Step<B>] {
    let mut rest = steps;
    while let [step, second, third, ..] = rest {
        rest = &rest[1..];
        if !step.does.has(Does::SETTLES) {
            if step.condition.holds(core.cpsr) {
                (step.execute)(core, bus, step.opcode);
            } else {
                core.advance();
            }
            continue;
        }
        let address = core.r[15];
        bus.fetch_again(step.due.into());
        if step.does.has(Does::CROSSES) {
            let access = if step.due > 0 { FETCH.sequential() } else { core.next };
            bus.fetch_line(address, access.with_width(width));
        }
        core.next = FETCH.sequential();
        if !step.condition.holds(core.cpsr) {
            core.advance();
            continue;
        }
        if !step.does.has(Does::REACHES) {
            (step.execute)(core, bus, step.opcode);
            continue;
        }
        core.pipeline = [second.opcode, third.opcode];
        bus.stand_at(address.wrapping_sub(2 * width.bytes()));
        (step.execute)(core, bus, step.opcode);
        if step.does.has(Does::BRANCHES) {
            core.retired += (steps.len() - rest.len()) as u64;
            return &[];
        }
        if !bus.flows_on() {
            core.retired += (steps.len() - rest.len()) as u64;
            return rest;
        }
    }
    if let [first, second] = rest {
        core.pipeline = [first.opcode, second.opcode];
    }
    core.retired += (steps.len() - rest.len()) as u64;
    &[]
}

/// Executes a block at any boundary of which the bus may pause. Returns whether it did.
#[inline(never)]
fn step_by_step<B: CodeBus>(
    core: &mut Arm7tdmi,
    bus: &mut B,
    steps: &[Step<B>],
    width: Width,
) -> bool {
    let mut rest = steps;
    while let [step, second, third, ..] = rest {
        let address = core.r[15];
        let pc = address.wrapping_sub(2 * width.bytes());
        bus.fetch_known(pc, address, core.next.with_width(width));
        core.pipeline = [second.opcode, third.opcode];
        core.next = FETCH.sequential();
        core.retired += 1;
        let executes = step.condition.holds(core.cpsr);
        if executes {
            (step.execute)(core, bus, step.opcode);
        } else {
            core.advance();
        }
        if bus.pauses() {
            return true;
        }
        if executes && step.does.has(Does::BRANCHES) {
            return false;
        }
        rest = &rest[1..];
    }
    false
}
