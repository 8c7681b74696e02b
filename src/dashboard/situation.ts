import { basename } from 'node:path'
import { messageOf } from '../pattern/index.ts'
import { isOfAgent, type TrailReader } from '../store/index.ts'
import type { Emptiness, ProjectSeen, Situation } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk, SituationTold } from './desk.ts'
import { readable } from './lookup.ts'
import { projectsOf } from './projects.ts'

/** As many as tell who called lately; who is silent for longer is found by its canary, or not at all. */
const LATEST = 1000

/** What a newcomer has to know first. */
export function situation(archive: Archive, desk: Desk, root: string): Situation {
  const { trail, told } = trailOf(archive)
  const { verdict, agents } = desk.situation(root, told)
  const { policy, lifted } = desk.open(root)
  const gates = policy.program.gates.filter(({ layer }) => layer !== 'built-in')
  return {
    verdict,
    agents,
    project: root,
    projects: trail.problem === undefined ? withOwn(projectsOf(archive), root) : withOwn([], root),
    policy: {
      gates: gates.length,
      watching: gates.filter(({ mode }) => mode !== 'block').length,
      hooks: policy.program.hooks.length,
      problems: policy.problems.length,
      waiting: policy.layers.flatMap(({ inert }) => inert).length,
    },
    lifted,
    trail,
    empty: emptiness(trail, told, agents),
    clients: desk.clients,
    server: desk.server,
  }
}

function trailOf(archive: Archive): { readonly trail: Situation['trail']; readonly told: SituationTold } {
  try {
    return (
      archive.read(trail => {
        const records = latest(trail)
        const last = records.at(-1)
        const bounds = { first: last ? trail.anchor().seq + 1 : 0, last: trail.last(), lastAt: last?.at ?? null }
        return { trail: bounds, told: { records } }
      }) ?? { trail: { first: 0, last: 0, lastAt: null }, told: { records: [] } }
    )
  } catch (error) {
    const problem = messageOf(error)
    return { trail: { first: 0, last: 0, lastAt: null, problem }, told: { records: [], problem } }
  }
}

const latest = (trail: TrailReader) =>
  [...trail.before(Number.MAX_SAFE_INTEGER, LATEST)]
    .reverse()
    .flatMap(readable)
    .map(({ record }) => record)

const withOwn = (projects: readonly ProjectSeen[], root: string): readonly ProjectSeen[] =>
  projects.some(one => one.root === root)
    ? projects
    : [...projects, { root, name: basename(root) || root, sessions: 0, lastAt: null }]

/** Why there is nothing to see: the cause, not the fact. */
function emptiness(
  { problem }: Situation['trail'],
  { records }: SituationTold,
  agents: Situation['agents'],
): Emptiness | null {
  if (problem !== undefined) return { cause: 'unreadable', says: problem, next: 'signalbox doctor' }
  if (records.some(isOfAgent)) return null
  const told = agents.filter(({ state }) => state !== 'unregistered')
  const [first] = told
  if (!first) return { cause: 'unwired', says: 'No calls: no agent is wired.', next: 'signalbox init' }
  const names = told.map(one => one.title).join(', ')
  return { cause: 'quiet', says: `Wired, quiet: ${names}.`, next: `Ask ${first.title} to run ls` }
}
