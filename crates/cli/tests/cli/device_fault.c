/* The system's libEGL (FAKE_REAL), through which a device fails: the first context that comes to its K-th step (FAULT_AT) runs
   out of memory in it (FAULT_WITH=memory) or is lost there (lost), and so in all later ones. A step is a call that draws,
   dispatches, or moves numbers. FAULT_FIRED then gets the name of the step. FAULT_ALL lets every context fail so, and
   FAULT_HARDWARE makes the program take the device for one. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OUT_OF_MEMORY = 0x505, CONTEXT_LOST = 0x507, GUILTY = 0x8253, WAIT_FAILED = 0x911D, RENDERER = 0x1F01, MOST = 64 };

typedef struct Context {
    void *raw;
    int steps, fails;
    /* What glGetError returns next. */
    unsigned error;
} Context;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Context contexts[MOST];
static int has_failed;

static void *egl(const char *name) {
    static void *library;
    if (!library) library = dlopen(getenv("FAKE_REAL"), RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : 0;
}

static void *driver(const char *name) {
    return ((void *(*)(const char *))egl("eglGetProcAddress"))(name);
}

static Context *current(void) {
    void *raw = ((void *(*)(void))egl("eglGetCurrentContext"))();
    pthread_mutex_lock(&lock);
    Context *context = contexts;
    while (context->raw && context->raw != raw) context++;
    context->raw = raw;
    pthread_mutex_unlock(&lock);
    return context;
}

static int is_lost(Context *context) { return context->fails && !strcmp(getenv("FAULT_WITH"), "lost"); }

/* Whether a step of the current context fails. */
static int fails(const char *name) {
    Context *context = current();
    pthread_mutex_lock(&lock);
    if (++context->steps == atoi(getenv("FAULT_AT")) && (!has_failed || getenv("FAULT_ALL"))) {
        has_failed = context->fails = 1;
        int file = open(getenv("FAULT_FIRED"), O_CREAT | O_WRONLY | O_TRUNC, 0666);
        dprintf(file, "%s", name);
        close(file);
    }
    pthread_mutex_unlock(&lock);
    if (context->fails) context->error = OUT_OF_MEMORY;
    return context->fails;
}

#define CALL(name, result, parameters, arguments, failed)                                                  \
    static result name parameters {                                                                        \
        if (failed) return (result)0;                                                                      \
        return ((result(*) parameters)driver(#name))arguments;                                             \
    }
#define STEP(name, result, parameters, arguments) CALL(name, result, parameters, arguments, fails(#name))
/* A call that a lost context does not do. */
#define MADE(name, result, parameters, arguments) CALL(name, result, parameters, arguments, is_lost(current()))

STEP(glDrawArrays, void, (unsigned mode, int first, int count), (mode, first, count))
STEP(glDispatchCompute, void, (unsigned x, unsigned y, unsigned z), (x, y, z))
STEP(glDispatchComputeIndirect, void, (intptr_t at), (at))
STEP(glBufferSubData, void, (unsigned target, intptr_t at, intptr_t bytes, const void *from), (target, at, bytes, from))
STEP(glGetBufferSubData, void, (unsigned target, intptr_t at, intptr_t bytes, void *to), (target, at, bytes, to))
STEP(glMapBufferRange, void *, (unsigned target, intptr_t at, intptr_t bytes, unsigned access), (target, at, bytes, access))
STEP(glTexSubImage2D, void, (unsigned target, int level, int x, int y, int width, int height, unsigned format, unsigned type, const void *from),
     (target, level, x, y, width, height, format, type, from))
STEP(glReadPixels, void, (int x, int y, int width, int height, unsigned format, unsigned type, void *to),
     (x, y, width, height, format, type, to))
MADE(glGenBuffers, void, (int count, unsigned *names), (count, names))
MADE(glGenTextures, void, (int count, unsigned *names), (count, names))
MADE(glFenceSync, void *, (unsigned condition, unsigned flags), (condition, flags))

static unsigned glClientWaitSync(void *fence, unsigned flags, uint64_t time) {
    if (is_lost(current())) return WAIT_FAILED;
    return ((unsigned (*)(void *, unsigned, uint64_t))driver("glClientWaitSync"))(fence, flags, time);
}

static unsigned glGetError(void) {
    Context *context = current();
    if (is_lost(context)) return CONTEXT_LOST;
    unsigned error = context->error;
    context->error = 0;
    return error ? error : ((unsigned (*)(void))driver("glGetError"))();
}

static const char *glGetString(unsigned name) {
    const char *text = ((const char *(*)(unsigned))driver("glGetString"))(name);
    return name == RENDERER && getenv("FAULT_HARDWARE") ? "hardware" : text;
}

static const char *eglQueryDeviceStringEXT(void *device, int name) {
    const char *text = ((const char *(*)(void *, int))driver("eglQueryDeviceStringEXT"))(device, name);
    return getenv("FAULT_HARDWARE") ? "" : text;
}

static unsigned glGetGraphicsResetStatus(void) { return is_lost(current()) ? GUILTY : 0; }

void *eglGetProcAddress(const char *name) {
#define OURS(call) if (!strcmp(name, #call)) return call;
    OURS(glDrawArrays) OURS(glDispatchCompute) OURS(glDispatchComputeIndirect)
    OURS(glBufferSubData) OURS(glGetBufferSubData) OURS(glMapBufferRange) OURS(glTexSubImage2D) OURS(glReadPixels)
    OURS(glGenBuffers) OURS(glGenTextures) OURS(glFenceSync) OURS(glClientWaitSync)
    OURS(glGetString) OURS(eglQueryDeviceStringEXT) OURS(glGetError) OURS(glGetGraphicsResetStatus)
    return driver(name);
}
