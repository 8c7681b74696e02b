import { isProven } from '../check/index.ts'
import { clients } from '../clients/index.ts'
import { type LayerReport, type LoadedPolicy, type Policy, type PolicyError, showProblem } from '../policy/index.ts'
import type { Command, Terminal } from './command.ts'
import { liftedLines } from './lifting.ts'
import { NO_POLICY, openProject, type Project } from './project.ts'
import { findingText, type Proving, proofJson, proveProject, verdictLine } from './proof.ts'
import { rememberProof } from './remembered-proof.ts'

export const check: Command = {
  name: 'check',
  summary: 'Is the policy here sound, and can no agent get stuck? Each problem with its place and fix.',
  usage: '[--client <id>]… [--json]',
  about: { client: 'only what this agent can do counts; all of them unless you say which', json: 'the same as JSON' },
  example: 'signalbox check --client claude-code',
  options: { client: { type: 'string', multiple: true }, json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const ids = [values.client ?? []].flat().map(String)
    const unknown = ids.find(id => !clients.some(client => client.id === id))
    if (unknown !== undefined) {
      terminal.err(`signalbox check: unknown client \`${unknown}\`; one of ${clients.map(one => one.id).join(', ')}\n`)
      return 2
    }
    const project = openProject(terminal)
    const proof = proveProject(project, ids, terminal)
    if (ids.length === 0) rememberProof(project.folders.state, project.policy.program.hash, proof)
    const isSound = project.policy.problems.length === 0 && proof.findings.length === 0
    if (values.json) terminal.out(`${JSON.stringify(jsonOf(project, proof, isSound), null, 2)}\n`)
    else report(project, proof, terminal)
    return isSound ? (isProven(proof) ? 0 : UNPROVEN) : 1
  },
}

/** Nothing was found, and it is no proof either: neither the answer to a sound policy nor that to a faulty one. */
const UNPROVEN = 3

function jsonOf({ policy }: Project, proof: Proving, ok: boolean) {
  const { problems, warnings, inactive, layers, program } = policy
  return { ok, layers, problems, warnings, inactive, gates: ownGates(program).length, proof: proofJson(proof) }
}

function report(project: Project, proof: Proving, { out, window, width }: Terminal): void {
  const { policy, label } = project
  const show = (one: PolicyError): string => showProblem(one, label, window?.out ? width : undefined)
  const { problems, warnings, inactive } = policy
  const layers = ownLayers(policy)
  out(layers.length === 0 && problems.length === 0 ? NO_POLICY : `${headline(policy, proof)}\n`)
  for (const line of liftedLines(project)) out(`${line}\n`)
  const packs = [...new Set(layers.flatMap(layer => layer.packs.map(pack => pack.id)))]
  if (packs.length > 0 && problems.length === 0) out(`packs  ${packs.join(', ')}\n`)
  for (const problem of problems) out(`\n${show(problem)}\n`)
  for (const layer of policy.layers) out(fate(layer, label))
  const verdict = verdictLine(proof, window?.out === true)
  if (verdict) out(`${problems.length > 0 ? '\n' : ''}${verdict}`)
  if (layers.some(({ state, file }) => state === 'active' && problems.some(one => one.file === file)))
    out('\nWhat is marked is left out; the rest of it is enforced\n')
  for (const finding of [...proof.findings, ...proof.doubts]) out(`\n${findingText(finding)}`)
  for (const warning of warnings) out(`\nwarning  ${show(warning)}\n`)
  if (proof.notes.length > 0) out(`\n${proof.notes.map(note => `note  ${note}\n`).join('')}`)
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

/** Never OK where a way was not followed to its end. */
function headline(policy: LoadedPolicy, proof: Proving): string {
  const { problems, program } = policy
  if (problems.length > 0) return `${count(problems.length, 'problem')} in ${count(brokenFiles(problems), 'file')}`
  const gates = ownGates(program)
  const rules = gates.reduce((sum, gate) => sum + gate.rules.length + (gate.routes?.list.length ?? 0), 0)
  const layers = ownLayers(policy).length
  const ok = isProven(proof) ? 'OK  ' : proof.findings.length === 0 ? 'NOT PROVEN  ' : ''
  return `${ok}${count(gates.length, 'gate')}, ${count(rules, 'rule')} from ${count(layers, 'layer')}`
}

/** What somebody wrote: what is built in is checked when Signalbox is. */
const ownGates = ({ gates }: Policy) => gates.filter(gate => gate.layer !== 'built-in')
const ownLayers = ({ layers }: LoadedPolicy) => layers.filter(({ layer }) => layer !== 'built-in')

const brokenFiles = (problems: readonly PolicyError[]): number => new Set(problems.map(problem => problem.file)).size

/** What is enforced in place of a file that cannot be used. */
function fate({ state, file, savedAt }: LayerReport, label: (file: string) => string): string {
  if (state === 'last-good')
    return `\n${label(file)} is not loaded; its version of ${timeOf(savedAt)} is still enforced\n`
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

const timeOf = (at = 0): string => new Date(at).toLocaleString()

export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
