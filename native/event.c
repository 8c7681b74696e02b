#define _GNU_SOURCE
#include "event.h"

#include <string.h>
#include <strings.h>

#include "json.h"

static const text NOTHING = {NULL, 0};

/** The length of the quoted name at this position, if it is one of `names`; else 0. */
static size_t quoted_name(text at, const char *const *names) {
  for (; *names; names++) {
    size_t size = strlen(*names);
    if (at.size >= size + 2 && at.at[0] == '"' && memcmp(at.at + 1, *names, size) == 0 && at.at[size + 1] == '"')
      return size + 2;
  }
  return 0;
}

/** The position of the first of these names in quotes, or the end. */
static size_t find_name(text in, const char *const *names) {
  for (size_t at = 0; at < in.size; at++)
    if (in.at[at] == '"' && quoted_name((text){in.at + at, in.size - at}, names) > 0) return at;
  return in.size;
}

static text without_blanks(text from) {
  uint32_t character;
  while (from.size > 0) {
    size_t size = next_character(from, &character);
    if (!is_blank(character)) break;
    from = (text){from.at + size, from.size - size};
  }
  return from;
}

/** The event name in a payload that was cut off. */
static text named_in(text head) {
  static const char *const names[] = {"hook_event_name", "hookEventName", "hookName", "event", NULL};
  for (size_t at = 0; at < head.size; at++) {
    text rest = {head.at + at, head.size - at};
    size_t size = quoted_name(rest, names);
    if (size == 0) continue;
    rest = without_blanks((text){rest.at + size, rest.size - size});
    if (rest.size == 0 || rest.at[0] != ':') continue;
    rest = without_blanks((text){rest.at + 1, rest.size - 1});
    if (rest.size == 0 || rest.at[0] != '"') continue;
    for (size_t end = 1; end < rest.size && rest.at[end] != '\\'; end++) {
      if (rest.at[end] != '"') continue;
      if (end > 1) return (text){rest.at + 1, end - 1};
      break;
    }
  }
  return NOTHING;
}

bool is_refusable(text event) {
  static const char *const names[] = {
      "pretooluse",  "pre_tooluse",       "pretool_use",        "pre_tool_use",       "beforetool",
      "before_tool", "tool.before",       "permissionrequest",  "permission_request", "permission.request",
      NULL,
  };
  for (const char *const *name = names; *name; name++)
    if (event.size == strlen(*name) && strncasecmp(event.at, *name, event.size) == 0) return true;
  return false;
}

/** Whether this is the result of a call. Only if the payload is complete: an agent chooses the contents of its tool input. */
static bool is_result(text payload) {
  text value;
  return payload.size > 0 && (member_of(payload, "tool_result", &value) || member_of(payload, "toolResult", &value));
}

static bool has_end(text event, const char *end) {
  size_t size = strlen(end);
  return event.size >= size && strncasecmp(event.at + event.size - size, end, size) == 0;
}

static bool has_start(text event, const char *start) {
  size_t size = strlen(start);
  return event.size >= size && strncasecmp(event.at, start, size) == 0;
}

/** Event names about a call of the past: there is nothing left to deny. */
static bool is_past(text event) {
  static const char *const ends[] = {"after", "denied", "fail",     "failed",    "failure",  "error", "result",  "end",
                                     "ended", "done",   "complete", "completed", "finished", "stop",  "stopped", NULL};
  for (const char *const *end = ends; *end; end++)
    if (has_end(event, *end)) return true;
  return has_start(event, "post") || has_start(event, "after");
}

/** The payload up to the input of its call, which an agent chooses. */
static text head_of(text whole, bool *holds_call) {
  static const char *const inputs[] = {"tool_input", "toolArgs", "toolInput", NULL};
  static const char *const tools[] = {"tool_name", "toolName", "tool_info", "tool_call", "toolCall", NULL};
  text all = {whole.at, bytes_of_units(whole, 65536)}, head = {all.at, find_name(all, inputs)};
  // some agents name no tool, or give their calls in a field of their own
  *holds_call = head.size < all.size || find_name(head, tools) < head.size;
  return head;
}

bool carries_unknown_call(text event, text whole, text payload) {
  static const char *const results[] = {"tool_response", "tool_result", "toolResult", "tool_output",
                                        "toolOutput",    "tool_error",  "error",      NULL};
  text value;
  bool holds_call;
  head_of(whole, &holds_call);
  if (is_past(event) || !holds_call) return false;
  for (const char *const *result = results; payload.size > 0 && *result; result++)
    if (member_of(payload, *result, &value)) return false;
  return true;
}

/** A JSON object that is not empty. */
static bool has_members(text payload) {
  text rest = without_blanks(payload);
  if (rest.size == 0 || rest.at[0] != '{') return false;
  rest = without_blanks((text){rest.at + 1, rest.size - 1});
  return rest.size > 0 && rest.at[0] == '"';
}

struct event event_of(const struct payload_clues *clues) {
  static const char *const prompts[] = {"prompt", NULL};
  if (clues->named.at) return (struct event){clues->named, false};
  if (clues->given.at) return (struct event){clues->given, false};
  bool holds_call;
  text head = head_of(clues->whole, &holds_call);
  text found = named_in(head);
  if (found.at) return (struct event){found, false};
  bool has_result = is_result(clues->payload), is_call = holds_call && !has_result;
  if (is_call && clues->unnamed) return (struct event){text_of(clues->unnamed), false};
  bool is_other =
      has_result || find_name(head, prompts) < head.size || (clues->names_tools && has_members(clues->payload));
  return (struct event){text_of(""), is_call || !is_other};
}
