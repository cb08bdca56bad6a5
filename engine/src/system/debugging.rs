//! Devices as a debugger sees them: read without a side effect, written without a cycle.

use super::System;
use crate::bus::Width;
use crate::device::Port;

impl System {
    /// Returns the bytes from `address` to the end of its word, as far as they lie in a device, as reads of this
    /// width would give them now. A copy of the device answers, so the device and the time stay as they are.
    /// `None` where no device answers so, or one that cannot be copied.
    pub fn peek_device(&self, address: u32, width: Width) -> Option<Vec<u8>> {
        let window = self.map.device(address)?;
        let mut copy = self.wiring.devices[window.device].device.copy()?;
        let mut port = Port::new(self.hot.now);
        let word = Width::Word.align(address);
        let inside = |at: &u32| at.wrapping_sub(window.base) < window.size;
        let mut bytes = Vec::new();
        for at in (word..=word | 3).step_by(width.bytes() as usize).filter(inside) {
            let value = copy.read(at - window.base + window.offset, width, &mut port).to_le_bytes();
            bytes.extend((at..at + width.bytes()).zip(value).filter(|(at, _)| *at >= address));
        }
        let bytes: Vec<u8> = bytes.into_iter().map(|(_, byte)| byte).collect();
        (!bytes.is_empty()).then_some(bytes)
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
