#define _GNU_SOURCE
#include "talk.h"

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
static bool compose(struct bytes *frame, text here) {
  append_string(frame, "SBQ1");
  append_number(frame, 0);
  append_number(frame, (uint32_t)call.payload.size);
  size_t begin = frame->size;
  append_build(frame);
  append(frame, "", 1);
  append_text(frame, text_in(&call.asked.token));
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
  ssize_t done = sendmsg(call.asked.socket, &message, 0);
  return done < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : done;
}

static enum talk converse(text frame) {
  size_t sent = 0, whole = frame.size + call.payload.size;
  struct bytes said = {0};
  int64_t asked_at = spent_ms(), patience = asked_at + SILENCE_MS;
  bool promised = false;
  ssize_t first = send_some(frame, 0);
  sent = first < 0 ? whole : (size_t)first;
  for (;;) {
    // fall back to one-shot only while there is time; otherwise keep waiting for this daemon
    int64_t until = promised || patience > call.deadline ? call.deadline : patience;
    if (!wait_until(call.asked.socket, sent < whole ? POLLIN | POLLOUT : POLLIN, until)) {
      if (until == call.deadline) fail_late();
      return SILENT;
    }
    if (sent < whole) {
      ssize_t done = send_some(frame, sent);
      // the daemon may answer before it has read everything
      sent = done < 0 ? whole : sent + (size_t)done;
      if (done > 0) patience = (asked_at = spent_ms()) + SILENCE_MS;
    }
    reserve(&said, 16384);
    ssize_t got = recv(call.asked.socket, said.at + said.size, said.room - said.size, 0);
    // a daemon that closes without a reply was killed or is exiting
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return said.size == 0 ? GONE : TO_ONE_SHOT;
    if (got < 0) continue;
    said.size += (size_t)got;
    patience = spent_ms() + SILENCE_MS;
    struct reply reply;
    enum heard heard;
    while ((heard = hear(text_in(&said), &reply)) == MAY_TAKE_LONGER) {
      call.promised_ms = reply.ms;
      call.deadline = asked_at + call.promised_ms + GRACE_MS;
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

enum talk talk(text here) {
  struct bytes frame = {0};
  // connect only when the request is ready: the daemon wakes once, for a complete request
  if (call.asked.door != OPEN || !compose(&frame, here) || (call.asked.door = knock(&call.asked)) != OPEN)
    return TO_ONE_SHOT;
  return converse(text_in(&frame));
}
