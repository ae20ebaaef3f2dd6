/* Sorts a texture of depths in an OpenGL ES 3.0 context of this program's own, and prints where the nearest ones lie.
   A viewer would draw with the order where it is; here it is read back and checked. */
#include <stdio.h>
#include <stdlib.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <rasterscan.h>

static void check(rs_status status) {
    if (status == RS_OK) return;
    fprintf(stderr, "depth_sort: %s\n", rs_last_error());
    exit(1);
}

int main(int argc, char **argv) {
    const unsigned width = 64, height = argc > 1 ? (unsigned)atoi(argv[1]) : 16, n = width * height;

    /* A context, as any program has one. */
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    if (!eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API)) return 2;
    EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return 2;

    /* A texture of depths, as any shader can draw one. */
    float *depths = malloc(n * sizeof *depths);
    unsigned *order = malloc(n * sizeof *order);
    for (unsigned i = 0; i < n; i++) depths[i] = (float)(i * 2654435761u % 100003u) / 100003.0f;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32F, width, height);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED, GL_FLOAT, depths);

    /* A plan is compiled once, and runs in each frame. */
    rs_gpu gpu;
    rs_plan plan;
    rs_stream indices;
    rs_input input = {.name = "input", .texture = texture, .format = "R32F", .width = width, .height = height};
    check(rs_gpu_current(NULL, &gpu));
    check(rs_plan_new(gpu, "sort - --moves indices", NULL, &input, 1, &plan));
    check(rs_plan_run(plan));
    check(rs_plan_result(plan, "indices", &indices));

    check(rs_stream_read(indices, order, n));
    for (unsigned i = 1; i < n; i++) {
        if (depths[order[i - 1]] > depths[order[i]]) return 3;
    }
    printf("%u depths on %s\nnearest: %u %u %u\n", n, rs_describe(gpu), order[0], order[1], order[2]);

    check(rs_free(indices));
    check(rs_free(plan));
    check(rs_free(gpu));
    free(depths);
    free(order);
    eglTerminate(display);
    return 0;
}
