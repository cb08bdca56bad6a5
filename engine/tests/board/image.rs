//! ELF files, good and foreign.

use cyclescope_engine::bus::Exception;
use cyclescope_engine::core::{Architecture, ElfMachine, Refused};
use cyclescope_engine::image::{Image, Symbol};
use cyclescope_engine::processor::Processor;
use cyclescope_engine::registry::Registry;
use cyclescope_engine::system::System;

use crate::programs::{board, run_cycles, ArmBoard, MINIMAL};

const HEADER: usize = 52;
const PROGRAM_HEADER: usize = 32;

/// An ELF executable for ARM with one segment, linked at `virtual_address`, loaded at `address`.
fn elf(virtual_address: u32, address: u32, bytes: &[u8]) -> Vec<u8> {
    let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let half = |file: &mut Vec<u8>, value: u16| file.extend(value.to_le_bytes());
    let word = |file: &mut Vec<u8>, value: u32| file.extend(value.to_le_bytes());
    half(&mut file, 2); // executable
    half(&mut file, 40); // ARM
    word(&mut file, 1);
    word(&mut file, address); // entry
    word(&mut file, HEADER as u32);
    word(&mut file, 0);
    word(&mut file, 0x0500_0000);
    for value in [HEADER as u16, PROGRAM_HEADER as u16, 1, 40, 0, 0] {
        half(&mut file, value);
    }
    let offset = (HEADER + PROGRAM_HEADER) as u32;
    let length = bytes.len() as u32;
    for value in [1, offset, virtual_address, address, length, length, 5, 4] {
        word(&mut file, value);
    }
    file.extend(bytes);
    file
}

fn error(file: &[u8]) -> String {
    Image::from_elf(file, "a.elf").unwrap_err().0
}

#[test]
fn a_segment_is_loaded_at_its_physical_address() {
    let program = [0x2A, 0x00, 0xA0, 0xE3, 0xFE, 0xFF, 0xFF, 0xEA]; // mov r0, #42; b .
    let image = Image::from_elf(&elf(0x4000_0000, 0x100, &program), "a.elf").unwrap();
    assert_eq!((image.entry, image.segments[0].address), (0x100, 0x100));
    let mut board = board(MINIMAL);
    board.load(&image).unwrap();
    board.reset(None);
    board.run(&run_cycles(20)).unwrap();
    assert_eq!(board.arm().register(0), 42);
}

#[test]
fn a_symbol_that_is_not_there_is_named() {
    let image = Image::from_elf(&elf(0, 0, &[0; 4]), "a.elf").unwrap();
    assert_eq!(
        image.address_of("main").unwrap_err().0,
        "a.elf has no symbol \"main\": it is stripped, so link it with its symbols."
    );
}

#[test]
fn foreign_files_are_refused_by_what_they_are() {
    let good = elf(0, 0, &[0; 4]);
    let changed = |at: usize, value: u8| {
        let mut file = good.clone();
        file[at] = value;
        error(&file)
    };
    let remedy = "a board needs a 32-bit little-endian ELF executable for ARM or AVR or ARMv7-M.";
    assert_eq!(error(b"hello"), format!("a.elf is no ELF file; {remedy}"));
    assert_eq!(error(&[]), format!("a.elf is no ELF file; {remedy}"));
    assert_eq!(changed(4, 2), format!("a.elf is a 64-bit ELF file; {remedy}"));
    assert_eq!(changed(5, 2), format!("a.elf is a big-endian ELF file; {remedy}"));
    assert_eq!(changed(5, 0), format!("a.elf is an ELF file of unknown byte order; {remedy}"));
    assert_eq!(changed(18, 243), format!("a.elf is an ELF file for RISC-V; {remedy}"));
    assert_eq!(
        changed(18, 94),
        format!("a.elf is an ELF file for another machine (number 94); {remedy}")
    );
    assert_eq!(changed(16, 1), format!("a.elf is an object file that is not linked yet; {remedy}"));
    let empty = elf(0, 0, &[]);
    assert_eq!(error(&empty), "a.elf has nothing to load: link it into an executable first.");
}

#[test]
fn a_file_cut_anywhere_is_an_error_and_never_a_panic() {
    let good = elf(0, 0, &[0; 16]);
    for length in 0..good.len() {
        let message = error(&good[..length]);
        assert!(message.starts_with("a.elf is "), "{length}: {message}");
        if length >= 6 {
            assert!(message.contains("cut short"), "{length}: {message}");
        }
    }
}

/// A kind of core whose programs are big-endian; none is ever made.
struct Big;

impl Architecture for Big {
    fn kind(&self) -> &'static str {
        "big"
    }

    fn make(&self, _: toml::Table) -> Result<Box<dyn Processor>, String> {
        Err("there is none".into())
    }

    fn inputs(&self) -> &'static [&'static str] {
        &[]
    }

    fn elf_machine(&self) -> Option<ElfMachine> {
        Some(ElfMachine { number: 4, name: "68000", big_endian: true })
    }

    fn explain(&self, _: &Exception, _: Option<&Refused>, _: &System) -> String {
        String::new()
    }

    fn dead_vector(&self, _: u32, _: &System) -> Option<String> {
        None
    }
}

/// A big-endian ELF executable for machine 4: 3 bytes at 0x400, its entry; symbol `start` there, of 2 bytes.
fn big_elf() -> Vec<u8> {
    #[rustfmt::skip]
    let file: &[&[u8]] = &[
        b"\x7fELF\x01\x02\x01\0\0\0\0\0\0\0\0\0",
        &[0, 2, 0, 4, 0, 0, 0, 1], // executable, machine 4, version
        &[0, 0, 4, 0, 0, 0, 0, 52, 0, 0, 0, 128, 0, 0, 0, 0], // entry, headers of program and sections
        &[0, 52, 0, 32, 0, 1, 0, 40, 0, 3, 0, 2], // sizes and counts
        &[0, 0, 0, 1, 0, 0, 0, 84, 0, 0, 4, 0, 0, 0, 4, 0], // to load, at 84, both addresses
        &[0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 5, 0, 0, 0, 1], // 3 bytes
        &[7, 8, 9, 0],
        &[0; 16], // symbol 0
        &[0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 0, 2, 0x12, 0, 0xFF, 0xF1], // start: global, function, absolute
        b"\0start\0\0",
        &[0; 40], // section 0
        &[0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 88], // symbols at 88
        &[0, 0, 0, 32, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 16],
        &[0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 120], // names at 120
        &[0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    ];
    file.concat()
}

#[test]
fn a_file_is_read_in_the_byte_order_of_its_core() {
    let file = big_elf();
    let mut registry = Registry::default();
    assert_eq!(
        Image::from_elf_for(&registry, &file, "b.elf").unwrap_err().0,
        "b.elf is a big-endian ELF file; a board needs a 32-bit little-endian ELF executable for ARM or AVR or ARMv7-M."
    );
    registry.add_core(&Big);
    let image = Image::from_elf_for(&registry, &file, "b.elf").unwrap();
    assert_eq!((image.entry, image.segments[0].address), (0x400, 0x400));
    assert_eq!(image.segments[0].bytes, [7, 8, 9]);
    assert_eq!(image.symbols["start"], Symbol { address: 0x400, size: 2 });
    assert_eq!(image.machine, Big.elf_machine());
    let mut arm = file.clone();
    arm[19] = 40;
    assert_eq!(
        Image::from_elf_for(&registry, &arm, "b.elf").unwrap_err().0,
        "b.elf is a big-endian ELF file; a board needs a 32-bit little-endian ELF executable for ARM or AVR or ARMv7-M \
         or a 32-bit big-endian ELF executable for 68000."
    );
    let mut wide = file;
    wide[4] = 2;
    let message = Image::from_elf_for(&registry, &wide, "b.elf").unwrap_err().0;
    assert!(message.starts_with("b.elf is a 64-bit ELF file; "), "{message}");
}
