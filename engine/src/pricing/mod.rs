//! The exact price of a piece of code, without a board and without executing a program.
//!
//! Each instruction makes the accesses that its core makes, in their order, on the memories of a board file. A
//! program's values are not known, so the caller gives what follows from them. It says which way branches go, which
//! conditions fail, where data lie, and how long a multiplication takes. The core's executor makes the accesses and the board's system charges them:
//! no cost is written down twice.

mod passage;
mod retrace;

use std::collections::HashMap;

pub use passage::Passage;
pub use retrace::{retrace, Accessed, Ending, Retrace, Retraced};

use crate::board::build;
use crate::board::description::Description;
use crate::bus::{Bus, Width};
use crate::error::{Error, Result};
use crate::registry::Registry;
use crate::system::System;
use crate::time::Cycle;

/// An instruction, and what follows from values that its code does not show.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Its address, as a branch that selects the encoding has it.
    pub at: u32,
    /// Whether its condition holds.
    pub executes: bool,
    /// Where it branches to, if that is not in its opcode; as a branch has it.
    pub target: Option<u32>,
    /// Cycles of its multiplication, 1 to 4.
    pub multiplier_cycles: u8,
}

/// How a core makes the accesses of instructions of which only the code is known.
pub trait Outline: Send + Sync {
    /// Makes the accesses of one instruction. Returns the address of the next one.
    ///
    /// # Errors
    /// A clause, when something is not given that must be.
    fn step(&mut self, given: Given, passage: &mut Passage<'_>)
        -> std::result::Result<u32, String>;

    /// Bytes of the instruction at `at`.
    fn length(&self, at: u32) -> u32;

    /// Its memory between instructions.
    fn state(&self) -> u64;

    /// Lets it remember what [`state`](Outline::state) returned.
    fn set_state(&mut self, state: u64);
}

/// Where an instruction reads or writes data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// There.
    At(u32),
    /// Near this address, and never where the last such access was.
    Around(u32),
}

/// A piece of code, executed once.
#[derive(Clone, Copy, Debug)]
pub struct Path<'a> {
    /// Its first instruction, as a branch that selects the encoding has it.
    pub begin: u32,
    /// The address behind its last instruction.
    pub end: u32,
    /// The instructions whose condition fails.
    pub skipped: &'a [u32],
    /// Where the last instruction branches to, if that is not in its opcode.
    pub target: Option<u32>,
}

/// The cost of a path, and the state that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Its cycles, from its first boundary to the boundary behind it.
    pub cycles: Cycle,
    /// The state that it leaves, by its number.
    pub state: usize,
}

/// Prices paths of one image on one board.
pub struct Pricer {
    system: System,
    outline: Box<dyn Outline>,
    /// Data lie here if their place was not given.
    data: u32,
    places: HashMap<u32, Data>,
    multiplications: HashMap<u32, u8>,
    /// States by number, and the reverse.
    states: Vec<State>,
    numbers: HashMap<State, usize>,
}

/// All that decides what the next path costs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    outline: u64,
    /// Whether the last access [around](Data::Around) an address was to the further one.
    further: bool,
    timing: Vec<u64>,
}

/// The cycles of a multiplication if they were not given.
const MULTIPLIER_CYCLES: u8 = 2;

impl Pricer {
    /// A pricer for the board of this file after its reset. `data` is where data lie if their place is not given.
    /// `file` and `resolve` are those of [`Board::new`](crate::board::Board::new).
    ///
    /// # Errors
    /// As for a board; and a sentence when its core cannot be priced, or no memory is at `data`.
    pub fn new(
        text: &str,
        file: &str,
        resolve: &dyn Fn(&str) -> Result<String>,
        data: u32,
    ) -> Result<Pricer> {
        let registry = Registry::default();
        let mut description = Description::parse(text, file, resolve)?;
        build::gather_parameters(&mut description, &registry)?;
        let (architecture, _) = build::core(&description, &registry)?;
        let mut system = build::system(&description, &registry, architecture)?;
        system.reset(&[]);
        let parameters = description.core.map(|core| core.parameters).unwrap_or_default();
        let outline = architecture.outline(parameters).map_err(Error)?.ok_or_else(|| {
            let kind = architecture.kind();
            Error(format!("{file}: code for the core {kind} cannot be priced; run it instead."))
        })?;
        let (places, multiplications) = (HashMap::new(), HashMap::new());
        let (states, numbers) = (Vec::new(), HashMap::new());
        let mut pricer = Pricer { system, outline, data, places, multiplications, states, numbers };
        pricer.forget_states();
        pricer.check_memory(data)?;
        Ok(pricer)
    }

    /// Puts bytes of the image where they are executed and read.
    ///
    /// # Errors
    /// A sentence when there is no memory.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<()> {
        let room = self.system.bytes_from_mut(address, bytes.len());
        match room {
            Some(room) if room.len() == bytes.len() => room.copy_from_slice(bytes),
            _ => return Err(nowhere(address)),
        }
        Ok(())
    }

    /// Writes a register of a device, as a program's start does to set memories. All states are void then
    /// but number 0, which is that of memories nobody has accessed.
    ///
    /// # Errors
    /// A sentence when no device answers.
    pub fn set_register(&mut self, address: u32, value: u32) -> Result<()> {
        if !self.system.poke_device(address, Width::Word, value) {
            return Err(Error(format!(
                "No device answers at {address:#010x}: check the settings of the memories."
            )));
        }
        self.forget_states();
        Ok(())
    }

    fn forget_states(&mut self) {
        self.states.clear();
        self.numbers.clear();
        self.number(false);
    }

    /// States where the instruction at an address finds its data.
    ///
    /// # Errors
    /// A sentence when no memory is there.
    pub fn place_data(&mut self, instruction: u32, data: Data) -> Result<()> {
        let (Data::At(address) | Data::Around(address)) = data;
        self.check_memory(address)?;
        self.places.insert(instruction, data);
        Ok(())
    }

    /// States the cycles of the multiplication at an address: 1 to 4.
    pub fn set_multiplication(&mut self, instruction: u32, cycles: u8) {
        self.multiplications.insert(instruction, cycles.clamp(1, 4));
    }

    /// Prices a path that is entered in the state of this number.
    ///
    /// # Errors
    /// A sentence when there is no such state, when the path leaves itself before its end, or when something is
    /// not given that must be.
    pub fn price(&mut self, state: usize, path: &Path<'_>) -> Result<Price> {
        let from = self.states.get(state).cloned();
        let State { outline, mut further, timing } = from.ok_or_else(|| {
            Error(format!("There is no state {state}: registers were set since, so begin at 0."))
        })?;
        self.outline.set_state(outline);
        self.system.set_timing_state(&timing);
        let begun = self.system.now();
        let mut at = path.begin;
        loop {
            let length = self.outline.length(at);
            let behind = at.wrapping_add(length);
            let address = at & !1;
            let is_last = behind & !1 == path.end & !1;
            let given = Given {
                at,
                executes: !path.skipped.contains(&address),
                target: path.target.filter(|_| is_last),
                multiplier_cycles: *self
                    .multiplications
                    .get(&address)
                    .unwrap_or(&MULTIPLIER_CYCLES),
            };
            let placed = self.places.get(&address).copied();
            let mut passage =
                Passage::new(&mut self.system, given.target, self.data, placed, &mut further);
            let next = self.outline.step(given, &mut passage).map_err(|why| {
                Error(format!("The code at {address:#010x} cannot be priced: {why}."))
            })?;
            if is_last {
                break;
            }
            if next != behind & !1 {
                return Err(Error(format!(
                    "The code at {address:#010x} leaves the piece that is priced: end it there."
                )));
            }
            at = behind;
        }
        let cycles = self.system.now() - begun;
        Ok(Price { cycles, state: self.number(further) })
    }

    fn number(&mut self, further: bool) -> usize {
        let (outline, timing) = (self.outline.state(), self.system.timing_state());
        let state = State { outline, further, timing };
        if let Some(&number) = self.numbers.get(&state) {
            return number;
        }
        let number = self.states.len();
        self.states.push(state.clone());
        self.numbers.insert(state, number);
        number
    }

    fn check_memory(&self, address: u32) -> Result<()> {
        self.system.peek(address, Width::Byte).map(|_| ()).ok_or_else(|| nowhere(address))
    }
}

fn nowhere(address: u32) -> Error {
    Error(format!("No memory is at {address:#010x}: take another board, or link the image for it."))
}
