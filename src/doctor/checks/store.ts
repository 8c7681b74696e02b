import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { wallOf } from '../../pattern/index.ts'
import { storeOptions, unsafeFolderReason } from '../../runtime/index.ts'
import { examine, trailProblem } from '../../store/index.ts'
import type { Case, Check } from '../case.ts'
import { isOnReadOnlyDisk } from '../disk.ts'
import type { Finding } from '../finding.ts'
import { nearest, unwritable } from '../writable.ts'

/** What Signalbox remembers: can it be written, is it whole, is it private, on what disk, and is the clock right? */
export const store: Check = {
  ids: [
    'LOG-READONLY',
    'STORE-DAMAGED',
    'STORE-UNUSABLE',
    'STORE-OPEN',
    'STORE-SET-ASIDE',
    'AUDIT-BROKEN',
    'CLOCK-BEHIND',
  ],
  about: 'the store and the audit trail',
  look: one => readOnly(one) ?? [...open(one), ...content(one)],
}

const JUDGED_BY_LAST = 'nothing is remembered or recorded; calls are judged by the state that was written last'
const NOT_JUDGED_BY_STATE =
  'nothing is remembered or recorded; only rules that need no memory are enforced, other calls are answered as `onError` says'

/** The folder itself, or the nearest above it that is there: nothing else can be said then. */
function readOnly({ folders, label }: Case): readonly Finding[] | undefined {
  const wrong = unwritable(folders.state)
  const stat = wrong === undefined ? undefined : statOf(wrong)
  if (wrong === undefined || !stat) return undefined
  return [
    {
      ...{ id: 'LOG-READONLY', weight: 'problem', file: wrong },
      cost: isReadable(join(folders.state, 'signalbox.db')) ? JUDGED_BY_LAST : NOT_JUDGED_BY_STATE,
      ...(isOnReadOnlyDisk(wrong)
        ? {
            saw: 'is on a disk that is mounted to be read only',
            fix: 'mount it to be written, or set XDG_STATE_HOME to a folder on another disk, for your agents too',
          }
        : {
            saw:
              stat.isDirectory() || stat.isFile()
                ? `has mode ${modeOf(stat)}${owner(stat)}`
                : 'is neither a file nor a folder',
            fix:
              stat.uid === process.getuid?.()
                ? `chmod u+w ${label(wrong)}`
                : `chown it: it belongs to user ${stat.uid}`,
          }),
    },
  ]
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

const PRIVATE: Readonly<Record<string, number>> = {
  '': 0o700,
  'signalbox.db': 0o600,
  'signalbox.db-wal': 0o600,
  'signalbox.db-shm': 0o600,
  'audit-head': 0o600,
  'trust.json': 0o600,
  'run-key': 0o600,
}

function open({ folders, label }: Case): readonly Finding[] {
  return Object.entries(PRIVATE).flatMap(([name, mode]): readonly Finding[] => {
    const file = join(folders.state, name)
    const stat = statOf(file)
    if (!stat || (stat.mode & 0o077) === 0) return []
    return [
      {
        ...{ id: 'STORE-OPEN', weight: 'problem', file, cause: 'open' },
        cost:
          name === '' && unsafeFolderReason(file) !== undefined
            ? 'every call is refused: other users of this machine can lift gates there'
            : 'other users of this machine can read what agents did, or change it',
        saw: `has mode ${modeOf(stat)}`,
        fix: `chmod ${mode.toString(8)} ${label(file).replace(/\/$/, '')}`,
      },
    ]
  })
}

/** With the database, or with the whole folder. */
function missingTrail(folders: Case['folders']): { readonly problem: string } | undefined {
  if (existsSync(join(folders.state, 'signalbox.db'))) return undefined
  const problem = trailProblem(folders.state, storeOptions(folders).beginnings)
  return problem === undefined ? undefined : { problem }
}

/** An hour: a clock that is set right, and daylight that is saved. */
const AHEAD_MS = 3_600_000

function content({ folders, now, label }: Case): readonly Finding[] {
  const { state, file, why = '', flaws, asides, newest = 0 } = examine(folders.state)
  const [flaw = missingTrail(folders)] = flaws
  const [aside] = asides
  const found: Finding[] = []
  if (state === 'damaged')
    found.push({
      ...{ id: 'STORE-DAMAGED', weight: 'problem', file, saw: why },
      cost: 'at the next call it is set aside: sessions begin anew, closed gates are closed',
      fix: `nothing: it mends itself; or mv ${label(file)} elsewhere`,
    })
  if (state === 'unusable')
    found.push({
      ...{ id: 'STORE-UNUSABLE', weight: 'problem', file, saw: why },
      cost: NOT_JUDGED_BY_STATE,
      fix: /newer/.test(why) ? 'signalbox init' : `look at ${label(file)}`,
    })
  if (flaw)
    found.push({
      ...{ id: 'AUDIT-BROKEN', weight: 'problem', file },
      cost: 'somebody changed or cut the audit trail: it proves nothing before that',
      saw: `${flaw.problem}${flaws.length > 1 ? `, and ${flaws.length - 1} more flaws` : ''}`,
      fix: `keep a copy of ${label(dirname(file))}, and find out who wrote to it`,
    })
  if (newest > now + AHEAD_MS)
    found.push({
      ...{ id: 'CLOCK-BEHIND', weight: 'problem', file },
      cost: 'sessions and bypasses end at the wrong time',
      saw: `its newest record is of ${wallOf(newest)}, and now it is ${wallOf(now)}`,
      fix: 'set the clock of this machine',
    })
  if (aside !== undefined)
    found.push({
      ...{ id: 'STORE-SET-ASIDE', weight: 'note', file: aside },
      cost: 'an older part of the audit trail is in a file that was damaged',
      saw: asides.length > 1 ? `and ${asides.length - 1} more` : 'is kept for you to look at',
      fix: `rm ${label(aside)}*, when you have`,
    })
  return found
}

/** Little room: SQLite needs more than what it writes. */
const ROOM_MB = 50

export const disk: Check = {
  ids: ['DISK-LOW', 'NETWORK-HOME'],
  about: 'the disk under the store',
  look({ folders, env }) {
    const there = nearest(folders.state)
    const found: Finding[] = []
    const free = freeMb(there)
    if (free !== undefined && free < ROOM_MB)
      found.push({
        ...{ id: 'DISK-LOW', weight: 'problem', file: there },
        cost: 'when it is full, nothing is remembered or recorded; calls are judged by the state that was written last',
        saw: `${free} MB are left on this disk`,
        fix: 'make room, or move the state: export XDG_STATE_HOME=<folder>',
      })
    if (examine(folders.state).isRemote)
      found.push({
        ...{ id: 'NETWORK-HOME', weight: 'note', file: there },
        cost: 'the home is on a network: a slower journal is used, locks may not hold, and each hook starts Node: there is no daemon',
        saw: 'is on a network or shared file system',
        fix: env.XDG_STATE_HOME ? 'point XDG_STATE_HOME to a local disk' : 'export XDG_STATE_HOME=/var/tmp/$USER-state',
      })
    return found
  },
}

const statOf = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, '0')
const owner = ({ uid }: Stats): string => (uid === process.getuid?.() ? '' : ` and belongs to user ${uid}`)

function freeMb(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.floor((bavail * bsize) / 1_000_000)
  } catch {
    return undefined
  }
}
