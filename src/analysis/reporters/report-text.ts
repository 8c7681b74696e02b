import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import type { CaseResult, TestFailure, TestReport } from '../policy-test/run-tests.ts'

export interface FileLabels {
  /** a file as the person would name it */
  readonly label: (file: string) => string
}

/** What policies and tests say is not to steer a terminal, nor what reads a report; lines stay lines. */
export const escapeControlCharsInLines = (text: string): string => text.split('\n').map(escapeControlChars).join('\n')

export const failedCases = ({ cases }: TestReport): readonly CaseResult[] =>
  cases.filter(one => one.failures.length > 0)

/** `expected deny, got pass`, one for each thing that is not as it should be. */
export const describeFailure = ({ mismatches, notes }: TestFailure): readonly string[] => [
  ...mismatches.map(({ expected, got }) => `expected ${expected}, got ${got}`),
  ...notes.map(note => `note: ${note}`),
]

/** The client is named where it is not the one that everybody means. */
export const caseTitle = ({ name, client }: CaseResult): string =>
  client === 'claude-code' ? name : `${name} (${client})`

/** `signalbox.yaml:8`: a place with its file as the person would name it. */
export function locationText(at: string, { label }: FileLabels): string {
  const [, file = '', line = ''] = /^(\/.*?)(:\d+)?$/.exec(at) ?? []
  return file === '' ? at : `${label(file)}${line}`
}
