import { basename, dirname } from 'node:path'
import type { Scope } from '../clients/registers.ts'
import type { Kept, Manifest } from './manifest.ts'

type Registered = Pick<Kept, 'scope' | 'file'>

/**
 * The files that go on calling what this script starts, or what lies in this folder: those of its scope, and a project's look for
 * the person's program.
 */
export function neededBy(
  { scope, file }: Registered,
  staying: readonly Kept[],
  unwritten: readonly Registered[],
): readonly string[] {
  const hooks = [...staying.filter(({ kind }) => kind === 'hooks' || kind === 'plugin'), ...unwritten]
  const isNeeding: Readonly<Record<Scope, (one: Registered) => boolean>> = {
    managed: one => one.scope === 'managed',
    user: one => one.scope !== 'managed',
    project: one => one.scope === 'project' && one.file.startsWith(`${projectOf(file)}/`),
  }
  const whose = scope === 'project' && basename(file) !== 'hook' ? 'user' : scope
  return hooks.filter(isNeeding[whose]).map(one => one.file)
}

/** `.signalbox/hook` lies in its project. */
const projectOf = (launcher: string): string => dirname(dirname(launcher))

/** What an `init` for the person wrote into a project that has a hook of its own: its policy, its agents, its words. */
export function ofProjects({ files }: Manifest): readonly Kept[] {
  const projects = files
    .filter(({ scope, kind, file }) => scope === 'project' && kind === 'launcher' && basename(file) === 'hook')
    .map(({ file }) => projectOf(file))
  return files.filter(
    ({ scope, kind, file }) =>
      scope === 'user' &&
      ['policy', 'agent', 'command', 'section'].includes(kind) &&
      projects.some(project => file.startsWith(`${project}/`)),
  )
}
