//! Values read on chips, at every phase of the prescaler; docs/timing/timer_atmega.md names the threads that report them. `OUT`, `IN` and `NOP` take 1
//! cycle, `STS` and `LDS` 2. A read comes at the beginning of an instruction's last cycle, a write at its end.

use super::tests::{timer, TCCRA, TCCRB, TCNT};
use crate::devices::rig::Rig;
use crate::time::Cycle;

/// A program of instructions in a row.
pub struct Program(pub Rig);

impl Program {
    fn pass(&mut self, cycles: Cycle) {
        let now = self.0.now();
        self.0.at(now + cycles);
    }

    pub fn nop(&mut self) -> &mut Self {
        self.pass(1);
        self
    }

    pub fn out(&mut self, offset: u32, value: u32) -> &mut Self {
        self.pass(1);
        self.0.write(offset, value);
        self
    }

    pub fn sts(&mut self, offset: u32, value: u32) -> &mut Self {
        self.nop().out(offset, value)
    }

    /// `IN`.
    pub fn input(&mut self, offset: u32) -> u32 {
        let value = self.0.read(offset);
        self.pass(1);
        value
    }

    pub fn lds(&mut self, offset: u32) -> u32 {
        self.nop().input(offset)
    }
}

/// A timer of each kind, after so many cycles.
fn programs(phase: Cycle) -> [Program; 2] {
    [false, true].map(|asynchronous| {
        let mut rig = timer(8, asynchronous);
        rig.at(phase);
        Program(rig)
    })
}

#[test]
fn a_write_and_a_read_two_instructions_later_are_two_counts_apart() {
    // Issue 40: TCCR2A = 0, TCCR2B = 1; STS TCNT2, NOP, LDS TCNT2 gives 2.
    for phase in 0..1024 {
        for mut program in programs(phase) {
            program.sts(TCCRA, 0).sts(TCCRB, 1).sts(TCNT, 0).nop();
            assert_eq!(program.lds(TCNT), 2, "phase {phase}");
        }
    }
}

#[test]
fn a_timer_counts_from_the_cycle_behind_its_start() {
    // Issue 41: STS TCCR2B, NOP, LDS TCNT2 gives 2, and without the NOP 1.
    for phase in 0..1024 {
        for nops in [0, 1] {
            for mut program in programs(phase) {
                program.sts(TCCRB, 1);
                for _ in 0..nops {
                    program.nop();
                }
                assert_eq!(program.lds(TCNT), 1 + nops, "phase {phase}");
            }
        }
    }
}

#[test]
fn a_value_written_is_there_one_cycle_later() {
    // Issue 36: TCNT0 = 0 and TCNT0 read at once gives 0.
    for phase in 0..1024 {
        for mut program in programs(phase) {
            program.out(TCCRA, 0).out(TCCRB, 1).out(TCNT, 0);
            assert_eq!(program.input(TCNT), 0, "phase {phase}");
            assert_eq!(program.input(TCNT), 1, "phase {phase}");
        }
    }
}

#[test]
fn a_timer_counts_up_to_the_cycle_of_its_stop() {
    // Issue 72: STS TCCR2B 1, STS TCCR2B 0, NOP, NOP, LDS TCNT2 gives 2.
    for phase in 0..1024 {
        for mut program in programs(phase) {
            program.sts(TCCRB, 1).sts(TCCRB, 0).nop().nop();
            assert_eq!(program.lds(TCNT), 2, "phase {phase}");
        }
    }
}

/// Cycles of the handler of issue 125 that do not wait, about.
const HANDLER_CYCLES: Cycle = 60;

#[test]
fn a_compare_value_written_again_while_the_counter_runs_does_not_move_the_match() {
    // Issue 125: an ATmega328P at 16 MHz, CTC up to 25 at clk/1024. The handler writes OCR2A = 25 anew,
    // every second time after 1 ms. The pin has about 300 Hz and a duty of one half on the chip, 234 Hz and 40 % there.
    for phase in (0..1024).step_by(31) {
        let mut rig = timer(8, true);
        rig.at(phase).write(super::tests::OCRA, 25).write(super::tests::TIMSK, 2);
        rig.write(TCCRA, 2).write(TCCRB, 7);
        let (mut edges, mut waits) = (Vec::new(), false);
        while edges.len() < 9 {
            let at = rig.next_event();
            rig.at(at);
            assert_eq!(rig.output("compa"), 1);
            edges.push(at);
            rig.acknowledge("compa");
            let handled = HANDLER_CYCLES + if waits { 16_000 } else { 0 };
            rig.at(at + handled).write(super::tests::OCRA, 25);
            waits = !waits;
        }
        let hz = 16e6 * 4.0 / (edges[8] - edges[0]) as f64;
        assert!((300.0..301.0).contains(&hz), "{hz}");
        let halves: Vec<_> = edges.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(halves, [26 * 1024; 8], "a duty of one half");
    }
}
