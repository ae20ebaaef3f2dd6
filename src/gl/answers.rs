//! Answers about a driver that take time to find: kept by the context, and in its cache for later processes.
//!
//! A question is a text that says all that the answer depends on besides the driver, its version and the crate's.

use super::binaries;
use super::gpu::Gpu;
use crate::error::Error;

/// When `auto` checks the result of the algorithm that it chooses: [`Gpu::set_auto_checks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AutoChecks {
    /// On renderers that this crate's tests have not run on: [`Device::is_known`](crate::Device::is_known).
    #[default]
    Unknown,
    /// On every renderer.
    Always,
    /// Never.
    Never,
}

/// The beginning of what is kept; a byte follows.
const FORM: &[u8; 10] = b"rsanswer/1";

impl Gpu {
    /// Sets when `auto` checks its choice. It does so once for each kind of request, with the numbers of the first one that
    /// has between 2^k and 2^(k + 1) items, and takes another algorithm if the result is wrong. The answer is kept with the
    /// programs ([`Self::set_program_cache`]). The default is [`AutoChecks::Unknown`].
    ///
    /// Only calls for one result ([`Self::scan`] and its like, [`Self::scan_chunks`]) and
    /// [`auto::choose`](crate::auto::choose) check; plans that are prepared and run do not.
    pub fn set_auto_checks(&self, checks: AutoChecks) {
        self.0.auto_checks.set(checks);
    }

    /// Returns true if `auto` checks its choice here.
    pub(crate) fn checks_auto(&self) -> bool {
        match self.0.auto_checks.get() {
            AutoChecks::Unknown => !self.device().is_known(),
            AutoChecks::Always => true,
            AutoChecks::Never => false,
        }
    }

    /// The answer to a question, which is asked if it is not kept.
    pub(crate) fn answer(
        &self,
        question: &str,
        ask: impl FnOnce() -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        if let Some(answer) = self.0.answers.borrow().get(question) {
            return Ok(*answer);
        }
        let name = binaries::name_of(self.device(), &[(0, question)], &[]);
        let kept = self.0.program_cache.borrow().as_ref().and_then(|cache| cache.find(&name));
        let answer = match kept.as_deref().and_then(|bytes| bytes.strip_prefix(FORM)) {
            Some([answer @ (0 | 1)]) => *answer == 1,
            _ => {
                let answer = ask()?;
                if let Some(cache) = &*self.0.program_cache.borrow() {
                    cache.keep(&name, &[&FORM[..], &[answer.into()]].concat());
                }
                answer
            }
        };
        self.0.answers.borrow_mut().insert(question.into(), answer);
        Ok(answer)
    }
}
