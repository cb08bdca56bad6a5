//! `[[memory]]`

use serde::{Deserialize, Serialize};

use super::{is_false, is_one, is_zero, one, thirty_two, yes};

/// `[[memory]]`
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// First address.
    pub base: u32,
    /// Bytes.
    pub size: u32,
    /// RAM or ROM.
    #[serde(default)]
    pub kind: MemoryKind,
    /// The byte that it holds wherever no image was loaded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fill: u8,
    /// The bus that leads there; without one, the bus that all share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<String>,
    /// Bits transferred at once: 8, 16 or 32.
    #[serde(default = "thirty_two")]
    pub width: u32,
    /// Cycles of a transfer without wait states: 1, or 0 where the core itself spends them.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub cycles: u32,
    /// Wait states of an N transfer.
    #[serde(default)]
    pub n_wait: u16,
    /// Wait states of an S transfer.
    #[serde(default)]
    pub s_wait: u16,
    /// A burst ends with a block of so many bytes: what begins the next is an N transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_bytes: Option<u32>,
    /// The first access after anything else is an N transfer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pauses_break: bool,
    /// Timing of its own kind, instead of wait states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// Whether the real part has it.
    #[serde(default = "yes")]
    pub real: bool,
    /// Rules that it is charged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// RAM or ROM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// The guest reads and writes it.
    #[default]
    Ram,
    /// The guest reads it; it can be loaded.
    Rom,
}

/// `timing` of a memory.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Timing {
    /// The model.
    pub kind: String,
    /// The model's parameters.
    #[serde(flatten)]
    pub parameters: toml::Table,
}
