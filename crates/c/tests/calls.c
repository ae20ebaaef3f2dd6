/* What the calls do with right and wrong handles, pointers, jobs and threads. Prints the number of checks. */
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <pthread.h>
#include <rasterscan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks;

#define IS(status, call) is(status, call, #call, __LINE__)

static void is(rs_status expected, rs_status got, const char *call, int line) {
    checks++;
    /* A call that worked leaves no sentence, and one that failed does. */
    int told = (*rs_last_error() != 0) == (got != RS_OK);
    if (got == expected && told) return;
    printf("line %d: %s: %d, not %d: %s\n", line, call, (int)got, (int)expected, rs_last_error());
    exit(1);
}

static void holds(int condition, const char *what, int line) {
    checks++;
    if (condition) return;
    printf("line %d: %s\n", line, what);
    exit(1);
}

#define HOLDS(condition) holds(condition, #condition, __LINE__)

typedef struct {
    rs_gpu gpu;
    rs_plan plan;
    rs_stream stream;
} objects;

/* On another thread every handle is refused, also for rs_free(). */
static void *elsewhere(void *pointer) {
    objects *all = pointer;
    uint32_t number;
    rs_plan plan;
    IS(RS_ERROR_THREAD, rs_plan_new(all->gpu, "scan -", NULL, NULL, 0, &plan));
    IS(RS_ERROR_THREAD, rs_plan_run(all->plan));
    IS(RS_ERROR_THREAD, rs_stream_read(all->stream, &number, 1));
    IS(RS_ERROR_THREAD, rs_free(all->gpu));
    HOLDS(strstr(rs_last_error(), "another thread") != NULL);
    HOLDS(rs_describe(all->plan) == NULL);
    return NULL;
}

static rs_stream result(rs_plan plan, const char *name) {
    rs_stream stream = 0;
    IS(RS_OK, rs_plan_result(plan, name, &stream));
    return stream;
}

/* A texture of bytes and a buffer of a context that is not the library's, which leaves its state as it was. */
static void objects_of_a_host(void) {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    HOLDS(eglInitialize(display, NULL, NULL) && eglBindAPI(EGL_OPENGL_ES_API));
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    HOLDS(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    const unsigned char pixels[8] = {9, 50, 9, 9, 9, 200, 9, 9};
    const int numbers[4] = {-3, 5, 1, 0};
    int sums[4], bound;
    GLuint names[2], texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    glGenBuffers(2, names);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, names[1]);
    glBindBuffer(GL_ARRAY_BUFFER, names[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof numbers, numbers, GL_STATIC_DRAW);

    rs_gpu gpu;
    rs_plan plan;
    IS(RS_OK, rs_gpu_current((rs_find)eglGetProcAddress, &gpu));
    rs_input green = {.name = "input", .dtype = "u32", .texture = texture, .format = "RGBA8", .width = 2, .height = 1, .channel = 2};
    IS(RS_OK, rs_plan_new(gpu, "reduce - --op max", NULL, &green, 1, &plan));
    IS(RS_OK, rs_plan_run(plan));
    rs_stream stream = result(plan, NULL);
    IS(RS_OK, rs_stream_read(stream, sums, 1));
    HOLDS(sums[0] == 200);
    IS(RS_OK, rs_free(stream));
    green.channel = 3;
    IS(RS_ERROR_REQUEST, rs_plan_bind(plan, &green));
    green.channel = 5;
    IS(RS_ERROR_REQUEST, rs_plan_new(gpu, "reduce -", NULL, &green, 1, &plan));
    green.channel = 2;
    IS(RS_OK, rs_plan_bind(plan, &green));
    IS(RS_OK, rs_free(plan));
    green.format = "RGBA9";
    IS(RS_ERROR_REQUEST, rs_plan_new(gpu, "reduce -", NULL, &green, 1, &plan));
    green.format = "RGBA8";
    green.length = 3;
    IS(RS_ERROR_REQUEST, rs_plan_new(gpu, "reduce -", NULL, &green, 1, &plan));

    rs_input buffer = {.name = "input", .dtype = "i32", .length = 4, .buffer = names[0]};
    IS(RS_OK, rs_plan_new(gpu, "scan -", NULL, &buffer, 1, &plan));
    IS(RS_OK, rs_plan_run(plan));
    stream = result(plan, "values");
    IS(RS_OK, rs_stream_read(stream, sums, 4));
    HOLDS(sums[0] == -3 && sums[1] == 2 && sums[2] == 3 && sums[3] == 3);
    buffer.buffer = names[1];
    IS(RS_ERROR_REQUEST, rs_plan_bind(plan, &buffer));

    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &bound);
    HOLDS((GLuint)bound == names[1]);
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    HOLDS((GLuint)bound == names[0] && glGetError() == GL_NO_ERROR);
    HOLDS(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    IS(RS_ERROR_CONTEXT, rs_plan_run(plan));
    HOLDS(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context));
    IS(RS_OK, rs_free(stream));
    IS(RS_OK, rs_free(plan));
    IS(RS_OK, rs_free(gpu));
    HOLDS(eglTerminate(display));
}

int main(void) {
    objects all = {0, 0, 0};
    uint32_t values[5] = {3, 1, 7, 0, 4}, flags[5] = {1, 0, 1, 0, 1}, read[5], count;
    rs_input input = {0}, two[2] = {{0}, {0}};
    rs_stream stream;
    rs_plan plan;
    double five = 5, pair[2] = {1, 2};
    HOLDS(rs_abi_version() == RS_ABI_VERSION);
    HOLDS(strchr(rs_version(), '.') != NULL);

    /* Handles of nothing, and pointers to nothing. */
    IS(RS_ERROR_HANDLE, rs_free(0));
    IS(RS_ERROR_HANDLE, rs_free(1));
    IS(RS_ERROR_HANDLE, rs_plan_run(~0ull));
    IS(RS_ERROR_POINTER, rs_gpu_headless(NULL));
    IS(RS_ERROR_CONTEXT, rs_gpu_current(NULL, &all.gpu));
    IS(RS_OK, rs_gpu_headless(&all.gpu));
    HOLDS(strstr(rs_describe(all.gpu), "OpenGL") != NULL);
    IS(RS_ERROR_POINTER, rs_plan_new(all.gpu, NULL, NULL, NULL, 0, &plan));
    IS(RS_ERROR_POINTER, rs_plan_new(all.gpu, "scan -", NULL, NULL, 1, &plan));
    IS(RS_ERROR_POINTER, rs_plan_new(all.gpu, "\xff", NULL, NULL, 0, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "", NULL, NULL, 0, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan - --operator max", NULL, NULL, 0, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan -", NULL, NULL, 0, &plan));
    HOLDS(strstr(rs_last_error(), "'input' is missing") != NULL);

    /* A scan of numbers that are uploaded, twice. */
    input.name = "input";
    input.length = 5;
    IS(RS_ERROR_POINTER, rs_plan_new(all.gpu, "scan -", NULL, &input, 1, &plan));
    input.dtype = "u16";
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan -", NULL, &input, 1, &plan));
    input.dtype = "u32";
    IS(RS_OK, rs_plan_new(all.gpu, "scan - --op max", NULL, &input, 1, &all.plan));
    HOLDS(strstr(rs_describe(all.plan), "pass") != NULL);
    IS(RS_ERROR_REQUEST, rs_plan_result(all.plan, NULL, &stream));
    IS(RS_ERROR_REQUEST, rs_plan_run(all.plan));
    IS(RS_ERROR_POINTER, rs_plan_bind(all.plan, &input));
    input.data = values;
    IS(RS_OK, rs_plan_bind(all.plan, &input));
    IS(RS_OK, rs_plan_run(all.plan));
    all.stream = result(all.plan, "values");
    IS(RS_OK, rs_stream_read(all.stream, read, 5));
    HOLDS(read[0] == 3 && read[1] == 3 && read[2] == 7 && read[4] == 7);
    values[4] = 9;
    IS(RS_OK, rs_plan_bind(all.plan, &input));
    IS(RS_OK, rs_plan_run(all.plan));
    IS(RS_OK, rs_stream_read(all.stream, read, 5));
    HOLDS(read[4] == 9);
    input.length = 4;
    IS(RS_ERROR_REQUEST, rs_plan_bind(all.plan, &input));
    input.length = 5;
    input.dtype = "f32";
    IS(RS_ERROR_REQUEST, rs_plan_bind(all.plan, &input));
    input.dtype = "u32";
    input.buffer = 7;
    IS(RS_ERROR_REQUEST, rs_plan_bind(all.plan, &input));
    input.buffer = 0;
    IS(RS_ERROR_REQUEST, rs_plan_set(all.plan, "u_len", &five, 1));
    two[0] = two[1] = input;
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan -", NULL, two, 2, &plan));
    two[1].name = "mask";
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan -", NULL, two, 2, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan numbers.npy", NULL, &input, 1, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "scan - --dtype f32", NULL, &input, 1, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "sort -", "bool keep(uint item, int i) { return true; }", &input, 1, &plan));
    two[0] = two[1] = (rs_input){0};
    input.name = "mask";
    IS(RS_ERROR_REQUEST, rs_plan_bind(all.plan, &input));
    IS(RS_ERROR_REQUEST, rs_plan_result(all.plan, "indices", &stream));
    IS(RS_ERROR_REQUEST, rs_stream_read(all.stream, read, 6));
    IS(RS_ERROR_POINTER, rs_stream_read(all.stream, NULL, 5));
    rs_stream_info info;
    IS(RS_OK, rs_stream_where(all.stream, &info));
    HOLDS(info.length == 5 && strcmp(info.dtype, "u32") == 0 && (info.texture != 0) != (info.buffer != 0));

    /* Handles of another kind, and of another GPU. */
    IS(RS_ERROR_HANDLE, rs_plan_run(all.stream));
    IS(RS_ERROR_HANDLE, rs_stream_read(all.plan, read, 5));
    IS(RS_ERROR_HANDLE, rs_plan_new(all.plan, "scan -", NULL, NULL, 0, &plan));
    rs_gpu other;
    IS(RS_OK, rs_gpu_headless(&other));
    two[0].name = "input";
    two[0].stream = all.stream;
    IS(RS_ERROR_CONTEXT, (rs_plan_new(other, "reduce -", NULL, two, 1, &plan) || rs_plan_run(plan)) ? RS_ERROR_CONTEXT : RS_OK);
    IS(RS_OK, rs_free(other));

    /* A chain on the GPU: what a mask keeps of the scan, and their sum. */
    two[1].name = "mask";
    two[1].dtype = "u32";
    two[1].length = 5;
    two[1].data = flags;
    IS(RS_OK, rs_plan_new(all.gpu, "compact - --mask -", NULL, two, 2, &plan));
    IS(RS_OK, rs_plan_run(plan));
    rs_stream kept = result(plan, NULL), kept_count = result(plan, "count");
    IS(RS_OK, rs_stream_read(kept_count, &count, 1));
    IS(RS_OK, rs_stream_read(kept, read, count));
    HOLDS(count == 3 && read[0] == 3 && read[1] == 7 && read[2] == 9);
    rs_plan sum;
    two[0].stream = kept;
    two[1] = (rs_input){.name = "length", .stream = kept_count};
    IS(RS_OK, rs_plan_new(all.gpu, "reduce -", NULL, two, 2, &sum));
    IS(RS_OK, rs_plan_run(sum));
    stream = result(sum, NULL);
    IS(RS_OK, rs_stream_read(stream, read, 1));
    HOLDS(read[0] == 19);
    IS(RS_OK, rs_free(stream));
    IS(RS_OK, rs_free(sum));
    IS(RS_OK, rs_free(kept));
    IS(RS_OK, rs_free(kept_count));
    IS(RS_OK, rs_free(plan));

    /* Keys and conditions in GLSL. */
    input.name = "input";
    const char *key = "uniform int u_low;\nuint key(uint item, int index) { return item % uint(u_low); }";
    IS(RS_OK, rs_plan_new(all.gpu, "sort - --moves indices", key, &input, 1, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_set(plan, "u_hihg", &five, 1));
    IS(RS_ERROR_REQUEST, rs_plan_set(plan, "u_low", pair, 2));
    IS(RS_OK, rs_plan_set(plan, "u_low", &five, 1));
    IS(RS_OK, rs_plan_run(plan));
    stream = result(plan, "indices");
    IS(RS_OK, rs_stream_read(stream, read, 5));
    /* 3 1 2 0 4 */
    HOLDS(read[0] == 3 && read[1] == 1 && read[2] == 2 && read[3] == 0 && read[4] == 4);
    IS(RS_OK, rs_free(stream));
    IS(RS_OK, rs_free(plan));
    IS(RS_ERROR_SHADER, rs_plan_new(all.gpu, "sort -", "uint key(uint item, int i) { return nothing; }", &input, 1, &plan));
    IS(RS_ERROR_REQUEST, rs_plan_new(all.gpu, "sort -", "uniform vec3 u; uint key(uint item, int index) { return 1u; }", &input, 1, &plan));

    /* Threads, and handles that were freed. */
    pthread_t thread;
    HOLDS(pthread_create(&thread, NULL, elsewhere, &all) == 0);
    pthread_join(thread, NULL);
    IS(RS_OK, rs_free(all.gpu));
    IS(RS_OK, rs_plan_run(all.plan));
    IS(RS_OK, rs_free(all.plan));
    IS(RS_ERROR_HANDLE, rs_free(all.plan));
    IS(RS_OK, rs_stream_read(all.stream, read, 5));
    IS(RS_OK, rs_free(all.stream));
    IS(RS_ERROR_HANDLE, rs_stream_read(all.stream, read, 5));
    /* A slot that is taken again has another number. */
    IS(RS_OK, rs_gpu_headless(&other));
    HOLDS(other != all.gpu && other != all.plan && other != all.stream);
    IS(RS_ERROR_HANDLE, rs_free(all.stream));
    IS(RS_OK, rs_free(other));
    objects_of_a_host();
    printf("%d checks\n", checks);
    return 0;
}
