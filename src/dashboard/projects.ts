import { statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { ProjectSeen } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk } from './desk.ts'
import type { Query } from './query.ts'
import { notFound, Refusal } from './refusal.ts'

/** Projects that are known, the latest first. */
export function projectsOf(archive: Archive): readonly ProjectSeen[] {
  const found = new Map<string, { sessions: number; lastAt: number }>()
  for (const { root, seenAt } of archive.live()) {
    const own = found.get(root) ?? { sessions: 0, lastAt: 0 }
    found.set(root, { sessions: own.sessions + 1, lastAt: Math.max(own.lastAt, seenAt) })
  }
  return [...found]
    .map(([root, own]) => ({ root, name: basename(root) || root, ...own }))
    .sort((a, b) => b.lastAt - a.lastAt)
}

/** The one that is asked about, else where `signalbox ui` was said, else the one that was heard of last: no call of an agent changes a page. */
export function projectIn(query: Query, archive: Archive, desk: Desk): string {
  const asked = query.text('project')
  if (asked !== undefined && !isAbsolute(asked)) throw new Refusal(400, '`project` is the root folder of one')
  if (asked !== undefined && !isKnown(asked, archive))
    throw notFound(`there is no project ${asked}: no such folder, and nothing on record`, 'look at another project')
  return asked ?? desk.saidIn ?? heardOf(archive, desk) ?? desk.folder
}

/** A folder, or one that was when agents worked there. */
const isKnown = (root: string, archive: Archive): boolean =>
  statSync(root, { throwIfNoEntry: false })?.isDirectory() === true ||
  archive.attempt(
    () => projectsOf(archive).some(one => one.root === root),
    () => true,
  )

/** Where it was said, where agents work there; else where one did last. A trail that cannot be read hides no policy, and changes no page to that of another project. */
const heardOf = (archive: Archive, { folder }: Desk): string | undefined =>
  archive.attempt(
    () => {
      const [first, ...rest] = projectsOf(archive)
      archive.lastRoot = rest.find(({ root }) => root === folder)?.root ?? first?.root
      return archive.lastRoot
    },
    () => archive.lastRoot,
  )
