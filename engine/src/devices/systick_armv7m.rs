//! System timer of ARMv7-M cores. Follows ARM DDI 0403, B3.3.
//!
//! Its 24 bits count down to 0, and the next clock loads the reload value. So a period is that value and one.

use super::no_register;
use super::registers_stm32 as registers;
use crate::bus::Width;
use crate::device::{Device, Output, Port, Tag};
use crate::time::Cycle;
use serde::Deserialize;

const PART: &str = "systick_armv7m";

const INTERRUPT: Output = 0;
/// The count comes to 0.
const ZERO: Tag = 0;

// CSR.
const ENABLE: u32 = 1 << 0;
const TICKINT: u32 = 1 << 1;
const CLKSOURCE: u32 = 1 << 2;
const COUNTFLAG: u32 = 1 << 16;

/// Its 24 bits.
const MASK: u32 = 0x00FF_FFFF;

/// `[device.parameters]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Core cycles of the reference clock; 0: there is none.
    #[serde(default)]
    reference_cycles: u32,
    /// CALIB.
    #[serde(default)]
    calibration: u32,
}

/// The device. `interrupt` rises at 0, and falls when the core acknowledges it.
#[derive(Clone, Debug, Default)]
pub struct SystemTimer {
    parameters: Parameters,
    /// CSR without COUNTFLAG.
    control: u32,
    passed_zero: bool,
    reload: u32,
    count: u32,
    /// The state is that after every clock up to this cycle.
    settled: Cycle,
}

impl SystemTimer {
    /// A system timer with this reference clock.
    pub fn new(parameters: Parameters) -> Self {
        SystemTimer { parameters, ..SystemTimer::default() }
    }

    /// Core cycles of a clock.
    fn divider(&self) -> Cycle {
        let reference = self.parameters.reference_cycles;
        Cycle::from(if self.control & CLKSOURCE != 0 { 1 } else { reference.max(1) })
    }

    /// Clocks until the count comes to 0; `None`: it stands.
    fn to_zero(&self) -> Option<Cycle> {
        match (self.control & ENABLE != 0, self.count, self.reload) {
            (false, ..) | (true, 0, 0) => None,
            (true, 0, reload) => Some(Cycle::from(reload) + 1),
            (true, count, _) => Some(count.into()),
        }
    }

    /// Lets the clocks pass up to now.
    fn settle(&mut self, port: &mut Port) {
        let clocks = port.now() / self.divider() - self.settled / self.divider();
        self.settled = port.now();
        let Some(first) = self.to_zero() else { return };
        if clocks < first {
            let period = Cycle::from(self.reload) + 1;
            let left = first - clocks;
            // The clock that loads brings the reload value, the others one less each.
            self.count = if left == period && clocks == 0 { self.count } else { left as u32 };
            return;
        }
        self.passed_zero = true;
        if self.control & TICKINT != 0 {
            port.drive(INTERRUPT, 1);
        }
        let beyond = (clocks - first) % (Cycle::from(self.reload) + 1);
        self.count = if beyond == 0 { 0 } else { self.reload + 1 - beyond as u32 };
    }

    fn expect(&self, port: &mut Port) {
        match self.to_zero().filter(|_| self.control & TICKINT != 0) {
            Some(clocks) => {
                let edge = (self.settled / self.divider()).saturating_add(clocks);
                port.schedule(ZERO, edge.saturating_mul(self.divider()));
            }
            None => port.cancel(ZERO),
        }
    }
}

impl Device for SystemTimer {
    fn outputs(&self) -> &'static [&'static str] {
        &["interrupt"]
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::SYSTICK, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = Self::new(self.parameters.clone());
        self.settled = port.now();
        port.cancel(ZERO);
        port.drive(INTERRUPT, 0);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        match offset & !3 {
            0x0 => {
                let flag = if std::mem::take(&mut self.passed_zero) { COUNTFLAG } else { 0 };
                self.control | flag
            }
            0x4 => self.reload,
            0x8 => self.count,
            0xC => self.parameters.calibration,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn steady(&self, offset: u32) -> bool {
        matches!(offset & !3, 0x4 | 0xC)
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        match offset & !3 {
            0x0 => {
                self.control = value & (ENABLE | TICKINT | CLKSOURCE);
                if self.parameters.reference_cycles == 0 {
                    self.control |= CLKSOURCE;
                }
            }
            0x4 => self.reload = value & MASK,
            0x8 => (self.count, self.passed_zero) = (0, false),
            0xC => {}
            _ => no_register(PART, offset, port),
        }
        self.expect(port);
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.settle(port);
        self.expect(port);
    }

    fn acknowledged(&mut self, _output: Output, port: &mut Port) {
        port.drive(INTERRUPT, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::rig::Rig;

    const CSR: u32 = 0x0;
    const RVR: u32 = 0x4;
    const CVR: u32 = 0x8;

    fn made() -> Rig {
        Rig::new(SystemTimer::new(Parameters { reference_cycles: 8, calibration: 3000 }))
    }

    /// One clock: the definition of what the timer does.
    fn clock(count: u32, reload: u32) -> (u32, bool) {
        match count {
            0 => (reload, false),
            1 => (0, true),
            _ => (count - 1, false),
        }
    }

    #[test]
    fn its_count_is_that_of_single_clocks() {
        for reload in 0..7 {
            for divider in [1, 8] {
                let mut rig = made();
                let source = if divider == 1 { CLKSOURCE } else { 0 };
                rig.write(RVR, reload).at(5).write(CSR, ENABLE | source);
                let (mut count, mut passed) = (0, false);
                for cycle in 6..200 {
                    if cycle % divider == 0 {
                        let (next, zero) = clock(count, reload);
                        (count, passed) = (next, passed | zero);
                    }
                    assert_eq!(rig.at(cycle).read(CVR), count, "{reload} {divider} {cycle}");
                }
                assert_eq!(rig.read(CSR) & COUNTFLAG != 0, passed);
                assert_eq!(rig.read(CSR) & COUNTFLAG, 0, "a read clears it");
                // And in one jump.
                let mut far = made();
                far.write(RVR, reload).at(5).write(CSR, ENABLE | source).at(199);
                assert_eq!(far.read(CVR), count, "{reload} {divider}");
            }
        }
    }

    #[test]
    fn it_interrupts_each_period_until_it_is_acknowledged() {
        let mut rig = made();
        rig.write(RVR, 99).at(10).write(CSR, ENABLE | TICKINT | CLKSOURCE);
        rig.at(115).acknowledge("interrupt").at(400);
        assert_eq!(rig.changes("interrupt"), [(0, 0), (110, 1), (115, 0), (210, 1)]);
    }

    #[test]
    fn a_write_of_the_count_clears_it_without_an_interrupt() {
        let mut rig = made();
        rig.write(RVR, 9).write(CSR, ENABLE | TICKINT | CLKSOURCE).at(15).read(CSR);
        rig.at(16).write(CVR, 77);
        assert_eq!((rig.read(CVR), rig.at(17).read(CVR), rig.read(CSR) & COUNTFLAG), (0, 9, 0));
        assert_eq!(rig.at(26).changes("interrupt"), [(0, 0), (10, 1)]);
    }

    #[test]
    fn without_a_reference_the_clock_is_the_cores() {
        let mut rig = Rig::new(SystemTimer::new(Parameters::default()));
        rig.write(RVR, 100).write(CSR, ENABLE);
        assert_eq!((rig.at(1).read(CSR), rig.at(11).read(CVR)), (ENABLE | CLKSOURCE, 90));
        assert_eq!(made().read(0xC), 3000);
    }
}
