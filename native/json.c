#include "json.h"

#include <string.h>

/** In bytes: more than a path of 4096 UTF-16 units can take. */
enum { LONGEST_DECODED = 16 << 10 };

/** The stack of open objects and lists: one bit a level, because a payload may be nested a million times. */
struct nesting {
  struct bytes bits;
  size_t depth;
};

static void enter(struct nesting *in, bool object) {
  if (in->depth / 8 >= in->bits.size) append(&in->bits, "", 1);
  char bit = (char)(1u << in->depth % 8), *at = in->bits.at + in->depth / 8;
  *at = (char)(object ? *at | bit : *at & ~bit);
  in->depth++;
}

static bool in_object(const struct nesting *in) {
  size_t top = in->depth - 1;
  return ((unsigned char)in->bits.at[top / 8] >> top % 8 & 1) != 0;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
  return at;
}

static int hex_of(char one) {
  if (one >= '0' && one <= '9') return one - '0';
  if (one >= 'a' && one <= 'f') return one - 'a' + 10;
  if (one >= 'A' && one <= 'F') return one - 'A' + 10;
  return -1;
}

/** The position after the string that begins here, or NULL. */
static const char *skip_string(const char *at, const char *end) {
  if (at == end || *at++ != '"') return NULL;
  while (at < end) {
    unsigned char one = (unsigned char)*at++;
    if (one == '"') return at;
    if (one < 0x20) return NULL;
    if (one != '\\') continue;
    if (at == end) return NULL;
    char escape = *at++;
    if (escape == 'u') {
      for (int nth = 0; nth < 4; nth++)
        if (at == end || hex_of(*at++) < 0) return NULL;
    } else if (escape == 0 || strchr("\"\\/bfnrt", escape) == NULL) {
      return NULL;
    }
  }
  return NULL;
}

static const char *skip_digits(const char *at, const char *end) {
  const char *first = at;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return at == first ? NULL : at;
}

static const char *skip_number(const char *at, const char *end) {
  if (at < end && *at == '-') at++;
  if (at < end && *at == '0') at++;
  else if ((at = skip_digits(at, end)) == NULL) return NULL;
  if (at < end && *at == '.' && (at = skip_digits(at + 1, end)) == NULL) return NULL;
  if (at < end && (*at == 'e' || *at == 'E')) {
    at++;
    if (at < end && (*at == '+' || *at == '-')) at++;
    at = skip_digits(at, end);
  }
  return at;
}

/** The position after the string, number or word that begins here, or NULL. */
static const char *skip_scalar(const char *at, const char *end) {
  static const char *const words[] = {"true", "false", "null"};
  if (at == end) return NULL;
  if (*at == '"') return skip_string(at, end);
  for (size_t nth = 0; nth < sizeof words / sizeof *words; nth++) {
    size_t size = strlen(words[nth]);
    if ((size_t)(end - at) >= size && memcmp(at, words[nth], size) == 0) return at + size;
  }
  return skip_number(at, end);
}

/** The position after a member's name and colon, or NULL. */
static const char *skip_name(const char *at, const char *end) {
  at = skip_string(skip_blanks(at, end), end);
  if (at == NULL) return NULL;
  at = skip_blanks(at, end);
  return at < end && *at == ':' ? at + 1 : NULL;
}

/** The position after the value that begins here, or NULL if it is invalid. */
static const char *skip_value(const char *at, const char *end) {
  struct nesting in = {0};
  bool value = true;
  do {
    at = skip_blanks(at, end);
    if (at == end) {
      at = NULL;
    } else if (value && (*at == '{' || *at == '[')) {
      bool object = *at == '{';
      enter(&in, object);
      const char *next = skip_blanks(at + 1, end);
      // an empty object or list ends where a value would begin
      value = !(next < end && *next == (object ? '}' : ']'));
      at = value && object ? skip_name(next, end) : next;
    } else if (value) {
      at = skip_scalar(at, end);
      value = false;
    } else if (*at == ',') {
      value = true;
      at = in_object(&in) ? skip_name(at + 1, end) : at + 1;
    } else if (*at == (in_object(&in) ? '}' : ']')) {
      at++;
      in.depth--;
    } else {
      at = NULL;
    }
  } while (at != NULL && in.depth > 0);
  release(&in.bits);
  return at;
}

bool is_json(text json) {
  if (json.size == 0) return false;
  const char *end = json.at + json.size, *at = skip_value(json.at, end);
  return at != NULL && skip_blanks(at, end) == end;
}

bool next_item(text *list, text *item) {
  const char *end = list->at + list->size;
  const char *at = skip_blanks(list->at, end);
  if (at == end || (*at != '[' && *at != ',')) return false;
  at = skip_blanks(at + 1, end);
  const char *behind = skip_value(at, end);
  if (behind == NULL) return false;
  *item = (text){at, (size_t)(behind - at)};
  *list = (text){behind, (size_t)(end - behind)};
  return true;
}

bool member_of(text object, const char *name, text *value) {
  const char *end = object.at + object.size;
  const char *at = skip_blanks(object.at, end);
  struct bytes decoded = {0};
  bool found = false;
  if (at == end || *at != '{') return false;
  do {
    const char *key = skip_blanks(at + 1, end);
    const char *behind = skip_string(key, end);
    if (behind == NULL) break;
    decoded.size = 0;
    append_decoded(&decoded, (text){key, (size_t)(behind - key)});
    at = skip_blanks(skip_name(key, end), end);
    behind = skip_value(at, end);
    if (behind == NULL) break;
    if (is_text(text_in(&decoded), name)) {
      *value = (text){at, (size_t)(behind - at)};
      found = true;
    }
    at = skip_blanks(behind, end);
  } while (at < end && *at == ',');
  release(&decoded);
  return found;
}

static uint32_t unit_at(const char *at) {
  uint32_t unit = 0;
  for (int nth = 0; nth < 4; nth++) unit = unit << 4 | (uint32_t)hex_of(at[nth]);
  return unit;
}

bool append_decoded(struct bytes *to, text value) {
  if (value.size < 2 || value.at[0] != '"') return false;
  size_t most = to->size + LONGEST_DECODED;
  reserve(to, value.size < LONGEST_DECODED ? value.size : LONGEST_DECODED);
  const char *end = value.at + value.size - 1;
  for (const char *at = value.at + 1; at < end && to->size < most;) {
    if (*at != '\\') {
      uint32_t character;
      at += next_character((text){at, (size_t)(end - at)}, &character);
      append_character(to, character);
      continue;
    }
    char escape = at[1];
    at += 2;
    if (escape != 'u') {
      static const char names[] = "bfnrt", meant[] = "\b\f\n\r\t";
      const char *named = strchr(names, escape);
      append(to, named ? &meant[named - names] : &escape, 1);
      continue;
    }
    uint32_t unit = unit_at(at);
    at += 4;
    if (unit >= 0xD800 && unit < 0xDC00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
      uint32_t low = unit_at(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        append_character(to, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
        at += 6;
        continue;
      }
    }
    append_character(to, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
  }
  return true;
}

void append_json(struct bytes *to, text string) {
  append(to, "\"", 1);
  for (size_t at = 0; at < string.size;) {
    uint32_t character;
    at += next_character((text){string.at + at, string.size - at}, &character);
    static const char names[] = "\"\\bfnrt", meant[] = "\"\\\b\f\n\r\t";
    const char *found = character == 0 || character > 0x7F ? NULL : strchr(meant, (int)character);
    if (found) {
      append(to, (const char[]){'\\', names[found - meant]}, 2);
    } else if (character < 0x20) {
      static const char digits[] = "0123456789abcdef";
      append(to, (const char[]){'\\', 'u', '0', '0', digits[character >> 4], digits[character & 15]}, 6);
    } else {
      append_character(to, character);
    }
  }
  append(to, "\"", 1);
}
