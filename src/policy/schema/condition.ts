import * as v from 'valibot'
import { ACTION_KINDS, EVENT_KINDS, FILE_STATES, PROMPT_SOURCES } from '../../engine/index.ts'
import { DAYS } from '../../lib/time-window.ts'
import {
  amountSchema,
  choiceSchema,
  flagSchema,
  mappingSchema,
  NOT_A_CONDITION,
  oneOrManySchema,
  patternsSchema,
  recordSchema,
  regexSchema,
  textSchema,
} from './value.ts'

export const eventSchema = oneOrManySchema(choiceSchema(EVENT_KINDS), 'an event')
export const stateSchema = choiceSchema(['open', 'closed'])

const countersSchema = mappingSchema(
  {
    turns: v.exactOptional(amountSchema),
    seconds: v.exactOptional(amountSchema),
    operations: v.exactOptional(amountSchema),
  },
  'must be { turns, seconds, operations }',
)

/** A mapping of names to values, or only names, which match any value. */
const fieldsSchema = v.union(
  [oneOrManySchema(textSchema, 'a name'), recordSchema(patternsSchema, 'names to values')],
  'must be a mapping of names to values',
)

/** Parts of a longer text. */
const textsSchema = oneOrManySchema(
  v.union([textSchema, regexSchema], 'must be a text or { regex }'),
  'a text, { regex }',
)

const hourSchema = v.pipe(
  textSchema,
  v.regex(/^(([01]?\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time of day, such as "16:00"'),
)

const wildcardsSchema = oneOrManySchema(textSchema, 'a text')

/** What a condition may ask about the repository, the session and the time. */
const factEntries = {
  git: v.exactOptional(
    mappingSchema(
      { branch: v.exactOptional(wildcardsSchema), remote: v.exactOptional(wildcardsSchema) },
      'must be { branch, remote }',
    ),
  ),
  session: v.exactOptional(
    mappingSchema(
      {
        client: v.exactOptional(wildcardsSchema),
        model: v.exactOptional(wildcardsSchema),
        permissions: v.exactOptional(wildcardsSchema),
      },
      'must be { client, model, permissions }',
    ),
  ),
  time: v.exactOptional(
    mappingSchema(
      {
        days: v.exactOptional(oneOrManySchema(choiceSchema(DAYS), 'a day')),
        from: v.exactOptional(hourSchema),
        to: v.exactOptional(hourSchema),
        zone: v.exactOptional(textSchema),
      },
      'must be { days, from, to, zone }',
    ),
  ),
}

const conditionEntries = {
  is: v.exactOptional(oneOrManySchema(textSchema, 'a name')),
  event: v.exactOptional(eventSchema),
  caller: v.exactOptional(oneOrManySchema(textSchema, 'a caller')),
  tool: v.exactOptional(oneOrManySchema(textSchema, 'a tool')),
  action: v.exactOptional(oneOrManySchema(choiceSchema(ACTION_KINDS), 'an action')),
  command: v.exactOptional(oneOrManySchema(textSchema, 'a command')),
  words: v.exactOptional(patternsSchema),
  path: v.exactOptional(oneOrManySchema(textSchema, 'a path')),
  file: v.exactOptional(oneOrManySchema(choiceSchema(FILE_STATES), 'a state of a file')),
  url: v.exactOptional(
    oneOrManySchema(v.union([textSchema, regexSchema], 'must be a url or { regex }'), 'a url, { regex }'),
  ),
  agent: v.exactOptional(oneOrManySchema(textSchema, 'an agent')),
  prompt: v.exactOptional(textsSchema),
  text: v.exactOptional(textsSchema),
  source: v.exactOptional(oneOrManySchema(choiceSchema(PROMPT_SOURCES), 'a source')),
  input: v.exactOptional(recordSchema(patternsSchema, 'fields to values')),
  succeeded: v.exactOptional(
    oneOrManySchema(
      v.union([v.boolean(), v.literal('unknown')], 'must be true, false or unknown'),
      'true, false, unknown',
    ),
  ),
  ...factEntries,
  env: v.exactOptional(fieldsSchema),
  assigns: v.exactOptional(fieldsSchema),
  gate: v.exactOptional(recordSchema(oneOrManySchema(stateSchema, 'open, closed'), 'gates to states')),
  captured: v.exactOptional(recordSchema(patternsSchema, '`gate.name.field` to values')),
  since: v.exactOptional(
    mappingSchema(
      {
        opened: v.exactOptional(countersSchema),
        closed: v.exactOptional(countersSchema),
        changed: v.exactOptional(countersSchema),
      },
      'must be { opened, closed, changed }',
    ),
  ),
  whitelisted: v.exactOptional(flagSchema),
  approved: v.exactOptional(flagSchema),
}

/** Every key of a condition. */
export const CONDITION_KEYS: readonly string[] = [...Object.keys(conditionEntries), 'not', 'any', 'all']

type ConditionKeys = v.InferInput<v.StrictObjectSchema<typeof conditionEntries, string>>

export interface ConditionDoc extends ConditionKeys {
  not?: ConditionDoc
  any?: ConditionDoc[]
  all?: ConditionDoc[]
  with?: ConditionDoc
}

export const conditionSchema: v.GenericSchema<ConditionDoc> = mappingSchema(
  {
    ...conditionEntries,
    not: v.exactOptional(v.lazy(() => conditionSchema)),
    with: v.exactOptional(v.lazy(() => conditionSchema)),
    any: v.exactOptional(
      v.array(
        v.lazy(() => conditionSchema),
        'must be a list of conditions',
      ),
    ),
    all: v.exactOptional(
      v.array(
        v.lazy(() => conditionSchema),
        'must be a list of conditions',
      ),
    ),
  },
  NOT_A_CONDITION,
)
