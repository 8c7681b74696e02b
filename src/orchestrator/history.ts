import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject, type JsonObject, visible } from '../pattern/index.ts'
import { makeFolder } from '../policy/index.ts'
import { short } from './step.ts'
import type { Report } from './task.ts'

const MOST_BYTES = 4 << 20
const LONGEST_RESULT = 2000

const fileIn = (state: string): string => join(state, 'orchestrator.jsonl')

/** A line a task. False when it could not be written. */
export function remember(state: string, report: Report): boolean {
  const file = fileIn(state)
  const line = JSON.stringify({ ...report, result: report.result.slice(0, LONGEST_RESULT) })
  try {
    makeFolder(state)
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(file, `${file}.1`)
    appendFileSync(file, `${line}\n`, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** The latest last. */
export function recall(state: string): readonly Report[] {
  const texts = [`${fileIn(state)}.1`, fileIn(state)].map(file => (existsSync(file) ? readFileSync(file, 'utf8') : ''))
  return texts
    .join('')
    .split('\n')
    .filter(Boolean)
    .flatMap(line => read(line) ?? [])
}

function read(line: string): Report | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && isReport(value) ? (value as unknown as Report) : undefined
  } catch {
    return undefined
  }
}

const isReport = ({ id, at, task, ms, files, spent }: JsonObject): boolean =>
  typeof id === 'string' &&
  typeof at === 'number' &&
  typeof task === 'string' &&
  typeof ms === 'number' &&
  Array.isArray(files) &&
  (spent === undefined || (isObject(spent) && Object.values(spent).every(one => typeof one === 'number')))

/** Where the policy wants it told too. Only where the folder above is there: no agent's home is made for a log. */
export function tellLog(log: string, home: string, report: Report): boolean {
  const file = log.replace(/^~(?=\/)/, home)
  try {
    if (!existsSync(dirname(dirname(file)))) return true
    makeFolder(dirname(file))
    appendFileSync(file, `${new Date(report.at).toISOString()} ${lineOf(report)}\n`, { mode: 0o600 })
    return true
  } catch {
    return false
  }
}

/** `3f2a9c01 done claude agent 12.3 s 2 files $0.0100 | add a login | it failed because` */
export function lineOf({ id, outcome, backend, mode, ms, files, spent, task, trouble }: Report): string {
  const cost = spent?.costUsd === undefined ? '' : `$${spent.costUsd.toFixed(4)}`
  const tokens = spent ? `${spent.input + spent.output} tokens` : ''
  const facts = [id, outcome, backend, mode, `${(ms / 1000).toFixed(1)} s`, countOf(files.length), tokens, cost]
  return visible([facts.filter(Boolean).join(' '), short(task), trouble && short(trouble)].filter(Boolean).join(' | '))
}

export const countOf = (files: number): string => `${files} file${files === 1 ? '' : 's'}`
