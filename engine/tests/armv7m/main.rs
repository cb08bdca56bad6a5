//! The ARMv7-M core: programs of our own, and random ones beside another simulator.

mod board;
mod cases;
mod emulated;
mod generate;
mod random;
mod running;
