//! Outside the folders of cores nothing names a core.

use std::fs;
use std::path::Path;

/// Lines that name a core in the sources below `folder`, but for folders called `cores`.
fn naming(folder: &Path, cores: &[String], found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("cores") {
                naming(&path, cores, found);
            }
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            if cores.iter().any(|core| line.to_lowercase().contains(core.as_str())) {
                found.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
}

#[test]
fn only_the_folders_of_cores_name_one() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        fs::read_dir(engine.join("src/cores")).unwrap().map(|entry| entry.unwrap().path());
    let cores: Vec<_> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(!cores.is_empty());
    let mut found = Vec::new();
    for sources in ["src", "../bindings/src"] {
        naming(&engine.join(sources), &cores, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
