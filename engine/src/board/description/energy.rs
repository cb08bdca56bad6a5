//! The energy keys of a board file: `[energy]` and `[[operating_point]]` (docs/reference/boards.md, docs/explanation/energy.md).

use serde::{Deserialize, Serialize};

/// `[energy]`: what each kind of cycle and event takes at the nominal voltage.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Energy {
    /// How the core is fed.
    pub supply: Supply,
    /// The voltage that the energies below hold at.
    pub nominal_mv: u32,
    /// The current that flows whatever happens.
    pub quiescent: Quiescent,
    /// The effective capacitance of the simple law, C·V² per cycle.
    pub capacitance: Capacitance,
    /// A cycle in which the core works: the data cycle of an access, or an internal one.
    pub active: Coefficient,
    /// A cycle in which the core waits for an access.
    pub stall: Coefficient,
    /// A cycle in which the core's clock is stopped.
    pub idle: Coefficient,
    /// Such cycles while an output has a level: what a deeper sleep takes.
    #[serde(default)]
    pub asleep: Vec<Asleep>,
    /// Accesses to memories and over buses.
    #[serde(default)]
    pub access: Vec<Access>,
    /// Reads of lines of a memory's array.
    #[serde(default)]
    pub line_read: Vec<LineRead>,
    /// Devices that are clocked.
    #[serde(default)]
    pub clocked: Vec<Clocked>,
}

/// How a core is fed from the supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Supply {
    /// Through a linear regulator: the charge of an event is fixed, its energy goes with V.
    Regulator,
    /// At the supply itself: the charge of an event goes with V, its energy with V².
    Direct,
}

/// One energy, with where it comes from: a source, or the rule that says it is unverified.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Coefficient {
    /// Femtojoules at the nominal voltage.
    pub fj: u64,
    /// Where it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The rule that it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `quiescent`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Quiescent {
    /// Microamperes, at any voltage.
    pub ua: u64,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `capacitance`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Capacitance {
    /// Femtofarads.
    pub ff: u64,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `[[energy.asleep]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Asleep {
    /// An output of a device.
    pub signal: String,
    /// Its level.
    pub level: u32,
    /// As in [`Coefficient`], for each cycle, in place of `idle`.
    pub fj: u64,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `[[energy.access]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// The part that answers: `memory.<name>`, or `bus.<name>` for the devices there.
    pub to: String,
    /// As in [`Coefficient`], for each access.
    pub fj: u64,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `[[energy.line_read]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LineRead {
    /// A memory whose timing reads lines.
    pub memory: String,
    /// As in [`Coefficient`], for each line.
    pub fj: u64,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// `[[energy.clocked]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clocked {
    /// The device. Its clock is that of the bus of its first window.
    pub device: String,
    /// As in [`Coefficient`], for each cycle of its clock.
    pub fj: u64,
    /// An output and its bit: 1 while the device is clocked. Without it, it always is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// A bit that lets a clock through while it is set.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// An output of a device.
    pub signal: String,
    /// Which bit of its level.
    pub bit: u32,
}

/// `[[operating_point]]`: a core clock and the supply voltage that goes with it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OperatingPoint {
    /// Its name.
    pub name: String,
    /// The core's clock.
    pub core_hz: u32,
    /// The supply voltage.
    pub supply_mv: u32,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// As in [`Coefficient`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Energy {
    /// Every coefficient's name, source and rule, in the order of the file.
    pub fn origins(&self) -> Vec<Origin<'_>> {
        let mut origins = vec![
            origin("quiescent", &self.quiescent.source, &self.quiescent.rule),
            origin("capacitance", &self.capacitance.source, &self.capacitance.rule),
            origin("active", &self.active.source, &self.active.rule),
            origin("stall", &self.stall.source, &self.stall.rule),
            origin("idle", &self.idle.source, &self.idle.rule),
        ];
        origins.extend(self.asleep.iter().map(|a| origin(&a.signal, &a.source, &a.rule)));
        origins.extend(self.access.iter().map(|a| origin(&a.to, &a.source, &a.rule)));
        origins.extend(self.line_read.iter().map(|l| origin(&l.memory, &l.source, &l.rule)));
        origins.extend(self.clocked.iter().map(|c| origin(&c.device, &c.source, &c.rule)));
        origins
    }
}

impl OperatingPoint {
    /// Its name, source and rule.
    pub fn origin(&self) -> Origin<'_> {
        origin(&self.name, &self.source, &self.rule)
    }
}

/// Where a figure comes from.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The coefficient or operating point that has this figure.
    pub of: &'a str,
    /// Where it was read.
    pub source: Option<&'a String>,
    /// The rule that it rests on.
    pub rule: Option<&'a String>,
}

fn origin<'a>(of: &'a str, source: &'a Option<String>, rule: &'a Option<String>) -> Origin<'a> {
    Origin { of, source: source.as_ref(), rule: rule.as_ref() }
}
