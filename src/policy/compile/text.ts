import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { Text } from '../../core/index.ts'
import { LONGEST_VALUE } from '../../pattern/index.ts'
import type { WordsDoc } from '../schema/gate.ts'
import { type Context, complain, type Key, label } from './context.ts'
import { withSpawnCalls } from './spawn-call.ts'
import { resolveVariables, type Speaker } from './variables.ts'

/** Inline, a template file, or one for each client. `folder` is what file names are relative to. */
export function compileText(
  context: Context,
  holder: object,
  key: Key,
  words: WordsDoc,
  speaker: Speaker,
  folder: string = context.unit.folder,
): Text {
  const one = (inner: object, name: Key, text: string): string => {
    const worded = wording(context, inner, name, text, folder)
    context.notes.limits?.spend('messages', worded.length + LONGEST_VALUE * variablesIn(worded, speaker))
    return resolveVariables(context, inner, name, worded, speaker)
  }
  if (typeof words === 'string') return withSpawnCalls(one(holder, key, words), context.input.clients)
  const texts = Object.entries(words).map(([client, text]) => [client, one(words, client, text)] as const)
  return withSpawnCalls(
    { ...Object.fromEntries(texts), default: one(words, 'default', words.default) },
    context.input.clients,
  )
}

/** Of a thousand routes one speaks: what each may hold is not added up. */
const variablesIn = (text: string, { isRoute }: Speaker): number =>
  Math.max(0, text.split('{').length - 1 - (isRoute ? MOST_OF_A_ROUTE : 0))

const MOST_OF_A_ROUTE = 20

const LOOKS_LIKE_A_FILE = /^[^\s`{}]+\.(md|txt)$/

function wording(context: Context, holder: object, key: Key, text: string, folder: string): string {
  if (!LOOKS_LIKE_A_FILE.test(text)) return text
  const file = isAbsolute(text) ? text : join(folder, text)
  if (!isWithin(context, file, folder)) {
    complain(context, holder, key, `text file \`${text}\` lies outside the project`)
    return text
  }
  const found = context.files.read(file)
  if (found !== null) return found.trimEnd()
  complain(context, holder, key, `text file \`${text}\` does not exist`, {
    help: `looked for ${label(file, context.input)}`,
  })
  return text
}

/** A repository must not be able to hand a person's own files to an agent. */
function isWithin(context: Context, file: string, folder: string): boolean {
  const { layer } = context.unit
  if (layer === 'user' || layer === 'managed') return true
  return [context.input.root, folder].some(base => !relative(real(base), real(file)).startsWith('..'))
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
