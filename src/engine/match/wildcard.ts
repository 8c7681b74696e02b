/** Shell wildcards in one part of a path: `*`, `?`, `[a-z]`, `[!a]`, `@(a|b)` and similar groups. */

/** Matches a pattern with stars. Backtracks only to the last star: an earlier star could not do better. */
export function matchStars(
  pattern: ArrayLike<string>,
  text: ArrayLike<string>,
  star: string,
  fits: (wanted: string, given: string) => boolean,
): boolean {
  let p = 0
  let t = 0
  let back = -1
  let mark = 0
  while (t < text.length) {
    const wanted = pattern[p]
    if (wanted === star) {
      back = p++
      mark = t
    } else if (wanted !== undefined && fits(wanted, text[t] ?? '')) {
      p++
      t++
    } else if (back >= 0) {
      p = back + 1
      t = ++mark
    } else return false
  }
  while (pattern[p] === star) p++
  return p === pattern.length
}

/** Position of the first wildcard, or -1. */
export const firstWildcard = (path: string): number => path.search(/[*?[]|[@+!]\(/)

const GROUP = /([@?*+!])\(([^()]*)\)/
const MOST_CHOICES = 64

/** Does the shell wildcard match this file name? It matches dot files only if it begins with a dot itself. */
export function matchShellWildcard(wildcard: string, name: string): boolean {
  const [whole, kind, inner = ''] = GROUP.exec(wildcard) ?? []
  if (kind === '!' && whole === wildcard)
    return !name.startsWith('.') && !inner.split('|').some(part => matchShellWildcard(part, name))
  return choices(wildcard).some(
    choice =>
      matchStars(tokens(choice), name, '*', fitsToken) &&
      (choice.startsWith('.') || !name.startsWith('.') || choice === name),
  )
}

/** `@(a|b)` is a choice. Groups that repeat or negate may match anything. */
function choices(wildcard: string): readonly string[] {
  let list = [wildcard]
  for (let round = 0; round < 6; round++) {
    const next = list.flatMap(text => {
      const found = GROUP.exec(text)
      if (!found) return [text]
      const [group, kind, inner = ''] = found
      const put = (item: string) => text.slice(0, found.index) + item + text.slice(found.index + group.length)
      const items = inner.split('|')
      if (kind === '@') return items.map(put)
      if (kind === '?') return ['', ...items].map(put)
      return [...items, '*'].map(put)
    })
    if (next.length > MOST_CHOICES) return [wildcard.replace(/[@?*+!]\(.*\)/, '*')]
    if (next.every((text, at) => text === list[at])) break
    list = next
  }
  return list
}

/** Splits a wildcard into characters and whole `[…]` sets. */
const tokens = (wildcard: string): readonly string[] => wildcard.match(/\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[\s\S]/g) ?? []

function fitsToken(wanted: string, given: string): boolean {
  if (wanted.length < 3 || !wanted.startsWith('[')) return wanted === '?' || wanted === given
  const negated = /^\[[!^]/.test(wanted)
  return isInSet(wanted.slice(negated ? 2 : 1, -1), given) !== negated
}

/** Classes such as `[:alpha:]` are not resolved: they may match any character. */
function isInSet(set: string, given: string): boolean {
  if (/\[:\w+:\]/.test(set)) return true
  const ranges = set.match(/[\s\S]-[\s\S]|[\s\S]/g) ?? []
  return ranges.some(range =>
    range.length === 3 ? given >= (range[0] ?? '') && given <= (range[2] ?? '') : range === given,
  )
}
