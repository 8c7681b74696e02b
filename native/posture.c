#define _GNU_SOURCE
#include "posture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "place.h"
#include "sha256.h"

enum { LONGEST_PATH = 4096, LONGEST_POSTURE = 1 << 20, LONGEST_LOG = 1000000 };

static text trimmed(text from) {
  uint32_t character;
  while (from.size > 0) {
    size_t size = next_character(from, &character);
    if (!is_blank(character)) break;
    from = (text){from.at + size, from.size - size};
  }
  for (size_t at = 0, end = 0;;) {
    if (at >= from.size) return (text){from.at, end};
    at += next_character((text){from.at + at, from.size - at}, &character);
    if (!is_blank(character)) end = at;
  }
}

static void ask_one(struct postures *postures, text state, text folder) {
  char name[17];
  sha256_name(folder.at, folder.size, name);
  struct bytes path = {0}, said = {0};
  append_text(&path, state);
  append_string(&path, "/posture/");
  append_string(&path, name);
  char *file = c_string(&path);
  errno = 0;
  if (append_file(&said, AT_FDCWD, file, LONGEST_POSTURE)) {
    text whole = trimmed(text_in(&said));
    const char *end = whole.size > 0 ? memchr(whole.at, '\n', whole.size) : NULL;
    text word = {whole.at, end ? (size_t)(end - whole.at) : whole.size};
    if (is_text(word, "closed")) postures->closed = true;
    text rest = end ? (text){end + 1, whole.size - word.size - 1} : (text){NULL, 0};
    const char *next = rest.size > 0 ? memchr(rest.at, '\n', rest.size) : NULL;
    if (next) rest.size = (size_t)(next - rest.at);
    if (rest.size > 0 && postures->logs.size == 0) {
      append_text(&postures->folder, folder);
      append_text(&postures->logs, rest);
    }
  }
  // what may have been declared counts as declared
  else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) postures->closed = true;
  release(&said);
  release(&path);
}

void ask_postures(struct postures *postures, text state, text folder) {
  struct bytes clean = {0}, resolved = {0};
  append_clean(&clean, folder);
  if (clean.size > 0 && clean.at[0] == '/' && utf16_length(text_in(&clean), LONGEST_PATH) <= LONGEST_PATH) {
    append_resolved(&resolved, text_in(&clean));
    for (;;) {
      ask_one(postures, state, text_in(&resolved));
      if (resolved.size == 1) break;
      while (resolved.at[--resolved.size] != '/') continue;
      if (resolved.size == 0) resolved.size = 1;
    }
  }
  release(&clean);
  release(&resolved);
}

static bool is_within(const char *path, const char *base) {
  size_t size = strlen(base);
  return strcmp(base, "/") == 0 || (strncmp(path, base, size) == 0 && (path[size] == 0 || path[size] == '/'));
}

/** One step down, made if need be. Never through a link that leads out of the project. */
static bool step(char at[PATH_MAX], const char *part, const char *base) {
  char next[PATH_MAX];
  size_t size = strlen(at), more = strlen(part);
  if (strcmp(part, "..") == 0 || size + 1 + more >= sizeof next) return false;
  memcpy(next, at, size);
  next[size] = '/';
  memcpy(next + size + 1, part, more + 1);
  struct stat there;
  if (stat(next, &there) != 0 && mkdir(next, 0777) != 0) return false;
  return realpath(next, at) != NULL && is_within(at, base);
}

/** Nor into anything but a file of its own. */
static void append_line(const char *folder, char *path, text line) {
  char base[PATH_MAX], at[PATH_MAX];
  if (realpath(folder, base) == NULL) return;
  memcpy(at, base, sizeof at);
  char *name = strrchr(path, '/');
  if (name) {
    *name++ = 0;
    for (char *rest = path, *part; (part = strsep(&rest, "/")) != NULL;)
      if (*part != 0 && !step(at, part, base)) return;
  } else {
    name = path;
  }
  int into = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int file = openat(into, name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  struct stat found;
  if (into >= 0) close(into);
  if (into < 0 || file < 0) return;
  if (fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_nlink == 1 && found.st_size < LONGEST_LOG) {
    ssize_t written = write(file, line.at, line.size);
    (void)written;
  }
  close(file);
}

/** Does the list of clients name this one? */
static bool names(text list, text client) {
  text item;
  while (next_item(&list, &item)) {
    struct bytes said = {0};
    bool same = append_said(&said, item) && said.size == client.size && client.at != NULL &&
                (said.size == 0 || memcmp(said.at, client.at, client.size) == 0);
    release(&said);
    if (same) return true;
  }
  return false;
}

void write_logs(const struct postures *postures, text client, text line) {
  text list = text_in(&postures->logs), entry, on, errors;
  if (!is_json(list)) return;
  struct bytes base = {0};
  append_text(&base, text_in(&postures->folder));
  char *folder = c_string(&base);
  while (next_item(&list, &entry)) {
    struct bytes path = {0};
    if (member_of(entry, "on", &on) && names(on, client) && member_of(entry, "errors", &errors) &&
        append_said(&path, errors)) {
      char *file = c_string(&path);
      append_line(folder, file, line);
        }
    release(&path);
  }
  release(&base);
}
