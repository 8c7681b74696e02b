import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import type { CaseResult, TestFailure, TestReport } from '../policy-test/run-tests.ts'

export interface FileLabels {
  /** display path of a file */
  readonly label: (file: string) => string
}

/** Escapes control characters, so that texts of policies and tests cannot control a terminal or a report parser; keeps newlines. */
export const escapeControlCharsInLines = (text: string): string => text.split('\n').map(escapeControlChars).join('\n')

export const failedCases = ({ cases }: TestReport): readonly CaseResult[] =>
  cases.filter(caseResult => caseResult.failures.length > 0)

/** One line for each mismatch (`expected deny, got pass`), then the notes. */
export const describeFailure = ({ mismatches, notes }: TestFailure): readonly string[] => [
  ...mismatches.map(({ expected, got }) => `expected ${expected}, got ${got}`),
  ...notes.map(note => `note: ${note}`),
]

/** The test's name; with the client if it is not the default. */
export const caseTitle = ({ name, client }: CaseResult): string =>
  client === 'claude-code' ? name : `${name} (${client})`

/** `signalbox.yaml:8`: a location with the display path of its file. */
export function locationText(at: string, { label }: FileLabels): string {
  const [, file = '', line = ''] = /^(\/.*?)(:\d+)?$/.exec(at) ?? []
  return file === '' ? at : `${label(file)}${line}`
}
