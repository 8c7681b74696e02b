import { clients } from '../clients/index.ts'
import { holdsIn } from '../runtime/index.ts'
import { SessionReader, type StoredStep } from '../store/index.ts'
import { liftedNow } from './lifting.ts'
import type { Project } from './project.ts'

/** Why a gate keeps a workflow from going on; undefined: it is open. Looked at in the session of the step before, or in the project. */
export function closedGate(
  { policy, folders, root }: Project,
  name: string,
  last: StoredStep | undefined,
): string | undefined {
  const gate = policy.program.gates.find(one => one.name === name || one.id === name)
  if (!gate) return `there is no gate \`${name}\` here`
  if (
    liftedNow(folders, Date.now()).some(
      one => holdsIn(one, root) && (one.gate === undefined || [name, gate.id].includes(one.gate)),
    )
  )
    return undefined
  const client = clients.find(one => one.backend === last?.backend)?.id
  const reader = SessionReader.open(folders.state)
  try {
    const key = client !== undefined && last?.session !== undefined ? { client, session: last.session } : undefined
    const own = gate.scope === 'project' ? reader?.shared(root) : key && reader?.one(key, Date.now())?.gates
    const known = own?.[gate.id] ?? own?.[`${gate.id}@main`]
    const state = known?.state ?? gate.initial ?? 'open'
    const where = gate.scope === 'project' ? 'in this project' : `in the session of step \`${last?.id ?? ''}\``
    return state === 'open' ? undefined : `the gate \`${name}\` is closed ${where}`
  } finally {
    reader?.close()
  }
}
