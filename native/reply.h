// Parses the daemon's reply from untrusted bytes. Pure: the fuzzer calls this.
#ifndef REPLY_H
#define REPLY_H

#include "text.h"

enum parse_result { INCOMPLETE, EXTENDED, COMPLETE, INVALID };

enum status { ANSWER = 0, ANOTHER_BUILD = 1, BUSY = 2, NOT_LET_IN = 3, CANNOT_READ = 4 };

struct reply {
  enum status status;
  int exit_code;
  text out, err;
  /** of an interim message: the milliseconds */
  uint32_t ms;
  /** the number of bytes read */
  size_t taken;
};

/** Never reads past the end, and never returns an incomplete reply. */
enum parse_result parse_reply(text received, struct reply *reply);

#endif
