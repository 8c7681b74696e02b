import { readFileSync } from 'node:fs'
import { type Running, until, withDaemon } from '../support/daemon.ts'
import type { Sandbox } from '../support/sandbox.ts'
import { Visitor } from './dashboard-visitor.ts'

export const GATES = `
gates:
  tests-before-commit:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Run the tests first. }
  no-push:
    mode: observe
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Not now. }]
  never:
    rules: [{ when: { event: tool.before, command: shutdown }, then: deny, message: No. }]
`

export interface Opened {
  readonly daemon: Running
  readonly sandbox: Sandbox
  readonly visitor: Visitor
  readonly url: string
}

/** What `signalbox ui --json` prints. */
export async function ui(
  { sandbox }: Running,
  ...args: readonly string[]
): Promise<{ url: string; port: number; pid: number }> {
  const { exitCode, stdout, stderr } = await sandbox.run(['ui', '--json', ...args])
  if (exitCode !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** A daemon of its own, and somebody who is let in to its dashboard. */
export function withDashboard<T>(work: (opened: Opened) => Promise<T>, policy = GATES): Promise<T> {
  return withDaemon(
    async daemon => {
      await daemon.start()
      const { url, pid } = await ui(daemon)
      try {
        return await work({ daemon, sandbox: daemon.sandbox, visitor: await Visitor.enter(url), url })
      } finally {
        await daemon.end()
        await until(() => !isAlive(pid))
      }
    },
    { project: policy },
  )
}

/** Its first process may take its time to bury it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
