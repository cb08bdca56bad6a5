//! The registers of a core as gdb numbers and names them.

/// Where a register's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The register of this name in the core.
    Core(&'static str),
    /// The address of the instruction that executes next.
    Address,
}

/// One register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its number in the protocol.
    pub number: usize,
    /// Its name in gdb.
    pub name: &'static str,
    /// Its value.
    pub source: Source,
    /// Its type in gdb.
    pub gdb_type: &'static str,
    /// Its bytes, 4 at most.
    pub bytes: usize,
}

/// Registers that gdb knows, or that it only shows, under one name.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Its registers.
    pub registers: Vec<Register>,
}

/// All registers of a core, in ascending order of their numbers.
#[derive(Clone, Debug)]
pub struct Layout {
    /// gdb's name of the architecture.
    pub architecture: &'static str,
    /// Whether gdb takes the stop at a watchpoint for one before the access, and steps over it first.
    pub steps_over_accesses: bool,
    /// Whether gdb has the registers built in, and takes the architecture alone from a description.
    pub is_built_in: bool,
    /// The registers, by feature.
    pub features: Vec<Feature>,
}

impl Layout {
    /// All registers.
    pub fn registers(&self) -> impl Iterator<Item = &Register> {
        self.features.iter().flat_map(|feature| &feature.registers)
    }

    /// The target description that gdb reads.
    pub fn xml(&self) -> String {
        let feature = |feature: &Feature| {
            let registers: String = feature.registers.iter().map(register_xml).collect();
            format!("<feature name=\"{}\">{registers}</feature>", feature.name)
        };
        let described = if self.is_built_in { &[][..] } else { &self.features };
        let features: String = described.iter().map(feature).collect();
        format!(
            "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">\
             <architecture>{}</architecture>{features}</target>",
            self.architecture
        )
    }
}

fn register_xml(register: &Register) -> String {
    let Register { number, name, gdb_type, bytes, .. } = register;
    let bits = 8 * bytes;
    format!("<reg name=\"{name}\" bitsize=\"{bits}\" type=\"{gdb_type}\" regnum=\"{number}\"/>")
}
