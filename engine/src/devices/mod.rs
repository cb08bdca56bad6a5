//! The devices, one file each, named by part.
