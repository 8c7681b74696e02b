import type { Client, HookOutputResult } from '../../clients/index.ts'
import {
  actionsOf,
  type Event,
  type Facts,
  type MatchContext,
  matchCondition,
  matchText,
  type Regex,
  type SubHookReply,
} from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Policy, SubHook } from '../../policy/index.ts'
import { type GroupCommand, runInProcessGroup } from '../process/process-group.ts'
import { startWatchdog } from '../process/watchdog.ts'
import { reentrancyMarkersIn, withReentrancyMarker } from './reentrancy-marker.ts'

/** A hook of the policy with its name in audit records. */
export interface NamedSubHook extends SubHook {
  /** `hook:layer/n`, counted in each layer */
  readonly id: string
}

/** The reply of one sub-hook, and the input it wants the call to have. */
export interface SubHookAnswer extends SubHookReply {
  readonly input?: JsonObject
}

/** The hooks that match this payload, by layer and position. A hook whose condition is unknown runs too: it may know more. */
export function subHooksFor(
  events: readonly Event[],
  program: Policy,
  world: { readonly facts: Facts; readonly regex: Regex },
): readonly NamedSubHook[] {
  const seen = new Map<string, number>()
  const named = program.hooks.map(hook => {
    const nth = (seen.get(hook.layer) ?? 0) + 1
    seen.set(hook.layer, nth)
    return { ...hook, id: `hook:${hook.layer}/${nth}` }
  })
  return named.filter(hook => events.some(event => concerns(hook, { event, program, ...world })))
}

function concerns(hook: SubHook, world: Pick<MatchContext, 'event' | 'program' | 'facts' | 'regex'>): boolean {
  const { events, when } = hook
  if (!events.includes(world.event.kind) || !isFor(hook, world.event, world.regex)) return false
  const nothing = () => undefined
  const context: MatchContext = { ...world, turn: 0, state: nothing, captured: nothing, fill: value => value }
  return actionsOf(world.event).some(action => matchCondition(when, action, context, 'any') !== 'false')
}

/** Checks the hook's clients, event names and tool matcher, all in the client's own names. */
function isFor({ clients, called, matcher }: SubHook, { client, name, call }: Event, regex: Regex): boolean {
  if (clients?.includes(client) === false || called?.includes(name) === false) return false
  if (matcher === undefined) return true
  const tool = call?.native ?? call?.tool
  return tool !== undefined && matchText(matcher, tool, { regex, fill: value => value }) !== 'false'
}

export interface SubHookCall extends Pick<GroupCommand, 'input' | 'env' | 'cwd' | 'passed'> {
  readonly client: Client
  /** the event that the reply is for */
  readonly event: Event
  /** marks the processes of this event */
  readonly mark: string
  /** the time left for all sub-hooks, in ms */
  readonly left: () => number
}

/** Runs all hooks in parallel, each with its own timeout. Called once per new event, never for a repeat: hooks have side effects. */
export async function runSubHooks(
  hooks: readonly NamedSubHook[],
  asking: SubHookCall,
): Promise<readonly SubHookAnswer[]> {
  const depth = reentrancyMarkersIn(asking.env).length
  // a hook may run an agent whose hooks arrive here again; a hook that runs itself must stop
  if (depth >= DEEPEST)
    return answersOfSkippedHooks(hooks, `was not started: it calls itself, ${depth} levels deep`, asking.event)
  const watchdog = startWatchdog(asking.mark, asking.env.PATH)
  const errand = { ...asking, env: withReentrancyMarker(asking.env, asking.mark), watchdog }
  try {
    return await Promise.all(hooks.map(hook => ask(hook, errand)))
  } finally {
    await watchdog.finish()
  }
}

const DEEPEST = 3

async function ask(
  hook: NamedSubHook,
  { client, event, left, ...errand }: SubHookCall & Pick<GroupCommand, 'watchdog'>,
): Promise<SubHookAnswer> {
  // the lease may have come late, after another process died
  const leftMs = Math.floor(left())
  if (leftMs <= 0) return failure(hook, 'was not started: no time was left', event)
  const time =
    leftMs < hook.timeoutMs
      ? { timeoutMs: leftMs, limit: `the ${leftMs} ms that were left of its ${hook.timeoutMs} ms` }
      : { timeoutMs: hook.timeoutMs }
  const ran = await runInProcessGroup({ ...errand, line: hook.run, ...time })
  // a truncated reply is unusable, but exit code 2 is a complete answer by itself
  const parsed = 'failed' in ran ? ran : ran.cut && ran.exitCode === 0 ? FLOOD : client.readOutput(ran, event)
  return answerOf(hook, parsed, event)
}

const FLOOD = { failed: 'gave a reply that is not JSON: it printed more than 1 MB' }

/** The failure answers of hooks that are not run. */
export const answersOfSkippedHooks = (
  hooks: readonly NamedSubHook[],
  why: string,
  event: Event,
): readonly SubHookAnswer[] => hooks.map(hook => failure(hook, why, event))

function answerOf(hook: NamedSubHook, parsed: HookOutputResult, event: Event): SubHookAnswer {
  if ('failed' in parsed) return failure(hook, parsed.failed, event)
  const { verdict, input, lost } = parsed
  const problem = lost && `${nameOf(hook)}: ignored, unknown to this agent: ${lost.map(key => `\`${key}\``).join(', ')}`
  return { from: hook.id, verdict, ...(input && { input }), ...(problem && { problem }) }
}

/** Only a tool call is denied after a failure: a denied prompt would be erased, a denied stop would loop. */
function failure(hook: NamedSubHook, why: string, { kind }: Event): SubHookAnswer {
  const problem = `${nameOf(hook)} ${why}`
  const refuses = hook.onError === 'closed' && (kind === 'tool.before' || kind === 'permission.request')
  return {
    from: hook.id,
    problem,
    verdict: refuses
      ? {
          decision: 'deny',
          reason: `The hook \`${short(hook.run)}\` failed: it ${why}. The policy then denies the call. Tell the user; trying again will not help.`,
        }
      : { decision: 'pass' },
  }
}

const nameOf = ({ id, run }: NamedSubHook): string => `${id} \`${short(run)}\``

const short = (line: string): string => {
  const [first = ''] = line.split('\n', 1)
  return first.length > 80 ? `${first.slice(0, 79)}…` : first
}
