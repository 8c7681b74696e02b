import { ALL_PROJECTS } from './store/count-batch.ts'

/** A project and its subfolders, which can be projects of their own. Undefined: all projects. */
export type ProjectScope = string | undefined

interface SqlClause {
  readonly sql: string
  readonly values: readonly string[]
}

const rangeBelow = (project: string): readonly [string, string] => {
  const folder = project.endsWith('/') ? project : `${project}/`
  // `0` is the character after `/`.
  return [folder, `${folder.slice(0, -1)}0`]
}

export const scopeClause = (project: ProjectScope): SqlClause =>
  project === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND (project = ? OR project >= ? AND project < ?)', values: [project, ...rangeBelow(project)] }

/** For table `sums`, which has a row for all projects together. */
export const sumsScopeClause = (project: ProjectScope): SqlClause =>
  project === undefined ? { sql: ' AND project = ?', values: [ALL_PROJECTS] } : scopeClause(project)

export const subprojectClause = (project: string): SqlClause => ({
  sql: 'project >= ? AND project < ?',
  values: rangeBelow(project),
})
