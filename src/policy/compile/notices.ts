import type { Gate } from '../../core/index.ts'
import { oneLine } from '../problem.ts'
import type { LayerReport } from '../report.ts'
import { type Ground, label } from './context.ts'

/** What every session start says about this layer. */
export function noticesOf(report: LayerReport, ground: Ground): readonly string[] {
  const name = label(report.file, ground)
  const waiting = report.inert.length
  const inert =
    waiting === 0
      ? []
      : [
          `${name}: ${waiting === 1 ? '1 entry waits' : `${waiting} entries wait`} for \`signalbox trust\`: ${cut(report.inert)}`,
        ]
  if (report.state === 'active') return inert
  const broken = `${name} is broken (${faultOf(report, ground)})`
  if (report.state === 'denies') return [`${broken}; every tool call is denied until it is mended`]
  if (report.state === 'left-out') return [`${broken}; it is left out`]
  return [`${broken}; its version of ${timeOf(report.savedAt ?? 0)} is still enforced`, ...inert]
}

const cut = (lines: readonly string[]): string =>
  lines.length > 3 ? `${lines.slice(0, 3).join('; ')} …` : lines.join('; ')

const faultOf = ({ errors, file }: LayerReport, ground: Ground): string => {
  const [first] = errors
  return first ? oneLine(first, one => label(one, ground)) : label(file, ground)
}

/** `2026-11-15 14:01 UTC`: it is kept with the policy, which callers in several time zones share. */
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A managed policy that cannot be read and never could: nobody can tell what it forbids. */
export function denyingGate(report: LayerReport, ground: Ground): Gate {
  const why = `The managed policy ${label(report.file, ground)} is broken (${faultOf(report, ground)}).`
  return {
    id: 'managed/broken-policy',
    name: 'broken-policy',
    layer: 'managed',
    mode: 'block',
    scope: 'session',
    onError: 'closed',
    yields: false,
    transitions: [],
    rules: [
      {
        id: 'everything',
        events: ['tool.before'],
        when: { key: 'event', in: ['tool.before'] },
        unsure: 'deny',
        then: 'deny',
        message: `${why.replaceAll('{', '{{')} Tell the user: whoever manages this machine has to mend it.`,
      },
    ],
  }
}
