import { join } from 'node:path'
import { type Client, clientById, clients } from '../clients/index.ts'
import type { Event } from '../core/index.ts'
import { type Explanation, explainEvent, type Flip, flipsOf } from '../explain/index.ts'
import type { GateState } from '../pattern/index.ts'
import { didYouMean, type Policy } from '../policy/index.ts'
import { readStep, type StepDoc } from '../policy/tests.ts'
import { holdsIn, lifted, openCodeGates } from '../runtime/index.ts'
import { regex } from '../runtime/regex.ts'
import { castStep, gateNamed, givenTo, Stage } from '../trial/index.ts'
import { type Found, recalled } from './explain-record.ts'
import { HOME } from './home.ts'
import { liftedNow } from './lifting.ts'
import { layerNotes, type Project } from './project.ts'
import { turningOf } from './turning.ts'

/** What is to be explained: events and the states they come into. */
export interface Asked {
  readonly client: Client
  readonly events: readonly Event[]
  readonly given: Readonly<Record<string, GateState>>
  readonly notes: readonly string[]
  /** it happened, and is on record */
  readonly found?: Found
  readonly env: Readonly<Record<string, string>>
}

/** An event as it was explained. */
export interface Told {
  readonly event: Event
  readonly explanation: Explanation
  readonly flips: readonly Flip[]
}

/** A problem in one line where there is no such client. */
export function clientNamed(named: string): Client | string {
  const all = clients.map(one => one.id)
  return clientById(named) ?? withGuess(`unknown client \`${named}\``, named, all)
}

const withGuess = (problem: string, written: string, known: readonly string[]): string =>
  [problem, didYouMean(written, known) ?? (known.length > 0 ? `there are ${known.slice(0, 8).join(', ')}` : '')]
    .filter(Boolean)
    .join('; ')

export function fromRecord(found: Found, program: Policy): Asked | string {
  const client = clientById(found.record.client)
  if (!client) return `record ${found.seq} is not of an agent: ${found.record.name}`
  return { client, ...recalled(found, program, client), found, env: {} }
}

/** A step as this client would tell of it. */
export function fromStep(
  step: StepDoc,
  client: Client,
  { root, folders }: Project,
  program: Policy,
): Pick<Asked, 'client' | 'events' | 'notes'> | string {
  const cast = castStep(step, { root, home: folders.home, client })
  if ('problem' in cast) return cast.problem
  return { client, events: cast.events, notes: [...cast.notes, ...hooksOf(program)] }
}

const hooksOf = ({ hooks }: Policy): readonly string[] =>
  hooks.length > 0 ? ['hooks of your own are not run to explain'] : []

const IS_SHORT = /^(\{|(shell|write|edit|read|delete|fetch|spawn|tool|prompt|stops|starts|stop|event): )/

/** No command is called so. */
const LOOKS_SHORT = /^([a-z][a-z.-]*): /i
const FORMS =
  'the end of a call is `{ shell: npm test, after: succeeded }`, a subagent `starts: reviewer` and `stops: reviewer`'

/** In short form, or a shell line as it is. */
export function stepIn(text: string, as: unknown): StepDoc | string {
  const [, key] = IS_SHORT.test(text) ? [] : (LOOKS_SHORT.exec(text) ?? [])
  if (key !== undefined) return `\`${key}:\` begins no event; ${FORMS}`
  const read = IS_SHORT.test(text) ? readStep(text.startsWith('{') ? text : `{ ${text} }`) : { step: { shell: text } }
  if ('problem' in read) return [read.problem.message, read.problem.help].filter(Boolean).join('; ')
  return { ...read.step, ...(typeof as === 'string' && { as }) }
}

/** The policy in force, with what a person has lifted. */
export const programHere = ({ policy, folders, root }: Project, program = policy.program): Policy =>
  lifted(
    program,
    liftedNow(folders, Date.now()).filter(one => holdsIn(one, root)),
  )

/** States by gate id, from names or ids as a person writes them. */
export function givenOf(
  said: readonly (readonly [name: string, state: string | undefined])[],
  { gates }: Policy,
): Readonly<Record<string, GateState>> | string {
  const given: { [gate: string]: GateState } = {}
  for (const [name, state] of said) {
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

/** Each event as every gate of the program saw it, one after the other. */
export function explainAll(
  { client, events, given, env }: Asked,
  { root, folders }: Project,
  program: Policy,
): readonly Told[] {
  const codeGates = openCodeGates(program, {
    worker: join(HOME, 'dist/code-worker.mjs'),
    budgetMs: program.settings.budgetMs,
    lastMs: process.uptime() * 1000 + program.settings.budgetMs,
  })
  const [first] = events
  const states = first ? givenTo(first, given, program) : given
  const stage = new Stage({ program, client, root, home: folders.home, regex, codeGates, given: states })
  return events.map(event => {
    const input = stage.inputFor(event, env)
    const explanation = explainEvent(input, stage.tools)
    const turning = turningOf(input, stage.tools, client, folders.home)
    const flips = isTooMuch(event) ? [] : flipsOf(input, stage.tools, turning)
    stage.play(event, env)
    return { event, explanation, flips }
  })
}

/** Each part of a line that could be left out is tried, and each try reads all of it: a line of hundreds would take minutes. */
const MOST_ACTS = 64
export const isTooMuch = ({ call }: Event): boolean => (call?.acts.length ?? 0) > MOST_ACTS

/** What has to be known beside the trees. */
export function notesOn({ found, given, notes }: Asked, told: readonly Told[], project: Project, program: Policy) {
  const untried = told.some(({ event }) => isTooMuch(event))
    ? ['it does too much to try what would have changed it']
    : []
  const all = [...layerNotes(project), ...notes, ...untried]
  const decided = told.map(({ explanation }) => explanation.gate)
  return found
    ? [...agreement(found, told[0]?.explanation.decision, program), ...all]
    : [...all, ...stateNotes(program, given, decided)]
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

/** Nobody said in which state the gates are. What to try is told with the one that decided. */
function stateNotes(
  { gates }: Policy,
  given: Readonly<Record<string, GateState>>,
  decided: readonly (string | undefined)[],
): readonly string[] {
  const begins = gates.filter(
    one => one.initial !== undefined && given[one.id] === undefined && one.layer !== 'built-in',
  )
  const first = begins.find(one => decided.includes(one.id)) ?? begins[0]
  if (!first) return []
  const list = begins.map(one => `${one.name} ${one.initial}`).join(', ')
  const other = first.initial === 'open' ? 'closed' : 'open'
  return [`as a session begins: ${list}; otherwise with --given ${first.name}=${other}`]
}

/** As JSON: everything but what only the engine needs. */
export const explainedAs = ({ event, explanation: { result: _, ...rest }, flips }: Told, notes: readonly string[]) => ({
  event,
  ...rest,
  flips,
  notes,
})
