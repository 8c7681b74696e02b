import type { Event } from '../../engine/index.ts'

/** Is all that it is known to write, delete or run in the project, or among what is temporary? An approval holds for one project. */
export const staysInProject = ({ call }: Event, root: string): boolean =>
  (call?.acts ?? []).every(({ action, place, elsewhere }) => {
    if (action === 'run') return elsewhere !== true
    if ((action !== 'write' && action !== 'delete') || !place) return true
    const homes = [root, ...TEMPORARY]
    return [place.lexical, place.real].every(
      path => typeof path !== 'string' || homes.some(home => isBelow(path, home)),
    )
  })

/** By name, not by `TMPDIR`: who starts a task may have set that. */
const TEMPORARY = ['/tmp', '/private/tmp', '/var/folders', '/private/var/folders', '/dev/null', '/dev/fd', '/dev/tty']

export const isTemporaryPath = (path: string): boolean => TEMPORARY.some(home => isBelow(path, home))

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)
