//! The tables of registers in docs/timing/ against the devices.

use super::rig::Rig;
use crate::bus::Width;
use crate::registry::Registry;
use std::path::Path;

/// A row: first and last offset, and whether the register is only stored.
type Row = (u32, u32, bool);

fn number(text: &str) -> u32 {
    u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).expect("an offset")
}

/// The rows that begin with an offset, of the page of a kind of device: their cells.
fn cells(kind: &str) -> Vec<Vec<String>> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing");
    let text = std::fs::read_to_string(pages.join(format!("{kind}.md"))).expect("a page");
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let tables = text.lines().filter(|line| line.starts_with("| 0x"));
    tables.map(cells).collect()
}

/// First and last of `0x00 … 0x1C`.
fn ends(cell: &str) -> (&str, &str) {
    let (first, last) = cell.split_once('…').unwrap_or((cell, cell));
    (first.trim(), last.trim())
}

/// The rows of the page of a kind of device: `| offset | register | modelled |`.
fn rows(kind: &str) -> Vec<Row> {
    let row = |cells: Vec<String>| {
        let (first, last) = ends(&cells[0]);
        assert!(["modelled", "stored"].contains(&&*cells[2]), "{kind}: {}", cells[2]);
        (number(first), number(last), cells[2] == "stored")
    };
    cells(kind).into_iter().map(row).collect()
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

/// Kinds of which a page lists registers alone.
const NAMED: [(&str, &str); 6] = [
    ("gpio_lpc2000", ""),
    ("pinsel_lpc2000", ""),
    ("scb_lpc2000", "oscillator_hz = 12000000"),
    ("timer_lpc2000", ""),
    ("uart_16550", ""),
    ("vic_pl190", ""),
];

#[test]
fn devices_name_their_registers_as_the_pages_do() {
    let named = NAMED.iter().map(|&(kind, given)| (kind, given, &[0][..]));
    let kinds = KINDS.iter().map(|&(kind, _, bases)| (kind, "", bases)).chain(named);
    for (kind, given, bases) in kinds {
        let parameters = given.parse().expect("parameters");
        let device = Registry::default().device(kind, parameters).expect("a device");
        let mut listed = Vec::new();
        for cells in cells(kind) {
            let ((first, last), (name, last_name)) = (ends(&cells[0]), ends(&cells[1]));
            // The registers of a channel stand once, without its number.
            let repeated = number(first) < 0xC0 && bases.len() > 1;
            for (channel, base) in bases.iter().enumerate().take(if repeated { 3 } else { 1 }) {
                let of_channel = |name: &str| match name.split_once('_') {
                    Some((block, name)) if repeated => format!("{block}{channel}_{name}"),
                    _ => name.to_owned(),
                };
                for (offset, name) in [(first, name), (last, last_name)] {
                    let offset = number(offset) + base;
                    assert_eq!(device.register(offset), Some(of_channel(name)), "{kind}");
                }
                listed.extend((number(first) + base..=number(last) + base).step_by(4));
            }
        }
        assert!(listed.len() >= 3, "{kind}");
        for offset in (0..0x400).step_by(4) {
            let is_listed = listed.contains(&offset);
            assert_eq!(device.register(offset).is_some(), is_listed, "{kind} {offset:#x}");
        }
    }
}

/// Kinds whose registers are bytes, what makes one, and the heading of their table.
const OF_BYTES: [(&str, &str, &str); 9] = [
    ("timer_atmega", "bits = 16", "With 16 bits:"),
    ("timer_atmega", "bits = 8\nasynchronous = true", "With 8 bits;"),
    ("prescaler_atmega", "", ""),
    ("ports_atmega", "", ""),
    ("usart_atmega", "", ""),
    ("eeprom_atmega", "base = 0\nsize = 4096", ""),
    ("wd_atmega", "", ""),
    ("system_atmega", "oscillator_hz = 16000000", ""),
    ("system_atmega", "oscillator_hz = 16000000\ndivided_by_8 = true", ""),
];

/// Offset, name and treatment of each register in the table behind a heading of a page.
fn bytes(kind: &str, heading: &str) -> Vec<(u32, String, String)> {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/timing");
    let text = std::fs::read_to_string(pages.join(format!("{kind}.md"))).expect("a page");
    let (_, table) = text.split_once(heading).expect("the heading");
    let rows = table.lines().skip_while(|line| !line.starts_with("| 0x"));
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        (number(cells[0]), cells[1].to_owned(), cells[2].to_owned())
    };
    rows.map(cells).collect()
}

#[test]
fn registers_of_bytes_are_those_of_their_pages() {
    for (kind, given, heading) in OF_BYTES {
        let rows = bytes(kind, heading);
        let made = || Registry::default().device(kind, given.parse().unwrap()).expect("a device");
        assert!(!rows.is_empty(), "{kind}");
        for offset in 0..0x40 {
            let row = rows.iter().find(|row| row.0 == offset);
            assert_eq!(made().register(offset), row.map(|row| row.1.clone()), "{kind} {offset:#x}");
            for write in [false, true] {
                let mut rig = Rig::of(made());
                if write {
                    rig.write_as(offset, Width::Byte, 0);
                } else {
                    rig.read_as(offset, Width::Byte);
                }
                let refused = rig.unmodelled().iter().any(|text| text.starts_with("register at"));
                assert_eq!(refused, row.is_none(), "{kind} {offset:#x} {write}");
            }
        }
        for (offset, name, treatment) in rows {
            let mut rig = Rig::of(made());
            match &*treatment {
                "modelled" => {}
                "stored" => assert_eq!(rig.write(offset, 0x5A).read(offset), 0x5A, "{name}"),
                "refused" => {
                    assert!(!rig.write(offset, 0x60).unmodelled().is_empty(), "{name}");
                }
                other => panic!("{kind}: {name} is {other}"),
            }
        }
    }
}

/// Kinds whose registers are words, what makes one, and its bytes.
const OF_WORDS: [(&str, &str, u32); 10] = [
    ("afio_stm32f1", "", 0x40),
    ("dma_stm32f1", "", 0xA0),
    ("exti_stm32f1", "", 0x40),
    ("flash_stm32f1", "", 0x40),
    ("gpio_stm32f1", "", 0x40),
    ("pwr_stm32f1", "", 0x40),
    ("rcc_stm32f1", "oscillator_hz = 8000000", 0x40),
    ("systick_armv7m", "", 0x10),
    ("timer_stm32f1", "", 0x80),
    ("usart_stm32f1", "", 0x40),
];

#[test]
fn registers_of_words_are_those_of_their_pages() {
    for (kind, given, size) in OF_WORDS {
        let made = || Registry::default().device(kind, given.parse().unwrap()).expect("a device");
        let rows = bytes(kind, "");
        assert!(rows.len() >= 2, "{kind}");
        for offset in (0..size).step_by(4) {
            let row = rows.iter().find(|row| row.0 == offset);
            assert_eq!(made().register(offset), row.map(|row| row.1.clone()), "{kind} {offset:#x}");
            for write in [false, true] {
                let refused = refuses_word(made(), offset, write);
                assert_eq!(refused, row.is_none(), "{kind} {offset:#x} {write}");
            }
        }
        for (offset, name, treatment) in rows {
            let mut rig = Rig::of(made());
            rig.write(offset, 0x1111);
            match &*treatment {
                "modelled" => {}
                "stored" => {
                    assert_eq!((rig.read(offset), rig.unmodelled()), (0x1111, &[][..]), "{name}")
                }
                "refused" => assert!(!rig.write(offset, 0x1FF).unmodelled().is_empty(), "{name}"),
                other => panic!("{kind}: {name} is {other}"),
            }
        }
    }
}

/// Whether a device reports that it has no register at an offset.
fn refuses_word(device: Box<dyn crate::device::Device>, offset: u32, write: bool) -> bool {
    let mut rig = Rig::of(device);
    if write {
        rig.write(offset, 0);
    } else {
        rig.read(offset);
    }
    rig.unmodelled().iter().any(|text| text.starts_with("register at"))
}

/// Kinds with registers of 16 and 32 bits, and the bytes that they answer.
const OF_HALFWORDS: [(&str, u32); 4] = [
    ("dma_console", 0x30),
    ("interrupt_console", 0x0C),
    ("timer_console", 0x10),
    ("waits_console", 0x04),
];

#[test]
fn registers_of_halfwords_are_those_of_their_pages() {
    for (kind, bytes) in OF_HALFWORDS {
        let made = || Registry::default().device(kind, toml::Table::new()).expect("a device");
        let rows = cells(kind);
        for cells in &rows {
            assert_eq!(made().register(number(&cells[0])).as_ref(), Some(&cells[1]), "{kind}");
            assert_eq!(cells[2], "modelled", "{kind}");
        }
        let named: Vec<_> = (0..0x400).filter_map(|at| made().register(at)).collect();
        let mut names = named.clone();
        names.dedup();
        assert_eq!(names, rows.iter().map(|cells| cells[1].clone()).collect::<Vec<_>>(), "{kind}");
        // No other offset answers, but a word of a register alone has a halfword that is none.
        for offset in (0..0x100).step_by(4) {
            let known = offset < bytes && made().register(offset).is_some();
            for write in [false, true] {
                assert_eq!(refuses(kind, offset, write), !known, "{kind} {offset:#x} {write}");
            }
        }
    }
}
