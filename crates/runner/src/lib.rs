//! The matrix of conformance: the same cases for every algorithm of the registry, on every level of OpenGL.
//!
//! [`scan::Runner`] and [`compaction::CompactRunner`] put a case to an algorithm and check the result against the oracle. Where it
//! is wrong, they find the first wrong pass, by the CPU twins of all shaders, and give the command that shows it again.
//! [`harness`] runs tests in processes, on the levels of OpenGL that Mesa is made to offer.

#![forbid(unsafe_code)]

pub mod addresses;
pub mod compact_twins;
pub mod compaction;
pub mod compute_twins;
pub mod data;
pub mod documents;
pub mod harness;
pub mod rerecorded;
pub mod scan;
pub mod tile_twins;
pub mod twins;

use std::cell::OnceCell;

use rasterscan::{Api, Gpu};

thread_local! {
    static GPU: OnceCell<Gpu> = const { OnceCell::new() };
}

/// The context that all tests of a worker share, and with it the programs that they have compiled.
pub fn gpu() -> Gpu {
    GPU.with(|gpu| gpu.get_or_init(own_gpu).clone())
}

/// A headless context of the caller's own. `RASTERSCAN_LEVEL` says which level of OpenGL the run is meant to test; a
/// context of another level would test nothing, so it is refused.
pub fn own_gpu() -> Gpu {
    let gpu = Gpu::headless().expect("the tests need a GL device");
    let device = gpu.device();
    match std::env::var("RASTERSCAN_LEVEL").as_deref() {
        Ok("gl33") => {
            assert_eq!((device.api, device.version), (Api::Gl, (3, 3)), "not the level under test");
            assert!(device.compute.is_none(), "OpenGL 3.3 with compute shaders is not the level under test");
        }
        Ok("gles30") => {
            assert_eq!((device.api, device.version), (Api::Gles, (3, 0)), "not the level under test");
            assert!(device.compute.is_none(), "ES 3.0 with compute shaders is not the level under test");
        }
        Ok("softpipe") => assert_eq!(device.renderer, "softpipe", "not the driver under test"),
        Ok("native") | Err(_) => {}
        Ok(other) => panic!("RASTERSCAN_LEVEL={other} is none of native, gl33, gles30, softpipe"),
    }
    gpu
}
