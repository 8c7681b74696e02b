import { didYouMean, type PolicyError } from '../../policy/index.ts'
import { policyErrorAt, policyErrorOfFile, type SourceMap } from '../../policy/parse/policy-tests.ts'

/** Collects the problems of one test file. */
export interface TestDiagnostics {
  readonly file: string
  /** the error of a regular expression, or null */
  readonly checkRegex: (pattern: string) => string | null
  readonly places: SourceMap
  readonly problems: PolicyError[]
  /** tests that could only be read in part */
  readonly partial: ReadonlySet<object>
}

interface ProblemHints {
  /** valid values, for a suggestion; `written` is the actual value */
  readonly known?: readonly string[]
  readonly written?: string
  /** the exact fix, if it is known */
  readonly help?: string
  /** the problem is the key, not its value */
  readonly ofKey?: boolean
}

export function reportProblem(
  diagnostics: TestDiagnostics,
  holder: object,
  key: string | number,
  message: string,
  advice: ProblemHints = {},
): void {
  const { known = [], written = '', ofKey = false } = advice
  const location = ofKey ? diagnostics.places.key(holder, key) : diagnostics.places.value(holder, key)
  const help = advice.help ?? didYouMean(written, known)
  const keys = help === undefined && known.length > 0 ? known : undefined
  diagnostics.problems.push(
    location ? policyErrorAt(location, message, { help, keys }) : policyErrorOfFile(diagnostics.file, message, help),
  )
}
