//! An area: blocks that lead to each other, to become one function of the host.

use std::collections::{HashMap, VecDeque};

use super::super::chains::op::What;
use super::super::chains::Costs;
use super::super::translate::{self, Translated};
use super::super::AHEAD;
use crate::bus::CodeBus;
use crate::system::System;

/// An area has no more blocks.
const MOST_BLOCKS: usize = 48;
/// No block is added once it has so many instructions.
const MOST_INSTRUCTIONS: u32 = 500;

/// Blocks and how they lead to each other.
pub(super) struct Area {
    /// Their addresses (bit 0: in Thumb state).
    pub keys: Vec<u32>,
    pub blocks: Vec<Translated>,
    pub places: HashMap<u32, usize>,
    /// Where it may be entered: its first block, those that close a loop, and those behind calls. Only there, it is
    /// asked whether the time until the next event lasts.
    pub is_entry: Vec<bool>,
    /// The most cycles from the begin of each block to the next entry, or out of the area.
    pub slowest: Vec<u32>,
    /// Blocks behind calls.
    pub returned_to: Vec<usize>,
}

/// A block that leads somewhere, and where a call in it returns to.
struct Leads {
    to: Vec<u32>,
    returns: Vec<u32>,
}

fn leads(block: &Translated, state: u32) -> Leads {
    let mut leads = Leads { to: Vec::new(), returns: Vec::new() };
    let mut linked = None;
    for op in &block.ops {
        match op.what {
            What::Branch { .. } => {
                leads.to.push(op.imm | state);
                leads.returns.extend(linked);
            }
            What::End => leads.to.push(op.imm | state),
            _ => {}
        }
        linked = (op.what == What::Set && op.a == 14).then_some(op.imm & !1 | state);
    }
    leads
}

/// Finds the area that begins at a block. None where there is none.
pub(super) fn find(bus: &mut System, first: u32, costs: Costs) -> Option<Area> {
    let mut area = Area {
        keys: Vec::new(),
        blocks: Vec::new(),
        places: HashMap::new(),
        is_entry: Vec::new(),
        slowest: Vec::new(),
        returned_to: Vec::new(),
    };
    let view = bus.code_view();
    let (mut queue, mut instructions) = (VecDeque::from([first]), 0);
    let (mut successors, mut returns) = (Vec::new(), Vec::new());
    while let Some(key) = queue.pop_front() {
        if area.blocks.len() >= MOST_BLOCKS || instructions >= MOST_INSTRUCTIONS {
            break;
        }
        let (address, state) = (key & !1, key & 1);
        let length = if state == 1 { 2 } else { 4 };
        if area.places.contains_key(&key) || !view.has(address, length) {
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
        queue.extend(&leads.returns);
        returns.extend(leads.returns);
        successors.push(leads.to);
        instructions += block.instructions;
        area.places.insert(key, area.blocks.len());
        area.keys.push(key);
        area.blocks.push(block);
    }
    if area.places.get(&first) != Some(&0) {
        return None;
    }
    let inside: Vec<Vec<usize>> = successors
        .iter()
        .map(|to| to.iter().filter_map(|key| area.places.get(key).copied()).collect())
        .collect();
    area.is_entry = vec![false; area.blocks.len()];
    area.returned_to = returns.iter().filter_map(|key| area.places.get(key).copied()).collect();
    area.returned_to.sort_unstable();
    area.returned_to.dedup();
    area.is_entry[0] = true;
    for &place in &area.returned_to {
        area.is_entry[place] = true;
    }
    area.slowest = vec![0; area.blocks.len()];
    close_loops(&mut area, &inside);
    Some(area)
}

/// Marks the blocks that close loops, and sums the slowest ways between entries.
fn close_loops(area: &mut Area, successors: &[Vec<usize>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        UnderWay,
        Done,
    }
    let count = area.blocks.len();
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
                Seen::UnderWay => area.is_entry[successor] = true,
                Seen::Done => {}
            }
        }
    }
    // A block is done after all that it leads to, but for those that are entries.
    for place in order {
        let behind = successors[place].iter().filter(|&&next| !area.is_entry[next]);
        let most = behind.map(|&next| area.slowest[next]).max().unwrap_or(0);
        area.slowest[place] = area.blocks[place].slowest + most;
    }
}
