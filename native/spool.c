#define _GNU_SOURCE
#include "spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "place.h"

/** The spool's limits. Counting its entries stops after `LONGEST_LOOK`. */
enum { MOST = 1000, LONGEST_LOOK = 20 * MOST, MOST_COUNTED = 65536 };

/** Only files count, because other entries are never collected. */
static bool has_room(const char *folder) {
  DIR *open_one = opendir(folder);
  if (open_one == NULL) return false;
  int count = 0, looked = 0;
  for (struct dirent *entry; count < MOST && looked < LONGEST_LOOK && (entry = readdir(open_one)) != NULL; looked++)
    if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN) count++;
  closedir(open_one);
  return count < MOST && looked < LONGEST_LOOK;
}

void write_spool(text state, text entry) {
  struct bytes path = {0};
  append_text(&path, state);
  append_string(&path, "/spool");
  char *folder = c_string(&path);
  char draft[64], name[64];
  // static: a retry writes the same file
  static long long ms;
  if (ms == 0) ms = now_ms();
  snprintf(name, sizeof name, "%lld-%ld.json", ms, (long)getpid());
  snprintf(draft, sizeof draft, "%lld-%ld.tmp", ms, (long)getpid());
  int into = make_folder(folder) && has_room(folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  int file = into < 0 ? -1 : openat(into, draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file >= 0) {
    bool whole = write(file, entry.at, entry.size) == (ssize_t)entry.size;
    close(file);
    if (!whole || renameat(into, draft, into, name) != 0) unlinkat(into, draft, 0);
  }
  if (into >= 0) close(into);
  release(&path);
}

void count_unjudged(text state, text client) {
  struct bytes path = {0};
  struct stat found;
  append_text(&path, state);
  append_string(&path, "/unjudged-");
  append_text(&path, client);
  int file = open(c_string(&path), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode) && found.st_size < MOST_COUNTED) {
    ssize_t written = write(file, ".", 1);
    (void)written;
  }
  if (file >= 0) close(file);
  release(&path);
}

long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

const char *now_in_words(char *to, size_t size) {
  long long ms = now_ms();
  time_t seconds = (time_t)(ms / 1000);
  struct tm day;
  if (gmtime_r(&seconds, &day) == NULL) memset(&day, 0, sizeof day);
  snprintf(to, size, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday, day.tm_hour,
           day.tm_min, day.tm_sec, (int)(ms % 1000));
  return to;
}
