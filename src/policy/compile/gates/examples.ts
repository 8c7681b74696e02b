import type { AllowList, Event, Gate, Program, Rule } from '../../../engine/index.ts'
import { evaluateRuleAlone } from '../../evaluate-rule-alone.ts'
import { type EventShorthand, parseEventShorthand } from '../../parse/event-shorthand.ts'
import type { GateExport, Policy, SubHook } from '../../policy.ts'
import type { ExamplesDoc } from '../../schema/gate.ts'
import type { SettingsDoc } from '../../schema/policy.ts'
import { type CompileContext, locationLabelOf, reportError } from '../context.ts'
import type { GateDraft } from './overrides.ts'

/** Examples of a rule or route. They are checked once the whole program is assembled. */
export interface RuleExamples {
  readonly gate: string
  readonly id: string
  readonly word: 'rule' | 'route'
  /** the table of the route: another route of the same id may have replaced it */
  readonly table?: object
  readonly examples: ExamplesDoc
}

export interface CompiledLayer {
  readonly drafts: readonly GateDraft[]
  readonly allow: readonly AllowList[]
  readonly hooks: readonly SubHook[]
  readonly exports: readonly GateExport[]
  readonly settings: SettingsDoc
  readonly workflows: Policy['workflows']
  readonly trials: readonly RuleExamples[]
  /** context of the layer's own document, for adjustments */
  readonly context: CompileContext
}

/** Evaluates each rule alone, in its own state and event, against its examples. */
export function judgeExamples({ trials, context }: CompiledLayer, program: Program): void {
  if (trials.length === 0) return
  const rules = rulesByIdOf(program)
  for (const trial of trials) {
    const { gate, rule } = rules.get(`${trial.gate} ${trial.id}`) ?? {}
    if (gate && rule && (!trial.table || rule.at === locationLabelOf(context, trial.table, trial.id)))
      judgeRuleExamples(context, trial, rule, gate, program)
  }
}

const EMPTY_PROGRAM: Program = { hash: '', gates: [], allow: [], notices: [] }

/** Checks the examples of a route from a file. Its condition depends on no gate. */
export function judgeRouteExamples(context: CompileContext, route: Rule, trial: RuleExamples): void {
  const { layer, prefix } = context.unit
  const name = trial.gate.slice(prefix.length + 1)
  const gate: Gate = {
    ...{ id: trial.gate, name, layer, mode: 'block', scope: 'session', onError: 'open' },
    ...{ yields: true, transitions: [], rules: [] },
  }
  judgeRuleExamples(context, trial, route, gate, EMPTY_PROGRAM)
}

function judgeRuleExamples(
  context: CompileContext,
  trial: RuleExamples,
  rule: Rule,
  gate: Gate,
  program: Program,
): void {
  const { root, home } = context.input
  const world = { program, facts: { now: 0, env: {}, root, home }, regex: context.input.regex }
  const fateOf = (event: Event): ExampleOutcome => {
    const answer = evaluateRuleAlone(rule, gate, event, world)
    return answer === 'unknown' ? outcomeIfUnknown(rule) : answer === 'true' ? 'stops' : 'passes'
  }
  for (const wanted of ['stops', 'passes'] as const) {
    const list = trial.examples[wanted] ?? []
    for (const [index, example] of list.entries()) {
      context.notes.limits?.spend('examples', 1 + Math.floor(JSON.stringify(example).length / 200))
      const reading = parseEventShorthand(toShorthand(example, trial), { root, home })
      const name = typeof example === 'string' ? example : formatExample(example)
      const what = `example \`${name}\` of ${trial.word} \`${trial.id}\` in gate \`${gate.name}\``
      if ('problem' in reading) reportError(context, list, index, `${what} cannot be read: ${reading.problem}`)
      else {
        const fate = fateOf(toEventOfRule(rule, reading.event))
        if (fate !== wanted)
          reportError(context, list, index, `${what} should ${EXPECTED_VERB[wanted]} but ${OUTCOME_TEXT[fate]}`)
      }
    }
  }
}

type ExampleOutcome = 'stops' | 'passes' | 'warns'
const EXPECTED_VERB = { stops: 'stop', passes: 'pass' }
const OUTCOME_TEXT = {
  stops: 'stops',
  passes: 'passes',
  warns: 'only warns: Signalbox cannot determine for certain whether the rule matches',
}

/** A warning does not count as stopping, unless the rule itself only warns. */
function outcomeIfUnknown({ then, unsure }: Rule): ExampleOutcome {
  if (unsure === 'pass' || then === 'allow') return 'passes'
  return unsure === 'warn' && then !== 'warn' ? 'warns' : 'stops'
}

/** A map by gate and id, because ten thousand routes may each have examples. */
const rulesByIdOf = ({ gates }: Program): ReadonlyMap<string, { readonly gate: Gate; readonly rule: Rule }> =>
  new Map(
    gates.flatMap(gate =>
      [...gate.rules, ...(gate.routes?.list ?? [])].map(rule => [`${gate.id} ${rule.id}`, { gate, rule }] as const),
    ),
  )

/** A text is a shell line for a rule, and a URL for a route unless it contains a space. */
const toShorthand = (example: string | EventShorthand, { word }: RuleExamples): EventShorthand => {
  if (typeof example !== 'string') return example
  return word === 'rule' || example.trim().includes(' ') ? { shell: example } : { fetch: example }
}

const formatExample = (example: EventShorthand): string =>
  Object.entries(example)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** For a rule about finished calls, the example call is treated as finished. */
function toEventOfRule(rule: Rule, event: Event): Event {
  if (event.kind !== 'tool.before' || rule.events.includes('tool.before')) return event
  const kind = (['permission.request', 'tool.after', 'tool.failed'] as const).find(text => rule.events.includes(text))
  if (!kind || !event.call) return event
  const status = kind === 'tool.after' ? 'succeeded' : 'failed'
  return { ...event, kind, call: { ...event.call, ...(kind === 'permission.request' ? {} : { status }) } }
}
