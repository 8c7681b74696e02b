import { join } from 'node:path'
import { isObject } from '../lib/json.ts'
import type { LibsqlConstructor, SqlDriver, SqlRow } from './sqlite/driver.ts'
import { describeError } from './sqlite/errors.ts'
import { openReadOnlyConnection } from './sqlite/read-only-connection.ts'
import { schemaVersionOf } from './sqlite/schema.ts'
import { parseJsonOrUndefined } from './sqlite/validate-row.ts'

/** A file that a step has left, as it was then. */
export interface StoredArtifact {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** `stopped`: it can go on where it is; `waiting`: for a person or a gate. */
export type WorkflowRunState = 'running' | 'waiting' | 'stopped' | 'failed' | 'done'

/** One entry of a workflow's list, as far as it came. */
export interface StoredStep {
  /** of the step; `gate tests` or `person` between two of them */
  readonly id: string
  /** of its definition: a step that says something else now is another one */
  readonly digest: string
  readonly state: WorkflowRunState
  readonly round: number
  readonly began: number
  readonly ended?: number
  /** artifacts as they were before the step, by path; null: not there */
  readonly before: Readonly<Record<string, string | null>>
  readonly artifacts: readonly StoredArtifact[]
  /** files it has changed */
  readonly files: readonly string[]
  readonly backend?: string
  readonly session?: string
  readonly why?: string
  /** why the round before was not enough */
  readonly failure?: string
}

/** One run of a workflow: enough to go on with it in another process. */
export interface StoredRun {
  readonly id: string
  readonly workflow: string
  readonly root: string
  readonly request: string
  /** something secret was in the request, and is not kept */
  readonly isHidden?: true
  readonly state: WorkflowRunState
  readonly why?: string
  readonly at: number
  readonly changed: number
  /** the process that runs it */
  readonly pid: number
  readonly born: string
  /** ids of all entries of the list */
  readonly plan: readonly string[]
  /** by the digest of a step: artifacts as they were before the first attempt at it, also where it has to run again */
  readonly before?: Readonly<Record<string, StoredStep['before']>>
  readonly steps: readonly StoredStep[]
}

/** Inside a transaction: the run and its steps as they are now. */
export function writeWorkflowRun(driver: SqlDriver, { steps, ...run }: StoredRun): void {
  const { id, root, at, changed } = run
  driver
    .prepare('INSERT OR REPLACE INTO workflow_runs VALUES (?, ?, ?, ?, ?)')
    .run(id, root, at, changed, JSON.stringify(run))
  driver.prepare('DELETE FROM workflow_steps WHERE run = ?').run(id)
  const insert = driver.prepare('INSERT INTO workflow_steps VALUES (?, ?, ?)')
  for (const [nth, step] of steps.entries()) insert.run(id, nth, JSON.stringify(step))
}

/** Those that nothing has happened to for so long. */
export function deleteOldWorkflowRuns(driver: SqlDriver, before: number): void {
  driver.prepare('DELETE FROM workflow_steps WHERE run IN (SELECT id FROM workflow_runs WHERE changed < ?)').run(before)
  driver.prepare('DELETE FROM workflow_runs WHERE changed < ?').run(before)
}

/** The schema that has these tables. */
const MIN_SCHEMA_VERSION = 2

/** The latest last; `root`: of one project only. Nothing is made or changed by it. */
export function readWorkflowRuns(
  state: string,
  { root, most = 100 }: { readonly root?: string | undefined; readonly most?: number } = {},
  libsql?: () => LibsqlConstructor,
): readonly StoredRun[] {
  const file = join(state, 'signalbox.db')
  const driver = openReadOnlyConnection(file, libsql)?.driver
  if (!driver) return []
  try {
    if (schemaVersionOf(driver) < MIN_SCHEMA_VERSION) return []
    const where = root === undefined ? '' : 'WHERE root = ?'
    const sql = `SELECT id, json FROM workflow_runs ${where} ORDER BY at DESC, id LIMIT ?`
    const rows = driver.prepare(sql).all(...(root === undefined ? [most] : [root, most]))
    return rows.flatMap(row => parseWorkflowRun(driver, row)).reverse()
  } catch (error) {
    throw describeError(error, file)
  } finally {
    driver.close()
  }
}

/** One that is damaged is none. */
function parseWorkflowRun(driver: SqlDriver, { id, json }: SqlRow): readonly StoredRun[] {
  const run = parseJsonOrUndefined(json)
  const rows = driver.prepare('SELECT json FROM workflow_steps WHERE run = ? ORDER BY nth').all(String(id))
  const steps = rows.map(row => parseJsonOrUndefined(row.json))
  return isStoredRun(run) && steps.every(isStoredStep) ? [{ ...run, steps }] : []
}

const RUN_STATES: readonly unknown[] = [
  'running',
  'waiting',
  'stopped',
  'failed',
  'done',
] satisfies readonly WorkflowRunState[]

const isStoredRun = (value: unknown): value is Omit<StoredRun, 'steps'> =>
  isObject(value) &&
  [value.id, value.workflow, value.root, value.request, value.born].every(one => typeof one === 'string') &&
  [value.at, value.changed, value.pid].every(one => typeof one === 'number') &&
  RUN_STATES.includes(value.state) &&
  Array.isArray(value.plan)

const isStoredStep = (value: unknown): value is StoredStep =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.digest === 'string' &&
  [value.round, value.began].every(one => typeof one === 'number') &&
  RUN_STATES.includes(value.state) &&
  isObject(value.before) &&
  Array.isArray(value.artifacts) &&
  Array.isArray(value.files)
