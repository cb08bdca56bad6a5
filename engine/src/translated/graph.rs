//! Blocks that lead to each other: which of them become one function, where they return to, and where loops close.
//!
//! How often each block has executed so far says which belong to it: code that hardly executes is not worth the time
//! to translate it.

use std::collections::{BinaryHeap, HashMap, HashSet};

/// An area has no more blocks.
const MOST_BLOCKS: usize = 128;
/// No block is added once all have so many instructions.
const MOST_INSTRUCTIONS: u32 = 1_000;
/// A block is left out that has executed so many times less than the first; and a place that is so much less likely.
pub(crate) const SELDOM: u64 = 32;

/// How often the block at an address has executed.
pub(crate) type Executions<'a> = &'a dyn Fn(u32) -> u64;

/// Where a block leads, and its calls: to where, and where they return to.
#[derive(Default)]
pub(crate) struct Leads {
    pub to: Vec<u32>,
    pub calls: Vec<(u32, u32)>,
}

/// A core's decoded block.
pub(crate) trait Decoded {
    /// Its instructions.
    fn instructions(&self) -> u32;
    /// Where it leads; `key` is its address.
    fn leads(&self, key: u32) -> Leads;
}

/// Blocks, by their addresses. The first is that which the others were found from.
pub(crate) struct Graph<B> {
    pub keys: Vec<u32>,
    pub blocks: Vec<B>,
    pub leads: Vec<Leads>,
    pub numbers: HashMap<u32, usize>,
}

impl<B: Decoded> Graph<B> {
    /// Finds the blocks that the one at `first` leads to, the most executed first. `decode` has those that may be
    /// translated.
    pub fn find(
        first: u32,
        executions: Executions,
        mut decode: impl FnMut(u32) -> Option<B>,
    ) -> Self {
        let (keys, blocks, leads) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = Graph { keys, blocks, leads, numbers: HashMap::new() };
        let least = executions(first).div_ceil(SELDOM).max(1);
        let (mut queue, mut instructions) = (BinaryHeap::from([(u64::MAX, first)]), 0);
        while let Some((_, key)) = queue.pop() {
            if found.blocks.len() >= MOST_BLOCKS || instructions >= MOST_INSTRUCTIONS {
                break;
            }
            if found.numbers.contains_key(&key) {
                continue;
            }
            let Some(block) = decode(key) else { continue };
            let leads = block.leads(key);
            let called = leads.calls.iter().flat_map(|&(to, back)| [to, back]);
            let counted = leads.to.iter().copied().chain(called).map(|key| (executions(key), key));
            queue.extend(counted.filter(|&(count, _)| count >= least));
            instructions += block.instructions();
            found.numbers.insert(key, found.blocks.len());
            found.keys.push(key);
            found.blocks.push(block);
            found.leads.push(leads);
        }
        found
    }

    /// Ends each block where another begins, so that no instruction is in two. `part` decodes the block at an address up
    /// to where the function says that another begins.
    pub fn split(&mut self, part: impl Fn(u32, &dyn Fn(u32) -> bool) -> Option<B>) {
        let Graph { keys, blocks, leads: all, numbers } = self;
        for ((&key, block), leads_to) in keys.iter().zip(blocks).zip(all) {
            if let Some(part) = part(key, &|other| numbers.contains_key(&other)) {
                *leads_to = part.leads(key);
                *block = part;
            }
        }
    }

    /// Where each block may return to: behind the calls of all functions that it is part of.
    pub fn returns(&self) -> Vec<Vec<u32>> {
        let mut returns = vec![HashSet::new(); self.blocks.len()];
        let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(to, back) in self.leads.iter().flat_map(|leads| &leads.calls) {
            if self.numbers.contains_key(&back) {
                callers.entry(to).or_default().push(back);
            }
        }
        for (function, backs) in callers {
            let (mut seen, mut stack) = (HashSet::new(), vec![function]);
            while let Some(key) = stack.pop() {
                let Some(&number) = self.numbers.get(&key) else { continue };
                if seen.insert(number) {
                    let leads = &self.leads[number];
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

    /// The addresses that calls return to.
    pub fn returned_to(&self) -> HashSet<u32> {
        self.leads.iter().flat_map(|leads| &leads.calls).map(|&(_, back)| back).collect()
    }
}

/// A place of an area, where the program may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The area may be entered here. Only here, it is asked whether the time until the next event lasts.
    pub is_entry: bool,
    /// The most cycles from here to the next entry, or out of the area.
    pub slowest: u32,
}

/// Marks the places that close loops, and sums the slowest ways between entries. `bounds` has the entries so far and the
/// most cycles of each place alone.
pub(crate) fn close_loops(bounds: &mut [Bound], successors: &[Vec<usize>]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        UnderWay,
        Done,
    }
    let count = bounds.len();
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
                Seen::UnderWay => bounds[successor].is_entry = true,
                Seen::Done => {}
            }
        }
    }
    // A place is done after all that it leads to, but for those that are entries.
    for place in order {
        let behind = successors[place].iter().map(|&next| bounds[next]);
        let most = behind.filter(|next| !next.is_entry).map(|next| next.slowest).max();
        bounds[place].slowest += most.unwrap_or(0);
    }
}
