import { describeCondition } from '../../../../analysis/explain/index.ts'
import type { Gate, Route, Rule, Transition } from '../../../../engine/index.ts'
import { readTextIfExists } from '../../../../lib/files.ts'
import { gatesAsYaml, gatesOfShortForms } from '../../../../policy/compile/compiler.ts'
import { formatErrorLine, type LayerReport, type Policy } from '../../../../policy/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { NO_POLICY_TEXT, openProject } from '../../project.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { retentionText } from '../audit/retention-setting.ts'
import { activeBypassLines } from '../bypass/active-bypasses.ts'
import { inactiveRoutesText } from '../check/check-report.ts'

export const policyShowCommand: Command = {
  name: 'policy show',
  summary:
    'Show the active policy: its layers and, with --resolved, every gate, rule and route after packs and options.',
  usage: '[--resolved | --gates] [--json]',
  example: 'signalbox policy show --resolved',
  options: {
    resolved: { type: 'boolean', about: 'every gate with its rules and transitions' },
    gates: { type: 'boolean', about: 'short forms written out as gates, to paste in their place' },
    json: { type: 'boolean', about: 'the layers as JSON; with --resolved the compiled program' },
  },
  forPrograms: ({ gates }) => gates === true,
  async run({ values, terminal }) {
    const project = openProject(terminal)
    const { policy, label, root } = project
    if (values.gates) {
      terminal.out(writtenOutShortForms(policy.layers, label))
    } else if (values.json) {
      terminal.out(`${JSON.stringify(values.resolved ? policy.program : { layers: policy.layers }, null, 2)}\n`)
    } else {
      for (const line of activeBypassLines(project)) terminal.out(`${line}\n`)
      if (!policy.layers.some(({ layer }) => layer !== 'built-in')) terminal.out(NO_POLICY_TEXT)
      for (const layer of policy.layers) printLayer(layer, label, terminal)
      if (policy.problems.length > 0) terminal.out('\nNext  signalbox check   shows what is broken, and where\n')
      if (values.resolved) {
        printProgram(policy.program, root, terminal)
        for (const error of [...policy.problems, ...policy.warnings])
          terminal.out(`\nnote  ${formatErrorLine(error, label)}\n`)
        terminal.out(inactiveRoutesText(policy.inactive))
      } else terminal.out(`\n${gatesText(policy.program)}\nNext  signalbox policy show --resolved\n`)
    }
    return policy.problems.length > 0 ? 1 : 0
  },
}

/** The short forms of each policy as gates. A fix of `check` that adds a key fits a gate, and not a short form. */
function writtenOutShortForms(layers: readonly LayerReport[], label: (file: string) => string): string {
  const parts = layers.flatMap(({ layer, file }) => {
    const gates = layer === 'built-in' ? {} : gatesOfShortForms(readTextIfExists(file) ?? '', file)
    return Object.keys(gates).length > 0
      ? [`# in place of the short forms in ${label(file)}\n${gatesAsYaml(gates)}`]
      : []
  })
  return parts.length > 0
    ? parts.join('\n')
    : 'No policy here uses short forms (`require`, `protect`, `limit`, `only`).\n'
}

/** Counts the policy's own gates, as `check` and `status` do, and the built-in gates. */
function gatesText({ gates }: Policy): string {
  const own = gates.filter(({ layer }) => layer !== 'built-in').length
  return `${countNoun(own, 'gate')}${gates.length > own ? `, and ${gates.length - own} built in` : ''}`
}

function printLayer(
  { layer, file, state, packs, trusted, needsTrust, untrusted }: LayerReport,
  label: (file: string) => string,
  { out }: Terminal,
): void {
  const trust =
    needsTrust.length === 0
      ? ''
      : trusted
        ? ', trusted'
        : `, ${countNoun(untrusted.length, 'part')} not trusted yet: \`signalbox trust\``
  out(`${layer.padEnd(8)} ${layer === 'built-in' ? 'part of Signalbox' : label(file)}  ${state}${trust}\n`)
  for (const pack of packs) out(`         uses ${packText(pack)}\n`)
  for (const line of untrusted) out(`         not trusted: ${line}\n`)
}

/** `name (option: value)`. */
function packText({ id, options: set }: LayerReport['packs'][number]): string {
  const options = Object.entries(set).map(([name, value]) => `${name}: ${value}`)
  return options.length === 0 ? id : `${id} (${options.join(', ')})`
}

function printProgram(program: Policy, root: string, { out }: Terminal): void {
  const { onError, budgetMs, expiryHours } = program.settings
  out(
    `\nsettings  onError ${onError}, time limit ${budgetMs} ms, a session expires after ${expiryHours} h without events\n`,
  )
  out(`          keeps ${retentionText(program)}\n`)
  for (const gate of program.gates) out(`\n${gateText(gate, root)}`)
  for (const { layer, paths, commands, patterns } of program.allow) {
    const lists = [
      ...paths.map(path => relativeTo(path.glob, root)),
      ...commands.map(command => describeCondition({ key: 'command', in: [command] }, root).replace(/^command /, '')),
      ...patterns.map(pattern => ('regex' in pattern ? `/${pattern.regex}/` : JSON.stringify(pattern))),
    ]
    out(`\nallow  ${layer}  ${lists.join(', ')}\n`)
  }
  for (const hook of program.hooks) {
    const { layer, run, events, called, clients, timeoutMs } = hook
    const whose = clients ? ` of ${clients.join(', ')}` : ''
    out(`\nhook  ${layer}  ${run}  on ${(called ?? events).join(', ')}${whose}, at most ${timeoutMs} ms\n`)
  }
}

const relativeTo = (path: string, root: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path

function gateText(gate: Gate, root: string): string {
  const state = gate.initial ? `${gate.initial} at the start, one state per ${gate.scope}` : 'stateless'
  const head = [gate.id, gate.mode, state, gate.onError === 'closed' ? 'denies on error' : '', gate.at ?? '']
    .filter(Boolean)
    .join('  ')
  const lines = [
    ...(gate.about ? [gate.about] : []),
    ...gate.transitions.map(transition => transitionText(transition, root)),
    // built-in rules are long and the same everywhere; the JSON has them in full
    ...(gate.layer === 'built-in'
      ? [`rules: ${gate.rules.map(({ id }) => id).join(', ')}`]
      : gate.rules.map(rule => ruleText(rule, root))),
    ...(gate.routes?.list ?? []).map(route => routeText(route, root)),
    ...(gate.bypass ? [`bypass: ${describeCondition(gate.bypass.when, root)}`] : []),
    ...(gate.debug ? [`debug: ${describeCondition({ key: 'env', fields: gate.debug.env }, root)}`] : []),
    ...(gate.code ? [`code ${relativeTo(gate.code, root)}`] : []),
  ]
  return `${head}\n${lines.map(line => `  ${line}\n`).join('')}`
}

const transitionText = ({ id, from, to, when, clock }: Transition, root: string): string =>
  `${id}: ${from.join(' or ')} → ${to} ${clock ? 'before the next event, ' : ''}when ${describeCondition(when, root)}`

const routeText = ({ id, allow, when, at }: Route, root: string): string =>
  `${allow ? 'allow' : 'route'} ${id}: ${describeCondition(when, root)}  ${at}`

function ruleText(rule: Rule, root: string): string {
  const unless = rule.unless ? ` unless ${describeCondition(rule.unless, root)}` : ''
  return `${rule.id}: ${rule.then}${rule.while ? ` while ${rule.while}` : ''} when ${describeCondition(rule.when, root)}${unless}`
}
