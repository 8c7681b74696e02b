/** Compares the three version numbers. */
export function isOlderVersion(version: string, since: string): boolean {
  const [a, b] = [version, since].map(text => text.split('.').map(part => Number.parseInt(part, 10) || 0))
  for (let nth = 0; nth < 3; nth++) {
    const [left = 0, right = 0] = [a?.[nth], b?.[nth]]
    if (left !== right) return left < right
  }
  return false
}
