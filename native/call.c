#define _GNU_SOURCE
#include "call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "one-shot.h"
#include "resort.h"
#include "wait.h"

static char *const NO_ARGS[] = {NULL};
struct call call = {
    .args = NO_ARGS,
    .daemon = {.availability = NOT_RUNNING, .socket = -1, .folder = -1, .back = -1},
    .deadline = BUDGET_MS,
    .announced_ms = BUDGET_MS,
};

/** Node's limit for the length of a string. */
enum { LONGEST_TEXT = 512 << 20 };

void read_payload(void) {
  struct stat stdin_is;
  struct bytes *payload = &call.payload;
  // a terminal: no payload is typed
  if (fstat(STDIN_FILENO, &stdin_is) != 0 || S_ISCHR(stdin_is.st_mode)) return;
  for (int64_t until = BUDGET_MS;;) {
    if (!wait_until(STDIN_FILENO, POLLIN, until)) fail_late();
    if (payload->size > LONGEST_TEXT) fail("the payload is longer than 512 MB");
    if (payload->size == payload->room) reserve(payload, 32768);
    ssize_t got = read(STDIN_FILENO, payload->at + payload->size, payload->room - payload->size);
    if (got == 0) break;
    if (got > 0) {
      payload->size += (size_t)got;
      int64_t next = spent_ms() + PAUSE_MS;
      if (next > until) until = next < INPUT_MS ? next : INPUT_MS;
    }
    else if (errno != EINTR && errno != EAGAIN) fail("stdin cannot be read");
  }
  // a slow payload does not shorten the time to judge
  call.deadline = spent_ms() + BUDGET_MS;
}

/** Returns false if the text cannot be written. A closed pipe is not a failure. */
static bool write_all(int to, text what) {
  while (what.size > 0) {
    ssize_t written = write(to, what.at, what.size);
    if (written > 0) what = (text){what.at + written, what.size - (size_t)written};
    else if (written < 0 && errno == EAGAIN) poll(&(struct pollfd){.fd = to, .events = POLLOUT}, 1, -1);
    else if (written == 0 || errno != EINTR) return written < 0 && (errno == EPIPE || errno == EBADF);
  }
  return true;
}

/** Whether the reply contains a denial as a value. */
static bool is_refusal(text out) {
  return memmem(out.at, out.size, "\"deny\"", 6) != NULL || memmem(out.at, out.size, "\"block\"", 7) != NULL;
}

_Noreturn void finish(int exit_code, text out, text err) {
  static const char lost[] = "signalbox: denied, but the reply could not be written\n";
  write_all(STDERR_FILENO, err);
  if (!write_all(STDOUT_FILENO, out) && exit_code == 0 && is_refusal(out)) {
    // a full disk must not turn a denial into an approval
    write_all(STDERR_FILENO, (text){lost, sizeof lost - 1});
    _exit(2);
  }
  _exit(exit_code);
}

static _Noreturn void exit_with(struct answer answer) {
  finish(answer.exit_code, text_in(&answer.out), text_in(&answer.err));
}

_Noreturn void fail(const char *why) {
  end_one_shot();
  leave_daemon(&call.daemon);
  // reading the declared failure mode needs a descriptor: free one in case the limit is reached
  close(STDIN_FILENO);
  exit_with(last_resort(call.args, text_in(&call.payload), why));
}

_Noreturn void fail_late(void) {
  char why[64];
  int64_t rest = call.announced_ms % 1000;
  int size = snprintf(why, sizeof why, rest ? TIMEOUT " %lld.%03lld" : TIMEOUT " %lld",
                      (long long)(call.announced_ms / 1000), (long long)rest);
  while (rest && why[size - 1] == '0') size--;
  snprintf(why + size, sizeof why - (size_t)size, " s");
  fail(why);
}

_Noreturn void ended_by(const char *signal) { fail(signal); }

/** Out of memory: first uses the spare memory, then answers without reading the declared failure mode, then exits without text. */
static _Noreturn void fail_without_memory(const char *why) {
  static int before;
  int nth = before++;
  if (nth > 1) _exit(2);
  use_spare();
  if (nth == 0) fail(why);
  end_one_shot();
  exit_with(shortest_resort(call.args, text_in(&call.payload), why));
}

_Noreturn void out_of_memory(void) { fail_without_memory("out of memory"); }

// tests want to see crashes
#ifndef SEE_CRASHES
/** Runs on its own stack. At the first crash the payload may not have been read yet. */
static void crashed(int number) {
  static bool again;
  (void)number;
  if (!again && call.payload.size == 0) {
    again = true;
    begin_waiting();
    read_payload();
  }
  fail_without_memory("out of memory for the stack");
}
#endif

void survive_crashes(void) {
#ifndef SEE_CRASHES
  static char aside[64 << 10];
  stack_t stack = {.ss_sp = aside, .ss_size = sizeof aside};
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
  if (sigaltstack(&stack, NULL) != 0) return;
  sigaction(SIGSEGV, &action, NULL);
  sigaction(SIGBUS, &action, NULL);
#endif
}

void fill_gaps(void) {
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) open("/", O_RDONLY);
}
