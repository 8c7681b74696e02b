import type { Reply } from '../clients/index.ts'
import type { Event } from '../core/index.ts'
import { type Export, type OnError, readPosture } from '../policy/index.ts'
import type { House, Request } from './request.ts'
import { projectRoot } from './root.ts'
import { isRefusal, tellFailure } from './tell.ts'
import { recordUnread } from './unread.ts'

/** How far the walk got: what a failure answer can still tell. */
export interface Known {
  event?: Event | undefined
  root?: string
  exports?: readonly Export[]
  /** what the policy says of failures, once it is loaded */
  posture?: OnError
  /** what could fail just now */
  cause?: 'input' | 'state' | undefined
}

/** A payload that was cut off may still say what it was about, or show it: before the input, which holds anybody's words. */
function nameIn(text: string): string | undefined {
  const [head = ''] = text.slice(0, 65_536).split(/"tool(?:_input|Args|Input)"/, 1)
  const named = /"(?:hook_event_name|hookName|event)"\s*:\s*"([^"\\]+)"/.exec(head)?.[1]
  return (
    named ??
    (/"tool(?:_result|Result)"/.test(text)
      ? 'tool.after'
      : /"tool(?:_name|Name)"/.test(head)
        ? 'tool.before'
        : head.includes('"prompt"')
          ? 'prompt.submit'
          : undefined)
  )
}

/** The answer when the walk broke off: what the policy declares for its project, else what the command line says. */
export function fail(request: Request, house: House, { event, cause, ...known }: Known, why: string): Reply {
  const { client, env, cwd, now } = request
  const { home, state } = house.folders
  // a payload that cannot be read does not say where it is from: the process does
  const root = known.root ?? projectRoot({ project: client.projectEnv && env[client.projectEnv], cwd, home })
  // who registered the hook may ask for more than the policy does, not for less
  const posture = request.onError === 'closed' ? 'closed' : (known.posture ?? readPosture(state, root) ?? 'open')
  const name = event?.name ?? request.event ?? nameIn(request.text)
  const reply = client.failure(posture, { name, kind: event?.kind, cause }, why)
  const about = { client: client.id, root, now, why }
  if (cause === 'input') recordUnread({ ...about, name, refused: isRefusal(reply) }, house.store, house.folders)
  return tellFailure(reply, known.exports ?? exportsAt(root, request, house), { ...about, cause })
}

/** The policy may be what failed. */
function exportsAt(root: string, { cwd }: Request, house: House): readonly Export[] {
  try {
    return house.policy(root, cwd).exports
  } catch {
    return []
  }
}
