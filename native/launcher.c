#define _GNU_SOURCE
#include "launcher.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "place.h"

static char launcher[PATH_MAX];

/** The path of this program; without /proc, the name it was called by. 0 if that is too long. */
static size_t own_path(char path[PATH_MAX], const char *called) {
#ifdef __APPLE__
  char raw[PATH_MAX];
  uint32_t room = sizeof raw;
  ssize_t size = _NSGetExecutablePath(raw, &room) == 0 && realpath(raw, path) ? (ssize_t)strlen(path) : -1;
#else
  ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
#endif
  if (size > 0) return (size_t)size;
  size_t length = strlen(called);
  if (length >= PATH_MAX) return 0;
  memcpy(path, called, length);
  return length;
}

void find_launcher(const char *called) {
  static const char name[] = "signalbox.sh";
  char path[PATH_MAX];
  size_t size = own_path(path, called);
  // a path that ends in ` (deleted)` still names the right folder
  while (size > 0 && path[size - 1] != '/') size--;
  if (size == 0 || size + sizeof name > sizeof launcher) return;
  memcpy(launcher, path, size);
  memcpy(launcher + size, name, sizeof name);
}

const char *launcher_path(void) { return launcher; }

bool has_launcher(void) { return launcher[0] != 0 && access(launcher, R_OK) == 0; }

void append_build(struct bytes *to) {
  struct bytes path = {0};
  append(&path, launcher, (size_t)(strrchr(launcher, '/') - launcher));
  append_string(&path, "/../current/dist/build");
  char *file = c_string(&path);
  size_t begin = to->size;
  append_file(to, AT_FDCWD, file, 64);
  while (to->size > begin && to->at[to->size - 1] == '\n') to->size--;
  release(&path);
}

void become_launcher(char *const *argv, int argc) {
  char **words = calloc((size_t)argc + 3, sizeof *words);
  if (words == NULL) return;
  words[0] = "sh";
  words[1] = launcher;
  for (int nth = 1; nth < argc; nth++) words[nth + 1] = argv[nth];
  execv("/bin/sh", words);
  free(words);
}
