import { basename, dirname, join } from 'node:path'
import { type PathRef, toAbsolute, toUnresolvedAbsolute } from '../../engine/index.ts'
import { isProcSelfPath, mayPassSymlink, physical, realGlob, realPath, resolveForCaller } from './real-path.ts'

/** `~dev/x` if the home folder is that of `dev`. Of other users nothing is known. */
function inOwnHome({ ofUser = '', ...place }: PathRef, home: string): PathRef {
  const user = `~${home.slice(home.lastIndexOf('/') + 1)}`
  const isOwn = user !== '~' && (ofUser === user || ofUser.startsWith(`${user}/`))
  return isOwn ? { ...place, lexical: home + ofUser.slice(user.length) } : place
}

/** Where the entry itself is, even if it is a link. */
const besideLink = (path: string, cache: Map<string, string>): string =>
  join(realPath(dirname(path), cache), basename(path))

/** The path as an absolute one, and where it leads. */
export function settlePath(
  ref: PathRef,
  reads: boolean,
  { cwd, home }: { readonly cwd: string; readonly home: string },
  cache: Map<string, string>,
): PathRef {
  const given = ref.ofUser === undefined ? ref : inOwnHome(ref, home)
  if (given.lexical === null) return given
  const written = resolveForCaller(toUnresolvedAbsolute(given.lexical, cwd, home), cwd)
  if (written === undefined) return reads ? given : { ...given, lexical: null }
  const place = { ...given, lexical: written }
  const lexical = toAbsolute(place.lexical, cwd, home)
  const found = place.glob ? realGlob(lexical, cache) : physical(written, lexical, cache)
  // a symlink may lead to such a path too
  const meant = isProcSelfPath(found) ? resolveForCaller(found, cwd) : found
  if (meant === undefined && !reads) return { ...given, lexical: null }
  const real = meant === undefined || meant === found ? found : realPath(toAbsolute(meant, cwd), cache)
  const strays = place.glob === true && !reads && mayPassSymlink(lexical)
  // what is below a link to a folder goes with the link
  const takesAll = place.whole === false && real !== lexical && real !== besideLink(lexical, cache)
  return {
    ...place,
    ...(takesAll && { whole: true }),
    lexical,
    ...(real === lexical ? {} : { real }),
    ...(strays && { strays }),
  }
}
