import { relative } from 'node:path'
import { wallOf } from '../pattern/index.ts'
import {
  type LayerReport,
  type LoadedPolicy,
  type Policy,
  type PolicyError,
  placed,
  showProblem,
} from '../policy/index.ts'
import type { Terminal } from './command.ts'
import { count } from './count.ts'
import { liftedLines } from './lifting.ts'
import { NO_POLICY, type Project } from './project.ts'
import { findingHead, findingText, type Proving, STUCK, verdictLine } from './proof.ts'

/** What is in force in one folder, and what is known of it. */
export interface Checked {
  readonly project: Project
  readonly proof: Proving
  readonly isSound: boolean
  /** nothing is left open, apart from what was allowed */
  readonly isProven: boolean
}

/** What was found here, then in the folders below, each with what is not so here as well. */
export function reportCheck(
  here: Checked,
  below: readonly Checked[],
  cut: string | undefined,
  terminal: Terminal,
): void {
  const { out, window } = terminal
  const { policy } = here.project
  const layers = ownLayers(policy)
  const isEmpty = layers.length === 0 && policy.problems.length === 0
  const unsound = below.filter(one => !one.isSound).map(one => folderOf(one, here))
  const rest = unsound.length > 0 ? `; not sound below: ${unsound.join(', ')}` : ''
  const all = `${wordFor([here, ...below])}${headline(policy)}${rest}\n`
  out(isEmpty ? (below.length > 0 ? ONLY_BELOW : NO_POLICY) : all)
  for (const line of liftedLines(here.project)) out(`${line}\n`)
  const packs = [...new Set(layers.flatMap(layer => layer.packs.map(pack => pack.id)))]
  if (packs.length > 0 && policy.problems.length === 0) out(`packs  ${packs.join(', ')}\n`)
  details(here, terminal, verdictOf(here, window?.out === true))
  for (const one of below) out(belowLine(one, here, window?.out === true))
  if (cut !== undefined) out(`below  not all were looked for: ${cut}\n`)
  for (const one of below.map(nested => without(nested, here)))
    if (hasMore(one)) {
      out(`\nIn ${folderOf(one, here)}\n`)
      details(one, terminal, '')
    }
}

const ONLY_BELOW = 'No policy in this folder: only Signalbox itself is guarded. Folders below have their own.\n'

/** Never OK where a way was not followed to its end. */
function wordFor(all: readonly Checked[]): string {
  const isStuck = ({ project, proof }: Checked): boolean =>
    project.policy.problems.length === 0 && proof.findings.some(({ kind }) => STUCK.has(kind))
  if (all.some(isStuck)) return 'STUCK  '
  if (!all.every(one => one.isSound)) return 'FAIL  '
  return all.every(one => one.isProven) ? 'OK  ' : 'NOT PROVEN  '
}

function headline({ problems, program, layers }: LoadedPolicy): string {
  if (problems.length > 0) return `${count(problems.length, 'problem')} in ${count(brokenFiles(problems), 'file')}`
  const gates = ownGates(program)
  const rules = gates.reduce((sum, gate) => sum + gate.rules.length + (gate.routes?.list.length ?? 0), 0)
  return `${count(gates.length, 'gate')}, ${count(rules, 'rule')} from ${count(ownLayers({ layers }).length, 'layer')}`
}

const folderOf = ({ project }: Checked, here: Checked): string => `${relative(here.project.cwd, project.cwd)}/`

/** Of a file that is not loaded, what is proven is not what is written: no line of it is where the proof would say. */
const isOfOld = ({ project }: Checked): boolean => project.policy.layers.some(({ state }) => state === 'last-good')

const verdictOf = (one: Checked, timed: boolean): string =>
  verdictLine(one.proof, timed).replace(/^proof {2}/, isOfOld(one) ? 'proof of the version still enforced: ' : '$&')

/** `below  app/  OK  3 gates, 3 rules from 2 layers; no deadlock (12 states, complete)` */
function belowLine(one: Checked, here: Checked, timed: boolean): string {
  const verdict = verdictOf(one, timed)
    .replace(/^proof( {2})?/, (_, plain) => (plain ? '; ' : '; proof'))
    .trimEnd()
  return `below  ${folderOf(one, here)}  ${wordFor([one])}${headline(one.project.policy)}${verdict}\n`
}

/** What is said of a folder above is not said again. */
function without(nested: Checked, here: Checked): Checked {
  const rest = <T>(list: readonly T[], said: readonly T[], keyOf: (one: T) => string): readonly T[] => {
    const keys = new Set(said.map(keyOf))
    return list.filter(one => !keys.has(keyOf(one)))
  }
  const own = nested.project.policy
  const above = here.project.policy
  const text = (one: unknown): string => JSON.stringify(one)
  return {
    isSound: nested.isSound,
    isProven: nested.isProven,
    proof: {
      ...nested.proof,
      findings: rest(nested.proof.findings, here.proof.findings, ({ kind, what, fix }) => text([kind, what, fix])),
      doubts: rest(nested.proof.doubts, here.proof.doubts, ({ kind, what, fix }) => text([kind, what, fix])),
      unseen: rest(nested.proof.unseen, here.proof.unseen, text),
      notes: rest(nested.proof.notes, here.proof.notes, text),
    },
    project: {
      ...nested.project,
      policy: {
        ...own,
        problems: rest(own.problems, above.problems, text),
        warnings: rest(own.warnings, above.warnings, text),
        inactive: rest(own.inactive, above.inactive, text),
        layers: rest(own.layers, above.layers, ({ file }) => file),
      },
    },
  }
}

const hasMore = ({ proof, project: { policy } }: Checked): boolean =>
  [proof.findings, proof.doubts, proof.unseen, proof.notes, policy.problems, policy.warnings, policy.inactive].some(
    list => list.length > 0,
  ) || policy.layers.some(({ inert }) => inert.length > 0)

function details(one: Checked, { out, window, width }: Terminal, verdict: string): void {
  const { project, proof } = one
  const { policy, label, root } = project
  const { home } = project.folders
  const show = (one: PolicyError): string => showProblem(one, label, window?.out ? width : undefined)
  const { problems, warnings, inactive } = policy
  const layers = ownLayers(policy)
  for (const problem of problems) out(`\n${show(problem)}\n`)
  for (const layer of policy.layers) out(fate(layer, label))
  if (verdict) out(`${problems.length > 0 ? '\n' : ''}${verdict}`)
  if (layers.some(({ state, file }) => state === 'active' && problems.some(one => one.file === file)))
    out('\nWhat is marked is left out; the rest of it is enforced\n')
  const found = [...proof.findings, ...proof.doubts]
  if (isOfOld(one)) for (const finding of found) out(`  ${findingHead(finding)}\n`)
  else
    for (const finding of found) {
      const fix = finding.fix.map(one => ({ ...one, at: placed(one.at, { root, home }, label) }))
      out(`\n${findingText({ ...finding, fix })}`)
    }
  for (const warning of warnings) out(`\n${warning.noEffect ? 'NO EFFECT' : 'warning'}  ${show(warning)}\n`)
  const near = (text: string): string =>
    text.replace(/\((\S+:\d+)\)/g, (_, at) => `(${placed(at, { root, home }, label)})`)
  const notes = [
    ...proof.unseen.map(one => `UNSEEN  ${near(one)}\n`),
    ...proof.notes.map(note => `note  ${near(note)}\n`),
  ]
  if (notes.length > 0) out(`\n${notes.join('')}`)
  out(missing(inactive))
  const waiting = layers.flatMap(layer => layer.inert)
  const { hooks, allow } = policy.program
  const isEmpty = ownGates(policy.program).length + hooks.length + allow.length + waiting.length === 0
  if (layers.length > 0 && problems.length === 0 && isEmpty)
    out('\nwarning  there is no gate, no route and no hook in it\n')
  if (waiting.length > 0)
    out(
      `\nRuns code or loosens, and waits for you:\n${waiting.map(line => `  ${line}\n`).join('')}Next  signalbox trust\n`,
    )
}

/** What somebody wrote: what is built in is checked when Signalbox is. */
export const ownGates = ({ gates }: Policy) => gates.filter(gate => gate.layer !== 'built-in')
const ownLayers = ({ layers }: Pick<LoadedPolicy, 'layers'>) => layers.filter(({ layer }) => layer !== 'built-in')

const brokenFiles = (problems: readonly PolicyError[]): number => new Set(problems.map(problem => problem.file)).size

/** What is enforced in place of a file that cannot be used. */
function fate({ state, file, savedAt }: LayerReport, label: (file: string) => string): string {
  if (state === 'last-good')
    return `\n${label(file)} is not loaded; its version of ${wallOf(savedAt ?? 0)} is still enforced\n`
  if (state === 'left-out')
    return `\n${label(file)} is not loaded, and there is no earlier version: nothing of it is enforced\n`
  if (state === 'denies')
    return `\n${label(file)} is managed and not loaded: every call is refused until it is mended\n`
  return ''
}

/** Routes that wait for a program, a line a program. */
export function missing(inactive: Project['policy']['inactive']): string {
  const commands = [...new Set(inactive.map(one => one.command))]
  const lines = commands.map(command => {
    const routes = inactive.filter(one => one.command === command).map(one => one.route)
    return `inactive  ${routes.join(', ')}: \`${command}\` is not installed\n`
  })
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}
