import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Scope } from '../clients/registers.ts'
import { applyChanges } from './apply.ts'
import { type Change, isChange, type Problem } from './change.ts'
import { copiesIn } from './copy.ts'
import { Unfit } from './edit.ts'
import { isReadOnly, lookAt, rmdirIfEmpty, sweepDrafts, textOf } from './file.ts'
import { launcherIn } from './hook-call.ts'
import { isWhollyOurs, sweepLeft, withoutOurs } from './install.ts'
import { bytesOf, type Kept, type Manifest, readManifest, writeManifest } from './manifest.ts'
import { neededBy, ofProjects } from './needed.ts'
import { type Place, sharedData } from './place.ts'
import { problemOf } from './registrations.ts'
import { orphans, type Unrecorded, unrecorded } from './unrecorded.ts'

export interface Undo {
  readonly changes: readonly Change[]
  readonly problems: readonly Problem[]
  /** ours once, and changed since: it is somebody's now */
  readonly left: readonly string[]
  /** entries of the manifest that are done with */
  readonly done: readonly Kept[]
  /** copies of the program that nothing needs any more */
  readonly copies: readonly string[]
  /** files that go on calling the program, so what starts it stays */
  readonly needing: readonly string[]
  /** files whose hook goes, and of which nobody knows what they were before */
  readonly unrecorded: readonly string[]
  /** written with what goes, and a part of a project whose hook stays */
  readonly passed: readonly Kept[]
}

/**
 * Everything that `init` wrote in these scopes, back to what it was; of a file that was changed since, only what is ours. In the
 * scopes that are `unknown` also hooks of ours that nobody recorded. What a hook that stays needs stays too.
 */
export function planUndo(
  place: Place,
  manifest: Manifest,
  scopes: readonly Scope[],
  unknown: readonly Scope[] = scopes,
): Undo {
  const passed = scopes.includes('project') ? [] : ofProjects(manifest)
  const named = manifest.files.filter(one => scopes.includes(one.scope) && !passed.includes(one))
  const mine = [...named, ...idle(manifest.files, named)]
  const stray = unrecorded(place, manifest, unknown)
  const tried = mine.map(restored)
  const withdrawn = stray.map(takenOut)
  const failed = tried.flatMap(({ kept, problem }) => (kept && problem ? [kept] : []))
  const staying = [...manifest.files.filter(one => !mine.includes(one)), ...failed]
  const unwritten = stray.filter((_, nth) => withdrawn[nth]?.problem)
  const needing = (one: Pick<Kept, 'scope' | 'file'>) => neededBy(one, staying, unwritten)
  const results = [
    ...tried.filter(({ kept }) => kept?.kind !== 'launcher' || needing(kept).length === 0),
    ...withdrawn,
    ...(unwritten.length > 0 ? [] : orphans(stray, manifest, place).map(change => ({ change }))),
  ]
  const changes = results.flatMap(({ change }) => (change && isChange(change) ? [change] : []))
  const launchers = manifest.files.filter(one => mine.includes(one) && one.kind === 'launcher')
  const needs = (data: string) =>
    neededBy({ scope: data === sharedData(place) ? 'managed' : 'user', file: data }, staying, unwritten)
  return {
    changes,
    problems: results.flatMap(one => ('problem' in one ? (one.problem ?? []) : [])),
    left: results.flatMap(one => ('left' in one ? (one.left ?? []) : [])),
    done: results.flatMap(one => ('kept' in one && one.kept && !one.problem ? [one.kept] : [])),
    copies: [...manifest.copies.filter(data => needs(data).length === 0), ...dataOfOrphans(changes, stray, manifest)],
    needing: [...new Set(launchers.flatMap(needing))],
    unrecorded: stray.map(({ file }) => file),
    passed,
  }
}

/** The folders of programs that only a hook names. The word in `~/.local/bin` goes with them, and lies in no such folder. */
const dataOfOrphans = (
  changes: readonly Change[],
  stray: readonly Unrecorded[],
  { files }: Manifest,
): readonly string[] =>
  changes.flatMap(({ file, kind }) => {
    const data = join(file, '..', '..')
    const isNamed = stray.some(({ programs }) => programs.includes(file))
    const isOrphan = kind === 'launcher' && isNamed && !files.some(one => one.file === file)
    return isOrphan && file === launcherIn(data) ? [data] : []
  })

/** What starts the person's program, where no hook that stays needs it: a project's `init` may have brought it. */
function idle(all: readonly Kept[], going: readonly Kept[]): readonly Kept[] {
  const staying = all.filter(one => !going.includes(one))
  if (going.length === 0) return []
  return staying.filter(
    one => one.kind === 'launcher' && one.scope === 'user' && neededBy(one, staying, []).length === 0,
  )
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
    if (found.bytes.equals(bytesOf(kept.wrote)) || isWhollyOurs(kept)) {
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

function takenOut({ client, scope, file }: Unrecorded): Result {
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
export function undo({ changes, done, copies, passed }: Undo, place: Place): void {
  const manifest = readManifest(place.state)
  // who calls meanwhile finds the program as long as a line names it
  applyChanges([...changes.filter(one => one.kind !== 'launcher'), ...changes.filter(one => one.kind === 'launcher')])
  sweepLeft(manifest, place.state)
  for (const data of copies) removeCopies(data)
  const made = new Set([...done.flatMap(one => one.folders), ...(manifest.folders ?? [])])
  for (const folder of [...made].sort((a, b) => b.length - a.length)) rmdirIfEmpty(folder)
  const files = manifest.files.filter(one => !done.some(({ file }) => file === one.file))
  const rest = {
    ...manifest,
    // what is a part of a project goes with the project's hook
    files: files.map(one =>
      passed.some(({ file }) => file === one.file) ? { ...one, scope: 'project' as const } : one,
    ),
    copies: manifest.copies.filter(data => !copies.includes(data)),
  }
  const { folders: _, ...plain } = rest
  const folders = [...made].filter(folder => existsSync(folder))
  writeManifest(place.state, folders.length > 0 ? { ...plain, folders } : plain)
}

function removeCopies(data: string): void {
  if (!existsSync(data)) return
  rmSync(join(data, 'current'), { force: true })
  // of the store: which state folders hold a trail
  rmSync(join(data, 'audit-begun'), { force: true })
  for (const name of copiesIn(data)) rmSync(join(data, name), { recursive: true, force: true })
  sweepDrafts(data)
  rmdirIfEmpty(join(launcherIn(data), '..'))
  rmdirIfEmpty(data)
}
