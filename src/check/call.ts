import type { Event, Program } from '../core/index.ts'
import { type Action, type Condition, isShell, type Regex } from '../pattern/index.ts'
import { type Atom, atomsOf, conditionsOf, rulesOf } from './atom.ts'
import { type Constants, lineFor } from './constants.ts'
import { mergedLines } from './merged-line.ts'
import { MADE, type Sampler } from './sampler.ts'
import { escapesFrom, type LeftOut, type Wish, wishesOf } from './wish.ts'
import { textFor } from './witness.ts'

/** An event as a policy's tests write it. */
export type Short = Readonly<Record<string, unknown>>

/** A call that stands for all that agree with it on every condition. */
export interface Call {
  readonly short: Short
  /** the beginning of it, by the main agent */
  readonly before: Event
  readonly approved: boolean
  /** run by `signalbox run`, which says how it ended */
  readonly witnessed: boolean
  /** type of the agent it starts */
  readonly spawns?: string
}

export interface CallTools {
  readonly regex: Regex
  read(short: Short): Event | null
}

const FRESH: readonly Short[] = [
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

/** Every constant of the policy and a fresh value of each attribute, then what single conditions ask for at once. */
export function callsOf(
  program: Program,
  constants: Constants,
  tools: CallTools,
  { isNarrow = false } = {},
): readonly Call[] {
  const leave: LeftOut = atoms => constants.sampler.leaveOut(atoms)
  const together = mergedLines(program, constants)
  const shorts: readonly Short[] = [
    ...FRESH,
    ...constants.lines.map(shell => ({ shell })),
    ...together.map(shell => ({ shell })),
    ...constants.paths.flatMap(path => onPath(path, constants.tools)),
    ...(isNarrow ? ['some.txt', ...constants.paths].flatMap(byPatchOrLine) : []),
    ...constants.urls.flatMap(url => [{ fetch: url }, { shell: `curl -s '${url}'` }]),
    ...constants.agents.map(spawn => ({ spawn })),
    ...constants.tools.map(tool => ({ tool })),
    ...[
      ...program.gates.flatMap(conditionsOf).flatMap(one => wishesOf(one, leave)),
      ...spared(program, constants.sampler),
    ].flatMap(wish => grant(wish, tools.regex, constants.sampler)),
  ]
  const witnessed: readonly Short[] = [...constants.lines, ...together, ...doneByLine(program, constants)].map(
    line => ({
      shell: `signalbox run -- ${line}`,
    }),
  )
  const known = new Map<string, Call>()
  for (const short of [...shorts, ...witnessed]) {
    const before = tools.read(short)
    if (!before?.call || before.kind !== 'tool.before') continue
    const spawned = before.call.acts.find(act => act.action === 'spawn')?.agent
    const asking = constants.asksApproval ? askingForApproval(program, before) : []
    // what is refused to main alone may be done by any agent: an approval is not the way out that is looked for
    for (const approved of asking.every(isOfMain) ? [false] : [false, true])
      known.set(JSON.stringify([short, approved]), {
        short,
        before,
        approved,
        witnessed: isWitnessed(short),
        ...(spawned !== undefined && before.call.tool === 'Agent' && { spawns: spawned }),
      })
  }
  return [...known.values()]
}

/** Rules and transitions that ask for an approval and may speak of such actions. Of other calls it makes no difference. */
function askingForApproval({ gates }: Program, { call }: Event): readonly Condition[] {
  return gates
    .flatMap(gate => [...rulesOf(gate), ...gate.transitions])
    .filter(one => {
      const exempt = 'unless' in one && one.unless ? atomsOf(one.unless) : []
      return [...atomsOf(one.when), ...exempt].some(atom => atom.key === 'approved')
    })
    .map(({ when }) => when)
    .filter(when =>
      partsOf(when).every(
        part =>
          !('key' in part && part.key === 'action') || call?.acts.some(act => part.in.includes(act.action)) !== false,
      ),
    )
}

const partsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])

const isOfMain = (condition: Condition): boolean =>
  partsOf(condition).some(part => 'key' in part && part.key === 'caller' && part.in.every(one => one === 'main'))

/** What a tool does to a file or a page, done by a command: where nobody tells of the tool's success, that of a command can be told. */
function doneByLine(program: Program, { paths, urls }: Constants): readonly string[] {
  const isWaiting = program.gates.some(({ transitions }) =>
    transitions.some(({ to, when }) => to === 'open' && waitsForOther(atomsOf(when))),
  )
  if (!isWaiting) return []
  return [
    'some-program',
    ...['some.txt', ...paths].flatMap(path => ['touch', 'rm', 'cat'].map(name => `${name} ${quoted(path)}`)),
    ...['https://some.example/page', ...urls].map(url => `curl -s ${quoted(url)}`),
  ]
}

const waitsForOther = (atoms: readonly Atom[]): boolean =>
  atoms.some(atom => atom.key === 'succeeded') && atoms.every(atom => atom.key !== 'command')

const quoted = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : `'${word}'`)

/** What moves a gate, in a way that a rule exempts: it may be that only so it is let through. */
function spared({ gates }: Program, sampler: Sampler): readonly Wish[] {
  const leave: LeftOut = atoms => sampler.leaveOut(atoms)
  const some = (wishes: readonly Wish[]): readonly Wish[] => {
    sampler.leaveOut(wishes.slice(MOST_WAYS).flat())
    return wishes.slice(0, MOST_WAYS)
  }
  const moving = gates.flatMap(gate => gate.transitions.flatMap(({ when }) => some(wishesOf(when, leave))))
  const escapes = gates.flatMap(rulesOf).flatMap(rule => some(escapesFrom(rule, leave)))
  const all = moving.flatMap(wish => [
    ...escapes.map(way => [...wish, ...way]),
    ...(escapes.length > 1 ? [[...wish, ...escapes.flat()]] : []),
  ])
  sampler.leaveOut(all.slice(MOST_SPARED).flat())
  return all.slice(0, MOST_SPARED)
}

const MOST_SPARED = 400
/** Of one condition. */
const MOST_WAYS = 8

const onPath = (path: string, tools: readonly string[]): readonly Short[] => [
  ...[{ read: path }, { write: path }, { edit: path }, { delete: path }, { shell: `echo x > '${path}'` }],
  ...tools.filter(tool => /^(notebookedit|multiedit|grep|glob|ls)$/i.test(tool)).map(tool => ({ tool, path })),
]

/** Where an agent has no tools for files. */
const byPatchOrLine = (path: string): readonly Short[] => [
  { tool: 'ApplyPatch', input: { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch` } },
  { shell: `cat ${quoted(path)}` },
  { shell: `rm ${quoted(path)}` },
]

/** Calls that meet the positive part of a wish, as far as one can be made. */
function grant(wish: Wish, regex: Regex, sampler: Sampler): readonly Short[] {
  return [
    ...inputsOf(wish, regex, sampler).flatMap(input => grantWith(input, wish, regex, sampler)),
    ...unreadable(wish, regex),
  ]
}

/** A line that changes what nobody can tell, with all the texts in it that are asked for. */
function unreadable(wish: Wish, regex: Regex): readonly Short[] {
  const changes = of(wish, 'action').some(atom => atom.in.includes('write') || atom.in.includes('delete'))
  const texts = fieldsOf(wish, 'input', regex).flatMap(([field, text]) => (field === 'command' ? [text] : []))
  return changes && texts.length > 0 ? [{ shell: `rm "$SOME"; echo ${texts.join(' ')}` }] : []
}

function grantWith(
  input: Readonly<Record<string, string>>,
  wish: Wish,
  regex: Regex,
  sampler: Sampler,
): readonly Short[] {
  const lines = of(wish, 'command').flatMap(atom =>
    someOf(atom, atom.in, wish, sampler).flatMap(one => lineFor(one, sampler)),
  )
  const assigns = fieldsOf(wish, 'assigns', regex).map(([name, value]) => `${name}=${value}`)
  const command = input.command === undefined ? [] : [input.command]
  const hasMore = Object.keys(input).some(field => field !== 'command')
  if (
    lines.length > 0 ||
    assigns.length > 0 ||
    (command.length > 0 && !wish.some(one => one.key === 'tool' || one.key === 'path'))
  )
    return (lines.length > 0 ? lines : ['some-program']).flatMap(line => [
      ...(hasMore ? [{ tool: 'Bash', input: { ...input, command: [...assigns, line, ...command].join(' ') } }] : []),
      { shell: [...assigns, line, ...command].join(' ') },
      ...(command.length > 0 && lines.length === 0 ? [{ shell: command[0] }] : []),
    ])
  const tools = namesIn(wish, 'tool').flatMap(name => sampler.tools(name))
  const objects = [
    ...of(wish, 'path')
      .flatMap(atom => someOf(atom, atom.in, wish, sampler).flatMap(one => sampler.paths(one.glob)))
      .map(path => ({ path })),
    ...of(wish, 'url')
      .flatMap(atom => someOf(atom, atom.in, wish, sampler).flatMap(one => sampler.urls(one)))
      .map(url => ({ url })),
    ...namesIn(wish, 'agent').map(agent => ({ agent })),
  ]
  const whole = Object.keys(input).length > 0 ? { input } : {}
  if (tools.length > 0)
    return tools.flatMap(tool => [
      { tool, ...whole },
      ...objects.map(one => ({ tool, ...one, ...whole })),
      ...(isShell(tool) && hasMore ? [{ tool, input: { command: 'some-program', ...input } }] : []),
    ])
  const actions = of(wish, 'action').flatMap(atom => atom.in)
  const named = (actions.length > 0 ? actions : ACTING).flatMap(action => TOOLS[action] ?? [])
  if (objects.length === 0 && Object.keys(input).length === 0)
    return actions.length > 0 ? named.map(tool => ({ tool })) : []
  return named.flatMap(tool => [{ tool, ...whole }, ...objects.map(one => ({ tool, ...one, ...whole }))])
}

/** Alone, each value is tried anyway; together with what else is asked for, so many. */
function someOf<T>(atom: Atom, values: readonly T[], wish: Wish, sampler: Sampler): readonly T[] {
  const isMore = wish.some(one => one !== atom && MADE.has(one.key))
  if (isMore && values.length > MOST_VALUES) sampler.leaveOut([atom])
  return values.slice(0, MOST_VALUES)
}

const MOST_VALUES = 8

const ACTING: readonly Action[] = ['write', 'read', 'mcp']
const TOOLS: Readonly<Partial<Record<Action, readonly string[]>>> = {
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

const of = <K extends Atom['key']>(wish: Wish, key: K): readonly Extract<Atom, { readonly key: K }>[] =>
  wish.filter((one): one is Extract<Atom, { readonly key: K }> => one.key === key)

const namesIn = (wish: Wish, key: 'tool' | 'agent'): readonly string[] =>
  wish.flatMap(atom =>
    atom.key === key && 'in' in atom ? atom.in.map(String).filter(name => !name.includes('{')) : [],
  )

const fieldsOf = (wish: Wish, key: 'input' | 'assigns', regex: Regex): readonly (readonly [string, string])[] =>
  wish.flatMap(atom => {
    if (atom.key !== key || !('fields' in atom)) return []
    return atom.fields.flatMap(({ field, in: wanted }) => {
      const text = wanted.map(one => textFor(one, regex)).find(one => one !== undefined)
      return text === undefined || field === '' ? [] : [[field, text] as const]
    })
  })

/** Inputs with a text for each field; one field at a time as other patterns take it or leave it. */
function inputsOf(wish: Wish, regex: Regex, sampler: Sampler): readonly Readonly<Record<string, string>>[] {
  const plain = Object.fromEntries(fieldsOf(wish, 'input', regex))
  const fields = wish.flatMap(atom => (atom.key === 'input' ? atom.fields : []))
  const each = fields.flatMap(({ field, in: wanted }) =>
    field === '' ? [] : wanted.flatMap(one => sampler.texts(field, one).map(text => ({ ...plain, [field]: text }))),
  )
  return [plain, ...each]
}

/** `signalbox run` tells how the command ended, whatever the client does. */
export const isWitnessed = ({ shell }: Short): boolean =>
  typeof shell === 'string' && shell.startsWith('signalbox run -- ')

/** A call as good as any, where one is needed that nobody speaks of. */
export const isIdle = ({ short }: Call): boolean => FRESH.some(one => one === short)
