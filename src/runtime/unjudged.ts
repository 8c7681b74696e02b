import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../clients/index.ts'
import { type Hearing, type Told, whoHears } from './alarm.ts'

/**
 * Calls that passed unjudged, and with which the client showed the person nothing: a line each, with the client's name. The last resort, here and in
 * the native hook, writes it too. The next event with a place for a message says how many there were.
 */
const fileIn = (state: string): string => join(state, 'unjudged')
const LONGEST = 65_536

/** Did the client have a place for the words? */
export const isSaid = ({ stdout }: Reply): boolean => stdout !== '' && stdout !== '{}'

/** Nothing that goes wrong here changes the answer. */
export function tellLater(state: string, client: string): void {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = openSync(fileIn(state), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const stat = fstatSync(file)
      if (stat.isFile() && stat.size < LONGEST) writeSync(file, `${client}\n`)
    } finally {
      closeSync(file)
    }
  } catch {
    // it is on stderr, and in the trail as soon as somebody can write that
  }
}

/** With this event, if somebody hears it. The list is gone then. */
export function withUnjudged(told: Told, { state, kind, capabilities }: Hearing): Told {
  const hears = kind && whoHears(kind, capabilities)
  return hears ? { ...told, [hears]: [...told[hears], ...takeUnjudged(state)] } : told
}

function takeUnjudged(state: string): readonly string[] {
  if (!existsSync(fileIn(state))) return []
  const mine = `${fileIn(state)}.${process.pid}`
  try {
    // another process may tell it at this moment
    renameSync(fileIn(state), mine)
    const names = readFileSync(mine, 'utf8').slice(0, LONGEST).split('\n').filter(Boolean)
    rmSync(mine, { force: true })
    return [...new Set(names)].map(name => lineFor(name.slice(0, 40), names.filter(one => one === name).length))
  } catch {
    return []
  }
}

const lineFor = (client: string, count: number): string =>
  `${count === 1 ? 'a call' : `${count} calls`} of ${client} passed without being judged; \`signalbox log --decision error\` shows why`
