import { join } from 'node:path'
import { isObject } from '../lib/json.ts'
import type { LibsqlConstructor, SqlDriver, SqlRow } from './sqlite/driver.ts'
import { parseJsonOrUndefined } from './sqlite/driver.ts'
import { describeError } from './sqlite/errors.ts'
import { openReadOnlyConnection } from './sqlite/read-only-connection.ts'
import { schemaVersionOf } from './sqlite/schema.ts'

/** A file that a step left, as it was at the end of the step. */
export interface StoredArtifact {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** `stopped`: the run can be resumed. `waiting`: it waits for a person or a gate. */
export type WorkflowRunState = 'running' | 'waiting' | 'stopped' | 'failed' | 'done'

/** The progress of one entry of a workflow. */
export interface StoredStep {
  /** id of the step; `gate tests` or `person` for an entry between two steps */
  readonly id: string
  /** digest of the step's definition: a step with a changed definition is another step */
  readonly digest: string
  readonly state: WorkflowRunState
  readonly round: number
  readonly began: number
  readonly ended?: number
  /** digests of the artifacts before the step, by path; null: the file did not exist */
  readonly before: Readonly<Record<string, string | null>>
  readonly artifacts: readonly StoredArtifact[]
  /** files that the step changed */
  readonly files: readonly string[]
  readonly backend?: string
  readonly session?: string
  readonly why?: string
  /** why the previous round was not enough */
  readonly failure?: string
  /** only while the step's agent works: if its process is killed, this shows later what the agent changed outside of its `may` paths */
  readonly scope?: StoredScope
}

/** What a step may change, and the project's working tree outside of it before the agent began. */
export interface StoredScope {
  readonly may: readonly string[]
  readonly head: string
  /** modification time and size of each file that differs from the last commit, by path */
  readonly files: Readonly<Record<string, string>>
}

/** One run of a workflow, with everything needed to resume it in another process. */
export interface StoredRun {
  readonly id: string
  readonly workflow: string
  readonly root: string
  readonly request: string
  /** the request contained a secret and is not stored */
  readonly isHidden?: true
  readonly state: WorkflowRunState
  readonly why?: string
  readonly at: number
  readonly changed: number
  /** the process that runs the workflow */
  readonly pid: number
  readonly born: string
  /** ids of all entries of the workflow */
  readonly plan: readonly string[]
  /** artifacts before the first attempt at a step, by the step's digest; kept even if the step has to run again */
  readonly before?: Readonly<Record<string, StoredStep['before']>>
  readonly steps: readonly StoredStep[]
}

/** Runs inside a transaction. Replaces the run and its steps. */
export function writeWorkflowRun(driver: SqlDriver, { steps, ...run }: StoredRun): void {
  const { id, root, at, changed } = run
  driver
    .prepare('INSERT OR REPLACE INTO workflow_runs VALUES (?, ?, ?, ?, ?)')
    .run(id, root, at, changed, JSON.stringify(run))
  driver.prepare('DELETE FROM workflow_steps WHERE run = ?').run(id)
  const insert = driver.prepare('INSERT INTO workflow_steps VALUES (?, ?, ?)')
  for (const [nth, step] of steps.entries()) insert.run(id, nth, JSON.stringify(step))
}

/** Deletes runs that have not changed since `before`. */
export function deleteOldWorkflowRuns(driver: SqlDriver, before: number): void {
  driver.prepare('DELETE FROM workflow_steps WHERE run IN (SELECT id FROM workflow_runs WHERE changed < ?)').run(before)
  driver.prepare('DELETE FROM workflow_runs WHERE changed < ?').run(before)
}

/** The first schema version that has these tables. */
const MIN_SCHEMA_VERSION = 2

/** Reads workflow runs, latest last; with `root`, of one project only. Creates and changes nothing. */
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

/** A damaged run is left out. */
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
  [value.id, value.workflow, value.root, value.request, value.born].every(candidate => typeof candidate === 'string') &&
  [value.at, value.changed, value.pid].every(candidate => typeof candidate === 'number') &&
  RUN_STATES.includes(value.state) &&
  Array.isArray(value.plan)

const isStoredStep = (value: unknown): value is StoredStep =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.digest === 'string' &&
  [value.round, value.began].every(candidate => typeof candidate === 'number') &&
  RUN_STATES.includes(value.state) &&
  isObject(value.before) &&
  Array.isArray(value.artifacts) &&
  Array.isArray(value.files) &&
  (value.scope === undefined || isStoredScope(value.scope))

const isStoredScope = (value: unknown): value is StoredScope =>
  isObject(value) && Array.isArray(value.may) && typeof value.head === 'string' && isObject(value.files)
