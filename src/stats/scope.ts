import { ALL } from './page.ts'

/** Where it happened: in this project or below it, where parts of it may be projects of their own. Undefined: wherever it was. */
export type Scope = string | undefined

interface Clause {
  readonly sql: string
  readonly values: readonly string[]
}

const below = (project: string): readonly [string, string] => {
  const folder = project.endsWith('/') ? project : `${project}/`
  // the sign that follows a slash
  return [folder, `${folder.slice(0, -1)}0`]
}

export const inScope = (project: Scope): Clause =>
  project === undefined
    ? { sql: '', values: [] }
    : { sql: ' AND (project = ? OR project >= ? AND project < ?)', values: [project, ...below(project)] }

/** In `sums`, which has a row for all of them. */
export const inSumsScope = (project: Scope): Clause =>
  project === undefined ? { sql: ' AND project = ?', values: [ALL] } : inScope(project)

export const isBelow = (project: string): Clause => ({ sql: 'project >= ? AND project < ?', values: below(project) })
