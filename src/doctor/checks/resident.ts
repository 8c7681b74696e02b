import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { isOff, runFolder } from '../../daemon/index.ts'
import { wallOf } from '../../pattern/index.ts'
import { journalFor } from '../../store/index.ts'
import type { Case, Check } from '../case.ts'
import type { Finding } from '../finding.ts'
import { installedIn, lastFailure } from '../resident.ts'
import { isWritable } from '../writable.ts'

const SLOWER = 'each hook starts Node: some 50 ms later, and the same answer'

/** The native hook that agents start: of the program behind it, and used where there is one. */
export const nativeHooks: Check = {
  ids: ['NATIVE-OTHER', 'NATIVE-UNUSED'],
  about: 'the native hook',
  look({ folders }) {
    const installed = installedIn(folders)
    if (!installed) return []
    const { file, isNative, fitting, why } = installed
    if (!isNative)
      return fitting
        ? [{ id: 'NATIVE-UNUSED', weight: 'note', file, cost: SLOWER, saw: 'is the script', fix: 'signalbox init' }]
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

/** The process that stays, where it is wanted. */
export const daemon: Check = {
  ids: ['DAEMON-OFF', 'RUN-FOLDER', 'DAEMON-FAILED'],
  about: 'the daemon',
  look(one) {
    const { folders, env } = one
    if (!installedIn(folders)?.isNative) return []
    if (isOff(env)) {
      const saw = 'SIGNALBOX_DAEMON is off'
      return [{ id: 'DAEMON-OFF', weight: 'note', cost: SLOWER, saw, fix: 'unset SIGNALBOX_DAEMON' }]
    }
    const shut = shutFolder(one)
    if (shut) return [shut]
    const failed = lastFailure(folders.state)
    // a network home is told as such
    if (!failed || journalFor(folders.state) === 'delete') return []
    return [
      {
        ...{ id: 'DAEMON-FAILED', weight: 'problem', file: join(runFolder(folders.state), 'log'), cost: SLOWER },
        saw: `could not start at ${wallOf(failed.at)}: ${failed.why}`,
        fix: 'mend that; then signalbox daemon start',
      },
    ]
  },
}

/** Neither side uses a folder that others could write to. */
function shutFolder({ folders: { state }, label }: Case): Finding | undefined {
  const file = runFolder(state)
  const stat = statOf(file)
  const found = (saw: string, fix: string): Finding => ({
    id: 'RUN-FOLDER',
    weight: 'problem',
    cost: SLOWER,
    file,
    saw,
    fix,
  })
  const name = label(file)
  if (!stat) return undefined
  if (!stat.isDirectory()) return found('is no folder', `rm ${name}`)
  if (stat.uid !== process.getuid?.()) return found(`belongs to user ${stat.uid}`, `sudo chown -R "$(id -u)" ${name}`)
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
  return (stat.mode & 0o077) !== 0 || (stat.mode & 0o700) !== 0o700 || !isWritable(file)
    ? found(`has mode ${mode}: it must be yours alone, to write`, `chmod 700 ${name}`)
    : undefined
}

/** So many are kept. */
const MOST = 1000
/** One of this moment joins with the next call. */
const FRESH_MS = 60_000

/** Answers of the last resort: they join the audit trail with the next event. */
export const spool: Check = {
  ids: ['SPOOL-WAITING', 'SPOOL-FULL'],
  about: 'answers that are not on record yet',
  look({ folders, now }) {
    const file = join(folders.state, 'spool')
    const names = namesIn(file).filter(name => name.endsWith('.json'))
    const waiting = names.filter(name => (statOf(join(file, name))?.mtimeMs ?? now) < now - FRESH_MS)
    if (waiting.length === 0) return []
    const saw = `${waiting.length === 1 ? 'one answer was' : `${waiting.length} answers were`} given without the store, and not put on record since`
    const fix = 'let an agent run `ls`: the next call puts them on record'
    return [
      names.length < MOST - 2
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

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
