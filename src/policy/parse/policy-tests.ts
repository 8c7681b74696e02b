import { readRegularFile } from '../../lib/files.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { type TestStepDoc, type TestsDoc, testStepSchema, testsSchema } from '../schema/policy-test.ts'
import { type PolicyError, policyErrorOfFile } from './policy-error.ts'
import { SourceMap } from './source-map.ts'
import { type ValidationContext, validateDocument } from './validate.ts'
import { readYamlValue } from './yaml-source.ts'

export type { ExpectationDoc, TestDoc, TestStepDoc, TestsDoc } from '../schema/policy-test.ts'
export { policyErrorAt, policyErrorOfFile } from './policy-error.ts'
export { SourceMap } from './source-map.ts'

/** A parsed test file with the source locations of its values. */
export interface PolicyTestSource {
  readonly file: string
  readonly places: SourceMap
  /** the valid part of the file; if `problems` is not empty, nothing of it may be run */
  readonly doc: TestsDoc | null
  readonly problems: readonly PolicyError[]
  /** tests in which an event was left out: their expectations cannot be checked */
  readonly partial: ReadonlySet<object>
}

export function readPolicyTests(file: string): PolicyTestSource {
  const sourceMap = new SourceMap()
  const failed = (problems: readonly PolicyError[]): PolicyTestSource => ({
    file,
    places: sourceMap,
    doc: null,
    problems,
    partial: new Set(),
  })
  let text: string
  try {
    text = readRegularFile(file)
  } catch (error) {
    const why = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : 'unreadable'
    return failed([policyErrorOfFile(file, `the tests cannot be read (${why})`)])
  }
  const { value, problems } = readYamlValue(text, file, sourceMap)
  if (problems.length > 0) return failed(problems)
  const root = Array.isArray(value) ? wrapTestList(value, sourceMap) : value
  if (!isObject(root))
    return failed([policyErrorOfFile(file, 'the file must be a list of tests, or `tests` with such a list')])
  expandShellLines(root.tests, sourceMap)
  const checked = validateDocument(testsSchema, root, { file, places: sourceMap, what: 'this test file' })
  const partial = new Set<object>()
  return {
    file,
    places: sourceMap,
    doc: checked.value ?? keepValidTests(root, { file, places: sourceMap, what: 'it' }, partial),
    problems: checked.problems,
    partial,
  }
}

/** Converts a text among the events to a shell line, as everywhere in short form. */
function expandShellLines(list: JsonObject[string] | undefined, sourceMap: SourceMap): void {
  for (const test of Array.isArray(list) ? list : []) {
    const { events } = isObject(test) ? test : {}
    if (!isObject(test) || !Array.isArray(events)) continue
    const written = events.map((event, nth) => {
      if (typeof event !== 'string') return event
      const step: JsonObject = { shell: event }
      const location = sourceMap.value(events, nth)
      if (location) sourceMap.putSelf(step, location)
      return step
    })
    for (const [nth] of written.entries()) {
      const spot = sourceMap.spot(events, nth)
      if (spot) sourceMap.put(written, nth, spot)
    }
    test.events = written
  }
}

/** Drops invalid tests and events, so that the rest can be checked for other mistakes. */
function keepValidTests(root: JsonObject, context: ValidationContext, partial: Set<object>): TestsDoc | null {
  if (!Array.isArray(root.tests)) return null
  const whole = root.tests.filter(test => {
    if (!isObject(test)) return false
    if (Array.isArray(test.events)) {
      const events = test.events.filter(
        event => isObject(event) && validateDocument(testStepSchema, event, context).value !== null,
      )
      if (events.length < test.events.length) partial.add(test)
      test.events = events
    }
    return validateDocument(testsSchema, { tests: [test] }, context).value !== null
  })
  const checked = validateDocument(testsSchema, { ...root, tests: whole }, context)
  return checked.value ?? validateDocument(testsSchema, { tests: whole }, context).value
}

/** Wraps a bare list of tests, which has no settings for all tests. */
function wrapTestList(list: JsonObject['tests'] & object, sourceMap: SourceMap): JsonObject {
  const root: JsonObject = { tests: list }
  const location = sourceMap.self(list)
  if (location) sourceMap.put(root, 'tests', { key: location, value: location })
  return root
}

/** Parses one event in short form as a person types it: `{ write: src/a.ts, as: builder }`, with or without braces. */
export function parseTestStep(text: string): { readonly step: TestStepDoc } | { readonly problem: PolicyError } {
  const sourceMap = new SourceMap()
  const { value, problems } = readYamlValue(text, 'event', sourceMap)
  const [first] = problems
  if (first) return { problem: first }
  if (!isObject(value)) return { problem: policyErrorOfFile('event', 'it is not an event in short form') }
  const checked = validateDocument(testStepSchema, value, { file: 'event', places: sourceMap, what: 'the event' })
  return checked.value === null
    ? { problem: checked.problems[0] ?? policyErrorOfFile('event', 'it is not an event in short form') }
    : { step: checked.value }
}
