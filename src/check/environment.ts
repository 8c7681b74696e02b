import type { Program } from '../core/index.ts'
import type { Regex } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { textFor } from './witness.ts'

/** Variables that are set, by name. */
export type Environment = Readonly<Record<string, string>>

export interface Environments {
  /** the first has none of them set */
  readonly all: readonly Environment[]
  /** not every way in which these may be set is among them */
  readonly untried: readonly string[]
}

/** Ways to set the variables that a policy asks for: each unset, and with a text for everything that is asked of it. */
export function environmentsOf(program: Program, regex: Regex): Environments {
  const asked = new Map<string, Set<string>>()
  const untried = new Set<string>()
  for (const atom of atomsOfProgram(program)) {
    if (atom.key !== 'env') continue
    for (const { field, in: wanted } of atom.fields) {
      const texts = asked.get(field) ?? new Set<string>()
      asked.set(field, texts)
      for (const one of wanted) {
        const text = textFor(one, regex)
        if (text === undefined) untried.add(field)
        else texts.add(text)
      }
    }
  }
  let all: readonly Environment[] = [{}]
  for (const [name, texts] of asked)
    all = all.flatMap(one => [one, ...[...texts, OTHER].map(text => ({ ...one, [name]: text }))])
  if (all.length <= MOST) return { all, untried: [...untried] }
  // each by itself, and all of them at once
  const single = [...asked].flatMap(([name, texts]) => [...texts].map(text => ({ [name]: text })))
  const every = Object.fromEntries(
    [...asked].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
  )
  return { all: [{}, every, ...single].slice(0, MOST), untried: [...asked.keys()] }
}

const MOST = 9
const OTHER = 'something else'

/** As a sentence goes on: `where CI is \`true\``. */
export const environmentWords = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, text]) => `${name} is \`${text}\``)
    .join(' and ')
