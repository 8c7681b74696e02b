import { join } from 'node:path'
import { type Client, clients } from '../clients/index.ts'
import type { Scope } from '../clients/registers.ts'
import { isObject } from '../pattern/index.ts'
import type { Change } from './change.ts'
import { lookAt } from './file.ts'
import { launcherIn } from './hook-call.ts'
import { LAUNCHER_MARK } from './launcher.ts'
import { keptFor, type Manifest } from './manifest.ts'
import { programIn } from './ours.ts'
import type { Place } from './place.ts'
import { type Registration, registrationsIn } from './registrations.ts'
import { wordFile, wordText } from './word.ts'

/** Hooks of ours that no manifest knows: registered by hand, by somebody else, or while what is stored was kept elsewhere. */
export interface Unrecorded {
  readonly client: Client
  readonly scope: Scope
  readonly file: string
  /** what starts them */
  readonly programs: readonly string[]
}

export function unrecorded(place: Place, manifest: Manifest, scopes: readonly Scope[]): readonly Unrecorded[] {
  return clients.flatMap(client =>
    scopes.flatMap(scope => {
      const found = registrationsIn(client, scope, place)
      const ours = found?.hooks.filter(one => one.isOurs) ?? []
      if (!found || ours.length === 0 || keptFor(found.file, manifest)) return []
      return [{ client, scope, file: found.file, programs: [...new Set(ours.flatMap(programOf))] }]
    }),
  )
}

function programOf({ handler, command }: Registration): readonly string[] {
  const named = isObject(handler) && Array.isArray(handler.command) ? String(handler.command[0]) : programIn(command)
  return named === undefined ? [] : [named]
}

/** The launchers that only those hooks named, as `init` writes them, and the word for each. They go with the hooks. */
export function orphans(stray: readonly Unrecorded[], manifest: Manifest, place: Place): readonly Change[] {
  return stray
    .flatMap(({ programs, scope }) => programs.map(file => ({ file, scope })))
    .filter(({ file }, at, all) => all.findIndex(one => one.file === file) === at && !keptFor(file, manifest))
    .flatMap(({ file, scope }) => {
      const data = join(file, '..', '..')
      const launcher = file === launcherIn(data) ? gone(file, scope, text => text.includes(LAUNCHER_MARK)) : []
      const word = gone(wordFile(place), scope, text => text === wordText({ data }))
      return launcher.length > 0 ? [...launcher, ...word] : []
    })
}

function gone(file: string, scope: Scope, isOurs: (text: string) => boolean): readonly Change[] {
  try {
    const { real, bytes } = lookAt(file)
    if (!bytes || !isOurs(bytes.toString('utf8'))) return []
    return [{ file, real, before: bytes, after: null, scope, kind: 'launcher', what: 'goes, nothing else names it' }]
  } catch {
    return []
  }
}
