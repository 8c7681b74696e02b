import type { Program, Regex } from '../../../../engine/index.ts'
import { atomsOfProgram } from '../condition-atoms.ts'
import { sampleText } from './sample-strings.ts'

/** Environment variables that are set, by name. */
export type Environment = Readonly<Record<string, string>>

export interface EnvironmentPartition {
  /** the first has no variable set */
  readonly all: readonly Environment[]
  /** variables for which some combination of values is missing */
  readonly incomplete: readonly string[]
}

/** Partitions the environment: each variable unset, with a text for each pattern about it, and with another text. */
export function partitionEnvironments(program: Program, regex: Regex): EnvironmentPartition {
  const asked = new Map<string, Set<string>>()
  const untried = new Set<string>()
  for (const atom of atomsOfProgram(program)) {
    if (atom.key !== 'env') continue
    for (const { field, in: wanted } of atom.fields) {
      const texts = asked.get(field) ?? new Set<string>()
      asked.set(field, texts)
      for (const pattern of wanted) {
        const text = sampleText(pattern, regex)
        if (text === undefined) untried.add(field)
        else texts.add(text)
      }
    }
  }
  let all: readonly Environment[] = [{}]
  for (const [name, texts] of asked)
    all = all.flatMap(one => [one, ...[...texts, OTHER_VALUE].map(text => ({ ...one, [name]: text }))])
  if (all.length <= MAX_ENVIRONMENTS) return { all, incomplete: [...untried] }
  // too many combinations: each value alone, and all variables at once
  const single = [...asked].flatMap(([name, texts]) => [...texts].map(text => ({ [name]: text })))
  const every = Object.fromEntries(
    [...asked].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first]])),
  )
  return { all: [{}, every, ...single].slice(0, MAX_ENVIRONMENTS), incomplete: [...asked.keys()] }
}

const MAX_ENVIRONMENTS = 9
const OTHER_VALUE = 'something else'

/** For use in a sentence: `where CI is \`true\``. */
export const describeEnvironment = (environment: Environment): string =>
  Object.entries(environment)
    .map(([name, text]) => `${name} is \`${text}\``)
    .join(' and ')
