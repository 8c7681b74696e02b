import { dirname, isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import type { Route } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { type PolicyError, problemOf } from '../problem.ts'
import { route as routeSchema } from '../schema/gate.ts'
import { readSource } from '../source.ts'
import { validate } from '../validate.ts'
import { type Context, complain, type Key, label, warn } from './context.ts'
import { judgeAlone } from './examples.ts'
import { regexFault } from './regex.ts'
import { canonicalTool, compileRoute, searchFault, seedRoute } from './route.ts'

/** A route and where the policy brought it in. */
export interface Sourced {
  readonly route: Route
  readonly holder: object
  readonly key: Key
}

interface RouteFile {
  readonly file: string
  readonly text: string
  /** below a folder that the environment names: nobody here wrote it, so it restricts and lets nothing through */
  readonly found: boolean
}

type Say = (message: string, help?: string) => void

/** A bad file counts for nothing and is reported; a bad route in it takes only itself down. */
export function importRoutes(
  context: Context,
  holder: object,
  key: Key,
  written: string,
  gate: string,
): readonly Sourced[] {
  const say: Say = (message, help) => warn(context, holder, key, message, { help })
  const file = open(context, holder, key, written, say)
  if (!file) return []
  const routes = /\.ya?ml$/i.test(file.file) ? inLanguage(context, file, gate, say) : inSeedFormat(context, file, say)
  return routes.map(route => ({ route, holder, key }))
}

const VARIABLE = /^\$\{?([A-Z_][A-Z0-9_]*)\}?\/(.*)$/

/** Relative to the document it was written in: a pack's own, or the policy that gave it as an option. */
function open(context: Context, holder: object, key: Key, written: string, say: Say): RouteFile | null {
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
  if (text === null) say(`\`${label(file, input)}\` does not exist`)
  return text === null ? null : { file, text, found: false }
}

/** The seed's `tool-routes.json`: anything else in it is none of our business. */
const seedFile = v.object({ routes: v.record(v.string(), v.unknown()) })
const seedEntry = v.object({ pattern: v.string(), message: v.string(), tool: v.exactOptional(v.string()) })

function inSeedFormat(context: Context, { file, text }: RouteFile, say: Say): readonly Route[] {
  const { input, notes } = context
  const name = label(file, input)
  const content = readJson(text)
  if (!v.is(seedFile, content)) {
    const why = content === undefined ? 'it is not JSON' : 'it needs { "routes": { name: { pattern, message } } }'
    say(`\`${name}\` is not used: ${why}`)
    return []
  }
  return Object.entries(content.routes).flatMap(([id, entry]) => {
    notes.limits?.spend('routes', 1)
    const isEntry = v.is(seedEntry, entry)
    const tool = isEntry ? (entry.tool ?? 'WebFetch') : ''
    const fault = isEntry
      ? (regexFault(context, entry.pattern) ?? searchFault([tool], input.toolNames))
      : 'it needs a pattern and a message'
    if (fault !== null) say(`route \`${id}\` of \`${name}\` is not used: ${fault}`, instead(fault))
    const canonical = canonicalTool(tool, input.toolNames)
    return isEntry && fault === null ? [seedRoute(id, entry.pattern, entry.message, name, canonical)] : []
  })
}

const instead = (fault: string): string | undefined =>
  fault.includes('look-around')
    ? 'what it excludes can be a route of its own in front of it, with `allow: true`'
    : undefined

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** YAML: routes as a policy writes them, their examples judged on the spot. */
function inLanguage(context: Context, source: RouteFile, gate: string, say: Say): readonly Route[] {
  const { file, text, found } = source
  const name = label(file, context.input)
  const { root, problems } = readSource(text, file, context.places, context.notes.limits)
  const table = root?.routes
  if (!isObject(table)) {
    const [first] = problems
    const why = first ? `${first.message} (line ${first.line})` : 'it needs { routes: { name: route } }'
    say(`\`${name}\` is not used: ${why}`)
    return []
  }
  return Object.keys(table).flatMap(id => {
    const wrong: PolicyError[] = []
    const notes = { ...context.notes, problems: wrong, faults: wrong }
    const unit = { ...context.unit, file, folder: dirname(file), options: new Map<string, string>() }
    const route = readRoute({ ...context, notes, unit }, table, id, gate)
    if (route?.allow && found) wrong.push(problemOf(file, 'a file that the environment names cannot let through'))
    const [first] = wrong
    if (!first) return route ? [route] : []
    context.notes.warnings.push({ ...first, message: `route \`${id}\` of \`${name}\` is not used: ${first.message}` })
    return []
  })
}

/** Without `tests`, which the plugin has that such files were written for: they are no part of the route. */
function withoutTests(doc: JsonObject, places: Context['places']): JsonObject {
  if (!Array.isArray(doc.tests)) return doc
  const { tests, ...rest } = doc
  for (const key of Object.keys(rest)) {
    const spot = places.spot(doc, key)
    if (spot) places.put(rest, key, spot)
  }
  return rest
}

function readRoute(context: Context, table: JsonObject, id: string, gate: string): Route | null {
  const { places, unit, notes } = context
  const written = table[id]
  const doc = isObject(written) ? withoutTests(written, places) : written
  if (!isObject(doc)) {
    complain(context, table, id, 'it must be a route')
    return null
  }
  const checked = validate(routeSchema, doc, { file: unit.file, places, what: `route \`${id}\`` })
  notes.problems.push(...checked.problems)
  const route = checked.value && compileRoute(context, table, id, checked.value, gate)
  const examples = checked.value?.examples
  if (route && examples) judgeAlone(context, route, { gate, id, word: 'route', examples })
  return route
}
