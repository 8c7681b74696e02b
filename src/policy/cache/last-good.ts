import { join } from 'node:path'
import { readRegularFile, writeFileAtomically } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'
import { sha256Of } from '../../lib/sha256.ts'

/** The last version of a layer that compiled, with every file it refers to. */
export interface LastGoodLayer {
  readonly file: string
  readonly text: string
  readonly refs: readonly (readonly [file: string, text: string | null])[]
  readonly savedAt: number
}

/** A layer is stored with the texts of all files it refers to. */
const LARGEST_LAYER = 100_000_000

/** The stored layer, the path where it was looked up, and the text found there. */
export interface LastGoodLookup {
  readonly layer: LastGoodLayer | null
  readonly at: string
  readonly text: string | null
}

const lastGoodFileFor = (stateDir: string, file: string): string =>
  join(stateDir, 'last-good', `${sha256Of(Buffer.from(file))}.json`)

export function readLastGood(stateDir: string, file: string): LastGoodLookup {
  const at = lastGoodFileFor(stateDir, file)
  let text: string | null = null
  try {
    text = readRegularFile(at, LARGEST_LAYER)
    const parsed: unknown = JSON.parse(text)
    return { layer: isLastGoodLayer(parsed) && parsed.file === file ? parsed : null, at, text }
  } catch {
    return { layer: null, at, text }
  }
}

/** Returns true if the text differs from the stored one. A failed write is harmless: there is only no older version to fall back on. */
export function writeLastGood(stateDir: string, layer: LastGoodLayer): boolean {
  const { layer: before } = readLastGood(stateDir, layer.file)
  const isSameText = before?.text === layer.text
  if (before && isSameText && JSON.stringify(before.refs) === JSON.stringify(layer.refs)) return false
  writeFileAtomically(lastGoodFileFor(stateDir, layer.file), JSON.stringify(layer))
  return before !== null && !isSameText
}

function isLastGoodLayer(value: unknown): value is LastGoodLayer {
  if (!isObject(value) || !Array.isArray(value.refs)) return false
  const { file, text, savedAt, refs } = value
  return typeof file === 'string' && typeof text === 'string' && typeof savedAt === 'number' && refs.every(isFileText)
}

const isFileText = (value: unknown): boolean =>
  Array.isArray(value) && typeof value[0] === 'string' && (typeof value[1] === 'string' || value[1] === null)
