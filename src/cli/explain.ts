import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Client, clientById, clients } from '../clients/index.ts'
import { senderOf } from '../clients/sender.ts'
import type { Event } from '../core/index.ts'
import { explainEvent, flipsOf, headOf, showExplanation } from '../explain/index.ts'
import { type GateState, isObject, visibleJson } from '../pattern/index.ts'
import { didYouMean, type Policy } from '../policy/index.ts'
import { readStep, type StepDoc } from '../policy/tests.ts'
import { holdsIn, lifted, openCodeGates } from '../runtime/index.ts'
import { regex } from '../runtime/regex.ts'
import { castStep, gateNamed, retyped, Stage } from '../trial/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { type Found, findRecord, headOfRecord, recalled } from './explain-record.ts'
import { HOME } from './home.ts'
import { liftedNow } from './lifting.ts'
import { layerNotes, openProject, type Project } from './project.ts'

export const explain: Command = {
  name: 'explain',
  summary: 'Why is it so? Every gate, rule and condition that had a say, and what would have changed it.',
  usage:
    '<event | payload.json | record number> | --last  [--client ID] [--as AGENT] [--given GATE=STATE] [--all] [--json]',
  about: {
    last: 'the latest call that a gate spoke of',
    client: 'the agent it is asked of; claude-code unless you say otherwise',
    as: 'who calls: an agent, or `unknown`',
    given: 'a gate and its state; more than once for more than one',
    all: 'gates and rules that have nothing to do with it, too',
    json: 'the whole tree as JSON',
  },
  example: 'signalbox explain "git push origin main"',
  options: {
    last: { type: 'boolean' },
    client: { type: 'string' },
    as: { type: 'string' },
    given: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: true,
  async run({ values, positionals, terminal }) {
    const project = openProject(terminal)
    const asked = readAsked(values, positionals.join(' ').trim(), project, terminal)
    if (typeof asked === 'string') {
      terminal.err(`signalbox explain: ${asked}\n`)
      return 2
    }
    return tell(asked, project, terminal, { all: values.all === true, json: values.json === true })
  },
}

/** What is to be explained: events and the states they come into. */
interface Asked {
  readonly client: Client
  readonly events: readonly Event[]
  readonly given: Readonly<Record<string, GateState>>
  readonly notes: readonly string[]
  /** it happened, and is on record */
  readonly found?: Found
  readonly env: Readonly<Record<string, string>>
}

type Values = Readonly<Record<string, unknown>>

/** A problem in one line, where it is one. */
function readAsked(values: Values, text: string, project: Project, terminal: Terminal): Asked | string {
  const program = programHere(project)
  const [, number] = /^#?(\d+)$/.exec(text) ?? []
  if (values.last === true || number !== undefined) {
    const stray = ['client', 'as', 'given'].find(one => values[one] !== undefined)
    if (stray !== undefined) return `\`--${stray}\` is for an event that has not happened: a record has its own`
    const found = findRecord(project.folders.state, values.last === true ? 'last' : Number(number))
    return typeof found === 'string' ? found : fromRecord(found, program)
  }
  if (text === '') return 'say what: an event, a file with a payload, the number of a record, or --last'
  const named = values.client === undefined ? 'claude-code' : String(values.client)
  const client = clientById(named)
  if (!client)
    return withGuess(
      `unknown client \`${named}\``,
      named,
      clients.map(one => one.id),
    )
  const given = givenIn(values.given, program)
  if (typeof given === 'string') return given
  const env = Object.fromEntries(
    Object.entries(terminal.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const isFile = text.endsWith('.json') && existsSync(resolve(terminal.cwd, text))
  if (isFile && values.as !== undefined) return 'a payload says itself who calls: `--as` is for an event in short form'
  const step = isFile ? fromFile(resolve(terminal.cwd, text), client, terminal) : fromText(text, values.as)
  if (typeof step === 'string') return step
  const sender = step.client ?? client
  const place = { root: project.root, home: project.folders.home, client: sender }
  const cast = castStep(step.step, place)
  if ('problem' in cast) return cast.problem
  return { client: sender, events: cast.events, given, notes: [...cast.notes, ...hooksOf(program)], env }
}

const withGuess = (problem: string, written: string, known: readonly string[]): string =>
  [problem, didYouMean(written, known) ?? (known.length > 0 ? `there are ${known.slice(0, 8).join(', ')}` : '')]
    .filter(Boolean)
    .join('; ')

const hooksOf = ({ hooks }: Policy): readonly string[] =>
  hooks.length > 0 ? ['hooks of your own are not run to explain'] : []

function fromRecord(found: Found, program: Policy): Asked | string {
  const client = clientById(found.record.client)
  if (!client) return `record ${found.seq} is not of an agent: ${found.record.name}`
  return { client, ...recalled(found, program, client), found, env: {} }
}

/** The policy in force, with what a person has lifted. */
const programHere = ({ policy, folders, root }: Project): Policy =>
  lifted(
    policy.program,
    liftedNow(folders, Date.now()).filter(one => holdsIn(one, root)),
  )

function givenIn(values: unknown, { gates }: Policy): Readonly<Record<string, GateState>> | string {
  const given: { [gate: string]: GateState } = {}
  for (const one of Array.isArray(values) ? values : []) {
    const [name = '', state] = String(one).split('=')
    const gate = gateNamed(gates, name)
    if (!gate)
      return withGuess(
        `unknown gate \`${name}\``,
        name,
        gates.filter(({ layer }) => layer !== 'built-in').map(own => own.name),
      )
    if (gate.initial === undefined) return `gate \`${name}\` has no state`
    if (state !== 'open' && state !== 'closed') return `\`--given\` is like \`${name}=open\``
    given[gate.id] = state
  }
  return given
}

interface Read {
  readonly step: StepDoc
  readonly client?: Client | undefined
}

/** A payload as an agent sends it: whose it is may show in it. */
function fromFile(file: string, client: Client, { env }: Terminal): Read | string {
  try {
    const payload: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isObject(payload)) return `\`${file}\` holds no payload: it is not a JSON object`
    return { step: { payload }, client: clientById(senderOf(client.id, payload, env)) }
  } catch {
    return `\`${file}\` holds no payload: it is not JSON`
  }
}

const IS_SHORT = /^(\{|(shell|write|edit|read|delete|fetch|spawn|tool|prompt|stops|starts|stop|event): )/

/** In short form, or a shell line as it is. */
function fromText(text: string, as: unknown): Read | string {
  const read = IS_SHORT.test(text) ? readStep(text.startsWith('{') ? text : `{ ${text} }`) : { step: { shell: text } }
  if ('problem' in read) return [read.problem.message, read.problem.help].filter(Boolean).join('; ')
  return { step: { ...read.step, ...(typeof as === 'string' && { as }) } }
}

function tell(asked: Asked, project: Project, { out }: Terminal, how: { all: boolean; json: boolean }): ExitCode {
  const program = programHere(project)
  const { client, events, given, env, found } = asked
  const { root, folders } = project
  const codeGates = openCodeGates(program, {
    worker: join(HOME, 'dist/code-worker.mjs'),
    budgetMs: program.settings.budgetMs,
    lastMs: process.uptime() * 1000 + program.settings.budgetMs,
  })
  const stage = new Stage({ program, client, root, home: folders.home, regex, codeGates, given })
  const told = events.map(event => {
    const input = stage.inputFor(event, env)
    const explanation = explainEvent(input, stage.tools)
    const place = { root, home: folders.home, client }
    const flips = flipsOf(input, stage.tools, { retyped: line => retyped(event, line, place) })
    stage.play(event, env)
    return { event, explanation, flips }
  })
  const layers = layerNotes(project)
  const notes = found
    ? [...agreement(found, told[0]?.explanation.decision, program), ...layers, ...asked.notes]
    : [...layers, ...asked.notes, ...stateNotes(program, given)]
  if (how.json) {
    const recorded = found ? { id: found.seq, recorded: found.record } : {}
    const all = told.map(({ event, explanation: { result: _, ...rest }, flips }) => ({
      ...recorded,
      event,
      ...rest,
      flips,
      notes,
    }))
    out(`${visibleJson(JSON.stringify(all.length === 1 ? all[0] : all, null, 2))}\n`)
    return 0
  }
  for (const { event, explanation, flips } of told) {
    const head = found ? headOfRecord(found) : headOf(explanation, event)
    out(`${showExplanation(head, explanation, { all: how.all, flips, notes })}\n`)
  }
  return 0
}

/** Where the policy of today, asked with what is on record, says otherwise than the one of then. */
function agreement({ record }: Found, decision: string | undefined, { hash }: Policy): readonly string[] {
  return [
    ...(record.policy === hash
      ? []
      : ['the policy is not the one that decided then: the tree is that of the one in force here']),
    ...(decision === record.decision
      ? []
      : [`recorded was ${record.decision}; with what is kept of it the answer is ${decision}`]),
  ]
}

/** Nobody said in which state the gates are. */
function stateNotes({ gates }: Policy, given: Readonly<Record<string, GateState>>): readonly string[] {
  const begins = gates.filter(
    one => one.initial !== undefined && given[one.id] === undefined && one.layer !== 'built-in',
  )
  const [first] = begins
  if (!first) return []
  const list = begins.map(one => `${one.name} ${one.initial}`).join(', ')
  const other = first.initial === 'open' ? 'closed' : 'open'
  return [`as a session begins: ${list}; otherwise with --given ${first.name}=${other}`]
}
