//! Million instructions per second of the ARM7TDMI's tiers on programs that arm-none-eabi-gcc has built, beside mGBA's
//! core, QEMU and unicorn: `cargo bench --bench tier_speed [-- FILE] [--long] [--once] [--alone] [--program mixed]`.
//! For a profile, `--only mixed arm 2 translated 300` runs one place of the table: code in flash, MAM mode 2, 300
//! rounds.
//!
//! All run in turn, several times. The time is that of the processor, and starting does not count. mGBA's core runs
//! the same bytes in its RAM without wait states. A peer that is absent is left out with a word. With FILE the tables
//! replace those in that page.

mod jobs;
#[path = "../measured/mod.rs"]
mod measured;
mod peers;
mod table;

use cyclescope_engine::board::Tier;
use jobs::{Job, Place, Program, Set, PROGRAMS};
use peers::Peer;
use table::Line;

/// How often everything runs.
const ITERATIONS: usize = 5;
/// The plain core runs so many times fewer rounds.
const PLAIN_SHARE: u32 = 10;

/// The columns of a program's table.
fn columns() -> Vec<(Set, Place)> {
    let places = [Place::Ram, Place::Flash(0), Place::Flash(1), Place::Flash(2)];
    places.into_iter().flat_map(|place| [(Set::Arm, place), (Set::Thumb, place)]).collect()
}

/// The rows of the engine: name, tier, how many times fewer rounds, and whether the instrument of times with interrupts
/// off is attached.
const TIERS: [(&str, Tier, u32, bool); 4] = [
    ("plain core", Tier::Plain, PLAIN_SHARE, false),
    ("blocks", Tier::Blocks, 1, false),
    ("translated code", Tier::TRANSLATED, 1, false),
    ("translated code, interrupts-off instrument", Tier::TRANSLATED, 1, true),
];

/// Runs one place of the table by itself, for a profile.
fn only(given: &[String]) {
    let [program, set, place, tier, rounds] = given else {
        panic!("--only takes a program, arm or thumb, ram or a mode of the MAM, a tier, and rounds")
    };
    let program = PROGRAMS.iter().find(|one| one.name == program).expect("a program");
    let set = if set == "arm" { Set::Arm } else { Set::Thumb };
    let place = place.parse().map_or(Place::Ram, Place::Flash);
    let tier = match tier.as_str() {
        "plain" => Tier::Plain,
        "blocks" => Tier::Blocks,
        _ => Tier::TRANSLATED,
    };
    let job = Job::build(program, set, place, rounds.parse().expect("rounds"));
    let ran = job.run(tier, false);
    let speed = ran.instructions as f64 / ran.seconds / 1e6;
    println!(
        "{speed:.0} MIPS, {} instructions, {} cycles, {:?}",
        ran.instructions, ran.cycles, ran.translations
    );
}

/// The table of one program.
fn measure(program: &Program, peers: &[Peer], (long, iterations): (bool, usize)) -> String {
    let columns = columns();
    let mut lines: Vec<Line> =
        TIERS.iter().map(|(name, ..)| Line::new(name, columns.len())).collect();
    lines.extend(peers.iter().map(|peer| Line::new(&peer.name(), columns.len())));
    for iteration in 0..iterations {
        for (place, &(set, at)) in columns.iter().enumerate() {
            let rounds = program.rounds(set, long);
            let whole = Job::build(program, set, at, rounds);
            let part = Job::build(program, set, at, program.rounds(set, false) / PLAIN_SHARE);
            let mut ended = Vec::new();
            for ((_, tier, share, watched), line) in TIERS.iter().zip(&mut lines) {
                let job = if *share > 1 { &part } else { &whole };
                let ran = job.run(*tier, *watched);
                line.add(place, &ran);
                if *share == 1 {
                    ended.push((ran.instructions, ran.cycles));
                }
            }
            assert!(ended.iter().all(|one| *one == ended[0]), "tiers differ: {ended:?}");
            for (peer, line) in peers.iter().zip(&mut lines[TIERS.len()..]) {
                if at == Place::Ram {
                    let seconds = peer.seconds((program, set), rounds);
                    line.speeds[place].push(ended[0].0 as f64 / seconds / 1e6);
                }
            }
        }
        eprintln!("{}: iteration {} of {iterations}", program.name, iteration + 1);
    }
    table::text(program.name, &columns, &lines, peers)
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = given.iter().position(|one| one == "--only") {
        return only(&given[at + 1..]);
    }
    let has = |option: &str| given.iter().any(|one| one == option);
    let long = has("--long");
    let iterations = if has("--once") { 1 } else { ITERATIONS };
    let mut peers = if has("--alone") { Vec::new() } else { Peer::all().to_vec() };
    peers.retain(Peer::is_there);
    let named = given.iter().position(|one| one == "--program").map(|at| &given[at + 1]);
    let programs = PROGRAMS.iter().filter(|one| named.is_none_or(|name| one.name == name));
    let tables = programs.map(|program| measure(program, &peers, (long, iterations)));
    let tables: Vec<String> = tables.collect();
    let text = format!("{}\n{}", tables.join("\n"), table::conditions(long, iterations));
    println!("{text}");
    if let Some(page) = given.first().filter(|one| !one.starts_with("--")) {
        table::put(page, &text, long);
    }
}
