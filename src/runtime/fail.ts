import type { Reply } from '../clients/index.ts'
import { type Event, messageOf } from '../core/index.ts'
import type { EventKind } from '../pattern/index.ts'
import { type Export, type LoadedPolicy, type OnError, postureOf } from '../policy/index.ts'
import { leaveInSpool, redact } from '../store/index.ts'
import { Late } from './deadline.ts'
import { Elsewhere } from './elsewhere.ts'
import type { House, Request } from './request.ts'
import { projectRoot } from './root.ts'
import { isRefusal, tellFailure } from './tell.ts'
import { countUnjudged, isSaid } from './unjudged.ts'
import { recordUnread } from './unread.ts'
import { refusedWithoutStore } from './without-store.ts'

/** What a failure answer needs, filled in phase by phase. */
export class FailureContext {
  event?: Event | undefined
  root?: string
  exports?: readonly Export[]
  /** what the policy says of failures, once it is loaded */
  posture?: OnError
  /** with bypasses and the approval applied */
  policy?: Pick<LoadedPolicy, 'program'>
  /** what could fail just now */
  cause: 'input' | 'state' | 'time' | undefined = 'input'
  /** the state folder is not this user's alone: nothing is written there either */
  isForeignState = false
  /** the call, later with the client that really sent it */
  call: Request

  constructor(call: Request) {
    this.call = call
  }

  /** Nothing in the state folder can be believed, so calls are denied. */
  denyForeignState(): void {
    this.cause = 'state'
    this.posture = 'closed'
    this.exports = []
    this.isForeignState = true
  }
}

/** A payload that was cut off may still say what it was about, or show it: before the input, which holds anybody's words. */
function shownIn(text: string): { readonly name?: string; readonly kind?: EventKind } {
  const [head = ''] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const name = /"(?:hook_event_name|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  if (name !== undefined) return { name }
  if (/"tool(?:_result|Result)"/.test(head)) return { kind: 'tool.after' }
  if (/"tool(?:_name|Name)"/.test(head)) return { kind: 'tool.before' }
  return head.includes('"prompt"') ? { kind: 'prompt.submit' } : {}
}

/** The answer when a phase failed: what the policy declares for its project, else what the command line says. */
export function fail(failure: FailureContext, house: House, error: unknown): Reply {
  const { call: request, event, isForeignState, ...known } = failure
  const why = messageOf(error)
  const cause = error instanceof Late ? 'time' : failure.cause
  const { client, env, cwd, now } = request
  const { home, state } = house.folders
  // a payload that cannot be read does not say where it is from: the process does
  const root = known.root ?? projectRoot({ project: client.projectEnv && env[client.projectEnv], cwd, home })
  const policy = known.posture ? undefined : policyAt(root, request, house)
  // who registered the hook may ask for more than the policy does, not for less
  const posture = request.onError === 'closed' ? 'closed' : (known.posture ?? (policy && postureOf(policy.program)))
  const unjudged = event && { event, root, program: known.policy?.program, late: cause === 'time', why }
  const refusal = posture === 'closed' ? undefined : unjudged && refusedWithoutStore(unjudged, request, house)
  // without the policy only the last resort knows what was declared
  if (posture === undefined && !refusal) throw new Elsewhere(why, redact(why.slice(0, 300)))
  const shown = shownIn(request.text)
  const name = event?.name ?? request.event ?? shown.name
  const kind = event?.kind ?? (name === undefined ? shown.kind : undefined)
  const declared = client.failure(posture ?? 'open', { name, kind, cause }, why)
  const reply = isRefusal(declared) ? declared : (refusal ?? declared)
  const about = { client: client.id, root, now, why }
  const refused = isRefusal(reply)
  const isRecorded =
    cause === 'input' && recordUnread({ ...about, name: name ?? kind, refused }, house.store, house.folders)
  const decision = refused ? 'deny' : 'pass'
  if (!isRecorded && !isForeignState)
    leaveInSpool(state, {
      ...{ at: now, client: client.id, event: name ?? kind ?? 'unread', tool: event?.call?.tool, decision },
      root: root.slice(0, 1000),
      why: redact(why.slice(0, 300)),
    })
  if (!refused && !isForeignState && mayBeCall(client, kind, name) && !isSaid(reply)) countUnjudged(state, client.id)
  return tellFailure(reply, known.exports ?? policy?.exports ?? [], { ...about, cause, tool: event?.call?.tool })
}

/** Where the payload does not say: nothing tells that it is no call. */
const mayBeCall = (client: Request['client'], kind: EventKind | undefined, name: string | undefined): boolean =>
  name === undefined ? kind === undefined || REFUSABLE.includes(kind) : client.refusable.includes(name)

const REFUSABLE: readonly EventKind[] = ['tool.before', 'permission.request']

/** The policy may be what failed. */
function policyAt(root: string, { cwd }: Request, house: House): LoadedPolicy | undefined {
  try {
    return house.policy(root, cwd)
  } catch {
    return undefined
  }
}
