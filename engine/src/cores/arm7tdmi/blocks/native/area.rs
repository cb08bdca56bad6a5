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
/// No more starts are asked where they lead.
const MOST_STARTS: usize = 1_024;
/// So often shares are passed on. A start that is further from the first has none.
const SWEEPS: usize = 32;

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
    let ways = ways(&area, &numbers, start);
    let counts = counts(&area, &numbers, executions);
    let shares = shares(&ways, &counts);
    let least = counts[0] as f64 / SELDOM as f64;
    let (mut instructions, mut leads_to, mut waiting) = (0, Vec::new(), vec![0]);
    while instructions < MOST_PLACED {
        // Of equals the one that was found first.
        let likelier = |&a: &usize, &b: &usize| shares[a].total_cmp(&shares[b]).then(b.cmp(&a));
        let Some(number) = waiting.iter().copied().max_by(likelier) else { break };
        waiting.retain(|&other| other != number);
        let Way { start, block, to } = &ways[number];
        let is_entry = area.places.is_empty() || returned_to.contains(&start.key);
        let bound = Bound { is_entry, slowest: area.blocks[*block].slowest };
        area.numbers.insert(*start, area.places.len());
        area.places.push(Place { start: *start, block: *block, bound });
        instructions += area.blocks[*block].instructions;
        for &next in to.iter().filter(|&&next| shares[next] >= least) {
            if !area.numbers.contains_key(&ways[next].start) && !waiting.contains(&next) {
                waiting.push(next);
            }
        }
        leads_to.push(to.iter().map(|&next| ways[next].start).collect::<Vec<_>>());
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

/// How often each block has executed. One that lies behind another also executes as often as that one runs on.
fn counts(area: &Area, numbers: &HashMap<u32, usize>, executions: Executions) -> Vec<u64> {
    let mut keys: Vec<(u32, usize)> = numbers.iter().map(|(&key, &block)| (key, block)).collect();
    keys.sort_unstable();
    let mut counts = vec![0; keys.len()];
    for (key, block) in keys {
        counts[block] = counts[block].max(executions(key));
        let (mut on, mut taken) = (None, 0);
        for op in &area.blocks[block].ops {
            match op.what {
                What::Branch { .. } => taken += executions(op.imm | key & 1),
                What::End => on = numbers.get(&(op.imm | key & 1)),
                _ => {}
            }
        }
        if let Some(&next) = on {
            counts[next] = counts[next].max(counts[block].saturating_sub(taken));
        }
    }
    counts
}

/// A start that may become a place: its block, and the starts that it leads to.
struct Way {
    start: Start,
    block: usize,
    to: Vec<usize>,
}

/// All starts that one leads to, the nearest first.
fn ways(area: &Area, numbers: &HashMap<u32, usize>, first: Start) -> Vec<Way> {
    let mut all = vec![Way { start: first, block: numbers[&first.key], to: Vec::new() }];
    let mut known = HashMap::from([(first, 0)]);
    let mut at = 0;
    while let Some(&Way { start, block, .. }) = all.get(at) {
        for start in successors(area, block, start).concat() {
            let Some(&block) = numbers.get(&start.key) else { continue };
            let number = known.get(&start).copied().unwrap_or(all.len());
            if number == all.len() {
                if number == MOST_STARTS {
                    continue;
                }
                known.insert(start, number);
                all.push(Way { start, block, to: Vec::new() });
            }
            all[at].to.push(number);
        }
        at += 1;
    }
    all
}

/// How often the program comes to each start: the executions of a block are shared among its starts as the ways there
/// are. The program has come to the first start just now, so half of what it had stays there.
fn shares(ways: &[Way], counts: &[u64]) -> Vec<f64> {
    let count = |number: usize| counts[ways[number].block] as f64;
    let mut shares = vec![0.0; ways.len()];
    shares[0] = count(0);
    for _ in 0..SWEEPS {
        let mut next = vec![0.0; ways.len()];
        next[0] = shares[0] / 2.0;
        for (Way { to, .. }, share) in ways.iter().zip(&shares) {
            let whole: f64 = to.iter().map(|&number| count(number)).sum();
            to.iter().for_each(|&number| next[number] += share * count(number) / whole.max(1.0));
        }
        let mut wholes = vec![0.0; counts.len()];
        ways.iter().zip(&next).for_each(|(way, share)| wholes[way.block] += share);
        for (number, share) in next.iter_mut().enumerate() {
            let whole: f64 = wholes[ways[number].block];
            *share *= if whole > 0.0 { count(number) / whole } else { 0.0 };
        }
        shares = next;
    }
    shares
}
