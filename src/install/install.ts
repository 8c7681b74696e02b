import { statSync } from 'node:fs'
import { type Entry, registeringById } from '../clients/registers.ts'
import { applyChanges, NotWritten } from './apply.ts'
import type { Change } from './change.ts'
import { type Copy, makeCopy, sweepCopies } from './copy.ts'
import { append, partAt } from './edit.ts'
import { codeOf, missingAbove } from './file.ts'
import { parseJsonc, saidBy } from './jsonc.ts'
import { bytesOf, type Kept, type Manifest, readManifest, writeManifest } from './manifest.ts'
import type { Place } from './place.ts'
import type { Plan } from './plan.ts'
import { withoutHooks } from './policy-hooks.ts'
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
  const taken = [...(earlier?.taken ?? []), ...(change.taken ?? [])]
  const adopted = [...(earlier?.adopted ?? []), ...(change.adopted ?? [])]
  const mode = statSync(real, { throwIfNoEntry: false })?.mode
  const base = {
    file,
    scope,
    kind,
    ...(client && { client }),
    ...(mode !== undefined && { mode: mode & 0o7777 }),
    at: Date.now(),
    ...(taken.length > 0 && { taken }),
    ...(adopted.length > 0 && { adopted }),
  }
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
export function withoutOurs(text: string, kept: Pick<Kept, 'kind' | 'client' | 'taken' | 'adopted'>): string {
  const { kind, client = '', taken = [], adopted = [] } = kept
  if (kind === 'section') return withoutSection(text)
  if (kind === 'policy') return withoutHooks(text, adopted)
  const how = registeringById(client)
  if (kind !== 'hooks' || how?.hook.kind !== 'settings') return text
  const paths = how.hook.entries({ line: '', words: [], timeoutMs: 0 }).map(({ path }) => path)
  return taken.reduce(putBack, unregistered(text, client, paths))
}

/** What was taken out goes back, unless somebody has put it there meanwhile. */
function putBack(text: string, { path, item }: Entry): string {
  const list = text.trim() === '' ? undefined : partAt(parseJsonc(text), path)
  const there = list?.kind === 'list' ? list.items.map(one => JSON.stringify(saidBy(one))) : []
  return there.includes(JSON.stringify(item)) ? text : append(text, path, item)
}
