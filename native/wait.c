#define _GNU_SOURCE
#include "wait.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/select.h>
#include <time.h>

static const struct {
  int number;
  const char *name;
} ENDING[] = {{SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},   {SIGQUIT, "SIGQUIT"}, {SIGALRM, "SIGALRM"},
              {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}, {SIGPROF, "SIGPROF"}, {SIGVTALRM, "SIGVTALRM"}};
enum { ENDINGS = sizeof ENDING / sizeof *ENDING };

static volatile sig_atomic_t came;
static struct timespec began;
static sigset_t before, while_waiting;
static struct sigaction actions[ENDINGS], pipe_action, child_action;

static void on_signal(int number) { came = number; }

/** An empty handler: SIGCHLD only interrupts the wait. */
static void on_child_end(int number) { (void)number; }

const char *signal_that_came(int *number) {
  *number = came;
  for (int nth = 0; nth < ENDINGS; nth++)
    if (came == ENDING[nth].number) return ENDING[nth].name;
  return NULL;
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
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  while_waiting = before;
  struct sigaction notice = {.sa_handler = on_signal}, wake = {.sa_handler = on_child_end};
  struct sigaction ignore = {.sa_handler = SIG_IGN};
  sigdelset(&while_waiting, SIGCHLD);
  sigaction(SIGCHLD, &wake, &child_action);
  for (int nth = 0; nth < ENDINGS; nth++) {
    sigdelset(&while_waiting, ENDING[nth].number);
    sigaction(ENDING[nth].number, &notice, &actions[nth]);
  }
  // a closed reader must not kill the process
  sigaction(SIGPIPE, &ignore, &pipe_action);
  // a file size limit must become an error with an answer, here and in the one-shot process
  signal(SIGXFSZ, SIG_IGN);
}

#ifdef __linux__
static int wait_once(struct pollfd *fds, nfds_t count, struct timespec left) { return ppoll(fds, count, &left, &while_waiting); }
#else
static int wait_once(struct pollfd *fds, nfds_t count, struct timespec left) {
  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  int most = -1;
  for (nfds_t nth = 0; nth < count; nth++) {
    if (fds[nth].fd < 0) continue;
    // the descriptor does not fit into the set: report it as ready, and the read finds out
    if (fds[nth].fd >= FD_SETSIZE) return 1;
    if (fds[nth].events & POLLIN) FD_SET(fds[nth].fd, &in);
    if (fds[nth].events & POLLOUT) FD_SET(fds[nth].fd, &out);
    if (fds[nth].fd > most) most = fds[nth].fd;
  }
  return pselect(most + 1, &in, &out, NULL, &left, &while_waiting);
}
#endif

/** Waits once, for a minute at most: 1 if ready, 0 if time is up, -1 if the caller must wait again. */
static int wait_a_while(struct pollfd *fds, nfds_t count, int64_t ms) {
  static const int64_t longest = 60000;
  int64_t left = ms - spent_ms();
  if (left < 0) left = 0;
  if (left > longest) left = longest;
  struct timespec time = {.tv_sec = (time_t)(left / 1000), .tv_nsec = (long)(left % 1000) * 1000000};
  int ready = wait_once(fds, count, time);
  if (ready < 0) return errno == EINTR || errno == EAGAIN ? -1 : 1;
  return ready > 0 ? 1 : left == 0 ? 0 : -1;
}

bool wait_until(int fd, short events, int64_t ms) {
  for (;;) {
    struct pollfd one = {.fd = fd, .events = events};
    int ready = wait_a_while(&one, 1, ms), number;
    const char *signal = signal_that_came(&number);
    if (signal) ended_by(signal);
    if (ready >= 0) return ready > 0;
  }
}

bool wait_for_any(struct pollfd *fds, nfds_t count, int64_t ms) { return wait_a_while(fds, count, ms) != 0; }

void end_waiting(void) {
  for (int nth = 0; nth < ENDINGS; nth++) sigaction(ENDING[nth].number, &actions[nth], NULL);
  sigaction(SIGPIPE, &pipe_action, NULL);
  sigaction(SIGCHLD, &child_action, NULL);
  sigprocmask(SIG_SETMASK, &before, NULL);
}
