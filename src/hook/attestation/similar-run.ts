import {
  type Action,
  type CommandMatcher,
  type CommandPattern,
  matchCommands,
  programName,
  type Word,
} from '../../engine/index.ts'

/** Programs that take the same words and are not the same: each has its own settings, or its own way to run the script. */
const ALIKE: readonly ReadonlySet<string>[] = [
  'npm pnpm yarn bun',
  'python python3',
  'make gmake',
  'mvn mvnw',
  'gradle gradlew',
  'pytest py.test',
].map(list => new Set(list.split(' ')))

interface SimilarRun {
  readonly action: Action
  /** the command of the policy that it was taken for */
  readonly named: string
}

/** A run of another program with the words of a pattern: `yarn test` where the policy names `npm test`. */
export function findSimilarRun(
  patterns: readonly CommandMatcher[],
  actions: readonly Action[],
): SimilarRun | undefined {
  for (const action of actions)
    for (const pattern of patterns) {
      if (!action.words || !('program' in pattern) || pattern.words.some(word => /[*{]/.test(word))) continue
      const isSame = similarWords(pattern.program, action.words).some(
        words => matchCommands([pattern], { words }, { reading: 'any', fill: text => text }) === 'true',
      )
      if (isSame) return { action, named: lineOf(pattern) }
    }
  return undefined
}

/** The words as a call of the policy's program. */
function similarWords(wanted: string, words: readonly Word[]): readonly (readonly Word[])[] {
  const [program, ...rest] = words
  const name = programName(program?.text ?? '')
  const plain = (text: string): Word => ({ text, role: 'plain' })
  if (name === wanted) return []
  // `pytest` for `python -m pytest`
  if (isPython(wanted))
    return [
      [plain(wanted), { text: '-m', role: 'option' }, { text: name, role: 'value' }, ...rest],
      ...(isAlike(name, wanted) ? [[plain(wanted), ...rest]] : []),
    ]
  if (!isAlike(name, wanted)) return []
  // `yarn build` for `npm run build`
  return [
    [plain(wanted), ...rest],
    [plain(wanted), plain('run'), ...rest],
  ]
}

export const isPython = (program: string): boolean => /^python3?$/.test(programName(program))

const isAlike = (name: string, wanted: string): boolean => ALIKE.some(names => names.has(name) && names.has(wanted))

const lineOf = ({ path, program, words, options, typed }: CommandPattern): string =>
  [path ?? program, ...(typed ?? [...words, ...options])].join(' ')
