import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Entry, registeringById } from '../clients/registers.ts'
import { applyChanges, NotWritten } from './apply.ts'
import type { Change } from './change.ts'
import { type Copy, makeCopy, sweepCopies } from './copy.ts'
import { append, partAt } from './edit.ts'
import { codeOf, keyOf, missingAbove, sweepDrafts } from './file.ts'
import { parseJsonc, saidBy } from './jsonc.ts'
import { whyNotNative, withoutNative } from './launchers.ts'
import { type Kept, keptFor, type Manifest, readManifest, writeManifest } from './manifest.ts'
import type { Place } from './place.ts'
import type { Plan } from './plan.ts'
import { withoutHooks } from './policy-hooks.ts'
import { withoutSection } from './section.ts'
import { unregistered } from './settings.ts'

/**
 * Does what was planned, or nothing. What was there before is on record before the first of it is changed, and where the copy
 * goes before it is begun: who is stopped in the middle can still go back. Gives why the native hook was left out after all.
 */
export function install({ changes, copy }: Plan, place: Place): string | undefined {
  const before = readManifest(place.state)
  sweepLeft(before, place.state)
  const after = recorded(before, changes, copy?.data, place.version)
  writeManifest(place.state, after)
  let undoCopy = () => {}
  let why: string | undefined
  try {
    if (copy) undoCopy = copied(copy)
    why = whyNotNative(changes, copy, place.version)
    applyChanges(why === undefined ? changes : changes.map(withoutNative))
  } catch (error) {
    undoCopy()
    writeManifest(place.state, before)
    throw error
  }
  if (copy && !copy.isThere) sweepCopies(copy.data, [copy.name, copy.before])
  return why
}

/** Drafts of somebody who was stopped. */
export function sweepLeft({ files, copies }: Manifest, state: string): void {
  const folders = files.map(({ file }) => dirname(keyOf(file)))
  for (const folder of new Set([state, ...copies, ...folders])) sweepDrafts(folder)
}

function copied(copy: Copy): () => void {
  try {
    return makeCopy(copy)
  } catch (error) {
    throw new NotWritten(`${copy.data} cannot be written (${codeOf(error)}), so nothing was changed`)
  }
}

function recorded(before: Manifest, changes: readonly Change[], data: string | undefined, version: string): Manifest {
  const earlier = changes.map(change => keptFor(change.file, before))
  const kept = changes.map((change, nth) => keptOf(change, earlier[nth]))
  return {
    ...before,
    version,
    files: [...before.files.filter(one => !earlier.includes(one)), ...kept],
    copies: [...new Set([...before.copies, ...(data ? [data] : [])])],
  }
}

/** Where it is as we left it, what was there before us still counts; where somebody changed it, that without what is ours. */
function keptOf(change: Change, earlier: Kept | undefined): Kept {
  const { file, real, after, scope, kind, client } = change
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
  // nobody edits a program: it goes whatever it says
  const wrote = (change.spare ? Buffer.alloc(0) : (after ?? Buffer.alloc(0))).toString('base64')
  const folders = [...(earlier?.folders ?? []), ...missingAbove(real)]
  return { ...base, original: originalOf(change, earlier), wrote, folders: [...new Set(folders)] }
}

function originalOf({ before, kind, scope }: Change, earlier: Kept | undefined): string | null {
  // where only we write, and what we made: nobody's text was there, whatever is there now
  if (before === null || (kind === 'launcher' && scope !== 'project')) return null
  const now = before.toString('base64')
  if (!earlier) return now
  if (isWhollyOurs(earlier)) return null
  // nobody edited it, or it would not be written
  if (kind === 'command') return earlier.original
  // one that was stopped has recorded it, and not written it
  if (now === earlier.wrote || now === earlier.original) return earlier.original
  return Buffer.from(withoutOurs(before.toString('utf8'), earlier)).toString('base64')
}

/** A script or a plugin that `init` made. What a person did to it since was done to a part of Signalbox. */
export const isWhollyOurs = ({ kind, original }: Pick<Kept, 'kind' | 'original'>): boolean =>
  original === null && (kind === 'launcher' || kind === 'plugin')

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

/** What was taken out goes back, as often as it was taken; unless somebody has put it there meanwhile. */
function putBack(text: string, { path, item }: Entry, at: number, all: readonly Entry[]): string {
  const said = JSON.stringify([path, item])
  const wanted = all.slice(0, at + 1).filter(one => JSON.stringify([one.path, one.item]) === said).length
  const list = text.trim() === '' ? undefined : partAt(parseJsonc(text), path)
  const there = list?.kind === 'list' ? list.items.filter(one => JSON.stringify([path, saidBy(one)]) === said) : []
  return there.length >= wanted ? text : append(text, path, item)
}
