//! An area: blocks that lead to each other, to become one function of the host.
//!
//! How often each block has executed so far says which belong to it: code that hardly executes is not worth the time
//! to translate it. Where a flash is read ahead, a block has a place for each way in which the flash may be found.

use std::collections::{BinaryHeap, HashMap, HashSet};

use super::super::chains::op::What;
use super::super::chains::Costs;
use super::super::translate::{self, Translated};
use super::super::AHEAD;
use super::fetching::{Fetched, Fetching};
use crate::bus::CodeBus;
use crate::system::System;

/// An area has no more blocks.
const MOST_BLOCKS: usize = 128;
/// No block is added once all have so many instructions.
const MOST_INSTRUCTIONS: u32 = 1_000;
/// No place is added once all have so many instructions.
const MOST_PLACED: u32 = 1_500;
/// A block is left out that has executed so many times less than the first; and a place that is so much less likely.
const SELDOM: u64 = 32;
/// Fractions of an execution.
const FRACTIONS: u64 = 1 << 16;

/// How often the block at an address has executed.
pub(super) type Executions<'a> = &'a dyn Fn(u32) -> u64;

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
    /// The area may be entered here: at its first place, at those that close a loop, and at those behind calls. Only
    /// here, it is asked whether the time until the next event lasts.
    pub is_entry: bool,
    /// The most cycles from here to the next entry, or out of the area.
    pub slowest: u32,
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

/// Where a block leads, and its calls: to where, and where they return to.
#[derive(Default)]
struct Leads {
    to: Vec<u32>,
    calls: Vec<(u32, u32)>,
}

fn leads(block: &Translated, state: u32) -> Leads {
    let mut leads = Leads::default();
    let mut linked = None;
    for op in &block.ops {
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

/// Blocks, by their addresses.
struct Blocks {
    keys: Vec<u32>,
    blocks: Vec<Translated>,
    leads: Vec<Leads>,
    numbers: HashMap<u32, usize>,
}

/// Finds the blocks that one leads to, the most executed first.
fn blocks(
    bus: &mut System,
    first: u32,
    costs: Costs,
    (fetching, executions): (Fetching, Executions),
) -> Blocks {
    let mut found =
        Blocks { keys: Vec::new(), blocks: Vec::new(), leads: Vec::new(), numbers: HashMap::new() };
    let view = fetching.view;
    let least = executions(first).div_ceil(SELDOM).max(1);
    let (mut queue, mut instructions) = (BinaryHeap::from([(u64::MAX, first)]), 0);
    while let Some((_, key)) = queue.pop() {
        if found.blocks.len() >= MOST_BLOCKS || instructions >= MOST_INSTRUCTIONS {
            break;
        }
        let (address, state) = (key & !1, key & 1);
        let length = if state == 1 { 2 } else { 4 };
        if found.numbers.contains_key(&key) || !view.has(address, length) {
            continue;
        }
        let Some(block) = translate::block_at(bus, address, state == 1, costs, |_| false) else {
            continue;
        };
        let bytes = (block.instructions + AHEAD as u32) * length;
        let tracked = block.constants.iter().all(|&at| bus.track_writes(at, 4));
        if !view.has(address, bytes) || !tracked || !bus.track_writes(address, bytes) {
            continue;
        }
        let leads = leads(&block, state);
        let called = leads.calls.iter().flat_map(|&(to, back)| [to, back]);
        let counted = leads.to.iter().copied().chain(called).map(|key| (executions(key), key));
        queue.extend(counted.filter(|&(count, _)| count >= least));
        instructions += block.instructions;
        found.numbers.insert(key, found.blocks.len());
        found.keys.push(key);
        found.blocks.push(block);
        found.leads.push(leads);
    }
    split(bus, &mut found, costs);
    found
}

/// Ends each block where another begins, so that no instruction is in two.
fn split(bus: &System, found: &mut Blocks, costs: Costs) {
    let Blocks { keys, blocks, leads: all, numbers } = found;
    for ((&key, block), leads_to) in keys.iter().zip(blocks).zip(all) {
        let (address, state) = (key & !1, key & 1);
        let is_another = |pc: u32| numbers.contains_key(&(pc | state));
        if let Some(part) = translate::block_at(bus, address, state == 1, costs, is_another) {
            *leads_to = leads(&part, state);
            *block = part;
        }
    }
}

/// Where each block may return to: behind the calls of all functions that it is part of.
fn returns(found: &Blocks) -> Vec<Vec<u32>> {
    let mut returns = vec![HashSet::new(); found.blocks.len()];
    let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
    for &(to, back) in found.leads.iter().flat_map(|leads| &leads.calls) {
        if found.numbers.contains_key(&back) {
            callers.entry(to).or_default().push(back);
        }
    }
    for (function, backs) in callers {
        let (mut seen, mut stack) = (HashSet::new(), vec![function]);
        while let Some(key) = stack.pop() {
            let Some(&number) = found.numbers.get(&key) else { continue };
            if seen.insert(number) {
                let leads = &found.leads[number];
                stack.extend(&leads.to);
                stack.extend(leads.calls.iter().map(|&(_, back)| back));
                returns[number].extend(&backs);
            }
        }
    }
    let sorted = returns.into_iter().map(|one| {
        let mut keys: Vec<u32> = one.into_iter().collect();
        keys.sort_unstable();
        keys
    });
    sorted.collect()
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
    let returns = returns(&found);
    let Blocks { blocks, leads, numbers, .. } = found;
    let returned_to: HashSet<u32> =
        leads.iter().flat_map(|leads| &leads.calls).map(|&(_, back)| back).collect();
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
        area.places.push(Place { start, block, is_entry, slowest: 0 });
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
    close_loops(&mut area, &inside);
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

/// Marks the places that close loops, and sums the slowest ways between entries.
fn close_loops(area: &mut Area, successors: &[Vec<usize>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        UnderWay,
        Done,
    }
    let count = area.places.len();
    let mut seen = vec![Seen::Not; count];
    let mut order = Vec::with_capacity(count);
    for root in 0..count {
        if seen[root] != Seen::Not {
            continue;
        }
        let mut stack = vec![(root, 0)];
        seen[root] = Seen::UnderWay;
        while let Some((place, next)) = stack.pop() {
            let Some(&successor) = successors[place].get(next) else {
                seen[place] = Seen::Done;
                order.push(place);
                continue;
            };
            stack.push((place, next + 1));
            match seen[successor] {
                Seen::Not => {
                    seen[successor] = Seen::UnderWay;
                    stack.push((successor, 0));
                }
                Seen::UnderWay => area.places[successor].is_entry = true,
                Seen::Done => {}
            }
        }
    }
    // A place is done after all that it leads to, but for those that are entries.
    for number in order {
        let behind = successors[number].iter().map(|&next| &area.places[next]);
        let most = behind.filter(|next| !next.is_entry).map(|next| next.slowest).max().unwrap_or(0);
        area.places[number].slowest = area.blocks[area.places[number].block].slowest + most;
    }
}
