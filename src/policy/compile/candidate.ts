import type { Kept } from '../last-good.ts'
import type { LayerFile } from '../layers.ts'
import type { PolicyError } from '../problem.ts'
import type { LayerReport } from '../report.ts'
import type { Files } from './context.ts'
import { type Contents, filesAsKept, filesOnDisk } from './files.ts'
import type { Version } from './prepare.ts'

/** A layer on its way: as it is now, as it last was good, or given up. */
export interface Candidate {
  readonly found: LayerFile
  readonly state: LayerReport['state']
  readonly version: Version
  /** what it referred to */
  readonly asked: Contents
  /** what was wrong with the versions given up */
  readonly errors: readonly PolicyError[]
  readonly savedAt?: number
}

export const isUsed = ({ state }: Candidate): boolean => state === 'active' || state === 'last-good'

export function asFound(found: LayerFile, seen: Contents): Candidate {
  const asked: Contents = new Map()
  return {
    found,
    state: 'active',
    version: { layer: found.layer, file: found.file, text: found.text ?? '', files: noting(filesOnDisk(seen), asked) },
    asked,
    errors: [],
  }
}

/** The next best version after this one failed. */
export function demote(
  candidate: Candidate,
  errors: readonly PolicyError[],
  kept: Kept | null,
  seen: Contents,
): Candidate {
  const { found, state } = candidate
  if (state === 'active' && kept) {
    const asked: Contents = new Map()
    const files = noting(filesAsKept(new Map(kept.refs), filesOnDisk(seen)), asked)
    const version = { ...candidate.version, text: kept.text, files }
    return { found, state: 'last-good', version, asked, errors, savedAt: kept.savedAt }
  }
  const given = candidate.errors.length > 0 ? candidate.errors : errors
  return { ...candidate, state: found.layer === 'managed' ? 'denies' : 'left-out', errors: given }
}

const noting = (files: Files, asked: Contents): Files => ({
  read(file) {
    const text = files.read(file)
    asked.set(file, text)
    return text
  },
})
