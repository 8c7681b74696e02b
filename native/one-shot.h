// The same pipeline in a process of its own: Node, started by the launcher and watched. Who ends without an answer has given none.
#ifndef ONE_SHOT_H
#define ONE_SHOT_H

/** What it is told of the call's id: its own process id, a dash, the id. A daemon is told the id alone. */
#define CALL_ID "SIGNALBOX_CALL"

/** With the time that is left. Gives its answer, or the failure answer. */
_Noreturn void one_shot(char *const *argv, int argc);
/** There is one answer: whoever is still at another is ended. */
void end_one_shot(void);

#endif
