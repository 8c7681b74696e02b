import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { type ClientText, MAX_VALUE_LENGTH } from '../../../engine/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import type { TextDoc } from '../../schema/gate.ts'
import { type CompileContext, type DocumentKey, fileLabel, reportError } from '../context.ts'
import { fillSpawnCalls } from './spawn-call.ts'
import { resolveVariables, type TextOwner } from './variables.ts'

/** A text inline, a template file, or a text for each client. File names are relative to `folder`. */
export function compileText(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  words: TextDoc,
  textOwner: TextOwner,
  folder: string = context.unit.folder,
): ClientText {
  const one = (inner: object, name: DocumentKey, text: string): string => {
    const worded = readTextOrFile(context, inner, name, text, folder)
    context.notes.limits?.spend('messages', worded.length + MAX_VALUE_LENGTH * countVariables(worded, textOwner))
    return resolveVariables(context, inner, name, worded, textOwner)
  }
  if (typeof words === 'string') return fillSpawnCalls(one(holder, key, words), context.input.clients)
  const texts = Object.entries(words).map(([client, text]) => [client, one(words, client, text)] as const)
  return fillSpawnCalls(
    { ...Object.fromEntries(texts), default: one(words, 'default', words.default) },
    context.input.clients,
  )
}

/** Only one of a thousand routes shows its message, so the first variables of each route are not counted. */
const countVariables = (text: string, { isRoute }: TextOwner): number =>
  Math.max(0, text.split('{').length - 1 - (isRoute ? MAX_ROUTE_VARIABLES : 0))

const MAX_ROUTE_VARIABLES = 20

const TEXT_FILE_NAME = /^[^\s`{}]+\.(md|txt)$/

function readTextOrFile(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  folder: string,
): string {
  if (!TEXT_FILE_NAME.test(text)) return text
  const file = isAbsolute(text) ? text : join(folder, text)
  if (!isInsideProject(context, file, folder)) {
    reportError(context, holder, key, `text file \`${text}\` is outside the project`)
    return text
  }
  const found = context.files.read(file)
  if (found !== null) return found.trimEnd()
  reportError(context, holder, key, `text file \`${text}\` does not exist`, {
    help: `looked for ${fileLabel(file, context.input)}`,
  })
  return text
}

/** Prevents a repository from passing a person's own files to an agent. */
function isInsideProject(context: CompileContext, file: string, folder: string): boolean {
  const { layer, exposed } = context.unit
  if ((layer === 'user' || layer === 'managed') && exposed === undefined) return true
  return [context.input.root, folder].some(base => !relative(tryRealpath(base), tryRealpath(file)).startsWith('..'))
}

const tryRealpath = (path: string): string => tryOr(path, () => realpathSync(path))
