//! The ARMv7-M core: programs of our own, and random ones beside another simulator.

mod any_program;
mod board;
mod cases;
mod emulated;
mod faults;
mod generate;
mod interrupts;
mod opcodes;
mod random;
mod registers;
mod running;
mod tiers;
mod waits;
