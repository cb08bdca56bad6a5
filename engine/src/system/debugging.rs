//! Devices as a debugger sees them: read without a side effect, written without a cycle.

use super::System;
use crate::bus::Width;
use crate::device::Port;

impl System {
    /// Returns what a read of the word at `address`, in a device, would give now. A copy of the device
    /// answers, so the device and the time stay as they are. `None` where no device answers, or one that
    /// cannot be copied.
    pub fn peek_device(&self, address: u32) -> Option<u32> {
        let window = self.map.device(address)?;
        let mut copy = self.wiring.devices[window.device].device.copy()?;
        let offset = Width::Word.align(address) - window.base + window.offset;
        Some(copy.read(offset, Width::Word, &mut Port::new(self.hot.now)))
    }

    /// Writes a device's register as the core would, but now and without a cycle. Returns `false` where no
    /// device answers.
    pub fn poke_device(&mut self, address: u32, width: Width, value: u32) -> bool {
        let Some(window) = self.map.device(address) else { return false };
        self.wiring.port.take(self.hot.now);
        let register = self.register(address, width, window);
        self.write_register(register, value);
        self.settle(window.device);
        self.fire_due();
        true
    }
}
