import { statSync } from 'node:fs'
import { registeringById } from '../clients/registers.ts'
import { applyChanges, NotWritten } from './apply.ts'
import type { Change } from './change.ts'
import { type Copy, makeCopy, sweepCopies } from './copy.ts'
import { codeOf, missingAbove } from './file.ts'
import { bytesOf, type Kept, type Manifest, readManifest, writeManifest } from './manifest.ts'
import type { Place } from './place.ts'
import type { Plan } from './plan.ts'
import { withoutSection } from './section.ts'
import { unregistered } from './settings.ts'

/**
 * Does what was planned, or nothing. What was there before is on record before the first of it is changed: who is stopped in
 * the middle can still go back.
 */
export function install({ changes, copy }: Plan, place: Place): void {
  const before = readManifest(place.state)
  const after = recorded(before, changes, copy?.data, place.version)
  const undoCopy = copy ? copied(copy) : () => {}
  try {
    writeManifest(place.state, after)
    try {
      applyChanges(changes)
    } catch (error) {
      writeManifest(place.state, before)
      throw error
    }
  } catch (error) {
    undoCopy()
    throw error
  }
  if (copy && !copy.isThere) sweepCopies(copy.data, [copy.name, copy.before])
}

function copied(copy: Copy): () => void {
  try {
    return makeCopy(copy)
  } catch (error) {
    throw new NotWritten(`${copy.data} cannot be written (${codeOf(error)}), so nothing was changed`)
  }
}

function recorded(before: Manifest, changes: readonly Change[], data: string | undefined, version: string): Manifest {
  const kept = changes.map(change =>
    keptOf(
      change,
      before.files.find(one => one.file === change.file),
    ),
  )
  return {
    version,
    files: [...before.files.filter(one => !kept.some(({ file }) => file === one.file)), ...kept],
    copies: [...new Set([...before.copies, ...(data ? [data] : [])])],
  }
}

/** Where it is as we left it, what was there before us still counts; where somebody changed it, that without what is ours. */
function keptOf(change: Change, earlier: Kept | undefined): Kept {
  const { file, real, before, after, scope, kind, client } = change
  const mode = statSync(real, { throwIfNoEntry: false })?.mode
  const base = { file, scope, kind, ...(client && { client }), ...(mode !== undefined && { mode: mode & 0o7777 }) }
  const wrote = (after ?? Buffer.alloc(0)).toString('base64')
  const folders = [...(earlier?.folders ?? []), ...missingAbove(real)]
  if (!earlier || before === null)
    return { ...base, original: before?.toString('base64') ?? null, wrote, folders: [...new Set(folders)] }
  const isUntouched = before.equals(bytesOf(earlier.wrote))
  const rest = isUntouched
    ? earlier.original
    : Buffer.from(withoutOurs(before.toString('utf8'), earlier)).toString('base64')
  return { ...base, original: rest, wrote, folders }
}

/** The text without what is ours in it; the very text where that cannot be told apart. */
export function withoutOurs(text: string, { kind, client = '' }: Pick<Kept, 'kind' | 'client'>): string {
  if (kind === 'section') return withoutSection(text)
  const how = registeringById(client)
  if (kind !== 'hooks' || how?.hook.kind !== 'settings') return text
  const paths = how.hook.entries({ line: '', words: [], timeoutMs: 0 }).map(({ path }) => path)
  return unregistered(text, client, paths)
}
