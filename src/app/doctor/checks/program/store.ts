import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { storeOptions, unsafeFolderReason } from '../../../../hook/index.ts'
import { localTime } from '../../../../lib/local-time.ts'
import { findAuditLogProblem, inspectStore } from '../../../../store/index.ts'
import type { DoctorCheck, DoctorContext } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { isOnReadOnlyDisk } from '../../read/read-only-disk.ts'
import { findUnwritable, nearestExistingFolder } from '../../read/writable.ts'

/** Whether the store is writable, undamaged and private, and whether the clock is right. */
export const storeCheck: DoctorCheck = {
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
  look: one => findUnwritableStore(one) ?? [...findPublicFiles(one), ...findContentProblems(one)],
}

const JUDGED_BY_LAST = 'nothing is remembered or recorded; calls are judged by the state that was written last'
const NOT_JUDGED_BY_STATE =
  'nothing is remembered or recorded; only rules that need no memory are enforced, other calls are answered as `onError` says'

/** Checks the state folder, or the nearest existing folder above it. If it is not writable, the other checks are skipped. */
function findUnwritableStore({ folders, label }: DoctorContext): readonly DoctorFinding[] | undefined {
  const wrong = findUnwritable(folders.state)
  const stat = wrong === undefined ? undefined : tryStat(wrong)
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
                ? `has mode ${modeOf(stat)}${ownerText(stat)}`
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

const PRIVATE_MODES: Readonly<Record<string, number>> = {
  '': 0o700,
  'signalbox.db': 0o600,
  'signalbox.db-wal': 0o600,
  'signalbox.db-shm': 0o600,
  'audit-head': 0o600,
  'trust.json': 0o600,
  'run-key': 0o600,
}

function findPublicFiles({ folders, label }: DoctorContext): readonly DoctorFinding[] {
  return Object.entries(PRIVATE_MODES).flatMap(([name, mode]): readonly DoctorFinding[] => {
    const file = join(folders.state, name)
    const stat = tryStat(file)
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

/** The audit log is missing: the database, or the whole state folder, was removed. */
function findMissingAuditLog(folders: DoctorContext['folders']): { readonly problem: string } | undefined {
  if (existsSync(join(folders.state, 'signalbox.db'))) return undefined
  const problem = findAuditLogProblem(folders.state, storeOptions(folders).beginnings)
  return problem === undefined ? undefined : { problem }
}

/** One hour: tolerates a corrected clock and daylight saving. */
const MAX_CLOCK_LEAD_MS = 3_600_000

function findContentProblems({ folders, now, label }: DoctorContext): readonly DoctorFinding[] {
  const { state, file, why = '', flaws, asides, newest = 0 } = inspectStore(folders.state)
  const [flaw = findMissingAuditLog(folders)] = flaws
  const [aside] = asides
  const found: DoctorFinding[] = []
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
  if (newest > now + MAX_CLOCK_LEAD_MS)
    found.push({
      ...{ id: 'CLOCK-BEHIND', weight: 'problem', file },
      cost: 'sessions and bypasses end at the wrong time',
      saw: `its newest record is of ${localTime(newest)}, and now it is ${localTime(now)}`,
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

/** SQLite needs more space than it writes. */
const MIN_FREE_MB = 50

export const diskCheck: DoctorCheck = {
  ids: ['DISK-LOW', 'NETWORK-HOME'],
  about: 'the disk under the store',
  look({ folders, env }) {
    const there = nearestExistingFolder(folders.state)
    const found: DoctorFinding[] = []
    const free = freeMb(there)
    if (free !== undefined && free < MIN_FREE_MB)
      found.push({
        ...{ id: 'DISK-LOW', weight: 'problem', file: there },
        cost: 'when it is full, nothing is remembered or recorded; calls are judged by the state that was written last',
        saw: `${free} MB are left on this disk`,
        fix: 'make room, or move the state: export XDG_STATE_HOME=<folder>',
      })
    if (inspectStore(folders.state).isRemote)
      found.push({
        ...{ id: 'NETWORK-HOME', weight: 'note', file: there },
        cost: 'the home is on a network: a slower journal is used, locks may not hold, and each hook starts Node: there is no daemon',
        saw: 'is on a network or shared file system',
        fix: env.XDG_STATE_HOME ? 'point XDG_STATE_HOME to a local disk' : 'export XDG_STATE_HOME=/var/tmp/$USER-state',
      })
    return found
  },
}

const tryStat = (file: string): Stats | undefined => {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, '0')
const ownerText = ({ uid }: Stats): string => (uid === process.getuid?.() ? '' : ` and belongs to user ${uid}`)

function freeMb(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return Math.floor((bavail * bsize) / 1_000_000)
  } catch {
    return undefined
  }
}
