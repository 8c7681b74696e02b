import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { parse } from 'yaml'

/** What the model does, in canonical words. A driver says what it is called at its client. */
export type Act =
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'shell'; readonly command: string; readonly waits?: number }
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'spawn'; readonly agent: string; readonly prompt: string }

const texts = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform(value => [value].flat()),
)

/** What the model must be told after a step. */
const told = {
  /** the tool's result carries these words: a reason */
  refused: v.optional(texts),
  /** the client itself refused, in its own words */
  unpermitted: v.optional(v.literal(true)),
  /** the client does not even ask the hook */
  unjudged: v.optional(v.literal(true)),
  /** the call ran: its result carries these words */
  ran: v.optional(texts),
  /** in the result or beside it */
  told: v.optional(texts),
}

const entries = {
  write: v.optional(v.string()),
  content: v.optional(v.string()),
  shell: v.optional(v.string()),
  /** how many seconds the client waits for the command, where it can be asked to: then it gives it back unfinished, or stops it */
  waits: v.optional(v.number()),
  fetch: v.optional(v.string()),
  spawn: v.optional(v.string()),
  say: v.optional(v.string()),
  ...told,
}
const plainStep = v.strictObject(entries)

/** One thing the model does; a spawn with what the agent then does. */
export interface Step extends v.InferOutput<typeof plainStep> {
  readonly steps?: readonly Step[] | undefined
}
const step: v.GenericSchema<unknown, Step> = v.strictObject({
  ...entries,
  steps: v.optional(v.array(v.lazy(() => step))),
})

const play = {
  steps: v.array(step),
  /** path in the project → its text, `true` (it is there) or `false` (it is not) */
  files: v.optional(v.record(v.string(), v.union([v.string(), v.boolean()])), {}),
  /** words that some request of the main agent carries */
  told: v.optional(texts, []),
  /** no gate may have said a word */
  silent: v.optional(v.boolean(), false),
}

const scenario = v.strictObject({
  /** as the tables name it */
  name: v.string(),
  /** one sentence: what is promised */
  about: v.string(),
  /** the project's policy */
  policy: v.optional(v.record(v.string(), v.unknown()), {}),
  agents: v.optional(v.array(v.string()), []),
  permissions: v.optional(v.picklist(['allow', 'ask']), 'allow'),
  /** files of the project before */
  before: v.optional(v.record(v.string(), v.string()), {}),
  ...play,
  /** where the capability table of a client promises something else: what it is called there, and what then happens */
  deviations: v.optional(
    v.array(
      v.strictObject({
        name: v.string(),
        where: v.strictObject({
          client: v.optional(v.string()),
          callers: v.optional(v.picklist(['marked', 'inferred', 'none'])),
          reportsExit: v.optional(v.boolean()),
          /** an event whose answer cannot carry context */
          noContextAt: v.optional(v.string()),
          /** an event that cannot be refused */
          cannotDeny: v.optional(v.string()),
        }),
        why: v.string(),
        steps: play.steps,
        files: play.files,
        told: play.told,
        silent: play.silent,
      }),
    ),
    [],
  ),
})

export type Scenario = v.InferOutput<typeof scenario>
export type Deviation = Scenario['deviations'][number]
export type Play = Pick<Scenario, 'steps' | 'files' | 'told' | 'silent'>

const FOLDER = join(import.meta.dirname, 'scenarios')

/** Scenarios of one file of `scenarios/`. */
export const scenariosOf = (file: string): readonly Scenario[] =>
  v.parse(v.array(scenario), parse(readFileSync(join(FOLDER, file), 'utf8')))

/** The promises that every client must keep. */
export const scenarios = (): readonly Scenario[] =>
  readdirSync(FOLDER)
    .filter(file => file.endsWith('.yaml') && file !== 'bare.yaml' && file !== 'beside.yaml')
    .flatMap(scenariosOf)

/** The act of a step; none where it only says something. `prompt`: with which a spawned agent begins. */
export function actOf(step: Step, prompt: string): Act | undefined {
  if (step.write !== undefined) return { kind: 'write', path: step.write, content: step.content ?? 'written\n' }
  if (step.shell !== undefined)
    return { kind: 'shell', command: step.shell, ...(step.waits !== undefined && { waits: step.waits }) }
  if (step.fetch !== undefined) return { kind: 'fetch', url: step.fetch }
  if (step.spawn !== undefined) return { kind: 'spawn', agent: step.spawn, prompt }
  return undefined
}
