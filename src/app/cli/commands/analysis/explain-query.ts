import { join } from 'node:path'
import {
  type Counterfactual,
  type Explanation,
  explainEvent,
  findCounterfactuals,
} from '../../../../analysis/explain/index.ts'
import { findGateByName } from '../../../../analysis/policy-test/index.ts'
import { SimulatedSessions, simulatePayload, statesSeenByCaller } from '../../../../analysis/simulator/index.ts'
import { type Client, clientById, clients } from '../../../../clients/index.ts'
import type { Event, GateState } from '../../../../engine/index.ts'
import { applyBypasses, bypassAppliesIn, startCodeGates } from '../../../../hook/index.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { didYouMean, type Policy } from '../../../../policy/index.ts'
import { parseTestStep, type TestStepDoc } from '../../../../policy/parse/policy-tests.ts'
import { brokenLayerNotes, type ProjectContext } from '../../project.ts'
import { activeBypasses } from '../bypass/active-bypasses.ts'
import { createCounterfactualTools } from './counterfactual-tools.ts'
import { type RecordWithPast, reconstructEvent } from './explain-record.ts'

/** The events to explain, and the gate states to start from. */
export interface ExplainQuery {
  readonly client: Client
  readonly events: readonly Event[]
  readonly given: Readonly<Record<string, GateState>>
  readonly notes: readonly string[]
  /** the record, when the event is in the audit log */
  readonly found?: RecordWithPast
  readonly env: Readonly<Record<string, string>>
}

/** An event with its explanation. */
export interface ExplainedEvent {
  readonly event: Event
  readonly explanation: Explanation
  readonly counterfactuals: readonly Counterfactual[]
}

/** Returns the client, or an error text when no client has this id. */
export function findClient(named: string): Client | string {
  const all = clients.map(client => client.id)
  return clientById(named) ?? withSuggestion(`unknown client \`${named}\``, named, all)
}

const withSuggestion = (problem: string, written: string, known: readonly string[]): string =>
  [problem, didYouMean(written, known) ?? (known.length > 0 ? `there are ${known.slice(0, 8).join(', ')}` : '')]
    .filter(Boolean)
    .join('; ')

export function explainQueryFromRecord(found: RecordWithPast, program: Policy): ExplainQuery | string {
  const client = clientById(found.record.client)
  if (!client) return `record ${found.seq} does not come from an agent: ${found.record.name}`
  return { client, ...reconstructEvent(found, program, client), found, env: {} }
}

/** Builds the query from a test step, with the payload that this client would send. */
export function explainQueryFromStep(
  step: TestStepDoc,
  client: Client,
  { root, folders }: ProjectContext,
  program: Policy,
): Pick<ExplainQuery, 'client' | 'events' | 'notes'> | string {
  const simulated = simulatePayload(step, { root, home: folders.home, client })
  if ('problem' in simulated) return simulated.problem
  return { client, events: simulated.events, notes: [...simulated.notes, ...subHookNote(program)] }
}

const subHookNote = ({ hooks }: Policy): readonly string[] =>
  hooks.length > 0 ? ['`explain` does not run your own hooks'] : []

const SHORTHAND = /^(\{|(shell|write|edit|read|delete|fetch|spawn|tool|prompt|stops|starts|stop|event): )/

/** Matches text that looks like a shorthand with an unknown key. No shell command starts like this. */
const LIKELY_SHORTHAND = /^([a-z][a-z.-]*): /i
const SHORTHAND_HELP =
  'the end of a call is `{ shell: npm test, after: succeeded }`, a subagent `starts: reviewer` and `stops: reviewer`'

/** Parses a step in shorthand, or takes the text as a shell line. */
export function parseStepText(text: string, as: unknown): TestStepDoc | string {
  const [, key] = SHORTHAND.test(text) ? [] : (LIKELY_SHORTHAND.exec(text) ?? [])
  if (key !== undefined) return `\`${key}:\` is not an event; ${SHORTHAND_HELP}`
  const read = SHORTHAND.test(text)
    ? parseTestStep(text.startsWith('{') ? text : `{ ${text} }`)
    : { step: { shell: text } }
  if ('problem' in read) return [read.problem.message, read.problem.help].filter(Boolean).join('; ')
  return { ...read.step, ...(typeof as === 'string' && { as }) }
}

/** The policy in force, with active bypasses applied. */
export const programWithBypasses = ({ policy, folders, root }: ProjectContext, program = policy.program): Policy =>
  applyBypasses(
    program,
    activeBypasses(folders, Date.now()).filter(bypass => bypassAppliesIn(bypass, root)),
  )

/** Gate states by gate id, from the names or ids that a person typed. */
export function parseGivenStates(
  typed: readonly (readonly [name: string, state: string | undefined])[],
  { gates }: Policy,
): Readonly<Record<string, GateState>> | string {
  const given: { [gate: string]: GateState } = {}
  for (const [name, state] of typed) {
    const gate = findGateByName(gates, name)
    if (!gate)
      return withSuggestion(
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

/** Explains each event in turn with every gate of the program. */
export function explainEvents(
  { client, events, given, env }: ExplainQuery,
  { root, folders }: ProjectContext,
  program: Policy,
): readonly ExplainedEvent[] {
  const codeGates = startCodeGates(program, {
    worker: join(PROGRAM_FOLDER, 'dist/code-worker.mjs'),
    budgetMs: program.settings.budgetMs,
    lastMs: process.uptime() * 1000 + program.settings.budgetMs,
  })
  const [first] = events
  const states = first ? statesSeenByCaller(first, given, program) : given
  const { home } = folders
  const sessions = new SimulatedSessions({
    program,
    client,
    root,
    home,
    env,
    tools: { regex, codeGates },
    given: states,
  })
  return events.map(event => {
    const simulator = sessions.simulatorFor(event)
    const before = { simulator: simulator.fork(), event }
    const explanation = explainEvent(simulator.play(event))
    const counterfactuals = hasTooManyActions(event)
      ? []
      : findCounterfactuals(before, createCounterfactualTools(before, client, home))
    return { event, explanation, counterfactuals }
  })
}

/** Counterfactuals try the line without each of its parts and parse it each time: hundreds of actions would take minutes. */
const MAX_ACTIONS = 64
export const hasTooManyActions = ({ call }: Event): boolean => (call?.acts.length ?? 0) > MAX_ACTIONS

/** Notes shown beside the explanation trees. */
export function explanationNotes(
  { found, given, notes }: ExplainQuery,
  explained: readonly ExplainedEvent[],
  project: ProjectContext,
  program: Policy,
) {
  const untried = explained.some(({ event }) => hasTooManyActions(event))
    ? ['counterfactuals were not searched: the call has too many actions']
    : []
  const all = [...brokenLayerNotes(project), ...notes, ...untried]
  const decided = explained.map(({ explanation }) => explanation.gate)
  return found
    ? [...policyChangeNotes(found, explained[0]?.explanation.decision, program), ...all]
    : [...all, ...gateStateNotes(program, given, decided)]
}

/** Notes when today's policy decides the recorded event differently than the policy at that time. */
function policyChangeNotes(
  { record }: RecordWithPast,
  decision: string | undefined,
  { hash }: Policy,
): readonly string[] {
  return [
    ...(record.policy === hash
      ? []
      : ['another policy, or another copy of Signalbox, decided it: this explains it with the current one']),
    ...(decision === record.decision
      ? []
      : [`the recorded decision was ${record.decision}; the decision from the recorded data is ${decision}`]),
  ]
}

/** Notes for gates whose state was not given. The gate that decided comes with a suggestion of what to try. */
function gateStateNotes(
  { gates }: Policy,
  given: Readonly<Record<string, GateState>>,
  decided: readonly (string | undefined)[],
): readonly string[] {
  const begins = gates.filter(
    gate => gate.initial !== undefined && given[gate.id] === undefined && gate.layer !== 'built-in',
  )
  const first = begins.find(begin => decided.includes(begin.id)) ?? begins[0]
  if (!first) return []
  const list = begins.map(begin => `${begin.name} ${begin.initial}`).join(', ')
  const other = first.initial === 'open' ? 'closed' : 'open'
  return [`gate states at the start of a session: ${list}; change them with --given ${first.name}=${other}`]
}

/** The JSON form, without `result`, which only the engine needs. */
export const explainedEventJson = (
  { event, explanation: { result: _, ...rest }, counterfactuals }: ExplainedEvent,
  notes: readonly string[],
) => ({
  event,
  ...rest,
  counterfactuals,
  notes,
})
