import { type LayerReport, type PolicyError, showProblem } from '../policy/index.ts'
import type { Command, Terminal } from './command.ts'
import { NO_POLICY, openProject, type Project } from './project.ts'

export const check: Command = {
  name: 'check',
  summary: 'Is the policy here sound? Each problem with its place and fix.',
  usage: '[--json]',
  about: { json: 'the same as JSON' },
  example: 'signalbox check',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const { problems, warnings, inactive, layers, program } = project.policy
    if (values.json)
      terminal.out(
        `${JSON.stringify({ ok: problems.length === 0, layers, problems, warnings, inactive, gates: program.gates.length }, null, 2)}\n`,
      )
    else report(project, terminal)
    return problems.length > 0 ? 1 : 0
  },
}

function report({ policy, label }: Project, { out }: Terminal): void {
  const { problems, warnings, inactive, layers } = policy
  out(layers.length === 0 ? NO_POLICY : `${headline(policy)}\n`)
  const packs = [...new Set(layers.flatMap(layer => layer.packs.map(pack => pack.id)))]
  if (packs.length > 0 && problems.length === 0) out(`packs  ${packs.join(', ')}\n`)
  for (const problem of problems) out(`\n${showProblem(problem, label)}\n`)
  for (const layer of layers) out(fate(layer, label))
  if (layers.some(({ state, file }) => state === 'active' && problems.some(one => one.file === file)))
    out('\nWhat is marked is left out; the rest of it is enforced\n')
  for (const warning of warnings) out(`\nwarning  ${showProblem(warning, label)}\n`)
  out(missing(inactive))
  const waiting = layers.flatMap(layer => layer.inert)
  if (layers.length > 0 && problems.length === 0 && policy.program.gates.length === 0)
    out('\nwarning  there is no gate and no route in it: every call passes\n')
  if (waiting.length > 0)
    out(`\n${waiting.length} of its parts run code or loosen, and wait for you\nNext  signalbox trust\n`)
}

function headline({ problems, program, layers }: Project['policy']): string {
  if (problems.length > 0) return `${count(problems.length, 'problem')} in ${count(brokenFiles(problems), 'file')}`
  const rules = program.gates.reduce((sum, gate) => sum + gate.rules.length + (gate.routes?.list.length ?? 0), 0)
  return `OK  ${count(program.gates.length, 'gate')}, ${count(rules, 'rule')} from ${count(layers.length, 'layer')}`
}

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
