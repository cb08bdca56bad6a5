//! The registers of the flash accelerator: MAMCR and MAMTIM.

use super::SystemControl;
use crate::device::Port;

impl SystemControl {
    pub(super) fn write_mamcr(&mut self, value: u32, port: &mut Port) {
        if value & 3 == 3 {
            port.unmodelled("MAMCR = 3, a reserved mode: the write was ignored");
            return;
        }
        self.mamcr = value & 3;
        self.drive_mam(port);
    }

    pub(super) fn write_mamtim(&mut self, value: u32, port: &mut Port) {
        if value & 7 == 0 {
            port.unmodelled("MAMTIM = 0, a reserved value: the write was ignored");
            return;
        }
        if self.mamcr != 0 {
            port.unmodelled("MAMTIM written while the MAM is on; the manual asks for MAMCR = 0");
        }
        self.mamtim = value & 7;
        self.drive_mam(port);
    }
}
