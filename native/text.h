// Texts with their length, and a buffer that grows: payloads hold NUL bytes and are long.
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

/** Given by the program. */
_Noreturn void out_of_memory(void);
/** From now on memory that was put aside is taken first, anew each time: enough for an answer. What was in it before is gone. */
void use_spare(void);

text text_of(const char *string);
text text_in(const struct bytes *bytes);
bool is_text(text one, const char *other);

/** Room for so many more. */
void reserve(struct bytes *to, size_t more);
void append(struct bytes *to, const void *from, size_t size);
void append_text(struct bytes *to, text from);
void append_string(struct bytes *to, const char *string);
/** The bytes as a C string, where they are. */
char *c_string(struct bytes *bytes);
/** Gives them back. */
void release(struct bytes *bytes);

/** The next character of UTF-8, and how many bytes it takes. What is none is U+FFFD, in as many pieces as Node makes of it. */
size_t next_character(text from, uint32_t *character);
void append_character(struct bytes *to, uint32_t character);
/** With every byte that is no UTF-8 replaced, as Node reads all that it is given. */
void append_clean(struct bytes *to, text from);
/** As JavaScript counts: in units of UTF-16. Stops counting beyond `most`. */
size_t utf16_length(text from, size_t most);
/** So many bytes are the first `units` of it. */
size_t bytes_of_units(text from, size_t units);
/** What `\s` and `trim` take for a blank. */
bool is_blank(uint32_t character);

/** An absolute path without `.`, `..`, or a slash too many. */
void append_resolved(struct bytes *to, text path);

#endif
