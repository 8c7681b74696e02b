import * as v from 'valibot'
import { count, file, id, mapping, oneOrMany, text } from './value.ts'

const MINUTES = 420
const ROUNDS = 50

const until = mapping(
  {
    run: v.exactOptional(file),
    file: v.exactOptional(file),
    says: v.exactOptional(v.pipe(text, v.nonEmpty('must not be empty'))),
  },
  'must be { run } or { file, says }',
)

const repeat = mapping(
  { most: v.pipe(count, v.maxValue(ROUNDS, `must be at most ${ROUNDS}`)), until },
  'must be { most, until }',
)

/** One entry of the list: a step (it has a `prompt`), or what stands between two of them. Which keys go together the compiler checks. */
const entry = mapping(
  {
    id: v.exactOptional(id),
    agent: v.exactOptional(file),
    backend: v.exactOptional(file),
    prompt: v.exactOptional(v.pipe(text, v.regex(/\S/, 'must not be empty'))),
    artifacts: v.exactOptional(oneOrMany(file, 'a file')),
    may: v.exactOptional(oneOrMany(file, 'a path')),
    minutes: v.exactOptional(v.pipe(count, v.maxValue(MINUTES, `must be at most ${MINUTES}`))),
    repeat: v.exactOptional(repeat),
    gate: v.exactOptional(file),
    person: v.exactOptional(v.pipe(text, v.regex(/^[^\r\n]*\S[^\r\n]*$/, 'must be one line'))),
  },
  'must be a step { id, prompt, … }, { gate } or { person }',
)

const workflow = mapping(
  {
    about: v.exactOptional(v.pipe(text, v.regex(/^[^\r\n]*$/, 'must be one line'))),
    steps: v.pipe(
      v.array(entry, 'must be a list of steps'),
      v.minLength(1, 'must not be empty'),
      v.maxLength(100, 'must be at most 100 steps'),
    ),
  },
  'must be { about, steps }',
)

export const workflows = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be made of small letters, digits and `-`'),
    v.notValue('skill', '`skill` is taken: `/skill name` calls a skill'),
  ),
  workflow,
  'must be a mapping of names to workflows',
)

export type WorkflowsDoc = v.InferInput<typeof workflows>
export type EntryDoc = v.InferInput<typeof entry>
