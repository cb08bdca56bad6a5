//! Translations where there are none: decoded blocks run.

use super::super::Avr;
use super::timeless::Timeless;

pub(super) use crate::translated::absent::{Entry, Natives};

/// The memories that functions would be translated for.
#[derive(Clone, Copy)]
pub(super) struct Memories;

impl Memories {
    pub fn of(_: &Timeless, _: &Avr) -> Self {
        Memories
    }
}
