//! An area: blocks that lead to each other, to become one function of the host.

use std::collections::HashMap;

use super::super::super::decoder::{operation, Operation as O};
use super::super::decode::{sequence_at, Sequence};
use crate::bus::CodeBus;
use crate::translated::graph::{close_loops, Bound, Decoded, Executions, Graph, Leads};

/// A block of an area.
pub(super) struct Place {
    pub pc: u32,
    pub sequence: Sequence,
    /// Where it may return to, as far as its callers are in the area.
    pub returns: Vec<u32>,
    /// It is an entry if it is the first place, closes a loop, or lies behind a call.
    pub bound: Bound,
}

/// Blocks and how they lead to each other.
pub(super) struct Area {
    pub places: Vec<Place>,
    /// By the address of a block.
    pub numbers: HashMap<u32, usize>,
}

/// A call leads there if its target is in registers.
const NOWHERE: u32 = u32::MAX;

/// A sequence in a program memory of as many words as the mask has addresses.
struct Masked {
    sequence: Sequence,
    pc_mask: u32,
}

impl Decoded for Masked {
    fn instructions(&self) -> u32 {
        self.sequence.placed.len() as u32
    }

    fn leads(&self, key: u32) -> Leads {
        let mut leads = Leads::default();
        let mask = |pc: u32| pc & self.pc_mask;
        let on = mask(key + self.sequence.words);
        let Some(last) = self.sequence.placed.last().filter(|_| self.sequence.flows) else {
            leads.to.push(on);
            return leads;
        };
        let far = mask(on.wrapping_add(last.instruction.distance()));
        let absolute = mask(last.instruction.target(last.behind));
        match last.instruction.operation {
            O::Cpse | O::Sbrc | O::Sbrs => {
                leads.to.extend([on, mask(on + operation(last.behind).words() as u32)]);
            }
            O::Sbic | O::Sbis => leads.to.push(on),
            O::Brbs | O::Brbc => leads.to.extend([on, far]),
            O::Rjmp => leads.to.push(far),
            O::Jmp => leads.to.push(absolute),
            O::Rcall => leads.calls.push((far, on)),
            O::Call => leads.calls.push((absolute, on)),
            O::Icall | O::Eicall => leads.calls.push((NOWHERE, on)),
            _ => {}
        }
        leads
    }
}

/// Finds the area that begins at a block. None where there is none.
pub(super) fn find(
    bus: &mut impl CodeBus,
    first: u32,
    pc_mask: u32,
    executions: Executions,
) -> Option<Area> {
    let mut found = Graph::find(first, executions, |pc| {
        let sequence = sequence_at(bus, pc, |_| false);
        // A skip also depends on the instruction behind it, which may have two words.
        let bytes = 2 * (sequence.words + 2);
        let holds = !sequence.placed.is_empty() && bus.track_writes(2 * pc, bytes);
        holds.then_some(Masked { sequence, pc_mask })
    });
    found.split(|pc, is_another| {
        let sequence = sequence_at(bus, pc, is_another);
        Some(Masked { sequence, pc_mask })
    });
    if found.numbers.get(&first) != Some(&0) {
        return None;
    }
    let (mut returns, returned_to) = (found.returns(), found.returned_to());
    let ends_by_return = |block: &Masked| {
        let last = block.sequence.placed.last();
        last.is_some_and(|last| last.instruction.operation == O::Ret)
    };
    for (block, returns) in found.blocks.iter().zip(&mut returns) {
        if !ends_by_return(block) {
            returns.clear();
        }
    }
    let leads = found.leads.iter().zip(&returns);
    let successors: Vec<Vec<usize>> = leads
        .map(|(leads, returns)| {
            let called = leads.calls.iter().map(|(to, _)| to);
            let all = leads.to.iter().chain(called).chain(returns);
            all.filter_map(|pc| found.numbers.get(pc).copied()).collect()
        })
        .collect();
    let bounds = found.keys.iter().zip(&found.blocks).map(|(pc, block)| Bound {
        is_entry: *pc == first || returned_to.contains(pc),
        slowest: block.sequence.slowest(),
    });
    let mut bounds: Vec<Bound> = bounds.collect();
    close_loops(&mut bounds, &successors);
    let Graph { keys, blocks, numbers, .. } = found;
    let places = keys.into_iter().zip(blocks).zip(returns).zip(bounds);
    let places = places.map(|(((pc, block), returns), bound)| Place {
        pc,
        sequence: block.sequence,
        returns,
        bound,
    });
    Some(Area { places: places.collect(), numbers })
}
