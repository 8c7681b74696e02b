import type { Client, Heard } from '../clients/index.ts'
import { actsOf, type Event, type Facts, type HookReply, matchCondition, type Scene } from '../core/index.ts'
import type { JsonObject, Regex } from '../pattern/index.ts'
import type { Hook, Policy } from '../policy/index.ts'
import { type Errand, runErrand } from './process-group.ts'

/** A hook of the policy with the name that the record knows it by. */
export interface NamedHook extends Hook {
  /** `hook:layer/n`, counted in each layer */
  readonly id: string
}

/** What one sub-hook said, and the input it wants the call to have. */
export interface Answer extends HookReply {
  readonly input?: JsonObject
}

/** The hooks this payload concerns, by layer and position. One whose condition cannot be told is asked: it may know. */
export function hooksFor(
  events: readonly Event[],
  program: Policy,
  world: { readonly facts: Facts; readonly regex: Regex },
): readonly NamedHook[] {
  if (program.hooks.length === 0) return []
  const seen = new Map<string, number>()
  const named = program.hooks.map(hook => {
    const nth = (seen.get(hook.layer) ?? 0) + 1
    seen.set(hook.layer, nth)
    return { ...hook, id: `hook:${hook.layer}/${nth}` }
  })
  return named.filter(hook => events.some(event => concerns(hook, { event, program, ...world })))
}

function concerns({ events, when }: Hook, world: Pick<Scene, 'event' | 'program' | 'facts' | 'regex'>): boolean {
  if (!events.includes(world.event.kind)) return false
  const nothing = () => undefined
  const scene: Scene = { ...world, turn: 0, state: nothing, captured: nothing, fill: value => value }
  return actsOf(world.event).some(act => matchCondition(when, act, scene, 'any') !== 'false')
}

interface Asking extends Pick<Errand, 'input' | 'env' | 'cwd'> {
  readonly client: Client
  /** the event the client is answered for */
  readonly event: Event
}

/** Runs them all at once, each for as long as it may. Called once for a fresh event, never for a repeat: they have effects. */
export function askHooks(hooks: readonly NamedHook[], asking: Asking): Promise<readonly Answer[]> {
  return Promise.all(hooks.map(hook => ask(hook, asking)))
}

/** A hook may run an agent whose hooks come here again; one that runs this very hook must not go on for ever. */
const DEPTH = 'SIGNALBOX_DEPTH'
const DEEPEST = 3

async function ask(hook: NamedHook, { client, event, ...errand }: Asking): Promise<Answer> {
  const depth = Number(errand.env[DEPTH] ?? 0) || 0
  if (depth >= DEEPEST) return failure(hook, `was not started: it runs inside itself, ${depth} deep`, event)
  const env = { ...errand.env, [DEPTH]: String(depth + 1) }
  const ran = await runErrand({ ...errand, env, line: hook.run, timeoutMs: hook.timeoutMs })
  return answerOf(hook, 'failed' in ran ? ran : client.hear(ran, event), event)
}

function answerOf(hook: NamedHook, heard: Heard, event: Event): Answer {
  if ('failed' in heard) return failure(hook, heard.failed, event)
  const { verdict, input, lost } = heard
  const problem = lost && `${nameOf(hook)}: not passed on: ${lost.map(key => `\`${key}\``).join(', ')}`
  return { from: hook.id, verdict, ...(input && { input }), ...(problem && { problem }) }
}

/** Only a call is refused for a failure: a prompt would be erased, a stop would loop. */
function failure(hook: NamedHook, why: string, { kind }: Event): Answer {
  const problem = `${nameOf(hook)} ${why}`
  const refuses = hook.onError === 'closed' && (kind === 'tool.before' || kind === 'permission.request')
  return {
    from: hook.id,
    problem,
    verdict: refuses
      ? {
          decision: 'deny',
          reason: `The hook \`${short(hook.run)}\` failed, and refuses when it does: it ${why}. Tell the user; trying again will not help.`,
        }
      : { decision: 'pass' },
  }
}

const nameOf = ({ id, run }: NamedHook): string => `${id} \`${short(run)}\``

const short = (line: string): string => {
  const [first = ''] = line.split('\n', 1)
  return first.length > 80 ? `${first.slice(0, 79)}…` : first
}
