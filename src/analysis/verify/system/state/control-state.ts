import type { LiveAgent } from '../agents/live-agents.ts'

/** The part of a state that is not in the engine's session. */
export interface ControlState {
  /** a subagent that is running, and for which the main agent may wait */
  readonly liveAgent?: LiveAgent | undefined
  /** the main agent waits for a prompt: at the start and after each turn, if every prompt may be refused */
  readonly isAwaitingPrompt: boolean
  /** a call that has begun and not ended while others are made: its index in the list of calls */
  readonly pendingCall?: number | undefined
}

/** The key of a control state without its live agent. */
export const controlKey = ({ isAwaitingPrompt, pendingCall }: ControlState): string =>
  `${pendingCall ?? ''}${isAwaitingPrompt ? 'awaits prompt' : ''}`

/** The same control state after the live agent has ended. */
export const withoutLiveAgent = ({ liveAgent: _, ...control }: ControlState): ControlState => control
