/** Words that people know from elsewhere, and our words for them. The first known one is suggested. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  bash: ['shell', 'run'],
  block: ['deny'],
  create: ['write'],
  edit: ['write'],
  enforce: ['block'],
  exec: ['run', 'shell'],
  execute: ['run', 'shell'],
  file: ['path'],
  file_path: ['path'],
  log: ['observe'],
  modify: ['write'],
  remove: ['delete'],
  success: ['succeeded'],
  update: ['write'],
}

/** The known word that was probably meant: a synonym, else the nearest within two edits, else the only `codex-…` for `codex`. */
function guessWord(written: string, all: Iterable<string>): string | undefined {
  const known = [...all]
  const meant = Object.hasOwn(SYNONYMS, written.toLowerCase()) ? SYNONYMS[written.toLowerCase()] : undefined
  const word = meant?.find(text => known.includes(text))
  if (word !== undefined) return word
  let best: string | undefined
  let least = 3
  for (const word of known) {
    const edits = editDistance(written.toLowerCase(), word.toLowerCase(), least)
    if (edits < least && edits < Math.max(written.length, word.length)) {
      least = edits
      best = word
    }
  }
  const begun = known.filter(word => written !== '' && word.startsWith(`${written.toLowerCase()}-`))
  return best ?? (begun.length === 1 ? begun[0] : undefined)
}

export const didYouMean = (
  written: string,
  known: Iterable<string>,
  asWritten = (word: string): string => word,
): string | undefined => {
  const word = guessWord(written, known)
  return word === undefined ? undefined : `did you mean \`${asWritten(word)}\`?`
}

/** The known words, the most likely one first. */
export function sortNearestFirst(written: string, known: readonly string[]): readonly string[] {
  const word = guessWord(written, known)
  return word === undefined ? known : [word, ...known.filter(text => text !== word)]
}

/** The number of edits between two words. A swap of neighbours is one edit. Gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    before = row
    row = next
  }
  return row[b.length] ?? limit
}
