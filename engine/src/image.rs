//! A program for a board: what to load where, its symbols, its entry. Reads ELF (TIS ELF 1.2).

use std::collections::BTreeMap;

use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::Endianness;

use crate::core::{Architecture, ElfMachine};
use crate::error::{Error, Result};
use crate::registry::Registry;

/// A named address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its address; of a function, that of its first instruction.
    pub address: u32,
    /// Its size in bytes, 0 when unknown.
    pub size: u32,
}

/// Bytes to load at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Load (physical) address.
    pub address: u32,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// How messages call it.
    pub name: String,
    /// The core that it is for; none: any.
    pub machine: Option<ElfMachine>,
    /// Where execution starts, as the core's reset takes it.
    pub entry: u32,
    /// What to load.
    pub segments: Vec<Segment>,
    /// Functions, objects and other global names.
    pub symbols: BTreeMap<String, Symbol>,
}

type Header = FileHeader32<Endianness>;

impl Image {
    /// Reads a 32-bit ELF executable for one of the engine's cores, in that core's byte order.
    ///
    /// # Errors
    /// A sentence when it is none, when it is cut short, or when it has nothing to load.
    pub fn from_elf(data: &[u8], name: &str) -> Result<Image> {
        Image::from_elf_for(&Registry::default(), data, name)
    }

    /// The same, for one of the cores in this registry.
    ///
    /// # Errors
    /// As [`Image::from_elf`].
    pub fn from_elf_for(registry: &Registry, data: &[u8], name: &str) -> Result<Image> {
        let (header, endian, architecture) = check_header(registry, data, name)?;
        let cut = |what: &str| {
            Error(format!("{name} is damaged or cut short: {what}; build or copy it again."))
        };
        let programs = header
            .program_headers(endian, data)
            .map_err(|_| cut("its program headers are not all there"))?;
        let mut segments = Vec::new();
        for program in programs.iter().filter(|p| p.p_type(endian) == elf::PT_LOAD) {
            let bytes = program
                .data(endian, data)
                .map_err(|()| cut("the bytes of a segment are not all there"))?;
            if !bytes.is_empty() {
                segments.push(Segment { address: program.p_paddr(endian), bytes: bytes.to_vec() });
            }
        }
        if segments.is_empty() {
            return Err(Error(format!(
                "{name} has nothing to load: link it into an executable first."
            )));
        }
        let symbols = symbols(header, endian, data, architecture)
            .ok_or_else(|| cut("its symbol table is not all there"))?;
        let (name, machine) = (name.to_owned(), architecture.elf_machine());
        Ok(Image { name, machine, entry: header.e_entry(endian), segments, symbols })
    }

    /// Address of a symbol.
    ///
    /// # Errors
    /// A sentence when there is no such symbol.
    pub fn address_of(&self, symbol: &str) -> Result<u32> {
        self.symbols.get(symbol).map(|symbol| symbol.address).ok_or_else(|| {
            let name = &self.name;
            let hint = if self.symbols.is_empty() {
                "it is stripped, so link it with its symbols".to_owned()
            } else {
                "check its spelling with nm".to_owned()
            };
            Error(format!("{name} has no symbol \"{symbol}\": {hint}."))
        })
    }
}

/// Which end of a number comes first, as messages say it.
fn order(big_endian: bool) -> &'static str {
    if big_endian {
        "big"
    } else {
        "little"
    }
}

fn check_header<'a>(
    registry: &Registry,
    data: &'a [u8],
    name: &str,
) -> Result<(&'a Header, Endianness, &'static dyn Architecture)> {
    let known = || registry.cores().iter().filter_map(|&core| Some((core, core.elf_machine()?)));
    let refuse = |what: &str| {
        let of_order = |big_endian: bool| {
            let machines = known().filter(|(_, machine)| machine.big_endian == big_endian);
            let names: Vec<_> = machines.map(|(_, machine)| machine.name).collect();
            let order = order(big_endian);
            (!names.is_empty()).then(|| {
                format!("a 32-bit {order}-endian ELF executable for {}", names.join(" or "))
            })
        };
        let machines: Vec<_> = [false, true].into_iter().filter_map(of_order).collect();
        Err(Error(format!("{name} is {what}; a board needs {}.", machines.join(" or "))))
    };
    let big_endian = match data {
        [0x7F, b'E', b'L', b'F', class, encoding, ..] => {
            if *class != elf::ELFCLASS32 {
                return refuse("a 64-bit ELF file");
            }
            match *encoding {
                elf::ELFDATA2LSB => false,
                elf::ELFDATA2MSB => true,
                _ => return refuse("an ELF file of unknown byte order"),
            }
        }
        _ => return refuse("no ELF file"),
    };
    let foreign_order = || refuse(&format!("a {}-endian ELF file", order(big_endian)));
    if known().all(|(_, machine)| machine.big_endian != big_endian) {
        return foreign_order();
    }
    let Ok(header) = Header::parse(data) else {
        return Err(Error(format!(
            "{name} is cut short: its ELF header is not all there; build or copy it again."
        )));
    };
    let endian = if big_endian { Endianness::Big } else { Endianness::Little };
    let number = header.e_machine(endian);
    let sections = header.sections(endian, data).ok();
    let section = |kind: u32| {
        let mut all = sections.iter().flat_map(|sections| sections.iter());
        all.find(|one| one.sh_type(endian) == kind).and_then(|one| one.data(endian, data).ok())
    };
    let owns = |core: &dyn Architecture, machine: &ElfMachine| {
        machine.number == number && core.is_own_program(&section)
    };
    let Some((architecture, machine)) = known().find(|(core, machine)| owns(*core, machine)) else {
        return match number {
            elf::EM_386 => refuse("an ELF file for x86"),
            elf::EM_RISCV => refuse("an ELF file for RISC-V"),
            other => refuse(&format!("an ELF file for another machine (number {other})")),
        };
    };
    if machine.big_endian != big_endian {
        return foreign_order();
    }
    match header.e_type(endian) {
        elf::ET_EXEC | elf::ET_DYN => Ok((header, endian, architecture)),
        elf::ET_REL => refuse("an object file that is not linked yet"),
        _ => refuse("no executable"),
    }
}

fn symbols(
    header: &Header,
    endian: Endianness,
    data: &[u8],
    architecture: &dyn Architecture,
) -> Option<BTreeMap<String, Symbol>> {
    let sections = header.sections(endian, data).ok()?;
    let table = sections.symbols(endian, data, elf::SHT_SYMTAB).ok()?;
    let mut symbols: BTreeMap<String, Symbol> = BTreeMap::new();
    for symbol in table.iter() {
        let kind = symbol.st_type();
        let named = matches!(kind, elf::STT_FUNC | elf::STT_OBJECT | elf::STT_NOTYPE);
        if !named || symbol.is_undefined(endian) {
            continue;
        }
        let name = String::from_utf8_lossy(symbol.name(endian, table.strings()).ok()?).into_owned();
        if name.is_empty() || architecture.is_mapping_symbol(&name) {
            continue;
        }
        let value = symbol.st_value(endian);
        let function = kind == elf::STT_FUNC;
        let address = if function { architecture.instruction_address(value) } else { value };
        let found = Symbol { address, size: symbol.st_size(endian) };
        // A global name goes before a local one of the same spelling.
        if symbol.st_bind() == elf::STB_LOCAL {
            symbols.entry(name).or_insert(found);
        } else {
            symbols.insert(name, found);
        }
    }
    Some(symbols)
}
