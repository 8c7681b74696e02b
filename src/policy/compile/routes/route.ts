import type { Route } from '../../../engine/index.ts'
import { type Condition, canonicalTools, isShell, type UrlPattern } from '../../../engine/index.ts'
import type { RouteDoc } from '../../schema/gate.ts'
import { type CompileContext, locationLabelOf, mayLoosen, reportErrorAtKey, reportWarning, toList } from '../context.ts'
import { compileSuggestion, urlPartNamesOf } from '../gates/rule.ts'
import { checkRegex } from '../values/regex.ts'
import { compileText } from '../values/text.ts'
import { canonicalTool } from '../values/tool-name.ts'
import { compileUrls } from '../values/url.ts'
import { compilePaths, compileTools } from '../values/value.ts'

const BEFORE_TOOL: Condition = { key: 'event', in: ['tool.before'] }
const FETCH_ACTION: Condition = { key: 'action', in: ['fetch'] }

/** Compiles a route. Null if it is broken, needs trust, requires a missing program, or lists no URL. */
export function compileRoute(
  context: CompileContext,
  table: object,
  id: string,
  doc: RouteDoc,
  gate: string,
): Route | null {
  context.notes.limits?.spend('routes', 1)
  if (!checkComplete(context, table, id, doc) || !checkSearchable(context, id, doc)) return null
  const patterns = compileValidPatterns(context, doc)
  if (patterns === null || patterns?.length === 0) return null
  const when: Condition = { all: compileRouteConditions(context, doc, patterns) }
  const textOwner = { gate, named: urlPartNamesOf(when), suggests: doc.suggest !== undefined, isRoute: true }
  const written = routePatternText(doc)
  const route: Route = {
    ...createRoute(id, when),
    ...(doc.message === undefined ? {} : { message: compileText(context, doc, 'message', doc.message, textOwner) }),
    ...(doc.suggest === undefined ? {} : { suggest: compileSuggestion(context, doc, doc.suggest, textOwner) }),
    ...(doc.allow ? { allow: true, then: 'allow' as const } : {}),
    ...(written === '' ? {} : { pattern: written }),
    at: locationLabelOf(context, table, id),
  }
  if (!checkRequirements(context, table, id, doc)) return null
  return !doc.allow || mayLoosen(context, table, id, `route \`${id}\` allows`) ? route : null
}

/** A route in the seed's format: a case-insensitive regex on a fetched URL. Its message has no variables, so braces are escaped. */
export function compileSeedRoute(id: string, pattern: string, message: string, source: string, tool: string): Route {
  const route = createRoute(id, { all: [BEFORE_TOOL, ...seedConditions(tool, pattern)] })
  return { ...route, message: message.replaceAll('{', '{{'), pattern, at: source }
}

/** `WebFetch` means every way to fetch, including `curl` in a shell. Any other tool means only that tool. */
function seedConditions(tool: string, regex: string): readonly Condition[] {
  if (actsOf(tool)?.[0] === 'fetch') return [FETCH_ACTION, { key: 'url', in: [{ regex }] }]
  return [{ key: 'tool', in: [tool] }, isShell(tool) ? inputContains('command', regex) : urlOfToolContains(regex)]
}

const actsOf = (tool: string) => canonicalTools.actions.get(tool.toLowerCase())

/** Matches a field of the input as written, ignoring case: `command` is the whole shell line. */
const inputContains = (field: string, regex: string): Condition => ({
  key: 'input',
  fields: [{ field, in: [{ regex }] }],
})

/** The URL of a named tool counts also if nothing shows that the tool fetches it. */
const urlOfToolContains = (regex: string): Condition => ({
  any: [{ key: 'url', in: [{ regex }] }, inputContains('url', regex)],
})

const isShellRoute = ({ input }: CompileContext, { tool }: RouteDoc): boolean => {
  const names = toList(tool).map(name => canonicalTool(name, input.toolNames))
  return names.length > 0 && names.every(isShell)
}

/** `pattern` is matched against the line of a shell or the URL of another tool. A tool that has neither never matches. */
export function findSearchProblem(
  tools: readonly string[],
  toolNames: Readonly<Record<string, string>>,
): string | null {
  const isOfShell = (name: string): boolean => isShell(canonicalTool(name, toolNames))
  const other = tools.find(name => !isOfShell(name))
  if (tools.some(isOfShell) && other !== undefined)
    return `\`Bash\` has a command and \`${other}\` has none: write two routes`
  for (const name of tools) {
    const known =
      actsOf(canonicalTool(name, toolNames)) ?? (/^notebookread$/i.test(name) ? ['read', 'path'] : undefined)
    if (known === undefined || known[0] === 'fetch') continue
    const isFile = FILE_ACTIONS.has(known[0]) && known[1] !== undefined
    const instead = isFile ? 'use `path`' : 'use a gate with a rule about `input`'
    return `\`pattern\` searches commands and URLs, and \`${name}\` has neither: ${instead}`
  }
  return null
}

/** Actions on files. */
const FILE_ACTIONS: ReadonlySet<string> = new Set(['read', 'write', 'delete', 'search'])

function checkSearchable(context: CompileContext, id: string, doc: RouteDoc): boolean {
  if (doc.pattern === undefined) return true
  const fault = findSearchProblem(toList(doc.tool), context.input.toolNames)
  if (fault === null) return true
  reportErrorAtKey(context, doc, 'pattern', `route \`${id}\` never matches: ${fault}`)
  return false
}

/** Routes guide agents, so an uncertain match passes. */
function createRoute(id: string, when: Condition): Route {
  return { id, events: ['tool.before'], when, unsure: 'pass', then: 'deny', message: '' }
}

export const isRouteDoc = (doc: RouteDoc | string | readonly string[] | undefined): doc is RouteDoc =>
  typeof doc === 'object' && !Array.isArray(doc)

function checkComplete(context: CompileContext, table: object, id: string, doc: RouteDoc): boolean {
  const hasMatcher = [doc.url, doc.pattern, doc.tool, doc.path].some(key => key !== undefined)
  if (!hasMatcher)
    reportErrorAtKey(context, table, id, `route \`${id}\` needs \`url\`, \`pattern\`, \`tool\` or \`path\``)
  if (doc.url !== undefined && doc.pattern !== undefined)
    reportErrorAtKey(context, doc, 'pattern', `route \`${id}\` has both \`url\` and \`pattern\`: keep one`)
  if (doc.message === undefined && !doc.allow)
    reportErrorAtKey(context, table, id, `\`message\` is missing in route \`${id}\``)
  return hasMatcher
}

function checkRequirements(context: CompileContext, table: object, id: string, doc: RouteDoc): boolean {
  if (!doc.needs) return true
  const { command } = doc.needs
  const { notes, input, unit } = context
  const has = input.hasCommand(command)
  notes.commands.set(command, has)
  // users of a built-in pack need not have every program it supports, so this is not a warning
  if (!has && unit.pack?.builtIn) notes.inactive.push({ pack: unit.pack.id, route: id, command })
  else if (!has) reportWarning(context, table, id, `route \`${id}\` is inactive: \`${command}\` is not installed`)
  return has
}

/** An invalid pattern disables its route and nothing else. */
function compileValidPatterns(context: CompileContext, doc: RouteDoc): readonly UrlPattern[] | undefined | null {
  const { faults } = context.notes
  const before = faults.length
  const patterns = compileUrlPatterns({ ...context, notes: { ...context.notes, problems: faults } }, doc)
  return faults.length > before ? null : patterns
}

function compileUrlPatterns(context: CompileContext, doc: RouteDoc): readonly UrlPattern[] | undefined {
  if (doc.url !== undefined) return compileUrls(context, doc, 'url', doc.url)
  if (doc.pattern === undefined) return undefined
  return checkRegex(context, doc, 'pattern', doc.pattern) ? [{ regex: doc.pattern }] : []
}

function compileRouteConditions(
  context: CompileContext,
  doc: RouteDoc,
  patterns: readonly UrlPattern[] | undefined,
): readonly Condition[] {
  const all: Condition[] = [BEFORE_TOOL]
  if (doc.tool !== undefined) all.push({ key: 'tool', in: compileTools(context, doc, 'tool', doc.tool) })
  if (doc.path !== undefined) all.push({ key: 'path', in: compilePaths(context, doc, 'path', doc.path) })
  if (doc.tool === undefined && doc.path === undefined) all.push(FETCH_ACTION)
  if (patterns && doc.pattern !== undefined && isShellRoute(context, doc))
    all.push(inputContains('command', doc.pattern))
  else if (doc.pattern !== undefined && toList(doc.tool).some(name => actsOf(name) === undefined))
    all.push(urlOfToolContains(doc.pattern))
  else if (patterns) all.push({ key: 'url', in: patterns })
  return all
}

/** The patterns of the route as written. */
const routePatternText = ({ url, pattern, tool, path }: RouteDoc): string =>
  [pattern ?? toList(url).map(item => (typeof item === 'string' ? item : item.regex)), tool ?? [], path ?? []]
    .flat()
    .join(' | ')
