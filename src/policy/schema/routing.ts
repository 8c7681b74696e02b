import * as v from 'valibot'
import { COMPLEXITIES, INTENTS } from '../../router/intents.ts'
import { mapping, text } from './value.ts'

const name = v.pipe(text, v.regex(/\S/, 'must not be blank'))

const levels = mapping(
  Object.fromEntries([...COMPLEXITIES, 'any'].map(level => [level, v.exactOptional(name)])),
  'must be a workflow, or { low, medium, high, any }',
)

const choice = v.union([name, levels], 'must be a workflow, or { low, medium, high, any }')

const workflows = mapping(
  Object.fromEntries([...INTENTS, 'any'].map(intent => [intent, v.exactOptional(choice)])),
  'must be a mapping of intents to workflows',
)

/** What `signalbox route` selects: a workflow for each intent, and the agent that leads work of several. */
export const routing = mapping(
  { workflows: v.exactOptional(workflows), leader: v.exactOptional(name) },
  'must be { workflows, leader }',
)

export type RoutingDoc = v.InferInput<typeof routing>
