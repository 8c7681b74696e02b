import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import type { Route } from '../../../engine/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import { type PolicyError, policyErrorOfFile } from '../../parse/policy-error.ts'
import { validateDocument } from '../../parse/validate.ts'
import { readYamlMapping } from '../../parse/yaml-source.ts'
import { routeSchema } from '../../schema/gate.ts'
import { type CompileContext, type DocumentKey, fileLabel, reportError, reportWarning } from '../context.ts'
import { judgeRouteExamples } from '../gates/examples.ts'
import { findRegexError } from '../values/regex.ts'
import { canonicalTool } from '../values/tool-name.ts'
import { compileRoute, compileSeedRoute, findSearchProblem } from './route.ts'

/** A route, and where the policy imports or declares it. */
export interface RouteWithSource {
  readonly route: Route
  readonly holder: object
  readonly key: DocumentKey
}

interface RouteFile {
  readonly file: string
  readonly text: string
  /** in a folder that an environment variable names: the policy's author did not write it, so it can restrict but not allow */
  readonly found: boolean
}

type ReportProblem = (message: string, help?: string) => void

/** An invalid file is ignored and reported. An invalid route in a file disables only itself. */
export function importRoutes(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  written: string,
  gate: string,
): readonly RouteWithSource[] {
  const report: ReportProblem = (message, help) => reportWarning(context, holder, key, message, { help })
  const file = openRouteFile(context, holder, key, written, report)
  if (!file) return []
  const routes = /\.ya?ml$/i.test(file.file)
    ? parsePolicyRoutes(context, file, gate, report)
    : parseSeedRoutes(context, file, report)
  return routes.map(route => ({ route, holder, key }))
}

const VARIABLE = /^\$\{?([A-Z_][A-Z0-9_]*)\}?\/(.*)$/

/** Opens a file relative to the document that names it: the pack, or the policy that sets the option. */
function openRouteFile(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  written: string,
  report: ReportProblem,
): RouteFile | null {
  const { input, places, unit, files } = context
  const [, name, below = ''] = VARIABLE.exec(written) ?? []
  if (name !== undefined) {
    const folder = input.env(name) ?? null
    context.notes.variables.set(name, folder)
    const file = folder !== null && isAbsolute(folder) ? join(folder, below) : null
    const text = file === null ? null : files.read(file)
    return file === null || text === null ? null : { file, text, found: true }
  }
  const base = dirname(places.value(holder, key)?.file ?? join(unit.folder, 'x'))
  const path = written.startsWith('~/') ? input.home + written.slice(1) : written
  const file = isAbsolute(path) ? path : join(base, path)
  const text = files.read(file)
  if (text === null) report(`\`${fileLabel(file, input)}\` does not exist`)
  return text === null ? null : { file, text, found: false }
}

/** The seed's `tool-routes.json`. Other keys in it are ignored. */
const seedFileSchema = v.object({ routes: v.record(v.string(), v.unknown()) })
const seedEntrySchema = v.object({ pattern: v.string(), message: v.string(), tool: v.exactOptional(v.string()) })

function parseSeedRoutes(context: CompileContext, { file, text }: RouteFile, report: ReportProblem): readonly Route[] {
  const { input, notes } = context
  const name = fileLabel(file, input)
  const content = parseJsonOrUndefined(text)
  if (!v.is(seedFileSchema, content)) {
    const why = content === undefined ? 'it is not JSON' : 'it needs { "routes": { name: { pattern, message } } }'
    report(`\`${name}\` is not used: ${why}`)
    return []
  }
  return Object.entries(content.routes).flatMap(([id, entry]) => {
    notes.limits?.spend('routes', 1)
    const isEntry = v.is(seedEntrySchema, entry)
    const tool = isEntry ? (entry.tool ?? 'WebFetch') : ''
    const fault = isEntry
      ? (findRegexError(context, entry.pattern) ?? findSearchProblem([tool], input.toolNames))
      : 'it needs a pattern and a message'
    if (fault !== null) report(`route \`${id}\` of \`${name}\` is not used: ${fault}`, suggestForRegexError(fault))
    const canonical = canonicalTool(tool, input.toolNames)
    return isEntry && fault === null ? [compileSeedRoute(id, entry.pattern, entry.message, name, canonical)] : []
  })
}

const suggestForRegexError = (fault: string): string | undefined =>
  fault.includes('look-around') ? 'write what it excludes as a separate route before it, with `allow: true`' : undefined

const parseJsonOrUndefined = (text: string): unknown => tryOr(undefined, () => JSON.parse(text))

/** Reads YAML routes in policy syntax and checks their examples at once. */
function parsePolicyRoutes(
  context: CompileContext,
  source: RouteFile,
  gate: string,
  report: ReportProblem,
): readonly Route[] {
  const { file, text, found } = source
  const name = fileLabel(file, context.input)
  const { root, problems } = readYamlMapping(text, file, context.places, context.notes.limits)
  const table = root?.routes
  if (!isObject(table)) {
    const [first] = problems
    const why = first ? `${first.message} (line ${first.line})` : 'it needs { routes: { name: route } }'
    report(`\`${name}\` is not used: ${why}`)
    return []
  }
  return Object.keys(table).flatMap(id => {
    const wrong: PolicyError[] = []
    const notes = { ...context.notes, problems: wrong, faults: wrong }
    const unit = { ...context.unit, file, folder: dirname(file), options: new Map<string, string>() }
    const route = readRoute({ ...context, notes, unit }, table, id, gate)
    if (route?.allow && found)
      wrong.push(policyErrorOfFile(file, 'a file named by an environment variable cannot contain `allow` routes'))
    const [first] = wrong
    if (!first) return route ? [route] : []
    context.notes.warnings.push({ ...first, message: `route \`${id}\` of \`${name}\` is not used: ${first.message}` })
    return []
  })
}

/** Removes `tests`: the plugin that such files were written for uses this key, and it is not part of the route. */
function omitTests(doc: JsonObject, sourceMap: CompileContext['places']): JsonObject {
  if (!Array.isArray(doc.tests)) return doc
  const { tests, ...rest } = doc
  for (const key of Object.keys(rest)) {
    const spot = sourceMap.spot(doc, key)
    if (spot) sourceMap.put(rest, key, spot)
  }
  return rest
}

function readRoute(context: CompileContext, table: JsonObject, id: string, gate: string): Route | null {
  const { places, unit, notes } = context
  const written = table[id]
  const doc = isObject(written) ? omitTests(written, places) : written
  if (!isObject(doc)) {
    reportError(context, table, id, 'it must be a route')
    return null
  }
  const checked = validateDocument(routeSchema, doc, { file: unit.file, places, what: `route \`${id}\`` })
  notes.problems.push(...checked.problems)
  const route = checked.value && compileRoute(context, table, id, checked.value, gate)
  const examples = checked.value?.examples
  if (route && examples) judgeRouteExamples(context, route, { gate, id, word: 'route', examples })
  return route
}
