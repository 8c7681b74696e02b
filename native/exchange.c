#define _GNU_SOURCE
#include "exchange.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "call.h"
#include "launcher.h"
#include "one-shot.h"
#include "place.h"
#include "reply.h"
#include "wait.h"

enum {
  /** a healthy daemon sends something within this time */
  SILENCE_MS = 700,
  LONGEST_HEADER = 4 << 20,
};

static void append_number(struct bytes *to, uint32_t number) {
  append(to, (const char[]){(char)number, (char)(number >> 8), (char)(number >> 16), (char)(number >> 24)}, 4);
}

/** Builds the request without the payload. Returns false if it is too long. */
static bool build_request(struct bytes *frame, text here) {
  append_string(frame, "SBQ1");
  append_number(frame, 0);
  append_number(frame, (uint32_t)call.payload.size);
  size_t begin = frame->size;
  append_build(frame);
  append(frame, "", 1);
  append_text(frame, text_in(&call.daemon.token));
  append(frame, "", 1);
  append_text(frame, here);
  append(frame, "", 1);
  char count[16];
  int args_count = 0;
  while (call.args[args_count]) args_count++;
  append(frame, count, (size_t)snprintf(count, sizeof count, "%d", args_count) + 1);
  for (char *const *arg = call.args; *arg; arg++) append(frame, *arg, strlen(*arg) + 1);
  // first, because the first of duplicate variables counts
  append_string(frame, CALL_ID "=");
  append(frame, count, (size_t)snprintf(count, sizeof count, "%ld-", (long)getpid()));
  append(frame, call.id, strlen(call.id) + 1);
  for (char **variable = environ; *variable; variable++) append(frame, *variable, strlen(*variable) + 1);
  size_t size = frame->size - begin;
  for (int nth = 0; nth < 4; nth++) frame->at[4 + nth] = (char)(size >> 8 * nth);
  return size <= LONGEST_HEADER;
}

/** Sends more of the request and payload. Returns the bytes sent, 0 if it would block, -1 on failure. */
static ssize_t send_some(text frame, size_t sent) {
  struct iovec parts[2] = {{0}};
  size_t of_frame = sent < frame.size ? sent : frame.size, of_payload = sent - of_frame;
  // safe cast: the kernel does not write to what it sends
  parts[0] = (struct iovec){(void *)(uintptr_t)(frame.at + of_frame), frame.size - of_frame};
  parts[1] = (struct iovec){call.payload.size > 0 ? call.payload.at + of_payload : NULL, call.payload.size - of_payload};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  ssize_t done = sendmsg(call.daemon.socket, &message, 0);
  return done < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : done;
}

static enum exchange_result exchange_messages(text frame) {
  size_t sent = 0, whole = frame.size + call.payload.size;
  struct bytes received = {0};
  int64_t sent_at = spent_ms(), silent_at = sent_at + SILENCE_MS;
  bool announced = false;
  ssize_t first = send_some(frame, 0);
  sent = first < 0 ? whole : (size_t)first;
  for (;;) {
    // fall back to one-shot only while there is time; otherwise keep waiting for this daemon
    int64_t until = announced || silent_at > call.deadline ? call.deadline : silent_at;
    if (!wait_until(call.daemon.socket, sent < whole ? POLLIN | POLLOUT : POLLIN, until)) {
      if (until == call.deadline) fail_late();
      return SILENT;
    }
    if (sent < whole) {
      ssize_t done = send_some(frame, sent);
      // the daemon may answer before it has read everything
      sent = done < 0 ? whole : sent + (size_t)done;
      if (done > 0) silent_at = (sent_at = spent_ms()) + SILENCE_MS;
    }
    reserve(&received, 16384);
    ssize_t got = recv(call.daemon.socket, received.at + received.size, received.room - received.size, 0);
    // a daemon that closes without a reply was killed or is exiting
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return received.size == 0 ? GONE : TO_ONE_SHOT;
    if (got < 0) continue;
    received.size += (size_t)got;
    silent_at = spent_ms() + SILENCE_MS;
    struct reply reply;
    enum parse_result parsed;
    while ((parsed = parse_reply(text_in(&received), &reply)) == EXTENDED) {
      call.announced_ms = reply.ms;
      call.deadline = sent_at + call.announced_ms + GRACE_MS;
      announced = true;
      received.size -= reply.taken;
      memmove(received.at, received.at + reply.taken, received.size);
    }
    if (parsed == INCOMPLETE) continue;
    if (parsed == INVALID) return TO_ONE_SHOT;
    if (reply.status == ANSWER) finish(reply.exit_code, reply.out, reply.err);
    return reply.status == ANOTHER_BUILD ? GONE : TO_ONE_SHOT;
  }
}

enum exchange_result exchange(text here) {
  struct bytes frame = {0};
  // connect only when the request is ready: the daemon wakes once, for a complete request
  if (call.daemon.availability != AVAILABLE || !build_request(&frame, here)) return TO_ONE_SHOT;
  call.daemon.availability = connect_daemon(&call.daemon);
  if (call.daemon.availability != AVAILABLE) return TO_ONE_SHOT;
  return exchange_messages(text_in(&frame));
}
