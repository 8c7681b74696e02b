import * as v from 'valibot'
import { file, mapping, oneOrMany, text } from './value.ts'

const routingSessionState = mapping(
  {
    gate: text,
    on: oneOrMany(text, 'a client'),
    state: v.exactOptional(file),
    errors: v.exactOptional(file),
  },
  'must be { gate, on, state, errors }',
)

/** By name the features of the engine that write files of the project; each has settings of its own. */
export const exported = mapping(
  { 'routing-session-state': v.exactOptional(routingSessionState) },
  'must be a mapping of exports',
)

export type ExportDoc = v.InferInput<typeof routingSessionState>
