/* Lets the program's K-th step towards a file fail, or have a signal come with it: FAULT_AT, FAULT_ERRNO, FAULT_SIGNAL.
   A step is a call that changes the folder FAULT_IN or an unfinished file. FAULT_FIRED is made when it happens, and
   FAULT_LOG names the steps. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int steps;

/* Whether this step, by its name with a line end, fails; errno says why. */
static int fails(const char *name) {
    const char *at = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
    if (log) {
        int file = syscall(SYS_openat, AT_FDCWD, log, O_CREAT | O_WRONLY | O_APPEND, 0666);
        syscall(SYS_write, file, name, strlen(name));
        syscall(SYS_close, file);
    }
    if (!at || atomic_fetch_add(&steps, 1) + 1 != atoi(at)) return 0;
    syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, getenv("FAULT_FIRED"), O_CREAT | O_WRONLY, 0666));
    const char *number = getenv("FAULT_SIGNAL");
    if (number) {
        kill(getpid(), atoi(number));
        /* Nothing depends on it; the other thread has time to act in the middle of the step. */
        usleep(20000);
        return 0;
    }
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

static int is_inside(int file) {
    const char *folder = getenv("FAULT_IN");
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!folder || length < 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static int is_unfinished(const char *path) { return strstr(path, ".rasterscan-") != 0; }

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(write);
    return is_inside(file) && fails("write\n") ? -1 : real(file, bytes, length);
}

int fsync(int file) {
    REAL(fsync);
    return is_inside(file) && fails("fsync\n") ? -1 : real(file);
}

int fchmod(int file, mode_t mode) {
    REAL(fchmod);
    return is_inside(file) && fails("fchmod\n") ? -1 : real(file, mode);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    return is_unfinished(path) && fails("mkdir\n") ? -1 : real(path, mode);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return (is_unfinished(from) || is_unfinished(to)) && fails("rename\n") ? -1 : real(from, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(linkat);
    return is_unfinished(to) && fails("linkat\n") ? -1 : real(from_folder, from, to_folder, to, flags);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return flags & O_CREAT && is_unfinished(path) && fails("open64\n") ? -1 : real(path, flags, mode);
}
