import { existsSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Capabilities, Event } from '../../engine/index.ts'
import { hasUserGates, type Policy, writeFileAtomically } from '../../policy/index.ts'

/**
 * A file with how an agent gets stuck in a policy, by policy hash, once a proof has found it. Files work for one-shot processes and the
 * daemon alike. A second file, `.new`, exists until the alarm is shown; the process that shows it deletes that file.
 */
const fileFor = (state: string, hash: string): string => join(state, 'alarms', hash.replace(/[^\w-]/g, ''))
const untoldFor = (state: string, hash: string): string => `${fileFor(state, hash)}.new`

const MOST = 64

/** `isTold`: a person is reading it now. If the write fails nothing is lost: `signalbox check` reports the problem again. */
export function raiseAlarm(state: string, hash: string, text: string, { isTold = false } = {}): void {
  const isNew = !existsSync(fileFor(state, hash))
  if (isTold) take(state, hash)
  if (!writeFileAtomically(fileFor(state, hash), text)) return
  if (isNew && !isTold) writeFileAtomically(untoldFor(state, hash), '')
  if (isNew) forgetOldest(join(state, 'alarms'))
}

export function endAlarm(state: string, hash: string): void {
  take(state, hash)
  rmSync(fileFor(state, hash), { force: true })
}

export interface NoticeContext {
  readonly state: string
  readonly kind: Event['kind'] | undefined
  readonly capabilities: Capabilities
}

/** Notices to show with this event: `notices` at the start of a session, `person` and `agent` once during the work. */
export interface EventNotices {
  readonly notices: readonly string[]
  readonly person: readonly string[]
  readonly agent: readonly string[]
}

const NOTHING: EventNotices = { notices: [], person: [], agent: [] }

export function pendingAlarm(program: Policy, { state, kind, capabilities }: NoticeContext): EventNotices {
  if (!kind || !hasUserGates(program)) return NOTHING
  const { hash } = program
  if (kind === 'session.start') {
    const text = existsSync(fileFor(state, hash)) ? textIn(fileFor(state, hash)) : undefined
    if (text === undefined) return NOTHING
    take(state, hash)
    return { ...NOTHING, notices: [text] }
  }
  const hears = noticeAudience(kind, capabilities)
  if (!hears || !existsSync(untoldFor(state, hash))) return NOTHING
  const text = textIn(fileFor(state, hash))
  // another process may show it at the same moment
  return text !== undefined && take(state, hash) ? { ...NOTHING, [hears]: [text] } : NOTHING
}

/** The person, if the client ever shows messages. Otherwise the agent, which can pass the notice on. */
export function noticeAudience(kind: Event['kind'], { events }: Capabilities): 'person' | 'agent' | undefined {
  if (events[kind]?.message) return 'person'
  const isMute = !Object.values(events).some(one => one?.message)
  return isMute && events[kind]?.context ? 'agent' : undefined
}

function textIn(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** True for the one process that deleted the `.new` file. */
function take(state: string, hash: string): boolean {
  try {
    unlinkSync(untoldFor(state, hash))
    return true
  } catch {
    return false
  }
}

function forgetOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map(name => join(folder, name))
    if (files.length <= MOST) return
    const aged = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
    for (const { file } of aged.slice(MOST)) rmSync(file, { force: true })
  } catch {
    // another process may remove files at the same time
  }
}
