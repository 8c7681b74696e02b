import type { Event } from '../../engine/index.ts'

/** Whether all known writes, deletes and runs stay in the project or in temporary folders. An approval applies to one project only. */
export const staysInProject = ({ call }: Event, root: string): boolean =>
  (call?.acts ?? []).every(({ action, place, elsewhere }) => {
    if (action === 'run') return elsewhere !== true
    if ((action !== 'write' && action !== 'delete') || !place) return true
    const homes = [root, ...TEMPORARY]
    return [place.lexical, place.real].every(
      path => typeof path !== 'string' || homes.some(home => isBelow(path, home)),
    )
  })

/** Fixed names instead of `TMPDIR`, which the process that starts a task may have set. */
const TEMPORARY = ['/tmp', '/private/tmp', '/var/folders', '/private/var/folders', '/dev/null', '/dev/fd', '/dev/tty']

export const isTemporaryPath = (path: string): boolean => TEMPORARY.some(home => isBelow(path, home))

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
