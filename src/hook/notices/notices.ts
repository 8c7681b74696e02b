import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../clients/index.ts'
import type { Capabilities, Event } from '../../engine/index.ts'
import { readTextOrUndefined } from '../../lib/files.ts'
import { hasUserGates, type Policy, writeFileAtomically } from '../../policy/index.ts'

/** Below the state folder. It exists once a policy has had an alarm. */
export const ALARM_FOLDER = 'alarms'

/**
 * A file with how an agent gets stuck in a policy, by policy hash, once a proof has found it. Files work for one-shot processes and the
 * daemon alike. A second file, `.new`, exists until the alarm is shown; the process that shows it deletes that file.
 */
const fileFor = (state: string, hash: string): string => join(state, ALARM_FOLDER, hash.replace(/[^\w-]/g, ''))
const unshownFileFor = (state: string, hash: string): string => `${fileFor(state, hash)}.new`

const MOST_ALARMS = 64

/** `isShown`: a person is reading it now. If the write fails nothing is lost: `signalbox check` reports the problem again. */
export function raiseAlarm(state: string, hash: string, text: string, { isShown = false } = {}): void {
  const isNew = !existsSync(fileFor(state, hash))
  if (isShown) take(state, hash)
  if (!writeFileAtomically(fileFor(state, hash), text)) return
  if (isNew && !isShown) writeFileAtomically(unshownFileFor(state, hash), '')
  if (isNew) forgetOldest(join(state, ALARM_FOLDER))
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

export const NO_NOTICES: EventNotices = { notices: [], person: [], agent: [] }

export function takeAlarmNotices(program: Policy, { state, kind, capabilities }: NoticeContext): EventNotices {
  if (!kind || !hasUserGates(program)) return NO_NOTICES
  const { hash } = program
  if (kind === 'session.start') {
    const text = existsSync(fileFor(state, hash)) ? readTextOrUndefined(fileFor(state, hash)) : undefined
    if (text === undefined) return NO_NOTICES
    take(state, hash)
    return { ...NO_NOTICES, notices: [text] }
  }
  const audience = noticeAudience(kind, capabilities)
  if (!audience || !existsSync(unshownFileFor(state, hash))) return NO_NOTICES
  const text = readTextOrUndefined(fileFor(state, hash))
  // another process may show it at the same moment
  return text !== undefined && take(state, hash) ? { ...NO_NOTICES, [audience]: [text] } : NO_NOTICES
}

/** The person, if the client ever shows messages. Otherwise the agent, which can pass the notice on. */
export function noticeAudience(kind: Event['kind'], { events }: Capabilities): 'person' | 'agent' | undefined {
  if (events[kind]?.message) return 'person'
  const isMute = !Object.values(events).some(event => event?.message)
  return isMute && events[kind]?.context ? 'agent' : undefined
}

/** True for the one process that deleted the `.new` file. */
function take(state: string, hash: string): boolean {
  try {
    unlinkSync(unshownFileFor(state, hash))
    return true
  } catch {
    return false
  }
}

function forgetOldest(folder: string): void {
  try {
    const files = readdirSync(folder).map(name => join(folder, name))
    if (files.length <= MOST_ALARMS) return
    const aged = files.map(file => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => b.at - a.at)
    for (const { file } of aged.slice(MOST_ALARMS)) rmSync(file, { force: true })
  } catch {
    // another process may remove files at the same time
  }
}

/** Begin of the name of a client's file with that count, in the state folder. */
export const UNEVALUATED_PREFIX = 'unjudged-'

/**
 * Counts calls that passed without evaluation and without a message to the person: one byte per call, one file per client. The last resorts
 * write it too. The client's next event that can show a message reports the count.
 */
const fileOf = (state: string, client: string): string => join(state, UNEVALUATED_PREFIX + client)
const MOST_COUNTED = 65_536

/** Whether the client could show the message. */
export const hasMessage = ({ stdout }: Reply): boolean => stdout !== '' && stdout !== '{}'

/** A failure here does not change the reply. */
export function countUnevaluated(state: string, client: string): void {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = openSync(fileOf(state, client), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const stat = fstatSync(file)
      if (stat.isFile() && stat.size < MOST_COUNTED) writeSync(file, '.')
    } finally {
      closeSync(file)
    }
  } catch {
    // stderr has the reason, and the audit log gets it once it can be written
  }
}

/** Adds the count to the notices if this event has an audience, and resets it. */
export function withUnevaluatedNotice(
  notices: EventNotices,
  client: string,
  { state, kind, capabilities }: NoticeContext,
): EventNotices {
  const audience = kind && noticeAudience(kind, capabilities)
  return audience ? { ...notices, [audience]: [...notices[audience], ...takeUnjudged(state, client)] } : notices
}

function takeUnjudged(state: string, client: string): readonly string[] {
  const file = fileOf(state, client)
  if (!existsSync(file)) return []
  const mine = `${file}.${process.pid}`
  try {
    // another process may report it at the same moment
    renameSync(file, mine)
    const count = statSync(mine).size
    rmSync(mine, { force: true })
    return count === 0 ? [] : [lineFor(count)]
  } catch {
    return []
  }
}

const lineFor = (count: number): string =>
  `${count === 1 ? 'a call' : `${count} calls`} passed without being evaluated; \`signalbox log --decision error\` shows why`
