import { basename } from 'node:path'
import { messageOf } from '../../../lib/errors.ts'
import { isAgentRecord } from '../../../store/index.ts'
import type { DashboardStatus, EmptyReason, PolicyFinding, ProjectSummary } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend, StatusInput } from '../backend.ts'
import { latestRecordsPerClient } from '../records/latest-records.ts'
import { DatabaseLockedError } from '../server/http-error.ts'
import { listProjects } from './projects.ts'

/** The start page's status. */
export function buildDashboardStatus(
  archive: DashboardRecords,
  backend: DashboardBackend,
  root: string,
): DashboardStatus {
  // first, because reading projects may find damage that is reported below
  const projects = archive.attempt<readonly ProjectSummary[]>(
    () => listProjects(archive),
    () => [],
  )
  const { auditLog, input } = readAuditLogStatus(archive, backend)
  const { verdict, agents } = backend.situation(root, input)
  const { policy, activeBypasses } = backend.open(root)
  const gates = policy.program.gates.filter(({ layer }) => layer !== 'built-in')
  return {
    verdict,
    agents,
    project: root,
    projects: withProject(projects, root),
    policy: {
      gates: gates.length,
      watching: gates.filter(({ mode }) => mode !== 'block').length,
      observing: gates.filter(({ mode }) => mode === 'observe').length,
      hooks: policy.program.hooks.length,
      problems: policy.problems.length,
      ...deadlockIn(backend, root),
      waiting: policy.layers.flatMap(({ untrusted }) => untrusted).length,
    },
    bypasses: activeBypasses,
    auditLog,
    empty: findEmptyReason(auditLog, input, agents),
    program: backend.program(root),
    clients: backend.clients,
    server: backend.server,
  }
}

/** The stored result of the daemon or `check`. Opening a page starts no proof. */
function deadlockIn(backend: DashboardBackend, root: string): { readonly stuck?: string } {
  const proof = backend.proof(root, { begins: false })
  if (proof.state !== 'done') return {}
  const found = proof.findings.find(
    ({ kind, inconclusiveReason }) => isDeadlockKind(kind) && inconclusiveReason === undefined,
  )
  return found ? { stuck: found.what } : {}
}

const isDeadlockKind = (kind: PolicyFinding['kind']): boolean => kind === 'deadlock' || kind === 'cannot-end'

function readAuditLogStatus(
  archive: DashboardRecords,
  backend: DashboardBackend,
): { readonly auditLog: DashboardStatus['auditLog']; readonly input: StatusInput } {
  try {
    const found = archive.read(auditLog => {
      const ids = backend.clients.map(({ id }) => id)
      const records = latestRecordsPerClient(archive, auditLog, ids)
      const last = records.at(-1)
      const bounds = { first: last ? auditLog.anchor().seq + 1 : 0, last: auditLog.last(), lastAt: last?.at ?? null }
      return { auditLog: bounds, input: { records } }
    })
    if (archive.damage !== undefined) return unreadableStatus(archive.damage)
    const { broken } = archive
    const { auditLog, input } = found ?? { auditLog: NO_AUDIT_LOG, input: { records: [] } }
    return broken === undefined
      ? { auditLog, input }
      : { auditLog: { ...auditLog, broken }, input: { ...input, broken } }
  } catch (error) {
    return unreadableStatus(archive.damage ?? messageOf(error), error instanceof DatabaseLockedError)
  }
}

const NO_AUDIT_LOG = { first: 0, last: 0, lastAt: null }

/** If a part of the audit log is damaged, the other parts prove nothing either. */
const unreadableStatus = (problem: string, isLocked = false) => ({
  auditLog: { ...NO_AUDIT_LOG, problem, ...(isLocked && { isLocked }) },
  input: { records: [], problem },
})

const withProject = (projects: readonly ProjectSummary[], root: string): readonly ProjectSummary[] =>
  projects.some(project => project.root === root)
    ? projects
    : [...projects, { root, name: basename(root) || root, sessions: 0, lastAt: null }]

/** The reason why there are no records to show. */
function findEmptyReason(
  { problem, broken, last }: DashboardStatus['auditLog'],
  { records }: StatusInput,
  agents: DashboardStatus['agents'],
): EmptyReason | null {
  if (problem !== undefined) return { cause: 'unreadable', text: problem, next: 'signalbox doctor' }
  if (records.some(isAgentRecord)) return null
  if (broken !== undefined && last === 0)
    return { cause: 'lost', text: `The recorded data is gone: ${broken}.`, next: 'signalbox doctor' }
  const withHook = agents.filter(({ state }) => state !== 'no-hook')
  const [first] = withHook
  if (!first) return { cause: 'unwired', text: 'No calls: no agent has the hook registered.', next: 'signalbox init' }
  const names = withHook.map(summary => summary.title).join(', ')
  return { cause: 'quiet', text: `Registered, no calls yet: ${names}.`, next: `Ask ${first.title} to run ls` }
}
