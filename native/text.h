// Texts with a length, and a growing buffer: payloads contain NUL bytes and are long.
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *at;
  size_t size;
} text;

struct bytes {
  char *at;
  size_t size, room;
};

/** Defined by the program. */
_Noreturn void out_of_memory(void);
/** Uses the spare memory from now on, from its start each time: enough for one answer. Its earlier contents are lost. */
void use_spare(void);

text text_of(const char *string);
text text_in(const struct bytes *bytes);
bool is_text(text one, const char *other);

/** Makes room for `more` bytes. */
void reserve(struct bytes *to, size_t more);
void append(struct bytes *to, const void *from, size_t size);
void append_text(struct bytes *to, text from);
void append_string(struct bytes *to, const char *string);
/** The bytes as a C string, in place. */
char *c_string(struct bytes *bytes);
/** Frees the bytes. */
void release(struct bytes *bytes);

/** Decodes the next UTF-8 character and returns its length in bytes. Invalid bytes become U+FFFD, in as many pieces as in Node. */
size_t next_character(text from, uint32_t *character);
void append_character(struct bytes *to, uint32_t character);
/** Replaces invalid UTF-8, as Node does with its input. */
void append_clean(struct bytes *to, text from);
/** The length in UTF-16 units, as in JavaScript. Stops counting beyond `most`. */
size_t utf16_length(text from, size_t most);
/** The number of bytes in the first `units` UTF-16 units. */
size_t bytes_of_units(text from, size_t units);
/** Whether `\s` and `trim` treat the character as a blank. */
bool is_blank(uint32_t character);

/** Appends an absolute path without `.`, `..` and duplicate slashes. */
void append_resolved(struct bytes *to, text path);

#endif
