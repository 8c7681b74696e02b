import type { OptionKind, OptionKinds } from './parse-command-line.ts'
import type { ProgramCall } from './program-call.ts'

/** How a program interprets its words. Option lists are written as in a manual: `-o --output`. */
export interface ProgramDescription {
  /** long options may have one dash or several: `-prefix=x` is `--prefix=x` */
  readonly oneDash?: boolean
  /** options without a value */
  readonly flags?: string
  /** options with a harmless value */
  readonly values?: string
  /** options whose value is a file that is read */
  readonly reads?: string
  /** options whose value is a file that is written */
  readonly writes?: string
  /** options whose value is code or names a program */
  readonly runs?: string
  /** options without a value that run code */
  readonly risks?: string
  /** options without a value that make the program do more than read */
  readonly alters?: string
  /** the action on the files that the operands name */
  readonly operands?: 'read' | 'write' | 'delete'
  /** number of leading operands that are not files … */
  readonly skip?: number
  /** … unless one of these options is given */
  readonly skipUnless?: string
  /** the program only reads, unless an option says otherwise */
  readonly onlyReads?: boolean
  /** `special` can make a read-only program do more, so an unknown word can too */
  readonly harmful?: boolean
  /** handles what the option lists cannot express */
  readonly special?: (call: ProgramCall) => void
  /** options valid after the subcommand */
  readonly inner?: (name: string) => OptionKinds | undefined
}

const KIND_OF_LIST: readonly (readonly [keyof ProgramDescription & string, OptionKind])[] = [
  ['flags', 'flag'],
  ['values', 'value'],
  ['reads', 'read'],
  ['writes', 'write'],
  ['runs', 'run'],
  ['risks', 'risk'],
  ['alters', 'alter'],
]

const kindsCache = new WeakMap<ProgramDescription, OptionKinds>()
const singleDashKinds = new WeakSet<OptionKinds>()

/** True if options of these kinds are whole words with any number of dashes. */
export const hasSingleDashOptions = (kinds: OptionKinds): boolean => singleDashKinds.has(kinds)

export function optionKindsOf(description: ProgramDescription): OptionKinds {
  const cached = kindsCache.get(description)
  if (cached !== undefined) return cached
  const kinds = new Map<string, OptionKind>()
  for (const [key, kind] of KIND_OF_LIST) {
    const list = description[key]
    if (typeof list === 'string') for (const name of list.split(' ')) kinds.set(name, kind)
  }
  kindsCache.set(description, kinds)
  if (description.oneDash) singleDashKinds.add(kinds)
  return kinds
}

/** True if some option can make the program do more than read. */
export const canDoMoreThanRead = (description: ProgramDescription): boolean =>
  description.harmful === true ||
  description.writes !== undefined ||
  description.runs !== undefined ||
  description.risks !== undefined ||
  description.alters !== undefined
