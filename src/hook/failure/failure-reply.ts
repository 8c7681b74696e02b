import type { EventKind } from '../../engine/index.ts'
import { messageOf } from '../../lib/errors.ts'
import { failureModeOf, type LoadedPolicy } from '../../policy/index.ts'
import { redact, writeToSpool } from '../../store/index.ts'
import { DeadlineExceeded } from '../budget/deadline.ts'
import { projectRoot } from '../events/project-root.ts'
import { isAboutPast } from '../events/unknown-event.ts'
import { exportFailure } from '../exports/export-outcome.ts'
import { countUnevaluated, hasMessage } from '../notices/notices.ts'
import type { FailureContext, HookCall, HookResult, HookServices } from '../services/hook-services.ts'
import { statelessRefusal } from './stateless-refusal.ts'
import { recordUndecodablePayload } from './undecodable-payload.ts'

/** Event name or kind of a payload that is not valid JSON. Only the text before the tool input counts: the input can contain any text. */
function shownIn(
  text: string,
  { eventNames }: HookCall['client'],
): { readonly name?: string; readonly kind?: EventKind } {
  const [head = ''] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const name = /"(?:hook_event_name|hookEventName|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  const isUnknownCall = name !== undefined && eventNames?.has(name) === false && /"tool(?:_name|Name)"/.test(head)
  if (isUnknownCall && !isAboutPast(name)) return { kind: 'tool.before' }
  if (name !== undefined) return { name }
  if (/"tool(?:_result|Result)"/.test(head)) return { kind: 'tool.after' }
  if (/"tool(?:_name|Name)"/.test(head)) return { kind: 'tool.before' }
  return head.includes('"prompt"') ? { kind: 'prompt.submit' } : {}
}

/** The answer after a failed phase: the policy's failure mode, or the command line's if that is stricter. */
export function failureReply(failure: FailureContext, services: HookServices, error: unknown): HookResult {
  const { call: request, event, isForeignState, ...known } = failure
  const why = messageOf(error)
  const cause = error instanceof DeadlineExceeded ? 'time' : failure.cause
  const { client, env, cwd, now } = request
  const { home, state } = services.folders
  // a payload that cannot be decoded does not name its project: use the environment and working directory
  const root = known.root ?? projectRoot({ project: client.projectEnv && env[client.projectEnv], cwd, home })
  const policy = known.failureMode ? undefined : policyAt(root, request, services)
  // the hook's command line can make the failure mode stricter than the policy, not looser
  const failureMode =
    request.onError === 'closed' ? 'closed' : (known.failureMode ?? (policy && failureModeOf(policy.program)))
  const unjudged = event && { event, root, program: known.policy?.program, late: cause === 'time', why }
  const refusal = failureMode === 'closed' ? undefined : unjudged && statelessRefusal(unjudged, request, services)
  // without a policy, only the caller's last resort knows which failure mode was declared
  if (failureMode === undefined && !refusal) return { requiresOneShot: why, onRecord: redact(why.slice(0, 300)) }
  const shown = shownIn(request.text, client)
  const name = event?.name ?? request.event ?? shown.name
  const kind = event?.kind ?? (name === undefined ? shown.kind : undefined)
  const declared = client.failure(failureMode ?? 'open', { name, kind, cause }, why)
  const reply = declared.refuses ? declared : (refusal ?? declared)
  const about = { client: client.id, root, now, why }
  const refused = reply.refuses === true
  const isRecorded =
    cause === 'input' &&
    recordUndecodablePayload({ ...about, name: name ?? kind, refused }, services.store, services.folders)
  const decision = refused ? 'deny' : 'pass'
  if (!isRecorded && !isForeignState)
    writeToSpool(state, {
      ...{ at: now, client: client.id, event: name ?? kind ?? 'unread', tool: event?.call?.tool, decision },
      root: root.slice(0, 1000),
      why: redact(why.slice(0, 300)),
    })
  if (!refused && !isForeignState && mayBeCall(client, kind, name) && !hasMessage(reply))
    countUnevaluated(state, client.id)
  return exportFailure(reply, known.gateExports ?? policy?.exports ?? [], { ...about, cause, tool: event?.call?.tool })
}

/** True if the payload names no event: it may be a tool call. */
const mayBeCall = (client: HookCall['client'], kind: EventKind | undefined, name: string | undefined): boolean =>
  name === undefined ? kind === undefined || REFUSABLE.includes(kind) : client.refusable.includes(name)

const REFUSABLE: readonly EventKind[] = ['tool.before', 'permission.request']

/** Undefined if the policy cannot be loaded here: it may be what failed. */
function policyAt(root: string, { cwd }: HookCall, services: HookServices): LoadedPolicy | undefined {
  try {
    const policy = services.policy(root, cwd)
    return 'requiresOneShot' in policy ? undefined : policy
  } catch {
    return undefined
  }
}
