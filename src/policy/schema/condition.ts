import * as v from 'valibot'
import { ACTIONS, EVENT_KINDS, PROMPT_SOURCES } from '../../pattern/index.ts'
import { amount, choice, flag, mapping, NO_CONDITION, named, oneOrMany, patterns, regex, text } from './value.ts'

export const event = oneOrMany(choice(EVENT_KINDS), 'an event')
export const state = choice(['open', 'closed'])

const counters = mapping(
  { turns: v.exactOptional(amount), seconds: v.exactOptional(amount), operations: v.exactOptional(amount) },
  'must be { turns, seconds, operations }',
)

/** A mapping of names to values; or only the names, which then may have any value. */
const fields = v.union(
  [oneOrMany(text, 'a name'), named(patterns, 'names to values')],
  'must be a mapping of names to values',
)

const entries = {
  event: v.exactOptional(event),
  caller: v.exactOptional(oneOrMany(text, 'a caller')),
  tool: v.exactOptional(oneOrMany(text, 'a tool')),
  action: v.exactOptional(oneOrMany(choice(ACTIONS), 'an action')),
  command: v.exactOptional(oneOrMany(text, 'a command')),
  path: v.exactOptional(oneOrMany(text, 'a path')),
  url: v.exactOptional(oneOrMany(v.union([text, regex], 'must be a url or { regex }'), 'a url, { regex }')),
  agent: v.exactOptional(oneOrMany(text, 'an agent')),
  prompt: v.exactOptional(oneOrMany(v.union([text, regex], 'must be a text or { regex }'), 'a text, { regex }')),
  source: v.exactOptional(oneOrMany(choice(PROMPT_SOURCES), 'a source')),
  input: v.exactOptional(named(patterns, 'fields to values')),
  succeeded: v.exactOptional(
    oneOrMany(v.union([v.boolean(), v.literal('unknown')], 'must be true, false or unknown'), 'true, false, unknown'),
  ),
  env: v.exactOptional(fields),
  assigns: v.exactOptional(fields),
  gate: v.exactOptional(named(oneOrMany(state, 'open, closed'), 'gates to states')),
  captured: v.exactOptional(named(patterns, '`gate.name.field` to values')),
  since: v.exactOptional(
    mapping(
      { opened: v.exactOptional(counters), closed: v.exactOptional(counters), changed: v.exactOptional(counters) },
      'must be { opened, closed, changed }',
    ),
  ),
  whitelisted: v.exactOptional(flag),
  approved: v.exactOptional(flag),
}

type Keys = v.InferInput<v.StrictObjectSchema<typeof entries, string>>

export interface ConditionDoc extends Keys {
  not?: ConditionDoc
  any?: ConditionDoc[]
  all?: ConditionDoc[]
}

export const condition: v.GenericSchema<ConditionDoc> = mapping(
  {
    ...entries,
    not: v.exactOptional(v.lazy(() => condition)),
    any: v.exactOptional(
      v.array(
        v.lazy(() => condition),
        'must be a list of conditions',
      ),
    ),
    all: v.exactOptional(
      v.array(
        v.lazy(() => condition),
        'must be a list of conditions',
      ),
    ),
  },
  NO_CONDITION,
)
