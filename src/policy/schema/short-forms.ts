import * as v from 'valibot'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { conditionSchema } from './condition.ts'
import { choiceSchema, clientTextSchema, countSchema, idSchema, mappingSchema, textSchema } from './value.ts'

/** One, or a list of at least one: a short form about nothing would protect nothing. */
const oneOrMoreSchema = <T extends v.GenericSchema>(item: T, what: string) =>
  v.union(
    [item, v.pipe(v.array(item, `must be ${what} or a list`), v.minLength(1, 'must not be an empty list'))],
    `must be ${what} or a list`,
  )

const wordSchema = v.pipe(textSchema, v.nonEmpty('must not be empty'))

/** What is suggested to the agent, so it must be a command that can be typed. */
const typedCommandSchema = v.pipe(
  wordSchema,
  v.regex(/^[^*{}$]*$/, 'must be a command as it is typed, without `*`, `$` and braces'),
)

const commonEntries = {
  id: v.exactOptional(idSchema),
  message: v.exactOptional(clientTextSchema),
}

const requireSchema = mappingSchema(
  {
    ...commonEntries,
    before: v.union(
      [oneOrMoreSchema(wordSchema, 'a command'), conditionSchema],
      'must be a command, a list of commands or a condition',
    ),
    passed: oneOrMoreSchema(typedCommandSchema, 'a command'),
    since: v.exactOptional(choiceSchema(['edit', 'prompt', 'session'])),
  },
  'must be { before, passed, since, id, message }',
)

const protectSchema = v.union(
  [
    wordSchema,
    mappingSchema(
      { ...commonEntries, paths: oneOrMoreSchema(wordSchema, 'a path') },
      'must be a path or { paths, id, message }',
    ),
  ],
  'must be a path or { paths, id, message }',
)

const isPromptMisspelt = (command: string): boolean =>
  command !== 'prompt' && !command.includes(' ') && didYouMean(command, ['prompt']) !== undefined

const limitSchema = v.pipe(
  mappingSchema(
    {
      ...commonEntries,
      edits: v.exactOptional(countSchema),
      calls: v.exactOptional(countSchema),
      agents: v.exactOptional(countSchema),
      minutes: v.exactOptional(countSchema),
      until: oneOrMoreSchema(
        v.pipe(
          typedCommandSchema,
          v.check(command => !isPromptMisspelt(command), 'must be a command or `prompt`'),
        ),
        'a command, `prompt`',
      ),
    },
    'must be { edits, calls, agents or minutes, until, id, message }',
  ),
  v.check(
    ({ edits, calls, agents, minutes }) => [edits, calls, agents, minutes].some(most => most !== undefined),
    'must say how many `edits`, `calls`, `agents` or `minutes`',
  ),
  // no call would be left to make the command succeed
  v.check(
    ({ calls, minutes, until }) => (calls === undefined && minutes === undefined) || until === 'prompt',
    'must have `until: prompt` if it limits `calls` or `minutes`',
  ),
)

const onlySchema = v.pipe(
  mappingSchema(
    {
      ...commonEntries,
      agent: oneOrMoreSchema(wordSchema, 'an agent'),
      paths: v.exactOptional(oneOrMoreSchema(wordSchema, 'a path')),
      commands: v.exactOptional(oneOrMoreSchema(wordSchema, 'a command')),
    },
    'must be { agent, paths or commands, id, message }',
  ),
  v.check(({ paths, commands }) => paths !== undefined || commands !== undefined, 'must name `paths` or `commands`'),
)

/** The short forms of common gates: one or a list of each. */
export const shortFormEntries = {
  require: v.exactOptional(oneOrMoreSchema(requireSchema, '{ before, passed, since }')),
  protect: v.exactOptional(oneOrMoreSchema(protectSchema, 'a path')),
  limit: v.exactOptional(oneOrMoreSchema(limitSchema, '{ edits, until }')),
  only: v.exactOptional(oneOrMoreSchema(onlySchema, '{ agent, paths }')),
}

export type RequireDoc = v.InferInput<typeof requireSchema>
export type ProtectDoc = v.InferInput<typeof protectSchema>
export type LimitDoc = v.InferInput<typeof limitSchema>
export type OnlyDoc = v.InferInput<typeof onlySchema>
