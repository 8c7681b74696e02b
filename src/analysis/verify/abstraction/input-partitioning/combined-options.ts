import type { Program } from '../../../../engine/index.ts'
import { atomsOfProgram } from '../condition-atoms.ts'
import type { PolicyConstants } from './policy-constants.ts'

/** A command line split into its words and its options. */
interface OptionSplit {
  readonly head: string
  readonly options: readonly string[]
}

/** Up to this many option sets of one command are combined in every subset. Of more, only each, each pair and all together. */
const MAX_TOGETHER = 6

/** Combines options: `git commit -a`, `git commit --amend` and `-s` may be one line. Marks the atoms if not all subsets are tried. */
export function combineCommandOptions(program: Program, { lines, sampler }: PolicyConstants): readonly string[] {
  const split = lines.map(splitOptions)
  const heads = [...new Set(split.map(command => command.head))]
  const found = new Set<string>()
  for (const head of heads) {
    const within = [
      ...new Map(
        split.filter(command => isCommandPrefix(command.head, head)).map(command => [optionsKey(command), command]),
      ).values(),
    ]
    const withOptions = within.filter(command => command.options.length > 0)
    if (withOptions.length > MAX_TOGETHER) {
      const names = new Set(withOptions.map(command => command.head.split(' ')[0]))
      sampler.markIncomplete(
        atomsOfProgram(program).filter(
          atom =>
            atom.key === 'command' &&
            atom.in.some(
              matcher => !('reading' in matcher) && names.has(matcher.program) && matcher.options.length > 0,
            ),
        ),
      )
    }
    for (const some of optionSubsets(withOptions)) found.add(joinOptions(head, some))
  }
  return [...found].filter(line => !lines.includes(line))
}

function splitOptions(line: string): OptionSplit {
  const words = line.split(' ')
  const isOption = (word: string): boolean => word.startsWith('-')
  return { head: words.filter(word => !isOption(word)).join(' '), options: words.filter(isOption) }
}

const optionsKey = ({ options }: OptionSplit): string => options.join(' ')

/** `git push` is a prefix of `git push origin`. */
const isCommandPrefix = (part: string, whole: string): boolean => whole.startsWith(part)

const joinOptions = (head: string, lines: readonly OptionSplit[]): string =>
  [head, ...new Set(lines.flatMap(command => command.options))].join(' ')

function optionSubsets(lines: readonly OptionSplit[]): readonly (readonly OptionSplit[])[] {
  if (lines.length <= MAX_TOGETHER)
    return Array.from({ length: 2 ** lines.length }, (_, chosen) =>
      lines.filter((_one, at) => (chosen >> at) % 2 === 1),
    ).filter(some => some.length > 0)
  return [
    ...lines.map(command => [command]),
    ...lines.flatMap((command, at) => lines.slice(at + 1).map(other => [command, other])),
    lines,
  ]
}
