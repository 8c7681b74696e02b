import type { Reply } from '../../clients/index.ts'
import type { Event, EventKind } from '../../engine/index.ts'
import { messageOf } from '../../lib/errors.ts'
import { type FailureMode, failureModeOf, type GateExport, type LoadedPolicy } from '../../policy/index.ts'
import { redact, writeToSpool } from '../../store/index.ts'
import { DeadlineExceeded } from '../budget/deadline.ts'
import { projectRoot } from '../events/project-root.ts'
import { exportFailure, isDenyReply } from '../exports/export-outcome.ts'
import { countUnevaluated, hasMessage } from '../notices/unevaluated-calls.ts'
import type { HookCall, HookServices } from '../services/hook-services.ts'
import { RequiresOneShot } from './requires-one-shot.ts'
import { statelessRefusal } from './stateless-refusal.ts'
import { recordUndecodablePayload } from './undecodable-payload.ts'

/** What a failure answer needs, filled in phase by phase. */
export class FailureContext {
  event?: Event | undefined
  root?: string
  exports?: readonly GateExport[]
  /** what the policy says of failures, once it is loaded */
  posture?: FailureMode
  /** with bypasses and the approval applied */
  policy?: Pick<LoadedPolicy, 'program'>
  /** what could fail just now */
  cause: 'input' | 'state' | 'time' | undefined = 'input'
  /** the state folder is not this user's alone: nothing is written there either */
  isForeignState = false
  /** the call, later with the client that really sent it */
  call: HookCall

  constructor(call: HookCall) {
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
export function failureReply(failure: FailureContext, house: HookServices, error: unknown): Reply {
  const { call: request, event, isForeignState, ...known } = failure
  const why = messageOf(error)
  const cause = error instanceof DeadlineExceeded ? 'time' : failure.cause
  const { client, env, cwd, now } = request
  const { home, state } = house.folders
  // a payload that cannot be read does not say where it is from: the process does
  const root = known.root ?? projectRoot({ project: client.projectEnv && env[client.projectEnv], cwd, home })
  const policy = known.posture ? undefined : policyAt(root, request, house)
  // who registered the hook may ask for more than the policy does, not for less
  const posture = request.onError === 'closed' ? 'closed' : (known.posture ?? (policy && failureModeOf(policy.program)))
  const unjudged = event && { event, root, program: known.policy?.program, late: cause === 'time', why }
  const refusal = posture === 'closed' ? undefined : unjudged && statelessRefusal(unjudged, request, house)
  // without the policy only the last resort knows what was declared
  if (posture === undefined && !refusal) throw new RequiresOneShot(why, redact(why.slice(0, 300)))
  const shown = shownIn(request.text)
  const name = event?.name ?? request.event ?? shown.name
  const kind = event?.kind ?? (name === undefined ? shown.kind : undefined)
  const declared = client.failure(posture ?? 'open', { name, kind, cause }, why)
  const reply = isDenyReply(declared) ? declared : (refusal ?? declared)
  const about = { client: client.id, root, now, why }
  const refused = isDenyReply(reply)
  const isRecorded =
    cause === 'input' && recordUndecodablePayload({ ...about, name: name ?? kind, refused }, house.store, house.folders)
  const decision = refused ? 'deny' : 'pass'
  if (!isRecorded && !isForeignState)
    writeToSpool(state, {
      ...{ at: now, client: client.id, event: name ?? kind ?? 'unread', tool: event?.call?.tool, decision },
      root: root.slice(0, 1000),
      why: redact(why.slice(0, 300)),
    })
  if (!refused && !isForeignState && mayBeCall(client, kind, name) && !hasMessage(reply))
    countUnevaluated(state, client.id)
  return exportFailure(reply, known.exports ?? policy?.exports ?? [], { ...about, cause, tool: event?.call?.tool })
}

/** Where the payload does not say: nothing tells that it is no call. */
const mayBeCall = (client: HookCall['client'], kind: EventKind | undefined, name: string | undefined): boolean =>
  name === undefined ? kind === undefined || REFUSABLE.includes(kind) : client.refusable.includes(name)

const REFUSABLE: readonly EventKind[] = ['tool.before', 'permission.request']

/** The policy may be what failed. */
function policyAt(root: string, { cwd }: HookCall, house: HookServices): LoadedPolicy | undefined {
  try {
    return house.policy(root, cwd)
  } catch {
    return undefined
  }
}
