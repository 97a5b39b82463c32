// Makes one call of the C library fail that reads or writes a file below a folder; loaded with LD_PRELOAD.
//
// fail_at(n, folder) begins to count the calls that concern this folder; the n-th fails. A disk that is full stays full:
// if a call that writes failed, later ones do too. calls_seen() says how many calls there were. fail_at(0, ...) counts only.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace {

std::atomic<long> counted{0}, chosen{-1};
std::atomic<bool> full{false};
char below[4096];

template <typename Function>
Function real(const char* name, Function) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool concerns(const char* path) {
    if (chosen < 0 || !path) return false;
    char absolute[8192];
    if (path[0] != '/') {
        if (!getcwd(absolute, 4096)) return false;
        std::strncat(absolute, "/", 2);
        std::strncat(absolute, path, 4000);
        path = absolute;
    }
    return std::strncmp(path, below, std::strlen(below)) == 0;
}

bool concerns(int file) {
    if (chosen < 0) return false;
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || path[0] != '/') return false;  // a pipe or a socket
    path[length] = 0;
    return concerns(path);
}

/// Whether this call fails; sets errno.
bool fails(bool writes) {
    const bool now = ++counted == chosen;
    if (now && writes) full = true;
    if (now || (writes && full)) {
        errno = writes ? ENOSPC : EIO;
        return true;
    }
    return false;
}

bool fails_to_open(const char* path, int flags) { return concerns(path) && fails(flags & (O_WRONLY | O_RDWR | O_CREAT)); }

}  // namespace

extern "C" {

void fail_at(long number, const char* folder) {
    std::snprintf(below, sizeof below, "%s", folder);
    counted = 0;
    full = false;
    chosen = number;
}

long calls_seen() { return counted; }

#define OPEN(name)                                                                                       \
    int name(const char* path, int flags, ...) {                                                         \
        va_list rest;                                                                                    \
        va_start(rest, flags);                                                                           \
        const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                    \
        va_end(rest);                                                                                    \
        return fails_to_open(path, flags) ? -1 : real(#name, &name)(path, flags, mode);                  \
    }
OPEN(open)
OPEN(open64)

FILE* fopen(const char* path, const char* mode) {
    const bool writes = std::strpbrk(mode, "wa+") != nullptr;
    return concerns(path) && fails(writes) ? nullptr : real("fopen", &fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
    const bool writes = std::strpbrk(mode, "wa+") != nullptr;
    return concerns(path) && fails(writes) ? nullptr : real("fopen64", &fopen64)(path, mode);
}
ssize_t read(int file, void* to, size_t bytes) {
    return concerns(file) && fails(false) ? -1 : real("read", &read)(file, to, bytes);
}
ssize_t write(int file, const void* from, size_t bytes) {
    if (concerns(file)) {
        const bool was_full = full;
        if (fails(true)) {  // the last bytes that find room, then none
            if (was_full || bytes < 2) return -1;
            return real("write", &write)(file, from, bytes / 2);
        }
    }
    return real("write", &write)(file, from, bytes);
}
int fsync(int file) { return concerns(file) && fails(true) ? -1 : real("fsync", &fsync)(file); }
int rename(const char* from, const char* to) {
    return (concerns(from) || concerns(to)) && fails(true) ? -1 : real("rename", &rename)(from, to);
}
int mkdir(const char* path, mode_t mode) { return concerns(path) && fails(true) ? -1 : real("mkdir", &mkdir)(path, mode); }
}
