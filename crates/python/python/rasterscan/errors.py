"""The exceptions of this package. All are ``Error``."""

import re


def in_python(text: str) -> str:
    """A text of the library, which names options as its program does: ``--seed-value`` is ``seed_value=``."""
    return re.sub("--([a-z]+(?:-[a-z]+)*)", lambda option: option[1].replace("-", "_") + "=", text)


class Error(Exception):
    """The base of all others."""


class RequestError(Error, ValueError):
    """A request that makes no sense on any device: an option, a length, a number that does not fit."""

    def __init__(self, text: str) -> None:
        super().__init__(in_python(text))


class Unsupported(Error, NotImplementedError):
    """Something that this device or algorithm cannot do; the message says what is missing."""


class NoDevice(Error):
    """No usable OpenGL, where a device was named or is needed."""


class ShaderError(Error):
    """A shader that does not compile: of one's own GLSL, or because of the driver."""


class OutOfMemory(Error, MemoryError):
    """Memory of the CPU that could not be allocated."""


class WrongResult(Error):
    """A result that differs from the reference, of a call with ``verify=True``."""


class ContextError(Error):
    """A context that is not current, or whose state would spoil results."""


class ContextLost(ContextError):
    """A device that was reset, or has not answered for too long. Open another ``Gpu``."""


class WrongThread(ContextError):
    """A call on another thread than that of the context, which is the caller's (``Gpu.current()``)."""


class NoDriverWarning(UserWarning):
    """No driver: kernels in Rust run instead."""
