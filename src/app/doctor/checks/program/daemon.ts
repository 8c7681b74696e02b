import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isDaemonOff, runFolderOf } from '../../../../hook/daemon/index.ts'
import { tryOr } from '../../../../lib/errors.ts'
import { listFolder } from '../../../../lib/files.ts'
import { localTime } from '../../../../lib/local-time.ts'
import { journalModeFor } from '../../../../store/index.ts'
import type { DoctorCheck, DoctorContext } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { findInstalledProgram, lastStartFailure } from '../../installation.ts'
import { isFileWritable } from '../../read/writable.ts'

const ONE_SHOT_COST = 'each hook call starts Node: about 50 ms slower, with the same result'

/** The native hook that agents start: it must be from the installed program, and be used if it exists. */
export const nativeHookCheck: DoctorCheck = {
  ids: ['NATIVE-MISMATCH', 'NATIVE-UNUSED'],
  about: 'the native hook',
  look({ folders }) {
    const installed = findInstalledProgram(folders)
    if (!installed) return []
    const { file, isNative, usableNativeHook, why } = installed
    if (!isNative)
      return usableNativeHook
        ? [
            {
              id: 'NATIVE-UNUSED',
              severity: 'note',
              file,
              effect: ONE_SHOT_COST,
              found: 'is the shell script, not the native program',
              fix: 'signalbox init',
            },
          ]
        : []
    if (usableNativeHook && readFileSync(file).equals(readFileSync(usableNativeHook))) return []
    return [
      {
        ...{ id: 'NATIVE-MISMATCH', severity: 'problem', file, fix: 'signalbox init' },
        effect: 'the native hook and the program come from two different builds and may not work together',
        found: usableNativeHook ? `is not ${usableNativeHook}` : `is native, and ${why}`,
      },
    ]
  },
}

/** The daemon, if it is wanted. */
export const daemonCheck: DoctorCheck = {
  ids: ['DAEMON-OFF', 'RUN-FOLDER', 'DAEMON-FAILED'],
  about: 'the daemon',
  look(context) {
    const { folders, env } = context
    if (!findInstalledProgram(folders)?.isNative) return []
    if (isDaemonOff(env)) {
      const found = 'SIGNALBOX_DAEMON is set to off'
      return [{ id: 'DAEMON-OFF', severity: 'note', effect: ONE_SHOT_COST, found, fix: 'unset SIGNALBOX_DAEMON' }]
    }
    const shut = findRunFolderProblem(context)
    if (shut) return [shut]
    const failed = lastStartFailure(folders.state)
    // another check reports a network home
    if (!failed || journalModeFor(folders.state) === 'delete') return []
    return [
      {
        ...{
          id: 'DAEMON-FAILED',
          severity: 'problem',
          file: join(runFolderOf(folders.state), 'log'),
          effect: ONE_SHOT_COST,
        },
        found: `could not start at ${localTime(failed.at)}: ${failed.why}`,
        fix: 'fix that; then signalbox daemon start',
      },
    ]
  },
}

/** Neither the native hook nor the daemon uses a folder that others could write to. */
function findRunFolderProblem({ folders: { state }, label }: DoctorContext): DoctorFinding | undefined {
  const file = runFolderOf(state)
  const stat = tryLstat(file)
  const finding = (found: string, fix: string): DoctorFinding => ({
    id: 'RUN-FOLDER',
    severity: 'problem',
    effect: ONE_SHOT_COST,
    file,
    found,
    fix,
  })
  const name = label(file)
  if (!stat) return undefined
  if (!stat.isDirectory()) return finding('is not a folder', `rm ${name}`)
  if (stat.uid !== process.getuid?.()) return finding(`belongs to user ${stat.uid}`, `sudo chown -R "$(id -u)" ${name}`)
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  return (stat.mode & 0o077) !== 0 || (stat.mode & 0o700) !== 0o700 || !isFileWritable(file)
    ? finding(`has mode ${mode}: you must be able to write to it, and nobody else`, `chmod 700 ${name}`)
    : undefined
}

/** The spool keeps at most this many files. */
const MAX_SPOOLED = 1000
/** A newer file is normal: the next call records it. */
const RECENT_MS = 60_000

/** Replies given without the store: the next event adds them to the audit log. */
export const spoolCheck: DoctorCheck = {
  ids: ['SPOOL-WAITING', 'SPOOL-FULL'],
  about: 'replies that are not in the audit log yet',
  look({ folders, now }) {
    const file = join(folders.state, 'spool')
    const names = listFolder(file).filter(name => name.endsWith('.json'))
    const waiting = names.filter(name => (tryLstat(join(file, name))?.mtimeMs ?? now) < now - RECENT_MS)
    if (waiting.length === 0) return []
    const found = `${waiting.length === 1 ? 'one reply was' : `${waiting.length} replies were`} given without the database and not logged since`
    const fix = 'let an agent run `ls`: the next call logs them'
    return [
      names.length < MAX_SPOOLED - 2
        ? { id: 'SPOOL-WAITING', severity: 'note', file, effect: 'the audit log lacks them', found, fix }
        : {
            id: 'SPOOL-FULL',
            severity: 'problem',
            file,
            effect: 'the audit log lacks them, and future ones too',
            found,
            fix,
          },
    ]
  },
}

const tryLstat = (file: string): Stats | undefined => tryOr(undefined, () => lstatSync(file, { throwIfNoEntry: false }))
