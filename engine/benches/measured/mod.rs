//! Shared by the benches whose table stands in a page: the time of a run, cells, the machine, and the place of the table.

use std::path::{Path, PathBuf};

/// Seconds that a processor has executed this thread. Other work disturbs it less than the clock on the wall.
pub fn executed_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()).unwrap() / 1e9
}

/// The file of a source, from a bench's folder or from the benchmark's programs on.
pub fn source(bench: &str, name: &str) -> PathBuf {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [engine.join("benches").join(bench), engine.join("../examples/programs")];
    folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file()).expect("a source")
}

pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Median, least and most; a dash where nothing was measured.
pub fn cell(values: &[f64], digits: usize) -> String {
    if values.is_empty() {
        return "–".to_owned();
    }
    let least = values.iter().copied().fold(f64::MAX, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    format!("{:.digits$} ({least:.digits$}–{most:.digits$})", median(values))
}

/// The processor, the kernel and the load of this machine.
pub fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let info = read("/proc/cpuinfo");
    let processor = info.lines().find_map(|line| line.strip_prefix("model name"));
    let processor = processor.and_then(|rest| rest.split(": ").nth(1)).unwrap_or("a processor");
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or_default();
    format!("{processor}, Linux {}, load {load}", read("/proc/sys/kernel/osrelease").trim())
}

/// Puts a table into a page of the repository, between two marks.
pub fn put(page: &str, [begins_with, ends_with]: [&str; 2], table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
    let text = std::fs::read_to_string(&path).expect("the page");
    let begins = text.find(begins_with).expect("the place of the table") + begins_with.len();
    let ends = text.find(ends_with).expect("its end");
    std::fs::write(&path, format!("{}{table}{}", &text[..begins], &text[ends..]))
        .expect("the page");
}
