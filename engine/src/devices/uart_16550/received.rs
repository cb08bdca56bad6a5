//! The receive FIFO: characters with their errors, and their bits of LSR.

use std::collections::VecDeque;

const DATA_READY: u32 = 1 << 0;
const OVERRUN: u32 = 1 << 1;
const FIFO_ERROR: u32 = 1 << 7;

/// A received character.
#[derive(Clone, Copy, Debug)]
pub struct Character {
    /// The data bits.
    pub data: u8,
    /// Parity error, framing error and break, at their places in LSR.
    pub errors: u32,
}

/// The characters received and not yet read.
#[derive(Clone, Debug, Default)]
pub struct Received {
    characters: VecDeque<Character>,
    overrun: bool,
}

impl Received {
    /// How many wait.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// One more, lost if `depth` are there already.
    pub fn push(&mut self, character: Character, depth: usize) {
        if self.len() < depth {
            self.characters.push_back(character);
        } else {
            self.overrun = true;
        }
    }

    /// Takes the first; 0 if there is none.
    pub fn pop(&mut self) -> u8 {
        self.characters.pop_front().map_or(0, |character| character.data)
    }

    /// Drops all characters.
    pub fn clear(&mut self) {
        self.characters.clear();
    }

    /// Overrun, and the errors of the first character.
    pub fn errors(&self) -> u32 {
        let first = self.characters.front().map_or(0, |character| character.errors);
        first | if self.overrun { OVERRUN } else { 0 }
    }

    /// The bits of LSR that are about reception.
    pub fn status(&self) -> u32 {
        let ready = if self.len() > 0 { DATA_READY } else { 0 };
        let any = self.characters.iter().any(|character| character.errors != 0);
        self.errors() | ready | if any { FIFO_ERROR } else { 0 }
    }

    /// LSR was read: what it showed is over.
    pub fn clear_errors(&mut self) {
        self.overrun = false;
        if let Some(first) = self.characters.front_mut() {
            first.errors = 0;
        }
    }
}
