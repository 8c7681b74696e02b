// What agents start. `signalbox hook …` carries the payload to the daemon and the reply back; everything else, and every call that
// no daemon answers, is handed to the launcher beside this program. Where that fails too, the last resort answers. Whatever happens: one
// answer, in time, and never exit code 1.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/random.h>
#endif

#include "daemon.h"
#include "place.h"
#include "reply.h"
#include "resort.h"
#include "wait.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

enum {
  BUDGET_MS = 2000,
  /** a daemon that is well says something within */
  SILENCE_MS = 700,
  /** who promised to answer by then is late by so much: its own failure answer is better than ours */
  GRACE_MS = 100,
  LONGEST_HEADER = 4 << 20,
  LONGEST_PAYLOAD = 64 << 20,
  /** Node takes no longer text */
  LONGEST_TEXT = 512 << 20,
};

/** One call, one process: all there is to know of it. */
static char *const NO_ARGS[] = {NULL};
static char *const *args = NO_ARGS;
static struct bytes payload;
static struct daemon asked = {.door = NOBODY, .socket = -1, .folder = -1, .back = -1};
/** since the program began; and the time that was promised, in words */
static int64_t deadline = BUDGET_MS, promised_ms = BUDGET_MS;
static char launcher[PATH_MAX];
/** of this call, whoever answers it */
static char call_id[64];
#define CALL_ID "SIGNALBOX_CALL"

static void write_all(int to, text what) {
  while (what.size > 0) {
    ssize_t written = write(to, what.at, what.size);
    if (written > 0) what = (text){what.at + written, what.size - (size_t)written};
    else if (written < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = to, .events = POLLOUT}, 1, -1);
    else if (written == 0 || errno != EINTR) return; // nobody reads it any more
  }
}

static _Noreturn void finish(int exit_code, text out, text err) {
  write_all(STDERR_FILENO, err);
  write_all(STDOUT_FILENO, out);
  _exit(exit_code);
}

static _Noreturn void fail(const char *why) {
  leave_daemon(&asked);
  struct answer answer = last_resort(args, text_in(&payload), why);
  finish(answer.exit_code, text_in(&answer.out), text_in(&answer.err));
}

static _Noreturn void fail_late(void) {
  char why[64];
  int64_t rest = promised_ms % 1000;
  int size = snprintf(why, sizeof why, rest ? TIMEOUT " %lld.%03lld" : TIMEOUT " %lld", (long long)(promised_ms / 1000),
                      (long long)rest);
  while (rest && why[size - 1] == '0') size--;
  snprintf(why + size, sizeof why - (size_t)size, " s");
  fail(why);
}

_Noreturn void ended_by(const char *signal) { fail(signal); }

_Noreturn void out_of_memory(void) {
  static const char line[] = "signalbox: out of memory\n";
  write_all(STDERR_FILENO, (text){line, sizeof line - 1});
  _exit(is_text(option(args, "--on-error"), "closed") ? 2 : 0);
}

/** A program that is given no stdin, stdout or stderr must not open something else in their place. */
static void fill_gaps(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) open("/", O_RDONLY);
}

static void read_payload(void) {
  struct stat stdin_is;
  // nobody types a payload
  if (fstat(STDIN_FILENO, &stdin_is) != 0 || S_ISCHR(stdin_is.st_mode)) return;
  for (;;) {
    if (!wait_until(STDIN_FILENO, POLLIN, deadline)) fail_late();
    if (payload.size > LONGEST_TEXT) fail("the payload is longer than 512 MB");
    if (payload.size == payload.room) reserve(&payload, 32768);
    ssize_t got = read(STDIN_FILENO, payload.at + payload.size, payload.room - payload.size);
    if (got == 0) return;
    if (got > 0) payload.size += (size_t)got;
    else if (errno != EINTR && errno != EAGAIN) fail("stdin cannot be read");
  }
}

/**
 * A daemon may die after it has put the answer on record, and not every event has an identity of its own: by this, who takes over knows that
 * it was answered. It begins with the number of this process, which becomes the one that takes over: from anybody else it counts for nothing.
 */
static void name_call(void) {
  unsigned char random[16];
  if (getentropy(random, sizeof random) != 0) return;
  int size = snprintf(call_id, sizeof call_id, "%ld-", (long)getpid());
  for (size_t nth = 0; nth < sizeof random; nth++, size += 2)
    snprintf(call_id + size, sizeof call_id - (size_t)size, "%02x", random[nth]);
}

/** This program is where the launcher is. A path that ends in ` (deleted)` names the right folder all the same. */
static bool find_launcher(const char *called) {
  char path[PATH_MAX];
  static const char name[] = "signalbox.sh";
#ifdef __APPLE__
  char raw[PATH_MAX];
  uint32_t room = sizeof raw;
  ssize_t size = _NSGetExecutablePath(raw, &room) == 0 && realpath(raw, path) ? (ssize_t)strlen(path) : -1;
#else
  ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
#endif
  if (size <= 0) {
    // without /proc: as it was called
    size = (ssize_t)strlen(called);
    if (size >= PATH_MAX) return false;
    memcpy(path, called, (size_t)size);
  }
  while (size > 0 && path[size - 1] != '/') size--;
  if (size == 0 || (size_t)size + sizeof name > sizeof launcher) return false;
  memcpy(launcher, path, (size_t)size);
  memcpy(launcher + size, name, sizeof name);
  return true;
}

/** Which build the launcher would run: a daemon of another one is replaced. */
static void append_build(struct bytes *to) {
  struct bytes path = {0};
  append(&path, launcher, (size_t)(strrchr(launcher, '/') - launcher));
  append_string(&path, "/../current/dist/build");
  char *file = c_string(&path);
  size_t begin = to->size;
  append_file(to, AT_FDCWD, file, 64);
  while (to->size > begin && to->at[to->size - 1] == '\n') to->size--;
  release(&path);
}

/** As it is now: a file that was read in between would be read by nobody else. */
static int payload_file(void) {
#ifdef __linux__
  int file = memfd_create("payload", 0);
#else
  int file = -1;
#endif
  if (file < 0) {
    char name[] = "/tmp/signalbox-XXXXXX";
    file = mkstemp(name);
    if (file >= 0) unlink(name);
  }
  for (size_t at = 0; file >= 0 && at < payload.size;) {
    ssize_t written = write(file, payload.at + at, payload.size - at);
    if (written > 0) at += (size_t)written;
    else if (errno != EINTR) {
      close(file);
      return -1;
    }
  }
  return file >= 0 && lseek(file, 0, SEEK_SET) == 0 ? file : -1;
}

/** Comes back where it cannot. */
static void become_launcher(char *const *argv, int argc) {
  char **call = calloc((size_t)argc + 3, sizeof *call);
  if (call == NULL) out_of_memory();
  call[0] = "sh";
  call[1] = launcher;
  for (int nth = 1; nth < argc; nth++) call[nth + 1] = argv[nth];
  execv("/bin/sh", call);
  free(call);
}

/** The same pipeline, in a process of its own, with the time that is left. */
static _Noreturn void one_shot(char *const *argv, int argc) {
  leave_daemon(&asked);
  if (launcher[0] == 0 || access(launcher, R_OK) != 0)
    fail("the program is gone; install it again and run signalbox init");
  if (payload.size > 0) {
    int file = payload_file();
    if (file < 0 || dup2(file, STDIN_FILENO) < 0) fail("the payload cannot be handed on");
    if (file != STDIN_FILENO) close(file);
  }
  int64_t spent = spent_ms();
  char value[32];
  snprintf(value, sizeof value, "%lld", (long long)spent);
  if (spent >= 20) setenv("SIGNALBOX_SPENT_MS", value, 1);
  else unsetenv("SIGNALBOX_SPENT_MS");
  if (call_id[0]) setenv(CALL_ID, call_id, 1);
  else unsetenv(CALL_ID);
  end_waiting();
  become_launcher(argv, argc);
  fail("the program cannot be started");
}

static void append_number(struct bytes *to, uint32_t number) {
  append(to, (const char[]){(char)number, (char)(number >> 8), (char)(number >> 16), (char)(number >> 24)}, 4);
}

/** All but the payload. False where it is too long. */
static bool compose(struct bytes *frame, text here) {
  append_string(frame, "SBQ1");
  append_number(frame, 0);
  append_number(frame, (uint32_t)payload.size);
  size_t begin = frame->size;
  append_build(frame);
  append(frame, "", 1);
  append_text(frame, text_in(&asked.token));
  append(frame, "", 1);
  append_text(frame, here);
  append(frame, "", 1);
  char count[16];
  int args_count = 0;
  while (args[args_count]) args_count++;
  append(frame, count, (size_t)snprintf(count, sizeof count, "%d", args_count) + 1);
  for (char *const *arg = args; *arg; arg++) append(frame, *arg, strlen(*arg) + 1);
  // the first of a name counts
  append_string(frame, CALL_ID "=");
  append(frame, call_id, strlen(call_id) + 1);
  for (char **variable = environ; *variable; variable++) append(frame, *variable, strlen(*variable) + 1);
  size_t size = frame->size - begin;
  for (int nth = 0; nth < 4; nth++) frame->at[4 + nth] = (char)(size >> 8 * nth);
  return size <= LONGEST_HEADER;
}

/** So many bytes of both have been sent. 0 if none can be now, -1 if none ever. */
static ssize_t send_some(text frame, size_t sent) {
  struct iovec parts[2] = {{0}};
  size_t of_frame = sent < frame.size ? sent : frame.size, of_payload = sent - of_frame;
  // the kernel does not write to what it sends
  parts[0] = (struct iovec){(void *)(uintptr_t)(frame.at + of_frame), frame.size - of_frame};
  parts[1] = (struct iovec){payload.size > 0 ? payload.at + of_payload : NULL, payload.size - of_payload};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t done = sendmsg(asked.socket, &message, 0);
  return done < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : done;
}

/** GONE: another one may be started. */
enum talk { TO_ONE_SHOT, SILENT, GONE };

/** Prints the answer and ends, or says why there is none. */
static enum talk talk(text frame) {
  size_t sent = 0, whole = frame.size + payload.size;
  struct bytes said = {0};
  int64_t asked_at = spent_ms(), patience = asked_at + SILENCE_MS;
  bool promised = false;
  ssize_t first = send_some(frame, 0);
  sent = first < 0 ? whole : (size_t)first;
  for (;;) {
    // one-shot only while there is time for it: else this daemon is all there is
    int64_t until = promised || patience > deadline ? deadline : patience;
    if (!wait_until(asked.socket, sent < whole ? POLLIN | POLLOUT : POLLIN, until)) {
      if (until == deadline) fail_late();
      return SILENT;
    }
    if (sent < whole) {
      ssize_t done = send_some(frame, sent);
      // it may have answered without having read it all
      sent = done < 0 ? whole : sent + (size_t)done;
      if (done > 0) patience = (asked_at = spent_ms()) + SILENCE_MS;
    }
    reserve(&said, 16384);
    ssize_t got = recv(asked.socket, said.at + said.size, said.room - said.size, 0);
    // who ends without a word was killed, or is leaving
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return said.size == 0 ? GONE : TO_ONE_SHOT;
    if (got < 0) continue;
    said.size += (size_t)got;
    patience = spent_ms() + SILENCE_MS;
    struct reply reply;
    enum heard heard;
    while ((heard = hear(text_in(&said), &reply)) == MAY_TAKE_LONGER) {
      promised_ms = reply.ms;
      deadline = asked_at + promised_ms + GRACE_MS;
      promised = true;
      said.size -= reply.taken;
      memmove(said.at, said.at + reply.taken, said.size);
    }
    if (heard == MORE_TO_COME) continue;
    if (heard == GARBAGE) return TO_ONE_SHOT;
    if (reply.status == ANSWER) finish(reply.exit_code, reply.out, reply.err);
    return reply.status == ANOTHER_BUILD ? GONE : TO_ONE_SHOT;
  }
}

/** As `src/daemon/off.ts` has it. */
static bool is_off(const char *wanted) {
  static const char *const no[] = {"off", "0", "no", "false", NULL};
  for (const char *const *one = no; wanted && *one; one++)
    if (strcasecmp(wanted, *one) == 0) return true;
  return false;
}

static _Noreturn void hook(char *const *argv, int argc) {
  struct bytes state = {0}, here = {0}, frame = {0};
  bool alone = is_off(getenv("SIGNALBOX_DAEMON")) || launcher[0] == 0;
  read_payload();
  if (alone || payload.size > LONGEST_PAYLOAD) one_shot(argv, argc);
  name_call();
  append_state(&state);
  append_here(&here);
  asked = find_daemon(text_in(&state));
  enum talk ended = TO_ONE_SHOT;
  // connected and asked in one go: it wakes once, to a request that is all there
  if (asked.door == OPEN && compose(&frame, text_in(&here)) && (asked.door = knock(&asked)) == OPEN)
    ended = talk(text_in(&frame));
  if (ended == SILENT) remember_silence(&asked);
  if ((asked.door == NOBODY || ended == GONE) && access(launcher, R_OK) == 0) start_daemon(text_in(&state), launcher);
  one_shot(argv, argc);
}

static bool wants_help(char *const *argv) {
  for (; *argv; argv++)
    if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-h") == 0) return true;
  return false;
}

int main(int argc, char **argv) {
  fill_gaps();
  if (!find_launcher(argc > 0 ? argv[0] : "")) launcher[0] = 0;
  if (argc > 1 && strcmp(argv[1], "hook") == 0 && !wants_help(argv + 1)) {
    args = argv + 2;
    begin_waiting();
    hook(argv, argc);
  }
  if (launcher[0] != 0 && access(launcher, R_OK) == 0) become_launcher(argv, argc);
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    puts("signalbox-hook " VERSION);
    return 0;
  }
  fputs("signalbox: the program is gone; install it again and run signalbox init\n", stderr);
  return 2;
}
