// What the daemon says, read out of bytes that may be anything. Pure: this is what the fuzzer calls.
#ifndef REPLY_H
#define REPLY_H

#include "text.h"

enum heard { MORE_TO_COME, MAY_TAKE_LONGER, REPLIED, GARBAGE };

enum status { ANSWER = 0, ANOTHER_BUILD = 1, BUSY = 2, NOT_LET_IN = 3, CANNOT_READ = 4 };

struct reply {
  enum status status;
  int exit_code;
  text out, err;
  /** of an interim word: the milliseconds */
  uint32_t ms;
  /** so many bytes were read */
  size_t taken;
};

/** Never past the end, never a reply that is not all there. */
enum heard hear(text said, struct reply *reply);

#endif
