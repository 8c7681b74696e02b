import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { EventRecord, Gate, Transition } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import { type Policy, readRegularFile, writeFileAtomically } from '../../policy/index.ts'
import { type AuditRecord, createStoreRecord } from '../../store/index.ts'

/** Gates that a person lifted in their own terminal: for a limited time (`bypass`), or until they switch them on again (`off`). */
export interface Bypass {
  readonly id: string
  /** the project it applies to, with all folders below; absent: everywhere */
  readonly root?: string
  /** the only gate it lifts; absent: every gate that yields */
  readonly gate?: string
  readonly from: number
  /** absent: it is `off`, which has no end and is shown only when a session starts */
  readonly until?: number
  readonly reason: string
  /** no reminder at each call */
  readonly isQuiet?: true
}

export const OFF_BYPASS_ID = 'off'

/** Below the state folder. It exists once there has been a bypass. */
export const BYPASS_FOLDER = 'bypass'

const folderIn = (stateDir: string): string => join(stateDir, BYPASS_FOLDER)

/** All bypasses, oldest first. Invalid files are ignored. */
export function readBypasses(stateDir: string): readonly Bypass[] {
  const found = list(folderIn(stateDir)).flatMap(name => readOne(join(folderIn(stateDir), name), name) ?? [])
  return found.sort((a, b) => a.from - b.from)
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch {
    return []
  }
}

function readOne(file: string, name: string): Bypass | null {
  try {
    const value: unknown = JSON.parse(readRegularFile(file))
    return isBypass(value) && `${value.id}.json` === name ? value : null
  } catch {
    return null
  }
}

function isBypass(value: unknown): value is Bypass {
  if (!isObject(value)) return false
  const { id, root, gate, from, until, reason, isQuiet } = value
  const ends =
    typeof until === 'number' ? until - Number(from) <= MAX_BYPASS_MS : until === undefined && id === OFF_BYPASS_ID
  const named = [root, gate].every(candidate => candidate === undefined || typeof candidate === 'string')
  return (
    typeof id === 'string' &&
    typeof from === 'number' &&
    typeof reason === 'string' &&
    ends &&
    named &&
    isQuiet === undefined
  )
}

export const MAX_BYPASS_MS = 8 * 3_600_000

/** False if it could not be written. */
export const beginBypass = (stateDir: string, bypass: Bypass): boolean =>
  writeFileAtomically(join(folderIn(stateDir), `${bypass.id}.json`), `${JSON.stringify(bypass, null, 2)}\n`)

/** True for the one process that ended it, which writes the audit record. */
export function endBypass(stateDir: string, { id }: Bypass): boolean {
  try {
    unlinkSync(join(folderIn(stateDir), `${id}.json`))
    return true
  } catch {
    return false
  }
}

/** A bypass that starts in the future counts as over: otherwise a forged start could extend it beyond `MAX_BYPASS_MS`. */
export const isBypassOver = ({ from, until = Infinity }: Bypass, now: number): boolean =>
  until <= now || from > now + 60_000

export const bypassAppliesIn = ({ root }: Bypass, project: string): boolean =>
  root === undefined || project === root || project.startsWith(root === '/' ? root : `${root}/`)

/** Whether the bypass lifts this gate. Gates that do not yield stay in force. */
export const bypassLiftsGate = (
  { gate }: Bypass,
  { name, id, yields }: Pick<Gate, 'name' | 'id' | 'yields'>,
): boolean => yields && (gate === undefined || gate === name || gate === id)

export const isSwitchedOff = (bypasses: readonly Bypass[]): boolean => bypasses.some(({ id }) => id === OFF_BYPASS_ID)

/** The policy with bypasses applied. A lifted gate still follows its transitions, so that its state is right when the bypass ends. */
export function applyBypasses(program: Policy, bypasses: readonly Bypass[]): Policy {
  const isSilent = isSwitchedOff(bypasses)
  const gates = program.gates.map(gate => {
    const own = bypasses.filter(bypass => bypassLiftsGate(bypass, gate))
    if (own.length === 0) return gate
    const { bypass: _, ...rest } = gate
    const open = { ...rest, onError: 'open' as const }
    return isSilent
      ? { ...open, bypass: { when: ALWAYS, message: '' }, transitions: gate.transitions.map(inSilence) }
      : { ...open, bypass: { when: ALWAYS, ...(own.every(({ isQuiet }) => isQuiet) && { message: '' }) } }
  })
  return isSilent ? { ...program, gates, hooks: [], notices: [] } : { ...program, gates }
}

const ALWAYS = { all: [] }

const inSilence = ({ message: _, context: __, ...transition }: Transition): Transition => transition

/** What the person is shown: an active bypass in every reply, `off` only at the start of a session. */
export function bypassReminders(bypasses: readonly Bypass[], isStart: boolean, zone?: string): readonly string[] {
  return bypasses.flatMap(({ gate, from, until, reason }) => {
    const why = reason && `: ${reason}`
    if (until === undefined) return isStart ? [`switched off since ${clockTime(from, zone)}${why}`] : []
    return [`${gate ? `gate "${gate}" is` : 'gates are'} bypassed until ${clockTime(until, zone)}${why}`]
  })
}

/** `14:20`, in the person's own time zone: the daemon may have been started in another. */
const clockTime = (at: number, zone: string | undefined): string => {
  const date = new Date(at)
  if (zone === undefined || zone === process.env.TZ) return timeOf(date.getHours(), date.getMinutes())
  try {
    const there = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone.replace(/^:/, ''),
    })
    return there.format(date)
  } catch {
    return timeOf(date.getHours(), date.getMinutes())
  }
}

const timeOf = (...parts: readonly number[]): string => parts.map(part => String(part).padStart(2, '0')).join(':')

/** Audit notes: the bypasses that let an event past a gate. */
export const bypassNotes = ({ matches }: EventRecord, bypasses: readonly Bypass[]): readonly string[] =>
  matches.some(match => match.bypassed) ? bypasses.map(({ id, reason }) => `bypassed: ${id} ${reason}`) : []

export const bypassEndRecord = ({ id, reason }: Bypass, now: number): AuditRecord =>
  createStoreRecord('bypass.end', now, `${id} ended: its time was up (${reason})`)
