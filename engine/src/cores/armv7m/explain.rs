//! Text about exceptions, and vectors that lead nowhere.

use super::decoder::{decode, is_wide, Class, Operation as O};
use super::exceptions::{input, without_vector, LOCKED_UP};
use crate::bus::{Exception, ExceptionKind, Width};
use crate::core::Refused;
use crate::system::System;

/// `b .`
const BRANCH_TO_ITSELF: u32 = 0xE7FE;

/// Names the exception and its cause.
pub(super) fn explain(exception: &Exception, refused: Option<&Refused>, system: &System) -> String {
    let Exception { kind, at, .. } = *exception;
    match kind {
        ExceptionKind::Interrupt(input::NMI) => format!("NMI before {at:#x}"),
        ExceptionKind::Interrupt(input::SYSTICK) => format!("SysTick before {at:#x}"),
        ExceptionKind::Interrupt(number) => format!("Interrupt {number} before {at:#x}"),
        ExceptionKind::Call if calls(at, system) => format!("SVC at {at:#x}"),
        ExceptionKind::Call => format!("PendSV before {at:#x}"),
        ExceptionKind::Fault => format!("Fault: {}", cause(at, refused, system)),
    }
}

/// Whether SVC lies there.
fn calls(at: u32, system: &System) -> bool {
    system.peek(at, Width::Half).is_some_and(|half| half >> 8 == 0xDF)
}

/// The reason why the instruction at `at` could not execute, as far as its opcode shows it.
fn cause(at: u32, refused: Option<&Refused>, system: &System) -> String {
    if let Some(&Refused { address, access, write, pc }) = refused.filter(|one| one.pc == at) {
        let kind = match (access.is_code(), write) {
            (true, _) => "fetch",
            (_, true) => "write",
            _ => "read",
        };
        let bytes = access.width().bytes();
        return format!(
            "{kind} of {bytes} bytes at {address:#x}, where nothing answers, by the instruction at {pc:#x}"
        );
    }
    let Some(first) = system.peek(at, Width::Half) else {
        return format!("no instruction can be fetched at {at:#x}");
    };
    let second = system.peek(at.wrapping_add(2), Width::Half).unwrap_or(0);
    let opcode = if is_wide(first as u16) { second << 16 | first } else { first };
    let decoded = decode(opcode);
    let shown = if decoded.is_wide() {
        format!("{:#010x}", first << 16 | second)
    } else {
        format!("{first:#06x}")
    };
    match decoded.operation {
        O::Undefined => format!("the opcode {shown} at {at:#x} is no instruction of ARMv7-M"),
        O::Coprocessor => {
            format!("the opcode {shown} at {at:#x} is for a coprocessor that is not there")
        }
        O::Bkpt => format!("BKPT at {at:#x} without a debugger"),
        O::Svc => format!("SVC at {at:#x}, which the priority in force holds off"),
        O::Udiv | O::Sdiv => format!("a division by zero at {at:#x}"),
        operation => {
            match operation.class() {
                Class::Load | Class::Store | Class::Loads | Class::Stores => {
                    format!("an access that is not aligned, or not allowed, by the instruction at {at:#x}")
                }
                _ => format!("the instruction at {at:#x} (opcode {shown}) cannot execute"),
            }
        }
    }
}

/// Why the vector leads nowhere, if so.
pub(super) fn dead_vector(vector: u32, system: &System) -> Option<String> {
    if vector == LOCKED_UP {
        return Some("no handler is left for it: the core locks up".to_owned());
    }
    if let Some(number) = without_vector(vector) {
        return Some(format!("vector {number} holds no address of a handler"));
    }
    match system.peek(vector, Width::Half) {
        None => Some(format!("its vector leads to {vector:#x}, which is in no memory")),
        Some(BRANCH_TO_ITSELF) => Some(format!("its handler at {vector:#x} is a branch to itself")),
        Some(_) => None,
    }
}
