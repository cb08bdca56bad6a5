//! ELF files, good and foreign.

use cyclescope_engine::image::Image;

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
    let remedy = "a board needs a 32-bit little-endian ELF executable for ARM.";
    assert_eq!(error(b"hello"), format!("a.elf is no ELF file; {remedy}"));
    assert_eq!(error(&[]), format!("a.elf is no ELF file; {remedy}"));
    assert_eq!(changed(4, 2), format!("a.elf is a 64-bit ELF file; {remedy}"));
    assert_eq!(changed(5, 2), format!("a.elf is a big-endian ELF file; {remedy}"));
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
