import type {
  Caller,
  Capabilities,
  Capability,
  EvaluationResult,
  EventKind,
  GateState,
  Layer,
  Verdict,
} from '../../src/engine/index.ts'
import type { Stage } from './play.ts'

export type Policy = string | object
type Words = string | readonly string[]

/** One promise of the language. `sentence` is what the language promises, and the case proves. */
export interface Case {
  readonly name: string
  readonly sentence: string
  /** why it cannot be played yet */
  readonly later?: string
  /** the user's layer; or `when` and `unless` of one rule that denies `tool.before`; or several layers */
  readonly policy?: Policy
  readonly when?: object
  readonly unless?: object
  readonly layers?: Readonly<Record<string, Policy>>
  /** what the layers are replaced by once they have been loaded (and trusted) */
  readonly changed?: Readonly<Record<string, Policy>>
  readonly trust?: readonly Layer[]
  readonly packs?: Readonly<Record<string, object>>
  /** by path in the project, or in `~` */
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  /** second names, of files that are there */
  readonly hardLinks?: Readonly<Record<string, string>>
  /** code gates by name */
  readonly code?: Readonly<Record<string, 'throws' | Verdict>>
  /** what is on the PATH */
  readonly commands?: readonly string[]
  /** of the hook while it loads the policy */
  readonly env?: Readonly<Record<string, string>>
  readonly client?: string
  readonly capabilities?: Partial<Pick<Capabilities, 'shortens' | 'callers'>> & Partial<Record<EventKind, Capability>>
  readonly cwd?: string
  readonly given?: Readonly<Record<string, GateState>>
  /** one session */
  readonly events?: readonly Step[]
  /** a session for each */
  readonly each?: readonly Step[]
  readonly stops?: readonly (string | Step)[]
  /** a person is asked */
  readonly asks?: readonly (string | Step)[]
  /** no rule has anything to say */
  readonly passes?: readonly (string | Step)[]
  /** a rule is unsure, and only warns */
  readonly doubts?: readonly (string | Step)[]
  readonly loads?: { readonly problem?: Words | false; readonly warning?: Words | false }
  readonly program?: { readonly hooks: readonly string[] }
}

/** An event in short form (docs/guide/writing-a-policy.md), and what is expected of it. */
export interface Step {
  readonly shell?: string
  readonly stops?: string
  readonly starts?: string
  readonly as?: string
  readonly event?: EventKind
  readonly caller?: string | Caller
  readonly id?: string
  readonly session?: string
  readonly client?: string
  readonly cwd?: string
  readonly stopActive?: boolean
  readonly approved?: boolean
  /** what `signalbox run` was believed to say: the command as typed, and its exit code */
  readonly signed?: Readonly<Record<string, number>>
  readonly replies?: readonly Verdict[]
  /** seconds before it */
  readonly wait?: number
  readonly env?: Readonly<Record<string, string>>
  readonly expect?: Expectation
}

type Said = 'reason' | 'context' | 'message' | 'agent' | 'person'

export interface Expectation extends Partial<Record<Said, Words>> {
  readonly decision?: string
  readonly gate?: string
  readonly rule?: string
  readonly gates?: Readonly<Record<string, GateState>>
  readonly silent?: true
  /** `gate` or `gate/rule` is on record */
  readonly observed?: string
  readonly not?: Partial<Record<Said | 'observed', Words>>
  readonly is?: Partial<Record<Said, string>>
  readonly begins?: Partial<Record<Said, string>>
  /** the reason has fewer characters */
  readonly shorter?: number
  readonly continue?: boolean
  readonly suppressOutput?: boolean
}

const CASE_KEYS =
  'name sentence later policy when unless layers changed trust packs files links hardLinks code commands env client capabilities cwd given events each stops asks passes doubts loads program'
const EXPECT_KEYS =
  'decision gate rule reason context message agent person gates silent observed not is begins shorter continue suppressOutput'

/** Keys nobody reads: a promise with a typo would always be kept. (The reader of the short form knows its own keys.) */
export const strayKeys = (one: Case): readonly string[] => [
  ...Object.keys(one).filter(key => !CASE_KEYS.split(' ').includes(key)),
  ...[...(one.events ?? []), ...(one.each ?? [])]
    .flatMap(step => Object.keys(step.expect ?? {}))
    .filter(key => !EXPECT_KEYS.split(' ').includes(key)),
]

const listOf = (words: Words | undefined): readonly string[] =>
  words === undefined ? [] : typeof words === 'string' ? [words] : words

/** Who hears what: a denial's reason is for the agent, a question's for the person. */
function saidIn({ outcome }: EvaluationResult): Record<Said, string> {
  const { decision, reason, context, message } = outcome
  const agent = [decision === 'deny' ? reason : '', context].join('\n')
  const person = [decision === 'ask' ? reason : '', message].join('\n')
  return { reason, context, message, agent, person }
}

const SAID: readonly Said[] = ['reason', 'context', 'message', 'agent', 'person']
const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())
const isGate = (id: string | undefined, name: string): boolean => id === name || id?.endsWith(`/${name}`) === true

/** Every promise that was not kept, as a sentence. */
export function broken(expected: Expectation, result: EvaluationResult, stage: Stage): readonly string[] {
  const { outcome, record } = result
  const said = saidIn(result)
  const wrong: string[] = []
  const want = (kept: boolean, what: string, got: unknown): void => {
    if (!kept) wrong.push(`${what}, got ${JSON.stringify(got)}`)
  }
  const observed = (name: string): boolean =>
    record.matches.some(({ gate, rule }) => isGate(gate, name) || isGate(`${gate}/${rule}`, name))
  const quiet = outcome.decision === 'pass'
  const gates = quiet ? record.matches.map(one => one.gate) : [record.gate]
  const rules = quiet ? record.matches.map(one => one.rule) : [record.rule]
  const { decision, gate, rule, silent, shorter, not = {}, is = {}, begins = {} } = expected

  if (decision) want(outcome.decision === decision, `decision ${decision}`, outcome.decision)
  if (gate)
    want(
      gates.some(id => isGate(id, gate)),
      `gate ${gate}`,
      gates,
    )
  if (rule) want(rules.includes(rule), `rule ${rule}`, rules)
  if (silent) want(quiet && said.agent + said.person === '\n\n', 'silence', outcome)
  if (shorter) want(outcome.reason.length < shorter, `a reason under ${shorter}`, outcome.reason.length)
  if (expected.observed) want(observed(expected.observed), `${expected.observed} on record`, record.matches)
  for (const name of listOf(not.observed)) want(!observed(name), `${name} not on record`, record.matches)
  for (const key of SAID) {
    for (const part of listOf(expected[key])) want(has(said[key], part), `${key} with ${part}`, said[key])
    for (const part of listOf(not[key])) want(!has(said[key], part), `${key} without ${part}`, said[key])
    const { [key]: exact } = is
    const { [key]: start } = begins
    if (exact !== undefined) want(said[key] === exact, `${key} exactly ${JSON.stringify(exact)}`, said[key])
    if (start !== undefined) want(said[key].startsWith(start), `${key} beginning with ${start}`, said[key])
  }
  for (const key of ['continue', 'suppressOutput'] as const)
    if (expected[key] !== undefined) want(outcome[key] === expected[key], `${key} ${expected[key]}`, outcome[key])
  for (const [name, state] of Object.entries(expected.gates ?? {})) {
    const got = stage.gateState(name, result)
    want(got === state, `gate ${name} ${state}`, got)
  }
  return wrong
}
