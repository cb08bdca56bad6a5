//! Writes to the registers that control the UART, and the frames that follow from them.

use super::*;

impl Uart {
    /// The settings of frames as the registers hold them.
    pub(super) fn line(&self) -> Line {
        Line {
            format: self.lcr,
            divisor: self.divisor,
            fraction: self.fdr,
            pclk_divider: self.pclk_divider,
        }
    }

    pub(super) fn drive_frame_cycles(&self, port: &mut Port) {
        let cycles = self.line().frame_cycles();
        port.drive(FRAME_CYCLES, u32::try_from(cycles).unwrap_or(u32::MAX));
    }

    pub(super) fn write_ier(&mut self, value: u32, port: &mut Port) {
        if value & 0x300 != 0 {
            port.unmodelled("auto-baud interrupts of uart_16550 (IER bits 8 and 9)");
        }
        let begins = value & !self.ier & IER_TRANSMIT != 0;
        self.ier = value & 0x307;
        let delayed = self.due[HOLDING_EMPTY as usize].is_some();
        if begins && self.holding.is_empty() && !self.holding_empty && !delayed {
            self.delay_holding_empty(port);
        }
    }

    pub(super) fn write_fcr(&mut self, value: u32, port: &mut Port) {
        let toggles = (value ^ self.fcr) & FCR_ENABLE != 0;
        self.fcr = value & 0xC1;
        if toggles || value & 1 << 1 != 0 {
            self.clear_receive_fifo(port);
        }
        if toggles || value & 1 << 2 != 0 {
            self.clear_transmit_fifo(port);
        }
    }

    pub(super) fn write_lcr(&mut self, value: u32, port: &mut Port) {
        if value & LCR_BREAK != 0 {
            port.unmodelled("break transmission of uart_16550 (LCR bit 6)");
        }
        self.lcr = value & 0xFF;
    }

    pub(super) fn write_fdr(&mut self, value: u32, port: &mut Port) {
        if value & 0xF0 == 0 {
            port.unmodelled("FDR of uart_16550 with MULVAL = 0, a reserved value: no fraction");
        }
        self.fdr = value & 0xFF;
    }

    pub(super) fn divisor_access(&self) -> bool {
        self.lcr & LCR_DIVISOR_ACCESS != 0
    }
}
