import type { Gate } from '../../engine/index.ts'
import { formatErrorLine } from '../parse/policy-error.ts'
import { fileLabel, type LabelRoots } from './context.ts'
import type { LayerReport } from './layer-report.ts'

/** The notices about this layer at every session start. */
export function sessionNoticesOf(report: LayerReport, roots: LabelRoots): readonly string[] {
  const name = fileLabel(report.file, roots)
  const untrusted = report.exposed === undefined ? waitingNotice(report, name) : [exposedNotice(report, name)]
  if (report.state === 'active') return untrusted
  const broken = `${name} is broken (${firstErrorOf(report, roots)})`
  if (report.state === 'denies') return [`${broken}; every tool call is denied until it is fixed`]
  if (report.state === 'left-out') return [`${broken}; it is not enforced`]
  return [`${broken}; its version of ${formatUtcMinute(report.savedAt ?? 0)} is still enforced`, ...untrusted]
}

function waitingNotice({ untrusted }: LayerReport, name: string): readonly string[] {
  const waiting = untrusted.length === 1 ? '1 entry' : `${untrusted.length} entries`
  return untrusted.length === 0
    ? []
    : [`${name}: ${waiting} not trusted yet (run \`signalbox trust\`): ${joinFirstThree(untrusted)}`]
}

function exposedNotice({ exposed, untrusted }: LayerReport, name: string): string {
  const without = untrusted.length === 0 ? '' : `; what it runs or loosens has no effect: ${joinFirstThree(untrusted)}`
  return `${name} cannot be trusted: ${exposed}${without}; read it, then \`chmod go-w\` it`
}

const joinFirstThree = (lines: readonly string[]): string =>
  lines.length > 3 ? `${lines.slice(0, 3).join('; ')} …` : lines.join('; ')

const firstErrorOf = ({ errors, file }: LayerReport, roots: LabelRoots): string => {
  const [first] = errors
  return first ? formatErrorLine(first, text => fileLabel(text, roots)) : fileLabel(file, roots)
}

/** `2026-11-15 14:01 UTC`. UTC, because the text is cached with the policy and callers can be in several time zones. */
const formatUtcMinute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** Denies every tool call: the managed policy is broken and has no older version, so nobody knows what it forbids. */
export function createDenyingGate(report: LayerReport, roots: LabelRoots): Gate {
  const why = `The managed policy ${fileLabel(report.file, roots)} is broken (${firstErrorOf(report, roots)}).`
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
        message: `${why.replaceAll('{', '{{')} Tell the user: the administrator of this machine has to fix it.`,
      },
    ],
  }
}
