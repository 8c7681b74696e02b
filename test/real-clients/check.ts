import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditRecord } from '../../src/store/index.ts'
import { type LlmMessage, messageAfterTurn, type ReceivedRequest } from '../../src/testing/fake-llm/index.ts'
import type { Driver } from './driver.ts'
import { type Performance, turnsOf } from './perform.ts'
import { actOf, type Play, type Step } from './scenario.ts'

/** Everything that is not as promised, a line each. */
export function failuresOf(play: Play, performance: Performance, driver: Driver, project: string): readonly string[] {
  const { heard, ended, problems } = performance
  return [
    ...problems,
    ...(ended.timedOut ? ['the client did not end in time'] : []),
    ...steps(play.steps, 'main', heard, driver),
    ...unpermittedFailure(play, performance, driver),
    ...Object.entries(play.files).flatMap(([path, wanted]) => fileFailure(project, path, wanted)),
    ...play.told.flatMap(words => (isTold(heard, words) ? [] : [`no request to the model carries \`${words}\``])),
  ]
}

function steps(
  list: readonly Step[],
  part: string,
  heard: readonly ReceivedRequest[],
  driver: Driver,
): readonly string[] {
  return list.flatMap((step, nth) => [
    ...stepFailures(step, `after step ${nth + 1} of ${part}`, toldOf(list, nth, part, heard, driver)),
    ...(step.steps ? steps(step.steps, `${part}.${nth}`, heard, driver) : []),
  ])
}

/** What the model was told after a step; nothing if it was not asked again. */
function toldOf(list: readonly Step[], nth: number, part: string, heard: readonly ReceivedRequest[], driver: Driver) {
  const turn = turnsOf(list, driver).findLastIndex(one => one.nth === nth)
  const asked = heard.findLast(({ place }) => place?.part === part && place.turn > turn)
  return asked && messageAfterTurn(asked, turn)
}

function stepFailures({ refused = [], ran = [], told = [] }: Step, where: string, after: LlmMessage | undefined) {
  if (refused.length + ran.length + told.length === 0) return []
  if (!after) return [`${where}: the model was not asked again`]
  const missing = (words: readonly string[], found: string, what: string) =>
    words
      .filter(word => !found.includes(word))
      .map(word => `${where}: ${what} lacks \`${word}\`: ${JSON.stringify(found.slice(0, 500))}`)
  return [
    ...missing([...refused, ...ran], after.results, 'the result'),
    ...missing(told, `${after.results}\n${after.text}`, 'what was told'),
  ]
}

/** In its own words, to the model; or to the person, where it ends the turn over it. */
function unpermittedFailure({ steps: list }: Play, { heard, ended }: Performance, driver: Driver): readonly string[] {
  return list.flatMap((step, nth) => {
    const said = toldOf(list, nth, 'main', heard, driver)?.results ?? ended.output
    if (!step.unpermitted || driver.unpermitted.test(said)) return []
    return [`step ${nth + 1}: the client did not refuse in its own words: ${JSON.stringify(said.slice(0, 500))}`]
  })
}

const isTold = (heard: readonly ReceivedRequest[], words: string): boolean =>
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
  list.reduce((sum, step) => sum + (actOf(step, '') && !step.unjudged ? 1 : 0) + callsOf(step.steps ?? []), 0)
