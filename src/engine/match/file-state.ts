import type { PathRef } from './path-ref.ts'
import { someTruth, type Truth, truthOf } from './three-valued.ts'

/** What is known about a file: that it is there, or what calls of the session did to it. */
export const FILE_STATES = ['exists', 'read', 'written', 'fetched'] as const
export type FileState = (typeof FILE_STATES)[number]

/** By path, the first letters of what was done, the latest path last. */
export type KnownFiles = Readonly<Record<string, string>>

const MOST_KNOWN = 500

interface FileAction {
  readonly action: string
  readonly place?: PathRef
  readonly script?: PathRef
  readonly fetched?: boolean
  readonly opaque?: boolean
  readonly words?: readonly { readonly text: string | null }[]
  readonly via?: string
}

interface Known {
  readonly exists?: Readonly<Record<string, boolean>>
  readonly files?: KnownFiles | undefined
}

/** Undefined: the action has no file. Null: it is unknown, or one of several. */
export function fileOf({ place, script }: Pick<FileAction, 'place' | 'script'>): string | null | undefined {
  const ref = script ?? place
  return ref && pathOf(ref)
}

function pathOf({ lexical, real, glob, foldCase }: PathRef): string | null {
  const path = real ?? lexical
  return glob || path === null ? null : foldCase ? path.toLowerCase() : path
}

/** Is the file of the action in one of these states? A `run` may also run what its own line writes or fetches. */
export function matchFile(
  wanted: readonly FileState[],
  act: FileAction,
  acts: readonly FileAction[],
  { exists, files = {} }: Known,
): Truth {
  const file = fileOf(act)
  return someTruth(wanted, state => {
    if (state === 'fetched' && act.action === 'run' && act.fetched) return 'true'
    if (file === undefined) return 'false'
    if (file === null) return 'unknown'
    if (state === 'exists') return exists && Object.hasOwn(exists, file) ? truthOf(exists[file] === true) : 'unknown'
    if (has(files, file, state)) return 'true'
    if (act.action !== 'run' || state === 'read') return 'false'
    return someTruth(acts, other => (other === act ? 'false' : inLine(state, file, other, acts, files)))
  })
}

/** What was written or downloaded as a whole counts for everything in it. */
const has = (files: KnownFiles, file: string, state: FileState): boolean =>
  holds(files[file], state) || (state !== 'read' && parentsOf(file).some(folder => holds(files[`${folder}/`], state)))

const holds = (letters: string | undefined, state: FileState): boolean => letters?.includes(state.charAt(0)) ?? false

const parentsOf = (file: string): readonly string[] =>
  [...file.matchAll(/\//g)].flatMap(({ index }) => (index > 0 ? file.slice(0, index) : []))

/** Does this action of the same line write the file, or download it? */
function inLine(
  state: FileState,
  file: string,
  other: FileAction,
  acts: readonly FileAction[],
  files: KnownFiles,
): Truth {
  if (other.action !== 'write' || !other.place) return 'false'
  const path = pathOf(other.place)
  const isSame = path === file || (other.place.whole && path !== null && file.startsWith(`${path}/`))
  if (path !== null && !isSame) return 'false'
  if (state === 'fetched' && !isDownload(other, acts, files)) return 'false'
  return path === null ? 'unknown' : 'true'
}

/** Is what is written a download, or a copy of one: `mv download.sh run.sh`? */
const isDownload = (write: FileAction, acts: readonly FileAction[], files: KnownFiles): boolean =>
  write.fetched === true ||
  acts.some(source => {
    if (source === write || source.via !== write.via || (source.action !== 'read' && source.action !== 'delete'))
      return false
    const from = fileOf(source)
    return (
      typeof from === 'string' &&
      (has(files, from, 'fetched') ||
        acts.some(({ action, fetched, place }) => action === 'write' && fetched && place && pathOf(place) === from))
    )
  })

interface Finished {
  readonly event: {
    readonly kind: string
    readonly call?: { readonly acts: readonly FileAction[]; readonly status?: string }
  }
  readonly session: { readonly files?: KnownFiles }
  readonly capabilities: { readonly events: object }
}

/** What the session knows after this event. A call counts once it has finished, or when it is permitted if its end is not reported. */
export function knownFilesAfter(
  { event, session, capabilities }: Finished,
  refused: boolean,
): { readonly files?: KnownFiles } {
  const { files = {} } = session
  const counted = 'tool.after' in capabilities.events ? 'tool.after' : 'tool.before'
  if (event.kind !== counted || refused || event.call?.status === 'failed') return {}
  const { acts = [] } = event.call ?? {}
  const news = new Map<string, string>()
  const note = (path: string, state: FileState) => {
    const before = news.get(path) ?? files[path] ?? ''
    news.set(path, holds(before, state) ? before : before + state.charAt(0))
  }
  for (const act of acts) {
    const path = act.place && pathOf(act.place)
    if (!path) continue
    if (act.action === 'read' && isWholeRead(act)) note(path, 'read')
    if (act.action !== 'write') continue
    const key = act.place?.whole ? `${path}/` : path
    note(key, 'written')
    if (isDownload(act, acts, files)) note(key, 'fetched')
  }
  if (news.size === 0) return {}
  const old = Object.entries(files).filter(([path]) => !news.has(path))
  return { files: Object.fromEntries([...old, ...news].slice(-MOST_KNOWN)) }
}

/** `grep x f` shows lines of the file, and not the file. */
const isWholeRead = ({ via = '' }: FileAction): boolean => !LOOKS_FOR.test(via)

const LOOKS_FOR =
  /^\s*(?:\w+=\S*\s+)*(?:[ef]?grep|rg|ag|ack|git\s+(?:grep|status|log|diff)|ls|find|fd|tree|stat|wc|file|du|test|\[)\b/
