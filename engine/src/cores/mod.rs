//! The cores, one folder each.
