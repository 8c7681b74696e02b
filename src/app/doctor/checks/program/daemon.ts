import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isDaemonOff, runFolderOf } from '../../../../hook/daemon/index.ts'
import { localTime } from '../../../../lib/local-time.ts'
import { journalModeFor } from '../../../../store/index.ts'
import type { DoctorCheck, DoctorContext } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { findInstalledProgram, lastStartFailure } from '../../installation.ts'
import { isFileWritable } from '../../read/writable.ts'

const ONE_SHOT_COST = 'each hook starts Node: some 50 ms later, and the same answer'

/** The native hook that agents start: it must be from the installed program, and be used if it exists. */
export const nativeHookCheck: DoctorCheck = {
  ids: ['NATIVE-OTHER', 'NATIVE-UNUSED'],
  about: 'the native hook',
  look({ folders }) {
    const installed = findInstalledProgram(folders)
    if (!installed) return []
    const { file, isNative, fitting, why } = installed
    if (!isNative)
      return fitting
        ? [
            {
              id: 'NATIVE-UNUSED',
              weight: 'note',
              file,
              cost: ONE_SHOT_COST,
              saw: 'is the script',
              fix: 'signalbox init',
            },
          ]
        : []
    if (fitting && readFileSync(file).equals(readFileSync(fitting))) return []
    return [
      {
        ...{ id: 'NATIVE-OTHER', weight: 'problem', file, fix: 'signalbox init' },
        cost: 'the native hook and the program behind it are of two builds: what one says the other may not understand',
        saw: fitting ? `is not ${fitting}` : `is native, and ${why}`,
      },
    ]
  },
}

/** The daemon, if it is wanted. */
export const daemonCheck: DoctorCheck = {
  ids: ['DAEMON-OFF', 'RUN-FOLDER', 'DAEMON-FAILED'],
  about: 'the daemon',
  look(one) {
    const { folders, env } = one
    if (!findInstalledProgram(folders)?.isNative) return []
    if (isDaemonOff(env)) {
      const saw = 'SIGNALBOX_DAEMON is off'
      return [{ id: 'DAEMON-OFF', weight: 'note', cost: ONE_SHOT_COST, saw, fix: 'unset SIGNALBOX_DAEMON' }]
    }
    const shut = findRunFolderProblem(one)
    if (shut) return [shut]
    const failed = lastStartFailure(folders.state)
    // another check reports a network home
    if (!failed || journalModeFor(folders.state) === 'delete') return []
    return [
      {
        ...{
          id: 'DAEMON-FAILED',
          weight: 'problem',
          file: join(runFolderOf(folders.state), 'log'),
          cost: ONE_SHOT_COST,
        },
        saw: `could not start at ${localTime(failed.at)}: ${failed.why}`,
        fix: 'mend that; then signalbox daemon start',
      },
    ]
  },
}

/** Neither the native hook nor the daemon uses a folder that others could write to. */
function findRunFolderProblem({ folders: { state }, label }: DoctorContext): DoctorFinding | undefined {
  const file = runFolderOf(state)
  const stat = tryLstat(file)
  const found = (saw: string, fix: string): DoctorFinding => ({
    id: 'RUN-FOLDER',
    weight: 'problem',
    cost: ONE_SHOT_COST,
    file,
    saw,
    fix,
  })
  const name = label(file)
  if (!stat) return undefined
  if (!stat.isDirectory()) return found('is no folder', `rm ${name}`)
  if (stat.uid !== process.getuid?.()) return found(`belongs to user ${stat.uid}`, `sudo chown -R "$(id -u)" ${name}`)
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  return (stat.mode & 0o077) !== 0 || (stat.mode & 0o700) !== 0o700 || !isFileWritable(file)
    ? found(`has mode ${mode}: it must be yours alone, to write`, `chmod 700 ${name}`)
    : undefined
}

/** The spool keeps at most this many files. */
const MAX_SPOOLED = 1000
/** A newer file is normal: the next call records it. */
const RECENT_MS = 60_000

/** Replies given without the store: the next event adds them to the audit log. */
export const spoolCheck: DoctorCheck = {
  ids: ['SPOOL-WAITING', 'SPOOL-FULL'],
  about: 'answers that are not on record yet',
  look({ folders, now }) {
    const file = join(folders.state, 'spool')
    const names = listFolder(file).filter(name => name.endsWith('.json'))
    const waiting = names.filter(name => (tryLstat(join(file, name))?.mtimeMs ?? now) < now - RECENT_MS)
    if (waiting.length === 0) return []
    const saw = `${waiting.length === 1 ? 'one answer was' : `${waiting.length} answers were`} given without the store, and not put on record since`
    const fix = 'let an agent run `ls`: the next call puts them on record'
    return [
      names.length < MAX_SPOOLED - 2
        ? { id: 'SPOOL-WAITING', weight: 'note', file, cost: 'the audit trail lacks them', saw, fix }
        : {
            id: 'SPOOL-FULL',
            weight: 'problem',
            file,
            cost: 'the audit trail lacks them, and those to come',
            saw,
            fix,
          },
    ]
  },
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function tryLstat(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
