//! Translations where there are none: decoded blocks run.

pub(super) use crate::translated::absent::{Entry, Natives};

/// How a function is left.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code)] // none is
pub(super) enum Exit {
    Boundary {},
    Branched,
    Unfinished { key: u32, index: u8, since: u32 },
    Far { key: u32, index: u8 },
}
