//! System control block of the LPC2148: MAM control, MEMMAP, PLLs, power, VPB divider, SCS.
//! Follows the LPC214x user manual (UM10139), system control block chapter.
//! Clocks leave as levels, `core_hz` and `pclk_divider`; the board obeys them.

mod clock;
mod mam;
mod pll;
#[cfg(test)]
mod tests;

use super::{no_register, registers};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag, NOTICE_CYCLES};
use pll::Pll;
use serde::Deserialize;

const PART: &str = "scb_lpc2000";

const MAM: Output = 0;
const MEMMAP: Output = 1;
const CORE_HZ: Output = 2;
const PCLK_DIVIDER: Output = 3;
const SLEEP: Output = 4;
const SCS: Output = 5;
const PLL_LOCK: Output = 6;
const PCONP: Output = 7;

const LOCKED: Tag = 0;

const IDLE: u32 = 1 << 0;
const POWER_DOWN: u32 = 1 << 1;
const POWER_ON_RESET: u32 = 1 << 0;
/// TIMER0, TIMER1, UART0 and UART1: the modelled peripherals that PCONP can switch off.
const MODELLED_IN_PCONP: u32 = 0b1_1110;

/// Keys of the block in the board file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Frequency of the crystal.
    oscillator_hz: u32,
    /// Time from the feed that enables PLL0 to PLOCK. The manual gives none (unverified).
    #[serde(default = "default_pll_lock_ns")]
    pll_lock_ns: u64,
}

fn default_pll_lock_ns() -> u64 {
    100_000
}

/// The device; see the file's head.
#[derive(Clone, Debug)]
pub struct SystemControl {
    parameters: Parameters,
    mamcr: u32,
    mamtim: u32,
    memmap: u32,
    pll: [Pll; 2],
    pcon: u32,
    pconp: u32,
    vpbdiv: u32,
    external: [u32; 4],
    rsir: u32,
    scs: u32,
    wake: [bool; 2],
}

impl SystemControl {
    /// A block in reset.
    pub fn new(parameters: Parameters) -> Self {
        SystemControl {
            parameters,
            mamcr: 0,
            mamtim: 7,
            // The boot code, which is not modelled, leaves 1 here before it starts the user's code.
            memmap: 1,
            pll: Default::default(),
            pcon: 0,
            pconp: 0x3BE,
            vpbdiv: 0,
            external: [0; 4],
            rsir: POWER_ON_RESET,
            scs: 0,
            wake: [false; 2],
        }
    }

    fn drive_mam(&self, port: &mut Port) {
        port.drive(MAM, self.mamcr | self.mamtim << 8);
    }

    fn drive_pclk(&self, port: &mut Port) {
        port.drive(PCLK_DIVIDER, [4, 1, 2][self.vpbdiv as usize]);
    }

    fn drive_sleep(&self, port: &mut Port) {
        port.drive(SLEEP, u32::from(self.pcon & IDLE != 0));
    }

    fn write_pcon(&mut self, value: u32, port: &mut Port) {
        if value & POWER_DOWN != 0 {
            port.unmodelled("power-down mode (PCON bit 1): the core runs on");
        }
        self.pcon = value & !POWER_DOWN & 0x1F;
        // A request that is already there ends idle mode before it begins.
        if self.wake.contains(&true) {
            self.pcon &= !IDLE;
        }
        self.drive_sleep(port);
    }

    fn write_vpbdiv(&mut self, value: u32, port: &mut Port) {
        if value & 3 == 3 {
            port.unmodelled("VPBDIV = 3, a reserved value: the write was ignored");
            return;
        }
        self.vpbdiv = value & 3;
        self.drive_pclk(port);
    }

    fn settle(&mut self, port: &mut Port) {
        let pll = &mut self.pll[0];
        if pll.locks_at.is_some_and(|at| at <= port.now()) {
            (pll.locked, pll.locks_at) = (true, None);
            self.drive_clock(port);
        }
    }
}

impl Device for SystemControl {
    fn outputs(&self) -> &'static [&'static str] {
        &["mam", "memmap", "core_hz", "pclk_divider", "sleep", "scs", "pll_lock", "pconp"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["wake", "wake_fiq"]
    }

    fn highest(&self, output: Output) -> u32 {
        let Parameters { oscillator_hz, pll_lock_ns } = self.parameters;
        let lock_cycles = pll_lock_ns.saturating_mul(oscillator_hz.into()) / 1_000_000_000;
        match output {
            CORE_HZ => {
                oscillator_hz.saturating_mul(self.pll[0].highest(lock_cycles > NOTICE_CYCLES))
            }
            _ => u32::MAX,
        }
    }

    fn register(&self, offset: u32) -> Option<String> {
        registers::name(&registers::SCB, offset)
    }

    fn reset(&mut self, port: &mut Port) {
        *self = SystemControl::new(self.parameters.clone());
        port.cancel(LOCKED);
        self.drive_mam(port);
        port.drive(MEMMAP, self.memmap);
        self.drive_clock(port);
        self.drive_pclk(port);
        self.drive_sleep(port);
        port.drive(SCS, self.scs);
        port.drive(PCONP, self.pconp);
    }

    fn read(&mut self, offset: u32, _width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        self.pll.iter_mut().for_each(Pll::break_feed);
        match offset {
            0x000 => self.mamcr,
            0x004 => self.mamtim,
            0x040 => self.memmap,
            0x080 => self.pll[0].control,
            0x084 => self.pll[0].configuration,
            0x088 => self.pll[0].status(),
            0x0A0 => self.pll[1].control,
            0x0A4 => self.pll[1].configuration,
            0x0A8 => self.pll[1].status(),
            0x08C | 0x0AC => 0,
            0x0C0 => self.pcon,
            0x0C4 => self.pconp,
            0x100 => self.vpbdiv,
            0x140 | 0x144 | 0x148 | 0x14C => self.external[(offset as usize - 0x140) / 4],
            0x180 => self.rsir,
            0x1A0 => self.scs,
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    fn copy(&self) -> Option<Box<dyn Device>> {
        Some(Box::new(self.clone()))
    }

    fn write(&mut self, offset: u32, _width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        for (pll, feed) in self.pll.iter_mut().zip([0x08C, 0x0AC]) {
            if offset != feed {
                pll.break_feed();
            }
        }
        match offset {
            0x000 => self.write_mamcr(value, port),
            0x004 => self.write_mamtim(value, port),
            0x040 => {
                self.memmap = value & 3;
                port.drive(MEMMAP, self.memmap);
            }
            0x080..=0x08C if offset % 4 == 0 => self.write_pll(0, offset - 0x080, value, port),
            0x0A0..=0x0AC if offset % 4 == 0 => self.write_pll(1, offset - 0x0A0, value, port),
            0x0C0 => self.write_pcon(value, port),
            0x0C4 => {
                self.pconp = value;
                port.drive(PCONP, value);
                if value & MODELLED_IN_PCONP != MODELLED_IN_PCONP {
                    port.unmodelled("PCONP switching off a timer or a UART: it keeps running");
                }
            }
            0x100 => self.write_vpbdiv(value, port),
            0x140 => self.external[0] &= !value,
            0x144 | 0x148 | 0x14C => {
                self.external[(offset as usize - 0x140) / 4] = value & 0xFF;
                port.unmodelled(
                    "external interrupts: INTWAKE, EXTMODE and EXTPOLAR are only stored",
                );
            }
            0x180 => self.rsir &= !value,
            0x1A0 => {
                self.scs = value & 3;
                port.drive(SCS, self.scs);
            }
            _ => no_register(PART, offset, port),
        }
    }

    fn event(&mut self, _tag: Tag, port: &mut Port) {
        self.settle(port);
    }

    fn changed(&mut self, input: Input, level: u32, port: &mut Port) {
        self.wake[input] = level != 0;
        if level != 0 && self.pcon & IDLE != 0 {
            self.pcon &= !IDLE;
            self.drive_sleep(port);
        }
    }
}
