#define _GNU_SOURCE
#include "place.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PASSWD = 1 << 20 };

void append_here(struct bytes *to) {
  // the kernel accepts no longer path
  char path[4096];
  const char *pwd = getenv("PWD");
  const char *here = getcwd(path, sizeof path) && path[0] == '/' ? path : pwd && *pwd ? pwd : "/";
  append_clean(to, text_of(here));
}

/** The home folder from the user database. On Linux /etc/passwd is parsed here: a static program cannot use the C library's lookup. */
static void append_own_home(struct bytes *to) {
#ifdef __linux__
  struct bytes all = {0};
  bool found = false;
  if (append_file(&all, AT_FDCWD, "/etc/passwd", LONGEST_PASSWD)) {
    char *rest = c_string(&all);
    for (char *line; !found && (line = strsep(&rest, "\n")) != NULL;) {
      char *fields[6] = {0};
      for (int nth = 0; nth < 6 && line; nth++) fields[nth] = strsep(&line, ":");
      char *end = NULL;
      if (!fields[5] || !*fields[2]) continue;
      unsigned long user = strtoul(fields[2], &end, 10);
      if (*end != 0 || user != geteuid() || *fields[5] != '/') continue;
      append_string(to, fields[5]);
      found = true;
    }
  }
  release(&all);
  if (!found) append_string(to, "/");
#else
  struct passwd *own = getpwuid(geteuid());
  append_string(to, own && own->pw_dir && *own->pw_dir ? own->pw_dir : "/");
#endif
}

bool is_foreign(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && (found.st_uid != geteuid() || (found.st_mode & 022) != 0);
}

void append_state(struct bytes *to) {
  const char *moved = getenv("SIGNALBOX_HOME"), *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  struct bytes path = {0};
  if (moved && *moved) {
    if (*moved != '/') {
      append_here(&path);
      append(&path, "/", 1);
    }
    append_string(&path, moved);
    append_string(&path, "/state");
  } else if (xdg && *xdg == '/') {
    append_string(&path, xdg);
    append_string(&path, "/signalbox");
  } else {
    if (home && *home) append_string(&path, home);
    else append_own_home(&path);
    append_string(&path, "/.local/state/signalbox");
  }
  append_resolved(to, text_in(&path));
  release(&path);
}

void append_user_policy(struct bytes *to) {
  const char *moved = getenv("SIGNALBOX_HOME"), *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  bool is_moved = moved && *moved;
  bool is_xdg = !is_moved && xdg && *xdg == '/';
  if (is_moved) append_string(to, moved);
  else if (is_xdg) append_string(to, xdg);
  else if (home && *home) append_string(to, home);
  else append_own_home(to);
  if (!is_moved && !is_xdg) append_string(to, "/.config");
  append_string(to, is_moved ? "/signalbox.yaml" : "/signalbox/signalbox.yaml");
}

bool make_folder(const char *path) {
  struct stat stat_of;
  if (stat(path, &stat_of) == 0) return S_ISDIR(stat_of.st_mode);
  const char *slash = strrchr(path, '/');
  if (slash && slash != path) {
    char *above = strndup(path, (size_t)(slash - path));
    bool made = above != NULL && make_folder(above);
    free(above);
    if (!made) return false;
  }
  return mkdir(path, 0700) == 0 || (errno == EEXIST && stat(path, &stat_of) == 0 && S_ISDIR(stat_of.st_mode));
}

bool append_file(struct bytes *to, int folder, const char *name, size_t most) {
  // non-blocking, so that a pipe in place of the file does not hang
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat found;
  ssize_t got = fstat(file, &found) == 0 && S_ISREG(found.st_mode) ? 1 : -1;
  int why = EINVAL;
  while (got > 0 && most > 0) {
    size_t room = most < 512 ? most : 512;
    reserve(to, room);
    got = read(file, to->at + to->size, room);
    why = errno;
    if (got < 0 && errno == EINTR) got = 1;
    else if (got > 0) {
      to->size += (size_t)got;
      most -= (size_t)got;
    }
  }
  close(file);
  errno = why;
  return got >= 0;
}
