import { statSync } from 'node:fs'
import { basename, isAbsolute } from 'node:path'
import type { ProjectSummary } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { HttpError, notFoundError } from '../server/http-error.ts'
import type { QueryParameters } from '../server/query.ts'

/** Known projects, latest first. */
export function listProjects(archive: DashboardRecords): readonly ProjectSummary[] {
  const found = new Map<string, { sessions: number; lastAt: number }>()
  for (const { root, seenAt } of archive.live()) {
    const own = found.get(root) ?? { sessions: 0, lastAt: 0 }
    found.set(root, { sessions: own.sessions + 1, lastAt: Math.max(own.lastAt, seenAt) })
  }
  return [...found]
    .map(([root, own]) => ({ root, name: basename(root) || root, ...own }))
    .sort((a, b) => b.lastAt - a.lastAt)
}

/** The requested project, else the one `signalbox ui` ran in, else the latest active one. An agent's call never switches the page. */
export function chooseProject(query: QueryParameters, archive: DashboardRecords, backend: DashboardBackend): string {
  const wanted = query.text('project')
  if (wanted !== undefined && !isAbsolute(wanted))
    throw new HttpError(400, '`project` must be the root folder of a project')
  if (wanted !== undefined && !isKnownProject(wanted, archive))
    throw notFoundError(
      `there is no project ${wanted}: no such folder, and nothing is recorded for it`,
      'choose another project',
    )
  return wanted ?? backend.startFolder ?? latestProject(archive, backend) ?? backend.folder
}

/** A folder that exists, or a recorded project whose folder is gone. */
const isKnownProject = (root: string, archive: DashboardRecords): boolean =>
  statSync(root, { throwIfNoEntry: false })?.isDirectory() === true ||
  archive.attempt(
    () => listProjects(archive).some(project => project.root === root),
    () => true,
  )

/** The dashboard's folder if agents work there, else the latest active project. If the audit log cannot be read, keeps the last answer. */
const latestProject = (archive: DashboardRecords, { folder }: DashboardBackend): string | undefined =>
  archive.attempt(
    () => {
      const [first, ...rest] = listProjects(archive)
      archive.lastRoot = rest.find(({ root }) => root === folder)?.root ?? first?.root
      return archive.lastRoot
    },
    () => archive.lastRoot,
  )
