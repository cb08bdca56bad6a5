//! The timer against a model that takes one cycle at a time.

use super::*;

/// The same timer without a single shortcut, written from the rules alone.
#[derive(Default)]
struct Naive {
    cycle: u64,
    divider: u64,
    tc: u32,
    pc: u32,
    pr: u32,
    ir: u32,
    tcr: u32,
    mcr: u32,
    mr: [u32; 4],
    emr: u32,
    arrived: bool,
}

impl Naive {
    fn run_to(&mut self, cycle: u64) {
        while self.cycle < cycle {
            self.cycle += 1;
            if self.cycle % self.divider == 0 && self.tcr == 1 {
                self.pclk();
            }
        }
    }

    fn pclk(&mut self) {
        let (tc, arrived) = (self.tc, std::mem::take(&mut self.arrived));
        let hit = |n: usize| self.mr[n] == tc;
        let wants = |n: usize, bit: u32| self.mcr & bit << (3 * n) != 0;
        let stops = arrived && (0..4).any(|n| hit(n) && wants(n, 4));
        let resets = (0..4).any(|n| hit(n) && wants(n, 2));
        if arrived {
            for n in (0..4).filter(|n| hit(*n)) {
                if wants(n, 1) {
                    self.ir |= 1 << n;
                }
                let level = self.emr >> n & 1;
                let new = [level, 0, 1, 1 - level][(self.emr >> (4 + 2 * n) & 3) as usize];
                self.emr = self.emr & !(1 << n) | new << n;
            }
        }
        if stops {
            self.tcr = 0;
            if resets {
                (self.tc, self.pc, self.arrived) = (0, 0, true);
            }
        } else if self.pc == self.pr {
            self.pc = 0;
            self.tc = if resets { 0 } else { tc.wrapping_add(1) };
            self.arrived = true;
        } else {
            self.pc = self.pc.wrapping_add(1);
        }
    }

    fn write(&mut self, offset: u32, value: u32) {
        match offset {
            IR => self.ir &= !value,
            TCR => {
                self.tcr = value;
                if value & 2 != 0 {
                    (self.tc, self.pc, self.arrived) = (0, 0, true);
                }
            }
            TC => (self.tc, self.arrived) = (value, true),
            PR => self.pr = value,
            PC => self.pc = value,
            MCR => self.mcr = value,
            EMR => self.emr = value,
            _ => self.mr[(offset - MR0) as usize / 4] = value,
        }
    }
}

/// xorshift64: the same numbers every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 16) % u64::from(bound)) as u32
    }

    fn register_write(&mut self) -> (u32, u32) {
        match self.below(16) {
            0 => (PR, self.below(5)),
            1 => (PC, self.below(5)),
            2 => (TC, self.below(30)),
            3 => (TC, u32::MAX - self.below(20)),
            4 | 5 => (MCR, self.below(4096) & self.below(4096)),
            6 | 7 => (EMR, self.below(4096)),
            8 => (TCR, self.below(4)),
            9 | 10 => (IR, self.below(16)),
            n => (MR0 + 4 * (n - 11).min(3), self.below(30)),
        }
    }
}

#[test]
fn it_equals_a_model_that_takes_one_cycle_at_a_time() {
    for seed in 1..=300 {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let mut rig = timer(1);
        let mut naive = Naive { divider: 1, arrived: true, ..Naive::default() };
        for _ in 0..300 {
            if numbers.below(20) == 0 {
                let divider = 1 << numbers.below(3);
                rig.input("pclk_divider", divider);
                naive.divider = divider.into();
            }
            if numbers.below(3) == 0 {
                rig.write(TCR, 1);
                naive.write(TCR, 1);
            }
            let (offset, value) = numbers.register_write();
            rig.write(offset, value);
            naive.write(offset, value);
            let cycle = naive.cycle + u64::from(numbers.below(120));
            while naive.cycle < cycle {
                naive.run_to((naive.cycle + 1 + u64::from(numbers.below(40))).min(cycle));
                rig.at(naive.cycle);
                // Outputs first: reading a register must not be what makes them right.
                assert_eq!(
                    rig.output("interrupt"),
                    u32::from(naive.ir != 0),
                    "seed {seed} at {cycle}"
                );
                for n in 0..4 {
                    assert_eq!(
                        rig.output(["match0", "match1", "match2", "match3"][n]),
                        naive.emr >> n & 1
                    );
                }
            }
            let registers = [IR, TCR, TC, PC, EMR].map(|offset| rig.read(offset));
            let expected = [naive.ir, naive.tcr, naive.tc, naive.pc, naive.emr];
            assert_eq!(registers, expected, "seed {seed} at cycle {cycle}");
        }
    }
}
