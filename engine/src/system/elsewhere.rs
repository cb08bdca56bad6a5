//! Accesses to anything but the windows hit last: another memory, a device, an address without
//! an answer.

use super::{DeviceWindow, System};
use crate::bus::{Abort, Access, Bus, Width};
use crate::instrument::Answered;

/// The register of a device that an access reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    /// Index of the device.
    device: usize,
    /// Offset and width as the device sees them.
    offset: u32,
    seen: Width,
    /// The width of the access.
    width: Width,
}

/// For observers: the register at this offset answers.
pub(super) fn answered(window: DeviceWindow, offset: u32) -> Answered {
    Answered::Device { bus: window.bus, device: window.device, offset }
}

impl System {
    #[cold]
    #[inline(never)]
    pub(super) fn read_elsewhere(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if self.select(address, access).is_some() {
            return self.read(address, access);
        }
        let Some(window) = self.map.device(address) else {
            return Err(self.abort(address, access, false));
        };
        self.begin_device_access(address, window);
        let register = self.register(address, access.width(), window);
        let steady = self.wiring.devices[window.device].device.steady(register.offset);
        let value = self.read_register(register);
        self.end_device_access(window);
        self.polled(steady, address, value);
        self.notify_access(address, access, false, value, answered(window, register.offset));
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    pub(super) fn write_elsewhere(
        &mut self,
        address: u32,
        value: u32,
        access: Access,
    ) -> Result<(), Abort> {
        if self.select(address, access).is_some() {
            return self.write(address, value, access);
        }
        let Some(window) = self.map.device(address) else {
            return Err(self.abort(address, access, true));
        };
        self.begin_device_access(address, window);
        let register = self.register(address, access.width(), window);
        self.write_register(register, value);
        self.end_device_access(window);
        self.polled(false, address, value);
        self.notify_access(address, access, true, value, answered(window, register.offset));
        Ok(())
    }

    /// [`Bus::write_bits`] of a device.
    #[cold]
    pub(super) fn write_device_bits(
        &mut self,
        window: DeviceWindow,
        address: u32,
        (mask, value): (u32, u32),
        access: Access,
    ) {
        self.begin_device_access(address, window);
        let Register { device, offset, seen, .. } = self.register(address, access.width(), window);
        let wiring = &mut self.wiring;
        wiring.devices[device].device.write_bits(offset, seen, mask, value, &mut wiring.port);
        self.end_device_access(window);
        self.polled(false, address, value);
        self.notify_access(address, access, true, value, answered(window, offset));
    }

    /// The register that an access of `width` at `address` reaches. On a bus of words alone that is the whole
    /// word, and a narrower access is reported.
    pub(super) fn register(
        &mut self,
        address: u32,
        width: Width,
        window: DeviceWindow,
    ) -> Register {
        let words_only = self.buses[window.bus].words_only;
        if words_only && width != Width::Word {
            let name = &self.wiring.devices[window.device].name;
            self.report_unmodelled(format!(
                "an access of {name} that is no word: it acts on the whole register"
            ));
        }
        let seen = if words_only { Width::Word } else { width };
        let offset = seen.align(address - window.base + window.offset);
        Register { device: window.device, offset, seen, width }
    }

    pub(super) fn read_register(&mut self, register: Register) -> u32 {
        let Register { device, offset, seen, width } = register;
        let wiring = &mut self.wiring;
        width.lanes(wiring.devices[device].device.read(offset, seen, &mut wiring.port))
    }

    pub(super) fn write_register(&mut self, register: Register, value: u32) {
        let Register { device, offset, seen, width } = register;
        let wiring = &mut self.wiring;
        wiring.devices[device].device.write(offset, seen, width.lanes(value), &mut wiring.port);
    }

    /// The device sees the access at the cycle at which it completes, after every event due by then.
    fn begin_device_access(&mut self, address: u32, window: DeviceWindow) {
        let path = self.buses[window.bus].path;
        if self.hot.contended {
            self.take_path(path);
        }
        self.hot.now = self.buses[window.bus].completes(self.hot.now);
        self.fire_during_access(path);
        self.touch_device(window);
        self.wiring.port.take(self.hot.now);
        (self.stalled, self.notes.accessing) = (0, Some(address));
    }

    /// The rules that an access to a device is charged by are touched.
    pub(super) fn touch_device(&mut self, window: DeviceWindow) {
        let placed = &mut self.wiring.devices[window.device];
        if !placed.touched {
            placed.touched = true;
            Self::touch(&mut self.notes.touched, &placed.rules);
        }
        Self::touch(&mut self.notes.touched, &self.buses[window.bus].rules);
    }

    fn end_device_access(&mut self, window: DeviceWindow) {
        self.settle(window.device);
        self.notes.accessing = None;
        self.hot.now += std::mem::take(&mut self.stalled);
        self.fire_due();
        self.leave_path();
    }

    fn abort(&mut self, address: u32, access: Access, write: bool) -> Abort {
        self.hot.now += 1;
        self.finish_pause(1);
        self.break_trace();
        self.hot.pause_at(0);
        self.refuse(address, access, write);
        Abort
    }
}
