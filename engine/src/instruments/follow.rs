//! Follows bytes from where a device or a memory hands them over, through registers and memory, and records
//! every copy: each store of a followed byte.
//!
//! The core states what an instruction moves ([`Move`]). A mask, an exclusive or, or a constant that is added
//! changes a byte. It is still that byte: its copies have another value than on arrival. A lane that two
//! different bytes make up holds neither of them.

mod places;

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use self::places::{Place, Places};
use crate::bus::{Access, Exception};
use crate::instrument::{Answered, Instrument, Interest, Mover};
use crate::moves::{Lanes, Move, Operand, Register, REGISTERS};
use crate::time::Cycle;

/// Where bytes come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Registers of devices, by the device's place in the board file and the offset: the lowest byte of each
    /// read arrives.
    pub registers: Vec<(usize, u32)>,
    /// Devices whose transfers to memory arrive.
    pub devices: Vec<usize>,
    /// Memory as it stands: a byte of it arrives when it is read first.
    pub memory: Vec<Range<u32>>,
}

/// The maker of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The instruction at this address.
    Instruction(u32),
    /// This device, by a transfer of its own.
    Device(usize),
}

/// The place that a byte was copied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Memory; of an arrival: it is there, or was read from there.
    Memory,
    /// A register of a device, at this offset.
    Register(usize, u32),
    /// A device, which read it from memory by itself.
    Device(usize),
}

/// A byte that came to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// The byte, by its number among those that arrived.
    pub byte: u32,
    /// The number of the copy that it was taken from; 0 of the arrival itself.
    pub from: u32,
    /// Its maker.
    pub by: By,
    /// The kind of place.
    pub to: To,
    /// The address on the bus.
    pub address: u32,
    /// When it was there.
    pub at: Cycle,
    /// Its value there.
    pub value: u8,
    /// Its value when it arrived.
    pub arrived: u8,
}

/// Executions of an instruction that loaded, stored or passed on followed bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moving {
    /// How many.
    pub executions: u64,
    /// The cycles that they took.
    pub cycles: Cycle,
}

/// A followed byte where it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tag {
    /// The number of the copy; 0 is no byte.
    copy: u32,
    byte: u32,
    arrived: u8,
}

/// The instrument.
#[derive(Debug)]
pub struct Follow {
    sources: Sources,
    /// Most copies that are kept until they are cleared.
    capacity: usize,
    registers: [[Option<Tag>; 4]; REGISTERS],
    places: Places,
    steps: VecDeque<Move>,
    by: Answered,
    pc: u32,
    began: Cycle,
    moves: bool,
    bytes: u32,
    /// Number of the first copy that is kept.
    first: u32,
    copies: Vec<Copied>,
    lost: u64,
    moving: BTreeMap<u32, Moving>,
}

impl Follow {
    /// Follows bytes from these sources. Keeps at most `capacity` copies until they are cleared; a byte that
    /// would need one more is lost where it would be copied.
    pub fn new(sources: Sources, capacity: usize) -> Follow {
        Follow {
            sources,
            capacity,
            registers: [[None; 4]; REGISTERS],
            places: Places::default(),
            steps: VecDeque::new(),
            by: Answered::Memory { index: 0, lines_read: 0 },
            pc: 0,
            began: 0,
            moves: false,
            bytes: 0,
            first: 1,
            copies: Vec::new(),
            lost: 0,
            moving: BTreeMap::new(),
        }
    }

    /// How many bytes have arrived.
    pub fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The number of the first copy that is kept, and the copies from there on, in order.
    pub fn copies(&self) -> (u32, &[Copied]) {
        (self.first, &self.copies)
    }

    /// How many copies found no place.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The byte that memory holds at an address now, and the number of the copy that it is.
    pub fn held(&self, address: u32) -> Option<(u32, u32)> {
        match self.places.get(address) {
            Place::Holds(tag) => Some((tag.byte, tag.copy)),
            _ => None,
        }
    }

    /// By its address, each instruction that has moved followed bytes.
    pub fn moving(&self) -> &BTreeMap<u32, Moving> {
        &self.moving
    }

    /// Forgets the copies up to now and follows on: bytes and copies keep their numbers.
    pub fn clear(&mut self) {
        self.first += self.copies.len() as u32;
        self.copies.clear();
        self.lost = 0;
        self.moving.clear();
    }

    fn record(&mut self, copied: Copied) -> Option<Tag> {
        if self.copies.len() >= self.capacity {
            self.lost += 1;
            return None;
        }
        self.copies.push(copied);
        let copy = self.first + self.copies.len() as u32 - 1;
        Some(Tag { copy, byte: copied.byte, arrived: copied.arrived })
    }

    fn arrive(&mut self, at: Cycle, address: u32, value: u8, by: By, to: To) -> Option<Tag> {
        let byte = self.bytes;
        self.bytes += 1;
        self.record(Copied { byte, from: 0, by, to, address, at, value, arrived: value })
    }

    fn copy(
        &mut self,
        tag: Tag,
        at: Cycle,
        address: u32,
        value: u8,
        by: By,
        to: To,
    ) -> Option<Tag> {
        let Tag { copy: from, byte, arrived } = tag;
        self.record(Copied { byte, from, by, to, address, at, value, arrived })
    }

    /// The byte at an address of memory; one of a source arrives now.
    fn at_memory(&mut self, at: Cycle, address: u32, value: u8, by: By) -> Option<Tag> {
        match self.places.get(address) {
            Place::Holds(tag) => Some(tag),
            Place::Other => None,
            Place::Untouched => {
                if !self.sources.memory.iter().any(|range| range.contains(&address)) {
                    return None;
                }
                let tag = self.arrive(at, address, value, by, To::Memory);
                self.places.set(address, tag);
                tag
            }
        }
    }

    /// An access of data that a load waits for.
    fn load(&mut self, at: Cycle, address: u32, width: u8, value: u32, to: Register, lanes: Lanes) {
        let by = By::Instruction(self.pc);
        let mut bytes = [None; 4];
        match self.by {
            Answered::Device { device, offset, .. } => {
                if self.sources.registers.contains(&(device, offset)) {
                    let to = To::Register(device, offset);
                    bytes[0] = self.arrive(at, address, value as u8, by, to);
                }
            }
            Answered::Memory { .. } => {
                for (n, byte) in bytes.iter_mut().enumerate().take(usize::from(width)) {
                    let value = value.to_le_bytes()[n];
                    *byte = self.at_memory(at, address + n as u32, value, by);
                }
            }
        }
        let lanes = lanes.0.map(|from| from.and_then(|from| bytes[usize::from(from)]));
        self.moves |= lanes.iter().any(Option::is_some);
        self.registers[usize::from(to)] = lanes;
    }

    fn store(&mut self, at: Cycle, address: u32, width: u8, value: u32, lanes: [Option<Tag>; 4]) {
        let by = By::Instruction(self.pc);
        self.moves |= lanes[..usize::from(width)].iter().any(Option::is_some);
        for (n, tag) in lanes.into_iter().enumerate().take(usize::from(width)) {
            let (address, value) = (address + n as u32, value.to_le_bytes()[n]);
            match self.by {
                Answered::Device { device, offset, .. } => {
                    let to = To::Register(device, offset);
                    tag.and_then(|tag| self.copy(tag, at, address, value, by, to));
                }
                Answered::Memory { .. } => {
                    let tag =
                        tag.and_then(|tag| self.copy(tag, at, address, value, by, To::Memory));
                    self.put(address, tag);
                }
            }
        }
    }

    /// Memory holds this byte from now on, or none that is followed.
    fn put(&mut self, address: u32, tag: Option<Tag>) {
        let source = || self.sources.memory.iter().any(|range| range.contains(&address));
        if tag.is_some() || self.places.touched(address) || source() {
            self.places.set(address, tag);
        }
    }

    /// Applies the steps up to the next that waits for an access.
    fn go_on(&mut self) {
        while let Some(&Move::Set { to, of }) = self.steps.front() {
            self.steps.pop_front();
            let operands = of.map(|one| one.map_or([None; 4], |one| self.lanes(one)));
            let mut result = [None; 4];
            for (n, lane) in result.iter_mut().enumerate() {
                *lane = match (operands[0][n], operands[1][n]) {
                    (Some(one), Some(other)) if one.byte != other.byte => None,
                    (one, other) => one.or(other),
                };
            }
            self.moves |= result.iter().any(Option::is_some);
            self.registers[usize::from(to)] = result;
        }
    }

    fn lanes(&self, operand: Operand) -> [Option<Tag>; 4] {
        let from = &self.registers[usize::from(operand.register)];
        operand.lanes.0.map(|lane| lane.and_then(|lane| from[usize::from(lane)]))
    }

    /// The instruction under way is over.
    fn end(&mut self, at: Cycle) {
        self.steps.clear();
        if std::mem::take(&mut self.moves) {
            let moving = self.moving.entry(self.pc).or_default();
            moving.executions += 1;
            moving.cycles += at - self.began;
        }
        self.began = at;
    }
}

impl Instrument for Follow {
    fn interest(&self) -> Interest {
        Interest::Everything
    }

    fn reset(&mut self) {
        *self = Follow::new(std::mem::take(&mut self.sources), self.capacity);
    }

    fn follows_moves(&self) -> bool {
        true
    }

    fn answered(&mut self, by: Answered) {
        self.by = by;
    }

    fn executed(&mut self, at: Cycle, address: u32) {
        self.end(at);
        self.pc = address;
    }

    fn entering(&mut self, at: Cycle, _exception: &Exception, _mode: u8) {
        self.end(at);
    }

    fn moving(&mut self, moves: &[Move]) {
        self.steps.clear();
        self.steps.extend(moves);
        self.go_on();
    }

    fn accessed(&mut self, at: Cycle, address: u32, access: Access, write: bool, value: u32) {
        if access.is_code() {
            return;
        }
        let (address, width) = (access.align(address), access.width().bytes() as u8);
        match (self.steps.front().copied(), write) {
            (Some(Move::Load { to, bytes }), false) => {
                self.steps.pop_front();
                self.load(at, address, width, value, to, bytes);
            }
            (Some(Move::Store { from }), true) => {
                self.steps.pop_front();
                let lanes = self.registers[usize::from(from)];
                self.store(at, address, width, value, lanes);
            }
            (_, true) => self.store(at, address, width, value, [None; 4]),
            (_, false) => {}
        }
        self.go_on();
    }

    fn transferred(&mut self, at: Cycle, address: u32, access: Access, by: Mover, value: u32) {
        if !matches!(self.by, Answered::Memory { .. }) {
            return;
        }
        let address = access.align(address);
        for n in 0..access.width().bytes() {
            let (address, value) = (address + n, value.to_le_bytes()[n as usize]);
            let (device, maker) = (by.device, By::Device(by.device));
            if !by.write {
                if let Some(tag) = self.at_memory(at, address, value, maker) {
                    self.copy(tag, at, address, value, maker, To::Device(device));
                }
            } else if self.sources.devices.contains(&device) {
                let tag = self.arrive(at, address, value, maker, To::Memory);
                self.put(address, tag);
            } else {
                self.put(address, None);
            }
        }
    }
}
