// Anything that a daemon, an agent or a damaged file may say: read to the end, never past it. For libFuzzer; without it, `main` makes the input.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../native/json.h"
#include "../../native/reply.h"

_Noreturn void out_of_memory(void) { abort(); }

static void must(bool holds) {
  if (!holds) abort();
}

/** The same bytes, at once and piece by piece, are the same reply. */
static void fuzz_reply(text received) {
  struct reply whole = {0}, grown = {0};
  enum parse_result parsed = parse_reply(received, &whole), last = INCOMPLETE;
  size_t size = 0;
  // a piece of its own each time: a byte too far is seen
  for (; size <= received.size && last == INCOMPLETE; size++) {
    char *piece = malloc(size + 1);
    must(piece != NULL);
    if (size > 0) memcpy(piece, received.at, size);
    last = parse_reply((text){piece, size}, &grown);
    free(piece);
    if (size > 40) break;
  }
  if (parsed == COMPLETE) {
    must(whole.taken <= received.size && whole.taken == 16 + whole.out.size + whole.err.size);
    must(whole.exit_code == 0 || whole.exit_code == 2);
    must(whole.out.at == received.at + 16 && whole.err.at == whole.out.at + whole.out.size);
  }
  if (parsed == EXTENDED) must(whole.taken == 8);
  if (last != INCOMPLETE) must(last == parsed);
}

static void walk(text json, int depth) {
  text item, list = json, value;
  struct bytes received = {0}, again = {0};
  if (append_decoded(&received, json)) {
    // what is written is read back the same
    append_json(&again, text_in(&received));
    must(is_json(text_in(&again)));
    struct bytes twice = {0};
    must(append_decoded(&twice, text_in(&again)) && twice.size == received.size);
    must(received.size == 0 || memcmp(twice.at, received.at, received.size) == 0);
    release(&twice);
  }
  if (member_of(json, "cwd", &value)) must(is_json(value));
  while (depth < 4 && next_item(&list, &item)) {
    must(is_json(item));
    walk(item, depth + 1);
  }
  release(&received);
  release(&again);
}

static void fuzz_text(text json) {
  struct bytes clean = {0}, twice = {0}, path = {0};
  if (is_json(json)) walk(json, 0);
  append_clean(&clean, json);
  append_clean(&twice, text_in(&clean));
  must(clean.size == twice.size);
  must(bytes_of_units(json, SIZE_MAX) == json.size);
  must(utf16_length(json, SIZE_MAX) == utf16_length(text_in(&clean), SIZE_MAX));
  append_resolved(&path, json);
  must(path.size > 0 && path.at[0] == '/');
  release(&clean);
  release(&twice);
  release(&path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  // exactly as long as it is: the sanitizer guards its end
  char *copy = malloc(size);
  must(copy != NULL);
  memcpy(copy, data, size);
  text input = {copy + 1, size - 1};
  if (data[0] & 1) fuzz_reply(input);
  else fuzz_text(input);
  free(copy);
  return 0;
}

#ifdef ALONE
static uint32_t state = 2463534242u;
static uint32_t below(uint32_t most) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state % most;
}

/** Pieces of what is right, put together wrongly. */
static size_t make(uint8_t *to) {
  static const char *const pieces[] = {"SBR1", "SBW1", "\0\0\0\0", "\2\0\0\0", "\0\2\0\0", "\xff\xff\xff\xff", "{\"cwd\":", "[", "]", "{", "}",
                                       "\"a\\u00e9\"", "\"\\ud83d\\ude00\"", "\"\\ud83d\"", "1.5e-3", "true", "null", ",", ":", "\"", "\\",
                                       "/../", "/a/b", "\xc3\xa9", "\xf0\x9f\x98\x80", "\xed\xa0\x80", "\xe2\x80", " "};
  size_t size = 0;
  to[size++] = (uint8_t)below(256);
  for (uint32_t count = below(24); count > 0; count--) {
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    size_t length = *piece == 0 || piece[1] == 0 ? (strlen(piece) > 1 || *piece == 0 || *piece == 2 ? 4 : 1) : strlen(piece);
    memcpy(to + size, piece, length);
    size += length;
    if (below(8) == 0) to[size++] = (uint8_t)below(256);
  }
  return size;
}

int main(int argc, char **argv) {
  uint8_t input[1024];
  for (long left = argc > 1 ? atol(argv[1]) : 1000000; left > 0; left--) LLVMFuzzerTestOneInput(input, make(input));
  return 0;
}
#endif
