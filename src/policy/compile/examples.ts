import type { Event, Gate, Program, Rule } from '../../core/index.ts'
import { readShort, type ShortEvent } from '../short.ts'
import { tryRule } from '../try-rule.ts'
import { at, type Context, complain } from './context.ts'
import type { Part, Trial } from './layer.ts'

/** Each rule alone, in its own state and event, against what it says it stops and lets pass. */
export function judgeExamples({ trials, context }: Part, program: Program): void {
  if (trials.length === 0) return
  const rules = rulesOf(program)
  for (const trial of trials) {
    const { gate, rule } = rules.get(`${trial.gate} ${trial.id}`) ?? {}
    if (gate && rule && (!trial.table || rule.at === at(context, trial.table, trial.id)))
      judgeTrial(context, trial, rule, gate, program)
  }
}

const NOTHING: Program = { hash: '', gates: [], allow: [], notices: [] }

/** A route out of a file: what it asks depends on no gate. */
export function judgeAlone(context: Context, route: Rule, trial: Trial): void {
  const { layer, prefix } = context.unit
  const name = trial.gate.slice(prefix.length + 1)
  const gate: Gate = {
    ...{ id: trial.gate, name, layer, mode: 'block', scope: 'session', onError: 'open' },
    ...{ yields: true, transitions: [], rules: [] },
  }
  judgeTrial(context, trial, route, gate, NOTHING)
}

function judgeTrial(context: Context, trial: Trial, rule: Rule, gate: Gate, program: Program): void {
  const { root, home } = context.input
  const world = { program, facts: { now: 0, env: {}, root, home }, regex: context.input.regex }
  const fateOf = (event: Event): Fate => {
    const answer = tryRule(rule, gate, event, world)
    return answer === 'unknown' ? doubtful(rule) : answer === 'true' ? 'stops' : 'passes'
  }
  for (const wanted of ['stops', 'passes'] as const) {
    const list = trial.examples[wanted] ?? []
    for (const [index, example] of list.entries()) {
      context.notes.limits?.spend('examples', 1 + Math.floor(JSON.stringify(example).length / 200))
      const reading = readShort(asShort(example, trial), { root, home })
      const name = typeof example === 'string' ? example : shown(example)
      const what = `example \`${name}\` of ${trial.word} \`${trial.id}\` in gate \`${gate.name}\``
      if ('problem' in reading) complain(context, list, index, `${what} cannot be read: ${reading.problem}`)
      else {
        const fate = fateOf(inEventOf(rule, reading.event))
        if (fate !== wanted) complain(context, list, index, `${what} should ${BUT[wanted]} but ${SAID[fate]}`)
      }
    }
  }
}

type Fate = 'stops' | 'passes' | 'warns'
const BUT = { stops: 'stop', passes: 'pass' }
const SAID = {
  stops: 'stops',
  passes: 'passes',
  warns: 'only warns: whether the rule is about it cannot be told for certain',
}

/** A warning stops nothing, unless warning is all that the rule does. */
function doubtful({ then, unsure }: Rule): Fate {
  if (unsure === 'pass' || then === 'allow') return 'passes'
  return unsure === 'warn' && then !== 'warn' ? 'warns' : 'stops'
}

/** By gate and id: ten thousand routes may each have examples. */
const rulesOf = ({ gates }: Program): ReadonlyMap<string, { readonly gate: Gate; readonly rule: Rule }> =>
  new Map(
    gates.flatMap(gate =>
      [...gate.rules, ...(gate.routes?.list ?? [])].map(rule => [`${gate.id} ${rule.id}`, { gate, rule }] as const),
    ),
  )

/** A rule is shown shell lines, a route pages; no page has a blank in its name. */
const asShort = (example: string | ShortEvent, { word }: Trial): ShortEvent => {
  if (typeof example !== 'string') return example
  return word === 'rule' || example.trim().includes(' ') ? { shell: example } : { fetch: example }
}

const shown = (example: ShortEvent): string =>
  Object.entries(example)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** A rule about finished calls is shown calls as if they had finished. */
function inEventOf(rule: Rule, event: Event): Event {
  if (event.kind !== 'tool.before' || rule.events.includes('tool.before')) return event
  const kind = (['permission.request', 'tool.after', 'tool.failed'] as const).find(one => rule.events.includes(one))
  if (!kind || !event.call) return event
  const status = kind === 'tool.after' ? 'succeeded' : 'failed'
  return { ...event, kind, call: { ...event.call, ...(kind === 'permission.request' ? {} : { status }) } }
}
