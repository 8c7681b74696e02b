import * as v from 'valibot'
import { didYouMean, sortNearestFirst } from '../../lib/did-you-mean.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { NOT_A_CONDITION, UNKNOWN_KEY } from '../schema/value.ts'
import {
  type ErrorAdvice,
  type PolicyError,
  policyErrorAt,
  policyErrorOfFile,
  type SourceLocation,
} from './policy-error.ts'
import type { SourceMap } from './source-map.ts'

export interface ValidationContext {
  readonly file: string
  readonly places: SourceMap
  /** what messages call the root */
  readonly what: string
  /** suggests our word for a word from a client's own vocabulary */
  readonly foreign?: (key: string, written: string) => string | undefined
}

interface LocatedIssue {
  readonly issue: v.BaseIssue<unknown>
  /** path from the root of the document */
  readonly path: readonly PathStep[]
}

interface PathStep {
  readonly holder: object
  readonly key: string | number
}

export type ValidationResult<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: null; readonly problems: readonly PolicyError[] }

/**
 * Returns the document with the schema's type, or everything that is wrong with it. Returns the same objects, not copies, because
 * `sourceMap` is keyed by them.
 */
export function validateDocument<T extends v.GenericSchema>(
  schema: T,
  root: JsonObject,
  context: ValidationContext,
): ValidationResult<v.InferInput<T>> {
  const { issues } = v.safeParse(schema, root)
  if (!issues && v.is(schema, root)) return { value: root, problems: [] }
  const found = (issues ?? []).flatMap(issue => deepestIssues(issue, []))
  const misspelt = new Set(
    found.filter(issue => issue.issue.message.startsWith(UNKNOWN_KEY)).map(issue => issue.path.at(-1)?.holder),
  )
  // a key that is missing because it is misspelt is one mistake, not two
  const reported = found
    .filter(issue => !(isMissing(issue) && misspelt.has(issue.path.at(-1)?.holder)))
    .slice(0, MAX_PROBLEMS)
  return { value: null, problems: deduplicateByLocation(reported.flatMap(issue => problemsOf(issue, root, context))) }
}

/** Nobody reads more at once, and building each message takes time. */
const MAX_PROBLEMS = 50

/** A key that fits no alternative of a union is reported for each of them. Keeps the report with help. */
function deduplicateByLocation(problems: readonly PolicyError[]): readonly PolicyError[] {
  const places = new Map<string, PolicyError>()
  for (const problem of problems) {
    const place = `${problem.file}:${problem.line}:${problem.column}:${problem.message}`
    if (!places.get(place)?.help) places.set(place, problem)
  }
  return [...places.values()]
}

/** A union fails once for each alternative. Returns the deepest issues: they come from the alternative that was meant. */
function deepestIssues(issue: v.BaseIssue<unknown>, above: readonly PathStep[]): readonly LocatedIssue[] {
  const path = [...above, ...(issue.path ?? []).flatMap(pathStepOf)]
  const inner = (issue.issues ?? []).filter(sub => (sub.path?.length ?? 0) > 0 || (sub.issues?.length ?? 0) > 0)
  const deeper = inner
    .flatMap(sub => deepestIssues(sub, path))
    .filter(locatedIssue => locatedIssue.path.length > path.length)
  if (deeper.length > 0) return deeper
  const choices = issue.issues?.filter(sub => sub.type === 'picklist') ?? []
  return [{ issue: choices[0] ?? issue, path }]
}

function pathStepOf(item: v.IssuePathItem): readonly PathStep[] {
  const { input, key } = item
  const isHolder = typeof input === 'object' && input !== null
  return isHolder && (typeof key === 'string' || typeof key === 'number') ? [{ holder: input, key }] : []
}

function problemsOf(
  { issue, path }: LocatedIssue,
  root: JsonObject,
  context: ValidationContext,
): readonly PolicyError[] {
  const { file, places, what, foreign } = context
  const last = path.at(-1)
  const where = describePath(path.slice(0, -1), root, what)
  const report = (location: SourceLocation | undefined, message: string, advice?: ErrorAdvice) =>
    location ? policyErrorAt(location, message, advice) : policyErrorOfFile(file, message, advice?.help)
  if (!last) return [policyErrorOfFile(file, `the file ${issue.message}`)]
  const { holder, key } = last
  if (issue.message.startsWith(UNKNOWN_KEY)) {
    const keys = issue.message.slice(UNKNOWN_KEY.length).split(' ')
    // the schema library reports only the first unknown key
    const unknown = Object.keys(holder)
      .filter(name => !keys.includes(name))
      .slice(0, MAX_PROBLEMS)
    return unknown.map(name =>
      report(places.key(holder, name), `unknown key \`${name}\` in ${where}`, {
        help: didYouMean(name, keys),
        keys: sortNearestFirst(name, keys),
      }),
    )
  }
  if (isMissing({ issue, path })) return [report(places.self(holder), `\`${key}\` is missing in ${where}`)]
  const name = path.findLast(step => typeof step.key === 'string')?.key ?? key
  const given = formatInput(issue.input)
  const choices = issue.type === 'picklist' ? parseQuoted(issue.expected) : []
  const written = typeof issue.input === 'string' ? issue.input : ''
  const help = foreign?.(String(name), written) ?? didYouMean(written, choices) ?? suggestCondition(issue)
  const message =
    choices.length > 8
      ? `unknown \`${name}\`${given && ` ${given}`} in ${where}`
      : `\`${name}\` in ${where} ${issue.message}${given && `, not ${given}`}`
  return [
    report(
      places.value(holder, key),
      message,
      choices.length > 8 ? { help, words: sortNearestFirst(written, choices) } : { help },
    ),
  ]
}

/** A text in place of a condition is probably meant as a command. */
const suggestCondition = ({ message, input }: v.BaseIssue<unknown>): string | undefined =>
  typeof input === 'string' && message === NOT_A_CONDITION && String(input).length <= 60
    ? `for a command: \`{ command: ${input} }\``
    : undefined

/** Formats a scalar for a message, shortened to fit one line. */
function formatInput(input: unknown): string {
  if (input === null) return 'empty'
  return typeof input === 'object' || input === undefined ? '' : `\`${String(input).slice(0, 60)}\``
}

const isMissing = ({ issue, path }: LocatedIssue): boolean => {
  const last = path.at(-1)
  return issue.received === 'undefined' && isObject(last?.holder) && last.holder[last.key] === undefined
}

/** Parses `("a" | "b")`, the library's format for expected values. */
const parseQuoted = (expected: string | null): readonly string[] =>
  [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(found => found[1] ?? '')

const NAMED_SECTIONS: Readonly<Record<string, string>> = {
  gates: 'gate',
  routes: 'route',
  options: 'option',
  adjust: 'adjustment',
  define: 'definition',
}

/** Names the nearest named thing on the path: a gate, a route, an option. */
function describePath(path: readonly PathStep[], root: JsonObject, what: string): string {
  const [first, second] = path
  if (!first || first.holder !== root) return what
  const word = NAMED_SECTIONS[String(first.key)]
  if (word && second && second.key !== 'from') return `${word} \`${second.key}\``
  return what.startsWith('the options') ? `\`${first.key}\` of ${what}` : `\`${first.key}\``
}
