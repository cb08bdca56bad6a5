//! The board file, key by key (docs/reference/boards.md).

mod core;
mod energy;
mod memory;

pub use self::core::Core;
pub use energy::{
    Access, Capacitance, Clocked, Coefficient, Energy, Gate, LineRead, OperatingPoint, Origin,
    Quiescent, Supply,
};
pub use memory::{Memory, MemoryKind, Timing};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A board file. Every table may be missing in a file that extends another.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Description {
    /// Another board's name: this file adds to that one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extends: Option<String>,
    /// The board's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// One sentence for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether such a board exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub real: Option<bool>,
    /// The core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<Core>,
    /// The clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Energy that cycles and events cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<Energy>,
    /// Settings for the lab and the firmware's build. The engine ignores them.
    #[serde(skip_serializing)]
    pub firmware: toml::Table,
    /// Clocks with the supply voltages that go with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operating_point: Vec<OperatingPoint>,
    /// Memories.
    pub memory: Vec<Memory>,
    /// Windows that show the start of one memory or another.
    pub remap: Vec<Remap>,
    /// Buses to devices.
    pub bus: Vec<Bus>,
    /// Devices, in the order of their priority at equal cycles.
    pub device: Vec<Device>,
    /// Wires between outputs and inputs.
    pub connect: Vec<Connect>,
    /// Timing rules that no source confirms.
    pub rule: Vec<Rule>,
}

/// `[clock]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// The core's clock after reset.
    pub oscillator_hz: u32,
}

/// `[[remap]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Remap {
    /// Its name; the input that selects is `remap.<name>`.
    pub name: String,
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// The memory shown at each level of the input.
    pub select: Vec<Select>,
}

/// One choice of a remap window.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// Level of the input.
    pub level: u32,
    /// The memory whose first bytes are shown.
    pub memory: String,
}

/// `[[bus]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Bus {
    /// Its name.
    pub name: String,
    /// Core cycles of an access.
    pub cycles: u32,
    /// Peripheral clock cycles that follow, from the next edge of that clock.
    #[serde(default)]
    pub pclk_cycles: u32,
    /// Whether an access on it may be under way beside one on another bus.
    #[serde(default, skip_serializing_if = "is_false")]
    pub overlaps: bool,
    /// Whether its devices see words alone: a narrower access acts on the whole register.
    #[serde(default, skip_serializing_if = "is_false")]
    pub words_only: bool,
    /// Rules that it is charged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// `[[device]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// Its name.
    pub name: String,
    /// The model, named by part.
    pub kind: String,
    /// Where its registers are.
    #[serde(default)]
    pub maps: Vec<Map>,
    /// The model's parameters.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub parameters: toml::Table,
    /// Whether the real part has it.
    #[serde(default = "yes")]
    pub real: bool,
    /// Rules that its behaviour rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// One window onto a device.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Map {
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// The device's own offset of the first byte.
    #[serde(default)]
    pub offset: u32,
    /// The bus that leads there.
    pub bus: String,
}

/// `[[connect]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Connect {
    /// An output: `device.signal`.
    pub from: String,
    /// An input: `device.signal`, or one of the board's own.
    pub to: String,
}

/// `[[rule]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name.
    pub id: String,
    /// The rule, and why it is unconfirmed.
    pub text: String,
}

fn one() -> u32 {
    1
}

fn is_one(value: &u32) -> bool {
    *value == 1
}

fn two() -> u32 {
    2
}

fn thirty_two() -> u32 {
    32
}

fn yes() -> bool {
    true
}

fn is_zero(value: &u8) -> bool {
    *value == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

impl Description {
    /// Reads the text of a board file; `file` is how messages call it. A file that `extends` another
    /// gets that one's text from `resolve`.
    ///
    /// # Errors
    /// A sentence that names the file, the line and the key.
    pub fn parse(
        text: &str,
        file: &str,
        resolve: &dyn Fn(&str) -> Result<String>,
    ) -> Result<Description> {
        let own = Description::parse_one(text, file)?;
        let Some(base) = own.extends.clone() else { return Ok(own) };
        let base_text = resolve(&base)?;
        let base = Description::parse_one(&base_text, &base)?;
        if base.extends.is_some() {
            return Err(Error(format!(
                "{file}: the board it extends extends another itself; extend that one directly."
            )));
        }
        Ok(own.over(base))
    }

    fn parse_one(text: &str, file: &str) -> Result<Description> {
        toml::from_str(text).map_err(|error| located(text, file, &error))
    }

    /// The whole description, what it extends included, as a board file.
    ///
    /// # Errors
    /// A sentence when a value cannot be written as TOML.
    pub fn to_toml(&self) -> Result<String> {
        toml::to_string(self).map_err(|error| Error::new(format!("The board file: {error}.")))
    }

    /// This file's values, where it has them, and its additions after the base's.
    fn over(self, base: Description) -> Description {
        fn both<T>(mut base: Vec<T>, own: Vec<T>) -> Vec<T> {
            base.extend(own);
            base
        }
        /// A device of the same name stands in the place of the base's.
        fn replaced(mut base: Vec<Device>, own: Vec<Device>) -> Vec<Device> {
            for one in own {
                match base.iter_mut().find(|other| other.name == one.name) {
                    Some(place) => *place = one,
                    None => base.push(one),
                }
            }
            base
        }
        Description {
            extends: self.extends,
            name: self.name.or(base.name),
            description: self.description.or(base.description),
            real: self.real.or(base.real),
            core: self.core.or(base.core),
            clock: self.clock.or(base.clock),
            energy: self.energy.or(base.energy),
            firmware: self.firmware,
            operating_point: both(base.operating_point, self.operating_point),
            memory: both(base.memory, self.memory),
            remap: both(base.remap, self.remap),
            bus: both(base.bus, self.bus),
            device: replaced(base.device, self.device),
            connect: both(base.connect, self.connect),
            rule: both(base.rule, self.rule),
        }
    }
}

fn located(text: &str, file: &str, error: &toml::de::Error) -> Error {
    let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
    let message = error.message().trim().replace('\n', " ");
    Error(format!("{file}, line {line}: {message} (docs/reference/boards.md lists every key)."))
}
