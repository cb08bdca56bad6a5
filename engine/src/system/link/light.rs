//! A serial line on an infrared channel: its light leaves when a character begins, and it hears its own and that
//! of others.

use crate::bench::infrared::Infrared;
use crate::bench::state::{Load, Message};
use crate::device::Character;
use crate::infrared::{pulses, Fate, Frame, Noise, Receiver};
use crate::system::wiring::Listener;
use crate::system::{lasts, StopRequest, System};
use crate::time::{Attoseconds, Cycle};

/// One line's end of a channel.
#[derive(Debug)]
pub struct Light {
    /// The channel, by its place on the bench, and the line, by its place on the channel.
    pub channel: usize,
    /// See `channel`.
    pub station: usize,
    /// Index of the device and of its output.
    pub output: (usize, usize),
    /// Edges to the other lines and from them.
    pub leads_to: Vec<usize>,
    /// See `leads_to`.
    pub comes_from: Vec<usize>,
    pub(super) receiver: Receiver,
    input: usize,
    delay_cycles: Cycle,
    echo: bool,
    /// Of each sender, by its place on the channel.
    noises: Vec<Noise>,
    /// Characters begun.
    begun: u64,
    /// The one under way: when it ends, and its value.
    under_way: Option<(Cycle, u32)>,
    sent: Vec<Sent>,
}

/// A character that began on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// How many the line sent before.
    pub number: u64,
    /// When it began.
    pub begins_as: Attoseconds,
    /// Cycle of its beginning.
    pub began: Cycle,
    /// Cycle of its end.
    pub ended: Cycle,
    /// Its value.
    pub value: u32,
}

impl Light {
    /// The end of a line on which nothing was sent yet.
    pub(crate) fn new(
        channel: usize,
        station: usize,
        output: (usize, usize),
        input: usize,
        stated: &Infrared,
        noises: impl Iterator<Item = Noise>,
    ) -> Light {
        Light {
            channel,
            station,
            output,
            leads_to: Vec::new(),
            comes_from: Vec::new(),
            receiver: Receiver::new(station),
            input,
            delay_cycles: stated.delay_cycles,
            echo: stated.echo,
            noises: noises.collect(),
            begun: 0,
            under_way: None,
            sent: Vec::new(),
        }
    }

    pub(super) fn reset(&mut self) {
        self.receiver = Receiver::new(self.station);
        (self.begun, self.under_way) = (0, None);
        self.sent.clear();
    }

    /// Adds what another line sent, with the errors of its way.
    pub(super) fn receive(&mut self, mut frame: Frame) {
        frame.pulses ^= self.noises[frame.from].errors(frame.number, frame.bits);
        self.receiver.add(frame);
    }

    /// Characters that began on the line since the last call.
    pub(crate) fn take_sent(&mut self) -> Vec<Sent> {
        std::mem::take(&mut self.sent)
    }

    /// Fates here of characters that others sent, since the last call.
    pub(crate) fn take_fates(&mut self) -> Vec<Fate> {
        self.receiver.take_fates()
    }
}

impl System {
    /// Ends of infrared channels.
    pub(crate) fn lights(&mut self) -> &mut [Light] {
        self.link.as_mut().map_or(&mut [], |link| &mut link.lights)
    }

    /// A character begins on an output.
    pub(in crate::system) fn begin_light(
        &mut self,
        device: usize,
        output: usize,
        character: &Character,
    ) {
        let now = self.wiring.port.now();
        let hz = self.clock.hz();
        let (begins_as, lasts_as) =
            (self.clock.attoseconds(now), lasts(character.ends.saturating_sub(now), hz));
        let Some(link) = &mut self.link else { return };
        let of = |light: &&mut Light| light.output == (device, output);
        let Some(light) = link.lights.iter_mut().find(of) else { return };
        let Character { value, framing, ends } = *character;
        let bit_as = framing.bit_as(hz);
        let starts = begins_as + lasts(light.delay_cycles, hz);
        let frame = Frame {
            from: light.station,
            number: light.begun,
            starts,
            ends: starts + lasts_as,
            bit_as,
            value,
            bits: framing.bits_to_stop(),
            pulses: pulses(&framing, value),
        };
        light.begun += 1;
        light.under_way = Some((ends, value));
        let number = frame.number;
        light.sent.push(Sent { number, begins_as, began: now, ended: ends, value });
        for &wire in &light.leads_to {
            link.shared.send(Message { at: frame.ends, wire, load: Load::Light(frame.clone()) });
        }
        if light.echo {
            light.receiver.add(frame);
        }
        let leads = |one: &super::Outgoing| one.light && one.output == (device, output);
        if let Some(first) = link.outgoing.iter().position(leads) {
            self.check_speed(first, bit_as);
        }
        self.refresh_link();
    }

    /// An output sends a character, which is to have begun as light.
    pub(super) fn end_light(&mut self, device: usize, output: usize, value: u32) {
        let now = self.wiring.port.now();
        let Some(link) = &mut self.link else { return };
        let of = |light: &&mut Light| light.output == (device, output);
        let Some(light) = link.lights.iter_mut().find(of) else { return };
        if light.under_way.take() != Some((now, value)) {
            let name = &self.wiring.devices[device].outputs[output].name;
            self.request_stop(StopRequest::Failure(format!(
                "{name} sends a character at cycle {now} that did not begin there, and light cannot be late: use \
                 the normal mode of its device."
            )));
        }
    }

    /// Receivers of light look again, each at all times up to `at` at which it is to.
    pub(super) fn look_at_light(&mut self, at: Attoseconds) {
        let hz = self.clock.hz();
        let count = self.link.as_ref().map_or(0, |link| link.lights.len());
        for i in 0..count {
            while let Some(link) = &mut self.link {
                let light = &mut link.lights[i];
                let Some(now) = light.receiver.next().filter(|now| *now <= at) else { break };
                let input = light.input;
                let framing = match self.wiring.inputs[input].listener {
                    Listener::Device { device, .. } => self.wiring.devices[device].device.framing(),
                    _ => None,
                };
                let framing = framing.as_ref().map(|framing| (framing, framing.bit_as(hz)));
                for value in light.receiver.look(now, framing) {
                    self.tell_input(input, value);
                    let owner = self.link_owner();
                    self.settle(owner);
                }
            }
        }
    }
}
