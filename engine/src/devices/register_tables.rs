//! The tables of registers in docs/timing/ against the devices.

use super::rig::Rig;
use crate::registry::Registry;
use std::path::Path;

/// A row: first and last offset, and whether the register is only stored.
type Row = (u32, u32, bool);

fn number(text: &str) -> u32 {
    u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).expect("an offset")
}

/// The rows of the page of a kind of device: `| offset | register | modelled |`.
fn rows(kind: &str) -> Vec<Row> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing");
    let text = std::fs::read_to_string(pages.join(format!("{kind}.md"))).expect("a page");
    let cells = text.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    cells
        .filter(|cells| cells.len() == 5 && cells[1].starts_with("0x"))
        .map(|cells| {
            let (first, last) = cells[1].split_once('…').unwrap_or((cells[1], cells[1]));
            assert!(["modelled", "stored"].contains(&cells[3]), "{kind}: {}", cells[3]);
            (number(first), number(last), cells[3] == "stored")
        })
        .collect()
}

/// Bytes of the registers, and where a table is repeated: channels of a timer.
const KINDS: [(&str, u32, &[u32]); 8] = [
    ("aic_at91", 0x200, &[0]),
    ("ebi_at91", 0x100, &[0]),
    ("pio_at91", 0x100, &[0]),
    ("ps_at91", 0x100, &[0]),
    ("sf_at91", 0x100, &[0]),
    ("tc_at91", 0x100, &[0, 0x40, 0x80]),
    ("usart_at91", 0x100, &[0]),
    ("wd_at91", 0x100, &[0]),
];

/// Whether a device reports an access of the register at an offset: a read, or a write.
fn refuses(kind: &str, offset: u32, write: bool) -> bool {
    let mut rig = Rig::of(Registry::default().device(kind, toml::Table::new()).expect("a device"));
    if write {
        rig.write(offset, 0);
    } else {
        rig.read(offset);
    }
    rig.unmodelled().iter().any(|text| text.starts_with("register at offset"))
}

#[test]
fn registers_that_a_page_lists_answer_and_others_are_refused() {
    for (kind, bytes, bases) in KINDS {
        let rows = rows(kind);
        assert!(rows.len() >= 3, "{kind}");
        for offset in (0..bytes).step_by(4) {
            let listed = rows.iter().any(|&(first, last, _)| {
                bases.iter().any(|base| {
                    // The registers behind the repeated channels stand once.
                    let base = if first >= 0xC0 { 0 } else { *base };
                    (first + base..=last + base).contains(&offset)
                })
            });
            for write in [false, true] {
                assert_eq!(refuses(kind, offset, write), !listed, "{kind} {offset:#x} {write}");
            }
        }
    }
}

#[test]
fn what_is_stored_reads_as_it_was_written() {
    for (kind, _, _) in KINDS {
        for (first, _, _) in rows(kind).into_iter().filter(|row| row.2) {
            let made = Registry::default().device(kind, toml::Table::new()).expect("a device");
            assert_eq!(Rig::of(made).write(first, 1).read(first), 1, "{kind} {first:#x}");
        }
    }
}
