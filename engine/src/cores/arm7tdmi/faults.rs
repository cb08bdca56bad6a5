//! Text about exceptions, and vectors and branches that lead nowhere.

use super::exceptions::vector;
use super::Arm7tdmi;
use crate::bus::{Exception, Width};
use crate::core::{Core, Refused};
use crate::system::System;

/// `b .` in ARM state.
const BRANCH_TO_ITSELF: u32 = 0xEAFF_FFFE;
/// `b .` in Thumb state.
const THUMB_BRANCH_TO_ITSELF: u32 = 0xE7FE;

/// Names the exception and its cause.
pub(super) fn explain(exception: &Exception, refused: Option<&Refused>, system: &System) -> String {
    let Exception { vector, at, return_to, .. } = *exception;
    let thumb = return_to.wrapping_sub(at) == 2;
    let opcode = if thumb {
        system.peek(at, Width::Half).map(|opcode| format!("{opcode:#06x}"))
    } else {
        system.peek(at, Width::Word).map(|opcode| format!("{opcode:#010x}"))
    };
    let opcode = opcode.unwrap_or_else(|| "unreadable".into());
    match vector {
        vector::UNDEFINED => format!("Undefined instruction {opcode} at {at:#x}"),
        vector::SWI => format!("SWI (opcode {opcode}) at {at:#x}"),
        vector::PREFETCH_ABORT => {
            format!("Prefetch abort: the instruction at {at:#x} lies where nothing answers")
        }
        vector::DATA_ABORT => data_abort(at, refused),
        vector::IRQ => format!("Interrupt (IRQ) before {at:#x}"),
        vector::FIQ => format!("Fast interrupt (FIQ) before {at:#x}"),
        _ => format!("Exception with vector {vector:#x} at {at:#x}"),
    }
}

fn data_abort(pc: u32, refused: Option<&Refused>) -> String {
    let Some(refused) = refused.filter(|refused| !refused.access.is_code()) else {
        return format!("Data abort by the instruction at {pc:#x}");
    };
    let kind = if refused.write { "write" } else { "read" };
    format!(
        "Data abort: {kind} of {} bytes at {:#x}, where nothing answers, by the instruction at {:#x}",
        refused.access.width().bytes(),
        refused.address,
        refused.pc
    )
}

/// Why the vector leads nowhere, if so.
pub(super) fn dead_vector(vector: u32, system: &System) -> Option<String> {
    let Some(opcode) = system.peek(vector, Width::Word) else {
        return Some(format!("the vector at {vector:#x} is in no memory"));
    };
    match opcode {
        0 | u32::MAX => Some(format!("the vector at {vector:#x} is empty ({opcode:#010x})")),
        BRANCH_TO_ITSELF => Some(format!("the vector at {vector:#x} is a branch to itself")),
        _ if opcode & 0xFFFF_F000 == 0xE59F_F000 => dangling(vector, opcode & 0xFFF, system),
        _ if opcode & 0xFFFF_F000 == 0xE51F_F000 => {
            dangling(vector, (opcode & 0xFFF).wrapping_neg(), system)
        }
        _ => None,
    }
}

/// Why `ldr pc, [pc, #offset]` at `vector` leads nowhere, if so. A word of a device is not read.
fn dangling(vector: u32, offset: u32, system: &System) -> Option<String> {
    let literal = vector.wrapping_add(8).wrapping_add(offset);
    if system.is_device(literal) {
        return None;
    }
    let Some(target) = system.peek(literal, Width::Word) else {
        return Some(format!(
            "the vector at {vector:#x} loads the PC from {literal:#x}, which is in no memory"
        ));
    };
    system
        .peek(target, Width::Word)
        .is_none()
        .then(|| format!("the vector at {vector:#x} leads to {target:#x}, which is in no memory"))
}

/// Whether the next instruction is a branch to itself.
pub(super) fn is_stuck(core: &Arm7tdmi, system: &System) -> bool {
    if core.is_thumb() {
        system.peek(core.address(), Width::Half) == Some(THUMB_BRANCH_TO_ITSELF)
    } else {
        system.peek(core.address(), Width::Word) == Some(BRANCH_TO_ITSELF)
    }
}
