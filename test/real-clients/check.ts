import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRecord } from '../../src/store/index.ts'
import type { Driver } from './driver.ts'
import { toldAfter } from './model/script.ts'
import type { Heard } from './model/server.ts'
import { type Performance, requestAfter } from './perform.ts'
import { actOf, type Play, type Step } from './scenario.ts'

/** Everything that is not as promised, a line each. */
export const failuresOf = (play: Play, { heard, ended, problems }: Performance, driver: Driver, project: string) => [
  ...problems,
  ...(ended.timedOut ? ['the client did not end in time'] : []),
  ...steps(play.steps, 'main', heard),
  ...unpermittedFailure(play, heard, ended.output, driver),
  ...Object.entries(play.files).flatMap(([path, wanted]) => fileFailure(project, path, wanted)),
  ...play.told.flatMap(words => (isTold(heard, words) ? [] : [`no request to the model carries \`${words}\``])),
]

function steps(list: readonly Step[], part: string, heard: readonly Heard[]): readonly string[] {
  return list.flatMap((step, nth) => [
    ...stepFailures(step, { part, step: nth }, heard),
    ...(step.steps ? steps(step.steps, `${part}.${nth}`, heard) : []),
  ])
}

function stepFailures(step: Step, place: { part: string; step: number }, heard: readonly Heard[]): readonly string[] {
  const { refused = [], ran = [], told = [] } = step
  if (refused.length + ran.length + told.length === 0) return []
  const where = `after step ${place.step + 1} of ${place.part}`
  const asked = requestAfter(heard, place)
  if (!asked) return [`${where}: the model was not asked again`]
  const { results, text } = toldAfter(asked, place.step)
  const missing = (words: readonly string[], found: string, what: string) =>
    words
      .filter(word => !found.includes(word))
      .map(word => `${where}: ${what} lacks \`${word}\`: ${JSON.stringify(found.slice(0, 500))}`)
  return [
    ...missing([...refused, ...ran], results, 'the result'),
    ...missing(told, `${results}\n${text}`, 'what was told'),
  ]
}

/** In its own words, to the model; or to the person, where it ends the turn over it. */
function unpermittedFailure(
  { steps }: Play,
  heard: readonly Heard[],
  output: string,
  { unpermitted }: Driver,
): readonly string[] {
  return steps.flatMap((step, nth) => {
    const asked = requestAfter(heard, { part: 'main', step: nth })
    const said = asked ? toldAfter(asked, nth).results : output
    if (!step.unpermitted || unpermitted.test(said)) return []
    return [`step ${nth + 1}: the client did not refuse in its own words: ${JSON.stringify(said.slice(0, 500))}`]
  })
}

const isTold = (heard: readonly Heard[], words: string): boolean =>
  heard.some(
    ({ place, system, messages }) =>
      place?.part === 'main' &&
      [system, ...messages.flatMap(one => [one.text, one.results])].join('\n').includes(words),
  )

function fileFailure(project: string, path: string, wanted: string | boolean): readonly string[] {
  const file = join(project, path)
  if (!existsSync(file)) return wanted === false ? [] : [`${path} was not written`]
  if (wanted === false) return [`${path} was written`]
  const text = readFileSync(file, 'utf8')
  return wanted === true || text.trim() === wanted.trim() ? [] : [`${path} is ${JSON.stringify(text.slice(0, 200))}`]
}

/** What the trail must show besides: each call was judged, and nothing went wrong meanwhile. */
export function trailFailures({ steps: list, silent }: Play, records: readonly AuditRecord[]): readonly string[] {
  const calls = callsOf(list)
  const judged = records.filter(({ event }) => event === 'tool.before')
  const spoke = records.filter(({ matches }) => matches.length > 0)
  return [
    ...(judged.length < calls ? [`${calls} calls were made, ${judged.length} were judged`] : []),
    ...records.flatMap(({ errors, name }) => errors.map(error => `${name}: ${error}`)),
    ...(silent ? spoke.map(({ name, reason }) => `the hook spoke at ${name}: ${reason ?? ''}`) : []),
  ]
}

const callsOf = (list: readonly Step[]): number =>
  list.reduce((sum, step) => sum + (actOf(step, '') ? 1 : 0) + callsOf(step.steps ?? []), 0)
