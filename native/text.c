#include "text.h"

#include <stdlib.h>
#include <string.h>

text text_of(const char *string) { return (text){string, strlen(string)}; }

text text_in(const struct bytes *bytes) { return (text){bytes->at ? bytes->at : "", bytes->size}; }

bool is_text(text one, const char *other) {
  return one.at != NULL && one.size == strlen(other) && memcmp(one.at, other, one.size) == 0;
}

/** Enough for most calls: each allocation from the system costs as much as reading a file. Sanitizers find more without the pool. */
#ifndef POOL
#define POOL (192 << 10)
#endif
static char usual[POOL], spare[256 << 10];
static struct {
  char *at;
  size_t size, used;
} pool = {usual, sizeof usual, 0};

static bool is_in(const char *at, const char *from, size_t size) {
  return (uintptr_t)at >= (uintptr_t)from && (uintptr_t)at < (uintptr_t)(from + size);
}

static bool is_pooled(const char *at) { return is_in(at, usual, sizeof usual) || is_in(at, spare, sizeof spare); }

void use_spare(void) {
  pool.at = spare;
  pool.size = sizeof spare;
  pool.used = 0;
}

static char *allocate(size_t room) {
  if (room > pool.size - pool.used) return malloc(room);
  char *at = pool.at + pool.used;
  pool.used += room;
  return at;
}

void reserve(struct bytes *to, size_t more) {
  if (to->room - to->size >= more) return;
  if (more > SIZE_MAX / 2 - to->size) out_of_memory();
  size_t room = to->room < 256 ? 256 : to->room;
  while (room - to->size < more) room *= 2;
  bool grows = to->at != NULL && !is_pooled(to->at);
  char *at = grows ? realloc(to->at, room) : allocate(room);
  if (at == NULL) out_of_memory();
  if (!grows && to->size > 0) memcpy(at, to->at, to->size);
  to->at = at;
  to->room = room;
}

void release(struct bytes *bytes) {
  if (!is_pooled(bytes->at)) free(bytes->at);
  // the last allocation can be reused
  else if (bytes->at + bytes->room == pool.at + pool.used) pool.used -= bytes->room;
  *bytes = (struct bytes){0};
}

void append(struct bytes *to, const void *from, size_t size) {
  if (size == 0) return;
  reserve(to, size);
  memcpy(to->at + to->size, from, size);
  to->size += size;
}

void append_text(struct bytes *to, text from) { append(to, from.at, from.size); }

void append_string(struct bytes *to, const char *string) { append(to, string, strlen(string)); }

char *c_string(struct bytes *bytes) {
  append(bytes, "", 1);
  bytes->size--;
  return bytes->at;
}

size_t next_character(text from, uint32_t *character) {
  const unsigned char *at = (const unsigned char *)from.at;
  unsigned char lead = at[0], low = 0x80, high = 0xBF;
  size_t length;
  *character = lead;
  if (lead < 0x80) return 1;
  *character = 0xFFFD;
  uint32_t code;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
    code = lead & 0x1Fu;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    code = lead & 0x0Fu;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    code = lead & 0x07u;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 1;
  }
  for (size_t nth = 1; nth < length; nth++) {
    // the bytes before the invalid one become one replacement character
    if (nth >= from.size || at[nth] < low || at[nth] > high) return nth;
    code = code << 6 | (at[nth] & 0x3Fu);
    low = 0x80;
    high = 0xBF;
  }
  *character = code;
  return length;
}

void append_character(struct bytes *to, uint32_t character) {
  char out[4];
  size_t size = character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
  for (size_t nth = size; nth-- > 1; character >>= 6) out[nth] = (char)(0x80u | (character & 0x3Fu));
  out[0] = (char)(leads[size] | character);
  append(to, out, size);
}

void append_clean(struct bytes *to, text from) {
  for (size_t at = 0; at < from.size;) {
    uint32_t character;
    at += next_character((text){from.at + at, from.size - at}, &character);
    append_character(to, character);
  }
}

size_t utf16_length(text from, size_t most) {
  size_t units = 0;
  for (size_t at = 0; at < from.size && units <= most;) {
    uint32_t character;
    at += next_character((text){from.at + at, from.size - at}, &character);
    units += character > 0xFFFF ? 2 : 1;
  }
  return units;
}

size_t bytes_of_units(text from, size_t units) {
  size_t at = 0;
  while (at < from.size && units > 0) {
    uint32_t character;
    size_t size = next_character((text){from.at + at, from.size - at}, &character);
    size_t takes = character > 0xFFFF ? 2 : 1;
    if (takes > units) break;
    units -= takes;
    at += size;
  }
  return at;
}

bool is_blank(uint32_t one) {
  return one == ' ' || (one >= 9 && one <= 13) || one == 0xA0 || one == 0x1680 || (one >= 0x2000 && one <= 0x200A) ||
         one == 0x2028 || one == 0x2029 || one == 0x202F || one == 0x205F || one == 0x3000 || one == 0xFEFF;
}

void append_resolved(struct bytes *to, text path) {
  size_t begin = to->size;
  for (size_t at = 0; at < path.size;) {
    size_t end = at;
    while (end < path.size && path.at[end] != '/') end++;
    text part = {path.at + at, end - at};
    at = end + 1;
    if (part.size == 0 || is_text(part, ".")) continue;
    if (is_text(part, "..")) {
      while (to->size > begin && to->at[--to->size] != '/') continue;
      continue;
    }
    append(to, "/", 1);
    append_text(to, part);
  }
  if (to->size == begin) append(to, "/", 1);
}
