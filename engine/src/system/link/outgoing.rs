//! Values that leave the board, and the promises when none does.

use super::Outgoing;
use crate::bench::state::{Load, Message, Promise};
use crate::device::NOTICE_CYCLES;
use crate::system::{lasts, StopRequest, System};
use crate::time::{Attoseconds, Cycle, NEVER, NEVER_AS, SECOND_AS};

/// Bits of the shortest character: start, five data bits, stop.
const SHORTEST_BITS: u32 = 7;
/// By so much of 100 a bit may be shorter than stated.
const TOLERANCE: u32 = 6;

/// The least time of so many bits at the rate that a wire states.
fn stated_as(bits: u32, baud: u32) -> Attoseconds {
    SECOND_AS * Attoseconds::from(bits * (100 - TOLERANCE)) / (100 * Attoseconds::from(baud.max(1)))
}

impl System {
    /// An output sends a value, or has a new level.
    pub(in crate::system) fn leave(
        &mut self,
        device: usize,
        output: usize,
        value: u32,
        sends: bool,
    ) {
        let now = self.wiring.port.now();
        if sends {
            self.end_light(device, output, value);
        }
        let Some(link) = &self.link else { return };
        for i in 0..link.outgoing.len() {
            let Some(link) = &self.link else { return };
            let one = &link.outgoing[i];
            let is_other = one.light || one.output != (device, output);
            if is_other || one.announced == Some((now, value)) {
                continue;
            }
            if now < one.earliest || one.announced.is_some_and(|(at, _)| at == now) {
                let name = &self.wiring.devices[device].outputs[output].name;
                let sentence = format!(
                    "{name} sent at cycle {now}, and its device had not given notice of it: wire \
                     another output, or correct Device::notice."
                );
                return self.request_stop(StopRequest::Failure(sentence));
            }
            self.carry_off(i, now, value, sends);
        }
    }

    /// Refuses a character that is faster than the wire states, by more than UARTs tolerate.
    pub(super) fn check_speed(&mut self, outgoing: usize, bit_as: Attoseconds) {
        let Some(link) = &self.link else { return };
        let Outgoing { output: (device, output), fastest_baud, .. } = link.outgoing[outgoing];
        let Some(baud) = fastest_baud.filter(|&baud| bit_as < stated_as(1, baud)) else { return };
        let name = &self.wiring.devices[device].outputs[output].name;
        let rate = SECOND_AS / bit_as.max(1);
        self.request_stop(StopRequest::Failure(format!(
            "{name} sends {rate} bit/s, and the bench states baud = {baud} at most: correct baud."
        )));
    }

    /// Puts a value on a wire that leaves at cycle `at`, now or to come.
    fn carry_off(&mut self, outgoing: usize, at: Cycle, value: u32, sends: bool) {
        let Some(link) = &self.link else { return };
        let Outgoing { output: (device, _), wire, delay_cycles, .. } = link.outgoing[outgoing];
        let hz = self.clock.hz();
        let framing = self.wiring.devices[device].device.framing().filter(|_| sends);
        let bit_as = framing.map(|framing| framing.bit_as(hz));
        let load = match framing.zip(bit_as) {
            Some((framing, bit_as)) => Load::Character(value, framing, bit_as),
            None => Load::Level(value),
        };
        let at = self.clock.attoseconds(at) + lasts(delay_cycles, hz);
        link.shared.send(Message { at, wire, load });
        if let Some(bit_as) = bit_as {
            self.check_speed(outgoing, bit_as);
        }
    }

    /// Where the board stands at cycle `at`, and the earliest at which each wire may carry something.
    pub(super) fn write_post(&mut self, at: Cycle, asleep: bool) {
        let owner = self.link_owner();
        let next = self.wiring.queue.next_without(owner).max(at);
        let hz = self.clock_driver.map_or(self.clock.hz(), |(device, output)| {
            self.wiring.devices[device].device.highest(output).max(self.clock.hz())
        });
        let cause = if asleep { next } else { at };
        let now_as = self.clock.attoseconds(at);
        let time = |cycle| if cycle == NEVER { NEVER_AS } else { now_as + lasts(cycle - at, hz) };
        let Some(link) = &mut self.link else { return };
        link.post.position = now_as;
        link.post.pending = link.first_arrival();
        link.post.dormant = asleep && next == NEVER && link.arrivals.is_empty();
        link.post.promises.clear();
        let mut announces = Vec::new();
        for (i, one) in link.outgoing.iter_mut().enumerate() {
            let (device, output) = one.output;
            let notice = self.wiring.devices[device].device.notice(output);
            let shortest_cycles = notice.shortest_cycles.min(NOTICE_CYCLES);
            let mut due = notice.under_way.unwrap_or(NEVER).max(at);
            let mut begins = cause;
            if let Some((leaves, value)) = notice.leaves {
                if self.clock_driver.is_some() {
                    due = due.min(leaves.max(at)); // its time depends on the clock until then
                } else if !one.light && one.announced != Some((leaves, value)) {
                    one.announced = Some((leaves, value));
                    announces.push((i, leaves, value));
                }
                begins = begins.max(leaves);
            }
            due = if notice.passes { due.min(next) } else { due };
            let stated = one.fastest_baud.filter(|_| shortest_cycles > 0);
            let stated = stated.map_or(0, |baud| stated_as(SHORTEST_BITS, baud));
            let shortest_as = lasts(shortest_cycles, hz).max(stated);
            one.earliest = if notice.passes { 0 } else { due.min(at + shortest_cycles) };
            link.post.promises.push(Promise {
                wire: one.wire,
                begins: time(begins),
                due: time(due),
                shortest_as,
                passes: notice.passes,
            });
        }
        for (i, leaves, value) in announces {
            self.carry_off(i, leaves, value, true);
        }
    }
}
