//! Translations where there are none: decoded blocks run.

use super::chains::registers::Registers;
use super::chains::Costs;
use crate::system::System;
use crate::time::Cycle;
use crate::translated::Made;

/// How a function is left.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // none is
pub(super) enum Exit {
    Boundary {},
    Branched,
    Unfinished { key: u32, index: u8, since: u32 },
    Far { key: u32, index: u8 },
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

    pub fn translate(
        &mut self,
        _: &mut System,
        _: (u32, bool),
        _: (Costs, (u32, usize)),
        _: &dyn Fn(u32) -> u64,
    ) -> Made<Entry> {
        Made::Refused
    }

    pub fn holds(&self, _: &Entry, _: &System, _: &Registers) -> bool {
        false
    }

    pub fn run(&self, _: Entry, _: &mut Registers, _: &mut System, _: (Cycle, &mut u64)) -> Exit {
        Exit::Branched
    }
}
