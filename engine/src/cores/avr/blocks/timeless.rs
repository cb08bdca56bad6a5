//! A bus on which no time goes by: it reaches memory that costs no cycle, and refuses everything else.

use crate::bus::{Abort, Access, Bus, Exception, Pending, Status};
use crate::time::Cycle;

/// Stands for the bus while one instruction executes; see the file's head.
pub(super) struct Timeless<'a, B> {
    pub bus: &'a mut B,
    /// The word behind the opcode.
    pub behind: u16,
    /// Those that the core would have spent.
    pub cycles: u32,
}

impl<B: Bus> Bus for Timeless<'_, B> {
    #[inline(always)]
    fn read(&mut self, address: u32, _access: Access) -> Result<u32, Abort> {
        self.bus.read_within_cycle(address).map(u32::from).ok_or(Abort)
    }

    #[inline(always)]
    fn fetch(&mut self, _address: u32, _access: Access) -> Result<u32, Abort> {
        Ok(self.behind.into())
    }

    #[inline(always)]
    fn write(&mut self, address: u32, value: u32, _access: Access) -> Result<(), Abort> {
        self.bus.write_within_cycle(address, value as u8).then_some(()).ok_or(Abort)
    }

    fn write_bits(&mut self, _: u32, _: u32, _: u32, _: Access) -> Result<(), Abort> {
        Err(Abort)
    }

    #[inline(always)]
    fn idle(&mut self, cycles: u32) {
        self.cycles += cycles;
    }

    fn now(&self) -> Cycle {
        self.bus.now()
    }

    fn next_check(&self) -> Cycle {
        self.bus.next_check()
    }

    fn pending(&mut self) -> Pending {
        self.bus.pending()
    }

    fn boundary(&mut self, _address: u32, _status: Status, _stack: u32) -> bool {
        false
    }

    fn excepted(&mut self, _exception: &Exception) {}
}
