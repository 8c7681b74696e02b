import { join } from 'node:path'
import { allFootprints } from '../../clients/footprints.ts'
import type { Client } from '../../clients/index.ts'
import {
  type Action,
  actionsOfTool,
  type Event,
  inferToolShape,
  normalizeUrl,
  type PathRef,
  programName,
  type ToolCall,
  type ToolShape,
  toAbsolute,
  toUnresolvedAbsolute,
} from '../../engine/index.ts'
import { hasErrorCode, messageOf } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { checkCoversProject, PACKAGE_FILES_OF_PROGRAM } from '../facts/check-scope.ts'
import { findLinksInGuardedPaths, type GuardedLink, guardedSpellings } from '../facts/guarded-links.ts'
import type { GuardedPaths } from '../facts/guarded-paths.ts'
import { withTwin } from '../facts/hard-links.ts'
import { mcpFetchActions, mcpFileActions } from '../facts/mcp-actions.ts'
import { realPath } from '../facts/real-path.ts'
import { usesStandardScriptShell } from '../facts/script-shell.ts'
import { settlePath } from '../facts/settle-path.ts'
import { untrackedIn } from '../facts/untracked-files.ts'
import { launcherIn } from '../services/folders.ts'
import type { ShellAnalyser } from '../services/hook-services.ts'

export interface ActionContext {
  readonly root: string
  readonly cwd: string
  readonly home: string
  readonly shell: () => ShellAnalyser
  /** variables of the agent's shell whose values are certain */
  readonly vars?: Readonly<Record<string, string>>
  /** cache of real paths, for code that analyses many calls at once */
  readonly real?: Map<string, string>
  /** the program as `init` installed it, which refusals may name by path; default: its usual place below `home` */
  readonly launcher?: string
  /** the policy in force, with the paths that hard links are compared with */
  readonly program?: GuardedPaths
}

/** The event with the actions of its call. Every path is absolute and resolved through symlinks. */
export function withActions(event: Event, context: ActionContext): Event {
  const { call } = event
  if (!call) return event
  const shape = shapeOf(call)
  const like = likened(call, shape)
  return {
    ...event,
    call: { ...like, acts: safely(() => resolveActions(readActs(like, shape, context), like, context)) },
  }
}

/** The event with actions that are already known, for example from the start of the call. The call gets the canonical tool name as in `withActions`. */
export function withKnownActions(event: Event, actions: readonly Action[]): Event {
  const { call } = event
  return call ? { ...event, call: { ...likened(call, shapeOf(call)), acts: actions } } : event
}

/** Audit note: the agent's own name of a tool that was evaluated under another name, unless the client's `toolNames` has that name. */
export function clientToolNameNote({ call }: Event, { toolNames }: Pick<Client, 'toolNames'>): readonly string[] {
  const { tool = '', native } = call ?? {}
  const isTranslated = native === undefined || Object.hasOwn(toolNames, native) || /^mcp_/i.test(tool)
  return isTranslated || native.toLowerCase() === tool.toLowerCase() ? [] : [`the tool is called ${native}`]
}

/** The shape of a call whose tool has no description, inferred from its input. Undefined: nothing to infer, or not recognized. */
function shapeOf({ tool, input }: ToolCall): ToolShape | undefined {
  if (isPlainShellCall(tool, input)) return undefined
  try {
    return inferToolShape(tool, input)
  } catch (error) {
    throwIfReaderMissing(error)
    const nothing = { lines: [], patches: [], files: [], urls: [], background: false }
    // what is known of the tool counts too
    return { ...nothing, tool, input, unreadable: [tool], isPartial: true, isExtra: true }
  }
}

/** The fields of agents' shell tools that say nothing but what the line says. */
const SHELL_FIELDS: ReadonlySet<string> = new Set(['command', 'description', 'timeout', 'run_in_background'])

/** A shell line with no other field that could name a command, a file or a folder. */
const isPlainShellCall = (tool: string, input: JsonObject): boolean =>
  input.command !== '' &&
  'shell' in actionsOfTool(tool, input) &&
  Object.keys(input).every(field => SHELL_FIELDS.has(field))

/**
 * Gives the call the canonical tool name and input of its shape; `native` keeps the tool's own name. If the shape is only inferred, a
 * reported success becomes `unknown`.
 */
function likened(call: ToolCall, shape: ToolShape | undefined): ToolCall {
  if (!shape) return call
  const { tool, input, folder } = shape
  const isKnown = shape.isDescribed || isMcp(shape) || isOnlyNamed(shape)
  const ended = call.status === 'succeeded' && !isKnown ? { status: 'unknown' as const } : {}
  const native = call.native ?? call.tool
  return {
    ...call,
    ...{ tool, input, ...ended },
    ...(native !== tool && { native }),
    ...(folder !== undefined && call.folder === undefined && { folder }),
  }
}

/** The call names files, and nothing says what it does to them. */
const isOnlyNamed = ({ lines, patches, urls, unreadable, files }: ToolShape): boolean =>
  [lines, patches, urls, unreadable].every(list => list.length === 0) && files.every(file => file.action === 'other')

/**
 * Completes actions with facts of the machine: real paths, aliases of guarded files, and whether a success proves anything here.
 * Same number, same order.
 */
export function resolveActions(actions: readonly Action[], call: ToolCall, context: ActionContext): readonly Action[] {
  const cache = context.real ?? new Map<string, string>()
  const { root, home, program } = context
  const links = actions.some(action => action.place) ? findLinksInGuardedPaths([root, home], program, cache) : []
  return withoutTrackedFiles(
    actions.map(action => {
      const act = moved(byOwnName(action, context), call, context)
      const isDisproved = act.implied && !provesHere(act, call, context, cache)
      return withAliases(settleAct(isDisproved ? { ...act, implied: false } : act, context, cache), links)
    }),
  )
}

function withAliases(action: Action, links: readonly GuardedLink[]): Action {
  const path = action.place?.real ?? action.place?.lexical
  if (links.length === 0 || !action.place || typeof path !== 'string') return action
  const { glob: isGlob = false, whole = action.action === 'delete' } = action.place
  const aliases = guardedSpellings({ path, isGlob, isTree: whole }, links)
  return aliases.length === 0 ? action : { ...action, place: { ...action.place, aliases } }
}

/** A program called `signalbox` may be anything, except where `init` installed it: that path is guarded, and equals the bare word. */
function byOwnName(action: Action, { launcher, home }: ActionContext): Action {
  const [program, ...rest] = action.words ?? []
  if (program?.text !== (launcher ?? launcherIn(join(home, '.local/share/signalbox')))) return action
  return { ...action, words: [{ ...program, text: 'signalbox' }, ...rest] }
}

/** A success in another package of the project proves nothing. A folder that an option names must be named by the pattern too. */
function provesHere(
  action: Action,
  call: ToolCall,
  { root, cwd, home }: ActionContext,
  cache: Map<string, string>,
): boolean {
  const kind = PACKAGE_FILES_OF_PROGRAM.get(programName(action.words?.[0]?.text ?? ''))
  const isNamed = action.words?.some(word => word.narrows === 'folder')
  // the program reads no package, so it does the same in every folder
  if (kind === undefined && !isNamed) return true
  const real = (path: string) => realPath(path, cache)
  const project = { root: real(root), cwd: real(cwd) }
  const folder = real(toAbsolute(action.folder ?? '.', cwd, home))
  if (!usesStandardScriptShell(action, folder, home)) return false
  // patterns name the folder relative to the root
  if (isNamed) return real(toAbsolute(call.folder ?? '.', cwd, home)) === project.root
  return kind === undefined || checkCoversProject(kind, folder, project)
}

/** A call that cannot be analysed is opaque, never empty. */
function safely(read: () => readonly Action[]): readonly Action[] {
  try {
    return read()
  } catch (error) {
    throwIfReaderMissing(error)
    return [{ action: 'other', opaque: true }]
  }
}

/**
 * The reader of shell lines or of unknown tools cannot be loaded. The hook has failed, so its failure mode answers: a rule that only warns
 * when unsure is too weak here.
 */
class ReaderMissing extends Error {}

/** The reader of unknown tools is loaded when it is first called. */
function throwIfReaderMissing(error: unknown): void {
  if (error instanceof ReaderMissing) throw error
  if (hasErrorCode(error, 'MODULE_NOT_FOUND')) throw new ReaderMissing(messageOf(error))
}

function shellOf({ shell }: ActionContext): ShellAnalyser {
  try {
    return shell()
  } catch (error) {
    throw new ReaderMissing(messageOf(error))
  }
}

/** Resolves the paths of an action against the folder that the call runs in, if the call names one. */
function moved(action: Action, { folder }: ToolCall, { cwd, home }: ActionContext): Action {
  if (folder === undefined) return action
  const there = (path: string): string => toUnresolvedAbsolute(path, toUnresolvedAbsolute(folder, cwd, home), home)
  const thereRef = (ref: PathRef): PathRef => (ref.lexical === null ? ref : { ...ref, lexical: there(ref.lexical) })
  const { place, script } = action
  if (place) return { ...action, place: thereRef(place) }
  if (action.action !== 'run') return action
  const own = action.folder === null ? null : there(action.folder ?? '.')
  return { ...action, folder: own, ...(script && { script: thereRef(script) }) }
}

function readActs(call: ToolCall, shape: ToolShape | undefined, context: ActionContext): readonly Action[] {
  const read = (line: string, background: boolean): readonly Action[] =>
    shellOf(context).analyseShellLine(line, { background, vars: context.vars ?? {} }).acts
  const inferred =
    shape && !shape.isDescribed
      ? shellOf(context)
          .actionsOfToolShape(shape, line => read(line, shape.background))
          .map(action => onWholeFolder(action, shape, context))
      : []
  if (shape && !shape.isDescribed && !shape.isExtra && !isMcp(call)) return inferred
  const reading = actionsOfTool(call.tool, call.input)
  if ('patch' in reading) return [...shellOf(context).parsePatchActions(reading.patch), ...inferred]
  if ('shell' in reading) return [...read(reading.shell, reading.background), ...inferred]
  if ('powershell' in reading) return [...shellOf(context).analysePowershellLine(reading.powershell), ...inferred]
  const ofMcp = isMcp(call) ? [...mcpFileActions(call.tool, call.input), ...mcpFetchActions(call.tool, call.input)] : []
  return [...reading.acts, ...ofMcp, ...inferred]
}

/** Marks the folders in which a tool without a description may change every file. The project itself is where most tools work. */
function onWholeFolder(act: Action, { files }: ToolShape, { root, cwd, home }: ActionContext): Action {
  const { action, place } = act
  const isWhole = files.some(file => file.whole && file.action === action && file.path === place?.lexical)
  if (!isWhole || !place || place.lexical === null) return act
  const folder = toAbsolute(place.lexical, cwd, home).replace(/\/*$/, '/')
  return [root, cwd, home].some(text => `${text}/`.startsWith(folder))
    ? act
    : { ...act, place: { ...place, whole: true } }
}

const isMcp = ({ tool }: Pick<ToolCall, 'tool'>): boolean => tool.toLowerCase().startsWith('mcp_')

function settleAct({ script, ...given }: Action, context: ActionContext, cache: Map<string, string>): Action {
  const action = script ? { ...given, script: settlePath(script, true, context, cache) } : given
  if (action.place) {
    const path = settlePath(action.place, action.action === 'read', context, cache)
    return { ...action, place: action.action === 'write' ? withTwin(path, context.program) : path }
  }
  if (action.url) return { ...action, url: normalizeUrl(action.url) }
  if (action.folder === undefined) return action
  const { folder, ...rest } = action
  const there = folder === null ? null : toAbsolute(folder, context.cwd, context.home)
  if (there !== null && isHere(there, context, cache)) return rest
  return { ...rest, elsewhere: true, ...(isAgent(action) && { assigns: { PWD: there, ...rest.assigns } }) }
}

/** An agent that is started in another folder has another `PWD`, which rules about variables can match. */
const isAgent = ({ words }: Action): boolean => AGENTS.has(programName(words?.[0]?.text ?? ''))

const AGENTS: ReadonlySet<string> = new Set(allFootprints.flatMap(({ processes }) => processes))

/** In the project or below the working directory, by the given paths or by the real ones. */
function isHere(folder: string, { root, cwd }: ActionContext, cache: Map<string, string>): boolean {
  const isBelow = (path: string, base: string) => path === base || path.startsWith(`${base}/`)
  const real = realPath(folder, cache)
  return [root, cwd].some(base => isBelow(folder, base) || isBelow(real, realPath(base, cache)))
}

/**
 * `git clean` and `git stash -u` delete only existing files that git does not track. Applied only if the line is this one command: another
 * command in the line could change what git tracks.
 */
export function withoutTrackedFiles(actions: readonly Action[]): readonly Action[] {
  const [run, more] = actions.filter(action => action.action === 'run' || action.opaque)
  if (!run || more || !isPlainCleaning(run)) return actions
  return actions.map(action => {
    const at = action.action === 'delete' && !action.place?.glob && (action.place?.real ?? action.place?.lexical)
    const only = at ? untrackedIn(at) : undefined
    return only && action.place ? { ...action, place: { ...action.place, only } } : action
  })
}

function isPlainCleaning({ words = [], assigns, opaque, altered }: Action): boolean {
  const [program, verb] = words.map(word => word.text)
  return program === 'git' && (verb === 'clean' || verb === 'stash') && !assigns && !opaque && !altered
}
