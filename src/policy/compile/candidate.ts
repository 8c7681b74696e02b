import { isSameVersion, type Kept } from '../last-good.ts'
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
  /** versions that were not tried yet, the newest first; absent: nobody has looked */
  readonly others?: readonly Kept[]
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
  kept: (file: string) => readonly Kept[],
  seen: Contents,
): Candidate {
  const { found, version } = candidate
  const given = candidate.errors.length > 0 ? candidate.errors : errors
  const itself = { text: version.text, refs: [...candidate.asked] }
  const [next, ...others] = candidate.others ?? kept(found.file).filter(one => !isSameVersion(one, itself))
  if (!next) return { ...candidate, state: found.layer === 'managed' ? 'denies' : 'left-out', errors: given }
  const asked: Contents = new Map()
  const files = noting(filesAsKept(new Map(next.refs), filesOnDisk(seen)), asked)
  const { savedAt, text } = next
  return { found, state: 'last-good', version: { ...version, text, files }, asked, errors: given, savedAt, others }
}

const noting = (files: Files, asked: Contents): Files => ({
  read(file) {
    const text = files.read(file)
    asked.set(file, text)
    return text
  },
})
