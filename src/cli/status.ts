import { type Resident, residentOf, residentText, unwritable } from '../doctor/index.ts'
import { type Manifest, nameHere, readManifest, spoken } from '../install/index.ts'
import { visible, visibleJson, wallOf } from '../pattern/index.ts'
import type { LoadedPolicy } from '../policy/index.ts'
import { type Folders, holdsIn, storeOptions, unsafeFolderReason } from '../runtime/index.ts'
import { trailProblem } from '../store/index.ts'
import { type AgentState, agentStates } from './agent-state.ts'
import type { Command, Terminal } from './command.ts'
import { count } from './count.ts'
import { liftedNow } from './lifting.ts'
import { openProject, type Project } from './project.ts'
import { readProof } from './remembered-proof.ts'
import { placeOf } from './surroundings.ts'
import { startOfDay, type Today, todayOf, todayText } from './today.ts'
import { readTrail } from './trail.ts'
import { type Seen, type Verdict, verdictOf } from './verdict.ts'

export const status: Command = {
  name: 'status',
  summary: 'Is it enforced? Each agent by what it did, the policy, and today.',
  usage: '[--json]',
  about: { json: 'the same as JSON' },
  example: 'signalbox status',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const now = Date.now()
    const unsafe = unsafeFolderReason(project.folders.state)
    const { records, problem } = readTrail(project.folders.state, startOfDay(now))
    const { manifest, lost } = manifestIn(project)
    const place = placeOf(terminal)
    const locked = unwritable(project.folders.state)
    const seen: Seen = {
      agents: agentStates(place, manifest, records, project.root),
      policy: project.policy,
      lifted: liftedNow(project.folders, now).filter(one => holdsIn(one, project.root)),
      trouble: locked === undefined ? (problem ?? lost) : `${project.label(locked)} cannot be written`,
      broken: problem === undefined ? brokenIn(project.folders) : undefined,
      isLocked: locked !== undefined,
      unsafe,
      isUnread: problem !== undefined,
      proof: readProof(project.folders.state, project.policy.program.hash),
      now,
    }
    const judged = verdictOf(seen)
    const verdict = { ...judged, next: spoken(judged.next, nameHere(place)) }
    const today = todayOf(records, now)
    const resident = await residentOf(terminal.env, project.folders)
    if (values.json)
      terminal.out(`${visibleJson(JSON.stringify({ ...asJson(seen, verdict, today), resident }, null, 2))}\n`)
    else show(seen, verdict, today, resident, project, terminal)
    return verdict.word === 'ENFORCING' ? 0 : 1
  },
}

/** Whoever looks for what is wrong must not fail on it. */
function brokenIn(folders: Folders): string | undefined {
  try {
    return trailProblem(folders.state, storeOptions(folders).beginnings)
  } catch {
    return undefined
  }
}

/** One that cannot be read says nothing about when. */
export function manifestIn({ folders }: Pick<Project, 'folders'>): {
  readonly manifest: Manifest
  readonly lost?: string
} {
  try {
    return { manifest: readManifest(folders.state) }
  } catch (error) {
    return {
      manifest: { version: '', files: [], copies: [] },
      lost: error instanceof Error ? error.message : String(error),
    }
  }
}

function show(
  seen: Seen,
  { word, why, next }: Verdict,
  today: Today,
  resident: Resident,
  project: Project,
  { out }: Terminal,
): void {
  const isCalled = seen.agents.some(({ state }) => state !== 'unregistered')
  const rows = [
    ...seen.agents.map(agent => [
      agent.title,
      `${WORDS[agent.state].padEnd(WIDE)}  ${agentText(agent, seen.now, project)}`,
    ]),
    ...(isCalled ? [['Hook', residentText(resident, at => ago(seen.now - at))]] : []),
    ['Policy', policyText(project.policy, project.label, seen.proof)],
    ...stuckRows(seen),
    ...(seen.broken === undefined ? [] : [['Audit', `BROKEN: ${seen.broken}`]]),
    ['Today', seen.trouble === undefined ? todayText(today) : `${seen.trouble}`],
  ]
  const wide = Math.max(...rows.map(([head = '']) => head.length))
  out(`${word}  ${why}\n`)
  for (const [head = '', text = ''] of rows) out(`${visible(`  ${head.padEnd(wide)}  ${text}`.trimEnd())}\n`)
  out(`Next  ${next}\n`)
}

/** What was found the last time this very policy was proven. Of a version that is no longer in its file no line is named. */
const stuckRows = ({ proof, policy }: Seen): readonly (readonly string[])[] => {
  const [first, ...more] = proof?.findings ?? []
  if (!first) return []
  const old = policy.layers.find(({ state }) => state === 'last-good')
  const whose = old
    ? `of the version of ${wallOf(old.savedAt ?? 0)}, which is enforced and no longer in the file: `
    : ''
  return [
    ['Proof', `${whose}${first.what}${more.length > 0 ? `, and ${more.length} more` : ''}: signalbox check`],
    ...(first.how ? [['How', first.how]] : []),
    ...(first.fix && !old ? [['Fix', first.fix]] : []),
  ]
}

const WORDS: Readonly<Record<AgentState['state'], string>> = {
  enforcing: 'enforcing',
  unproven: 'UNPROVEN',
  broken: 'BROKEN',
  unregistered: 'NOT REGISTERED',
}
const WIDE = 'enforcing'.length

function agentText(agent: AgentState, now: number, { label, folders }: Project): string {
  const { state, lastCallAt, canaryAt, p95Ms, since, registered, why } = agent
  if (state === 'unregistered') return ''
  if (state === 'broken') return (why ?? '').replaceAll(`${folders.home}/`, '~/')
  if (state === 'unproven' && why !== undefined) return why
  if (state === 'unproven') {
    const where = registered.map(({ file }) => label(file)).join(', ')
    return since === undefined ? `told in ${where}, no call yet` : `no call since init, ${ago(now - since)}`
  }
  if (lastCallAt === undefined && canaryAt !== undefined)
    return `canary refused ${ago(now - canaryAt)} ago, no call yet`
  const speed = p95Ms === undefined ? '' : `, p95 ${p95Ms} ms`
  return `last call ${ago(now - (lastCallAt ?? now))} ago${speed}${why ? `, ${why}` : ''}`
}

function policyText(
  { layers, program, problems }: LoadedPolicy,
  label: (file: string) => string,
  proof: Seen['proof'],
): string {
  const isSound = (proof?.findings.length ?? 0) === 0
  const own = layers.filter(({ layer }) => layer !== 'built-in')
  if (own.length === 0) return 'none: only Signalbox itself is guarded'
  const gates = program.gates.filter(({ layer }) => layer !== 'built-in')
  const waiting = own.flatMap(({ inert }) => inert).length
  const refuses = own.some(({ state }) => state === 'denies')
  return [
    own
      .map(({ layer, file }) => (layer === 'user' ? 'yours' : layer === 'managed' ? 'managed' : label(file)))
      .join(' + '),
    `${count(gates.length, 'gate')}${modesText(gates)}`,
    ...(program.hooks.length > 0 ? [count(program.hooks.length, 'hook')] : []),
    ...(problems.length > 0 ? [`${count(problems.length, 'PROBLEM')}`] : isSound ? ['sound'] : []),
    ...(refuses ? ['EVERY CALL IS REFUSED'] : []),
    ...(waiting > 0 ? [`${count(waiting, 'part')} waiting for trust`] : []),
  ].join(', ')
}

/** ` (2 block, 1 warns, 1 observes)`, where not all of them block. */
function modesText(gates: LoadedPolicy['program']['gates']): string {
  const does = (mode: string): readonly string[] => {
    const n = gates.filter(one => one.mode === mode).length
    return n === 0 && mode !== 'block' ? [] : [`${n === 0 ? 'none' : n} ${n > 1 ? mode : `${mode}s`}`]
  }
  if (gates.every(({ mode }) => mode === 'block')) return ''
  return ` (${['block', 'warn', 'observe'].flatMap(does).join(', ')})`
}

/** `12 s`, `5 min`, `3 h`, `3 d`. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}

const asJson = (
  { agents, policy, lifted, trouble, broken, proof }: Seen,
  { word, why, next }: Verdict,
  today: Today,
) => ({
  verdict: word,
  why,
  agents,
  policy: {
    files: policy.layers
      .filter(({ layer }) => layer !== 'built-in')
      .map(({ layer, file, state }) => ({ layer, file, state })),
    gates: policy.program.gates.filter(({ layer }) => layer !== 'built-in').length,
    hooks: policy.program.hooks.length,
    problems: policy.problems.length,
    waiting: policy.layers.flatMap(({ inert }) => inert),
    ...(proof && { proof }),
  },
  today,
  lifted,
  ...(trouble !== undefined && { trouble }),
  ...(broken !== undefined && { broken }),
  next,
})
