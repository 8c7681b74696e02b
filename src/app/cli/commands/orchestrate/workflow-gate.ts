import { clients } from '../../../../clients/index.ts'
import type { Gate } from '../../../../engine/index.ts'
import { bypassAppliesIn, bypassLiftsGate } from '../../../../hook/index.ts'
import { SessionReader, type StoredStep } from '../../../../store/index.ts'
import type { ProjectContext } from '../../project.ts'
import { activeBypasses } from '../bypass/active-bypasses.ts'
import { type GateStatus, sessionGateStatuses, sharedGateStatuses } from '../status/gate-states.ts'

/**
 * Why a gate stops a workflow; undefined if it is open. Reads the state in the session of the previous step, or in the
 * project, as `signalbox gates` shows it. An unknown state counts as closed.
 */
export function explainClosedGate(
  project: ProjectContext,
  name: string,
  last: StoredStep | undefined,
): string | undefined {
  const { gates } = project.policy.program
  const byId = gates.filter(gate => gate.id === name)
  // two layers may have a gate with the same name: both must be open
  const named = byId.length > 0 ? byId : gates.filter(gate => gate.name === name)
  if (named.length === 0) return `there is no gate \`${name}\` here`
  const now = Date.now()
  const bypasses = activeBypasses(project.folders, now).filter(bypass => bypassAppliesIn(bypass, project.root))
  const inForce = named.filter(gate => !bypasses.some(bypass => bypassLiftsGate(bypass, gate)))
  if (inForce.length === 0) return undefined
  const reader = SessionReader.open(project.folders.state)
  try {
    return inForce
      .map(gate => describeClosedGate(gate, project, last, { reader, now }))
      .find(text => text !== undefined)
  } finally {
    reader?.close()
  }
}

interface GateLookup {
  readonly reader: SessionReader | undefined
  readonly now: number
}

function describeClosedGate(
  gate: Gate,
  { policy, root }: ProjectContext,
  last: StoredStep | undefined,
  { reader, now }: GateLookup,
) {
  const { id, name, scope, initial } = gate
  if (initial === undefined) return `the gate \`${name}\` has no state (\`initial\`), so it never opens`
  const where = { program: policy.program, root, now }
  const shared = reader?.shared(root) ?? {}
  if (scope === 'project')
    return isGateOpen(id, sharedGateStatuses(where, shared))
      ? undefined
      : `the gate \`${name}\` is closed in this project`
  if (!last) return `the gate \`${name}\` belongs to a session, and no earlier step had one`
  const client = clients.find(candidate => candidate.backend === last.backend)?.id
  const { session } = last
  const known = client !== undefined && session !== undefined ? reader?.one({ client, session }, now) : undefined
  if (!known) return `the state of the gate \`${name}\` is unknown: the session of step \`${last.id}\` has expired`
  const isPassed = isGateOpen(id, sessionGateStatuses(where, shared, known))
  return isPassed ? undefined : `the gate \`${name}\` is closed in the session of step \`${last.id}\``
}

/** Looks at the main agent's state if each agent has its own. */
function isGateOpen(id: string, states: readonly GateStatus[]): boolean {
  const own = states.filter(({ gate, caller = 'main' }) => gate === id && caller === 'main')
  return own.length > 0 && own.every(({ state }) => state === 'open')
}
