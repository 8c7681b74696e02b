import type { Client } from '../../clients/index.ts'
import type { Event, Facts, Regex, SubHookReply } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'
import { gatherFacts } from '../facts/gather-facts.ts'
import { agreedRewrite, repliesForInput, rewriteNotApplied, withoutUnchangedInput } from '../subhooks/input-rewrite.ts'
import { type NamedSubHook, type SubHookAnswer, subHooksFor } from '../subhooks/sub-hooks.ts'
import { type Shell, withActions } from './actions.ts'

/** An event, and the facts that its evaluation may use. */
export interface PreparedEvent {
  readonly event: Event
  readonly facts: Facts
}

/** The payload as the client sent it, and as a sub-hook rewrote it. The rewritten call runs if the client accepts rewrites. */
export interface PreparedPayload {
  readonly sent: readonly PreparedEvent[]
  readonly rewritten?: readonly PreparedEvent[]
}

/** Analysed events, before any sub-hook has run. */
export interface AnalysedEvents {
  readonly sent: readonly PreparedEvent[]
  /** the sub-hooks that match */
  readonly hooks: readonly NamedSubHook[]
}

export interface EventAnalysisInput {
  readonly client: Client
  readonly payload: JsonObject
  readonly events: readonly Event[]
  readonly program: Policy
  readonly root: string
  readonly home: string
  readonly launcher?: string
  /** the call carries a valid approval */
  readonly approved?: boolean
  /** all files it may change, by its approval */
  readonly may?: readonly string[] | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: number
  readonly regex: Regex
  readonly shell: () => Shell
}

/** The actions of a new payload's calls, and the sub-hooks that match. */
export function analyseEvents(given: EventAnalysisInput): AnalysedEvents {
  const { events, program, regex } = given
  const sent = events.map(event => readyFor(event, given))
  const [first] = sent
  const full = sent.map(one => one.event)
  return { sent, hooks: first ? subHooksFor(full, program, { facts: first.facts, regex }) : [] }
}

function readyFor(event: Event, given: EventAnalysisInput): PreparedEvent {
  const { client, root, program } = given
  const full = withActions(event, { ...given, vars: knownShellVariables(client, root), cwd: event.cwd ?? given.cwd })
  return { event: full, facts: gatherFacts(full, program, given) }
}

/** Variables of the agent's shell whose values are certain. */
export const knownShellVariables = (client: Client, root: string): Readonly<Record<string, string>> =>
  client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }

/** The events with the sub-hooks' replies in their facts. */
export function preparePayload(
  { sent }: AnalysedEvents,
  said: readonly SubHookAnswer[],
  given: EventAnalysisInput,
): PreparedPayload {
  if (said.length === 0) return { sent }
  const answers = said.map(one => withoutUnchangedInput(one, given))
  const outcome = agreedRewrite(answers, given)
  const replies = repliesForInput(answers, 'sent')
  if (!outcome) return { sent: hearing(sent, { replies }) }
  const problem = 'problem' in outcome ? outcome.problem : rewriteNotApplied(outcome.rewrite.by)
  const unheeded: SubHookReply = { from: 'hooks', verdict: { decision: 'pass' }, problem }
  const asSent = hearing(sent, { replies: [...replies, unheeded] })
  if ('problem' in outcome) return { sent: asSent }
  const { events, rewrite } = outcome
  const again = events.map(event => readyFor(event, given))
  return { sent: asSent, rewritten: hearing(again, { replies: repliesForInput(answers, 'rewritten'), rewrite }) }
}

/** The client gets one reply, for the first event of a payload, so the sub-hooks' replies count there. */
const hearing = (list: readonly PreparedEvent[], said: Pick<Facts, 'replies' | 'rewrite'>): readonly PreparedEvent[] =>
  list.map(({ event, facts }, nth) => {
    const replies = [...(facts.replies ?? []), ...(said.replies ?? [])]
    return { event, facts: nth === 0 ? { ...facts, ...said, replies } : facts }
  })
