//! Accesses to anything but the windows hit last: another memory, a device, an address without
//! an answer.

use super::{DeviceWindow, System};
use crate::bus::{Abort, Access, Bus};
use crate::instrument::Answered;

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
        let width = access.width();
        let offset = width.align(address) - window.base + window.offset;
        self.begin_device_access(address, window);
        let placed = &mut self.wiring.devices[window.device];
        let steady = placed.device.steady(offset);
        let value = placed.device.read(offset, width, &mut self.wiring.port);
        self.end_device_access(window);
        self.polled(steady, address, value);
        self.notify_access(address, access, false, value, Answered::Device { bus: window.bus });
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
        let width = access.width();
        let offset = width.align(address) - window.base + window.offset;
        self.begin_device_access(address, window);
        let placed = &mut self.wiring.devices[window.device];
        placed.device.write(offset, width, value, &mut self.wiring.port);
        self.end_device_access(window);
        self.polled(false, address, value);
        self.notify_access(address, access, true, value, Answered::Device { bus: window.bus });
        Ok(())
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
        self.notes.accessing = Some(address);
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
