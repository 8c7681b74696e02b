import { basename } from 'node:path'
import { messageOf } from '../pattern/index.ts'
import { isOfAgent } from '../store/index.ts'
import type { Emptiness, ProjectSeen, ProofFinding, Situation } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk, SituationTold } from './desk.ts'
import { lastHeard } from './heard.ts'
import { projectsOf } from './projects.ts'
import { Locked } from './refusal.ts'

/** What a newcomer has to know first. */
export function situation(archive: Archive, desk: Desk, root: string): Situation {
  // asked first: what it finds damaged is told below
  const projects = archive.attempt<readonly ProjectSeen[]>(
    () => projectsOf(archive),
    () => [],
  )
  const { trail, told } = trailOf(archive, desk)
  const { verdict, agents } = desk.situation(root, told)
  const { policy, lifted } = desk.open(root)
  const gates = policy.program.gates.filter(({ layer }) => layer !== 'built-in')
  return {
    verdict,
    agents,
    project: root,
    projects: withOwn(projects, root),
    policy: {
      gates: gates.length,
      watching: gates.filter(({ mode }) => mode !== 'block').length,
      observing: gates.filter(({ mode }) => mode === 'observe').length,
      hooks: policy.program.hooks.length,
      problems: policy.problems.length,
      ...stuckIn(desk, root),
      waiting: policy.layers.flatMap(({ inert }) => inert).length,
    },
    lifted,
    trail,
    empty: emptiness(trail, told, agents),
    program: desk.program(root),
    clients: desk.clients,
    server: desk.server,
  }
}

/** What the daemon or `check` found of it; nothing is proven for a page that only opens. */
function stuckIn(desk: Desk, root: string): { readonly stuck?: string } {
  const proof = desk.proof(root, { begins: false })
  if (proof.state !== 'done') return {}
  const found = proof.findings.find(({ kind, doubt }) => isStuck(kind) && doubt === undefined)
  return found ? { stuck: found.what } : {}
}

const isStuck = (kind: ProofFinding['kind']): boolean => kind === 'deadlock' || kind === 'held'

function trailOf(archive: Archive, desk: Desk): { readonly trail: Situation['trail']; readonly told: SituationTold } {
  try {
    const found = archive.read(trail => {
      const ids = desk.clients.map(({ id }) => id)
      const records = lastHeard(archive, trail, ids)
      const last = records.at(-1)
      const bounds = { first: last ? trail.anchor().seq + 1 : 0, last: trail.last(), lastAt: last?.at ?? null }
      return { trail: bounds, told: { records } }
    })
    if (archive.damage !== undefined) return unread(archive.damage)
    const { broken } = archive
    const { trail, told } = found ?? { trail: NO_TRAIL, told: { records: [] } }
    return broken === undefined ? { trail, told } : { trail: { ...trail, broken }, told: { ...told, broken } }
  } catch (error) {
    return unread(archive.damage ?? messageOf(error), error instanceof Locked)
  }
}

const NO_TRAIL = { first: 0, last: 0, lastAt: null }

/** Of one that is damaged in part, no part is a proof of anything. */
const unread = (problem: string, isLocked = false) => ({
  trail: { ...NO_TRAIL, problem, ...(isLocked && { isLocked }) },
  told: { records: [], problem },
})

const withOwn = (projects: readonly ProjectSeen[], root: string): readonly ProjectSeen[] =>
  projects.some(one => one.root === root)
    ? projects
    : [...projects, { root, name: basename(root) || root, sessions: 0, lastAt: null }]

/** Why there is nothing to see: the cause, not the fact. */
function emptiness(
  { problem, broken, last }: Situation['trail'],
  { records }: SituationTold,
  agents: Situation['agents'],
): Emptiness | null {
  if (problem !== undefined) return { cause: 'unreadable', says: problem, next: 'signalbox doctor' }
  if (records.some(isOfAgent)) return null
  if (broken !== undefined && last === 0)
    return { cause: 'lost', says: `What was recorded is gone: ${broken}.`, next: 'signalbox doctor' }
  const told = agents.filter(({ state }) => state !== 'unregistered')
  const [first] = told
  if (!first) return { cause: 'unwired', says: 'No calls: no agent is wired.', next: 'signalbox init' }
  const names = told.map(one => one.title).join(', ')
  return { cause: 'quiet', says: `Wired, quiet: ${names}.`, next: `Ask ${first.title} to run ls` }
}
