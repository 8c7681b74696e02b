#define _GNU_SOURCE
#include "resort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "clients.h"
#include "event.h"
#include "json.h"
#include "place.h"
#include "failure-mode.h"
#include "spool.h"

static const text NOTHING = {NULL, 0};

text option(char *const *args, const char *name) {
  size_t size = strlen(name);
  for (char *const *at = args; *at; at++)
    if (strncmp(*at, name, size) == 0 && (*at)[size] == '=') return text_of(*at + size + 1);
  for (char *const *at = args; *at; at++)
    if (strcmp(*at, name) == 0) return at[1] ? text_of(at[1]) : NOTHING;
  return NOTHING;
}

static const struct client *client_named(text id) {
  for (size_t nth = 0; nth < sizeof CLIENTS / sizeof *CLIENTS; nth++)
    if (is_text(id, CLIENTS[nth].id)) return &CLIENTS[nth];
  return NULL;
}

static const struct words *words_for(const struct client *client, text event) {
  for (const struct words *words = client ? client->words : NULL; words && words->event; words++)
    if (is_text(event, words->event)) return words;
  return NULL;
}

/** A string member of the payload, or nothing. */
static text string_member(text payload, const char *name, struct bytes *received) {
  text value;
  received->size = 0;
  return payload.size > 0 && member_of(payload, name, &value) && append_decoded(received, value)
             ? text_in(received)
             : NOTHING;
}

/** The event of a payload that may be cut off. */
static struct event event_in(char *const *args, text whole, text named, text payload, const struct client *client) {
  const char *unnamed = client ? (client->unnamed ? client->unnamed : client->in_words ? "tool.before" : NULL) : NULL;
  const struct payload_clues clues = {
      whole, payload, named, option(args, "--event"), unnamed, client && client->unnamed,
  };
  return event_of(&clues);
}

/** Whether a failure denies the event if the failure mode is closed. */
static bool may_be_call(struct event event, const struct words *own) {
  return event.is_unknown || (own && own->refuses) || is_refusable(event.name);
}

static void read_all_failure_modes(struct failure_modes *failure_modes, const struct client *client, text cwd) {
  struct bytes state = {0}, here = {0};
  append_state(&state);
  append_here(&here);
  for (char **variable = environ; *variable; variable++) {
    const char *equals = strchr(*variable, '=');
    static const char any[] = "_PROJECT_DIR";
    size_t size = equals ? (size_t)(equals - *variable) : 0;
    if (size == 0) continue;
    // the client's own variable; for an unknown client, every variable with the usual suffix
    bool counts = client ? client->project && is_text((text){*variable, size}, client->project)
                         : size >= sizeof any - 1 && memcmp(equals - (sizeof any - 1), any, sizeof any - 1) == 0;
    if (counts) read_failure_modes(failure_modes, text_in(&state), text_of(equals + 1));
  }
  if (cwd.at) read_failure_modes(failure_modes, text_in(&state), cwd);
  read_failure_modes(failure_modes, text_in(&state), text_in(&here));
  release(&state);
  release(&here);
}

/** Fills the client's own denial template, for clients that ignore the exit code. */
static void fill(struct bytes *to, const char *template, const char *why) {
  struct bytes quoted = {0};
  append_json(&quoted, text_of(why));
  for (const char *place; (place = strstr(template, "{why}")) != NULL; template = place + 5) {
    append(to, template, (size_t)(place - template));
    append(to, quoted.at + 1, quoted.size - 2);
  }
  append_string(to, template);
  release(&quoted);
}

static void append_member(struct bytes *to, const char *name, text value) {
  append(to, to->size > 0 && to->at[to->size - 1] != '{' ? "," : "", to->size > 0 && to->at[to->size - 1] != '{');
  append_json(to, text_of(name));
  append(to, ":", 1);
  if (value.at) append_json(to, value);
  else append_string(to, "null");
}

static text first_units(text from, size_t units) {
  return from.at ? (text){from.at, bytes_of_units(from, units)} : NOTHING;
}

static bool is_late(const char *why) { return strncmp(why, TIMEOUT, sizeof TIMEOUT - 1) == 0; }

/** Writes an error log entry as the program does. */
static void write_entry(const struct failure_modes *failure_modes, text client, text tool, const char *why,
                        bool refused) {
  struct bytes line = {0};
  char at[40];
  append_string(&line, "{");
  append_member(&line, "timestamp", text_of(now_in_words(at, sizeof at)));
  append_member(&line, "error_type", text_of(is_late(why) ? "HOOK_TIMEOUT" : "HOOK_ERROR"));
  append_member(&line, "error_message", text_of(is_late(why) ? why : "the hook ended without a reply"));
  append_member(&line, "tool_name", first_units(tool, 200));
  append_member(&line, "decision", text_of(refused ? "block" : "approve"));
  append_member(&line, "recovery_action", text_of(refused ? "fail_closed" : "fail_open"));
  append_string(&line, "}\n");
  write_logs(failure_modes, client, text_in(&line));
  release(&line);
}

/** Spools the answer until the audit log can be written. */
static void spool(text client, text event, text tool, const char *why, bool refused) {
  struct bytes entry = {0}, state = {0};
  char at[48];
  append(&entry, at, (size_t)snprintf(at, sizeof at, "{\"at\":%lld", now_ms()));
  // short: readers take at most 4 KB, and JSON may escape a character as six
  if (client.at) append_member(&entry, "client", first_units(client, 100));
  append_member(&entry, "event", first_units(event, 100));
  if (tool.at) append_member(&entry, "tool", first_units(tool, 100));
  append_member(&entry, "decision", text_of(refused ? "deny" : "pass"));
  append_member(&entry, "why", first_units(text_of(why), 100));
  append_string(&entry, "}\n");
  append_state(&state);
  write_spool(text_in(&state), text_in(&entry));
  release(&entry);
  release(&state);
}

/** Counts a call that passed unjudged, if the client shows no text for this event. The next event that can show text reports the number. */
static void count_for_notice(text client) {
  struct bytes state = {0};
  append_state(&state);
  count_unjudged(text_in(&state), client);
  release(&state);
}

/** The reply for a protocol that always needs a JSON answer. */
static void append_in_words(struct bytes *to, bool refused, text words, const char *why) {
  struct bytes warning = {0};
  append_string(&warning, "Hook error: ");
  append_text(&warning, words);
  append_string(to, "{");
  append_member(to, "decision", text_of(refused ? "block" : "approve"));
  if (refused) append_member(to, "reason", words);
  else append_member(to, "warning", is_late(why) ? text_of("Hook timeout - allowing request") : text_in(&warning));
  append_string(to, "}");
  release(&warning);
}

/** The text of a reply that passes; for an unknown event, the client's text for unread payloads. */
static const char *unread_words(const struct client *client, struct event event, const struct words *own) {
  if (event.is_unknown) return client ? client->unread : "";
  return own ? own->passes : "";
}

/** The reply in this client's format. `passes`: the text with which the call passes, if any. */
static struct answer failure_answer(const struct client *client, const struct words *own, const char *passes,
                                    bool refused, const char *why) {
  struct answer answer = {0};
  struct bytes words = {0};
  if (refused) append_string(&words, "this call could not be evaluated, so the policy denies it: ");
  append_string(&words, why);
  if (refused) append_string(&words, ". Tell the user.");
  append_string(&answer.err, "signalbox: ");
  append_text(&answer.err, text_in(&words));
  append_string(&answer.err, "\n");
  if (refused && own && own->refuses && *own->refuses) fill(&answer.out, own->refuses, why);
  else if (client && client->in_words) append_in_words(&answer.out, refused, text_in(&words), why);
  else if (!refused && *passes) fill(&answer.out, passes, why);
  else answer.exit_code = refused ? 2 : 0;
  if (answer.out.size > 0) append_string(&answer.out, "\n");
  release(&words);
  return answer;
}

/** A misspelt word is not `open`. */
static bool is_closed_by_option(char *const *args) {
  static const char NAME[] = "--on-error";
  for (char *const *at = args; *at; at++)
    if (strncmp(*at, NAME, sizeof NAME - 1) == 0 && ((*at)[sizeof NAME - 1] == '=' || (*at)[sizeof NAME - 1] == '\0'))
      return !is_text(option(args, NAME), "open");
  return false;
}

struct answer last_resort(char *const *args, text whole, const char *why) {
  text id = option(args, "--client");
  const struct client *client = client_named(id);
  text payload = is_json(whole) ? whole : NOTHING;
  struct bytes name = {0}, tool_name = {0}, folder = {0};
  text tool = string_member(payload, "tool_name", &tool_name), cwd = string_member(payload, "cwd", &folder);
  struct event event = event_in(args, whole, string_member(payload, "hook_event_name", &name), payload, client);
  const struct words *own = words_for(client, event.name);
  event.is_unknown = event.is_unknown || (!own && carries_unknown_call(event.name, whole, payload));
  struct failure_modes failure_modes = {0};
  read_all_failure_modes(&failure_modes, client, cwd);
  bool refused = may_be_call(event, own) && (is_closed_by_option(args) || is_closed(&failure_modes));
  const char *passes = unread_words(client, event, own);
  struct answer answer = failure_answer(client, own, passes, refused, why);
  // an unknown client name must not appear in statistics
  spool(client ? id : NOTHING, event.name, tool, why, refused);
  bool is_shown = (client && client->in_words) || (*passes && strcmp(passes, "{}") != 0);
  if (may_be_call(event, own) && !refused && !is_shown) count_for_notice(client ? id : text_of("unknown"));
  write_entry(&failure_modes, id, tool, why, refused);
  release_failure_modes(&failure_modes);
  release(&name);
  release(&tool_name);
  release(&folder);
  return answer;
}

struct answer shortest_resort(char *const *args, text whole, const char *why) {
  const struct client *client = client_named(option(args, "--client"));
  struct event event = event_in(args, whole, NOTHING, NOTHING, client);
  const struct words *own = words_for(client, event.name);
  event.is_unknown = event.is_unknown || (!own && carries_unknown_call(event.name, whole, NOTHING));
  return failure_answer(client, own, unread_words(client, event, own), may_be_call(event, own), why);
}
