import { existsSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Capabilities, Event } from '../../engine/index.ts'
import { hasUserGates, type Policy, writeFileAtomically } from '../../policy/index.ts'

/**
 * How an agent gets stuck in a policy, by its hash, once a proof has shown it. A file, so that a process for each event and one
 * that stays tell the same; and one more until somebody was told, which whoever tells takes away.
 */
const fileFor = (state: string, hash: string): string => join(state, 'alarms', hash.replace(/[^\w-]/g, ''))
const untoldFor = (state: string, hash: string): string => `${fileFor(state, hash)}.new`

const MOST = 64

/** `isTold`: a person reads it just now. Nothing is lost when it cannot be written: `signalbox check` tells it again. */
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

/** What there is to tell with this event: as every notice when a session begins, and once to whoever is at work. */
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
  // another process may tell it at this moment
  return text !== undefined && take(state, hash) ? { ...NOTHING, [hears]: [text] } : NOTHING
}

/** The person, where a client ever shows them something; else the agent, which can say it. */
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

/** True for the one process that took it. */
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
    // somebody else tidies up too
  }
}
