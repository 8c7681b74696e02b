import type { Route, RouteTable } from '../../core/index.ts'
import type { Condition, UrlPattern } from '../../pattern/index.ts'
import type { RouteDoc, RoutesDoc } from '../schema/gate.ts'
import { at, type Context, complainOfKey, type Key, label, mayLoosen, warn } from './context.ts'
import { type ImportedRoute, importRoutes } from './imports.ts'
import { hintOf } from './kinds.ts'
import { isRegex } from './regex.ts'
import { indexRoutes } from './route-index.ts'
import { compileSuggest, namedParts } from './rule.ts'
import { compileText } from './text.ts'
import { items, paths, tools, urls } from './value.ts'

interface Entry {
  readonly route: Route
  /** where it was written, for conflicts */
  readonly source: string
  readonly holder: object
  readonly key: Key
}

/** `from` stands where it is written: its routes come after those above it. */
export function compileRoutes(context: Context, doc: RoutesDoc, gate: string): RouteTable {
  const entries = Object.keys(doc).flatMap(key =>
    key === 'from' ? imported(context, doc) : own(context, doc, key, gate),
  )
  return tableOf(context, firstOfEachName(context, entries))
}

function tableOf(context: Context, entries: readonly Entry[]): RouteTable {
  const { index, unindexed } = indexRoutes(entries.map(entry => entry.route))
  for (const position of unindexed) {
    const entry = entries[position]
    if (entry)
      warn(
        context,
        entry.holder,
        entry.key,
        `route \`${entry.route.id}\` has no literal of 4 characters: it is tried on every fetch`,
      )
  }
  return { list: entries.map(entry => entry.route), index }
}

function firstOfEachName(context: Context, entries: readonly Entry[]): readonly Entry[] {
  const kept = new Map<string, Entry>()
  for (const entry of entries) {
    const first = kept.get(entry.route.id)
    if (first) {
      const message = `route \`${entry.route.id}\` of ${entry.source} is dropped: ${first.source} has one of that name`
      warn(context, entry.holder, entry.key, message)
    } else kept.set(entry.route.id, entry)
  }
  return [...kept.values()]
}

function imported(context: Context, doc: RoutesDoc): readonly Entry[] {
  return [...items(doc, 'from', doc.from)].flatMap(([file, holder, key]) =>
    importRoutes(context, holder, key, file).map(route => seedEntry(context, route, holder, key)),
  )
}

/** As in the seed: what the regex finds in a fetched URL, any case. Its message has no variables, so braces are braces. */
function seedEntry(context: Context, { id, pattern, message, file }: ImportedRoute, holder: object, key: Key): Entry {
  const source = label(file, context.input)
  const patterns: readonly UrlPattern[] = [{ regex: pattern }]
  const route = routeOf(id, { all: [BEFORE, FETCH, { key: 'url', in: patterns }] })
  return {
    route: { ...route, message: message.replaceAll('{', '{{'), pattern, at: source },
    source,
    holder,
    key,
  }
}

const BEFORE: Condition = { key: 'event', in: ['tool.before'] }
const FETCH: Condition = { key: 'action', in: ['fetch'] }

/** A route guides, so it passes where it is not sure. */
function routeOf(id: string, when: Condition): Route {
  const hint = hintOf(when)
  return { id, events: ['tool.before'], ...(hint ? { hint } : {}), when, unsure: 'pass', then: 'deny', message: '' }
}

function own(context: Context, table: RoutesDoc, id: string, gate: string): readonly Entry[] {
  const doc = table[id]
  if (!isRoute(doc)) return []
  if (!isComplete(context, table, id, doc)) return []
  const patterns = patternsOf(context, doc)
  const when: Condition = { all: conditions(context, doc, patterns) }
  const speaker = { gate, named: namedParts(when) }
  const written = doc.pattern ?? patternText(doc)
  const route: Route = {
    ...routeOf(id, when),
    ...(doc.message === undefined ? {} : { message: compileText(context, doc, 'message', doc.message, speaker) }),
    ...(doc.suggest === undefined ? {} : { suggest: compileSuggest(context, doc, doc.suggest, speaker) }),
    ...(doc.allow ? { allow: true, then: 'allow' as const } : {}),
    ...(written === undefined ? {} : { pattern: written }),
    at: at(context, table, id),
  }
  if (!isUsable(context, table, id, doc)) return []
  if (doc.allow && !mayLoosen(context, table, id, `route \`${id}\` lets through`)) return []
  return [{ route, source: at(context, table, id), holder: table, key: id }]
}

export const isRoute = (doc: RouteDoc | string | readonly string[] | undefined): doc is RouteDoc =>
  typeof doc === 'object' && !Array.isArray(doc)

function isComplete(context: Context, table: RoutesDoc, id: string, doc: RouteDoc): boolean {
  const asks = [doc.url, doc.pattern, doc.tool, doc.path].some(key => key !== undefined)
  if (!asks) complainOfKey(context, table, id, `route \`${id}\` needs \`url\`, \`pattern\`, \`tool\` or \`path\``)
  if (doc.url !== undefined && doc.pattern !== undefined)
    complainOfKey(context, doc, 'pattern', `route \`${id}\` has both \`url\` and \`pattern\`: keep one`)
  if (doc.message === undefined && !doc.allow)
    complainOfKey(context, table, id, `\`message\` is missing in route \`${id}\``)
  return asks
}

function isUsable(context: Context, table: RoutesDoc, id: string, doc: RouteDoc): boolean {
  if (!doc.needs) return true
  const { command } = doc.needs
  const has = context.input.hasCommand(command)
  context.notes.commands.set(command, has)
  if (!has) warn(context, table, id, `route \`${id}\` is inactive: \`${command}\` is not installed`)
  return has
}

function patternsOf(context: Context, doc: RouteDoc): readonly UrlPattern[] | undefined {
  if (doc.url !== undefined) return urls(context, doc, 'url', doc.url)
  if (doc.pattern === undefined) return undefined
  return isRegex(context, doc, 'pattern', doc.pattern) ? [{ regex: doc.pattern }] : []
}

function conditions(
  context: Context,
  doc: RouteDoc,
  patterns: readonly UrlPattern[] | undefined,
): readonly Condition[] {
  const all: Condition[] = [BEFORE]
  if (doc.tool !== undefined) all.push({ key: 'tool', in: tools(context, doc, 'tool', doc.tool) })
  if (doc.path !== undefined) all.push({ key: 'path', in: paths(context, doc, 'path', doc.path) })
  if (doc.tool === undefined && doc.path === undefined) all.push(FETCH)
  if (patterns) all.push({ key: 'url', in: patterns })
  return all
}

const patternText = (doc: RouteDoc): string | undefined =>
  typeof doc.url === 'string' ? doc.url : typeof doc.url === 'object' && 'regex' in doc.url ? doc.url.regex : undefined
