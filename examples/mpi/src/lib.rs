//! A stream in parts, each on one device: the program of MPI and that of several GPUs in one host share it.

pub mod check;
pub mod model;
pub mod on_device;
pub mod part;
