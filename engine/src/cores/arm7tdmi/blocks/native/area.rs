//! An area: blocks that lead to each other, to become one function of the host.
//!
//! Where a flash is read ahead, a block has a place for each way in which the flash may be found.

use std::collections::{HashMap, HashSet, VecDeque};

use super::super::chains::op::What;
use super::super::chains::Costs;
use super::super::translate::{self, Translated};
use super::super::AHEAD;
use super::fetching::{Fetched, Fetching};
use crate::bus::CodeBus;
use crate::system::System;

/// An area has no more blocks.
const MOST_BLOCKS: usize = 48;
/// No block is added once all have so many instructions.
const MOST_INSTRUCTIONS: u32 = 500;
/// No place is added once all have so many instructions.
const MOST_PLACED: u32 = 1_500;

/// A block of an area, with what the flash holds when it begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Start {
    /// Its address (bit 0: in Thumb state).
    pub key: u32,
    pub fetched: Fetched,
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

/// Finds the blocks that one leads to.
fn blocks(bus: &mut System, first: u32, costs: Costs, fetching: Fetching) -> Blocks {
    let mut found =
        Blocks { keys: Vec::new(), blocks: Vec::new(), leads: Vec::new(), numbers: HashMap::new() };
    let view = fetching.view;
    let (mut queue, mut instructions) = (VecDeque::from([first]), 0);
    while let Some(key) = queue.pop_front() {
        if found.blocks.len() >= MOST_BLOCKS || instructions >= MOST_INSTRUCTIONS {
            break;
        }
        let (address, state) = (key & !1, key & 1);
        let length = if state == 1 { 2 } else { 4 };
        if found.numbers.contains_key(&key) || !view.has(address, length) {
            continue;
        }
        let Some(block) = translate::block_at(bus, address, state == 1, costs) else { continue };
        let bytes = (block.instructions + AHEAD as u32) * length;
        let tracked = block.constants.iter().all(|&at| bus.track_writes(at, 4));
        if !view.has(address, bytes) || !tracked || !bus.track_writes(address, bytes) {
            continue;
        }
        let leads = leads(&block, state);
        queue.extend(&leads.to);
        queue.extend(leads.calls.iter().flat_map(|&(to, back)| [to, back]));
        instructions += block.instructions;
        found.numbers.insert(key, found.blocks.len());
        found.keys.push(key);
        found.blocks.push(block);
        found.leads.push(leads);
    }
    found
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

/// Where a block leads that begins so.
fn successors(area: &Area, block: usize, start: Start) -> Vec<Start> {
    let (fetching, mut fetched, state) = (area.fetching, start.fetched, start.key & 1);
    let mut to = Vec::new();
    let mut behind = |key: u32, mut fetched: Fetched| {
        fetching.refill(&mut fetched, key);
        to.push(Start { key, fetched });
    };
    let mut straight = Vec::new();
    for op in &area.blocks[block].ops {
        match op.what {
            What::Cross => {
                fetching.run_on(&mut fetched, op.imm);
            }
            What::Branch { .. } => behind(op.imm | state, fetched),
            What::End => straight.push(op.imm | state),
            What::Jump | What::Exchange => {
                area.returns[block].iter().for_each(|&key| behind(key, fetched));
            }
            _ => {}
        }
    }
    to.extend(straight.into_iter().map(|key| Start { key, fetched: behind_block(key, fetched) }));
    to
}

/// The same at the end of a block, where the program goes straight on at `key`.
pub(super) fn behind_block(key: u32, fetched: Fetched) -> Fetched {
    let length = if key & 1 == 1 { 2 } else { 4 };
    Fetched { last: (key & !1).wrapping_add(length), ..fetched }
}

/// Finds the area that begins at a block. None where there is none.
pub(super) fn find(bus: &mut System, first: u32, costs: Costs) -> Option<Area> {
    let fetching = Fetching::now(bus)?;
    let start = Start { key: first, fetched: Fetching::at(bus, first) };
    let found = blocks(bus, first, costs, fetching);
    if found.numbers.get(&first) != Some(&0) {
        return None;
    }
    let returns = returns(&found);
    let Blocks { blocks, leads, numbers, .. } = found;
    let returned_to: HashSet<u32> =
        leads.iter().flat_map(|leads| &leads.calls).map(|&(_, back)| back).collect();
    let (places, keyed) = (Vec::new(), HashMap::new());
    let mut area = Area { blocks, places, numbers: keyed, returns, fetching };
    let (mut queue, mut instructions) = (VecDeque::from([start]), 0);
    let mut leads_to = Vec::new();
    while let Some(start) = queue.pop_front() {
        if instructions >= MOST_PLACED {
            break;
        }
        let Some(&block) = numbers.get(&start.key) else { continue };
        if area.numbers.contains_key(&start) {
            continue;
        }
        area.numbers.insert(start, area.places.len());
        let is_entry = area.places.is_empty() || returned_to.contains(&start.key);
        area.places.push(Place { start, block, is_entry, slowest: 0 });
        instructions += area.blocks[block].instructions;
        let to = successors(&area, block, start);
        queue.extend(&to);
        leads_to.push(to);
    }
    let numbered = |to: &Vec<Start>| {
        to.iter().filter_map(|start| area.numbers.get(start).copied()).collect::<Vec<_>>()
    };
    let inside: Vec<Vec<usize>> = leads_to.iter().map(numbered).collect();
    close_loops(&mut area, &inside);
    Some(area)
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
