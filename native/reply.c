#include "reply.h"

#include <string.h>

enum { WAIT_SIZE = 8, HEAD_SIZE = 16 };
/** A longer reply is invalid. */
static const uint32_t LONGEST = 64u << 20;

static uint32_t number_at(const char *at) {
  const unsigned char *bytes = (const unsigned char *)at;
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool begins(text said, const char *mark) { return memcmp(said.at, mark, said.size < 4 ? said.size : 4) == 0; }

enum heard hear(text said, struct reply *reply) {
  if (said.size == 0) return MORE_TO_COME;
  if (begins(said, "SBW1")) {
    if (said.size < WAIT_SIZE) return MORE_TO_COME;
    *reply = (struct reply){.ms = number_at(said.at + 4), .taken = WAIT_SIZE};
    return MAY_TAKE_LONGER;
  }
  if (!begins(said, "SBR1")) return GARBAGE;
  if (said.size < HEAD_SIZE) return MORE_TO_COME;
  unsigned char status = (unsigned char)said.at[4], exit_code = (unsigned char)said.at[5];
  uint32_t out = number_at(said.at + 8), err = number_at(said.at + 12);
  // 1 would be an approval to most clients, and a working daemon never sends it
  if (status > CANNOT_READ || (exit_code != 0 && exit_code != 2) || said.at[6] != 0 || said.at[7] != 0) return GARBAGE;
  if (out > LONGEST || err > LONGEST) return GARBAGE;
  if (said.size - HEAD_SIZE < (size_t)out + err) return MORE_TO_COME;
  *reply = (struct reply){
      .status = (enum status)status,
      .exit_code = exit_code,
      .out = {said.at + HEAD_SIZE, out},
      .err = {said.at + HEAD_SIZE + out, err},
      .taken = HEAD_SIZE + (size_t)out + err,
  };
  return REPLIED;
}
