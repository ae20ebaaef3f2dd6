"""In a context of moderngl's: its textures and buffers by name, its state, its thread."""

from __future__ import annotations

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
