"""In a context of moderngl's: its textures and buffers by name, its state, its thread."""

from __future__ import annotations

import ctypes
import gc
import threading
from collections.abc import Iterator
from typing import Any

import moderngl
import numpy as np
import pytest

import rasterscan as rs


@pytest.fixture
def context() -> Iterator[Any]:
    context = moderngl.create_standalone_context(backend="egl")
    with context:
        yield context
    context.release()


VERTEX = "#version 330\nin vec2 at; void main() { gl_Position = vec4(at, 0, 1); }"
FRAGMENT = "#version 330\nout vec4 colour; uniform sampler2D paint; void main() { colour = texelFetch(paint, ivec2(0), 0); }"


def test_arrays_in_a_current_context(context: Any) -> None:
    gpu = rs.Gpu.current()
    assert gpu.scan([3, 1, 7], verify=True).tolist() == [3, 4, 11]
    assert gpu.engine == "gl" and gpu.renderer == context.info["GL_RENDERER"]


def test_buffers_are_read_and_results_stay(context: Any) -> None:
    depths = np.random.default_rng(7).random(1000, dtype=np.float32)
    buffer = context.buffer(depths.tobytes())
    gpu = rs.Gpu.current()
    stream = gpu.buffer(buffer.glo, length=1000, dtype="float32")
    assert len(stream) == 1000 and stream.buffer == buffer.glo and stream.texture is None
    sort = gpu.prepare("sort", stream, moves="indices", descending=True)
    for _ in range(2):
        order = sort(stream)["values"]
        np.testing.assert_array_equal(order.read(), np.argsort(-depths, kind="stable"))
        depths = depths[::-1].copy()
        buffer.write(depths.tobytes())
    assert order.dtype == "uint32" and (order.texture is None) != (order.buffer is None)


def test_textures_are_read_and_results_stay(context: Any) -> None:
    picture = np.arange(37 * 5, dtype=np.uint32).reshape(5, 37) % 7
    texture = context.texture((37, 5), 1, picture.tobytes(), dtype="u4", alignment=4)
    gpu = rs.Gpu.current()
    stream = gpu.texture(texture.glo, width=37, height=5, dtype="uint32")
    for algorithm in ("auto", "packed", "histopyramid"):
        found = gpu.prepare("compact", stream, algorithm=algorithm, keep=">3")(stream)
        count = int(found["count"].read()[0])
        np.testing.assert_array_equal(found["values"].read(count), picture[picture > 3])
    flags = picture.reshape(-1) % 2
    masked = gpu.prepare("compact", stream, mask=flags)(stream)
    np.testing.assert_array_equal(masked["values"].read(int(masked["count"].read()[0])), picture.reshape(-1)[flags > 0])
    with pytest.raises(rs.Error):
        gpu.texture(texture.glo, width=38, height=5, dtype="uint32")
    with pytest.raises(rs.RequestError):
        gpu.buffer(0, length=1, dtype="uint32")


def test_the_state_of_the_host_is_restored(context: Any) -> None:
    """A frame that is drawn after calls has the same pixels as one before them."""
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    corners = context.buffer(np.float32([-1, -1, 0.5, -1, -1, 0.5]).tobytes())
    shape = context.vertex_array(program, [(corners, "2f", "at")])
    paint = context.texture((1, 1), 4, bytes([200, 100, 50, 255]))
    target = context.simple_framebuffer((32, 32))
    target.use()
    target.scissor = (4, 4, 20, 20)
    context.enable(moderngl.BLEND)
    paint.use()

    def drawn() -> bytes:
        target.clear(0.1, 0.2, 0.3)
        shape.render()
        return bytes(target.read())

    before = drawn()
    gpu = rs.Gpu.current()
    gpu.scan(np.arange(5000), algorithm="packed")
    gpu.sort(np.arange(5000)[::-1])
    assert drawn() == before and before.count(bytes([200, 100, 50])) > 20


# OpenGL's own functions, beside moderngl, which sets state before it uses it.
EGL = ctypes.CDLL("libEGL.so.1")
EGL.eglGetProcAddress.restype = ctypes.c_void_p


def gl(name: str, *arguments: Any) -> None:
    address = EGL.eglGetProcAddress(f"gl{name}".encode())
    ctypes.CFUNCTYPE(None)(address)(*arguments)


def bound(name: int) -> list[int]:
    values = (ctypes.c_int * 16)()
    gl("GetIntegerv", name, values)
    return list(values)


# Bindings: vertex array, pack and unpack buffers, array buffer, program, framebuffers, texture, sampler, feedback, its buffer,
# whether it is active and paused, active unit, viewport, scissor; then row length and so on of unpacking and packing.
STATE = [0x85B5, 0x88ED, 0x88EF, 0x8894, 0x8B8D, 0x8CA6, 0x8CAA, 0x8069, 0x8919, 0x8E25, 0x8C8F, 0x8E24, 0x8E23, 0x84E0]
STATE += [0x0BA2, 0x0C10]
STATE += [0x0CF0, 0x0CF1, 0x0CF2, 0x0CF3, 0x0CF4, 0x0CF5, 0x806D, 0x806E, 0x0D00, 0x0D01, 0x0D02, 0x0D03, 0x0D04, 0x0D05]
SOURCE = """#version 330
in vec2 at; out vec2 seen; void main() { seen = at; gl_Position = vec4(at, 0, 1); }"""
PAINTED = """#version 330
out vec4 colour; uniform sampler2D paint; void main() { colour = texture(paint, gl_FragCoord.xy / 8.0); }"""


def calls(context: Any, gpu: rs.Gpu) -> dict[str, Any]:
    """A call of each kind. Objects of moderngl's are made before the state is hostile."""
    numbers = np.random.default_rng(7).integers(0, 99, 1000, dtype=np.uint32)
    buffer, texture = context.buffer(numbers.tobytes()), context.texture((40, 25), 1, numbers.tobytes(), dtype="u4")
    xor = rs.Operator("both", "Item combine(Item l, Item r) { return l ^ r; }", np.uint32([0]))

    def prepared() -> Any:
        stream = gpu.buffer(buffer.glo, length=1000, dtype="uint32")
        return gpu.prepare("sort", stream)(stream)["values"].read()

    def of_texture() -> Any:
        stream = gpu.texture(texture.glo, width=40, height=25, dtype="uint32")
        return gpu.prepare("scan", stream, algorithm="packed")(stream)["values"].read()

    sums, ordered = numbers.cumsum(dtype=np.uint32), np.sort(numbers)
    return {
        "scan by compute": (lambda: gpu.scan(numbers, algorithm="look_back"), sums),
        "scan by textures": (lambda: gpu.scan(numbers, algorithm="packed"), sums),
        "segments": (lambda: gpu.segmented_scan(numbers, offsets=[0]), sums),
        "own operator": (lambda: gpu.scan(numbers, op=xor), np.bitwise_xor.accumulate(numbers)),
        "compact": (lambda: gpu.compact(numbers, numbers > 9), numbers[numbers > 9]),
        "compact by vertices": (lambda: gpu.compact(numbers, ">9", algorithm="points"), numbers[numbers > 9]),
        "compact by geometry": (lambda: gpu.compact(numbers, ">9", algorithm="geometry"), numbers[numbers > 9]),
        "reduce": (lambda: gpu.reduce(numbers.reshape(25, 40), axis=0), numbers.reshape(25, 40).sum(0)),
        "argmax": (lambda: gpu.argmax(numbers), numbers.argmax()),
        "sort by compute": (lambda: gpu.sort(numbers, algorithm="onesweep"), ordered),
        "sort by textures": (lambda: gpu.sort(numbers, algorithm="radix"), ordered),
        "argsort": (lambda: gpu.argsort(numbers), np.argsort(numbers, kind="stable")),
        "histogram": (lambda: gpu.histogram(numbers, 9), np.histogram(numbers, 9)[0]),
        "unique": (lambda: gpu.unique(numbers), np.unique(numbers)),
        "repeat": (lambda: gpu.repeat(numbers, np.full(1000, 2)), np.repeat(numbers, 2)),
        "record": (lambda: gpu.record("scan", numbers, algorithm="horn").values[-1][:1000], sums),
        "prepared, in a buffer": (prepared, ordered),
        "prepared, in a texture": (of_texture, sums),
        "compare": (lambda: gpu.compare("reduce", sizes=99, seconds=0.05)[0]["verified"], True),
        "selftest": (lambda: gpu.selftest(0)["wrong"], []),
    }


def test_hostile_state_stays_and_spoils_nothing(context: Any) -> None:
    """A frame that sets no state has the same pixels before and after each kind of call, and results are right."""
    program = context.program(vertex_shader=SOURCE, fragment_shader=PAINTED, varyings=["seen"])
    corners = context.buffer(np.float32([-1, -1, 3, -1, -1, 3]).tobytes())
    shape = context.vertex_array(program, [(corners, "2f", "at")])
    paint = context.texture((4, 4), 4)
    target = context.simple_framebuffer((32, 32))
    pixels = np.random.default_rng(8).integers(0, 255, 4096, dtype=np.uint8).tobytes()
    source, sink, captured = context.buffer(pixels), context.buffer(reserve=16384), context.buffer(reserve=4096)
    sampler = context.sampler(repeat_x=False, repeat_y=False, filter=(moderngl.NEAREST, moderngl.NEAREST))
    gpu = rs.Gpu.current()
    kinds = calls(context, gpu)
    target.use()
    target.viewport, target.scissor = (1, 2, 29, 27), (3, 3, 20, 21)
    context.enable(moderngl.BLEND | moderngl.CULL_FACE)
    paint.use(0)
    feedback = ctypes.c_uint()
    gl("BindVertexArray", shape.glo)
    gl("UseProgram", program.glo)
    gl("BindBuffer", 0x88EC, source.glo)
    gl("BindBuffer", 0x88EB, sink.glo)
    sampler.use(0)
    gl("GenTransformFeedbacks", 1, ctypes.byref(feedback))
    gl("BindTransformFeedback", 0x8E22, feedback)
    gl("BindBufferBase", 0x8C8E, 0, captured.glo)
    # Of points, as the library's own: Mesa keeps one mode for all feedback objects, and then refuses the others to the host.
    gl("BeginTransformFeedback", 0x0000)
    # Bytes in the other order, rows of 9 pixels, and some left out, of what is uploaded and of what is read.
    for name, value in ((0x0CF0, 1), (0x0CF2, 9), (0x0CF3, 2), (0x0CF4, 3), (0x0CF5, 8), (0x806E, 7), (0x806D, 1)):
        gl("PixelStorei", name, value)
    for name, value in ((0x0D00, 1), (0x0D02, 41), (0x0D03, 2), (0x0D04, 3), (0x0D05, 8)):
        gl("PixelStorei", name, value)

    def frame() -> bytes:
        gl("TexSubImage2D", 0x0DE1, 0, 0, 0, 4, 4, 0x1908, 0x1401, None)
        gl("Clear", 0x4000)
        gl("DrawArrays", 0x0000, 0, 3)
        gl("PauseTransformFeedback")
        gl("DrawArrays", 0x0004, 0, 3)
        gl("ResumeTransformFeedback")
        gl("ReadPixels", 0, 0, 32, 32, 0x1908, 0x1401, None)
        read = (ctypes.c_ubyte * 16384)()
        gl("GetBufferSubData", 0x88EB, ctypes.c_ssize_t(0), ctypes.c_ssize_t(16384), read)
        return bytes(read)

    first, state = frame(), [bound(name) for name in STATE]
    assert len(set(first)) > 20 and context.error == "GL_NO_ERROR"
    for kind, (call, expected) in kinds.items():
        np.testing.assert_array_equal(call(), expected, err_msg=kind)
        assert [bound(name) for name in STATE] == state, kind
        assert frame() == first, kind
    # Frames alone were captured.
    gl("EndTransformFeedback")
    frames = np.frombuffer(captured.read(), np.float32)
    np.testing.assert_array_equal(frames[: 6 * (len(kinds) + 1)], [-1, -1, 3, -1, -1, 3] * (len(kinds) + 1))
    assert context.error == "GL_NO_ERROR"


def test_another_thread_is_told(context: Any) -> None:
    gpu = rs.Gpu.current()
    stream = gpu.buffer(context.buffer(bytes(16)).glo, length=4, dtype="uint32")
    caught: list[Exception] = []

    def other() -> None:
        for call in (lambda: gpu.scan([1, 2]), lambda: stream.read(), lambda: gpu.prepare("scan", stream)):
            try:
                call()
            except rs.Error as error:
                caught.append(error)

    run(other)
    assert [type(error) for error in caught] == [rs.WrongThread] * 3
    assert gpu.scan([1, 2]).tolist() == [1, 3]


def test_what_another_thread_frees_is_safe(context: Any) -> None:
    buffer = context.buffer(bytes(16))
    kept: list[Any] = [rs.Gpu.current()]
    kept.append(kept[0].buffer(buffer.glo, length=4, dtype="uint32"))
    kept.append(kept[0].prepare("scan", kept[1]))

    def other() -> None:
        kept.clear()
        gc.collect()

    run(other)
    assert rs.Gpu.current().scan([1, 2]).tolist() == [1, 3]


def test_a_context_that_is_not_current_is_told(context: Any) -> None:
    gpu = rs.Gpu.current()
    other = moderngl.create_standalone_context(backend="egl")
    with other, pytest.raises(rs.ContextError, match="not current"):
        gpu.scan([1, 2])
    other.release()


def run(work: Any) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
