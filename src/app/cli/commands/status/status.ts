import { bypassAppliesIn, type Folders, storeOptions, unsafeFolderReason } from '../../../../hook/index.ts'
import { tryOr } from '../../../../lib/errors.ts'
import { escapeControlChars, escapeControlCharsInJson } from '../../../../lib/escape-control-chars.ts'
import { localTime } from '../../../../lib/local-time.ts'
import { padTo, widestOf } from '../../../../lib/text-width.ts'
import type { LoadedPolicy } from '../../../../policy/index.ts'
import { findAuditLogProblem } from '../../../../store/index.ts'
import {
  findUnwritable,
  type HookInstallation,
  hookInstallationText,
  inspectHookInstallation,
} from '../../../doctor/index.ts'
import { commandNameHere, type InstallManifest, readManifest, withCommandName } from '../../../install/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { openProject, type ProjectContext } from '../../project.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { type DailySummary, dailySummaryText, startOfDay, summarizeToday } from '../audit/daily-summary.ts'
import { readRecentRecords } from '../audit/recent-records.ts'
import { activeBypasses } from '../bypass/active-bypasses.ts'
import { readStoredVerification } from '../check/stored-verification.ts'
import { type AgentState, agentStates } from './agent-states.ts'
import { statusJson } from './status-json.ts'
import { type StatusFacts, type StatusVerdict, statusVerdictOf } from './status-verdict.ts'

export const statusCommand: Command = {
  name: 'status',
  summary: "Is your policy enforced? Shows each agent, the policy and today's calls.",
  usage: '[--json]',
  example: 'signalbox status',
  options: { json: { type: 'boolean', about: 'the same as JSON' } },
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const now = Date.now()
    const unsafe = unsafeFolderReason(project.folders.state)
    const { records, problem } = readRecentRecords(project.folders.state, startOfDay(now))
    const { manifest, lost } = readManifestOrEmpty(project)
    const paths = installPathsOf(terminal)
    const locked = findUnwritable(project.folders.state)
    const facts: StatusFacts = {
      agents: agentStates(paths, manifest, records, project.root),
      policy: project.policy,
      activeBypasses: activeBypasses(project.folders, now).filter(bypass => bypassAppliesIn(bypass, project.root)),
      trouble: locked === undefined ? (problem ?? lost) : `${project.label(locked)} cannot be written`,
      broken: problem === undefined ? findAuditLogProblemIn(project.folders) : undefined,
      isLocked: locked !== undefined,
      unsafe,
      isUnread: problem !== undefined,
      proof: readStoredVerification(project.folders.state, project.policy.program.hash),
      now,
    }
    const judged = statusVerdictOf(facts)
    const verdict = { ...judged, next: withCommandName(judged.next, commandNameHere(paths)) }
    const today = summarizeToday(records, now)
    const resident = await inspectHookInstallation(terminal.env, project.folders)
    if (values.json)
      terminal.out(
        `${escapeControlCharsInJson(JSON.stringify(statusJson(facts, verdict, today, resident), null, 2))}\n`,
      )
    else printStatus(facts, verdict, today, resident, project, terminal)
    return verdict.word === 'ENFORCING' ? 0 : 1
  },
}

/** Diagnosis must not fail on the problem it looks for. */
const findAuditLogProblemIn = (folders: Folders): string | undefined =>
  tryOr(undefined, () => findAuditLogProblem(folders.state, storeOptions(folders).beginnings))

/** An unreadable manifest gives no registration times. */
export function readManifestOrEmpty({ folders }: Pick<ProjectContext, 'folders'>): {
  readonly manifest: InstallManifest
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

function printStatus(
  facts: StatusFacts,
  { word, why, next }: StatusVerdict,
  today: DailySummary,
  resident: HookInstallation,
  project: ProjectContext,
  { out }: Terminal,
): void {
  const isCalled = facts.agents.some(({ state }) => state !== 'no-hook')
  const rows = [
    ...facts.agents.map(agent => [
      agent.title,
      `${STATE_WORDS[agent.state].padEnd(STATE_WIDTH)}  ${agentText(agent, facts.now, project)}`,
    ]),
    ...(isCalled ? [['Hook', hookInstallationText(resident, at => formatAge(facts.now - at))]] : []),
    ['Policy', policyText(project.policy, project.label, facts.proof)],
    ...deadlockRows(facts),
    ...(facts.broken === undefined ? [] : [['Audit', `BROKEN: ${facts.broken}`]]),
    ['Today', facts.trouble === undefined ? dailySummaryText(today) : `${facts.trouble}`],
  ]
  const wide = widestOf(rows.map(([head = '']) => head))
  out(`${word}  ${why}\n`)
  for (const [head = '', text = ''] of rows) out(`${escapeControlChars(`  ${padTo(head, wide)}  ${text}`.trimEnd())}\n`)
  out(`Next  ${next}\n`)
}

/** Findings of the stored verification of this policy. If that version is no longer in its file, no line is named. */
const deadlockRows = ({ proof, policy }: StatusFacts): readonly (readonly string[])[] => {
  const [first, ...more] = proof?.findings ?? []
  if (!first) return []
  const old = policy.layers.find(({ state }) => state === 'last-good')
  const whose = old
    ? `in the version of ${localTime(old.savedAt ?? 0)}, which is still enforced although the file has changed: `
    : ''
  return [
    ['Proof', `${whose}${first.what}${more.length > 0 ? `, and ${more.length} more` : ''}: signalbox check`],
    ...(first.how ? [['How', first.how]] : []),
    ...(first.fix && !old ? [['Fix', first.fix]] : []),
  ]
}

const STATE_WORDS: Readonly<Record<AgentState['state'], string>> = {
  enforcing: 'enforcing',
  unverified: 'UNVERIFIED',
  broken: 'BROKEN',
  'no-hook': 'NO HOOK',
}
const STATE_WIDTH = 'UNVERIFIED'.length

function agentText(agent: AgentState, now: number, { label, folders }: ProjectContext): string {
  const { state, lastCallAt, canaryAt, p95Ms, since, registered, why } = agent
  if (state === 'no-hook') return ''
  if (state === 'broken') return (why ?? '').replaceAll(`${folders.home}/`, '~/')
  if (state === 'unverified' && why !== undefined) return why
  if (state === 'unverified') {
    const where = registered.map(({ file }) => label(file)).join(', ')
    return since === undefined ? `installed in ${where}, no call yet` : `no call since init, ${formatAge(now - since)}`
  }
  if (lastCallAt === undefined && canaryAt !== undefined)
    return `test call denied ${formatAge(now - canaryAt)} ago, no real call yet`
  const speed = p95Ms === undefined ? '' : `, p95 ${p95Ms} ms`
  return `last call ${formatAge(now - (lastCallAt ?? now))} ago${speed}${why ? `, ${why}` : ''}`
}

function policyText(
  { layers, program, problems }: LoadedPolicy,
  label: (file: string) => string,
  proof: StatusFacts['proof'],
): string {
  // `status` does not verify: without a stored result it has not looked for problems
  const soundness = proof?.complete ? 'no problems' : 'not proven: signalbox check'
  const own = layers.filter(({ layer }) => layer !== 'built-in')
  if (own.length === 0) return "none: only Signalbox's own files are protected"
  const gates = program.gates.filter(({ layer }) => layer !== 'built-in')
  const waiting = own.flatMap(({ untrusted }) => untrusted).length
  const refuses = own.some(({ state }) => state === 'denies')
  return [
    own
      .map(({ layer, file }) => (layer === 'user' ? 'yours' : layer === 'managed' ? 'managed' : label(file)))
      .join(' + '),
    `${countNoun(gates.length, 'gate')}${modesText(gates)}`,
    ...(program.hooks.length > 0 ? [countNoun(program.hooks.length, 'hook')] : []),
    ...(problems.length > 0 ? [`${countNoun(problems.length, 'PROBLEM')}`] : proof?.findings.length ? [] : [soundness]),
    ...(refuses ? ['EVERY CALL IS DENIED'] : []),
    ...(waiting > 0 ? [`${countNoun(waiting, 'part')} not trusted yet`] : []),
  ].join(', ')
}

/** ` (2 block, 1 warns, 1 observes)`, where not all of them block. */
function modesText(gates: LoadedPolicy['program']['gates']): string {
  const does = (mode: string): readonly string[] => {
    const n = gates.filter(gate => gate.mode === mode).length
    return n === 0 && mode !== 'block' ? [] : [`${n === 0 ? 'none' : n} ${n > 1 ? mode : `${mode}s`}`]
  }
  if (gates.every(({ mode }) => mode === 'block')) return ''
  return ` (${['block', 'warn', 'observe'].flatMap(does).join(', ')})`
}

/** `12 s`, `5 min`, `3 h`, `3 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
