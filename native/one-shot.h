// Runs the same pipeline in a one-shot process: Node, started by the launcher and watched. A child without an answer counts as failed.
#ifndef ONE_SHOT_H
#define ONE_SHOT_H

/** The variable with the call's id for the child: its process id, a dash, the id. The daemon gets it with our process id. */
#define CALL_ID "SIGNALBOX_CALL"

/** Runs the one-shot process with the remaining time. Gives its answer, or the failure answer. */
_Noreturn void one_shot(char *const *argv, int argc);
/** Kills a running one-shot process, because there is only one answer. */
void end_one_shot(void);

#endif
