import * as v from 'valibot'
import { conditionSchema, eventSchema } from './condition.ts'
import { exportsSchema } from './export.ts'
import { bypassSchema, gateSchema, modeSchema, onErrorSchema, optionValueSchema, routesSchema } from './gate.ts'
import { routingSchema } from './routing.ts'
import { shortFormEntries } from './short-forms.ts'
import {
  clientTextSchema,
  countSchema,
  fileSchema,
  mappingSchema,
  oneOrManySchema,
  recordSchema,
  regexSchema,
  scalarSchema,
  textSchema,
} from './value.ts'
import { workflowsSchema } from './workflow.ts'

const allowSchema = mappingSchema(
  {
    paths: v.exactOptional(oneOrManySchema(textSchema, 'a path')),
    commands: v.exactOptional(oneOrManySchema(textSchema, 'a command')),
    patterns: v.exactOptional(oneOrManySchema(textSchema, 'a regex')),
    from: v.exactOptional(oneOrManySchema(fileSchema, 'a file')),
  },
  'must be { paths, commands, patterns, from }',
)

const hookSchema = mappingSchema(
  {
    event: eventSchema,
    called: v.exactOptional(oneOrManySchema(textSchema, 'an event of the client')),
    client: v.exactOptional(oneOrManySchema(textSchema, 'a client')),
    tool: v.exactOptional(oneOrManySchema(textSchema, 'a tool')),
    matcher: v.exactOptional(
      oneOrManySchema(v.union([textSchema, regexSchema], 'must be a name or { regex }'), 'a name, { regex }'),
    ),
    run: v.pipe(textSchema, v.nonEmpty('must not be empty')),
    timeoutMs: v.exactOptional(countSchema),
    onError: v.exactOptional(onErrorSchema),
  },
  'must be { event, called, client, tool, matcher, run, timeoutMs, onError }',
)

const adjustmentSchema = mappingSchema(
  {
    mode: v.exactOptional(modeSchema),
    off: v.exactOptional(oneOrManySchema(textSchema, 'an id')),
    messages: v.exactOptional(recordSchema(clientTextSchema, 'ids to texts')),
  },
  'must be { mode, off, messages }',
)

const EXPIRY_MESSAGE = 'must be a number of hours, or like `12h`, `90m`, `7d`'

const DAYS_MESSAGE = 'must be a number of days from 1 to 3650'
const MAX_MINUTES = 420
const MEGABYTES_MESSAGE = 'must be a number of megabytes, at least 16'

const NAME_MESSAGE = 'must be made of lower-case letters, digits and `-`'

/** A slash command of the agents, and the task that it gives to the orchestrator. */
const commandSchema = mappingSchema(
  {
    about: v.exactOptional(v.pipe(textSchema, v.regex(/^[^\r\n]*$/, 'must be one line'))),
    agent: v.exactOptional(fileSchema),
    workflow: v.exactOptional(fileSchema),
    task: v.exactOptional(
      v.pipe(textSchema, v.includes('{task}', 'must contain `{task}`, which is replaced by the request')),
    ),
    backend: v.exactOptional(fileSchema),
  },
  'must be { about, agent, workflow, task, backend }',
)

const commandsSchema = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, NAME_MESSAGE),
    v.notValue('skill', '`skill` is taken: `/skill name` calls a skill'),
  ),
  commandSchema,
  'must be a mapping of names to commands',
)

const orchestratorSchema = mappingSchema(
  {
    backends: v.exactOptional(oneOrManySchema(textSchema, 'a backend')),
    lifts: v.exactOptional(oneOrManySchema(textSchema, 'a gate')),
    minutes: v.exactOptional(v.pipe(countSchema, v.maxValue(MAX_MINUTES, `must be at most ${MAX_MINUTES}`))),
    args: v.exactOptional(recordSchema(oneOrManySchema(textSchema, 'an argument'), 'backends to arguments')),
    log: v.exactOptional(fileSchema),
    commands: v.exactOptional(commandsSchema),
  },
  'must be { backends, lifts, minutes, args, log, commands }',
)

const settingsSchema = mappingSchema(
  {
    onError: v.exactOptional(onErrorSchema),
    budgetMs: v.exactOptional(
      v.pipe(v.number('must be a number of milliseconds'), v.minValue(50, 'must be at least 50')),
    ),
    expiry: v.exactOptional(
      v.union(
        [
          v.pipe(v.number(EXPIRY_MESSAGE), v.minValue(1, EXPIRY_MESSAGE)),
          v.pipe(v.string(EXPIRY_MESSAGE), v.regex(/^[1-9]\d{0,5}[mhd]$/, EXPIRY_MESSAGE)),
        ],
        EXPIRY_MESSAGE,
      ),
    ),
    keepDays: v.exactOptional(
      v.pipe(
        v.number(DAYS_MESSAGE),
        v.integer(DAYS_MESSAGE),
        v.minValue(1, DAYS_MESSAGE),
        v.maxValue(3650, DAYS_MESSAGE),
      ),
    ),
    keepMb: v.exactOptional(
      v.pipe(
        v.number(MEGABYTES_MESSAGE),
        v.integer(MEGABYTES_MESSAGE),
        v.minValue(16, MEGABYTES_MESSAGE),
        v.maxValue(1_000_000, MEGABYTES_MESSAGE),
      ),
    ),
    orchestrator: v.exactOptional(orchestratorSchema),
  },
  'must be { onError, budgetMs, expiry, keepDays, keepMb, orchestrator }',
)

/** The options that every pack has in addition to its own. */
export const COMMON_PACK_OPTIONS = ['mode', 'onError', 'bypass', 'off', 'messages'] as const

export const commonOptionsSchema = mappingSchema(
  {
    mode: v.exactOptional(modeSchema),
    onError: v.exactOptional(onErrorSchema),
    bypass: v.exactOptional(bypassSchema),
    off: v.exactOptional(oneOrManySchema(textSchema, 'an id')),
    messages: v.exactOptional(recordSchema(clientTextSchema, 'ids to texts')),
  },
  'must be options',
)

const useSchema = v.array(
  v.union(
    [textSchema, recordSchema(recordSchema(v.unknown(), 'options'), 'a pack to its options')],
    'must be a pack or { pack: options }',
  ),
  'must be a list of packs',
)

const partEntries = {
  gates: v.exactOptional(recordSchema(gateSchema, 'gates')),
  ...shortFormEntries,
  define: v.exactOptional(recordSchema(conditionSchema, 'names to conditions')),
  routes: v.exactOptional(routesSchema),
  allow: v.exactOptional(allowSchema),
  hooks: v.exactOptional(v.array(hookSchema, 'must be a list of hooks')),
  exports: v.exactOptional(exportsSchema),
}

export const policySchema = mappingSchema(
  {
    use: v.exactOptional(useSchema),
    ...partEntries,
    adjust: v.exactOptional(recordSchema(adjustmentSchema, 'gates to adjustments')),
    routing: v.exactOptional(routingSchema),
    workflows: v.exactOptional(workflowsSchema),
    settings: v.exactOptional(settingsSchema),
  },
  'must be a policy',
)

/** A value for projects that have this file, and this text in it. */
const detectSchema = mappingSchema(
  { file: fileSchema, has: v.exactOptional(textSchema), value: scalarSchema },
  'must be { file, has, value }',
)

const optionSchema = mappingSchema(
  {
    about: v.exactOptional(textSchema),
    detect: v.exactOptional(v.array(detectSchema, 'must be a list of { file, has, value }')),
    one: v.exactOptional(v.array(scalarSchema, 'must be a list')),
    default: optionValueSchema,
    restricts: v.exactOptional(v.array(scalarSchema, 'must be a list')),
    loosens: v.exactOptional(v.union([v.literal(true), v.array(scalarSchema)], 'must be true or a list')),
  },
  'must be { default, one, detect, restricts, loosens, about }',
)

export const optionsSchema = recordSchema(optionSchema, 'options')

/**
 * A key of a config section that is not itself an option. `as`: the options it sets, with `{value}` for its value. `note`: what to do
 * instead. With the value in `except`, the key is ignored.
 */
const configKeySchema = mappingSchema(
  {
    as: v.exactOptional(recordSchema(v.unknown(), 'options')),
    note: v.exactOptional(textSchema),
    except: v.exactOptional(scalarSchema),
  },
  'must be { as, note, except }',
)

/** A section of a project file whose keys are options of the pack. */
export const configSchema = mappingSchema(
  {
    file: fileSchema,
    section: textSchema,
    keys: v.exactOptional(recordSchema(configKeySchema, 'keys of the section')),
  },
  'must be { file, section, keys }',
)

/** Hand-written hooks that the pack replaces: names of their scripts, and a note on what else to configure. */
export const replacesSchema = mappingSchema(
  { hooks: v.array(fileSchema, 'must be a list of script names'), note: v.exactOptional(textSchema) },
  'must be { hooks, note }',
)

/** A pack after its options are filled in. */
export const packSchema = mappingSchema(
  {
    about: v.exactOptional(textSchema),
    options: v.exactOptional(optionsSchema),
    config: v.exactOptional(configSchema),
    replaces: v.exactOptional(replacesSchema),
    use: v.exactOptional(useSchema),
    ...partEntries,
  },
  'must be a pack',
)

export type PolicyDoc = v.InferInput<typeof policySchema>
type PackDoc = v.InferInput<typeof packSchema>
export type PolicyPartsDoc = Pick<PackDoc, 'gates' | 'routes' | 'allow' | 'hooks' | 'exports' | 'define'>
export type CommonOptionsDoc = v.InferInput<typeof commonOptionsSchema>
export type OptionDoc = v.InferInput<typeof optionSchema>
export type ConfigDoc = v.InferInput<typeof configSchema>
export type AllowDoc = v.InferInput<typeof allowSchema>
export type HookDoc = v.InferInput<typeof hookSchema>
export type AdjustDoc = v.InferInput<typeof adjustmentSchema>
export type SettingsDoc = v.InferInput<typeof settingsSchema>
export type OrchestratorDoc = v.InferInput<typeof orchestratorSchema>
