//! Binaries of programs, kept from one process to the next: [`ProgramCache`].
//!
//! A binary is of one program on one driver. Its name is a hash of both: the expanded texts, the names that are captured, the
//! device, the driver and its version, and the version of this crate. Bytes that are damaged, or that the driver refuses, are
//! as good as none: then the program is compiled.

use std::hash::{DefaultHasher, Hash, Hasher};

use glow::HasContext;

use crate::device::{Api, Device};

/// A place for binaries of programs and for answers about a driver, such as a folder. Drivers know them again as long as neither they nor the shaders
/// change; names say all of that.
pub trait ProgramCache {
    /// The bytes that were kept under a name; `None` if there are none, or they cannot be read.
    fn find(&self, name: &str) -> Option<Vec<u8>>;

    /// Keeps bytes under a name of 32 hexadecimal digits: 11 of an answer, some tens or hundreds of kilobytes of a program. To
    /// fail is no error.
    fn keep(&self, name: &str, bytes: &[u8]);
}

/// `GL_NUM_PROGRAM_BINARY_FORMATS`.
const FORMATS: u32 = 0x87FE;

/// The beginning of what is kept.
const FORM: &[u8; 8] = b"rsprog/1";

/// Returns true if the current context's driver gives binaries away.
pub fn has_binaries(gl: &glow::Context, device: &Device) -> bool {
    let version = if device.api == Api::Gles { (3, 0) } else { (4, 1) };
    if cfg!(target_family = "wasm") || device.version < version {
        return false;
    }
    // SAFETY: the context is current, and these versions have the name.
    unsafe { gl.get_parameter_i32(FORMATS) > 0 }
}

/// The name of a program of these texts on a device.
pub fn name_of(device: &Device, texts: &[(u32, &str)], captured: &[&str]) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        let Device { api, vendor, renderer, driver, .. } = device;
        (salt, env!("CARGO_PKG_VERSION"), *api as u8, vendor, renderer, driver).hash(&mut hasher);
        (texts, captured).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

/// The bytes that are kept under a name.
fn packed(name: &str, binary: &glow::ProgramBinary) -> Vec<u8> {
    let format = binary.format.to_le_bytes();
    let check = check(name, binary.format, &binary.buffer).to_le_bytes();
    [FORM, &format[..], &check, &binary.buffer].concat()
}

/// The binary of what was kept under a name; `None` if it is damaged, or another one's.
fn unpacked(name: &str, bytes: &[u8]) -> Option<glow::ProgramBinary> {
    let (format, rest) = bytes.strip_prefix(FORM)?.split_first_chunk()?;
    let (said, buffer) = rest.split_first_chunk()?;
    let format = u32::from_le_bytes(*format);
    let whole = !buffer.is_empty() && check(name, format, buffer) == u64::from_le_bytes(*said);
    whole.then(|| glow::ProgramBinary { buffer: buffer.to_vec(), format })
}

fn check(name: &str, format: u32, buffer: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, format, buffer).hash(&mut hasher);
    hasher.finish()
}

/// A program from what is kept under a name, which may still fail to link; `None` if nothing useful is.
///
/// # Safety
///
/// The context must be current.
pub unsafe fn find(gl: &glow::Context, cache: &dyn ProgramCache, name: &str) -> Option<glow::Program> {
    let binary = unpacked(name, &cache.find(name)?)?;
    // SAFETY: by the caller's promise. The bytes are those that a driver of this name and version gave.
    unsafe {
        let program = gl.create_program().ok()?;
        gl.program_binary(program, &binary);
        // A format of another driver is an error; the link status says enough.
        let _ = gl.get_error();
        Some(program)
    }
}

/// Keeps the binary of a linked program.
///
/// # Safety
///
/// The context must be current.
pub unsafe fn keep(gl: &glow::Context, cache: &dyn ProgramCache, name: &str, program: glow::Program) {
    // SAFETY: by the caller's promise.
    if let Some(binary) = unsafe { gl.get_program_binary(program) }.filter(|it| !it.buffer.is_empty()) {
        cache.keep(name, &packed(name, &binary));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_is_not_used() {
        let binary = glow::ProgramBinary { buffer: (0..200).collect(), format: 0x8740 };
        let bytes = packed("a name", &binary);
        let again = unpacked("a name", &bytes).unwrap();
        assert_eq!((again.format, again.buffer), (binary.format, binary.buffer));
        assert!(unpacked("another", &bytes).is_none());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(unpacked("a name", &damaged).is_none(), "byte {at}");
            assert!(unpacked("a name", &bytes[..at]).is_none(), "{at} bytes");
        }
        assert!(unpacked("a name", &[&bytes[..], &[0]].concat()).is_none());
    }

    #[test]
    fn a_name_tells_the_texts_the_captures_and_the_driver_apart() {
        let device = Device::gl33();
        let one = name_of(&device, &[(1, "a"), (2, "b")], &[]);
        assert_eq!(one.len(), 32);
        assert_eq!(one, name_of(&device, &[(1, "a"), (2, "b")], &[]));
        let newer = Device { driver: "newer".into(), ..device.clone() };
        let others = [
            name_of(&newer, &[(1, "a"), (2, "b")], &[]),
            name_of(&device, &[(1, "ab"), (2, "")], &[]),
            name_of(&device, &[(2, "a"), (1, "b")], &[]),
            name_of(&device, &[(1, "a"), (2, "b")], &["c"]),
        ];
        assert!(others.iter().all(|other| *other != one));
    }
}
