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
import { readTextIfExists } from '../../../../lib/files.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { padTo, widestOf } from '../../../../lib/text-width.ts'
import { gatesOfShortForms, parseEventShorthand, readWrittenUnless } from '../../../../policy/compile/compiler.ts'
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
  const progress = (what: string): void => shows.update(() => `proving … ${what}`)
  const shown = clients.filter(({ id }) => ids.length === 0 || ids.includes(id))
  const variants = isToday ? [{ policy: project.policy.program, isHere: true }] : trustVariantsOf(project, terminal.env)
  const all = variants.map(variant => {
    const { policy } = variant
    const given = { policy, clients: shown, regex, root, home: folders.home, isCurrentModesOnly: isToday }
    const input = { ...given, parseEvent, writtenUnless, progress, realPath: (path: string) => realPath(path, real) }
    const proof = verifyPolicy(input)
    const fixSearch = new FixSearch(input, [...proof.findings, ...proof.inconclusive])
    const withFixes = (found: readonly VerificationFinding[]) =>
      deduplicateFindings(found).map(finding => nameSourceFiles(fixSearch.verifyFixes(finding), project))
    return {
      variant,
      proof: { ...proof, findings: withFixes(proof.findings), inconclusive: withFixes(proof.inconclusive) },
    }
  })
  shows.done()
  const here = all.length > 1 ? all.find(candidate => candidate.variant.isHere)?.proof : undefined
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
    const files = policy.layers.filter(report => report.layer === layer).map(report => report.file)
    const file = files.find(text => id.startsWith(`${relative(root, dirname(text))}/`)) ?? files[0] ?? ''
    return file.startsWith(`${folders.home}/`) && !file.startsWith(`${root}/`)
      ? `~${file.slice(folders.home.length)}`
      : relative(root, file)
  }
  const named = (fix: Fix): Fix => waiting(fix.of === undefined ? fix : { at: fileOf(fix.of), advice: fix.advice })
  /** Editing a project's file revokes its trust, and loosening must be trusted first. */
  const waiting = (fix: Fix): Fix => {
    const path = resolvePolicyPath(fix.at.replace(/:\d+$/, ''), { root, folders })
    const layer = policy.layers.find(({ file }) => file === path)
    if (layer?.layer !== 'project' && layer?.layer !== 'nested') return fix
    if (fix.advice.includes('`adjust: ')) return { ...fix, advice: `${fix.advice}; then run \`signalbox trust\`` }
    const again = `${fix.advice}; then run \`signalbox trust\` again`
    return layer.needsTrust.length > 0 ? { ...fix, advice: again } : fix
  }
  const ofShortForms = placesOfShortForms(policy)
  const written = (fix: Fix): Fix =>
    ofShortForms.has(fix.at) ? { ...fix, advice: `${SHORT_FORM_FIRST}, then ${fix.advice}` } : fix
  return { ...finding, fix: finding.fix.map(fix => named(written(fix))) }
}

/** A short form has no place for what a fix adds. */
const SHORT_FORM_FIRST = 'write it as a gate (`signalbox policy show --gates` prints it)'

/** The places of short forms, as their gates name them. */
function placesOfShortForms({ layers, program }: ProjectContext['policy']): ReadonlySet<string> {
  const names = layers.flatMap(({ layer, file }) =>
    layer === 'built-in' ? [] : Object.keys(gatesOfShortForms(readTextIfExists(file) ?? '', file)),
  )
  const gates = program.gates.filter(gate => names.includes(gate.name))
  return new Set(gates.flatMap(gate => [gate.at, ...gate.rules.map(rule => rule.at)]).filter(at => at !== undefined))
}

/** Findings that an agent cannot resolve by itself. */
export const DEADLOCK_KINDS: ReadonlySet<VerificationFinding['kind']> = new Set(['deadlock', 'cannot-end'])

/** The result in the form that `doctor` uses. */
export function verificationForDoctor(project: ProjectContext, terminal: Terminal) {
  const { complete, findings, inconclusive, unchecked } = verifyProject(project, [], terminal, { isToday: true })
  return {
    complete,
    doubts: [
      ...inconclusive.map(({ what, inconclusiveReason = '' }) => `${what}: ${inconclusiveReason}`),
      ...unchecked,
    ],
    findings: findings.map(({ kind, what, why, fix: [first] }) => ({
      ...{ what, why, stuck: DEADLOCK_KINDS.has(kind), at: first?.at ?? '' },
    })),
  }
}

/** The result in one line; empty if there was nothing to verify. */
export function verificationLine(
  { findings, inconclusive, unchecked, complete, gates, states, withinSteps = 0, tookMs, here }: ProjectVerification,
  timed: boolean,
): string {
  if (gates === 0 && findings.length + inconclusive.length + unchecked.length === 0) return ''
  const took = timed && tookMs > 1000 ? `, ${(tookMs / 1000).toFixed(1)} s` : ''
  const ways = here ? ' before and after `signalbox trust`' : ''
  const seen = `${states.toLocaleString('en')} state${states === 1 ? '' : 's'}${ways}`
  if (findings.length > 0)
    return `proof  ${countNoun(findings.length, 'finding')} (${seen}${complete ? '' : ', not complete'}${took})\n`
  if (complete && inconclusive.length > 0)
    return `proof  ${countNoun(inconclusive.length, 'finding')} not certain (${seen}${took})\n`
  if (complete && unchecked.length > 0) return `proof  no deadlock in the checked parts (${seen}${took})\n`
  if (complete) return `proof  no deadlock (${seen}, complete${took})\n`
  const so = withinSteps > 0 ? `no deadlock within ${countNoun(withinSteps, 'step')}` : 'no deadlock found so far'
  return `proof  ${so} (${seen}, not complete${took})\n`
}

const FINDING_HEADS: Readonly<Record<VerificationFinding['kind'], string>> = {
  deadlock: 'DEADLOCK',
  'cannot-end': 'CANNOT END',
  misleading: 'MISLEADING',
  'no-guidance': 'NO GUIDANCE',
  unreachable: 'UNREACHABLE',
  shadowed: 'SHADOWED',
}

/** Results that an older version stored may have other kinds. */
export const isFindingKind = (kind: unknown): boolean => typeof kind === 'string' && Object.hasOwn(FINDING_HEADS, kind)

export const findingHeadline = ({ kind, what, inconclusiveReason }: VerificationFinding): string =>
  escapeControlChars(`${inconclusiveReason === undefined ? FINDING_HEADS[kind] : 'NOT CERTAIN'}  ${what}`)

/** The finding as text: the counterexample, the reason and the fix. */
export function findingText(finding: VerificationFinding): string {
  const { kind, clients, counterexample, why, fix, inconclusiveReason, fixUnverified } = finding
  const lines = foldRepeatedSteps(counterexample)
  const width = Math.min(44, widestOf(lines.map(({ step }) => step)))
  const [first, ...rest] = fix
  return [
    findingHeadline(finding),
    ...lines.map(({ step, result, times }, at) =>
      `  ${at + 1} ${padTo(step, width)}  ${result}${times > 1 ? `${times} times` : ''}`.trimEnd(),
    ),
    `${kind === 'deadlock' || kind === 'cannot-end' ? 'Stuck' : 'Why'}: ${why}.`,
    ...(inconclusiveReason === undefined ? [] : [`Not certain: ${inconclusiveReason}.`]),
    ...(clients.length > 0 ? [`Agents  ${clients.join(', ')}`] : []),
    ...(first ? [`${fixUnverified ? 'Try' : 'Fix'}   ${first.at} ${first.advice}`] : []),
    ...rest.map(item => `      ${item.at} ${item.advice}`),
    '',
  ]
    .map(escapeControlChars)
    .join('\n')
}

const MAX_STEPS = 4

/** The counterexample in one line: `writes some.txt → npm test: DENY tests/untested`. A long one is cut to its last steps. */
export function counterexampleLine({ counterexample }: VerificationFinding): string {
  const steps = foldRepeatedSteps(counterexample).map(({ step, result, times }) =>
    [times > 1 ? `${step} (${times} times)` : step, result].filter(Boolean).join(': '),
  )
  return (steps.length > MAX_STEPS ? ['…', ...steps.slice(-MAX_STEPS)] : steps).join(' → ')
}

/** Folds repeated steps without a visible result into one line. */
function foldRepeatedSteps(story: VerificationFinding['counterexample']) {
  const lines: { step: string; result: string; times: number }[] = []
  for (const line of story) {
    const [step, result, last] = [describeStep(line.step), stepResultText(line), lines.at(-1)]
    if (last && result === '' && last.result === '' && last.step === step) last.times++
    else lines.push({ step, result, times: 1 })
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
  const { findings, inconclusive, unchecked, notes, complete, withinSteps, gates, states, tookMs, here } = proof
  const toJson = ({ counterexample, ...rest }: VerificationFinding) => ({
    ...rest,
    counterexample: foldRepeatedSteps(counterexample).map(({ step, result, times }) => ({
      ...{ step, result, ...(times > 1 && { times }) },
    })),
    test: createCounterexampleTest({ ...rest, counterexample }),
  })
  return {
    ...{
      ok: findings.length === 0,
      proven: isProven(proof),
      complete,
      ...(withinSteps !== undefined && { withinSteps }),
    },
    ...(here && { trust: 'both' as const }),
    ...{
      gates,
      states,
      tookMs,
      unchecked,
      notes,
      findings: findings.map(toJson),
      inconclusive: inconclusive.map(toJson),
    },
  }
}
