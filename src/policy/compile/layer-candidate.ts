import type { LastGoodLayer } from '../cache/last-good.ts'
import type { LayerFile } from '../find/layers.ts'
import type { PolicyError } from '../parse/policy-error.ts'
import type { LayerVersion } from './attempt.ts'
import type { FileReader } from './context.ts'
import { createDiskReader, createSnapshotReader, type FileContents } from './files.ts'
import type { LayerReport } from './layer-report.ts'

/** A layer while it is being compiled: its current version, its last good version, or left out. */
export interface LayerCandidate {
  readonly found: LayerFile
  readonly state: LayerReport['state']
  readonly version: LayerVersion
  /** files it refers to */
  readonly reads: FileContents
  /** errors of the versions that failed */
  readonly errors: readonly PolicyError[]
  readonly savedAt?: number
}

export const isCandidateUsed = ({ state }: LayerCandidate): boolean => state === 'active' || state === 'last-good'

export function toLayerCandidate(found: LayerFile, contents: FileContents): LayerCandidate {
  const reads: FileContents = new Map()
  return {
    found,
    state: 'active',
    version: {
      layer: found.layer,
      file: found.file,
      text: found.text ?? '',
      files: recordReads(createDiskReader(contents), reads),
      exposed: found.exposed,
    },
    reads: reads,
    errors: [],
  }
}

/** Returns the next best version after this version failed. */
export function fallBackToEarlierVersion(
  candidate: LayerCandidate,
  errors: readonly PolicyError[],
  lastGood: LastGoodLayer | null,
  contents: FileContents,
): LayerCandidate {
  const { found, state } = candidate
  if (state === 'active' && lastGood) {
    const reads: FileContents = new Map()
    const files = recordReads(createSnapshotReader(new Map(lastGood.refs), createDiskReader(contents)), reads)
    const version = { ...candidate.version, text: lastGood.text, files }
    return { found, state: 'last-good', version, reads: reads, errors, savedAt: lastGood.savedAt }
  }
  const given = candidate.errors.length > 0 ? candidate.errors : errors
  return { ...candidate, state: found.layer === 'managed' ? 'denies' : 'left-out', errors: given }
}

const recordReads = (files: FileReader, reads: FileContents): FileReader => ({
  read(file) {
    const text = files.read(file)
    reads.set(file, text)
    return text
  },
})
