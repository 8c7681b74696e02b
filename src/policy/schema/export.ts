import * as v from 'valibot'
import { fileSchema, mappingSchema, oneOrManySchema, textSchema } from './value.ts'

const routingSessionStateSchema = mappingSchema(
  {
    gate: textSchema,
    on: oneOrManySchema(textSchema, 'a client'),
    state: v.exactOptional(fileSchema),
    errors: v.exactOptional(fileSchema),
  },
  'must be { gate, on, state, errors }',
)

/** Exports by feature name. Each feature writes files of the project and has its own settings. */
export const exportsSchema = mappingSchema(
  { 'routing-session-state': v.exactOptional(routingSessionStateSchema) },
  'must be a mapping of exports',
)

export type RoutingSessionStateDoc = v.InferInput<typeof routingSessionStateSchema>
