//! A virtual board behind gdb's remote protocol (docs/reference/gdb.md).
//!
//! The engine knows nothing of gdb. This crate sees a board between two instructions, and runs it in slices as
//! any caller does. So a session spends the cycles of the program and no others.

mod arch;
mod breakpoints;
mod connection;
mod cores;
mod debuggee;
mod extended;
mod host;
mod layout;
mod memory;
mod monitor;
mod registers;
mod resume;
mod server;
mod threads;

pub use host::{Host, Saved, Thread};
pub use server::{Ended, Server};
