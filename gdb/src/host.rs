//! The interface of a server to the program around it.

use cyclescope_engine::board::{Board, Request, Stop};
use cyclescope_engine::error::{Error, Result};

/// A register of a thread that does not run: the word at `address`, plus `offset`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The register's name in gdb.
    pub register: String,
    /// Where the word is.
    pub address: u32,
    /// Added to the word.
    pub offset: i32,
}

/// A thread of the program, as its kernel keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its number, not 0. It stays the same while the thread exists.
    pub id: u32,
    /// Its name and state, for people.
    pub label: String,
    /// Its registers in memory; `None` if it runs: the core's are its own.
    pub saved: Option<Vec<Saved>>,
}

/// The program around a server: it has the board, and everything outside the board.
pub trait Host {
    /// Its errors. Each ends the session and is returned.
    type Error: From<Error>;

    /// Does something with the board.
    fn with_board<T>(&mut self, act: impl FnOnce(&mut Board) -> T) -> T;

    /// Runs the board.
    ///
    /// # Errors
    /// As [`Board::run`], and the host's own.
    fn run(&mut self, request: &Request) -> std::result::Result<Stop, Self::Error>;

    /// Returns the board to power-on, at the entry of its program.
    ///
    /// # Errors
    /// The host's own.
    fn reset(&mut self) -> std::result::Result<(), Self::Error>;

    /// Hands over what waits between board and outside. Called between the slices of a run, and every
    /// 50 ms while gdb is waited for.
    ///
    /// # Errors
    /// The host's own.
    fn exchange(&mut self) -> std::result::Result<(), Self::Error>;

    /// Answers gdb's `monitor COMMAND`. Whether the board's registers may have changed is not asked.
    ///
    /// # Errors
    /// The host's own.
    fn monitor(&mut self, command: &str) -> std::result::Result<String, Self::Error>;

    /// The threads there are now, the running one first; none where the program has no kernel, or has not
    /// started it.
    ///
    /// # Errors
    /// The host's own.
    fn threads(&mut self) -> std::result::Result<Vec<Thread>, Self::Error>;

    /// Says a sentence to the person who started the server.
    ///
    /// # Errors
    /// The host's own.
    fn say(&mut self, sentence: &str) -> std::result::Result<(), Self::Error>;
}

/// The result of an operation on a board, whose error gdb shows as a number alone.
pub(crate) type BoardResult<T> = Result<T>;
