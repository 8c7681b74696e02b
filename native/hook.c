// The program that agents start. `signalbox hook …` sends the payload to the daemon and prints its reply. Other commands, and calls
// without a daemon's answer, go to the launcher beside this program. If that fails too, the last resort answers. In every case there is
// one answer, in time, and never exit code 1.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/random.h>
#endif

#include "call.h"
#include "launcher.h"
#include "one-shot.h"
#include "place.h"
#include "exchange.h"
#include "wait.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/** The daemon may die after recording its answer, and not every event has its own id, so each call gets a random one. */
static void create_call_id(void) {
  unsigned char random[(sizeof call.id - 1) / 2];
  if (getentropy(random, sizeof random) != 0) return;
  for (size_t nth = 0; nth < sizeof random; nth++) snprintf(call.id + 2 * nth, 3, "%02x", random[nth]);
}

/** The same as in `src/hook/daemon/daemon-switch.ts`. */
static bool is_off(const char *wanted) {
  static const char *const no[] = {"off", "0", "no", "false", NULL};
  for (const char *const *one = no; wanted && *one; one++)
    if (strcasecmp(wanted, *one) == 0) return true;
  return false;
}

static void try_daemon(void) {
  struct bytes state = {0}, here = {0};
  append_state(&state);
  append_here(&here);
  call.daemon = find_daemon(text_in(&state));
  enum exchange_result ended = exchange(text_in(&here));
  if (ended == SILENT) mark_silent(&call.daemon);
  bool is_gone = call.daemon.availability == NOT_RUNNING || ended == GONE;
  if (is_gone && has_launcher()) start_daemon(text_in(&state), launcher_path());
}

static _Noreturn void hook(char *const *argv, int argc) {
  read_payload();
  create_call_id();
  if (!is_off(getenv("SIGNALBOX_DAEMON")) && *launcher_path() && call.payload.size <= LONGEST_SENT) try_daemon();
  one_shot(argv, argc);
}

static bool wants_help(char *const *argv) {
  for (; *argv; argv++)
    if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-h") == 0) return true;
  return false;
}

int main(int argc, char **argv) {
  bool is_hook = argc > 1 && strcmp(argv[1], "hook") == 0 && !wants_help(argv + 1);
  if (is_hook) {
    call.args = argv + 2;
    survive_crashes();
  }
  fill_gaps();
  find_launcher(argc > 0 ? argv[0] : "");
  if (is_hook) {
    begin_waiting();
    hook(argv, argc);
  }
  if (has_launcher()) become_launcher(argv, argc);
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    puts("signalbox-hook " VERSION);
    return 0;
  }
  fputs("signalbox: the program files are missing; install Signalbox again and run signalbox init\n", stderr);
  return 2;
}
