//! Counters of accesses, found quickly, and multiplied where iterations are skipped.

use std::collections::{BTreeMap, HashMap};

use super::{Accessor, Count, Direction, Kind, Target};
use crate::bus::Width;
use crate::time::Cycle;

/// Directions times widths.
const KINDS: usize = 9;

#[derive(Debug)]
pub(super) struct Counters {
    memories: usize,
    by: Accessor,
    /// The row of the accessor in `places`.
    row: usize,
    rows: HashMap<Accessor, usize>,
    /// The counter of accesses to a memory, by row, memory, direction and width.
    places: Vec<Option<usize>>,
    others: HashMap<Kind, usize>,
    counts: Vec<(Kind, Count)>,
    /// Counters and cycles of the iteration under way.
    iteration: Option<Vec<(usize, Cycle)>>,
}

impl Counters {
    /// Counters of a board with so many memories.
    pub fn new(memories: usize) -> Counters {
        let mut counters = Counters {
            memories,
            by: Accessor::NoFunction,
            row: 0,
            rows: HashMap::new(),
            places: Vec::new(),
            others: HashMap::new(),
            counts: Vec::new(),
            iteration: None,
        };
        counters.count_for(Accessor::NoFunction);
        counters
    }

    /// Everything back to 0.
    pub fn clear(&mut self) {
        let by = self.by;
        *self = Counters::new(self.memories);
        self.count_for(by);
    }

    /// Accesses of the core are made by this one from here on.
    pub fn count_for(&mut self, by: Accessor) {
        let new = self.rows.len();
        self.by = by;
        self.row = *self.rows.entry(by).or_insert(new);
        if self.row == new {
            self.places.resize((new + 1) * self.memories * KINDS, None);
        }
    }

    /// Counts an access of the core.
    #[inline]
    pub fn count(&mut self, to: Target, direction: Direction, width: Width, cycles: Cycle) {
        let kind = Kind { by: self.by, to, direction, width };
        let Target::Memory(memory) = to else { return self.count_kind(kind, cycles) };
        let column = direction as usize * 3 + width as usize;
        let place = (self.row * self.memories + memory) * KINDS + column;
        let number = self.places[place].unwrap_or_else(|| {
            self.counts.push((kind, Count::default()));
            self.counts.len() - 1
        });
        self.places[place] = Some(number);
        self.add(number, cycles);
    }

    /// Counts an access of any kind.
    pub fn count_kind(&mut self, kind: Kind, cycles: Cycle) {
        let new = self.counts.len();
        let number = *self.others.entry(kind).or_insert(new);
        if number == new {
            self.counts.push((kind, Count::default()));
        }
        self.add(number, cycles);
    }

    fn add(&mut self, number: usize, cycles: Cycle) {
        let count = &mut self.counts[number].1;
        count.accesses += 1;
        count.cycles += cycles;
        if let Some(iteration) = &mut self.iteration {
            iteration.push((number, cycles));
        }
    }

    /// All counters.
    pub fn all(&self) -> BTreeMap<Kind, Count> {
        self.counts.iter().copied().collect()
    }

    /// An iteration may begin here.
    pub fn follow(&mut self) {
        self.iteration = Some(Vec::new());
    }

    /// Counts all that the iteration counted `times` more.
    pub fn repeat(&mut self, times: u64) {
        for &(number, cycles) in self.iteration.iter().flatten() {
            let count = &mut self.counts[number].1;
            count.accesses += times;
            count.cycles += times * cycles;
        }
    }

    /// No iteration is under way.
    pub fn unfollow(&mut self) {
        self.iteration = None;
    }
}
