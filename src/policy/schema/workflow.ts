import * as v from 'valibot'
import { countSchema, fileSchema, idSchema, mappingSchema, oneOrManySchema, textSchema } from './value.ts'

const MAX_MINUTES = 420
const MAX_ROUNDS = 50

const untilSchema = mappingSchema(
  {
    run: v.exactOptional(fileSchema),
    file: v.exactOptional(fileSchema),
    says: v.exactOptional(v.pipe(textSchema, v.nonEmpty('must not be empty'))),
  },
  'must be { run } or { file, says }',
)

const repeatSchema = mappingSchema(
  { most: v.pipe(countSchema, v.maxValue(MAX_ROUNDS, `must be at most ${MAX_ROUNDS}`)), until: untilSchema },
  'must be { most, until }',
)

/** An entry of `steps`: a step (with `prompt`), or a stop between two steps. The compiler checks which keys go together. */
const entrySchema = mappingSchema(
  {
    id: v.exactOptional(idSchema),
    agent: v.exactOptional(fileSchema),
    backend: v.exactOptional(fileSchema),
    prompt: v.exactOptional(v.pipe(textSchema, v.regex(/\S/, 'must not be empty'))),
    artifacts: v.exactOptional(oneOrManySchema(fileSchema, 'a file')),
    may: v.exactOptional(oneOrManySchema(fileSchema, 'a path')),
    minutes: v.exactOptional(v.pipe(countSchema, v.maxValue(MAX_MINUTES, `must be at most ${MAX_MINUTES}`))),
    repeat: v.exactOptional(repeatSchema),
    gate: v.exactOptional(fileSchema),
    person: v.exactOptional(v.pipe(textSchema, v.regex(/^[^\r\n]*\S[^\r\n]*$/, 'must be one line'))),
  },
  'must be a step { id, prompt, … }, { gate } or { person }',
)

const workflowSchema = mappingSchema(
  {
    about: v.exactOptional(v.pipe(textSchema, v.regex(/^[^\r\n]*$/, 'must be one line'))),
    steps: v.pipe(
      v.array(entrySchema, 'must be a list of steps'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(100, 'must be at most 100 steps'),
    ),
  },
  'must be { about, steps }',
)

export const workflowsSchema = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be made of lower-case letters, digits and `-`'),
    v.notValue('skill', '`skill` is taken: `/skill name` calls a skill'),
  ),
  workflowSchema,
  'must be a mapping of names to workflows',
)

export type WorkflowsDoc = v.InferInput<typeof workflowsSchema>
export type WorkflowEntryDoc = v.InferInput<typeof entrySchema>
