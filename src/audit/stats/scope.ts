import { ALL_PROJECTS } from './store/count-batch.ts'

/** Where it happened: in this project or below it, where parts of it may be projects of their own. Undefined: wherever it was. */
export type ProjectScope = string | undefined

interface SqlClause {
  readonly sql: string
  readonly values: readonly string[]
}

const rangeBelow = (project: string): readonly [string, string] => {
  const folder = project.endsWith('/') ? project : `${project}/`
  // the sign that follows a slash
  return [folder, `${folder.slice(0, -1)}0`]
}

export const scopeClause = (project: ProjectScope): SqlClause =>
  project === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND (project = ? OR project >= ? AND project < ?)', values: [project, ...rangeBelow(project)] }

/** In `sums`, which has a row for all of them. */
export const sumsScopeClause = (project: ProjectScope): SqlClause =>
  project === undefined ? { sql: ' AND project = ?', values: [ALL_PROJECTS] } : scopeClause(project)

export const subprojectClause = (project: string): SqlClause => ({
  sql: 'project >= ? AND project < ?',
  values: rangeBelow(project),
})
