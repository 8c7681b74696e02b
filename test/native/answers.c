// Answers many cases with the last resort, for the comparison with bin/signalbox.cjs. A case: u32 sizes of the arguments (joined by NUL), of the reason
// and of the payload, then these. An answer: u32 exit code, sizes of stdout and stderr, then these.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../native/resort.h"

_Noreturn void out_of_memory(void) { abort(); }

static struct bytes take(size_t size) {
  struct bytes bytes = {0};
  reserve(&bytes, size + 1);
  if (fread(bytes.at, 1, size, stdin) != size) exit(3);
  bytes.size = size;
  return bytes;
}

int main(void) {
  uint32_t lengths[3];
  while (fread(lengths, sizeof lengths, 1, stdin) == 1) {
    struct bytes words = take(lengths[0]), why = take(lengths[1]), payload = take(lengths[2]);
    char *args[64] = {0}, *reason = c_string(&why), *all = c_string(&words);
    size_t count = 0;
    for (size_t at = 0; at < words.size && count < 63; at += strlen(all + at) + 1) args[count++] = all + at;
    struct answer answer = last_resort(args, text_in(&payload), reason);
    uint32_t sizes[3] = {(uint32_t)answer.exit_code, (uint32_t)answer.out.size, (uint32_t)answer.err.size};
    fwrite(sizes, sizeof sizes, 1, stdout);
    if (answer.out.size > 0) fwrite(answer.out.at, 1, answer.out.size, stdout);
    if (answer.err.size > 0) fwrite(answer.err.at, 1, answer.err.size, stdout);
    release(&answer.out);
    release(&answer.err);
    release(&words);
    release(&why);
    release(&payload);
  }
  return 0;
}
