import { isObject, type JsonObject } from '../pattern/index.ts'
import { Places } from './places.ts'
import { type PolicyError, problemOf } from './problem.ts'
import { readRegular } from './read.ts'
import { type StepDoc, step, type TestsDoc, tests } from './schema/test.ts'
import { readValue } from './source.ts'
import { type Ground, validate } from './validate.ts'

export { Places } from './places.ts'
export { problemAt, problemOf } from './problem.ts'
export type { ExpectationDoc, StepDoc, TestDoc, TestsDoc } from './schema/test.ts'

/** A file of tests as it was written, and where each thing in it stands. */
export interface TestSource {
  readonly file: string
  readonly places: Places
  /** what can be read of it; `problems` says what is wrong with the rest, and then nothing of it is to be played */
  readonly doc: TestsDoc | null
  readonly problems: readonly PolicyError[]
  /** tests of which an event was left out: what they expect is not known */
  readonly partial: ReadonlySet<object>
}

export function readTests(file: string): TestSource {
  const places = new Places()
  const failed = (problems: readonly PolicyError[]): TestSource => ({
    file,
    places,
    doc: null,
    problems,
    partial: new Set(),
  })
  let text: string
  try {
    text = readRegular(file)
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return failed([problemOf(file, `the tests cannot be read (${why})`)])
  }
  const { value, problems } = readValue(text, file, places)
  if (problems.length > 0) return failed(problems)
  const root = Array.isArray(value) ? inList(value, places) : value
  if (!isObject(root)) return failed([problemOf(file, 'the file must be a list of tests, or `tests` with such a list')])
  writeOut(root.tests, places)
  const checked = validate(tests, root, { file, places, what: 'this file of tests' })
  const partial = new Set<object>()
  return {
    file,
    places,
    doc: checked.value ?? readable(root, { file, places, what: 'it' }, partial),
    problems: checked.problems,
    partial,
  }
}

/** A text among events is a shell line, as it is everywhere in short form. */
function writeOut(list: JsonObject[string] | undefined, places: Places): void {
  for (const test of Array.isArray(list) ? list : []) {
    const { events } = isObject(test) ? test : {}
    if (!isObject(test) || !Array.isArray(events)) continue
    const written = events.map((event, nth) => {
      if (typeof event !== 'string') return event
      const step: JsonObject = { shell: event }
      const place = places.value(events, nth)
      if (place) places.putSelf(step, place)
      return step
    })
    for (const [nth] of written.entries()) {
      const spot = places.spot(events, nth)
      if (spot) places.put(written, nth, spot)
    }
    test.events = written
  }
}

/** Without the tests and events that are no such thing: the rest may have mistakes of its own. */
function readable(root: JsonObject, ground: Ground, partial: Set<object>): TestsDoc | null {
  if (!Array.isArray(root.tests)) return null
  const whole = root.tests.filter(one => {
    if (!isObject(one)) return false
    if (Array.isArray(one.events)) {
      const events = one.events.filter(event => isObject(event) && validate(step, event, ground).value !== null)
      if (events.length < one.events.length) partial.add(one)
      one.events = events
    }
    return validate(tests, { tests: [one] }, ground).value !== null
  })
  const checked = validate(tests, { ...root, tests: whole }, ground)
  return checked.value ?? validate(tests, { tests: whole }, ground).value
}

/** Only tests, and nothing that holds for all of them. */
function inList(list: JsonObject['tests'] & object, places: Places): JsonObject {
  const root: JsonObject = { tests: list }
  const place = places.self(list)
  if (place) places.put(root, 'tests', { key: place, value: place })
  return root
}

/** One event in short form, as a person types it: `{ write: src/a.ts, as: builder }`, braces or not. */
export function readStep(text: string): { readonly step: StepDoc } | { readonly problem: PolicyError } {
  const places = new Places()
  const { value, problems } = readValue(text, 'event', places)
  const [first] = problems
  if (first) return { problem: first }
  if (!isObject(value)) return { problem: problemOf('event', 'it is not an event in short form') }
  const checked = validate(step, value, { file: 'event', places, what: 'the event' })
  return checked.value === null
    ? { problem: checked.problems[0] ?? problemOf('event', 'it is not an event in short form') }
    : { step: checked.value }
}
