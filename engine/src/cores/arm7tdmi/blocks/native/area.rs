//! An area: blocks that lead to each other, to become one function of the host.
//!
//! Where a flash is read ahead, a block has a place for each way in which the flash may be found.

use std::collections::HashMap;

use super::super::chains::op::What;
use super::super::chains::Costs;
use super::super::translate::{self, Translated};
use super::super::AHEAD;
use super::fetching::{Fetched, Fetching};
use crate::bus::CodeBus;
use crate::system::System;
use crate::translated::graph::{close_loops, Bound, Decoded, Executions, Graph, Leads, SELDOM};

/// No place is added once all have so many instructions.
const MOST_PLACED: u32 = 1_500;
/// Fractions of an execution.
const FRACTIONS: u64 = 1 << 16;

/// A block of an area, with what the flash holds when it begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Start {
    /// Its address (bit 0: in Thumb state).
    pub key: u32,
    pub fetched: Fetched,
    /// Its first fetch is not in sequence, and that matters.
    pub nonsequential: bool,
}

/// Where the program may go on.
pub(super) struct Place {
    pub start: Start,
    /// Index of its block.
    pub block: usize,
    /// It is an entry if it is the first place, closes a loop, or lies behind a call.
    pub bound: Bound,
}

/// Blocks and how they lead to each other.
pub(super) struct Area {
    pub blocks: Vec<Translated>,
    pub places: Vec<Place>,
    pub numbers: HashMap<Start, usize>,
    /// Where each block may return to, as far as its callers are in the area.
    pub returns: Vec<Vec<u32>>,
    /// The memory that it was found in.
    pub fetching: Fetching,
}

impl Decoded for Translated {
    fn instructions(&self) -> u32 {
        self.instructions
    }

    fn leads(&self, key: u32) -> Leads {
        let (mut leads, state) = (Leads::default(), key & 1);
        let mut linked = None;
        for op in &self.ops {
            match op.what {
                What::Branch { .. } => match linked {
                    Some(back) => leads.calls.push((op.imm | state, back)),
                    None => leads.to.push(op.imm | state),
                },
                What::End => leads.to.push(op.imm | state),
                _ => {}
            }
            linked = (op.what == What::Set && op.a == 14).then_some(op.imm & !1 | state);
        }
        leads
    }
}

/// Finds the blocks that one leads to.
fn blocks(
    bus: &mut System,
    first: u32,
    costs: Costs,
    (fetching, executions): (Fetching, Executions),
) -> Graph<Translated> {
    let view = fetching.view;
    let mut found = Graph::find(first, executions, |key| {
        let (address, state) = (key & !1, key & 1);
        let length = if state == 1 { 2 } else { 4 };
        if !view.has(address, length) {
            return None;
        }
        let block = translate::block_at(bus, address, state == 1, costs, |_| false)?;
        let bytes = (block.instructions + AHEAD as u32) * length;
        let tracked = block.constants.iter().all(|&at| bus.track_writes(at, 4));
        (view.has(address, bytes) && tracked && bus.track_writes(address, bytes)).then_some(block)
    });
    found.split(|key, is_another| {
        let (address, state) = (key & !1, key & 1);
        translate::block_at(bus, address, state == 1, costs, |pc| is_another(pc | state))
    });
    found
}

/// Where a block leads that begins so: by branches, and straight on.
fn successors(area: &Area, block: usize, start: Start) -> [Vec<Start>; 2] {
    let (fetching, mut fetched, state) = (area.fetching, start.fetched, start.key & 1);
    let mut to = Vec::new();
    let mut behind = |key: u32, mut fetched: Fetched| {
        fetching.refill(&mut fetched, key);
        to.push(Start { key, fetched, nonsequential: false });
    };
    let mut straight = Vec::new();
    for op in &area.blocks[block].ops {
        match op.what {
            What::Cross(_) => {
                fetching.run_on(&mut fetched, op.imm, true);
            }
            What::Branch { .. } => behind(op.imm | state, fetched),
            What::End => straight.push((op.imm | state, fetching.is_nonsequential(op.a))),
            What::Jump | What::Exchange => {
                area.returns[block].iter().for_each(|&key| behind(key, fetched));
            }
            _ => {}
        }
    }
    let straight = straight.into_iter();
    let on =
        |(key, nonsequential)| Start { key, fetched: behind_block(key, fetched), nonsequential };
    [to, straight.map(on).collect()]
}

/// The same at the end of a block, where the program goes straight on at `key`.
pub(super) fn behind_block(key: u32, fetched: Fetched) -> Fetched {
    let length = if key & 1 == 1 { 2 } else { 4 };
    Fetched { last: (key & !1).wrapping_add(length), ..fetched }
}

/// Finds the area that begins at a block. None where there is none.
pub(super) fn find(
    bus: &mut System,
    (first, nonsequential): (u32, bool),
    costs: Costs,
    executions: Executions,
) -> Option<Area> {
    let fetching = Fetching::now(bus, &costs.fetches)?;
    let nonsequential = nonsequential && fetching.differ;
    let start = Start { key: first, fetched: Fetching::at(bus, first), nonsequential };
    let found = blocks(bus, first, costs, (fetching, executions));
    if found.numbers.get(&first) != Some(&0) {
        return None;
    }
    let (returns, returned_to) = (found.returns(), found.returned_to());
    let Graph { blocks, numbers, .. } = found;
    let (places, keyed) = (Vec::new(), HashMap::new());
    let mut area = Area { blocks, places, numbers: keyed, returns, fetching };
    let mut instructions = 0;
    let mut leads_to = Vec::new();
    let whole = executions(first).max(1) * FRACTIONS;
    let mut likely = Likely::from([(start, whole)]);
    while let Some((start, count)) = likely.take() {
        if instructions >= MOST_PLACED || count < whole / SELDOM {
            break;
        }
        let Some(&block) = numbers.get(&start.key) else { continue };
        area.numbers.insert(start, area.places.len());
        let is_entry = area.places.is_empty() || returned_to.contains(&start.key);
        let bound = Bound { is_entry, slowest: area.blocks[block].slowest };
        area.places.push(Place { start, block, bound });
        instructions += area.blocks[block].instructions;
        let to = successors(&area, block, start);
        let known = |start: &&Start| numbers.contains_key(&start.key);
        let [branches, straight] = to;
        let taken = |start: &Start| executions(start.key);
        let all: u64 = branches.iter().filter(known).map(taken).sum();
        // A block may begin in another, which counts for the other alone.
        let on = executions(start.key).saturating_sub(all);
        let weighed = branches.iter().map(|start| (start, taken(start)));
        let weighed = weighed.chain(straight.iter().map(|start| (start, taken(start).max(on))));
        let weighed: Vec<(&Start, u64)> = weighed.filter(|(start, _)| known(start)).collect();
        let all: u64 = weighed.iter().map(|(_, weight)| weight).sum();
        for (&start, weight) in weighed {
            if !area.numbers.contains_key(&start) {
                let part = u128::from(count) * u128::from(weight) / u128::from(all.max(1));
                likely.add(start, part as u64);
            }
        }
        leads_to.push([branches, straight].concat());
    }
    let numbered = |to: &Vec<Start>| {
        to.iter().filter_map(|start| area.numbers.get(start).copied()).collect::<Vec<_>>()
    };
    let inside: Vec<Vec<usize>> = leads_to.iter().map(numbered).collect();
    let mut bounds: Vec<Bound> = area.places.iter().map(|place| place.bound).collect();
    close_loops(&mut bounds, &inside);
    area.places.iter_mut().zip(bounds).for_each(|(place, bound)| place.bound = bound);
    Some(area)
}

/// Starts that are not yet places, and how often the program comes there, in [`FRACTIONS`].
struct Likely(HashMap<Start, u64>);

impl<const N: usize> From<[(Start, u64); N]> for Likely {
    fn from(starts: [(Start, u64); N]) -> Self {
        Likely(HashMap::from(starts))
    }
}

impl Likely {
    fn add(&mut self, start: Start, count: u64) {
        *self.0.entry(start).or_default() += count;
    }

    /// Takes out the likeliest; of equals one that does not depend on the order in which they came.
    fn take(&mut self) -> Option<(Start, u64)> {
        let best = self.0.iter().max_by_key(|(start, count)| (**count, **start));
        let (start, count) = best.map(|(&start, &count)| (start, count))?;
        self.0.remove(&start);
        Some((start, count))
    }
}
