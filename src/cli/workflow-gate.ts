import { clients } from '../clients/index.ts'
import type { Gate } from '../core/index.ts'
import { holdsIn, lifts } from '../runtime/index.ts'
import { SessionReader, type StoredStep } from '../store/index.ts'
import { type GateNow, sessionStates, sharedStates } from './gate-states.ts'
import { liftedNow } from './lifting.ts'
import type { Project } from './project.ts'

/**
 * Why a gate keeps a workflow from going on; undefined: it is open. Looked at in the session of the step before, or in the project, as
 * `signalbox gates` shows it. What is not known is closed.
 */
export function closedGate(project: Project, name: string, last: StoredStep | undefined): string | undefined {
  const { gates } = project.policy.program
  const byId = gates.filter(one => one.id === name)
  // two layers may have a gate of the same name: both must be open
  const named = byId.length > 0 ? byId : gates.filter(one => one.name === name)
  if (named.length === 0) return `there is no gate \`${name}\` here`
  const now = Date.now()
  const bypasses = liftedNow(project.folders, now).filter(one => holdsIn(one, project.root))
  const inForce = named.filter(gate => !bypasses.some(one => lifts(one, gate)))
  if (inForce.length === 0) return undefined
  const reader = SessionReader.open(project.folders.state)
  try {
    return inForce.map(gate => problemOf(gate, project, last, { reader, now })).find(one => one !== undefined)
  } finally {
    reader?.close()
  }
}

interface Look {
  readonly reader: SessionReader | undefined
  readonly now: number
}

function problemOf(gate: Gate, { policy, root }: Project, last: StoredStep | undefined, { reader, now }: Look) {
  const { id, name, scope, initial } = gate
  if (initial === undefined) return `the gate \`${name}\` has no state (\`initial\`), so it never opens`
  const where = { program: policy.program, root, now }
  const shared = reader?.shared(root) ?? {}
  if (scope === 'project')
    return isOpen(id, sharedStates(where, shared)) ? undefined : `the gate \`${name}\` is closed in this project`
  if (!last) return `the gate \`${name}\` is one of a session, and no step before it has had one`
  const client = clients.find(one => one.backend === last.backend)?.id
  const { session } = last
  const known = client !== undefined && session !== undefined ? reader?.one({ client, session }, now) : undefined
  if (!known) return `the state of the gate \`${name}\` is not known: no session of step \`${last.id}\` is alive`
  const isPassed = isOpen(id, sessionStates(where, shared, known))
  return isPassed ? undefined : `the gate \`${name}\` is closed in the session of step \`${last.id}\``
}

/** For the main agent, where each agent has a gate of its own. */
function isOpen(id: string, states: readonly GateNow[]): boolean {
  const own = states.filter(({ gate, caller = 'main' }) => gate === id && caller === 'main')
  return own.length > 0 && own.every(({ state }) => state === 'open')
}
