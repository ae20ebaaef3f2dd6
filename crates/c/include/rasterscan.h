/* rasterscan: scans, compactions, reductions, sorts and histograms in an OpenGL context. SPDX-License-Identifier: MIT OR Apache-2.0

   A call returns RS_OK, or a code and a sentence: rs_last_error(). Objects are handles, numbers that are never pointers and
   never used twice: one that is 0, was freed, or is of another kind or thread is an error. An object belongs to the
   thread that made it, whose context must be current. Texts are UTF-8. Arrays and texts are read while the call runs, and
   are as long as it is told. This file is written by a test; change src/lib.rs. */

#ifndef RASTERSCAN_H
#define RASTERSCAN_H

#include <stddef.h>
#include <stdint.h>

// The version of this interface: another one has other functions or structures.
#define RS_ABI_VERSION 1

// The outcome of a call. rs_last_error() says more.
enum rs_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Done.
  RS_OK = 0,
  // A job, numbers or a stream that make no sense.
  RS_ERROR_REQUEST = 1,
  // Something that this device or algorithm cannot do.
  RS_ERROR_UNSUPPORTED = 2,
  // No usable OpenGL.
  RS_ERROR_NO_DEVICE = 3,
  // A shader that does not compile, such as the caller's own.
  RS_ERROR_SHADER = 4,
  // The context was lost with all that was in it.
  RS_ERROR_CONTEXT_LOST = 5,
  // Memory is full.
  RS_ERROR_MEMORY = 6,
  // The context is not current, is another one, or is in a state that spoils results.
  RS_ERROR_CONTEXT = 7,
  // The driver failed.
  RS_ERROR_DRIVER = 8,
  // A handle that is 0, was freed, or is of another kind.
  RS_ERROR_HANDLE = 9,
  // A handle of another thread. A handle belongs to the thread that made it.
  RS_ERROR_THREAD = 10,
  // A pointer that is NULL, or a text that is not UTF-8.
  RS_ERROR_POINTER = 11,
  // A fault of this library. Its handles may be unusable.
  RS_ERROR_FAULT = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum rs_status rs_status;
#else
typedef int32_t rs_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A function that finds the functions of the current OpenGL context, such as eglGetProcAddress or SDL_GL_GetProcAddress.
typedef void *(*rs_find)(const char *name);

// An OpenGL context that runs plans.
typedef uint64_t rs_gpu;

// Numbers in a texture or a buffer.
typedef uint64_t rs_stream;

// An input of a plan: numbers, a stream, a texture or a buffer. Set the members that say which, and leave the others 0.
typedef struct rs_input {
  // "input"; the name of the option that reads it, such as "mask"; a name of your own, which the GLSL reads; or "length", a
  // stream of one u32 such as the count of a compaction: so many items of "input" count.
  const char *name;
  // The type of the numbers: u32, i32, f32, u64 or i64. A texture of 32-bit channels has its own; one of 8 bits is read as f32
  // from 0 to 1, or as u32 from 0 to 255 if that is said here.
  const char *dtype;
  // How many numbers there are. Of a texture, the items that count; 0 is all.
  uint64_t length;
  // The numbers, which are copied.
  const void *data;
  // A result of another plan of the same rs_gpu.
  rs_stream stream;
  // The name of a 2-D texture in OpenGL, of which level 0 is read.
  uint32_t texture;
  // The name of a buffer in OpenGL, whose size is a multiple of 16 bytes.
  uint32_t buffer;
  // The texture's format: R, RG or RGBA with 32UI, 32I, 32F, 16F or 8, as in RGBA32F.
  const char *format;
  // Columns of the texture.
  uint32_t width;
  // Rows of the texture.
  uint32_t height;
  // The only channel of the texture that is read: 1 for red, to 4. 0 reads all channels of 32 bits in order, and red alone
  // of other formats.
  uint32_t channel;
} rs_input;

// A job that is compiled for a context, with its memory.
typedef uint64_t rs_plan;

// Where a stream lies: in a buffer from byte 0 on, or in a texture, where item i is channel i % items_per_texel of texel
// t = i / items_per_texel, at column t % width of row t / width. Plans with compute shaders take buffers, and all others textures.
typedef struct rs_stream_info {
  // Numbers in it.
  uint64_t length;
  // The name of its texture in OpenGL; 0 if it lies in a buffer.
  uint32_t texture;
  // The name of its buffer in OpenGL; 0 if it lies in a texture.
  uint32_t buffer;
  // Columns of the texture.
  uint32_t width;
  // Rows of the texture.
  uint32_t height;
  // Consecutive items in a texel.
  uint32_t items_per_texel;
  // The type of the numbers: u32, i32, f32, u64 or i64.
  char dtype[4];
  // The texture's format, as in RGBA32F.
  char format[12];
} rs_stream_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of this interface in the library that is loaded. Compare it with RS_ABI_VERSION.
uint32_t rs_abi_version(void);

// The version of the library, such as "0.1.0".
const char *rs_version(void);

// The sentence of this thread's last call, if it failed; empty if it did not. It lives until this thread's next call.
const char *rs_last_error(void);

// An object in words: the device of a GPU, the passes and costs of a plan, the layout of a stream. NULL is an error. The text
// lives until this thread's next rs_describe().
const char *rs_describe(uint64_t object);

// The context that is current on this thread: OpenGL 3.3, OpenGL ES 3.0 or newer. `find` finds its functions; NULL looks for
// them in EGL, GLX, WGL or CGL. Every call with this GPU, or with what is made of it, needs the context to be current, and
// restores the state that it changes.
rs_status rs_gpu_current(rs_find find,
                         rs_gpu *gpu);

// A context of its own, without a window, on the best device or the one that RASTERSCAN_DEVICE names: a number, software or
// hardware. A call makes it current, and then what was current before.
rs_status rs_gpu_headless(rs_gpu *gpu);

// Compiles a job and allocates its memory, once. `job` has the words of the command line, with - in place of a file:
// "scan - --op max", "sort - --moves indices -a radix", "compact - --mask -". `glsl` is NULL, or has a function that makes keys
// or keeps items: "float key(uint item, int index) { ... }", "bool keep(vec4 item, int index) { ... }". An item is a uint, int,
// float or uvec2; of a texture of several channels a vector, but for a compaction that moves values, which are single channels.
// The GLSL reads an input of a name of yours, such as "weight", by weight_at(i), and has uniforms of float, int, uint and ivec2.
// A sort by such keys gives the keys as values. Inputs with numbers, a stream, a texture or a buffer are bound as by
// rs_plan_bind(); of the others the members that say how they lie are enough.
rs_status rs_plan_new(rs_gpu gpu,
                      const char *job,
                      const char *glsl,
                      const struct rs_input *inputs,
                      size_t count,
                      rs_plan *plan);

// Binds an input for the next runs: `data` is uploaded; a stream, a texture or a buffer must lie as the one that the plan was
// made for, and is not copied. The caller keeps a texture and a buffer while they are bound.
rs_status rs_plan_bind(rs_plan plan,
                       const struct rs_input *input);

// Sets a uniform of the GLSL for the next runs, from one number, or two for an ivec2.
rs_status rs_plan_set(rs_plan plan, const char *name, const double *values, size_t count);

// Runs all passes. Nothing is read back, and nothing waits for the GPU.
rs_status rs_plan_run(rs_plan plan);

// A result of the last run, which the next one overwrites: "values", "indices", "count" ..., or NULL for the first. Of a
// compaction, "count" says how many of the others count. Each call gives a new handle; one is valid after every run.
rs_status rs_plan_result(rs_plan plan,
                         const char *name,
                         rs_stream *stream);

// Where a stream lies, for the caller's own shaders.
rs_status rs_stream_where(rs_stream stream, struct rs_stream_info *info);

// Waits for the GPU and copies the first `length` numbers, of the stream's type, to `data`.
rs_status rs_stream_read(rs_stream stream, void *data, uint64_t length);

// Frees a GPU, a plan or a stream. Each may be freed first: what another one needs lives on with it. While the caller's context
// is not current, what it has in OpenGL stays there until the context ends.
rs_status rs_free(uint64_t object);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* RASTERSCAN_H */
