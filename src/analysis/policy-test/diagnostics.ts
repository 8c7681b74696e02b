import { didYouMean, type PolicyError } from '../../policy/index.ts'
import { policyErrorAt, policyErrorOfFile, type SourceMap } from '../../policy/parse/policy-tests.ts'

/** Where something wrong in a file of tests is told of. */
export interface TestDiagnostics {
  readonly file: string
  /** what is wrong with a regular expression */
  readonly checkRegex: (pattern: string) => string | null
  readonly places: SourceMap
  readonly problems: PolicyError[]
  /** tests of which not all could be read */
  readonly partial: ReadonlySet<object>
}

interface ProblemHints {
  /** what could stand there, and what does */
  readonly known?: readonly string[]
  readonly written?: string
  /** what to write in its place, where that is no guess */
  readonly help?: string
  /** the key is meant, not its value */
  readonly ofKey?: boolean
}

export function reportProblem(
  desk: TestDiagnostics,
  holder: object,
  key: string | number,
  message: string,
  advice: ProblemHints = {},
): void {
  const { known = [], written = '', ofKey = false } = advice
  const place = ofKey ? desk.places.key(holder, key) : desk.places.value(holder, key)
  const help = advice.help ?? didYouMean(written, known)
  const keys = help === undefined && known.length > 0 ? known : undefined
  desk.problems.push(
    place ? policyErrorAt(place, message, { help, keys }) : policyErrorOfFile(desk.file, message, help),
  )
}
