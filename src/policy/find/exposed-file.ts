import { existsSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'

/**
 * Why other users of this machine could have written this file: its mode, or the mode or owner of a folder that it is found in. Undefined:
 * they cannot. `ssh` and `sudo` refuse such files too.
 */
export function exposureOf(file: string): string | undefined {
  const me = process.geteuid?.()
  if (me === undefined) return undefined
  const stat = statSync(file)
  if (isWritableByOthers(stat)) return `others may write to it (mode ${modeOf(stat)})`
  for (const folder of new Set([dirname(file), dirname(realpathSync(file))])) {
    const found = statSync(folder)
    if (found.uid !== me && found.uid !== 0) return `its folder belongs to another user (${folder})`
    // in a folder like /tmp nobody removes or renames the files of others
    if (isWritableByOthers(found) && !(found.mode & STICKY))
      return `others may write to its folder (${folder}, mode ${modeOf(found)})`
  }
  return undefined
}

/** The same for the files and folders that a policy consists of besides its own file. */
export function exposureAmong(files: readonly string[]): string | undefined {
  for (const file of files) {
    const found = existsSync(file) ? exposureOf(file.replace(/\/+$/, '')) : undefined
    if (found !== undefined) return `${found.replace(/^(others may write to) it\b/, `$1 ${file}`)}`
  }
  return undefined
}

const STICKY = 0o1000
const OTHERS_WRITE = 0o002
const GROUP_WRITES = 0o020

const modeOf = ({ mode }: Stats): string => (mode & 0o7777).toString(8).padStart(4, '0')

const isWritableByOthers = ({ mode, gid }: Stats): boolean =>
  (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isPrivateGroup(gid))

/** Many systems give each user a group of its own and a umask of 002: files are then writable by a group with one member. */
function isPrivateGroup(gid: number): boolean {
  try {
    const { username } = userInfo()
    const rows = readFileSync('/etc/group', 'utf8').split('\n')
    const [name, , , members = ''] = rows.map(row => row.split(':')).find(row => Number(row[2]) === gid) ?? []
    return name === username && members.replace(username, '') === ''
  } catch {
    return false
  }
}
