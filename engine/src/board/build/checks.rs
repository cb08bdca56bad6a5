//! Checks of a board file that need no part to be built: names are unique, ranges fit.

use super::super::description::Description;
use super::index;
use crate::error::{Error, Result};

/// Most bytes that a board's memories may hold together. They live in the host's memory.
const LARGEST_BYTES: u64 = 1 << 30;

pub(super) fn check_names(board: &Description) -> Result<()> {
    if board.name.is_none() {
        return Err(Error::new("The board file has no name; add name = \"…\" at its top."));
    }
    if board.clock.as_ref().is_some_and(|clock| clock.oscillator_hz == 0) {
        return Err(Error::new("The board's oscillator_hz is 0: write its frequency in Hz."));
    }
    let names: [(&str, Vec<&String>); 5] = [
        ("memories", board.memory.iter().map(|m| &m.name).collect()),
        ("devices", board.device.iter().map(|d| &d.name).collect()),
        ("buses", board.bus.iter().map(|b| &b.name).collect()),
        ("remaps", board.remap.iter().map(|r| &r.name).collect()),
        ("rules", board.rule.iter().map(|r| &r.id).collect()),
    ];
    for (what, names) in names {
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(Error(format!("Two {what} are called \"{name}\": rename one.")));
            }
        }
    }
    let used = (board.memory.iter().flat_map(|m| &m.rules))
        .chain(board.bus.iter().flat_map(|b| &b.rules))
        .chain(board.device.iter().flat_map(|d| &d.rules));
    used.into_iter().try_for_each(|rule| check_rule(board, rule))
}

pub(super) fn check_rule(board: &Description, rule: &String) -> Result<()> {
    index(&board.rule, rule, |rule| &rule.id, || format!("A rule \"{rule}\" is named")).map(drop)
}

struct Range {
    what: String,
    base: u32,
    size: u32,
}

impl Range {
    fn end(&self) -> u64 {
        u64::from(self.base) + u64::from(self.size)
    }

    fn describe(&self) -> String {
        format!("{} ({:#x} to {:#x})", self.what, self.base, self.end() - 1)
    }
}

pub(super) fn check_ranges(board: &Description) -> Result<()> {
    let memories = board.memory.iter().map(|memory| Range {
        what: format!("memory \"{}\"", memory.name),
        base: memory.base,
        size: memory.size,
    });
    let devices = board.device.iter().flat_map(|device| {
        device.maps.iter().map(|map| Range {
            what: format!("device \"{}\"", device.name),
            base: map.base,
            size: map.size,
        })
    });
    let ranges: Vec<Range> = memories.chain(devices).collect();
    let remaps = board.remap.iter().map(|remap| Range {
        what: format!("remap \"{}\"", remap.name),
        base: remap.base,
        size: remap.size,
    });
    let remaps: Vec<Range> = remaps.collect();
    for range in remaps.iter().chain(&ranges[..board.memory.len()]) {
        if range.size == 0 || range.size % 4 != 0 || range.base % 4 != 0 {
            return Err(Error(format!(
                "The base and size of {} must be multiples of 4, and the size not 0.",
                range.what
            )));
        }
    }
    for range in remaps.iter().chain(&ranges) {
        if range.size == 0 {
            return Err(Error(format!("The size of {} must not be 0.", range.what)));
        }
        if range.end() > 1 << 32 {
            return Err(Error(format!(
                "{} (base {:#x}, size {:#x}) reaches beyond 4 GiB: make it smaller.",
                range.what, range.base, range.size
            )));
        }
    }
    let bytes: u64 = board.memory.iter().map(|memory| u64::from(memory.size)).sum();
    if bytes > LARGEST_BYTES {
        return Err(Error(format!(
            "The memories of the board hold {bytes} bytes together: make them smaller, at most \
             {LARGEST_BYTES} can be simulated."
        )));
    }
    for (i, first) in ranges.iter().enumerate() {
        for second in &ranges[i + 1..] {
            let apart = first.end() <= second.base.into() || second.end() <= first.base.into();
            if !apart {
                return Err(Error(format!(
                    "{} overlaps {}: move or shrink one of them.",
                    first.describe(),
                    second.describe()
                )));
            }
        }
    }
    Ok(())
}
