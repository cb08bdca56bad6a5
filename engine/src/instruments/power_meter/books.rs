//! The books of a power meter: counts, until they are booked, and ledgers.

use super::{Call, Hook, Ledger, Metering, Places, Reading, Spender};
use crate::energy::{Counts, Levels, Model, Rates};
use crate::instrument::Answered;
use crate::instruments::callers::{Callers, Charged};
use crate::instruments::window::{Passage, Passages};
use crate::time::Cycle;

/// The books of a meter, which its instruments feed.
#[derive(Debug)]
pub(super) struct Books {
    pub model: Model,
    pub hooks: Vec<(String, Hook)>,
    pub levels: Levels,
    pub rates: Rates,
    /// The rates change once the access or pause under way is charged.
    pub stale: bool,
    pub metering: Metering,
    pub passages: Option<Passages>,
    /// Where functions are the places.
    pub callers: Option<Callers>,
    pub counts: Counts,
    pub charged: Cycle,
    pub by: Answered,
    pub spender: Spender,
    /// Addresses of the spender's place: first, and first behind it.
    pub around: (u32, u32),
    pub total: (u128, u128),
    pub ledger: Ledger,
    pub iteration: Option<Ledger>,
    pub call: Option<Call>,
    pub calls: Vec<Call>,
    pub readings: Vec<Reading>,
}

impl Books {
    /// Books that have to be restarted before the first cycle.
    pub fn new(model: Model, hooks: Vec<(String, Hook)>, mut metering: Metering) -> Self {
        if let Places::From(starts) = &mut metering.places {
            starts.sort_unstable();
        }
        Books {
            counts: Counts::new(model.memories.len(), model.buses.len()),
            levels: Levels {
                core_hz: 1,
                dividers: Vec::new(),
                clocked: Vec::new(),
                asleep: Vec::new(),
            },
            rates: Rates::default(),
            model,
            hooks,
            stale: false,
            callers: Books::callers(&metering),
            metering,
            passages: None,
            charged: 0,
            by: Answered::Device { bus: 0, device: 0, offset: 0 },
            spender: Spender::default(),
            around: (0, 0),
            total: (0, 0),
            ledger: Ledger::new(),
            iteration: None,
            call: None,
            calls: Vec::new(),
            readings: Vec::new(),
        }
    }

    fn callers(metering: &Metering) -> Option<Callers> {
        match &metering.places {
            Places::Functions(code) => Some(Callers::new(code.clone())),
            _ => None,
        }
    }

    pub fn restart(&mut self, at: Cycle, levels: Levels, task: u32) {
        self.rates = self.model.rates(&levels);
        (self.levels, self.stale, self.charged) = (levels, false, at);
        (self.spender, self.around) = (Spender { task, ..Spender::default() }, (0, 0));
        self.passages = self.metering.window.map(Passages::new);
        self.callers = Books::callers(&self.metering);
        self.counts.clear();
        (self.total, self.iteration, self.call) = ((0, 0), None, None);
        self.ledger.clear();
        self.calls.clear();
        self.readings.clear();
    }

    /// Books what was counted.
    pub fn book(&mut self) {
        if self.counts.is_empty() {
            return;
        }
        let spent = self.rates.spent(&self.counts);
        self.counts.clear();
        self.total.0 += spent.total_fj();
        self.total.1 += spent.capacitive_fj;
        let call = self.call.as_mut().map(|call| &mut call.ledger);
        for ledger in [Some(&mut self.ledger), self.iteration.as_mut(), call].into_iter().flatten()
        {
            ledger.entry(self.spender).or_default().add(&spent, 1);
        }
    }

    /// `cycles` have been counted, up to `at`.
    pub fn charge(&mut self, at: Cycle) {
        self.charged = at;
        if std::mem::take(&mut self.stale) {
            self.book();
            self.rates = self.model.rates(&self.levels);
        }
    }

    pub fn spend_as(&mut self, spender: Spender) {
        if spender != self.spender {
            self.book();
            self.spender = spender;
        }
    }

    pub fn go_to(&mut self, address: u32) {
        if let Some(callers) = &mut self.callers {
            if callers.executed(address) {
                self.go_on();
            }
            return;
        }
        if (self.around.0..self.around.1).contains(&address) {
            return;
        }
        self.around = match &self.metering.places {
            Places::Instructions => (address, address.saturating_add(1)),
            Places::From(starts) => {
                let next = starts.partition_point(|start| *start <= address);
                let from = next.checked_sub(1).map_or(0, |index| starts[index]);
                (from, starts.get(next).copied().unwrap_or(u32::MAX))
            }
            Places::Functions(_) => return,
        };
        self.spend_as(Spender { place: self.around.0, ..self.spender });
    }

    /// The function that pays from here on is the place.
    pub fn go_on(&mut self) {
        let Some(callers) = &self.callers else { return };
        let place = match callers.charged() {
            Charged::Caller(start) => start,
            Charged::Unknown => 0,
            Charged::Itself => callers.function().map_or(0, |one| one.start),
        };
        self.spend_as(Spender { place, ..self.spender });
    }

    pub fn reading(&mut self, cycle: Cycle, address: u32, value: u32) {
        let pending = self.rates.spent(&self.counts);
        self.readings.push(Reading {
            cycle,
            address,
            value,
            total_fj: self.total.0 + pending.total_fj(),
            capacitive_fj: self.total.1 + pending.capacitive_fj,
        });
    }

    pub fn pass(&mut self, at: Cycle, passage: Passage) {
        match passage {
            Passage::Entered => {
                self.book();
                self.call = Some(Call { entered: at, ..Call::default() });
            }
            Passage::Returned => {
                self.book();
                let Some(mut call) = self.call.take() else { return };
                call.cycles = at - call.entered;
                self.calls.push(call);
            }
            Passage::Within | Passage::Beside => {}
        }
    }
}
