import { accessSync, constants, existsSync, type Stats, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { storeOptions, unsafeFolderReason } from '../../../../hook/index.ts'
import { statOrUndefined } from '../../../../lib/files.ts'
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
    'STORE-PERMISSIONS',
    'STORE-QUARANTINED',
    'AUDIT-BROKEN',
    'CLOCK-BEHIND',
  ],
  about: 'the database and the audit log',
  look: context => findUnwritableStore(context) ?? [...findPublicFiles(context), ...findContentProblems(context)],
}

const JUDGED_BY_LAST = 'nothing is stored or logged; calls are evaluated with the state that was written last'
const NOT_JUDGED_BY_STATE =
  'nothing is stored or logged; only rules that need no stored state are enforced, `onError` decides the other calls'

/** Checks the state folder, or the nearest existing folder above it. If it is not writable, the other checks are skipped. */
function findUnwritableStore({ folders, label }: DoctorContext): readonly DoctorFinding[] | undefined {
  const wrong = findUnwritable(folders.state)
  const stat = wrong === undefined ? undefined : statOrUndefined(wrong)
  if (wrong === undefined || !stat) return undefined
  return [
    {
      ...{ id: 'LOG-READONLY', severity: 'problem', file: wrong },
      effect: isReadable(join(folders.state, 'signalbox.db')) ? JUDGED_BY_LAST : NOT_JUDGED_BY_STATE,
      ...(isOnReadOnlyDisk(wrong)
        ? {
            found: 'is on a disk that is mounted read-only',
            fix: 'mount it writable, or set XDG_STATE_HOME to a folder on another disk (also for your agents)',
          }
        : {
            found:
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
    const stat = statOrUndefined(file)
    if (!stat || (stat.mode & 0o077) === 0) return []
    return [
      {
        ...{ id: 'STORE-PERMISSIONS', severity: 'problem', file, cause: 'open' },
        effect:
          name === '' && unsafeFolderReason(file) !== undefined
            ? 'every call is denied: other users of this machine could bypass gates there'
            : 'other users of this machine can read or change the audit log',
        found: `has mode ${modeOf(stat)}`,
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
  const { state, file, why = '', flaws, quarantined, newest = 0 } = inspectStore(folders.state)
  const [flaw = findMissingAuditLog(folders)] = flaws
  const [aside] = quarantined
  const findings: DoctorFinding[] = []
  if (state === 'damaged')
    findings.push({
      ...{ id: 'STORE-DAMAGED', severity: 'problem', file, found: why },
      effect: 'the next call moves it to quarantine: all sessions start again, and gates that start closed are closed',
      fix: `nothing to do: Signalbox repairs this itself; or mv ${label(file)} elsewhere`,
    })
  if (state === 'unusable')
    findings.push({
      ...{ id: 'STORE-UNUSABLE', severity: 'problem', file, found: why },
      effect: NOT_JUDGED_BY_STATE,
      fix: /newer/.test(why) ? 'signalbox init' : `look at ${label(file)}`,
    })
  if (flaw)
    findings.push({
      ...{ id: 'AUDIT-BROKEN', severity: 'problem', file },
      effect: 'records of the audit log were changed or removed: it is not reliable before that point',
      found: `${flaw.problem}${flaws.length > 1 ? `, and ${flaws.length - 1} more problems` : ''}`,
      fix: `keep a copy of ${label(dirname(file))}, and find out who wrote to it`,
    })
  if (newest > now + MAX_CLOCK_LEAD_MS)
    findings.push({
      ...{ id: 'CLOCK-BEHIND', severity: 'problem', file },
      effect: 'sessions and bypasses end at the wrong time',
      found: `its newest record is from ${localTime(newest)}, but the clock says ${localTime(now)}`,
      fix: 'correct the clock of this machine',
    })
  if (aside !== undefined)
    findings.push({
      ...{ id: 'STORE-QUARANTINED', severity: 'note', file: aside },
      effect: 'an older part of the audit log is in a damaged file',
      found: quarantined.length > 1 ? `and ${quarantined.length - 1} more` : 'was kept so that you can look at it',
      fix: `rm ${label(aside)}* when you no longer need it`,
    })
  return findings
}

/** SQLite needs more space than it writes. */
const MIN_FREE_MB = 50

export const diskCheck: DoctorCheck = {
  ids: ['DISK-LOW', 'NETWORK-HOME'],
  about: 'the disk of the database',
  look({ folders, env }) {
    const there = nearestExistingFolder(folders.state)
    const findings: DoctorFinding[] = []
    const free = freeMb(there)
    if (free !== undefined && free < MIN_FREE_MB)
      findings.push({
        ...{ id: 'DISK-LOW', severity: 'problem', file: there },
        effect:
          'when it is full, nothing is stored or logged; calls are evaluated with the state that was written last',
        found: `${free} MB are free on this disk`,
        fix: 'free some space, or move the state folder: export XDG_STATE_HOME=<folder>',
      })
    if (inspectStore(folders.state).isRemote)
      findings.push({
        ...{ id: 'NETWORK-HOME', severity: 'note', file: there },
        effect:
          'the home folder is on a network: hooks are slower (no daemon, slower database), and file locks may not work',
        found: 'is on a network or shared file system',
        fix: env.XDG_STATE_HOME
          ? 'set XDG_STATE_HOME to a folder on a local disk'
          : 'export XDG_STATE_HOME=/var/tmp/$USER-state',
      })
    return findings
  },
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
