//! Translations where there are none: decoded blocks run.

use std::convert::Infallible;

use super::Made;

/// An entry of a function: there is none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub slowest: u32,
    none: Infallible,
}

/// All translations of a core: none. It has what a core's own have.
#[derive(Default)]
pub(crate) struct Natives {}

impl Natives {
    pub fn forget(&mut self) {}

    pub fn translate<B, F, M>(
        &mut self,
        _: &mut B,
        _: F,
        _: M,
        _: &dyn Fn(u32) -> u64,
    ) -> Made<Entry> {
        Made::Refused
    }

    pub fn holds<E, B, C>(&self, _: E, _: &B, _: &C) -> bool {
        false
    }

    pub fn run<A, B, T, L>(&self, entry: Entry, _: &mut A, _: &mut B, _: T) -> L {
        match entry.none {}
    }
}
