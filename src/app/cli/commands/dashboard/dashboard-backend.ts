import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '../../../../clients/index.ts'
import { BUILD, bypassAppliesIn, foldersOf, projectRoot, VERSION } from '../../../../hook/index.ts'
import type { DashboardBackend, ProjectPolicy } from '../../../dashboard/index.ts'
import { findUnwritable } from '../../../doctor/index.ts'
import { commandNameHere, withCommandName } from '../../../install/index.ts'
import { installPathsOf } from '../../environment.ts'
import { openProject, type ProjectContext } from '../../project.ts'
import { activeBypasses, activeBypassLines } from '../bypass/active-bypasses.ts'
import { readStoredVerification } from '../check/stored-verification.ts'
import { agentStates } from '../status/agent-states.ts'
import { readManifestOrEmpty } from '../status/status.ts'
import { statusVerdictOf } from '../status/status-verdict.ts'
import { explainRecord, judgePlaygroundEvent } from './playground.ts'
import { VerificationQueue } from './verification-queue.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The folder that `signalbox ui` last ran in; empty if unknown. */
export interface LastDashboardFolder {
  folder: string
}

/** A page sends several requests at once, so one read of the disk serves them all. */
const PROJECT_CACHE_MS = 1000
const PATHS_CACHE_MS = 5000

/** What the dashboard needs from the program, in the same words as `status`, `check` and `explain`. */
export function createDashboardBackend(
  env: Environment,
  { place: where, isDaemon }: { readonly place: LastDashboardFolder; readonly isDaemon: boolean },
): DashboardBackend {
  const { state, home } = foldersOf(env)
  const proofs = new VerificationQueue(state, env)
  const project = memoizeFor(
    PROJECT_CACHE_MS,
    (root: string): ProjectContext => openProject({ env, cwd: root }, { stores: false }),
  )
  const open = (root: string): ProjectPolicy => {
    const { policy } = project(root)
    return { root, policy, activeBypasses: activeBypassLines(project(root)) }
  }
  const place = memoizeFor(PATHS_CACHE_MS, (cwd: string) => installPathsOf({ env, cwd }))
  return {
    get folder() {
      return where.folder || home
    },
    get startFolder() {
      if (where.folder === '') return undefined
      const root = projectRoot({ cwd: where.folder, home })
      return root !== home && isProject(project(root)) ? root : undefined
    },
    clients: clients.map(({ id, title }) => ({ id, title })),
    server: {
      ...{ version: VERSION, build: BUILD, node: process.version, pid: process.pid, startedAt: Date.now() },
      daemon: isDaemon,
    },
    open,
    program: root => commandNameHere(place(root)),
    situation(root, { records, problem, broken }) {
      const here = project(root)
      const now = Date.now()
      const { manifest, lost } = readManifestOrEmpty(here)
      const agents = agentStates(place(root), manifest, records, root)
      const locked = findUnwritable(state)
      const verdict = statusVerdictOf({
        agents,
        policy: here.policy,
        activeBypasses: activeBypasses(here.folders, now).filter(bypass => bypassAppliesIn(bypass, root)),
        trouble: locked === undefined ? (problem ?? lost) : `${here.label(locked)} cannot be written`,
        broken,
        isLocked: locked !== undefined,
        isUnread: problem !== undefined,
        proof: readStoredVerification(state, here.policy.program.hash),
        now,
      })
      return { agents, verdict: { ...verdict, next: withCommandName(verdict.next, commandNameHere(place(root))) } }
    },
    explain: (found, before, root) => explainRecord({ found, before }, project(root)),
    judge: (request, root, recorded) => judgePlaygroundEvent(request, project(root), env, recorded),
    proof: (root, how) => proofs.of(project(root).policy.program.hash, root, how),
  }
}

const isProject = ({ root, policy }: ProjectContext): boolean =>
  existsSync(join(root, '.git')) || policy.layers.some(({ layer }) => layer === 'project')

/** Caches the value of the last key for `ms`. */
function memoizeFor<T>(ms: number, make: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T; readonly until: number }>()
  return key => {
    const found = known.get(key)
    if (found && performance.now() < found.until) return found.value
    const value = make(key)
    known.clear()
    known.set(key, { value, until: performance.now() + ms })
    return value
  }
}
