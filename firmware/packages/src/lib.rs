//! Empty: this package exists for its dependencies (see Cargo.toml).
