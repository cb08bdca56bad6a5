//! Values that come to the board: known by their cycle, delivered at it.

use super::{Light, Link, Mismatch};
use crate::bench::state::{Grant, Inside, Load, Message};
use crate::system::wiring::Listener;
use crate::system::{StopRequest, System};
use crate::time::{Attoseconds, Cycle};

impl Link {
    /// Takes what has come. Returns when one came that `is_late`, or began behind a look at its light.
    fn take_mail(&mut self, is_late: impl Fn(Attoseconds) -> bool) -> Option<Attoseconds> {
        let mut late = None;
        for message in self.mail.drain(..) {
            if is_late(message.at) {
                late = Some(message.at);
            }
            if let Load::Light(frame) = message.load {
                let of = |light: &&mut Light| light.comes_from.contains(&message.wire);
                if let Some(light) = self.lights.iter_mut().find(of) {
                    if frame.starts < light.receiver.looked() {
                        late = Some(frame.starts);
                    }
                    light.receive(frame);
                }
                continue;
            }
            let to = self.incoming.iter().find(|incoming| incoming.wire == message.wire);
            if let Some(incoming) = to {
                self.arrived += 1;
                self.arrivals.insert((message.at, incoming.input, self.arrived), message);
            }
        }
        late
    }
}

impl System {
    /// The others have said how far the board may go, and what comes until then: nothing that was to come before
    /// cycle `from`.
    pub(super) fn take_grant(&mut self, grant: Grant, from: Cycle) {
        let Some(link) = &mut self.link else { return };
        (link.horizon, link.dark) = (grant.horizon, grant.dark);
        let clock = &self.clock;
        if let Some(at) = link.take_mail(|at| clock.cycle_at(at) < from) {
            let cycle = clock.cycle_at(at);
            self.request_stop(StopRequest::Failure(format!(
                "Something comes to the board at cycle {cycle}, which was over when the bench's last run ended: state \
                 baud, or give the wires a delay longer than instructions."
            )));
        }
    }

    /// The link's event is due.
    pub(in crate::system) fn link_event(&mut self) {
        let now = self.wiring.port.now();
        let at = self.clock.attoseconds(now);
        let Some(link) = &self.link else { return };
        let needs = Inside { at, light: link.first_look() <= at };
        let knows = link.horizon > at && (!needs.light || link.dark >= at);
        if !knows && !self.look_inside(now, needs) {
            return;
        }
        while let Some(link) = &mut self.link {
            let Some(first) = link.arrivals.first_entry().filter(|one| one.key().0 <= at) else {
                break;
            };
            let message = first.remove();
            self.deliver(&message, now);
        }
        self.look_at_light(at);
        self.refresh_link();
    }

    /// Waits within an instruction until all is known that arrives by now.
    fn look_inside(&mut self, now: Cycle, needs: Inside) -> bool {
        let sleeping = self.link.as_ref().is_some_and(|link| link.sleeping);
        self.write_post(now, sleeping);
        let Some(link) = &mut self.link else { return false };
        let grant = if link.shared.is_running() {
            link.shared.sync(link.board, &link.post, Some(needs), &mut link.mail)
        } else {
            None
        };
        let Some(grant) = grant else {
            self.request_stop(StopRequest::Failure(
                "The board is wired to others: run the bench, not the board.".into(),
            ));
            return false;
        };
        self.take_grant(grant, now);
        true
    }

    fn deliver(&mut self, message: &Message, now: Cycle) {
        let hz = self.clock.hz();
        let Some(link) = &mut self.link else { return };
        let to = link.incoming.iter_mut().find(|incoming| incoming.wire == message.wire);
        let Some(incoming) = to else { return };
        let input = incoming.input;
        let mut value = match message.load {
            Load::Level(value) | Load::Character(value, ..) => value,
            Load::Light(_) => return,
        };
        if let (Load::Character(_, framing, bit_as), Listener::Device { device, .. }) =
            (&message.load, self.wiring.inputs[input].listener)
        {
            if let Some(receiver) = self.wiring.devices[device].device.framing() {
                let bits_as = (*bit_as, receiver.bit_as(hz));
                let (seen, alike) = framing.received_by(&receiver, value, bits_as);
                if !alike {
                    incoming.mismatch.get_or_insert(Mismatch { bits_as, cycle: now });
                }
                value = seen;
            }
        }
        self.tell_input(input, value);
        let owner = self.link_owner();
        self.settle(owner);
    }
}
