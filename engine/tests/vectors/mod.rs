//! Files of one-instruction vectors, which are not part of this repository.
//!
//! `CYCLESCOPE_VECTORS` names the folder that holds a folder for each core, or the files themselves; without it they
//! are looked for beside the repository.

use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The files (`*.json.gz`) of a core in order; without any, says so in a sentence.
pub fn files(core: &str) -> Option<Vec<PathBuf>> {
    let root = match std::env::var_os("CYCLESCOPE_VECTORS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors"),
    };
    let folders = [root.join(core), root];
    for folder in &folders {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut files: Vec<_> = entries
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with(".json.gz"))
            .collect();
        files.sort();
        if !files.is_empty() {
            return Some(files);
        }
    }
    println!(
        "SKIPPED: no vectors (*.json.gz) in {} or {}. Set CYCLESCOPE_VECTORS to the folder that holds them.",
        folders[0].display(),
        folders[1].display()
    );
    None
}

/// A file's contents.
pub fn load(file: &Path) -> Value {
    let bytes = std::fs::read(file).expect("the file of vectors is readable");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).expect("it is gzip'd text");
    serde_json::from_str(&text).expect("it is JSON")
}
