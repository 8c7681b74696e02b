import * as v from 'valibot'
import { DECISIONS } from '../../core/index.ts'
import { EVENT_KINDS, PROMPT_SOURCES } from '../../pattern/index.ts'
import { state } from './condition.ts'
import { amount, choice, file, flag, mapping, named, oneOrMany, regex, scalar, text } from './value.ts'

/** What the engine can answer, and `warn`: it passes, and a rule says something to it. */
const decision = choice([...DECISIONS, 'warn'])

/** Contained in it, in any case; or found by a regular expression. */
const said = oneOrMany(v.union([text, regex], 'must be a text or { regex }'), 'a text, { regex }')

const expectation = v.union(
  [
    decision,
    mapping(
      {
        decision: v.exactOptional(decision),
        gate: v.exactOptional(text),
        rule: v.exactOptional(text),
        reason: v.exactOptional(said),
        context: v.exactOptional(said),
        message: v.exactOptional(said),
        gates: v.exactOptional(named(state, 'gates to open or closed')),
      },
      'must be a decision or { decision, gate, rule, reason, context, message, gates }',
    ),
  ],
  'must be a decision or { decision, gate, rule, reason, context, message, gates }',
)

const variables = named(scalar, 'names to values')

/** An event in short form, and what is expected of it. `payload`: what the client itself sends, or a file with it. */
export const step = mapping(
  {
    shell: v.exactOptional(text),
    write: v.exactOptional(text),
    edit: v.exactOptional(text),
    read: v.exactOptional(text),
    delete: v.exactOptional(text),
    fetch: v.exactOptional(text),
    spawn: v.exactOptional(text),
    tool: v.exactOptional(text),
    prompt: v.exactOptional(text),
    stops: v.exactOptional(text),
    starts: v.exactOptional(text),
    stop: v.exactOptional(v.literal(true, 'must be true')),
    payload: v.exactOptional(v.union([file, named(v.unknown(), 'a payload')], 'must be a file or a payload')),
    as: v.exactOptional(text),
    client: v.exactOptional(text),
    expect: v.exactOptional(expectation),
    after: v.exactOptional(choice(['succeeded', 'failed', 'unknown'])),
    input: v.exactOptional(named(v.unknown(), 'fields to values')),
    path: v.exactOptional(text),
    url: v.exactOptional(text),
    command: v.exactOptional(text),
    agent: v.exactOptional(text),
    caller: v.exactOptional(text),
    source: v.exactOptional(choice(PROMPT_SOURCES)),
    answer: v.exactOptional(text),
    output: v.exactOptional(text),
    background: v.exactOptional(flag),
    event: v.exactOptional(choice(EVENT_KINDS)),
    id: v.exactOptional(text),
    session: v.exactOptional(text),
    cwd: v.exactOptional(text),
    wait: v.exactOptional(amount),
    env: v.exactOptional(variables),
    signed: v.exactOptional(named(amount, 'commands to exit codes')),
  },
  'must be an event in short form',
)

const circumstances = {
  client: v.exactOptional(oneOrMany(text, 'a client')),
  policy: v.exactOptional(v.union([file, named(v.unknown(), 'a policy')], 'must be a file or a policy')),
  given: v.exactOptional(named(state, 'gates to open or closed')),
  env: v.exactOptional(variables),
}

const testOf = <T extends v.GenericSchema>(event: T) =>
  mapping(
    { name: text, ...circumstances, events: v.array(event, 'must be a list of events') },
    'must be { name, client, policy, given, env, events }',
  )

const testsOf = <T extends v.GenericSchema>(one: T) =>
  mapping(
    { ...circumstances, tests: v.array(one, 'must be a list of tests') },
    'must be { client, policy, given, env, tests }',
  )

const test = testOf(step)

/** A file of policy tests. What stands beside `tests` holds for each of them. */
export const tests = testsOf(test)

/** As people may write it: an event that is a text is a shell line. */
export const writtenTests = testsOf(testOf(v.union([step, text])))

export type TestsDoc = v.InferInput<typeof tests>
export type TestDoc = v.InferInput<typeof test>
export type StepDoc = v.InferInput<typeof step>
export type ExpectationDoc = v.InferInput<typeof expectation>
