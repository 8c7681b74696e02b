// One call, one process: all there is to know of it, and its one answer.
#ifndef CALL_H
#define CALL_H

#include "daemon.h"
#include "text.h"

enum {
  /** the time of a payload to come, and of judging it */
  BUDGET_MS = 2000,
  /** a payload that keeps coming, without such a pause, may take so long */
  INPUT_MS = 5000,
  PAUSE_MS = 1000,
  /** agents wait ten seconds for a hook and then make the call: the answer must be out before */
  LAST_MS = 9000,
  /** who promised to answer by then is late by so much: its own failure answer is better than ours */
  GRACE_MS = 100,
};

struct call {
  /** behind `hook` */
  char *const *args;
  /** as far as it has come */
  struct bytes payload;
  struct daemon asked;
  /** in milliseconds since the program began; and the time that was promised, in words */
  int64_t deadline, promised_ms;
  /** by which who takes over from a daemon that died knows that it was answered: random, in hex */
  char id[33];
};

extern struct call call;

/** All of it. */
void read_payload(void);
/** The answer, whole; then out. */
_Noreturn void finish(int exit_code, text out, text err);
/** The declared failure answer. */
_Noreturn void fail(const char *why);
/** The same, where time is up. */
_Noreturn void fail_late(void);
/** A program whose stack cannot grow has an answer too. */
void survive_crashes(void);
/** A program that is given no stdin, stdout or stderr must not open something else in their place. */
void fill_gaps(void);

#endif
