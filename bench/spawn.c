// Runs commands in turns and prints what each took, in microseconds: `spawn ROUNDS PAYLOAD_FILE -- CMD… -- CMD…`. A line a round, a column a command.
// In C: a parent that is itself large or slow would be most of what it measures. The payload goes through a pipe, and the time is over when the answer
// is read to its end and the process is gone, as for an agent.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static char payload[65536];
static size_t payload_size;

static void check(int failed) {
  if (failed) {
    perror("spawn");
    exit(2);
  }
}

static double run(char **words) {
  int in[2], out[2];
  check(pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawnattr_t attributes;
  sigset_t pipes;
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &pipes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  struct timespec began, ended;
  pid_t child;
  clock_gettime(CLOCK_MONOTONIC, &began);
  check(posix_spawn(&child, words[0], &actions, &attributes, words, environ));
  close(in[0]);
  close(out[1]);
  // some end without reading it
  check(write(in[1], payload, payload_size) != (ssize_t)payload_size && errno != EPIPE);
  close(in[1]);
  char answer[65536];
  while (read(out[0], answer, sizeof answer) > 0) continue;
  int status;
  check(waitpid(child, &status, 0) < 0);
  clock_gettime(CLOCK_MONOTONIC, &ended);
  close(out[0]);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (!WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 2)) {
    fprintf(stderr, "spawn: %s ended with %d\n", words[0], status);
    exit(2);
  }
  return (double)(ended.tv_sec - began.tv_sec) * 1e6 + (double)(ended.tv_nsec - began.tv_nsec) / 1e3;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  char **commands[16] = {0};
  int count = 0, file = argc > 4 ? open(argv[2], O_RDONLY) : -1;
  check(file < 0);
  payload_size = (size_t)read(file, payload, sizeof payload);
  for (int nth = 3; nth < argc && count < 16; nth++) {
    if (strcmp(argv[nth], "--") != 0) continue;
    argv[nth] = NULL;
    commands[count++] = argv + nth + 1;
  }
  for (long round = atol(argv[1]); round > 0; round--)
    for (int nth = 0; nth < count; nth++) printf(nth + 1 < count ? "%.1f\t" : "%.1f\n", run(commands[nth]));
  return 0;
}
