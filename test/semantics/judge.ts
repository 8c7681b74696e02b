import type { EvaluationResult } from '../../src/engine/index.ts'
import { formatErrorLine } from '../../src/policy/index.ts'
import { broken, type Case, type Step } from './case.ts'
import { type Ground, Stage } from './play.ts'

const asStep = (event: string | Step): Step => (typeof event === 'string' ? { shell: event } : event)
const nameOf = ({ expect: _, ...event }: Step): string => JSON.stringify(event)

type Judge = (result: EvaluationResult, stage: Stage) => readonly string[]

const playOne = (step: Step, stage: Stage, judge: Judge): readonly string[] =>
  judge(stage.play(step), stage).map(wrong => `${nameOf(step)}: ${wrong}`)

const asExpected =
  (step: Step): Judge =>
  (result, stage) =>
    broken(step.expect ?? {}, result, stage)

const stops: Judge = (result, stage) => broken({ decision: 'deny' }, result, stage)

const asks: Judge = (result, stage) => broken({ decision: 'ask' }, result, stage)

const passes: Judge = ({ outcome, record }) =>
  outcome.decision === 'pass' && record.matches.length === 0
    ? []
    : [`should pass, got ${outcome.decision} ${JSON.stringify(record.matches)}`]

const doubts: Judge = ({ outcome, record }) =>
  outcome.decision === 'pass' && record.matches.some(match => match.unsure)
    ? []
    : [`should be unsure, got ${outcome.decision} ${JSON.stringify(record.matches)}`]

/** Events that do not know of each other: each in a session of its own. */
const apart = (stage: Stage, name: string, events: readonly (string | Step)[] = [], judge?: Judge): readonly string[] =>
  events
    .map(asStep)
    .flatMap((step, index) => playOne({ session: `${name} ${index}`, ...step }, stage, judge ?? asExpected(step)))

const listOf = (words: string | readonly string[]): readonly string[] => (typeof words === 'string' ? [words] : words)

function loading(one: Case, stage: Stage): readonly string[] {
  const said = (list: typeof stage.policy.problems) =>
    list.map(problem => formatErrorLine(problem, file => file.replace(stage.folder, '')))
  const { problem = false, warning = [] } = one.loads ?? {}
  const warnings = said(stage.policy.warnings)
  const unheard = listOf(warning || []).filter(part => !warnings.some(line => line.includes(part)))
  return [
    ...(warning === false ? warnings.map(line => `warned: ${line}`) : []),
    ...unheard.map(part => `warning ${part} not in ${warnings}`),
    ...inLoading(one, said(stage.policy.problems), problem),
  ]
}

function inLoading(
  one: Case,
  problems: readonly string[],
  problem: string | readonly string[] | false,
): readonly string[] {
  const meantBroken = Object.values({ ...one.layers, ...one.changed }).some(layer => typeof layer === 'string')
  if (problem === false) return meantBroken ? [] : problems
  if (problems.length === 0) return [`should not load: ${problem}`]
  return listOf(problem)
    .filter(part => !problems.some(line => line.includes(part)))
    .map(part => `${part} not in ${problems}`)
}

const inForce = ({ program }: Case, { policy }: Stage): readonly string[] => {
  const hooks = policy.program.hooks.map(hook => hook.run)
  return program === undefined || `${hooks}` === `${program.hooks}` ? [] : [`hooks ${program.hooks}, got ${hooks}`]
}

const promises = (one: Case, stage: Stage): readonly string[] => [
  ...inForce(one, stage),
  ...(one.events ?? []).flatMap(step => playOne(step, stage, asExpected(step))),
  ...apart(stage, 'each', one.each),
  ...apart(stage, 'stops', one.stops, stops),
  ...apart(stage, 'asks', one.asks, asks),
  ...apart(stage, 'passes', one.passes, passes),
  ...apart(stage, 'doubts', one.doubts, doubts),
]

/** Every promise of the case that was not kept, as a sentence. */
export function play(one: Case, ground: Ground = {}): readonly string[] {
  const stage = new Stage(one, ground)
  try {
    const faults = loading(one, stage)
    // without its policy every promise is broken
    return faults.length > 0 ? faults : promises(one, stage)
  } finally {
    stage.tearDown()
  }
}
