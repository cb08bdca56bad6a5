//! Oscillators, PLL, and the clocks of the buses.

use super::*;

/// The lowest bit of PREDIV1, which CFGR and CFGR2 share.
const PLLXTPRE: u32 = 1 << 17;
const PLLSRC: u32 = 1 << 16;
/// Fields of CFGR that stay while the PLL is on.
const PLL_FIELDS: u32 = 0x003F_0000;
/// The highest factor of the PLL.
const MOST: u32 = 16;

impl ResetAndClock {
    /// The PLL's output, in Hz.
    fn pll_hz(&self) -> u32 {
        let multiplier = ((self.configuration >> 18 & 15) + 2).min(MOST);
        let input = if self.configuration & PLLSRC == 0 {
            self.parameters.hsi_hz / 2
        } else {
            self.parameters.oscillator_hz / (self.predivider + 1)
        };
        input.saturating_mul(multiplier)
    }

    /// The divider of HPRE.
    fn ahb_divider(&self) -> u32 {
        match self.configuration >> 4 & 15 {
            0..=7 => 1,
            // There is no 32.
            code @ 8..=11 => 2 << (code - 8),
            code => 64 << (code - 12),
        }
    }

    /// The divider of PPRE1 or PPRE2, which begins at this bit.
    fn apb_divider(&self, bit: u32) -> u32 {
        match self.configuration >> bit & 7 {
            0..=3 => 1,
            code => 2 << (code - 4),
        }
    }

    /// HCLK, in Hz.
    pub(super) fn core_hz(&self) -> u32 {
        let system = match self.source {
            0 => self.parameters.hsi_hz,
            1 => self.parameters.oscillator_hz,
            _ => self.pll_hz(),
        };
        (system / self.ahb_divider()).max(1)
    }

    /// No access makes the core's clock faster at once.
    pub(super) fn fastest_hz(&self) -> u32 {
        let fastest = self.parameters.hsi_hz.max(self.parameters.oscillator_hz);
        fastest.saturating_mul(MOST)
    }

    pub(super) fn drive_clocks(&self, port: &mut Port) {
        let (apb1, apb2) = (self.apb_divider(8), self.apb_divider(11));
        // Timers on a divided bus run at twice its clock.
        port.drive(TIMER1_DIVIDER, (apb1 / 2).max(1));
        port.drive(PCLK1_DIVIDER, apb1);
        port.drive(PCLK2_DIVIDER, apb2);
        port.drive(CORE_HZ, self.core_hz());
    }

    pub(super) fn write_control(&mut self, value: u32, port: &mut Port) {
        // The clock that runs the core cannot be switched off.
        let needed = match (self.source, self.configuration & PLLSRC != 0) {
            (0, _) => HSION,
            (1, _) => HSEON,
            (_, false) => PLLON | HSION,
            _ => PLLON | HSEON,
        };
        let value = value | needed;
        for (on, tag, us) in [
            (HSION, HSI, 2),
            (HSEON, HSE, self.parameters.hse_us),
            (PLLON, PLL, self.parameters.pll_us),
        ] {
            if value & on == 0 {
                self.control &= !(on << 1);
                port.cancel(tag);
            } else if self.control & on == 0 {
                self.expect(tag, us, port);
            }
        }
        if value & CSSON != 0 {
            port.unmodelled("CR of rcc_stm32f1: the clock security system, no crystal ever fails");
        }
        let writable = HSION | 0xF8 | HSEON | HSEBYP | CSSON | PLLON;
        self.control = self.control & !writable | value & writable;
        if self.control & (PLLON | PLLON << 1) == PLLON {
            self.check_pll(port);
        }
    }

    fn check_pll(&self, port: &mut Port) {
        if self.configuration & PLLSRC != 0 && self.control & HSEON == 0 {
            port.unmodelled("the PLL of rcc_stm32f1 on an HSE that is off: it locks all the same");
        }
        if self.pll_hz() > self.parameters.max_hz {
            port.unmodelled("the PLL of rcc_stm32f1 above the part's clock: it locks all the same");
        }
    }

    pub(super) fn write_configuration(&mut self, value: u32, port: &mut Port) {
        let fixed = if self.control & PLLON != 0 { PLL_FIELDS } else { 0 };
        if (value ^ self.configuration) & fixed != 0 {
            port.unmodelled("CFGR: fields of the PLL written while it is on, they stay");
        }
        if value >> 24 & 7 != 0 {
            port.unmodelled("CFGR: the clock output MCO, its pin stays as it is");
        }
        let value = value & 0x073F_FFF3;
        self.configuration = self.configuration & fixed | value & !fixed;
        if fixed == 0 {
            let low = u32::from(value & PLLXTPRE != 0);
            self.predivider = self.predivider & !1 | low;
        }
        if value & 3 == 3 {
            port.unmodelled("CFGR: a reserved SW, the clock stays");
        }
        self.settle_clock(port);
    }

    pub(super) fn write_predivider(&mut self, value: u32, port: &mut Port) {
        if self.control & PLLON != 0 {
            return port.unmodelled("CFGR2: PREDIV1 written while the PLL is on, it stays");
        }
        self.predivider = value & 15;
        let low = if value & 1 != 0 { PLLXTPRE } else { 0 };
        self.configuration = self.configuration & !PLLXTPRE | low;
    }

    /// Takes the clock that SW asks for, once it is ready.
    pub(super) fn settle_clock(&mut self, port: &mut Port) {
        let ready = match self.configuration & 3 {
            0 => HSION << 1,
            1 => HSEON << 1,
            2 => PLLON << 1,
            _ => 0,
        };
        if self.control & ready != 0 {
            self.source = self.configuration & 3;
        }
        if self.core_hz() > self.parameters.max_hz {
            port.unmodelled("a core clock above the part's: the board runs at it all the same");
        }
        self.drive_clocks(port);
    }

    /// Stop mode was left: HSE and PLL are off, and the HSI runs the core.
    pub(super) fn fall_back(&mut self, port: &mut Port) {
        self.source = 0;
        self.configuration &= !3;
        self.control &= !(HSEON | HSEON << 1 | PLLON | PLLON << 1);
        self.control |= HSION | HSION << 1;
        port.cancel(HSE);
        port.cancel(PLL);
        self.drive_clocks(port);
    }
}
