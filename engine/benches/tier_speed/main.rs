//! Million instructions per second of the ARM7TDMI's tiers on a job that arm-none-eabi-gcc has built, beside mGBA's
//! core, QEMU and unicorn: `cargo bench --bench tier_speed [-- FILE] [--long] [--alone]`. For a profile,
//! `--only arm 2 translated 300` runs one place of the table: code in flash, MAM mode 2, 300 rounds.
//!
//! All run in turn, several times. The time is that of the processor, and starting does not count. mGBA's core runs
//! the same bytes in its RAM without wait states. A peer that is absent is left out with a word. With FILE the table
//! replaces the one in that page.

mod jobs;
mod peers;
mod table;

use cyclescope_engine::board::Tier;
use jobs::{Job, Place, Set};
use peers::Peer;
use table::Line;

/// How often everything runs.
const ITERATIONS: usize = 5;
/// The plain core runs so many times fewer rounds.
const PLAIN_SHARE: u32 = 10;

/// Rounds of the job: 0.3 or 3 thousand million instructions.
fn rounds(set: Set, long: bool) -> u32 {
    let short = if set == Set::Arm { 3_000 } else { 2_400 };
    if long {
        10 * short
    } else {
        short
    }
}

/// The columns of the table.
fn columns() -> Vec<(Set, Place)> {
    let places = [Place::Ram, Place::Flash(0), Place::Flash(1), Place::Flash(2)];
    places.into_iter().flat_map(|place| [(Set::Arm, place), (Set::Thumb, place)]).collect()
}

/// Runs one place of the table by itself, for a profile.
fn only(given: &[String]) {
    let [set, place, tier, rounds] = given else {
        panic!("--only takes arm or thumb, ram or a mode of the MAM, a tier, and rounds")
    };
    let set = if set == "arm" { Set::Arm } else { Set::Thumb };
    let place = place.parse().map_or(Place::Ram, Place::Flash);
    let tier = match tier.as_str() {
        "plain" => Tier::Plain,
        "blocks" => Tier::Blocks,
        _ => Tier::TRANSLATED,
    };
    let ran = Job::build(set, place, rounds.parse().expect("rounds")).run(tier);
    let speed = ran.instructions as f64 / ran.seconds / 1e6;
    println!(
        "{speed:.0} MIPS, {} instructions, {} cycles, {:?}",
        ran.instructions, ran.cycles, ran.translations
    );
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let long = given.iter().any(|one| one == "--long");
    let page = given.iter().find(|one| !one.starts_with("--"));
    let columns = columns();
    let tiers = [
        ("plain core", Tier::Plain, PLAIN_SHARE),
        ("blocks", Tier::Blocks, 1),
        ("translated code", Tier::TRANSLATED, 1),
    ];
    if let Some(at) = given.iter().position(|one| one == "--only") {
        return only(&given[at + 1..]);
    }
    let alone = given.iter().any(|one| one == "--alone");
    let mut peers = if alone { Vec::new() } else { Peer::all().to_vec() };
    peers.retain(Peer::is_there);
    let mut lines: Vec<Line> =
        tiers.iter().map(|(name, ..)| Line::new(name, columns.len())).collect();
    lines.extend(peers.iter().map(|peer| Line::new(&peer.name(), columns.len())));
    for iteration in 0..ITERATIONS {
        for (place, &(set, at)) in columns.iter().enumerate() {
            let whole = Job::build(set, at, rounds(set, long));
            let part = Job::build(set, at, rounds(set, false) / PLAIN_SHARE);
            let mut instructions = 0;
            for ((_, tier, share), line) in tiers.iter().zip(&mut lines) {
                let job = if *share > 1 { &part } else { &whole };
                let ran = job.run(*tier);
                line.add(place, &ran);
                instructions = ran.instructions;
            }
            for (peer, line) in peers.iter().zip(&mut lines[tiers.len()..]) {
                if at == Place::Ram {
                    line.speeds[place]
                        .push(instructions as f64 / peer.seconds(set, rounds(set, long)) / 1e6);
                }
            }
        }
        eprintln!("iteration {} of {ITERATIONS}", iteration + 1);
    }
    let text = table::text(&columns, &lines, &peers, long);
    println!("{text}");
    if let Some(page) = page {
        table::put(page, &text);
    }
}
