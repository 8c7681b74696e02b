import * as v from 'valibot'
import { DECISIONS, EVENT_KINDS, PROMPT_SOURCES } from '../../engine/index.ts'
import { stateSchema } from './condition.ts'
import {
  amountSchema,
  choiceSchema,
  fileSchema,
  flagSchema,
  mappingSchema,
  oneOrManySchema,
  recordSchema,
  regexSchema,
  scalarSchema,
  textSchema,
} from './value.ts'

/** The decisions of the engine, and `warn`: the call passes, and a rule shows a warning. */
const decisionSchema = choiceSchema([...DECISIONS, 'warn'])

/** A text that must be contained, in any case, or a regex that must match. */
const expectedTextSchema = oneOrManySchema(
  v.union([textSchema, regexSchema], 'must be a text or { regex }'),
  'a text, { regex }',
)

const expectationSchema = v.union(
  [
    decisionSchema,
    mappingSchema(
      {
        decision: v.exactOptional(decisionSchema),
        gate: v.exactOptional(textSchema),
        rule: v.exactOptional(textSchema),
        reason: v.exactOptional(expectedTextSchema),
        context: v.exactOptional(expectedTextSchema),
        message: v.exactOptional(expectedTextSchema),
        gates: v.exactOptional(recordSchema(stateSchema, 'gates to open or closed')),
      },
      'must be a decision or { decision, gate, rule, reason, context, message, gates }',
    ),
  ],
  'must be a decision or { decision, gate, rule, reason, context, message, gates }',
)

const variablesSchema = recordSchema(scalarSchema, 'names to values')

/** What is known of the repository and the session; all else is unknown. */
const factEntries = {
  git: v.exactOptional(
    mappingSchema(
      { branch: v.exactOptional(textSchema), remote: v.exactOptional(textSchema) },
      'must be { branch, remote }',
    ),
  ),
  model: v.exactOptional(textSchema),
  permissions: v.exactOptional(textSchema),
}

/** An event in short form with its expected outcome. `payload`: the client's own payload, or a file that holds it. */
export const testStepSchema = mappingSchema(
  {
    shell: v.exactOptional(textSchema),
    write: v.exactOptional(textSchema),
    edit: v.exactOptional(textSchema),
    read: v.exactOptional(textSchema),
    delete: v.exactOptional(textSchema),
    fetch: v.exactOptional(textSchema),
    spawn: v.exactOptional(textSchema),
    tool: v.exactOptional(textSchema),
    prompt: v.exactOptional(textSchema),
    stops: v.exactOptional(textSchema),
    starts: v.exactOptional(textSchema),
    stop: v.exactOptional(v.literal(true, 'must be true')),
    payload: v.exactOptional(
      v.union([fileSchema, recordSchema(v.unknown(), 'a payload')], 'must be a file or a payload'),
    ),
    as: v.exactOptional(textSchema),
    client: v.exactOptional(textSchema),
    expect: v.exactOptional(expectationSchema),
    after: v.exactOptional(choiceSchema(['succeeded', 'failed', 'unknown'])),
    input: v.exactOptional(recordSchema(v.unknown(), 'fields to values')),
    text: v.exactOptional(textSchema),
    path: v.exactOptional(textSchema),
    url: v.exactOptional(textSchema),
    command: v.exactOptional(textSchema),
    agent: v.exactOptional(textSchema),
    caller: v.exactOptional(textSchema),
    source: v.exactOptional(choiceSchema(PROMPT_SOURCES)),
    answer: v.exactOptional(textSchema),
    output: v.exactOptional(textSchema),
    background: v.exactOptional(flagSchema),
    event: v.exactOptional(choiceSchema(EVENT_KINDS)),
    id: v.exactOptional(textSchema),
    session: v.exactOptional(textSchema),
    cwd: v.exactOptional(textSchema),
    wait: v.exactOptional(amountSchema),
    env: v.exactOptional(variablesSchema),
    ...factEntries,
    time: v.exactOptional(v.pipe(textSchema, v.isoTimestamp('must be a time such as 2026-11-20T17:00:00Z'))),
    signed: v.exactOptional(recordSchema(amountSchema, 'commands to exit codes')),
  },
  'must be an event in short form',
)

const testContextEntries = {
  client: v.exactOptional(oneOrManySchema(textSchema, 'a client')),
  policy: v.exactOptional(v.union([fileSchema, recordSchema(v.unknown(), 'a policy')], 'must be a file or a policy')),
  given: v.exactOptional(recordSchema(stateSchema, 'gates to open or closed')),
  env: v.exactOptional(variablesSchema),
  ...factEntries,
  files: v.exactOptional(oneOrManySchema(textSchema, 'a file')),
}

const testSchemaOf = <T extends v.GenericSchema>(event: T) =>
  mappingSchema(
    { name: textSchema, ...testContextEntries, events: v.array(event, 'must be a list of events') },
    'must be { name, client, policy, given, env, files, events }',
  )

const testsSchemaOf = <T extends v.GenericSchema>(item: T) =>
  mappingSchema(
    { ...testContextEntries, tests: v.array(item, 'must be a list of tests') },
    'must be { client, policy, given, env, files, tests }',
  )

const testSchema = testSchemaOf(testStepSchema)

/** A file of policy tests. The keys beside `tests` apply to every test. */
export const testsSchema = testsSchemaOf(testSchema)

/** The form that people may write: an event that is a text is a shell line. */
export const authoredTestsSchema = testsSchemaOf(testSchemaOf(v.union([testStepSchema, textSchema])))

export type TestsDoc = v.InferInput<typeof testsSchema>
export type TestDoc = v.InferInput<typeof testSchema>
export type TestStepDoc = v.InferInput<typeof testStepSchema>
export type ExpectationDoc = v.InferInput<typeof expectationSchema>
