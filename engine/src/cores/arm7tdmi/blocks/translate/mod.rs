//! Translates opcodes to the operations of a block, and sums their cycles.

mod arm;
mod draft;
mod thumb;
mod transfers;

use super::chains::op::Op;
use super::chains::Costs;
use super::AHEAD;
use crate::bus::{CodeBus, LONGEST_BLOCK};
use crate::system::System;
use draft::Draft;

/// A block.
pub(super) struct Translated {
    pub ops: Vec<Op>,
    /// Its first two opcodes.
    pub opcodes: [u32; 2],
    pub instructions: u32,
    /// The most cycles that it takes.
    pub slowest: u32,
    /// Further cycles if its first fetch is not in sequence.
    pub nonsequential: u32,
    /// Addresses of words of the code that it knows.
    pub constants: Vec<u32>,
}

/// The outcome for an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Became {
    /// Operations: the block goes on.
    Ops,
    /// Operations, the last of which always leaves the block.
    Last,
    /// Nothing: the block ends before it.
    Nothing,
}

/// Translates the block at `address`, which ends before an address that `stops` says. None where its first instruction is
/// left to the plain core.
pub(super) fn block_at(
    bus: &System,
    address: u32,
    is_thumb: bool,
    costs: Costs,
    stops: impl Fn(u32) -> bool,
) -> Option<Translated> {
    let length = if is_thumb { 2 } else { 4 };
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
    let first = [*opcodes.first()?, *opcodes.get(1)?];
    let mut draft = Draft::new(bus, address, length, costs);
    for &opcode in &opcodes[..opcodes.len().saturating_sub(AHEAD)] {
        if bus.has_breakpoint(draft.pc()) || draft.pc() != address && stops(draft.pc()) {
            break;
        }
        let mark = draft.begin();
        let became =
            if is_thumb { thumb::add(&mut draft, opcode) } else { arm::add(&mut draft, opcode) };
        match became {
            Became::Ops => draft.complete(),
            Became::Last => {
                draft.complete();
                return draft.finish(true, first);
            }
            Became::Nothing => {
                draft.undo(mark);
                break;
            }
        }
    }
    draft.finish(false, first)
}
