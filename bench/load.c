// Asks a daemon by many connections at once: `load SOCKET FRAME_FILE CONNECTIONS EVENTS [FIRST [RATE]]`. One request a connection, as the hook does; the
// next one begins when the answer is read to its end, and no sooner than RATE a second. In the frame `@@@@@@@@` becomes the number of the event, and `%%%%` that of the connection.
// Prints: how long all took, in seconds, then a line of microseconds for each answer, with its status.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024, LARGEST = 1 << 20 };

struct lane {
  int fd;
  int status;
  size_t heard;
  double began;
};

static struct lane lanes[MOST];
static char frame[LARGEST];
static size_t size;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static int poller;
static long asked, first;
static double began, rate;

static void check(int failed, const char *what) {
  if (failed) {
    perror(what);
    exit(2);
  }
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec * 1e6 + (double)at.tv_nsec / 1e3;
}

static void fill(char mark, int width, long number) {
  char run[16], digits[16];
  memset(run, mark, (size_t)width);
  snprintf(digits, sizeof digits, "%0*ld", width, number);
  for (char *at = frame; (at = memmem(at, size - (size_t)(at - frame), run, (size_t)width)); at += width)
    memcpy(at, digits, (size_t)width);
}

static void wait_turn(void) {
  double early = rate > 0 ? began + (double)asked * 1e6 / rate - now() : 0;
  if (early > 0) usleep((useconds_t)early);
}

static void ask(struct lane *lane) {
  static char original[LARGEST];
  static size_t kept;
  if (kept == 0) memcpy(original, frame, kept = size);
  memcpy(frame, original, size);
  fill('@', 8, first + asked);
  fill('%', 4, (long)(lane - lanes));
  asked++;
  lane->began = now();
  lane->heard = 0;
  lane->status = -1;
  lane->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(lane->fd < 0 || connect(lane->fd, (struct sockaddr *)&address, sizeof address), "connect");
  check(write(lane->fd, frame, size) != (ssize_t)size, "write");
  struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = lane}};
  check(epoll_ctl(poller, EPOLL_CTL_ADD, lane->fd, &event), "epoll_ctl");
}

/** Whether the answer is whole. */
static int hear(struct lane *lane) {
  char bytes[65536];
  ssize_t got = read(lane->fd, bytes, sizeof bytes);
  check(got < 0, "read");
  if (got > 0) {
    if (lane->heard <= 4 && lane->heard + (size_t)got > 4) lane->status = (unsigned char)bytes[4 - lane->heard];
    lane->heard += (size_t)got;
    return 0;
  }
  close(lane->fd);
  return 1;
}

int main(int count, char **words) {
  if (count < 5) {
    fputs("load SOCKET FRAME_FILE CONNECTIONS EVENTS [FIRST [RATE]]\n", stderr);
    return 2;
  }
  snprintf(address.sun_path, sizeof address.sun_path, "%s", words[1]);
  int file = open(words[2], O_RDONLY | O_CLOEXEC);
  check(file < 0, words[2]);
  ssize_t got = read(file, frame, sizeof frame);
  check(got < 0, words[2]);
  size = (size_t)got;
  int connections = atoi(words[3]);
  long events = atol(words[4]), answered = 0;
  first = count > 5 ? atol(words[5]) : 0;
  rate = count > 6 ? atof(words[6]) : 0;
  check(connections < 1 || connections > MOST, "connections");
  double *took = calloc((size_t)events, sizeof *took);
  int *status = calloc((size_t)events, sizeof *status);
  poller = epoll_create1(EPOLL_CLOEXEC);
  check(!took || !status || poller < 0, "load");
  began = now();
  for (int nth = 0; nth < connections && asked < events; nth++) ask(&lanes[nth]);
  while (answered < events) {
    struct epoll_event ready[64];
    int many = epoll_wait(poller, ready, 64, 10000);
    check(many <= 0, "nothing was heard for ten seconds");
    for (int nth = 0; nth < many; nth++) {
      struct lane *lane = ready[nth].data.ptr;
      if (!hear(lane)) continue;
      took[answered] = now() - lane->began;
      status[answered++] = lane->status;
      if (asked >= events) continue;
      wait_turn();
      ask(lane);
    }
  }
  printf("%.6f\n", (now() - began) / 1e6);
  for (long nth = 0; nth < events; nth++) printf("%.1f %d\n", took[nth], status[nth]);
  return 0;
}
