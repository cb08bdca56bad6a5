//! The lines of a histogram, found quickly, and multiplied where iterations are skipped.

use std::collections::{BTreeMap, HashMap};

use super::{Charged, Line, Place};

/// Addresses of a page, as a power of two.
const PAGE_BITS: u32 = 12;
/// No line yet.
const NONE: u32 = u32::MAX;

/// Lines in the order in which they were first charged.
#[derive(Debug)]
pub(super) struct Lines {
    lines: Vec<(Place, Line)>,
    /// The line that is charged.
    current: usize,
    /// Lines charged to themselves: for each page of addresses the numbers of its lines, …
    pages: Vec<Box<[u32]>>,
    /// … the place of a page in that list, …
    index: HashMap<u32, usize>,
    /// … and the page used last.
    last: (u32, usize),
    others: HashMap<Place, usize>,
    /// Of the iteration under way: the lines that it charged, as they were before.
    before: Option<HashMap<usize, Line>>,
}

impl Default for Lines {
    /// One line: that of the time before the first instruction.
    fn default() -> Self {
        let first = Place { charged: Charged::Itself, address: None };
        Lines {
            lines: vec![(first, Line::default())],
            current: 0,
            pages: Vec::new(),
            index: HashMap::new(),
            last: (NONE, 0),
            others: HashMap::new(),
            before: None,
        }
    }
}

impl Lines {
    /// The line that is charged now.
    #[inline]
    pub fn current(&mut self) -> &mut Line {
        &mut self.lines[self.current].1
    }

    /// From here on this line is charged.
    #[inline]
    pub fn charge_to(&mut self, charged: Charged, address: u32) -> &mut Line {
        let place = Place { charged, address: Some(address) };
        // Often it is the one behind the line before.
        let next = self.current + 1;
        self.current = if self.lines.get(next).is_some_and(|(there, _)| *there == place) {
            next
        } else {
            self.find(place, address)
        };
        self.remember();
        self.current()
    }

    fn find(&mut self, place: Place, address: u32) -> usize {
        let new = self.lines.len();
        let found = if place.charged == Charged::Itself {
            let number = &mut self.page(address)[address as usize % (1 << PAGE_BITS)];
            if *number == NONE {
                *number = new as u32;
            }
            *number as usize
        } else {
            *self.others.entry(place).or_insert(new)
        };
        if found == new {
            self.lines.push((place, Line::default()));
        }
        found
    }

    fn page(&mut self, address: u32) -> &mut [u32] {
        let page = address >> PAGE_BITS;
        if self.last.0 != page {
            let pages = &mut self.pages;
            let place = *self.index.entry(page).or_insert_with(|| {
                pages.push(vec![NONE; 1 << PAGE_BITS].into_boxed_slice());
                pages.len() - 1
            });
            self.last = (page, place);
        }
        &mut self.pages[self.last.1]
    }

    /// All lines that were charged with anything.
    pub fn all(&self) -> BTreeMap<Place, Line> {
        self.lines.iter().filter(|(_, line)| *line != Line::default()).copied().collect()
    }

    fn remember(&mut self) {
        if let Some(before) = &mut self.before {
            before.entry(self.current).or_insert(self.lines[self.current].1);
        }
    }

    /// An iteration may begin here.
    pub fn follow(&mut self) {
        self.before = Some(HashMap::new());
        self.remember();
    }

    /// Charges all that the iteration charged `count` times more.
    pub fn repeat(&mut self, count: u64) {
        for (&number, before) in self.before.iter().flatten() {
            let line = &mut self.lines[number].1;
            line.executions += (line.executions - before.executions) * count;
            line.costs.repeat(before.costs, count);
        }
    }

    /// No iteration is under way.
    pub fn unfollow(&mut self) {
        self.before = None;
    }
}
