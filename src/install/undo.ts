import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, clients } from '../clients/index.ts'
import type { Scope } from '../clients/registers.ts'
import { applyChanges } from './apply.ts'
import { type Change, isChange, type Problem } from './change.ts'
import { copiesIn } from './copy.ts'
import { Unfit } from './edit.ts'
import { isReadOnly, lookAt, rmdirIfEmpty, textOf } from './file.ts'
import { launcherIn } from './hook-call.ts'
import { withoutOurs } from './install.ts'
import { bytesOf, type Kept, type Manifest, readManifest, writeManifest } from './manifest.ts'
import type { Place } from './place.ts'
import { problemOf, registrationsIn } from './registrations.ts'

export interface Undo {
  readonly changes: readonly Change[]
  readonly problems: readonly Problem[]
  /** ours once, and changed since: it is somebody's now */
  readonly left: readonly string[]
  /** entries of the manifest that are done with */
  readonly done: readonly Kept[]
  /** copies of the program that nothing needs any more */
  readonly copies: readonly string[]
}

/**
 * Everything that `init` wrote in these scopes, back to what it was; of a file that was changed since, only what is ours. In the
 * scopes that are `unknown` also hooks of ours that nobody recorded.
 */
export function planUndo(
  place: Place,
  manifest: Manifest,
  scopes: readonly Scope[],
  unknown: readonly Scope[] = scopes,
): Undo {
  const named = manifest.files.filter(one => scopes.includes(one.scope))
  const mine = [...named, ...idle(manifest.files, named, place)]
  const results = [...mine.map(restored), ...unrecorded(place, manifest, unknown).map(takenOut)]
  const changes = results.flatMap(({ change }) => (change && isChange(change) ? [change] : []))
  const done = results.flatMap(({ kept, problem }) => (kept && !problem ? [kept] : []))
  const rest = manifest.files.filter(one => !done.includes(one))
  return {
    changes,
    problems: results.flatMap(({ problem }) => problem ?? []),
    left: results.flatMap(({ left }) => left ?? []),
    done,
    copies: manifest.copies.filter(data => !rest.some(one => needs(one, data, place))),
  }
}

/** A hook that is left behind must still find its program. */
const needs = ({ kind, scope }: Kept, data: string, place: Place): boolean =>
  (kind === 'hooks' || kind === 'plugin') && (data === place.data ? scope !== 'managed' : scope === 'managed')

/** What starts the person's program, where no hook that stays needs it: a project's `init` may have brought it. */
function idle(all: readonly Kept[], going: readonly Kept[], place: Place): readonly Kept[] {
  const staying = all.filter(one => !going.includes(one))
  if (going.length === 0 || staying.some(one => needs(one, place.data, place))) return []
  return staying.filter(({ kind, scope }) => kind === 'launcher' && scope === 'user')
}

interface Result {
  readonly kept?: Kept
  readonly change?: Change
  readonly problem?: Problem
  readonly left?: string
}

function restored(kept: Kept): Result {
  const { file, scope, kind, client } = kept
  try {
    const found = lookAt(file)
    const original = kept.original === null ? null : bytesOf(kept.original)
    const base = { file, real: found.real, before: found.bytes, scope, kind, client }
    if (found.bytes === null) return { kept }
    if (found.bytes.equals(bytesOf(kept.wrote))) {
      const what = original === null ? 'goes, it was made for this' : 'as it was'
      return { kept, change: writable({ ...base, after: original, what }, found) }
    }
    if (original && found.bytes.equals(original)) return { kept }
    const rest = withoutOurs(textOf(found.bytes), kept)
    const after = original === null && isEmpty(rest) ? null : Buffer.from(rest)
    if (after?.equals(found.bytes)) return kind === 'hooks' || kind === 'section' ? { kept } : { kept, left: file }
    return { kept, change: writable({ ...base, after, what: 'changed since: only what is ours goes' }, found) }
  } catch (error) {
    return { kept, problem: { file, client, ...problemOf(error, file) } }
  }
}

function writable(change: Change, found: { readonly mode: number | undefined }): Change {
  if (isChange(change) && isReadOnly(found)) throw new Unfit('is read-only')
  return change
}

/** Nothing but the frame that a new file got. */
const isEmpty = (text: string): boolean => /^\s*(\{\s*("version":\s*1\s*)?\})?\s*$/.test(text)

/** Hooks of ours that no manifest knows: registered by hand, or by somebody else who works on the project. */
function unrecorded(place: Place, manifest: Manifest, scopes: readonly Scope[]): readonly [Client, Scope, string][] {
  return clients.flatMap(client =>
    scopes.flatMap(scope => {
      const found = registrationsIn(client, scope, place)
      if (!found?.hooks.some(one => one.isOurs) || manifest.files.some(one => one.file === found.file)) return []
      return [[client, scope, found.file] as [Client, Scope, string]]
    }),
  )
}

function takenOut([client, scope, file]: [Client, Scope, string]): Result {
  try {
    const found = lookAt(file)
    const text = found.bytes ? textOf(found.bytes) : ''
    const rest = withoutOurs(text, { kind: 'hooks', client: client.id })
    // a plugin is ours as a whole
    const after = rest === text ? null : Buffer.from(rest)
    const base = { file, real: found.real, before: found.bytes, scope, kind: 'hooks', client: client.id } as const
    return { change: writable({ ...base, after, what: 'the hook is taken out' }, found) }
  } catch (error) {
    return { problem: { file, client: client.id, ...problemOf(error, file) } }
  }
}

/** All of it or nothing; then what was made around it, as far as nothing else is in there. */
export function undo({ changes, done, copies }: Undo, place: Place): void {
  const manifest = readManifest(place.state)
  applyChanges(changes)
  for (const data of copies) removeCopies(data)
  for (const folder of done.flatMap(one => one.folders).sort((a, b) => b.length - a.length)) rmdirIfEmpty(folder)
  writeManifest(place.state, {
    ...manifest,
    files: manifest.files.filter(one => !done.some(({ file }) => file === one.file)),
    copies: manifest.copies.filter(data => !copies.includes(data)),
  })
}

function removeCopies(data: string): void {
  if (!existsSync(data)) return
  rmSync(join(data, 'current'), { force: true })
  for (const name of copiesIn(data)) rmSync(join(data, name), { recursive: true, force: true })
  rmdirIfEmpty(join(launcherIn(data), '..'))
  rmdirIfEmpty(data)
}
