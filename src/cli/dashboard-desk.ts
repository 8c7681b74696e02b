import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { clients } from '../clients/index.ts'
import type { Desk, ProjectPolicy } from '../dashboard/index.ts'
import { unwritable } from '../doctor/index.ts'
import { nameHere, spoken } from '../install/index.ts'
import { BUILD, foldersOf, holdsIn, projectRoot, VERSION } from '../runtime/index.ts'
import { agentStates } from './agent-state.ts'
import { explainRecorded, judge } from './judging.ts'
import { liftedLines, liftedNow } from './lifting.ts'
import { openProject, type Project } from './project.ts'
import { Proofs } from './proofs.ts'
import { readProof } from './remembered-proof.ts'
import { manifestIn } from './status.ts'
import { placeOf } from './surroundings.ts'
import { verdictOf } from './verdict.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Where `signalbox ui` was said last; empty: nowhere. */
export interface Said {
  folder: string
}

/** A page asks for several things at once: one look at the disk is enough for them. */
const KEPT_MS = 1000
const AGENTS_MS = 5000

/** What the dashboard asks of the program: as `status`, `check` and `explain` would tell it, in the same words. */
export function deskOf(
  env: Env,
  { place: where, isDaemon }: { readonly place: Said; readonly isDaemon: boolean },
): Desk {
  const { state, home } = foldersOf(env)
  const proofs = new Proofs(state, env)
  const project = kept(KEPT_MS, (root: string): Project => openProject({ env, cwd: root }, { stores: false }))
  const open = (root: string): ProjectPolicy => {
    const { policy } = project(root)
    return { root, policy, lifted: liftedLines(project(root)) }
  }
  const place = kept(AGENTS_MS, (cwd: string) => placeOf({ env, cwd }))
  return {
    get folder() {
      return where.folder || home
    },
    get saidIn() {
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
    program: root => nameHere(place(root)),
    situation(root, { records, problem, broken }) {
      const here = project(root)
      const now = Date.now()
      const { manifest, lost } = manifestIn(here)
      const agents = agentStates(place(root), manifest, records, root)
      const locked = unwritable(state)
      const verdict = verdictOf({
        agents,
        policy: here.policy,
        lifted: liftedNow(here.folders, now).filter(one => holdsIn(one, root)),
        trouble: locked === undefined ? (problem ?? lost) : `${here.label(locked)} cannot be written`,
        broken,
        isLocked: locked !== undefined,
        isUnread: problem !== undefined,
        proof: readProof(state, here.policy.program.hash),
        now,
      })
      return { agents, verdict: { ...verdict, next: spoken(verdict.next, nameHere(place(root))) } }
    },
    explain: (found, before, root) => explainRecorded({ found, before }, project(root)),
    judge: (request, root, recorded) => judge(request, project(root), env, recorded),
    proof: (root, how) => proofs.of(project(root).policy.program.hash, root, how),
  }
}

const isProject = ({ root, policy }: Project): boolean =>
  existsSync(join(root, '.git')) || policy.layers.some(({ layer }) => layer === 'project')

/** The same answer for a while. */
function kept<T>(ms: number, make: (key: string) => T): (key: string) => T {
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
