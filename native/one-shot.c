#define _GNU_SOURCE
#include "one-shot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "call.h"
#include "launcher.h"
#include "place.h"
#include "wait.h"

enum {
  /** on a busy machine the child may start after the deadline and still answer; after this much more time we give up */
  LATEST_MS = 4000,
  /** time for the child's own answer after a signal */
  LAST_WORD_MS = 300,
};

static pid_t child = -1;
/** the child's stdout and stderr */
static struct pollfd ends[2] = {{.fd = -1, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
static struct bytes received[2];
/** how long the child says it may take, since the call began; set for sub-hooks */
static int64_t announced;

/** Writes the payload to a new file, because stdin has been read and cannot be read again. */
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
  for (size_t at = 0; file >= 0 && at < call.payload.size;) {
    ssize_t written = write(file, call.payload.at + at, call.payload.size - at);
    if (written > 0) at += (size_t)written;
    else if (errno != EINTR) {
      close(file);
      return -1;
    }
  }
  return file >= 0 && lseek(file, 0, SEEK_SET) == 0 ? file : -1;
}

static void pass_payload(void) {
  if (call.payload.size == 0) return;
  int file = payload_file();
  if (file < 0 || dup2(file, STDIN_FILENO) < 0) fail("the payload cannot be passed on");
  if (file != STDIN_FILENO) close(file);
}

/** The child shares our file offset. If it has not read the payload, it has not judged it. */
static bool has_read(void) { return call.payload.size == 0 || lseek(STDIN_FILENO, 0, SEEK_CUR) > 0; }

/** If a variable is set twice, shells take the last value and other programs the first. Keeps only the first. */
static void drop_duplicates(void) {
  char **kept = environ;
  for (char **variable = environ; *variable; variable++) {
    size_t name = strcspn(*variable, "=") + 1;
    char **first = environ;
    while (first < kept && strncmp(*first, *variable, name) != 0) first++;
    if (first == kept) *kept++ = *variable;
  }
  *kept = NULL;
}

/** Sets the variable, or removes it if `value` is NULL. */
static bool set_variable(const char *name, const char *value) {
  return value ? setenv(name, value, 1) == 0 : unsetenv(name) == 0;
}

/** In the child: sets the variables that pass the call's state. */
static bool set_variables(void) {
  char spent[32], id[64], watched[32], folder[4096];
  int64_t ms = spent_ms();
  snprintf(spent, sizeof spent, "%lld", (long long)ms);
  snprintf(id, sizeof id, "%ld-%s", (long)getpid(), call.id);
  snprintf(watched, sizeof watched, "%ld", (long)getppid());
  const char *pwd = getenv("PWD");
  bool is_deleted = getcwd(folder, sizeof folder) == NULL || folder[0] != '/';
  drop_duplicates();
  return set_variable("SIGNALBOX_SPENT_MS", ms >= 20 ? spent : NULL) && set_variable(CALL_ID, call.id[0] ? id : NULL) &&
         set_variable("SIGNALBOX_WATCHED", watched) &&
         // a shell does not know the path of a deleted folder
         set_variable("SIGNALBOX_PWD", is_deleted && pwd && *pwd ? pwd : NULL);
}

static _Noreturn void become_one_shot(char *const *argv, int argc, pid_t parent, const int out[2]) {
#ifdef __linux__
  // if the hook is killed, the child must end too
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() == parent && dup2(out[0], STDOUT_FILENO) >= 0 && dup2(out[1], STDERR_FILENO) >= 0 && set_variables()) {
    end_waiting();
    become_launcher(argv, argc);
  }
  _exit(127);
}

static bool open_pipe(int both[2]) {
#ifdef __linux__
  return pipe2(both, O_CLOEXEC) == 0;
#else
  if (pipe(both) != 0) return false;
  fcntl(both[0], F_SETFD, FD_CLOEXEC);
  fcntl(both[1], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

static void start(char *const *argv, int argc) {
  int into[2];
  for (int nth = 0; nth < 2; nth++) {
    int both[2];
    if (!open_pipe(both)) fail("the program cannot be started: too many files are open");
    ends[nth].fd = both[0];
    into[nth] = both[1];
    fcntl(both[0], F_SETFL, O_NONBLOCK);
  }
  pid_t parent = getpid();
  child = fork();
  if (child == 0) become_one_shot(argv, argc, parent, into);
  if (child < 0) fail("the program cannot be started: there are too many processes, or too little memory");
  close(into[0]);
  close(into[1]);
}

/** Reads everything that is available. */
static void read_output(void) {
  for (int nth = 0; nth < 2; nth++) {
    ssize_t got = 1;
    while (ends[nth].fd >= 0 && got > 0) {
      reserve(&received[nth], 16384);
      got = read(ends[nth].fd, received[nth].at + received[nth].size, received[nth].room - received[nth].size);
      if (got > 0) received[nth].size += (size_t)got;
    }
    if (got == 0) {
      close(ends[nth].fd);
      ends[nth].fd = -1;
    }
  }
}

/** Takes `\\0wait 7000` out of stderr: it is a message for this process only. */
static void take_wait_message(void) {
  static const char mark[] = "\0wait ";
  struct bytes *err = &received[1];
  char *at = err->size > 0 ? memmem(err->at, err->size, mark, sizeof mark - 1) : NULL;
  if (at == NULL) return;
  size_t rest = err->size - (size_t)(at - err->at);
  char *end = memchr(at + 1, '\n', rest - 1);
  if (end == NULL) return;
  announced = 0;
  for (char *digit = at + sizeof mark - 1; digit < end && *digit >= '0' && *digit <= '9' && announced < (1 << 30); digit++)
    announced = announced * 10 + (*digit - '0');
  if (announced > call.announced_ms) call.announced_ms = announced;
  size_t line = (size_t)(end + 1 - at);
  memmove(at, end + 1, rest - line);
  err->size -= line;
}

/** Only exit codes 0 and 2 are answers; others come from shells, Node or signals. */
static bool is_answer(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2) && has_read();
}

/** Returns the child's status when it ends. Gives up if it was signalled, did not begin in time, or is silent when agents stop waiting. */
static int watch(void) {
  int64_t spent = spent_ms(), until = (call.deadline > spent ? call.deadline : spent) + LATEST_MS;
  if (until > LAST_MS) until = LAST_MS;
  const char *forwarded = NULL;
  for (;;) {
    int status;
    pid_t ended = waitpid(child, &status, WNOHANG);
    read_output();
    take_wait_message();
    if (ended == child) {
      child = -1;
      if (forwarded && !is_answer(status)) fail(forwarded);
      return status;
    }
    if (!wait_for_any(ends, 2, until)) {
      // a child that has read the payload but asked for no more time will not answer
      int64_t last = announced > 0 ? announced + LATEST_MS : LAST_MS;
      if (forwarded) fail(forwarded);
      if (!has_read() || until >= last) fail_late();
      // the child has its own deadline, which waits while it reads a long payload
      until = last;
    }
    int number;
    const char *signal = signal_that_came(&number);
    if (signal && !forwarded) {
      kill(child, number);
      forwarded = signal;
      until = spent_ms() + LAST_WORD_MS;
    }
  }
}

/** A child that leaves the answer to us writes the reason to stderr. */
static const char *reason_of(int status) {
  static const char prefix[] = "signalbox: ";
  char *why = c_string(&received[1]);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 3 || strncmp(why, prefix, sizeof prefix - 1) != 0)
    return "the program ended without a reply";
  why[strcspn(why, "\n")] = 0;
  return why + sizeof prefix - 1;
}

_Noreturn void one_shot(char *const *argv, int argc) {
  leave_daemon(&call.daemon);
  if (!has_launcher()) fail("the program files are missing; install Signalbox again and run signalbox init");
  pass_payload();
  start(argv, argc);
  int status = watch();
  if (is_answer(status)) finish(WEXITSTATUS(status), text_in(&received[0]), text_in(&received[1]));
  fail(reason_of(status));
}

void end_one_shot(void) {
  if (child > 0) {
    // do not wait for a child that a disk blocks
    kill(child, SIGKILL);
    child = -1;
  }
  for (int nth = 0; nth < 2; nth++) {
    if (ends[nth].fd >= 0) close(ends[nth].fd);
    ends[nth].fd = -1;
  }
}
