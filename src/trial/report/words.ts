import { visible } from '../../pattern/index.ts'
import type { CaseResult, Failure, Report } from '../run.ts'

export interface Named {
  /** a file as the person would name it */
  readonly label: (file: string) => string
}

/** What policies and tests say is not to steer a terminal, nor what reads a report; lines stay lines. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

export const failedOf = ({ cases }: Report): readonly CaseResult[] => cases.filter(one => one.failures.length > 0)

/** `expected deny, got pass`, one for each thing that is not as it should be. */
export const wrongWords = ({ mismatches, notes }: Failure): readonly string[] => [
  ...mismatches.map(({ expected, got }) => `expected ${expected}, got ${got}`),
  ...notes.map(note => `note: ${note}`),
]

/** The client is named where it is not the one that everybody means. */
export const titleOf = ({ name, client }: CaseResult): string =>
  client === 'claude-code' ? name : `${name} (${client})`

/** `signalbox.yaml:8`: a place with its file as the person would name it. */
export function placeText(at: string, { label }: Named): string {
  const [, file = '', line = ''] = /^(\/.*?)(:\d+)?$/.exec(at) ?? []
  return file === '' ? at : `${label(file)}${line}`
}
