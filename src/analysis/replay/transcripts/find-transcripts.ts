import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TranscriptFile, TranscriptFormat, TranscriptHead } from '../../../clients/transcripts.ts'
import { readTextOrUndefined, statOrUndefined } from '../../../lib/files.ts'
import { listFilesRecursively } from './walk-folder.ts'

/** A transcript on this machine, with what its first lines show. */
export interface TranscriptSource extends TranscriptHead {
  readonly file: string
  readonly transcript: TranscriptFile
  readonly by: TranscriptFormat
  readonly bytes: number
}

interface TranscriptLocations {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly moves: (id: string) => { readonly env: string; readonly from: string } | undefined
}

/** The folder in which a client keeps its transcripts, with overrides by environment variables. */
export function transcriptFolderOf(
  { id, folder }: TranscriptFormat,
  { home, env, moves }: TranscriptLocations,
): string {
  const moved = moves(id)
  const to = moved && env[moved.env]
  const place = moved && to && folder.startsWith(`${moved.from}/`) ? to + folder.slice(moved.from.length) : folder
  return place.replace(/^~(?=\/)/, home)
}

/** In order of file names. Skips files not modified since `since`: they have no newer events. */
export function findTranscripts(by: TranscriptFormat, folder: string, since: number): readonly TranscriptSource[] {
  return listFilesRecursively(folder).flatMap(path => {
    if (!by.isTranscript(path)) return []
    const file = join(folder, path)
    const stat = statOrUndefined(file)
    if (!stat?.isFile() || stat.mtimeMs < since) return []
    const at = (name: string) => join(dirname(file), name)
    const transcript = {
      path,
      readBeside: (name: string) => readTextOrUndefined(at(name)),
      existsBeside: (name: string) => statOrUndefined(at(name))?.isFile() === true,
    }
    return [{ file, transcript, by, bytes: stat.size, ...by.readHead(readHead(file), transcript) }]
  })
}

const HEAD_BYTES = 32 * 1024

function readHead(file: string): string {
  const piece = Buffer.allocUnsafe(HEAD_BYTES)
  try {
    const open = openSync(file, 'r')
    try {
      return piece.subarray(0, readSync(open, piece, 0, HEAD_BYTES, 0)).toString('utf8')
    } finally {
      closeSync(open)
    }
  } catch {
    return ''
  }
}
