//! Translations where there are none: decoded blocks run.

use super::super::Avr;
use super::timeless::Timeless;
use super::Left;
use crate::translated::Made;

/// The memories that functions would be translated for.
#[derive(Clone, Copy)]
pub(super) struct Memories;

impl Memories {
    pub fn of(_: &Timeless, _: &Avr) -> Self {
        Memories
    }
}

/// An entry of a function: there is none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub slowest: u32,
}

/// All translations: none.
#[derive(Default)]
pub(super) struct Natives {}

impl Natives {
    pub fn forget(&mut self) {}

    pub fn translate<B>(
        &mut self,
        _: &mut B,
        _: u32,
        _: Memories,
        _: &dyn Fn(u32) -> u64,
    ) -> Made<Entry> {
        Made::Refused
    }

    pub fn holds(&self, _: Entry, _: &Timeless, _: &Avr) -> bool {
        false
    }

    pub fn run(&self, _: Entry, _: &mut Avr, _: &mut Timeless, _: u32) -> Left {
        Left::Ended
    }
}
