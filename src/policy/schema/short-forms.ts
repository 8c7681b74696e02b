import * as v from 'valibot'
import { conditionSchema } from './condition.ts'
import {
  choiceSchema,
  clientTextSchema,
  countSchema,
  idSchema,
  mappingSchema,
  oneOrManySchema,
  textSchema,
} from './value.ts'

/** What is suggested to the agent, so it must be a command that can be typed. */
const typedCommandSchema = v.pipe(
  textSchema,
  v.nonEmpty('must not be empty'),
  v.regex(/^[^*{}$]*$/, 'must be a command as it is typed, without `*`, `$` and braces'),
)

const pathSchema = v.pipe(textSchema, v.nonEmpty('must not be empty'))

const commonEntries = {
  id: v.exactOptional(idSchema),
  message: v.exactOptional(clientTextSchema),
}

const requireSchema = mappingSchema(
  {
    ...commonEntries,
    before: v.union(
      [oneOrManySchema(v.pipe(textSchema, v.nonEmpty('must not be empty')), 'a command'), conditionSchema],
      'must be a command, a list of commands or a condition',
    ),
    passed: oneOrManySchema(typedCommandSchema, 'a command'),
    since: v.exactOptional(choiceSchema(['edit', 'prompt', 'session'])),
  },
  'must be { before, passed, since, id, message }',
)

const protectSchema = v.union(
  [
    pathSchema,
    mappingSchema(
      { ...commonEntries, paths: oneOrManySchema(pathSchema, 'a path') },
      'must be a path or { paths, id, message }',
    ),
  ],
  'must be a path or { paths, id, message }',
)

const limitSchema = v.pipe(
  mappingSchema(
    {
      ...commonEntries,
      edits: v.exactOptional(countSchema),
      calls: v.exactOptional(countSchema),
      until: v.union(
        [v.literal('prompt'), oneOrManySchema(typedCommandSchema, 'a command')],
        'must be a command, a list of commands or `prompt`',
      ),
    },
    'must be { edits or calls, until, id, message }',
  ),
  v.check(({ edits, calls }) => edits !== undefined || calls !== undefined, 'must say how many `edits` or `calls`'),
)

const onlySchema = v.pipe(
  mappingSchema(
    {
      ...commonEntries,
      agent: oneOrManySchema(v.pipe(textSchema, v.nonEmpty('must not be empty')), 'an agent'),
      paths: v.exactOptional(oneOrManySchema(pathSchema, 'a path')),
      commands: v.exactOptional(oneOrManySchema(v.pipe(textSchema, v.nonEmpty('must not be empty')), 'a command')),
    },
    'must be { agent, paths or commands, id, message }',
  ),
  v.check(({ paths, commands }) => paths !== undefined || commands !== undefined, 'must name `paths` or `commands`'),
)

/** The short forms of common gates: one or a list of each. */
export const shortFormEntries = {
  require: v.exactOptional(oneOrManySchema(requireSchema, '{ before, passed, since }')),
  protect: v.exactOptional(oneOrManySchema(protectSchema, 'a path')),
  limit: v.exactOptional(oneOrManySchema(limitSchema, '{ edits, until }')),
  only: v.exactOptional(oneOrManySchema(onlySchema, '{ agent, paths }')),
}

export type RequireDoc = v.InferInput<typeof requireSchema>
export type ProtectDoc = v.InferInput<typeof protectSchema>
export type LimitDoc = v.InferInput<typeof limitSchema>
export type OnlyDoc = v.InferInput<typeof onlySchema>
