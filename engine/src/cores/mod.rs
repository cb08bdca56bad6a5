//! The cores, one folder each.

pub mod arm7tdmi;
pub mod armv7m;
pub mod avr;
mod build_attributes;

use crate::core::Architecture;

/// Every core that the engine brings.
pub(crate) static ALL: [&dyn Architecture; 3] =
    [&arm7tdmi::ARCHITECTURE, &avr::ARCHITECTURE, &armv7m::ARCHITECTURE];
