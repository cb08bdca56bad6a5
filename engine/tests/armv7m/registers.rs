//! The table of registers in docs/timing/armv7m.md against the core.

use std::path::Path;

use crate::board::*;

/// A row: address, bits that keep a written one, value after a reset, whether it is refused.
type Row = (u32, u32, u32, bool);

fn rows() -> Vec<Row> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing/armv7m.md");
    let text = std::fs::read_to_string(page).expect("a page");
    let number = |cell: &str| u32::from_str_radix(cell.trim_start_matches("0x"), 16).expect("hex");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert!(["modelled", "stored", "refused"].contains(&cells[4]), "{line}");
        (number(cells[0]), number(cells[2]), number(cells[3]), cells[4] == "refused")
    };
    text.lines().filter(|line| line.starts_with("| 0xe")).map(row).collect()
}

#[test]
fn registers_are_as_the_page_says() {
    let rows = rows();
    assert!(rows.len() > 35);
    for (address, keeps, reset, refused) in rows {
        let mut board = of_revision("r1p1");
        assert_eq!(peek(&mut board, address), reset, "{address:#x} after a reset");
        assert_eq!(board.unmodelled().len(), usize::from(refused), "{address:#x}");
        poke(&mut board, address, u32::MAX);
        let kept = peek(&mut board, address) & !reset;
        assert_eq!(kept, keeps & !reset, "{address:#x} keeps");
        let mut other = of_revision("r1p1");
        poke(&mut other, address, u32::MAX);
        assert_eq!(other.unmodelled().len(), usize::from(refused), "{address:#x} written");
    }
}

#[test]
fn a_revision_has_its_number_and_its_alignment_of_stacks() {
    for (name, cpuid, ccr) in
        [("r1p1", 0x411F_C231, 0), ("r2p0", 0x412F_C230, 0x200), ("r2p1", 0x412F_C231, 0x200)]
    {
        let mut board = of_revision(name);
        assert_eq!(peek(&mut board, 0xE000_ED00), cpuid);
        assert_eq!(peek(&mut board, 0xE000_ED14), ccr);
    }
}
