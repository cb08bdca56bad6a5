//! The table of all speeds.

use std::fmt::Write;

use crate::jobs::{Place, Ran, Set, READ_CYCLES};
use crate::measured::{self, cell, machine, median};
use crate::peers::Peer;

/// The speeds of one program, by column, then by iteration.
pub struct Line {
    name: String,
    pub speeds: Vec<Vec<f64>>,
    /// Million guest cycles per second, alike; none of a peer.
    cycles: Vec<Vec<f64>>,
    /// The parts of the instructions that ran translated, in blocks and stepped, by column.
    parts: Vec<[f64; 3]>,
    /// Seconds of translation, by column, then by iteration. They are part of the run.
    translating: Vec<Vec<f64>>,
}

impl Line {
    pub fn new(name: &str, columns: usize) -> Self {
        Line {
            name: name.to_owned(),
            speeds: vec![Vec::new(); columns],
            cycles: vec![Vec::new(); columns],
            parts: vec![[0.0; 3]; columns],
            translating: vec![Vec::new(); columns],
        }
    }

    /// Adds a run of the engine.
    pub fn add(&mut self, column: usize, ran: &Ran) {
        self.speeds[column].push(ran.instructions as f64 / ran.seconds / 1e6);
        self.cycles[column].push(ran.cycles as f64 / ran.seconds / 1e6);
        let all = ran.instructions as f64;
        let translated = ran.translations.instructions as f64 / all;
        let stepped = ran.translations.stepped as f64 / all;
        self.parts[column] = [translated, 1.0 - translated - stepped, stepped];
        self.translating[column].push(ran.translations.seconds);
    }
}

/// Where the tables of short runs begin and end in a page, and those of long ones.
const MARKS: [[&str; 2]; 2] = [
    ["<!-- make bench-tiers -->\n", "<!-- /make bench-tiers -->"],
    ["<!-- make bench-tiers: long -->\n", "<!-- /make bench-tiers: long -->"],
];

fn row(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
}

pub fn text(program: &str, columns: &[(Set, Place)], lines: &[Line], peers: &[Peer]) -> String {
    let mut text = String::new();
    row(
        &mut text,
        &format!("{program}: million instructions/s"),
        columns.iter().map(|&(set, place)| {
            let set = if set == Set::Arm { "ARM" } else { "Thumb" };
            match place {
                Place::Ram => format!("{set}, RAM"),
                Place::Flash(mode) => format!("{set}, MAM {mode}"),
            }
        }),
    );
    row(&mut text, "---", columns.iter().map(|_| "--:".to_owned()));
    for line in lines {
        row(&mut text, &line.name, line.speeds.iter().map(|speeds| cell(speeds, 0)));
    }
    for line in lines.iter().filter(|line| line.parts.iter().any(|parts| parts[0] > 0.0)) {
        let parts = line.parts.iter().map(|parts| parts.map(|part| format!("{:.2}", 100.0 * part)));
        let name = format!("{}: % translated / in blocks / stepped", line.name);
        row(&mut text, &name, parts.map(|parts| parts.join(" / ")));
        let seconds = line.translating.iter().map(|all| format!("{:.2} s", median(all)));
        row(&mut text, &format!("{}: time to translate, by the clock", line.name), seconds);
    }
    for line in lines.iter().filter(|line| line.cycles.iter().any(|all| !all.is_empty())) {
        let cycles = line.cycles.iter().map(|all| format!("{:.0}", median(all)));
        row(&mut text, &format!("{}: million guest cycles/s", line.name), cycles);
    }
    ratios(&mut text, columns, lines, peers);
    text
}

/// The conditions of all tables.
pub fn conditions(long: bool, iterations: usize) -> String {
    let length = if long { "3" } else { "0.3" };
    format!(
        "n = {iterations} iterations in turn: medians, ranges, and medians of ratios. About {length} thousand million instructions each, a tenth of 0.3 for the \
         plain core. MAMTIM {READ_CYCLES}. Seconds of the processor, without the start. mGBA's speed in its RAM stands against all places. {}.\n",
        machine()
    )
}

/// The median of ratios, iteration by iteration.
fn ratio(one: &[f64], other: &[f64]) -> String {
    let ratios: Vec<f64> = one.iter().zip(other).map(|(one, other)| one / other).collect();
    if ratios.is_empty() {
        return "–".to_owned();
    }
    format!("{:.2}", median(&ratios))
}

/// The faster tiers by the slower and by the peers. mGBA runs in its RAM in every column.
fn ratios(text: &mut String, columns: &[(Set, Place)], lines: &[Line], peers: &[Peer]) {
    let tiers = lines.len() - peers.len();
    for (tier, behind) in lines[1..tiers].iter().zip(&lines[..tiers]) {
        let cells = tier.speeds.iter().zip(&behind.speeds).map(|(one, other)| ratio(one, other));
        row(text, &format!("{} ÷ {}", tier.name, behind.name), cells);
        for (peer, beside) in peers.iter().zip(&lines[tiers..]) {
            let in_ram = *peer == Peer::Mgba;
            let cells = (0..columns.len()).map(|column| {
                let others = &beside.speeds[if in_ram { column % 2 } else { column }];
                ratio(&tier.speeds[column], others)
            });
            row(text, &format!("{} ÷ {}", tier.name, peer.name()), cells);
        }
    }
}

/// Puts the table into a page of the repository.
pub fn put(page: &str, table: &str, long: bool) {
    measured::put(page, MARKS[usize::from(long)], table);
}
