import type { Client } from '../clients/index.ts'
import type { Event, Facts, HookReply } from '../core/index.ts'
import type { JsonObject, Regex } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { type Shell, withActs } from './acts.ts'
import { gatherFacts } from './facts.ts'
import { notHere, repliesTo, rewriting, withoutIdle } from './rewrite.ts'
import { askHooks, hooksFor } from './sub-hooks.ts'

/** An event and all that may be known when it is judged. */
export interface Ready {
  readonly event: Event
  readonly facts: Facts
}

/** As the client sent it, and as a sub-hook rewrote it: that is what will run, if the client can be told. */
export interface Preparation {
  readonly sent: readonly Ready[]
  readonly rewritten?: readonly Ready[]
}

interface Preparing {
  readonly client: Client
  /** the payload as it came */
  readonly text: string
  readonly payload: JsonObject
  readonly events: readonly Event[]
  readonly program: Policy
  readonly root: string
  readonly home: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: number
  readonly regex: Regex
  readonly shell: () => Shell
  /** told how long the answer may take, in ms since the event came */
  readonly answerBy?: ((ms: number) => void) | undefined
}

/** All the slow work of a fresh event: what its calls do, and what the sub-hooks say of it. */
export async function prepare(given: Preparing): Promise<Preparation> {
  const { client, events, program } = given
  const vars = client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: given.root }
  const ready = (event: Event): Ready => {
    const full = withActs(event, { ...given, vars, cwd: event.cwd ?? given.cwd })
    return { event: full, facts: gatherFacts(full, program, given) }
  }
  const sent = events.map(ready)
  const [first] = sent
  const hooks = first
    ? hooksFor(
        sent.map(one => one.event),
        program,
        { facts: first.facts, regex: given.regex },
      )
    : []
  given.answerBy?.(program.settings.budgetMs + Math.max(0, ...hooks.map(hook => hook.timeoutMs)))
  if (!first || hooks.length === 0) return { sent }
  const { text, env, cwd } = given
  const said = await askHooks(hooks, { client, event: first.event, input: text, env, cwd })
  const answers = said.map(one => withoutIdle(one, given))
  const outcome = rewriting(answers, given)
  const replies = repliesTo(answers, 'sent')
  if (!outcome) return { sent: hearing(sent, { replies }) }
  const problem = 'problem' in outcome ? outcome.problem : notHere(outcome.rewrite.by)
  const unheeded: HookReply = { from: 'hooks', verdict: { decision: 'pass' }, problem }
  const asSent = hearing(sent, { replies: [...replies, unheeded] })
  if ('problem' in outcome) return { sent: asSent }
  const { event, rewrite } = outcome
  const heeded = { replies: repliesTo(answers, 'rewritten'), rewrite }
  return { sent: asSent, rewritten: hearing([ready(event)], heeded) }
}

/** The client is answered for the first event of a payload: what was said to it counts there. */
const hearing = (list: readonly Ready[], said: Pick<Facts, 'replies' | 'rewrite'>): readonly Ready[] =>
  list.map(({ event, facts }, nth) => ({ event, facts: nth === 0 ? { ...facts, ...said } : facts }))
