/** Converts `file:///a%20b` and `C:\a` to a path with slashes. */
export function toPosixPath(path: string): string {
  const local = /^file:\/\/(localhost)?(?=\/)/i.exec(path)?.[0]
  if (local === undefined) return path.replaceAll('\\', '/')
  try {
    return decodeURIComponent(path.slice(local.length))
  } catch {
    return path.slice(local.length)
  }
}
