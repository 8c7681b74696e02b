import type { DashboardStatus } from '../../../src/app/dashboard/api.ts'
import { type ConnectionState, useConnectionState } from '../api/connection-state.ts'
import { CommandLine } from './command-line.tsx'
import { useStatus } from './status.tsx'

interface Said {
  readonly title: string
  readonly says: string
  readonly command: string
}

const CUT: Readonly<Record<Exclude<ConnectionState, 'here'>, Said>> = {
  gone: {
    title: 'The daemon does not answer.',
    says: 'You see what it said last. Agents are judged all the same: each hook works without it. Run this command and open the address that it prints in this browser. This page then goes on by itself:',
    command: 'signalbox ui',
  },
  locked: {
    title: 'This browser has no key.',
    says: 'An address lets in one browser, once, and its key is good until the dashboard ends or restarts. Run this command and open the address that it prints in this browser. This page then goes on by itself:',
    command: 'signalbox ui',
  },
}

const HELD: Said = {
  title: 'Another program holds the database.',
  says: 'Nothing is lost, and this page goes on by itself when it lets go. Meanwhile a call of an agent that needs the database is answered as your policy says for failures. If it lasts:',
  command: 'signalbox doctor',
}

const damaged = (problem: string): Said => ({
  title: 'What was recorded cannot be read.',
  says: `It says: ${problem}. Agents are judged all the same, and pages about the policy work. What is lost, and what to do:`,
  command: 'signalbox doctor',
})

const broken = (problem: string): Said => ({
  title: 'The audit trail is broken.',
  says: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. Numbers and lists may miss what happened before. Agents are judged all the same. What is missing, record by record:`,
  command: 'signalbox audit verify',
})

function wrongWith(trail: Partial<DashboardStatus['trail']> = {}): Said | undefined {
  if (trail.problem !== undefined) return trail.isLocked ? HELD : damaged(trail.problem)
  return trail.broken === undefined ? undefined : broken(trail.broken)
}

/** A notice on every page if the server does not answer or the audit log cannot be read. */
export function Notice() {
  const line = useConnectionState()
  const trail = useStatus().data?.trail
  const said = line === 'here' ? wrongWith(trail) : CUT[line]
  if (!said) return null
  return (
    <div className="notice" role="alert">
      <strong>{said.title}</strong>
      <span>{said.says}</span>
      <CommandLine line={said.command} />
    </div>
  )
}
