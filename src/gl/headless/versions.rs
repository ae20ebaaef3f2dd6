//! The common part of EGL and WGL: the versions to ask for, and how a context tells of a reset.

use std::ffi::c_void;

use super::HeadlessOptions;
use super::native::{self, Find};
use crate::device::Api;

/// `glGetGraphicsResetStatus`, which glow does not have.
pub struct ResetStatus(extern "system" fn() -> u32);

impl ResetStatus {
    /// The function by the first name that the driver knows.
    pub fn find(find: Find) -> Option<ResetStatus> {
        let names =
            [c"glGetGraphicsResetStatus", c"glGetGraphicsResetStatusKHR", c"glGetGraphicsResetStatusARB"];
        let address = names.into_iter().map(find).find(|address| !address.is_null())?;
        // SAFETY: the address is the function of this name and signature.
        Some(ResetStatus(unsafe {
            std::mem::transmute::<*const c_void, extern "system" fn() -> u32>(address)
        }))
    }

    /// The reason for a reset of the device, if there was one. The context must be current.
    pub fn reason(&self) -> Option<&'static str> {
        match (self.0)() {
            glow::NO_ERROR => None,
            0x8253 => Some("this context caused a device reset"),
            0x8254 => Some("another context caused a device reset"),
            _ => Some("the device was reset"),
        }
    }
}

/// The kind of context to ask for.
#[derive(Debug, Clone, Copy)]
pub struct ContextRequest {
    /// OpenGL or OpenGL ES.
    pub api: Api,
    /// This version, or a newer one.
    pub version: (u8, u8),
    /// True for the core profile, false for the compatibility profile; of OpenGL alone.
    pub core: bool,
    /// True if the driver tells what it thinks.
    pub debug: bool,
    /// True if the context is lost when its device is reset.
    pub robust: bool,
}

/// Makes a current context of the newest version that the driver offers; of a robust kind if `robust` and it can.
///
/// Errors: what is needed, and what the driver has at most.
pub fn newest<C>(
    options: &HeadlessOptions,
    robust: bool,
    make: impl Fn(ContextRequest) -> Result<C, String>,
    find: Find,
) -> Result<C, String> {
    let versions: &[(u8, u8)] = match options.api {
        Api::Gl => &[(4, 6), (4, 5), (4, 3), (3, 3)],
        Api::Gles => &[(3, 2), (3, 1), (3, 0)],
    };
    let wanted = |version| ContextRequest {
        api: options.api,
        version,
        core: true,
        debug: options.debug,
        robust: false,
    };
    let mut reason = String::new();
    let newest = options.newest.unwrap_or((u32::MAX, 0));
    for &version in versions.iter().filter(|(major, minor)| (u32::from(*major), u32::from(*minor)) <= newest)
    {
        let wanted = wanted(version);
        let made = match robust && options.robust {
            // A display may offer robust contexts of only one API.
            true => make(ContextRequest { robust: true, ..wanted }).or_else(|_| make(wanted)),
            false => make(wanted),
        };
        match made {
            Ok(context) => return Ok(context),
            Err(error) => reason = error,
        }
    }
    // The driver's own message speaks of inconsistent arguments, whatever is missing.
    let older = if options.api == Api::Gl { (1, 0) } else { (2, 0) };
    match make(ContextRequest { core: false, debug: false, ..wanted(older) }) {
        // The context stays current until its version is read.
        Ok(_current) => Err(native::too_old(options.api, find)),
        Err(_) => Err(format!(
            "{} is needed, and the driver offers no such context ({reason})",
            native::needed(options.api)
        )),
    }
}
