#define _GNU_SOURCE
#include "failure-mode.h"

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

enum { LONGEST_PATH = 4096, LONGEST_FILE = 1 << 20, LONGEST_LOG = 1000000 };

static bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

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

static int64_t written_at(const struct stat *file) {
#ifdef __APPLE__
  const struct timespec *at = &file->st_mtimespec;
#else
  const struct timespec *at = &file->st_mtim;
#endif
  return (int64_t)at->tv_sec * 1000 + at->tv_nsec / 1000000;
}

static bool is_one_of(char character, const char *these) { return character != 0 && strchr(these, character) != NULL; }

/** Skips one quote, if there is one; `skip_blanks` skips blanks. */
static size_t skip_quote(text in, size_t at) { return at < in.size && is_one_of(in.at[at], "\"'") ? at + 1 : at; }
static size_t skip_blanks(text in, size_t at) {
  while (at < in.size && is_one_of(in.at[at], " \t\r\n")) at++;
  return at;
}

/** Whether the line that begins here contains only a comment. */
static bool is_comment(text in, size_t line) {
  while (line < in.size && is_one_of(in.at[line], " \t")) line++;
  return line < in.size && in.at[line] == '#';
}

/** Whether the value that begins here is the word `open`. */
static bool is_open(text in, size_t at) {
  static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (in.size - at < 4 || memcmp(in.at + at, "open", 4) != 0) return false;
  return in.size - at == 4 || !is_one_of(in.at[at + 4], others);
}

/** Works without a YAML parser: an `onError` outside of comments that is not plainly `open` counts as `closed`. */
static bool sets_closed(text in) {
  static const char key[] = "onError";
  enum { SIZE = sizeof key - 1 };
  bool comment = false;
  for (size_t at = 0; at + SIZE <= in.size; at++) {
    if (at == 0 || in.at[at - 1] == '\n') comment = is_comment(in, at);
    if (comment || memcmp(in.at + at, key, SIZE) != 0) continue;
    size_t colon = skip_blanks(in, skip_quote(in, at + SIZE));
    if (colon >= in.size || in.at[colon] != ':') continue;
    size_t value = skip_quote(in, skip_blanks(in, colon + 1));
    if (!is_open(in, value)) return true;
  }
  // the rest of a longer file is not read, so it counts as closed
  return in.size >= LONGEST_FILE;
}

/** Whether the file is a policy of this user or root, written after `since`, that denies calls on failure. */
static bool declares_closed(const char *file, int64_t since, bool is_managed) {
  struct stat found;
  struct bytes content = {0};
  bool closed = false, is_there = stat(file, &found) == 0;
  if (is_there && ((found.st_uid != getuid() && found.st_uid != 0) || written_at(&found) <= since)) return false;
  if (is_there && append_file(&content, AT_FDCWD, file, LONGEST_FILE)) closed = sets_closed(text_in(&content));
  // an unreadable managed policy counts as closed; so does any policy if resources run out
  else closed = is_shortage(errno) || (is_managed && errno != ENOENT && errno != ENOTDIR);
  release(&content);
  return closed;
}

static bool project_declares_closed(text folder, int64_t since) {
  struct bytes path = {0};
  append_text(&path, folder);
  append_string(&path, "/signalbox.yaml");
  bool closed = memchr(folder.at, 0, folder.size) == NULL && declares_closed(c_string(&path), since, false);
  release(&path);
  return closed;
}

bool is_closed(const struct failure_modes *failure_modes) {
  if (failure_modes->closed) return true;
  struct bytes user = {0};
  append_user_policy(&user);
  bool closed = declares_closed(c_string(&user), failure_modes->newest, false) ||
                declares_closed("/etc/signalbox/signalbox.yaml", failure_modes->newest, true);
  release(&user);
  return closed;
}

void release_failure_modes(struct failure_modes *failure_modes) {
  release(&failure_modes->folder);
  release(&failure_modes->logs);
}

static void read_failure_mode(struct failure_modes *failure_modes, text state, text folder) {
  char name[17];
  sha256_name(folder.at, folder.size, name);
  struct bytes path = {0}, content = {0};
  append_text(&path, state);
  append_string(&path, "/posture/");
  append_string(&path, name);
  char *file = c_string(&path);
  int64_t at = 0;
  if (append_file(&content, AT_FDCWD, file, LONGEST_FILE)) {
    text whole = trimmed(text_in(&content));
    const char *end = whole.size > 0 ? memchr(whole.at, '\n', whole.size) : NULL;
    text word = {whole.at, end ? (size_t)(end - whole.at) : whole.size};
    struct stat found;
    // a file without a valid word counts as absent
    if ((is_text(word, "closed") || is_text(word, "open")) && stat(file, &found) == 0) at = written_at(&found);
    if (is_text(word, "closed")) failure_modes->closed = true;
    text rest = end ? (text){end + 1, whole.size - word.size - 1} : (text){NULL, 0};
    const char *next = rest.size > 0 ? memchr(rest.at, '\n', rest.size) : NULL;
    if (next) rest.size = (size_t)(next - rest.at);
    if (rest.size > 0 && failure_modes->logs.size == 0) {
      append_text(&failure_modes->folder, folder);
      append_text(&failure_modes->logs, rest);
    }
  }
  // other read errors count as closed
  else if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) failure_modes->closed = true;
  if (at > failure_modes->newest) failure_modes->newest = at;
  if (!failure_modes->closed && project_declares_closed(folder, at)) failure_modes->closed = true;
  release(&content);
  release(&path);
}

void read_failure_modes(struct failure_modes *failure_modes, text state, text folder) {
  struct bytes clean = {0}, resolved = {0};
  append_clean(&clean, folder);
  if (clean.size > 0 && clean.at[0] == '/' && utf16_length(text_in(&clean), LONGEST_PATH) <= LONGEST_PATH) {
    append_resolved(&resolved, text_in(&clean));
    for (;;) {
      read_failure_mode(failure_modes, state, text_in(&resolved));
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

/** Goes one folder down and creates it if needed. Never follows a link out of the project. */
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

/** Appends only to a regular file inside the project. */
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

/** Whether the list of clients contains this client. */
static bool names(text list, text client) {
  text item;
  while (next_item(&list, &item)) {
    struct bytes content = {0};
    bool same = append_decoded(&content, item) && content.size == client.size && client.at != NULL &&
                (content.size == 0 || memcmp(content.at, client.at, client.size) == 0);
    release(&content);
    if (same) return true;
  }
  return false;
}

void write_logs(const struct failure_modes *failure_modes, text client, text line) {
  text list = text_in(&failure_modes->logs), entry, on, errors;
  if (!is_json(list)) return;
  struct bytes base = {0};
  append_text(&base, text_in(&failure_modes->folder));
  char *folder = c_string(&base);
  while (next_item(&list, &entry)) {
    struct bytes path = {0};
    if (member_of(entry, "on", &on) && names(on, client) && member_of(entry, "errors", &errors) &&
        append_decoded(&path, errors)) {
      char *file = c_string(&path);
      append_line(folder, file, line);
        }
    release(&path);
  }
  release(&base);
}
