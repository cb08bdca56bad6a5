//! Virtual boards that are exact to the clock cycle.
//!
//! One rule carries the whole engine: **calling the bus is the passage of time**. A [`core`] owns
//! no clock and no memory; it calls [`bus::Bus`] for every cycle it spends. The board's bus charges
//! the cycles and lets events that fall due fire as if inside the access. `DESIGN.md` says why.

pub mod bench;
pub mod board;
pub mod bus;
pub mod core;
pub mod cores;
pub mod device;
pub mod devices;
pub mod energy;
pub mod error;
pub mod event;
pub mod framing;
pub mod image;
pub(crate) mod infrared;
pub mod instrument;
pub mod instruments;
pub mod memory;
pub mod moves;
pub mod pricing;
pub mod processor;
pub mod recording_bus;
pub mod registry;
pub mod semihosting;
pub mod system;
pub mod time;
pub mod timing;
mod translated;
