import type { Event, Program } from '../../../../engine/index.ts'
import { type ActionKind, type Condition, isShell, type Regex } from '../../../../engine/index.ts'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { type Atom, asksSuccess, atomsOf, conditionsOf, rulesOf } from '../condition-atoms.ts'
import type { CallParser, SampleCall, ShorthandEvent } from '../residual-condition.ts'
import { combineCommandOptions } from './combined-options.ts'
import { atomsWithKey, limitValues, linesOf, literalNamesIn, sampleFields, sampleInputs } from './conjunction-values.ts'
import { type Conjunction, type OmissionListener, toDnf, toExemptionDnf } from './disjunctive-normal-form.ts'
import { joinLines } from './joined-lines.ts'
import { callsOnPaths } from './path-calls.ts'
import type { PatternSampler } from './pattern-sampler.ts'
import { type PolicyConstants, sampleCommandLines } from './policy-constants.ts'

const FRESH_CALLS: readonly ShorthandEvent[] = [
  { shell: 'some-program' },
  { shell: 'cat some.txt' },
  { read: 'some.txt' },
  { write: 'some.txt' },
  { shell: 'echo x > some.txt' },
  { delete: 'some.txt' },
  { fetch: 'https://some.example/page' },
  { tool: 'Grep', input: { path: '.' } },
  { tool: 'AskUserQuestion' },
  { tool: 'TodoWrite' },
  { tool: 'mcp__some__tool' },
  { tool: 'mcp__tool' },
  { tool: 'SomeTool' },
]

/** Calls for every constant of the policy, for a fresh value of each attribute, and for each conjunction of a condition. */
export function createSampleCalls(
  program: Program,
  constants: PolicyConstants,
  parser: CallParser,
  { isNarrow = false } = {},
): readonly SampleCall[] {
  const onOmission: OmissionListener = atoms => constants.sampler.markIncomplete(atoms)
  const together = combineCommandOptions(program, constants)
  const joined = joinLines(program, constants.sampler, one => satisfyConjunction(one, parser.regex, constants.sampler))
  const shorthands: readonly ShorthandEvent[] = [
    ...FRESH_CALLS,
    ...constants.lines.map(shell => ({ shell })),
    ...together.map(shell => ({ shell })),
    ...callsOnPaths(program, constants, isNarrow),
    ...constants.urls.flatMap(url => [{ fetch: url }, { shell: `curl -s '${url}'` }]),
    ...joined.map(shell => ({ shell })),
    ...constants.agents.map(spawn => ({ spawn })),
    ...constants.tools.map(tool => ({ tool })),
    ...[
      ...program.gates.flatMap(conditionsOf).flatMap(condition => toDnf(condition, onOmission)),
      ...exemptedConjunctions(program, constants.sampler),
    ].flatMap(conjunction => satisfyConjunction(conjunction, parser.regex, constants.sampler)),
  ]
  // only a condition on success tells them from the command alone
  const attestable: readonly ShorthandEvent[] = (
    asksSuccess(program) ? [...constants.lines, ...together, ...commandEquivalents(program, constants)] : []
  ).map(line => ({ shell: `signalbox run -- ${line}` }))
  const known = new Map<string, SampleCall>()
  for (const short of [...shorthands, ...attestable]) {
    const before = parser.parseEvent(short)
    if (!before?.call || before.kind !== 'tool.before') continue
    const spawned = before.call.acts.find(act => act.action === 'spawn')?.agent
    const asking = constants.asksApproval ? approvalConditionsFor(program, before) : []
    // a rule about the main agent alone leaves subagents free, so an approved variant of the call adds no way out
    for (const approved of asking.every(isMainCallerOnly) ? [false] : [false, true])
      known.set(JSON.stringify([short, approved]), {
        shorthand: short,
        beforeEvent: before,
        isApproved: approved,
        isAttested: isAttested(short),
        ...(spawned !== undefined && before.call.tool === 'Agent' && { spawns: spawned }),
      })
  }
  return [...known.values()]
}

/** Conditions of rules and transitions that test `approved` and may match the call's actions. Other calls need no approved variant. */
function approvalConditionsFor({ gates }: Program, { call }: Event): readonly Condition[] {
  return gates
    .flatMap(gate => [...rulesOf(gate), ...gate.transitions])
    .filter(one => {
      const exempt = 'unless' in one && one.unless ? atomsOf(one.unless) : []
      return [...atomsOf(one.when), ...exempt].some(atom => atom.key === 'approved')
    })
    .map(({ when }) => when)
    .filter(when =>
      conjunctsOf(when).every(
        part =>
          !('key' in part && part.key === 'action') || call?.acts.some(act => part.in.includes(act.action)) !== false,
      ),
    )
}

const conjunctsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

const isMainCallerOnly = (condition: Condition): boolean =>
  conjunctsOf(condition).some(part => 'key' in part && part.key === 'caller' && part.in.every(one => one === 'main'))

/** Commands with the effect of a tool: `signalbox run` attests their success where the client does not report the tool's. */
function commandEquivalents(program: Program, { paths, urls }: PolicyConstants): readonly string[] {
  const isWaiting = program.gates.some(({ transitions }) =>
    transitions.some(({ to, when }) => to === 'open' && isAwaitingToolSuccess(atomsOf(when))),
  )
  if (!isWaiting) return []
  return [
    'some-program',
    ...['some.txt', ...paths].flatMap(path => ['touch', 'rm', 'cat'].map(name => `${name} ${quoteShellWord(path)}`)),
    ...['https://some.example/page', ...urls].map(url => `curl -s ${quoteShellWord(url)}`),
  ]
}

const isAwaitingToolSuccess = (atoms: readonly Atom[]): boolean =>
  atoms.some(atom => atom.key === 'succeeded') && atoms.every(atom => atom.key !== 'command')

/** Conjunctions that move a gate combined with exemptions of rules: a move may be allowed only in an exempted form. */
function exemptedConjunctions({ gates }: Program, sampler: PatternSampler): readonly Conjunction[] {
  const onOmission: OmissionListener = atoms => sampler.markIncomplete(atoms)
  const some = (conjunctions: readonly Conjunction[]): readonly Conjunction[] => {
    sampler.markIncomplete(conjunctions.slice(MAX_CONJUNCTIONS).flat())
    return conjunctions.slice(0, MAX_CONJUNCTIONS)
  }
  const moving = gates.flatMap(gate => gate.transitions.flatMap(({ when }) => some(toDnf(when, onOmission))))
  const exemptions = gates.flatMap(rulesOf).flatMap(rule => some(toExemptionDnf(rule, onOmission)))
  const all = moving.flatMap(conjunction => [
    ...exemptions.map(exemption => [...conjunction, ...exemption]),
    ...(exemptions.length > 1 ? [[...conjunction, ...exemptions.flat()]] : []),
  ])
  sampler.markIncomplete(all.slice(MAX_EXEMPTED).flat())
  return all.slice(0, MAX_EXEMPTED)
}

const MAX_EXEMPTED = 400
/** Conjunctions of one condition. */
const MAX_CONJUNCTIONS = 8

/** Calls that satisfy a conjunction, as far as they can be built. */
function satisfyConjunction(
  conjunction: Conjunction,
  regex: Regex,
  sampler: PatternSampler,
): readonly ShorthandEvent[] {
  return [
    ...sampleInputs(conjunction, regex, sampler).flatMap(input => satisfyWithInput(input, conjunction, regex, sampler)),
    ...unreadableCommands(conjunction, regex),
  ]
}

/** An opaque line that writes an unknown file and contains all required texts. */
function unreadableCommands(conjunction: Conjunction, regex: Regex): readonly ShorthandEvent[] {
  const changes = atomsWithKey(conjunction, 'action').some(
    atom => atom.in.includes('write') || atom.in.includes('delete'),
  )
  const texts = sampleFields(conjunction, 'input', regex).flatMap(([field, text]) =>
    field === 'command' ? [text] : [],
  )
  return changes && texts.length > 0 ? [{ shell: `rm "$SOME"; echo ${texts.join(' ')}` }] : []
}

function satisfyWithInput(
  input: Readonly<Record<string, string>>,
  conjunction: Conjunction,
  regex: Regex,
  sampler: PatternSampler,
): readonly ShorthandEvent[] {
  const commands = atomsWithKey(conjunction, 'command').flatMap(atom =>
    limitValues(atom, atom.in, conjunction, sampler).flatMap(matcher => sampleCommandLines(matcher, sampler)),
  )
  const paths = atomsWithKey(conjunction, 'path').flatMap(atom =>
    limitValues(atom, atom.in, conjunction, sampler).flatMap(pattern => sampler.paths(pattern.glob)),
  )
  const urls = atomsWithKey(conjunction, 'url').flatMap(atom =>
    limitValues(atom, atom.in, conjunction, sampler).flatMap(pattern => sampler.urls(pattern)),
  )
  const lines = linesOf(conjunction, commands, { paths, urls }, sampler)
  const assigns = sampleFields(conjunction, 'assigns', regex).map(([name, value]) => `${name}=${value}`)
  const command = input.command === undefined ? [] : [input.command]
  const hasMore = Object.keys(input).some(field => field !== 'command')
  if (
    lines.length > 0 ||
    assigns.length > 0 ||
    (command.length > 0 && !conjunction.some(atom => atom.key === 'tool' || atom.key === 'path'))
  )
    return (lines.length > 0 ? lines : ['some-program']).flatMap(line => [
      ...(hasMore ? [{ tool: 'Bash', input: { ...input, command: [...assigns, line, ...command].join(' ') } }] : []),
      { shell: [...assigns, line, ...command].join(' ') },
      ...(command.length > 0 && lines.length === 0 ? [{ shell: command[0] }] : []),
    ])
  const tools = literalNamesIn(conjunction, 'tool').flatMap(name => sampler.tools(name))
  const objects = [
    ...paths.map(path => ({ path })),
    ...urls.map(url => ({ url })),
    ...literalNamesIn(conjunction, 'agent').map(agent => ({ agent })),
  ]
  const inputPart = Object.keys(input).length > 0 ? { input } : {}
  if (tools.length > 0)
    return tools.flatMap(tool => [
      { tool, ...inputPart },
      ...objects.map(object => ({ tool, ...object, ...inputPart })),
      ...(isShell(tool) && hasMore ? [{ tool, input: { command: 'some-program', ...input } }] : []),
    ])
  const actions = atomsWithKey(conjunction, 'action').flatMap(atom => atom.in)
  const named = (actions.length > 0 ? actions : DEFAULT_ACTIONS).flatMap(action => TOOLS_BY_ACTION[action] ?? [])
  if (objects.length === 0 && Object.keys(input).length === 0)
    return actions.length > 0 ? named.map(tool => ({ tool })) : []
  return named.flatMap(tool => [
    { tool, ...inputPart },
    ...objectsFor(tool, objects).map(object => ({ tool, ...object, ...inputPart })),
  ])
}

/** A call of a tool for files that names none is a doubt for other gates, so it also gets a file. */
const objectsFor = (tool: string, objects: readonly ShorthandEvent[]): readonly ShorthandEvent[] =>
  objects.length === 0 && FILE_TOOLS.has(tool) ? [{ path: 'some.txt' }] : objects

const FILE_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'Read', 'Delete'])

const DEFAULT_ACTIONS: readonly ActionKind[] = ['write', 'read', 'mcp']
const TOOLS_BY_ACTION: Readonly<Partial<Record<ActionKind, readonly string[]>>> = {
  write: ['Write', 'Edit'],
  read: ['Read'],
  delete: ['Delete'],
  fetch: ['WebFetch'],
  search: ['Grep'],
  spawn: ['Agent'],
  ask: ['AskUserQuestion'],
  coordinate: ['TodoWrite'],
  mcp: ['mcp__some__tool'],
  other: ['SomeTool'],
}

/** `signalbox run` attests the exit status on every client. */
export const isAttested = ({ shell }: ShorthandEvent): boolean =>
  typeof shell === 'string' && shell.startsWith('signalbox run -- ')

/** Is it one of the default calls, whose values the policy does not name? */
export const isFreshCall = ({ shorthand }: SampleCall): boolean => FRESH_CALLS.some(one => one === shorthand)
