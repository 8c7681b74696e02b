import type { OptionKind, OptionKinds } from './parse-command-line.ts'
import type { ProgramCall } from './program-call.ts'

/** How a program reads its words. Lists are written as in a manual: `-o --output`. */
export interface ProgramDescription {
  /** long options may be written with one dash, or with several: `-prefix=x` is `--prefix=x` */
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
  /** what happens to the files named by the operands */
  readonly operands?: 'read' | 'write' | 'delete'
  /** this many leading operands are no files … */
  readonly skip?: number
  /** … unless one of these options is given */
  readonly skipUnless?: string
  /** does nothing but read, as long as no option says otherwise */
  readonly onlyReads?: boolean
  /** `special` can turn a reader into more, so a word that cannot be told may too */
  readonly harmful?: boolean
  /** what the lists cannot say */
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

/** Are options of these kinds read as words however many dashes they have? */
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

/** Whether some option of the program could make it do more than read. */
export const canDoMoreThanRead = (description: ProgramDescription): boolean =>
  description.harmful === true ||
  description.writes !== undefined ||
  description.runs !== undefined ||
  description.risks !== undefined ||
  description.alters !== undefined
