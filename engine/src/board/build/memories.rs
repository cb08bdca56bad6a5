//! From the memories of a board file to those of a system.

use super::index;
use crate::board::description::{self as file, Description};
use crate::bus::Width;
use crate::error::{Error, Result};
use crate::memory::{Kind, Memory};
use crate::registry::Registry;
use crate::timing::{Timing, Waits};

/// Index of the path that accesses on a bus take: 0 for all that overlap no other.
pub(super) fn path(board: &Description, bus: usize) -> usize {
    let before = board.bus[..bus].iter().filter(|bus| bus.overlaps).count();
    usize::from(board.bus[bus].overlaps) * (1 + before)
}

pub(super) fn memory(
    board: &Description,
    described: &file::Memory,
    registry: &Registry,
) -> Result<Memory> {
    let kind = match described.kind {
        file::MemoryKind::Ram => Kind::Ram,
        file::MemoryKind::Rom => Kind::Rom,
    };
    let timing = timing(described, registry)?;
    let mut memory = Memory::new(&described.name, described.base, described.size, kind, timing);
    memory.fill = described.fill;
    memory.rules = described.rules.clone();
    if let Some(name) = &described.bus {
        let who = || format!("Memory \"{}\" is on bus \"{name}\"", described.name);
        memory.path = path(board, index(&board.bus, name, |bus| &bus.name, who)?);
    }
    Ok(memory)
}

fn timing(described: &file::Memory, registry: &Registry) -> Result<Timing> {
    let name = &described.name;
    let width = match described.width {
        8 => Width::Byte,
        16 => Width::Half,
        32 => Width::Word,
        other => {
            return Err(Error(format!(
                "Memory \"{}\" has width {other}: it must be 8, 16 or 32.",
                name
            )))
        }
    };
    let waits = Waits::new(width, described.n_wait.into(), described.s_wait.into());
    let waits = match described.cycles {
        0 => waits.within_cycles_of_core(),
        1 => waits,
        other => {
            return Err(Error(format!(
                "Memory \"{name}\" has cycles = {other}: it must be 1, or 0 where the core spends them."
            )))
        }
    };
    let waits = match described.burst_bytes {
        None => waits,
        Some(bytes) if bytes.is_power_of_two() && bytes >= 4 => waits.with_bursts(bytes),
        Some(bytes) => {
            return Err(Error(format!(
                "Memory \"{name}\" has burst_bytes = {bytes}: it must be a power of two, 4 or more."
            )))
        }
    };
    let Some(own) = &described.timing else {
        return Ok(Timing::Waits(if described.pauses_break { waits.with_breaks() } else { waits }));
    };
    let waits = (described.n_wait, described.s_wait, described.burst_bytes);
    if waits != (0, 0, None) || described.pauses_break || described.cycles != 1 {
        return Err(Error(format!(
            "Memory \"{name}\" has both a timing and wait states: keep one of them."
        )));
    }
    let made = registry.timing(&own.kind, own.parameters.clone());
    made.map_err(|why| Error(format!("Memory \"{name}\": {why}.")))
}
