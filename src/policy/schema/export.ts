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

/** By name the features of the engine that write files of the project; each has settings of its own. */
export const exportsSchema = mappingSchema(
  { 'routing-session-state': v.exactOptional(routingSessionStateSchema) },
  'must be a mapping of exports',
)

export type ExportDoc = v.InferInput<typeof routingSessionStateSchema>
