import * as v from 'valibot'
import { event } from './condition.ts'
import { exported } from './export.ts'
import { bypass, gate, mode, onError, optionValue, routes } from './gate.ts'
import { routing } from './routing.ts'
import { count, file, mapping, named, oneOrMany, regex, scalar, text, words } from './value.ts'
import { workflows } from './workflow.ts'

const allow = mapping(
  {
    paths: v.exactOptional(oneOrMany(text, 'a path')),
    commands: v.exactOptional(oneOrMany(text, 'a command')),
    patterns: v.exactOptional(oneOrMany(text, 'a regex')),
    from: v.exactOptional(oneOrMany(file, 'a file')),
  },
  'must be { paths, commands, patterns, from }',
)

const hook = mapping(
  {
    event,
    called: v.exactOptional(oneOrMany(text, 'an event of the client')),
    client: v.exactOptional(oneOrMany(text, 'a client')),
    tool: v.exactOptional(oneOrMany(text, 'a tool')),
    matcher: v.exactOptional(oneOrMany(v.union([text, regex], 'must be a name or { regex }'), 'a name, { regex }')),
    run: v.pipe(text, v.nonEmpty('must not be empty')),
    timeoutMs: v.exactOptional(count),
    onError: v.exactOptional(onError),
  },
  'must be { event, called, client, tool, matcher, run, timeoutMs, onError }',
)

const adjustment = mapping(
  {
    mode: v.exactOptional(mode),
    off: v.exactOptional(oneOrMany(text, 'an id')),
    messages: v.exactOptional(named(words, 'ids to texts')),
  },
  'must be { mode, off, messages }',
)

const EXPIRY = 'must be a number of hours, or like `12h`, `90m`, `7d`'

const DAYS = 'must be a number of days from 1 to 3650'
const MINUTES = 420
const MB = 'must be a number of megabytes from 16 on'

const NAME = 'must be made of small letters, digits and `-`'

/** A slash command of the agents, and the task that it gives to the orchestrator. */
const command = mapping(
  {
    about: v.exactOptional(v.pipe(text, v.regex(/^[^\r\n]*$/, 'must be one line'))),
    agent: v.exactOptional(file),
    workflow: v.exactOptional(file),
    task: v.exactOptional(v.pipe(text, v.includes('{task}', 'must say where the words go: `{task}`'))),
    backend: v.exactOptional(file),
  },
  'must be { about, agent, workflow, task, backend }',
)

const commands = v.record(
  v.pipe(
    v.string(),
    v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/, NAME),
    v.notValue('skill', '`skill` is taken: `/skill name` calls a skill'),
  ),
  command,
  'must be a mapping of names to commands',
)

const orchestrator = mapping(
  {
    backends: v.exactOptional(oneOrMany(text, 'a backend')),
    lifts: v.exactOptional(oneOrMany(text, 'a gate')),
    minutes: v.exactOptional(v.pipe(count, v.maxValue(MINUTES, `must be at most ${MINUTES}`))),
    args: v.exactOptional(named(oneOrMany(text, 'an argument'), 'backends to arguments')),
    log: v.exactOptional(file),
    commands: v.exactOptional(commands),
  },
  'must be { backends, lifts, minutes, args, log, commands }',
)

const settings = mapping(
  {
    onError: v.exactOptional(onError),
    budgetMs: v.exactOptional(
      v.pipe(v.number('must be a number of milliseconds'), v.minValue(50, 'must be at least 50')),
    ),
    expiry: v.exactOptional(
      v.union(
        [
          v.pipe(v.number(EXPIRY), v.minValue(1, EXPIRY)),
          v.pipe(v.string(EXPIRY), v.regex(/^[1-9]\d{0,5}[mhd]$/, EXPIRY)),
        ],
        EXPIRY,
      ),
    ),
    keepDays: v.exactOptional(v.pipe(v.number(DAYS), v.integer(DAYS), v.minValue(1, DAYS), v.maxValue(3650, DAYS))),
    keepMb: v.exactOptional(v.pipe(v.number(MB), v.integer(MB), v.minValue(16, MB), v.maxValue(1_000_000, MB))),
    orchestrator: v.exactOptional(orchestrator),
  },
  'must be { onError, budgetMs, expiry, keepDays, keepMb, orchestrator }',
)

/** What every pack takes beside its own options. */
export const COMMON = ['mode', 'onError', 'bypass', 'off', 'messages'] as const

export const common = mapping(
  {
    mode: v.exactOptional(mode),
    onError: v.exactOptional(onError),
    bypass: v.exactOptional(bypass),
    off: v.exactOptional(oneOrMany(text, 'an id')),
    messages: v.exactOptional(named(words, 'ids to texts')),
  },
  'must be options',
)

const use = v.array(
  v.union([text, named(named(v.unknown(), 'options'), 'a pack to its options')], 'must be a pack or { pack: options }'),
  'must be a list of packs',
)

const parts = {
  gates: v.exactOptional(named(gate, 'gates')),
  routes: v.exactOptional(routes),
  allow: v.exactOptional(allow),
  hooks: v.exactOptional(v.array(hook, 'must be a list of hooks')),
  exports: v.exactOptional(exported),
}

export const policy = mapping(
  {
    use: v.exactOptional(use),
    ...parts,
    adjust: v.exactOptional(named(adjustment, 'gates to adjustments')),
    routing: v.exactOptional(routing),
    workflows: v.exactOptional(workflows),
    settings: v.exactOptional(settings),
  },
  'must be a policy',
)

const option = mapping(
  {
    about: v.exactOptional(text),
    one: v.exactOptional(v.array(scalar, 'must be a list')),
    default: optionValue,
    restricts: v.exactOptional(v.array(scalar, 'must be a list')),
    loosens: v.exactOptional(v.union([v.literal(true), v.array(scalar)], 'must be true or a list')),
  },
  'must be { default, one, restricts, loosens, about }',
)

export const options = named(option, 'options')

/**
 * A key of such a section that is no option by itself: the options it stands for, with `{value}` for what is written there, or
 * a note on what to do instead. With the value in `except` there is nothing to do.
 */
const configKey = mapping(
  {
    as: v.exactOptional(named(v.unknown(), 'options')),
    note: v.exactOptional(text),
    except: v.exactOptional(scalar),
  },
  'must be { as, note, except }',
)

/** A section of a file of the project's whose keys are options of the pack. */
export const config = mapping(
  { file, section: text, keys: v.exactOptional(named(configKey, 'keys of the section')) },
  'must be { file, section, keys }',
)

/** Hooks written by hand whose work the pack does: names of their scripts, and what else to write so that nothing is lost. */
export const replaces = mapping(
  { hooks: v.array(file, 'must be a list of script names'), note: v.exactOptional(text) },
  'must be { hooks, note }',
)

/** A pack once its options are filled in. */
export const pack = mapping(
  {
    about: v.exactOptional(text),
    options: v.exactOptional(options),
    config: v.exactOptional(config),
    replaces: v.exactOptional(replaces),
    ...parts,
  },
  'must be a pack',
)

export type PolicyDoc = v.InferInput<typeof policy>
type PackDoc = v.InferInput<typeof pack>
export type PartsDoc = Pick<PackDoc, 'gates' | 'routes' | 'allow' | 'hooks' | 'exports'>
export type CommonDoc = v.InferInput<typeof common>
export type OptionDoc = v.InferInput<typeof option>
export type ConfigDoc = v.InferInput<typeof config>
export type AllowDoc = v.InferInput<typeof allow>
export type HookDoc = v.InferInput<typeof hook>
export type AdjustDoc = v.InferInput<typeof adjustment>
export type SettingsDoc = v.InferInput<typeof settings>
export type OrchestratorDoc = v.InferInput<typeof orchestrator>
