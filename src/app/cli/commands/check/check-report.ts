import { relative } from 'node:path'
import { localTime } from '../../../../lib/local-time.ts'
import {
  formatPolicyError,
  type LayerReport,
  type LoadedPolicy,
  type Policy,
  type PolicyError,
  relabelLocation,
} from '../../../../policy/index.ts'
import type { Terminal } from '../../command.ts'
import { NO_POLICY_TEXT, type ProjectContext } from '../../project.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { activeBypassLines } from '../bypass/active-bypasses.ts'
import {
  DEADLOCK_KINDS,
  findingHeadline,
  findingText,
  type ProjectVerification,
  verificationLine,
} from './verification.ts'

/** The policy of one folder with its verification. */
export interface CheckResult {
  readonly project: ProjectContext
  readonly proof: ProjectVerification
  readonly isSound: boolean
  /** nothing is left unproven, except what the options allow */
  readonly isProven: boolean
}

/** Prints the findings of this folder, then of its subfolders, without findings already shown for this folder. */
export function printCheckReport(
  here: CheckResult,
  below: readonly CheckResult[],
  cut: string | undefined,
  terminal: Terminal,
): void {
  const { out, window } = terminal
  const { policy } = here.project
  const layers = userLayers(policy)
  const isEmpty = layers.length === 0 && policy.problems.length === 0
  const unsound = below.filter(checkResult => !checkResult.isSound).map(checkResult => folderOf(checkResult, here))
  const rest = unsound.length > 0 ? `; problems in subfolders: ${unsound.join(', ')}` : ''
  const all = `${verdictWordFor([here, ...below])}${headline(policy)}${rest}\n`
  out(isEmpty ? (below.length > 0 ? ONLY_NESTED_POLICIES : NO_POLICY_TEXT) : all)
  for (const line of activeBypassLines(here.project)) out(`${line}\n`)
  const packs = [...new Set(layers.flatMap(layer => layer.packs.map(pack => pack.id)))]
  if (packs.length > 0 && policy.problems.length === 0) out(`packs  ${packs.join(', ')}\n`)
  printDetails(here, terminal, verificationLineOf(here, window?.out === true))
  for (const checkResult of below) out(nestedFolderLine(checkResult, here, window?.out === true))
  if (cut !== undefined) out(`below  not all subfolders were searched: ${cut}\n`)
  for (const checkResult of below.map(nested => withoutRepeated(nested, here)))
    if (hasDetails(checkResult)) {
      out(`\nIn ${folderOf(checkResult, here)}\n`)
      printDetails(checkResult, terminal, '')
    }
}

const ONLY_NESTED_POLICIES =
  "This folder has no policy: only Signalbox's own files are protected. Subfolders have their own policies.\n"

/** Never OK if any path was not explored to its end. */
function verdictWordFor(all: readonly CheckResult[]): string {
  const isStuck = ({ project, proof }: CheckResult): boolean =>
    project.policy.problems.length === 0 && proof.findings.some(({ kind }) => DEADLOCK_KINDS.has(kind))
  if (all.some(isStuck)) return 'STUCK  '
  if (!all.every(checkResult => checkResult.isSound)) return 'FAIL  '
  return all.every(checkResult => checkResult.isProven) ? 'OK  ' : 'NOT PROVEN  '
}

function headline({ problems, program, layers }: LoadedPolicy): string {
  if (problems.length > 0)
    return `${countNoun(problems.length, 'problem')} in ${countNoun(countBrokenFiles(problems), 'file')}`
  const gates = userGates(program)
  const rules = gates.reduce((sum, gate) => sum + gate.rules.length + (gate.routes?.list.length ?? 0), 0)
  return `${countNoun(gates.length, 'gate')}, ${countNoun(rules, 'rule')} from ${countNoun(userLayers({ layers }).length, 'layer')}`
}

const folderOf = ({ project }: CheckResult, here: CheckResult): string => `${relative(here.project.cwd, project.cwd)}/`

/** The file is not loaded and its last good version is enforced. Line numbers of the proof do not fit the file. */
const isOfLastGood = ({ project }: CheckResult): boolean =>
  project.policy.layers.some(({ state }) => state === 'last-good')

const verificationLineOf = (checkResult: CheckResult, timed: boolean): string =>
  verificationLine(checkResult.proof, timed).replace(
    /^proof {2}/,
    isOfLastGood(checkResult) ? 'proof of the enforced version: ' : '$&',
  )

/** `below  app/  OK  3 gates, 3 rules from 2 layers; no deadlock (12 states, complete)` */
function nestedFolderLine(checkResult: CheckResult, here: CheckResult, timed: boolean): string {
  const verdict = verificationLineOf(checkResult, timed)
    .replace(/^proof( {2})?/, (_, plain) => (plain ? '; ' : '; proof'))
    .trimEnd()
  return `below  ${folderOf(checkResult, here)}  ${verdictWordFor([checkResult])}${headline(checkResult.project.policy)}${verdict}\n`
}

/** Leaves out what was already reported for the folder above. */
function withoutRepeated(nested: CheckResult, here: CheckResult): CheckResult {
  const rest = <T>(list: readonly T[], reported: readonly T[], keyOf: (item: T) => string): readonly T[] => {
    const keys = new Set(reported.map(keyOf))
    return list.filter(candidate => !keys.has(keyOf(candidate)))
  }
  const own = nested.project.policy
  const above = here.project.policy
  const text = (value: unknown): string => JSON.stringify(value)
  return {
    isSound: nested.isSound,
    isProven: nested.isProven,
    proof: {
      ...nested.proof,
      findings: rest(nested.proof.findings, here.proof.findings, ({ kind, what, fix }) => text([kind, what, fix])),
      inconclusive: rest(nested.proof.inconclusive, here.proof.inconclusive, ({ kind, what, fix }) =>
        text([kind, what, fix]),
      ),
      unchecked: rest(nested.proof.unchecked, here.proof.unchecked, text),
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

const hasDetails = ({ proof, project: { policy } }: CheckResult): boolean =>
  [
    proof.findings,
    proof.inconclusive,
    proof.unchecked,
    proof.notes,
    policy.problems,
    policy.warnings,
    policy.inactive,
  ].some(list => list.length > 0) || policy.layers.some(({ untrusted }) => untrusted.length > 0)

function printDetails(checkResult: CheckResult, { out, window, width }: Terminal, verdict: string): void {
  const { project, proof } = checkResult
  const { policy, label, root } = project
  const { home } = project.folders
  const show = (error: PolicyError): string => formatPolicyError(error, label, window?.out ? width : undefined)
  const { problems, warnings, inactive } = policy
  const layers = userLayers(policy)
  for (const problem of problems) out(`\n${show(problem)}\n`)
  for (const layer of policy.layers) out(brokenLayerText(layer, label))
  if (verdict) out(`${problems.length > 0 ? '\n' : ''}${verdict}`)
  if (layers.some(({ state, file }) => state === 'active' && problems.some(problem => problem.file === file)))
    out('\nThe marked parts are ignored; the rest of the file is enforced\n')
  const found = [...proof.findings, ...proof.inconclusive]
  if (isOfLastGood(checkResult)) for (const finding of found) out(`  ${findingHeadline(finding)}\n`)
  else
    for (const finding of found) {
      const fix = finding.fix.map(item => ({ ...item, at: relabelLocation(item.at, { root, home }, label) }))
      out(`\n${findingText({ ...finding, fix })}`)
    }
  for (const warning of warnings) out(`\n${warning.noEffect ? 'NO EFFECT' : 'warning'}  ${show(warning)}\n`)
  const near = (text: string): string =>
    text.replace(/\((\S+:\d+)\)/g, (_, at) => `(${relabelLocation(at, { root, home }, label)})`)
  const notes = [
    ...proof.unchecked.map(text => `NOT CHECKED  ${near(text)}\n`),
    ...proof.notes.map(note => `note  ${near(note)}\n`),
  ]
  if (notes.length > 0) out(`\n${notes.join('')}`)
  out(inactiveRoutesText(inactive))
  const waiting = layers.flatMap(layer => layer.untrusted)
  const { hooks, allow } = policy.program
  const isEmpty = userGates(policy.program).length + hooks.length + allow.length + waiting.length === 0
  if (layers.length > 0 && problems.length === 0 && isEmpty)
    out('\nwarning  the policy has no gates, routes or hooks\n')
  if (waiting.length > 0)
    out(
      `\nThese parts run code or loosen the policy, and need your trust:\n${waiting.map(line => `  ${line}\n`).join('')}Next  signalbox trust\n`,
    )
}

/** Gates that people wrote. Built-in gates are checked by Signalbox's own tests. */
export const userGates = ({ gates }: Policy) => gates.filter(gate => gate.layer !== 'built-in')
const userLayers = ({ layers }: Pick<LoadedPolicy, 'layers'>) => layers.filter(({ layer }) => layer !== 'built-in')

const countBrokenFiles = (problems: readonly PolicyError[]): number =>
  new Set(problems.map(problem => problem.file)).size

/** What is still enforced of a file that cannot be loaded. */
function brokenLayerText({ state, file, savedAt }: LayerReport, label: (file: string) => string): string {
  if (state === 'last-good')
    return `\n${label(file)} is not loaded; its version of ${localTime(savedAt ?? 0)} is still enforced\n`
  if (state === 'left-out')
    return `\n${label(file)} is not loaded, and there is no earlier version: none of it is enforced\n`
  if (state === 'denies') return `\n${label(file)} is managed and not loaded: every call is denied until it is fixed\n`
  return ''
}

/** Routes that are inactive because a program is not installed, one line a program. */
export function inactiveRoutesText(inactive: ProjectContext['policy']['inactive']): string {
  const commands = [...new Set(inactive.map(route => route.command))]
  const lines = commands.map(command => {
    const routes = inactive.filter(route => route.command === command).map(route => route.route)
    return `inactive  ${routes.join(', ')}: \`${command}\` is not installed\n`
  })
  return lines.length === 0 ? '' : `\n${lines.join('')}`
}
