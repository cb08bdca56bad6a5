//! The AVR core against simavr, instruction by instruction, and its two tiers against each other.

mod cases;
mod compiled;
mod devices;
mod opcodes;
mod programs;
