import { dirname, join, relative, resolve } from 'node:path'
import {
  type CounterexampleStep,
  createCounterexampleTest,
  deduplicateFindings,
  describeStep,
  type Fix,
  FixSearch,
  isProven,
  type ShorthandEvent,
  type VerificationFinding,
  type VerificationResult,
  verifyPolicy,
} from '../../../../analysis/verify/index.ts'
import { clients } from '../../../../clients/index.ts'
import { realPath } from '../../../../hook/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { escapeControlChars } from '../../../../lib/escape-control-chars.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { padTo, widestOf } from '../../../../lib/text-width.ts'
import { parseEventShorthand, readWrittenUnless } from '../../../../policy/compile/compiler.ts'
import type { Terminal } from '../../command.ts'
import type { ProjectContext } from '../../project.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'
import { mergeVerifications, trustVariantsOf } from './trust-variants.ts'

export interface ProjectVerification extends VerificationResult {
  readonly tookMs: number
  /** set if the policy was verified before and after trust: the result for the variant in force here */
  readonly here?: VerificationResult
}

/** Verifies the policy in force for these clients. Shows progress after one second. Each finding is reported once, with a fix to paste. */
export function verifyProject(
  project: ProjectContext,
  ids: readonly string[],
  terminal: Terminal,
  // `isToday`: verifies only this machine's case, with its installed programs and the current gate modes
  { isToday = false } = {},
): ProjectVerification {
  const { root, folders } = project
  const began = Date.now()
  const parseEvent = (short: ShorthandEvent) => {
    const reading = parseEventShorthand(short, { root, home: folders.home })
    return 'event' in reading ? reading.event : null
  }
  const writtenUnless = (at: string, rule: string) => readUnlessAt(at, rule, project)
  const real = new Map<string, string>()
  const shows = createProgressLine(terminal)
  const progress = (what: string): void => shows.tell(() => `proving … ${what}`)
  const shown = clients.filter(({ id }) => ids.length === 0 || ids.includes(id))
  const stands = isToday ? [{ policy: project.policy.program, isHere: true }] : trustVariantsOf(project, terminal.env)
  const all = stands.map(stand => {
    const { policy } = stand
    const given = { policy, clients: shown, regex, root, home: folders.home, isCurrentModesOnly: isToday }
    const input = { ...given, parseEvent, writtenUnless, progress, realPath: (path: string) => realPath(path, real) }
    const proof = verifyPolicy(input)
    const mending = new FixSearch(input, [...proof.findings, ...proof.doubts])
    const told = (found: readonly VerificationFinding[]) =>
      deduplicateFindings(found).map(one => nameSourceFiles(mending.verifyFixes(one), project))
    return { stand, proof: { ...proof, findings: told(proof.findings), doubts: told(proof.doubts) } }
  })
  shows.done()
  const here = all.length > 1 ? all.find(one => one.stand.isHere)?.proof : undefined
  return { ...mergeVerifications(all), ...(here && { here }), tookMs: Date.now() - began }
}

/** The `unless` of a rule as it is written in its file now. */
function readUnlessAt(at: string, rule: string, { root, folders }: ProjectContext): JsonObject | null | undefined {
  const [, file = '', line] = /^(.+):(\d+)$/.exec(at) ?? []
  const path = resolvePolicyPath(file, { root, folders })
  return line === undefined ? undefined : readWrittenUnless(path, Number(line), rule)
}

const resolvePolicyPath = (file: string, { root, folders }: Pick<ProjectContext, 'root' | 'folders'>): string =>
  file.startsWith('~/') ? join(folders.home, file.slice(2)) : resolve(root, file)

/** Replaces the file of a fix by the policy file that uses the pack. */
function nameSourceFiles(finding: VerificationFinding, { policy, root, folders }: ProjectContext): VerificationFinding {
  const fileOf = (id: string): string => {
    const layer = policy.program.gates.find(gate => gate.id === id)?.layer
    const files = policy.layers.filter(one => one.layer === layer).map(one => one.file)
    const file = files.find(one => id.startsWith(`${relative(root, dirname(one))}/`)) ?? files[0] ?? ''
    return file.startsWith(`${folders.home}/`) && !file.startsWith(`${root}/`)
      ? `~${file.slice(folders.home.length)}`
      : relative(root, file)
  }
  const named = (one: Fix): Fix => waiting(one.of === undefined ? one : { at: fileOf(one.of), advice: one.advice })
  /** Editing a project's file revokes its trust, and loosening must be trusted first. */
  const waiting = (one: Fix): Fix => {
    const path = resolvePolicyPath(one.at.replace(/:\d+$/, ''), { root, folders })
    const layer = policy.layers.find(({ file }) => file === path)
    if (layer?.layer !== 'project' && layer?.layer !== 'nested') return one
    if (one.advice.includes('`adjust: ')) return { ...one, advice: `${one.advice}; then run \`signalbox trust\`` }
    const again = `${one.advice}; then run \`signalbox trust\` again`
    return layer.covers.length > 0 ? { ...one, advice: again } : one
  }
  return { ...finding, fix: finding.fix.map(named) }
}

/** Findings that an agent cannot resolve by itself. */
export const DEADLOCK_KINDS: ReadonlySet<VerificationFinding['kind']> = new Set(['deadlock', 'held'])

/** The result in the form that `doctor` uses. */
export function verificationForDoctor(project: ProjectContext, terminal: Terminal) {
  const { complete, findings, doubts, unseen } = verifyProject(project, [], terminal, { isToday: true })
  return {
    complete,
    doubts: [...doubts.map(({ what, doubt = '' }) => `${what}: ${doubt}`), ...unseen],
    findings: findings.map(({ kind, what, why, fix: [first] }) => ({
      ...{ what, why, stuck: DEADLOCK_KINDS.has(kind), at: first?.at ?? '' },
    })),
  }
}

/** The result in one line; empty if there was nothing to verify. */
export function verificationLine(
  { findings, doubts, unseen, complete, gates, states, within = 0, tookMs, here }: ProjectVerification,
  timed: boolean,
): string {
  if (gates === 0 && findings.length + doubts.length + unseen.length === 0) return ''
  const took = timed && tookMs > 1000 ? `, ${(tookMs / 1000).toFixed(1)} s` : ''
  const ways = here ? ' before and after `signalbox trust`' : ''
  const seen = `${states.toLocaleString('en')} state${states === 1 ? '' : 's'}${ways}`
  if (findings.length > 0)
    return `proof  ${countNoun(findings.length, 'finding')} (${seen}${complete ? '' : ', not complete'}${took})\n`
  if (complete && doubts.length > 0)
    return `proof  ${countNoun(doubts.length, 'finding')} not certain (${seen}${took})\n`
  if (complete && unseen.length > 0) return `proof  no deadlock in the checked parts (${seen}${took})\n`
  if (complete) return `proof  no deadlock (${seen}, complete${took})\n`
  const so = within > 0 ? `no deadlock within ${countNoun(within, 'step')}` : 'no deadlock found so far'
  return `proof  ${so} (${seen}, not complete${took})\n`
}

const FINDING_HEADS: Readonly<Record<VerificationFinding['kind'], string>> = {
  deadlock: 'DEADLOCK',
  held: 'CANNOT END',
  suggestion: 'MISLEADING',
  silent: 'NO GUIDANCE',
  unreachable: 'UNREACHABLE',
  shadowed: 'SHADOWED',
}

export const findingHeadline = ({ kind, what, doubt }: VerificationFinding): string =>
  escapeControlChars(`${doubt === undefined ? FINDING_HEADS[kind] : 'NOT CERTAIN'}  ${what}`)

/** The finding as text: the counterexample, the reason and the fix. */
export function findingText(finding: VerificationFinding): string {
  const { kind, on, story, why, fix, doubt, untried } = finding
  const lines = foldRepeatedSteps(story)
  const width = Math.min(44, widestOf(lines.map(({ does }) => does)))
  const [first, ...rest] = fix
  return [
    findingHeadline(finding),
    ...lines.map(({ does, said, times }, at) =>
      `  ${at + 1} ${padTo(does, width)}  ${said}${times > 1 ? `${times} times` : ''}`.trimEnd(),
    ),
    `${kind === 'deadlock' || kind === 'held' ? 'Stuck' : 'Why'}: ${why}.`,
    ...(doubt === undefined ? [] : [`Not certain: ${doubt}.`]),
    ...(on.length > 0 ? [`Agents  ${on.join(', ')}`] : []),
    ...(first ? [`${untried ? 'Try' : 'Fix'}   ${first.at} ${first.advice}`] : []),
    ...rest.map(one => `      ${one.at} ${one.advice}`),
    '',
  ]
    .map(escapeControlChars)
    .join('\n')
}

const MAX_STEPS = 4

/** The counterexample in one line: `writes some.txt → npm test: DENY tests/untested`. A long one is cut to its last steps. */
export function counterexampleLine({ story }: VerificationFinding): string {
  const steps = foldRepeatedSteps(story).map(({ does, said, times }) =>
    [times > 1 ? `${does} (${times} times)` : does, said].filter(Boolean).join(': '),
  )
  return (steps.length > MAX_STEPS ? ['…', ...steps.slice(-MAX_STEPS)] : steps).join(' → ')
}

/** Folds repeated steps without a visible result into one line. */
function foldRepeatedSteps(story: VerificationFinding['story']) {
  const lines: { does: string; said: string; times: number }[] = []
  for (const line of story) {
    const [does, said, last] = [describeStep(line.step), stepResultText(line), lines.at(-1)]
    if (last && said === '' && last.said === '' && last.does === does) last.times++
    else lines.push({ does, said, times: 1 })
  }
  return lines
}

/** The result of a step: denials, questions and gate changes. */
function stepResultText({ results }: CounterexampleStep): string {
  return results
    .flatMap(({ outcome, record }) => [
      ...(outcome.decision === 'deny' || outcome.decision === 'ask'
        ? [`${outcome.decision.toUpperCase()} ${gateNameOf(record.gate ?? '')}/${record.rule ?? ''}`]
        : []),
      ...record.moves.map(({ gate, from, to }) =>
        from === to ? '' : `${gateNameOf(gate)} ${to === 'open' ? 'opens' : 'closes'}`,
      ),
    ])
    .filter(Boolean)
    .join(', ')
}

const gateNameOf = (gate: string): string => gate.slice(gate.indexOf('/') + 1)

/** The JSON form: the counterexample in words, and as a policy test that plays it. */
export function verificationJson(proof: ProjectVerification) {
  const { findings, doubts, unseen, notes, complete, within, gates, states, tookMs, here } = proof
  const told = ({ story, ...rest }: VerificationFinding) => ({
    ...rest,
    story: foldRepeatedSteps(story).map(({ does, said, times }) => ({ does, said, ...(times > 1 && { times }) })),
    test: createCounterexampleTest({ ...rest, story }),
  })
  return {
    ...{ ok: findings.length === 0, proven: isProven(proof), complete, ...(within !== undefined && { within }) },
    ...(here && { trust: 'both' as const }),
    ...{ gates, states, tookMs, unseen, notes, findings: findings.map(told), doubts: doubts.map(told) },
  }
}
