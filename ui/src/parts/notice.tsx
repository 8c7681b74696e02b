import type { DashboardStatus } from '../../../src/app/dashboard/api.ts'
import { type ConnectionState, useConnectionState } from '../api/connection-state.ts'
import { CommandLine } from './command-line.tsx'
import { useStatus } from './status.tsx'

interface NoticeTexts {
  readonly title: string
  readonly text: string
  readonly command: string
}

const CUT: Readonly<Record<Exclude<ConnectionState, 'here'>, NoticeTexts>> = {
  gone: {
    title: 'The daemon does not respond.',
    text: 'You see the last data. Hooks still work without the daemon. Run this command and open the URL it prints in this browser. This page then continues:',
    command: 'signalbox ui',
  },
  locked: {
    title: 'This browser is not logged in.',
    text: 'A dashboard URL works once, and the login ends when the dashboard stops. Run this command and open the URL it prints in this browser. This page then continues:',
    command: 'signalbox ui',
  },
}

const LOCKED: NoticeTexts = {
  title: 'Another program has locked the database.',
  text: 'Nothing is lost, and this page continues when the lock is released. Until then, calls that need the database get the failure answer of your policy. If it lasts:',
  command: 'signalbox doctor',
}

const damaged = (problem: string): NoticeTexts => ({
  title: 'The audit log cannot be read.',
  text: `The error is: ${problem}. Hooks still work, and so do the pages about the policy. To see what is lost and what to do:`,
  command: 'signalbox doctor',
})

const broken = (problem: string): NoticeTexts => ({
  title: 'The audit log is broken.',
  text: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. Numbers and lists may be incomplete. Hooks still work. To list the missing records:`,
  command: 'signalbox audit verify',
})

function wrongWith(trail: Partial<DashboardStatus['auditLog']> = {}): NoticeTexts | undefined {
  if (trail.problem !== undefined) return trail.isLocked ? LOCKED : damaged(trail.problem)
  return trail.broken === undefined ? undefined : broken(trail.broken)
}

/** A notice on every page if the server does not answer or the audit log cannot be read. */
export function Notice() {
  const line = useConnectionState()
  const trail = useStatus().data?.auditLog
  const problem = line === 'here' ? wrongWith(trail) : CUT[line]
  if (!problem) return null
  return (
    <div className="notice" role="alert">
      <strong>{problem.title}</strong>
      <span>{problem.text}</span>
      <CommandLine line={problem.command} />
    </div>
  )
}
