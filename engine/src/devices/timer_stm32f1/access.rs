//! Registers.

use super::*;

impl Timer {
    pub(super) fn read_register(&mut self, offset: u32, port: &mut Port) -> u32 {
        let counter = &self.counter;
        let modes = |low: usize| counter.channels[low].mode | counter.channels[low + 1].mode << 8;
        match offset {
            0x00 => counter.control,
            0x04 => self.control2,
            0x08 => self.slave,
            0x0C => self.enables,
            0x10 => self.flags,
            0x14 => 0,
            0x18 => modes(0),
            0x1C => modes(2),
            0x20 => counter.enables,
            0x24 => counter.count,
            0x28 => counter.prescaler.preload,
            0x2C => counter.reload.preload,
            0x34..=0x40 => {
                let n = (offset as usize - 0x34) / 4;
                let channel = counter.channels[n];
                if channel.is_input() {
                    self.flags &= !(2 << n);
                }
                channel.compare.preload
            }
            0x48 => self.burst,
            0x4C => {
                port.unmodelled("DMAR of timer_stm32f1: bursts of the DMA, it reads 0");
                0
            }
            _ => {
                no_register(PART, offset, port);
                0
            }
        }
    }

    pub(super) fn write_register(&mut self, offset: u32, value: u32, port: &mut Port) {
        match offset {
            0x00 => self.write_control(value, port),
            0x04 => {
                self.control2 = value & 0xF8;
                if value & 0x80 != 0 {
                    port.unmodelled("CR2 of timer_stm32f1: TI1S, channel 1 keeps its own pin");
                }
            }
            0x08 => {
                self.slave = value & 0xFFF7;
                if value & 7 != 0 || value & 1 << 14 != 0 {
                    port.unmodelled("SMCR of timer_stm32f1: a slave mode, the clock stays its own");
                }
            }
            0x0C => self.enables = value & 0x5F5F,
            0x10 => self.flags &= value | !SR_BITS,
            0x14 => self.generate(value, port),
            0x18 => self.write_modes(0, value, port),
            0x1C => self.write_modes(2, value, port),
            0x20 => self.counter.enables = value & 0x3333,
            0x24 => {
                self.counter.count = value & 0xFFFF;
                self.counter.settle_levels();
            }
            0x28 => self.counter.prescaler.write(value, true),
            0x2C => self.counter.write_reload(value),
            0x34..=0x40 => {
                let channel = &mut self.counter.channels[(offset as usize - 0x34) / 4];
                if channel.is_output() {
                    let preloads = channel.preloads();
                    channel.compare.write(value, preloads);
                    self.counter.settle_levels();
                }
            }
            0x48 => self.burst = value & 0x1F1F,
            0x4C => port.unmodelled("DMAR of timer_stm32f1: bursts of the DMA, nothing is written"),
            _ => no_register(PART, offset, port),
        }
    }

    fn write_control(&mut self, value: u32, port: &mut Port) {
        let before = self.counter.control;
        self.counter.control = value & 0x3FF;
        if value & CMS != 0 {
            port.unmodelled("CR1 of timer_stm32f1: counting up and down, it counts as DIR says");
        }
        if value & CEN != 0 && before & CEN == 0 {
            self.counter.starts = true;
        }
        self.counter.settle_levels();
    }

    /// EGR.
    fn generate(&mut self, value: u32, port: &mut Port) {
        let mut happened = Happened::default();
        if value & 1 != 0 {
            let shows = self.counter.control & URS == 0;
            self.counter.restart(shows, &mut happened);
        }
        for n in (0..4).filter(|n| value >> (n + 1) & 1 != 0) {
            if self.counter.channels[n].is_input() {
                self.capture(n, port);
            } else {
                happened.flags |= 2 << n;
                happened.requests |= 2 << n;
            }
        }
        if value & 1 << 6 != 0 {
            happened.flags |= 1 << 6;
        }
        self.note(happened, port);
    }

    /// CCMR1 or CCMR2, of two channels.
    fn write_modes(&mut self, low: usize, value: u32, port: &mut Port) {
        for n in [low, low + 1] {
            let mode = value >> (8 * (n - low)) & 0xFF;
            let channel = &mut self.counter.channels[n];
            channel.mode = mode;
            if mode & 3 == 3 {
                port.unmodelled("CCMR of timer_stm32f1: captures by TRC, none comes");
            }
            if channel.is_input() && mode >> 4 != 0 {
                port.unmodelled("CCMR of timer_stm32f1: ICxF, every edge counts");
            }
            if channel.is_output() && mode & 0x84 != 0 {
                port.unmodelled("CCMR of timer_stm32f1: OCxCE or OCxFE, without effect");
            }
            if channel.is_output() && !channel.preloads() {
                channel.compare.active = channel.compare.preload;
            }
        }
        self.counter.settle_levels();
    }
}
