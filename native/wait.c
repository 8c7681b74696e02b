#define _GNU_SOURCE
#include "wait.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <time.h>

static const struct {
  int number;
  const char *name;
} ENDING[] = {{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"}, {SIGHUP, "SIGHUP"}};
enum { ENDINGS = sizeof ENDING / sizeof *ENDING };

static volatile sig_atomic_t came;
static struct timespec began;
static sigset_t before, while_waiting;
static struct sigaction actions[ENDINGS], pipe_action;

static void hear_signal(int number) { came = number; }

static void heed(void) {
  for (int nth = 0; nth < ENDINGS; nth++)
    if (came == ENDING[nth].number) ended_by(ENDING[nth].name);
}

int64_t spent_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)(now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000;
}

void begin_waiting(void) {
  clock_gettime(CLOCK_MONOTONIC, &began);
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int nth = 0; nth < ENDINGS; nth++) sigaddset(&blocked, ENDING[nth].number);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  while_waiting = before;
  struct sigaction hear_it = {.sa_handler = hear_signal}, ignore = {.sa_handler = SIG_IGN};
  for (int nth = 0; nth < ENDINGS; nth++) {
    sigdelset(&while_waiting, ENDING[nth].number);
    sigaction(ENDING[nth].number, &hear_it, &actions[nth]);
  }
  // nobody reads the answer any more: that is no reason to die of it
  sigaction(SIGPIPE, &ignore, &pipe_action);
  // a file that may not grow is a fault with an answer, here and in the process that takes over
  signal(SIGXFSZ, SIG_IGN);
}

#ifdef __linux__
static int wait_once(int fd, short events, struct timespec left) {
  struct pollfd one = {.fd = fd, .events = events};
  return ppoll(&one, 1, &left, &while_waiting);
}
#else
static int wait_once(int fd, short events, struct timespec left) {
  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  // nobody waits for what has no place in the set: the read tells
  if (fd >= FD_SETSIZE) return 1;
  if (events & POLLIN) FD_SET(fd, &in);
  if (events & POLLOUT) FD_SET(fd, &out);
  return pselect(fd + 1, &in, &out, NULL, &left, &while_waiting);
}
#endif

bool wait_until(int fd, short events, int64_t ms) {
  for (;;) {
    int64_t left = ms - spent_ms();
    if (left < 0) left = 0;
    struct timespec time = {.tv_sec = (time_t)(left / 1000), .tv_nsec = (long)(left % 1000) * 1000000};
    int ready = wait_once(fd, events, time);
    heed();
    if (ready > 0) return true;
    if (ready == 0 && left == 0) return false;
    if (ready < 0 && errno != EINTR && errno != EAGAIN) return true;
  }
}

void end_waiting(void) {
  sigset_t pending;
  sigpending(&pending);
  for (int nth = 0; nth < ENDINGS; nth++)
    if (sigismember(&pending, ENDING[nth].number)) ended_by(ENDING[nth].name);
  for (int nth = 0; nth < ENDINGS; nth++) sigaction(ENDING[nth].number, &actions[nth], NULL);
  sigaction(SIGPIPE, &pipe_action, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
}
