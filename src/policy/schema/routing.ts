import * as v from 'valibot'
import { COMPLEXITIES, INTENTS } from '../intents.ts'
import { mappingSchema, textSchema } from './value.ts'

const nameSchema = v.pipe(textSchema, v.regex(/\S/, 'must not be blank'))

const levelsSchema = mappingSchema(
  Object.fromEntries([...COMPLEXITIES, 'any'].map(level => [level, v.exactOptional(nameSchema)])),
  'must be a workflow, or { low, medium, high, any }',
)

const workflowChoiceSchema = v.union([nameSchema, levelsSchema], 'must be a workflow, or { low, medium, high, any }')

const workflowsByIntentSchema = mappingSchema(
  Object.fromEntries([...INTENTS, 'any'].map(intent => [intent, v.exactOptional(workflowChoiceSchema)])),
  'must be a mapping of intents to workflows',
)

/** What `signalbox route` selects: a workflow for each intent, and the agent that leads work of several agents. */
export const routingSchema = mappingSchema(
  { workflows: v.exactOptional(workflowsByIntentSchema), leader: v.exactOptional(nameSchema) },
  'must be { workflows, leader }',
)

export type RoutingDoc = v.InferInput<typeof routingSchema>
