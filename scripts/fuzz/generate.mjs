// Lines in which the canary stands where a shell may run it, and where nobody may look.
import { readFileSync } from 'node:fs'

export const CANARY = 'touch P'

/** Files of the scratch folder that hold words and code: `shells.mjs`. */
const FOREIGN_FILES = [...'qmntwvkoscde']

const SIGNS = { '⏎': '\n', '⇥': '\t', '␍': '\r', '␋': '\v', '␌': '\f', '⍽': '\u00a0', '␣': ' ' }

const [CODE, WORDS, LINES, PIECES, FOREIGN, SETTERS, AROUND, USES] = readFileSync(
  new URL('grammar.txt', import.meta.url),
  'utf8',
)
  .split(/^== .*\n/m)
  .slice(1)
  .map(part =>
    part
      .trim()
      .split('\n')
      .map(row => row.replace(/[⏎⇥␍␋␌⍽␣]/g, sign => SIGNS[sign])),
  )

const fill = (text, part) => text.replace('□', () => part)

/** A line by the rules above, one inside another. */
export function generateLine(random) {
  let line = random.pick(LINES)
  for (let depth = random.below(3); depth > 0; depth -= 1)
    line = fill(
      line,
      random.chance(0.7) ? random.pick(WORDS) : random.chance(0.5) ? random.pick(CODE) : random.pick(LINES),
    )
  return fill(fill(line, random.pick(CODE)), CANARY).replaceAll('□', '')
}

const SEPARATORS = ['; ', '; ', '; ', '\n', ' && ', ' || ', ' & ', ' | ']

/** A line that uses text of a file, or of a variable, where it may be evaluated. */
export function generateForeign(random) {
  const use = random.chance(0.85) ? random.pick(USES) : random.pick(LINES)
  const word = random.chance(0.9) ? random.pick(FOREIGN) : fill(random.pick(WORDS), random.pick(FOREIGN))
  let line = fill(use, word)
  if (random.chance(0.25)) line = random.pick(AROUND).replace('◆', () => line)
  for (let count = random.below(3); count > 0; count -= 1) line = random.pick(SETTERS) + random.pick(SEPARATORS) + line
  return line.replace(/◇/g, () => random.pick(FOREIGN_FILES)).replaceAll('□', '')
}

/** Lines that say no canary do what they do by a file or a variable. */
export const isForeign = line => FOREIGN_TEXT.test(line)

const FOREIGN_TEXT = new RegExp(`\\b[${FOREIGN_FILES.join('')}]\\b|\\$[x@1*]|[*?]`)

/** A line of pieces in any order. */
export function generatePieces(random) {
  let line = random.chance(0.5) ? random.pick(LINES).split('□')[0] : ''
  const canary = random.below(8)
  for (let at = 0, count = 3 + random.below(12); at < count; at += 1)
    line += at === canary ? CANARY : random.pick(PIECES)
  return line.includes(CANARY) ? line : line + CANARY
}

/** A line that somebody wrote, with code put somewhere into it. */
export function insertCanary(line, random) {
  const code = fill(
    random.chance(0.5) ? fill(random.pick(WORDS), random.pick(CODE)) : random.pick(CODE),
    CANARY,
  ).replaceAll('□', '')
  const ends = [...line.matchAll(/\b/g)].map(({ index }) => index)
  const at = random.chance(0.6) && ends.length > 0 ? random.pick(ends) : random.below(line.length + 1)
  return line.slice(0, at) + code + line.slice(at)
}

const CHARACTERS = [...'\\"\'`{}$()[]# \n\t;&|<>=1a!*?~\rE:-+@%^/,_', '\\\n', '$(', '"$z"']

/** A few characters put in, taken out, doubled or moved. */
export function mutate(line, random) {
  let text = line
  for (let count = random.below(4); count > 0; count -= 1) {
    const at = random.below(text.length + 1)
    const how = random.below(8)
    if (how < 5) text = text.slice(0, at) + random.pick(CHARACTERS) + text.slice(at)
    else if (how < 7) text = text.slice(0, at) + text.slice(at + 1 + random.below(2))
    else text = text.slice(0, at) + text.slice(at - 3, at) + text.slice(at)
  }
  return text
}
