//! The core's clock: oscillator, PLL0 and what its registers ask for.

use super::{SystemControl, CORE_HZ, LOCKED, PLL_LOCK};
use crate::device::Port;
use crate::time::Cycle;

impl SystemControl {
    pub(super) fn core_hz(&self) -> u32 {
        let oscillator = self.parameters.oscillator_hz;
        if self.pll[0].connected() {
            oscillator.saturating_mul(self.pll[0].multiplier())
        } else {
            oscillator
        }
    }

    pub(super) fn drive_clock(&self, port: &mut Port) {
        port.drive(CORE_HZ, self.core_hz());
        port.drive(PLL_LOCK, self.pll[0].locked.into());
    }

    pub(super) fn write_pll(&mut self, n: usize, register: u32, value: u32, port: &mut Port) {
        match register {
            0x0 => self.pll[n].control = value & 3,
            0x4 => self.pll[n].configuration = value & 0x7F,
            0xC => self.feed(n, value, port),
            _ => {}
        }
    }

    pub(super) fn feed(&mut self, n: usize, value: u32, port: &mut Port) {
        let hz = self.core_hz();
        let before = self.pll[n].clone();
        if !self.pll[n].feed(value) {
            return;
        }
        if n == 1 {
            port.unmodelled("PLL1, the USB clock: it never locks");
            return;
        }
        let pll = &mut self.pll[0];
        if !pll.enabled() {
            (pll.locked, pll.locks_at) = (false, None);
            port.cancel(LOCKED);
        } else if pll.restarted(&before) {
            let lock = u128::from(self.parameters.pll_lock_ns) * u128::from(hz);
            let at = port.now().saturating_add(lock.div_ceil(1_000_000_000) as Cycle);
            (pll.locked, pll.locks_at) = (false, Some(at));
            port.schedule(LOCKED, at);
            self.check_frequencies(port);
        }
        if self.pll[0].asked_to_connect() && !self.pll[0].locked {
            port.unmodelled("PLL0 connected before it locked: the clock changes when it locks");
        }
        self.drive_clock(port);
    }

    pub(super) fn check_frequencies(&self, port: &mut Port) {
        let oscillator = self.parameters.oscillator_hz;
        let core = u64::from(oscillator) * u64::from(self.pll[0].multiplier());
        let cco = core * 2 * u64::from(self.pll[0].divider());
        if !(10_000_000..=25_000_000).contains(&oscillator) {
            port.unmodelled("PLL0 on an oscillator outside 10 to 25 MHz: it locks all the same");
        }
        if !(156_000_000..=320_000_000).contains(&cco) {
            port.unmodelled("PLL0 with Fcco outside 156 to 320 MHz: it locks all the same");
        }
        if core > 60_000_000 {
            port.unmodelled(
                "PLL0 set for a core clock above 60 MHz: the board runs at it all the same",
            );
        }
    }
}
