// One call in one process: its state and its only answer.
#ifndef CALL_H
#define CALL_H

#include "daemon.h"
#include "text.h"

enum {
  /** the time limit for receiving the payload, and again for judging it */
  BUDGET_MS = 2000,
  /** a payload that keeps arriving, without a pause of `PAUSE_MS`, may take this long */
  INPUT_MS = 5000,
  PAUSE_MS = 1000,
  /** agents wait ten seconds for a hook and then make the call, so the answer must be out before */
  LAST_MS = 9000,
  /** extra time after a promised deadline: the daemon's own failure answer is better than ours */
  GRACE_MS = 100,
};

struct call {
  /** the arguments after `hook` */
  char *const *args;
  /** the payload received so far */
  struct bytes payload;
  struct daemon daemon;
  /** the deadline in milliseconds since the program began; and the promised time, for the message */
  int64_t deadline, announced_ms;
  /** random id in hex; if the daemon dies, the one-shot process finds a recorded answer by it */
  char id[33];
};

extern struct call call;

/** Reads the whole payload. */
void read_payload(void);
/** Writes the complete answer and exits. */
_Noreturn void finish(int exit_code, text out, text err);
/** Gives the declared failure answer. */
_Noreturn void fail(const char *why);
/** Gives the failure answer for a timeout. */
_Noreturn void fail_late(void);
/** Answers even after a crash, such as a stack overflow. */
void survive_crashes(void);
/** Opens missing stdin, stdout and stderr, so that no other file gets their descriptors. */
void fill_gaps(void);

#endif
