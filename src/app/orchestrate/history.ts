import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { ensurePrivateFolder } from '../../policy/index.ts'
import { shortenLine } from './backends/step-text.ts'
import type { TaskReport } from './task.ts'

const MAX_BYTES = 4 << 20
const MAX_RESULT = 2000

const historyFileIn = (state: string): string => join(state, 'orchestrator.jsonl')

/** Appends one line per task. Returns false if it could not be written. */
export function appendHistory(state: string, report: TaskReport): boolean {
  const file = historyFileIn(state)
  const line = JSON.stringify({ ...report, result: report.result.slice(0, MAX_RESULT) })
  try {
    ensurePrivateFolder(state)
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_BYTES) renameSync(file, `${file}.1`)
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** Oldest first. */
export function readHistory(state: string): readonly TaskReport[] {
  const texts = [`${historyFileIn(state)}.1`, historyFileIn(state)].map(file =>
    existsSync(file) ? readFileSync(file, 'utf8') : '',
  )
  return texts
    .join('')
    .split('\n')
    .filter(Boolean)
    .flatMap(line => parseReport(line) ?? [])
}

function parseReport(line: string): TaskReport | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && isTaskReport(value) ? (value as unknown as TaskReport) : undefined
  } catch {
    return undefined
  }
}

const isTaskReport = ({ id, at, task, ms, files, spent }: JsonObject): boolean =>
  typeof id === 'string' &&
  typeof at === 'number' &&
  typeof task === 'string' &&
  typeof ms === 'number' &&
  Array.isArray(files) &&
  (spent === undefined || (isObject(spent) && Object.values(spent).every(value => typeof value === 'number')))

/** Appends to the policy's own log file. Does nothing if the grandparent folder is missing: an agent's home is not created for a log. */
export function appendToLog(log: string, home: string, report: TaskReport): boolean {
  const file = log.replace(/^~(?=\/)/, home)
  try {
    if (!existsSync(dirname(dirname(file)))) return true
    ensurePrivateFolder(dirname(file))
    appendFileSync(file, `${new Date(report.at).toISOString()} ${historyLine(report)}\n`, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** `3f2a9c01 done claude agent 12.3 s 2 files $0.0100 | add a login | it failed because` */
export function historyLine({ id, outcome, backend, mode, ms, files, spent, task, trouble }: TaskReport): string {
  const cost = spent?.costUsd === undefined ? '' : `$${spent.costUsd.toFixed(4)}`
  const tokens = spent ? `${spent.input + spent.output} tokens` : ''
  const facts = [id, outcome, backend, mode, `${(ms / 1000).toFixed(1)} s`, countFiles(files.length), tokens, cost]
  return escapeControlChars(
    [facts.filter(Boolean).join(' '), shortenLine(task), trouble && shortenLine(trouble)].filter(Boolean).join(' | '),
  )
}

export const countFiles = (files: number): string => `${files} file${files === 1 ? '' : 's'}`
