//! The system as one instruction reaches it. The caller gave its data and target.

use super::Data;
use crate::bus::{Abort, Access, Bus, Exception, Pending, Status, Width};
use crate::system::System;
use crate::time::{Cycle, NEVER};

/// Bytes between the two places [around](Data::Around) an address: more than any line of a memory has.
const FURTHER: u32 = 64;

/// Leads fetches behind a branch, and data, to the given places. Memory keeps its bytes.
pub struct Passage<'a> {
    system: &'a mut System,
    target: Option<u32>,
    /// Where data lie if their place is not given.
    elsewhere: u32,
    placed: Option<Data>,
    further: &'a mut bool,
    /// Added to the address of each fetch, once it is known.
    branched: Option<u32>,
    /// The same of data.
    moved: Option<u32>,
    has_own_data: bool,
}

impl<'a> Passage<'a> {
    pub(super) fn new(
        system: &'a mut System,
        target: Option<u32>,
        elsewhere: u32,
        placed: Option<Data>,
        further: &'a mut bool,
    ) -> Self {
        let (branched, moved, has_own_data) = (None, None, false);
        Passage { system, target, elsewhere, placed, further, branched, moved, has_own_data }
    }

    /// The address of the data is in the code: it is as the core issues it.
    pub fn has_own_data(&mut self) {
        self.has_own_data = true;
    }

    /// The opcode of this width at an address; 0 where there is no memory.
    pub fn opcode(&self, address: u32, width: Width) -> u32 {
        self.system.peek(address, width).unwrap_or(0)
    }

    /// Where an access to data goes that the core issues for `address`.
    fn place(&mut self, address: u32) -> u32 {
        let moved = self.moved.unwrap_or_else(|| {
            let to = match self.placed {
                _ if self.has_own_data => address,
                Some(Data::At(there)) => there,
                Some(Data::Around(there)) => {
                    *self.further = !*self.further;
                    there.wrapping_add(if *self.further { FURTHER } else { 0 })
                }
                None => self.elsewhere,
            };
            to.wrapping_sub(address)
        });
        self.moved = Some(moved);
        address.wrapping_add(moved)
    }
}

impl Bus for Passage<'_> {
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if !access.is_code() {
            let to = self.place(address);
            return self.system.read(to, access);
        }
        if access.is_break_in_flow() {
            let target = self.target.map_or(address, |target| access.align(target));
            self.branched = Some(target.wrapping_sub(address));
        }
        self.system.read(address.wrapping_add(self.branched.unwrap_or(0)), access)
    }

    /// Writes what is there already.
    fn write(&mut self, address: u32, _value: u32, access: Access) -> Result<(), Abort> {
        let to = self.place(address);
        let kept = self.system.peek(to, access.width()).unwrap_or(0);
        self.system.write(to, kept, access)
    }

    fn idle(&mut self, cycles: u32) {
        self.system.idle(cycles);
    }

    fn now(&self) -> Cycle {
        self.system.now()
    }

    fn next_check(&self) -> Cycle {
        NEVER
    }

    fn pending(&mut self) -> Pending {
        Pending::default()
    }

    fn boundary(&mut self, _address: u32, _status: Status, _stack: u32) -> bool {
        false
    }

    fn excepted(&mut self, _exception: &Exception) {}
}
