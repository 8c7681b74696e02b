import { type Bypass, OFF_BYPASS_ID } from '../../../../hook/index.ts'
import type { LoadedPolicy } from '../../../../policy/index.ts'
import { countNoun } from '../../terminal/count-noun.ts'
import { formatDuration, formatLocalTime } from '../bypass/active-bypasses.ts'
import type { StoredVerification } from '../check/stored-verification.ts'
import { DEADLOCK_KINDS } from '../check/verification.ts'
import type { AgentState } from './agent-states.ts'

/** What `status` has found out. */
export interface StatusFacts {
  readonly agents: readonly AgentState[]
  readonly policy: LoadedPolicy
  readonly activeBypasses: readonly Bypass[]
  readonly trouble: string | undefined
  /** what is wrong with a readable audit log: it was cut, or its database is gone */
  readonly broken?: string | undefined
  /** the audit log cannot be read, so it is unknown which agents called */
  readonly isUnread?: boolean
  /** the state folder cannot be written: only rules that need no stored state apply */
  readonly isLocked: boolean
  /** why the stored data cannot be trusted, so that every call is denied */
  readonly unsafe?: string | undefined
  /** the stored verification of this policy, if there is one */
  readonly proof: StoredVerification | undefined
  readonly now: number
}

export interface StatusVerdict {
  readonly word: 'ENFORCING' | 'DENYING ALL' | 'PARTLY ENFORCING' | 'NOT ENFORCING' | 'UNVERIFIED' | 'OFF' | 'BYPASSED'
  readonly why: string
  /** the command that helps most */
  readonly next: string
}

/** The worst state that applies. ENFORCING only if every installed agent was seen to call, and nothing is bypassed, broken or waiting. */
export function statusVerdictOf(facts: StatusFacts): StatusVerdict {
  const { agents, activeBypasses, now } = facts
  const off = activeBypasses.find(({ id }) => id === OFF_BYPASS_ID)
  if (off)
    return {
      word: 'OFF',
      why: `switched off by \`signalbox off\` since ${formatLocalTime(off.from, now)}`,
      next: 'signalbox on',
    }
  const proven = agents.filter(({ state }) => state === 'enforcing').length
  const withoutHook = agents.filter(({ state }) => state === 'no-hook')
  const summary = `${proven} of ${countNoun(agents.length, 'agent')} enforcing`
  if (agents.length === 0)
    return { word: 'NOT ENFORCING', why: 'no agent was found on this machine', next: 'signalbox init' }
  if (withoutHook.length === agents.length)
    return { word: 'NOT ENFORCING', why: 'no agent calls Signalbox', next: 'signalbox init' }
  if (agents.every(({ state }) => state === 'no-hook' || state === 'broken'))
    return { word: 'NOT ENFORCING', why: summary, next: 'signalbox doctor' }
  if (facts.unsafe !== undefined)
    return { word: 'DENYING ALL', why: `every call: ${facts.unsafe}`, next: 'signalbox doctor' }
  if (facts.isLocked)
    return {
      ...{ word: 'NOT ENFORCING', next: 'signalbox doctor' },
      why: 'the state folder cannot be written: see doctor',
    }
  const [bypass] = activeBypasses
  if (bypass) return { word: 'BYPASSED', why: bypassText(bypass, now), next: 'signalbox bypass --end' }
  if (facts.isUnread)
    return {
      word: 'UNVERIFIED',
      why: 'the audit log cannot be read, so calls are unknown',
      next: 'signalbox doctor',
    }
  if (proven === 0)
    return { word: 'UNVERIFIED', why: summary, next: withoutHook.length > 0 ? 'signalbox init' : 'signalbox doctor' }
  if (proven < agents.length)
    return {
      word: 'PARTLY ENFORCING',
      why: summary,
      next: withoutHook.length > 0 ? 'signalbox init' : 'signalbox doctor',
    }
  return findWeakness(facts) ?? { word: 'ENFORCING', why: summary, next: 'signalbox check' }
}

/** Every agent calls the hook; this checks whether the policy is fully in force. */
function findWeakness({
  policy: { layers, problems },
  trouble,
  broken,
  proof,
}: StatusFacts): StatusVerdict | undefined {
  const word = 'PARTLY ENFORCING'
  if (problems.length > 0)
    return { word, why: `${countNoun(problems.length, 'problem')} in the policy`, next: 'signalbox check' }
  if (proof?.findings.some(({ kind }) => DEADLOCK_KINDS.has(kind)))
    return { word, why: 'an agent can get stuck in the policy', next: 'signalbox check' }
  if (!layers.some(({ layer }) => layer !== 'built-in'))
    return { word, why: "no policy here: only Signalbox's own files are protected", next: 'signalbox init' }
  const waiting = layers.flatMap(({ untrusted }) => untrusted).length
  if (waiting > 0)
    return { word, why: `${countNoun(waiting, 'part')} of the policy not trusted yet`, next: 'signalbox trust' }
  if (broken !== undefined)
    return { word, why: 'the audit log is broken: records were removed or changed', next: 'signalbox audit verify' }
  return trouble === undefined ? undefined : { word, why: 'the audit log has a problem', next: 'signalbox doctor' }
}

const bypassText = ({ gate, until }: Bypass, now: number): string =>
  `${gate ?? 'every gate that can be bypassed'}${until === undefined ? '' : ` until ${formatLocalTime(until, now)} (${formatDuration(until - now)} left)`}`
