#include "reply.h"

#include <string.h>

enum { WAIT_SIZE = 8, HEAD_SIZE = 16 };
/** A longer reply is invalid. */
static const uint32_t LONGEST = 64u << 20;

static uint32_t number_at(const char *at) {
  const unsigned char *bytes = (const unsigned char *)at;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool begins(text received, const char *mark) {
  return memcmp(received.at, mark, received.size < 4 ? received.size : 4) == 0;
}

enum parse_result parse_reply(text received, struct reply *reply) {
  if (received.size == 0) return INCOMPLETE;
  if (begins(received, "SBW1")) {
    if (received.size < WAIT_SIZE) return INCOMPLETE;
    *reply = (struct reply){.ms = number_at(received.at + 4), .taken = WAIT_SIZE};
    return EXTENDED;
  }
  if (!begins(received, "SBR1")) return INVALID;
  if (received.size < HEAD_SIZE) return INCOMPLETE;
  unsigned char status = (unsigned char)received.at[4], exit_code = (unsigned char)received.at[5];
  uint32_t out = number_at(received.at + 8), err = number_at(received.at + 12);
  // 1 would be an approval to most clients, and a working daemon never sends it
  if (status > CANNOT_READ || (exit_code != 0 && exit_code != 2)) return INVALID;
  if (received.at[6] != 0 || received.at[7] != 0) return INVALID;
  if (out > LONGEST || err > LONGEST) return INVALID;
  if (received.size - HEAD_SIZE < (size_t)out + err) return INCOMPLETE;
  *reply = (struct reply){
      .status = (enum status)status,
      .exit_code = exit_code,
      .out = {received.at + HEAD_SIZE, out},
      .err = {received.at + HEAD_SIZE + out, err},
      .taken = HEAD_SIZE + (size_t)out + err,
  };
  return COMPLETE;
}
