//! System control block of the LPC2148: MAM control, MEMMAP, PLLs, power, VPB divider, SCS.
//! Follows the LPC214x user manual (UM10139), system control block chapter.
//! Clocks leave as levels: `core_hz`, `pclk_divider`; the board obeys them.

use super::{lanes, no_register};
use crate::bus::Width;
use crate::device::{Device, Input, Output, Port, Tag};
use crate::time::Cycle;
use serde::Deserialize;

const PART: &str = "scb_lpc2000";

const MAM: Output = 0;
const MEMMAP: Output = 1;
const CORE_HZ: Output = 2;
const PCLK_DIVIDER: Output = 3;
const SLEEP: Output = 4;
const SCS: Output = 5;
const PLL_LOCK: Output = 6;

const LOCKED: Tag = 0;

const ENABLE: u32 = 1 << 0;
const CONNECT: u32 = 1 << 1;
const IDLE: u32 = 1 << 0;
const POWER_DOWN: u32 = 1 << 1;
const POWER_ON_RESET: u32 = 1 << 0;
/// TIMER0, TIMER1 and UART0: the modelled peripherals that PCONP can switch off.
const MODELLED_IN_PCONP: u32 = 0b1110;

/// What the board file says of the block.
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

/// Where a PLLFEED sequence stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Feed {
    #[default]
    Idle,
    /// 0xAA was written by the access just before.
    Begun,
}

/// PLLCON, PLLCFG as written; and as in effect, since the last feed.
#[derive(Clone, Debug, Default)]
struct Pll {
    written: (u32, u32),
    control: u32,
    configuration: u32,
    feed: Feed,
    locks_at: Option<Cycle>,
    locked: bool,
}

impl Pll {
    fn multiplier(&self) -> u32 {
        (self.configuration & 31) + 1
    }

    fn divider(&self) -> u32 {
        1 << (self.configuration >> 5 & 3)
    }

    fn enabled(&self) -> bool {
        self.control & ENABLE != 0
    }

    fn connected(&self) -> bool {
        self.enabled() && self.control & CONNECT != 0 && self.locked
    }

    fn status(&self) -> u32 {
        self.configuration & 0x7F | (self.control & 3) << 8 | u32::from(self.locked) << 10
    }

    /// A write to PLLFEED: whether it completed the sequence and put the registers in effect.
    fn feed(&mut self, value: u32) -> bool {
        let complete = self.feed == Feed::Begun && value & 0xFF == 0x55;
        self.feed = if value & 0xFF == 0xAA { Feed::Begun } else { Feed::Idle };
        if complete {
            (self.control, self.configuration) = self.written;
        }
        complete
    }
}

/// The device; see the file's head.
#[derive(Debug)]
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

    fn core_hz(&self) -> u32 {
        let oscillator = self.parameters.oscillator_hz;
        if self.pll[0].connected() {
            oscillator.saturating_mul(self.pll[0].multiplier())
        } else {
            oscillator
        }
    }

    fn drive_mam(&self, port: &mut Port) {
        port.drive(MAM, self.mamcr | self.mamtim << 8);
    }

    fn drive_pclk(&self, port: &mut Port) {
        port.drive(PCLK_DIVIDER, [4, 1, 2][self.vpbdiv as usize]);
    }

    fn drive_clock(&self, port: &mut Port) {
        port.drive(CORE_HZ, self.core_hz());
        port.drive(PLL_LOCK, self.pll[0].locked.into());
    }

    fn drive_sleep(&self, port: &mut Port) {
        port.drive(SLEEP, u32::from(self.pcon & IDLE != 0));
    }

    fn write_mamcr(&mut self, value: u32, port: &mut Port) {
        if value & 3 == 3 {
            port.unmodelled("MAMCR = 3, a reserved mode: the write was ignored");
            return;
        }
        self.mamcr = value & 3;
        self.drive_mam(port);
    }

    fn write_mamtim(&mut self, value: u32, port: &mut Port) {
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

    fn write_pll(&mut self, n: usize, register: u32, value: u32, port: &mut Port) {
        match register {
            0x0 => self.pll[n].written.0 = value & 3,
            0x4 => self.pll[n].written.1 = value & 0x7F,
            0xC => return self.feed(n, value, port),
            _ => {}
        }
        self.pll[n].feed = Feed::Idle;
    }

    fn feed(&mut self, n: usize, value: u32, port: &mut Port) {
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
        } else if !before.enabled() || before.configuration != pll.configuration {
            let lock = u128::from(self.parameters.pll_lock_ns) * u128::from(hz);
            let at = port.now().saturating_add(lock.div_ceil(1_000_000_000) as Cycle);
            (pll.locked, pll.locks_at) = (false, Some(at));
            port.schedule(LOCKED, at);
            self.check_frequencies(port);
        }
        if self.pll[0].control == ENABLE | CONNECT && !self.pll[0].locked {
            port.unmodelled("PLL0 connected before it locked: the clock changes when it locks");
        }
        self.drive_clock(port);
    }

    fn check_frequencies(&self, port: &mut Port) {
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
        &["mam", "memmap", "core_hz", "pclk_divider", "sleep", "scs", "pll_lock"]
    }

    fn inputs(&self) -> &'static [&'static str] {
        &["wake", "wake_fiq"]
    }

    fn reset(&mut self, port: &mut Port) {
        // The wake lines belong to the devices that drive them.
        *self = SystemControl { wake: self.wake, ..SystemControl::new(self.parameters.clone()) };
        port.cancel(LOCKED);
        self.drive_mam(port);
        port.drive(MEMMAP, self.memmap);
        self.drive_clock(port);
        self.drive_pclk(port);
        self.drive_sleep(port);
        port.drive(SCS, self.scs);
    }

    fn read(&mut self, offset: u32, width: Width, port: &mut Port) -> u32 {
        self.settle(port);
        self.pll.iter_mut().for_each(|pll| pll.feed = Feed::Idle);
        let value = match offset {
            0x000 => self.mamcr,
            0x004 => self.mamtim,
            0x040 => self.memmap,
            0x080 => self.pll[0].written.0,
            0x084 => self.pll[0].written.1,
            0x088 => self.pll[0].status(),
            0x0A0 => self.pll[1].written.0,
            0x0A4 => self.pll[1].written.1,
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
        };
        lanes(width, value)
    }

    fn write(&mut self, offset: u32, width: Width, value: u32, port: &mut Port) {
        self.settle(port);
        let value = lanes(width, value);
        if !matches!(offset, 0x08C | 0x0AC) {
            self.pll.iter_mut().for_each(|pll| pll.feed = Feed::Idle);
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
                if value & MODELLED_IN_PCONP != MODELLED_IN_PCONP {
                    port.unmodelled("PCONP switching off a timer or UART0: it keeps running");
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

#[cfg(test)]
mod tests {
    use super::super::rig::Rig;
    use super::*;

    const PLLCON: u32 = 0x080;
    const PLLCFG: u32 = 0x084;
    const PLLSTAT: u32 = 0x088;
    const PLLFEED: u32 = 0x08C;
    const PLOCK: u32 = 1 << 10;

    fn block(oscillator_hz: u32) -> Rig<SystemControl> {
        Rig::new(SystemControl::new(Parameters { oscillator_hz, pll_lock_ns: 100_000 }))
    }

    fn feed(rig: &mut Rig<SystemControl>) {
        rig.write(PLLFEED, 0xAA).write(PLLFEED, 0x55);
    }

    #[test]
    fn after_reset_all_outputs_have_the_manuals_values() {
        let rig = block(12_000_000);
        assert_eq!(rig.output("mam"), 0x700);
        assert_eq!(rig.output("memmap"), 1);
        assert_eq!(rig.output("core_hz"), 12_000_000);
        assert_eq!(rig.output("pclk_divider"), 4);
        assert_eq!((rig.output("sleep"), rig.output("scs"), rig.output("pll_lock")), (0, 0, 0));
    }

    #[test]
    fn registers_read_their_reset_values() {
        let mut rig = block(12_000_000);
        let expected = [(0x000, 0), (0x004, 7), (0x040, 1), (0x0C4, 0x3BE), (0x100, 0), (0x180, 1)];
        for (offset, value) in expected {
            assert_eq!(rig.read(offset), value, "{offset:#x}");
        }
    }

    #[test]
    fn mam_mode_and_fetch_time_leave_on_one_wire() {
        let mut rig = block(12_000_000);
        rig.write(0x004, 3).write(0x000, 2);
        assert_eq!(rig.output("mam"), 0x302);
        assert!(rig.unmodelled().is_empty());
    }

    #[test]
    fn mamtim_changed_while_the_mam_is_on_is_kept_and_reported() {
        let mut rig = block(12_000_000);
        rig.write(0x000, 1).write(0x004, 4);
        assert_eq!(rig.output("mam"), 0x401);
        assert_eq!(rig.unmodelled().len(), 1);
    }

    #[test]
    fn reserved_mam_and_vpb_values_are_ignored_and_reported() {
        let mut rig = block(12_000_000);
        rig.write(0x000, 3).write(0x004, 0).write(0x100, 3);
        assert_eq!((rig.output("mam"), rig.output("pclk_divider")), (0x700, 4));
        assert_eq!(rig.unmodelled().len(), 3);
    }

    #[test]
    fn the_pll_starts_locks_and_takes_over_the_clock() {
        let mut rig = block(12_000_000);
        rig.at(1000).write(PLLCFG, 0x24).write(PLLCON, 1);
        assert_eq!(rig.read(PLLSTAT), 0, "nothing happens before the feed");
        feed(&mut rig);
        assert_eq!(rig.read(PLLSTAT), 0x124);
        // 100 us at 12 MHz.
        assert_eq!(rig.at(2199).read(PLLSTAT), 0x124);
        assert_eq!(rig.at(2200).read(PLLSTAT), 0x124 | PLOCK);
        assert_eq!(rig.changes("pll_lock"), [(0, 0), (2200, 1)]);
        rig.at(2300).write(PLLCON, 3);
        feed(&mut rig);
        assert_eq!(rig.read(PLLSTAT), 0x324 | PLOCK);
        assert_eq!(rig.changes("core_hz"), [(0, 12_000_000), (2300, 60_000_000)]);
        assert!(rig.unmodelled().is_empty());
    }

    #[test]
    fn disabling_the_pll_returns_to_the_oscillator() {
        let mut rig = block(12_000_000);
        rig.write(PLLCFG, 0x24).write(PLLCON, 1);
        feed(&mut rig);
        rig.at(5000).write(PLLCON, 3);
        feed(&mut rig);
        rig.at(6000).write(PLLCON, 0);
        feed(&mut rig);
        assert_eq!((rig.output("core_hz"), rig.read(PLLSTAT)), (12_000_000, 0x24));
    }

    #[test]
    fn a_feed_broken_by_another_access_does_nothing() {
        let mut rig = block(12_000_000);
        rig.write(PLLCFG, 0x24).write(PLLCON, 1);
        rig.write(PLLFEED, 0xAA).write(0x040, 1).write(PLLFEED, 0x55);
        assert_eq!(rig.read(PLLSTAT), 0);
        rig.write(PLLFEED, 0xAA);
        rig.read(PLLSTAT);
        rig.write(PLLFEED, 0x55);
        assert_eq!(rig.read(PLLSTAT), 0);
        rig.write(PLLFEED, 0xAA).write(PLLFEED, 0xAA).write(PLLFEED, 0x55);
        assert_eq!(rig.read(PLLSTAT), 0x124, "a repeated first word still begins the sequence");
    }

    #[test]
    fn frequencies_out_of_range_are_reported_but_obeyed() {
        let mut rig = block(30_000_000);
        rig.write(PLLCFG, 2).write(PLLCON, 3);
        feed(&mut rig);
        assert_eq!(rig.unmodelled().len(), 3, "{:?}", rig.unmodelled());
        rig.at(10_000);
        assert_eq!(rig.output("core_hz"), 90_000_000);
        let mut rig = block(12_000_000);
        rig.write(PLLCFG, 4).write(PLLCON, 1);
        feed(&mut rig);
        assert_eq!(
            rig.unmodelled(),
            ["PLL0 with Fcco outside 156 to 320 MHz: it locks all the same"],
            "60 MHz with P = 1 is Fcco = 120 MHz"
        );
    }

    #[test]
    fn vpbdiv_sets_the_pclk_divider() {
        let mut rig = block(12_000_000);
        for (value, divider) in [(1, 1), (2, 2), (0, 4)] {
            rig.write(0x100, value);
            assert_eq!(rig.output("pclk_divider"), divider);
        }
    }

    #[test]
    fn idle_sleeps_until_an_interrupt_request() {
        for wake in ["wake", "wake_fiq"] {
            let mut rig = block(12_000_000);
            rig.at(10).write(0x0C0, 1);
            assert_eq!(rig.output("sleep"), 1);
            rig.at(50).input(wake, 1);
            assert_eq!(rig.changes("sleep"), [(0, 0), (10, 1), (50, 0)]);
            assert_eq!(rig.read(0x0C0), 0);
        }
    }

    #[test]
    fn idle_with_a_request_pending_does_not_sleep() {
        let mut rig = block(12_000_000);
        rig.input("wake", 1).write(0x0C0, 1);
        assert_eq!((rig.output("sleep"), rig.read(0x0C0)), (0, 0));
    }

    #[test]
    fn what_is_only_stored_says_so() {
        let mut rig = block(12_000_000);
        rig.write(0x0C0, 2).write(0x0C4, 0).write(0x148, 1).write(0x0A0, 1);
        rig.write(0x0AC, 0xAA).write(0x0AC, 0x55).write(0x184, 0);
        assert_eq!((rig.output("sleep"), rig.read(0x0C4), rig.read(0x148)), (0, 0, 1));
        assert_eq!(rig.unmodelled().len(), 5, "{:?}", rig.unmodelled());
    }

    #[test]
    fn rsir_names_power_on_until_cleared() {
        let mut rig = block(12_000_000);
        assert_eq!(rig.read(0x180), 1);
        assert_eq!(rig.write(0x180, 1).read(0x180), 0);
    }

    #[test]
    fn scs_leaves_as_it_is_written() {
        let mut rig = block(12_000_000);
        rig.write(0x1A0, 3);
        assert_eq!((rig.output("scs"), rig.read(0x1A0)), (3, 3));
    }
}
