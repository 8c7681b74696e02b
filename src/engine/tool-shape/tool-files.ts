import { toPosixPath } from '../../lib/posix-path.ts'
import type { ActionKind } from '../model/vocabulary.ts'
import {
  namesChange,
  namesDeletedThings,
  namesDeletion,
  namesMessaging,
  namesMove,
  namesOnlyReading,
  namesOnlyReadingLoosely,
} from './field-meaning.ts'
import { looksLikePath } from './looks-like-path.ts'
import type { CommandCandidate } from './tool-commands.ts'
import type { InputFindings, PathCandidate } from './tool-input.ts'

/** What a call does to a file. */
export interface ShapeFileAccess {
  readonly action: Extract<ActionKind, 'read' | 'write' | 'delete' | 'other'>
  readonly path: string
  /** the path may be a folder, and everything in it changes: `find_and_edit { dir }` */
  readonly whole?: true
}

/** A path beside a command is the folder it runs in. What happens to a path alone, only the words of the tool's name can say. */
export function filesOf(
  found: InputFindings,
  words: readonly string[],
  hasContent: boolean,
  runs: boolean,
): readonly ShapeFileAccess[] {
  const isCopy = found.paths.some(({ field }) => field.some(word => SOURCE.test(word)))
  if (found.remote && words.some(word => HOSTS.test(word))) return []
  if (runs && !hasContent) return found.commands.every(isEditorCommandId) ? mentionsOf(found, [], words) : []
  const files = pathsOf(found, hasContent, words).flatMap(path =>
    actionsOn(path, words, { hasContent, isCopy }).map(
      (action): ShapeFileAccess => ({
        action,
        path: toPosixPath(path.path),
        ...(isWhole(action, words) && { whole: true }),
      }),
    ),
  )
  return [...files, ...mentionsOf(found, files, words)]
}

/** `workbench.action.files.delete`, `moveFileToTrash`: a command of an editor, not of a shell. */
const isEditorCommandId = ({ line }: CommandCandidate): boolean => /^(\w+\.[\w.]+|[a-z]+[A-Z]\w*)(\s|$)/.test(line)

/** A tool that changes a folder may change every file in it, unless it makes the folder. */
const isWhole = (action: ShapeFileAccess['action'], words: readonly string[]): boolean =>
  action === 'other' || (action === 'write' && !words.some(word => /^(make|create|new)$/.test(word)))

/** A path in a field that says nothing of files. A tool that talks or reads may mention any. */
function mentionsOf(
  found: InputFindings,
  files: readonly ShapeFileAccess[],
  words: readonly string[],
): readonly ShapeFileAccess[] {
  if (namesMessaging(words) || namesOnlyReadingLoosely(words)) return []
  const action = namesDeletion(words) && words.some(word => FILE_WORD.test(word)) ? 'delete' : 'other'
  const mentions = [...found.mentions, ...found.argWords.filter(looksLikePath)].map(toPosixPath).map(beforeWildcard)
  return [...new Set(mentions)].flatMap(path =>
    files.some(file => file.path === path) ? [] : { action, path, whole: true },
  )
}

/** `.claude/**`: the folder that the pattern begins in */
const beforeWildcard = (path: string): string => path.replace(/(^|\/)[^/]*[*?[{].*$/, '') || path

const HOSTS = /^(github|gitlab|bitbucket|gitea|forgejo|gist|gh)$/

export function pathsOf(
  { paths, names, others, argWords, texts }: InputFindings,
  hasContent: boolean,
  words: readonly string[] = [],
): readonly PathCandidate[] {
  const isOfFiles = namesDeletion(words) && words.every(word => namesDeletion([word]) || FILE_WORD.test(word))
  const more = hasContent && paths.length === 0 ? [...names, ...others] : [...others]
  const isCalledOnFiles = (namesChange(words) || namesDeletion(words)) && words.some(word => FILE_WORD.test(word))
  if (paths.length === 0 && isCalledOnFiles) more.push(...called(argWords), ...firstLines(texts))
  const isMore = (text: string): boolean =>
    (isOfFiles || looksLikePath(text)) && !paths.some(({ path, field }) => path === text && namesDeletedThings(field))
  return [...paths, ...more.filter(isMore).map(path => ({ path, field: [] }))]
}

/** `fs { method: 'writeFile', args: ['a.ts', 'x'] }` */
const called = (args: readonly string[]): readonly string[] => {
  const named = args.filter(looksLikePath)
  return named.length > 0 ? named : args.slice(0, 1).map(name => `./${name}`)
}

/** `{ text: 'src/a.ts\nits content' }` */
const firstLines = (texts: readonly string[]): readonly string[] =>
  texts.filter(text => text.includes('\n')).map(text => text.trimStart().split('\n')[0] ?? '')

const FILE_WORD = /^(fs|file|files|folder|folders|dir|dirs|directory|directories|path|paths)$/

const SOURCE = /^(source|src|from|old)$/
const DESTINATION = /^(destination|dest|dst|to|new|target)$/
/** Fields whose paths are written even if no word says what the tool does. */
export const SURELY_WRITTEN = /^(saved?|destination|dest|dst|output|out|outfile)$/

/** Another agent or a person gets to see the file: `oracle { files }`. */
const CONSULTS = /^(oracle|librarian|handoff|consult|delegate)$/

function actionsOn(
  { path, field }: PathCandidate,
  words: readonly string[],
  { hasContent, isCopy }: { readonly hasContent: boolean; readonly isCopy: boolean },
): readonly ShapeFileAccess['action'][] {
  const isSource = field.some(word => SOURCE.test(word))
  const isDestination = field.some(word => DESTINATION.test(word))
  if (namesDeletedThings(field)) return actionsOnDeleted(path, words)
  if (hasContent || field.includes('saved')) return ['write']
  if (namesMove(words)) return isDestination ? ['write'] : isSource ? ['delete'] : ['delete', 'write']
  if (namesDeletion(words)) return ['delete']
  if (namesChange(words)) return isSource && !words.includes('link') ? ['read'] : ['write']
  if (field.some(word => SURELY_WRITTEN.test(word))) return ['write']
  if (namesOnlyReading(words) || namesOnlyReadingLoosely(words) || words.some(word => CONSULTS.test(word)))
    return ['read']
  if (!looksLikePath(path)) return []
  return isCopy && isDestination ? ['write'] : ['other']
}

/** A word that is no path for certain may be the name of a label as well as of a folder: `{ remove: ['wontfix'] }`. */
function actionsOnDeleted(path: string, words: readonly string[]): readonly ShapeFileAccess['action'][] {
  const isOfFiles = words.some(word => FILE_WORD.test(word))
  if (namesOnlyReading(words) || namesOnlyReadingLoosely(words)) return ['read']
  return (looksLikePath(path) || isOfFiles) && !namesMessaging(words) ? ['delete'] : ['other']
}
