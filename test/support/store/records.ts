import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '../../../src/engine/index.ts'
import { type AuditRecord, type StoreStep, WorkflowStore } from '../../../src/store/index.ts'
import { openDriver, type SqlDriver } from '../../../src/store/sqlite/driver.ts'

export const KEY = { client: 'any', session: 's' }
export const NOW = 1_800_000_000_000
export const AT = { root: '/proj', now: NOW, expiryHours: 12 }

export const recordOf = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  at: NOW,
  client: 'any',
  session: 's',
  event: 'tool.before',
  name: 'PreToolUse',
  caller: 'main',
  turn: 1,
  tool: 'Bash',
  acts: ['run git status'],
  decision: 'pass',
  matches: [],
  moves: [],
  notes: [],
  errors: [],
  policy: 'p',
  ms: 1.5,
  ...more,
})

export const memory = (operations: number) => ({
  state: 'open' as const,
  operations,
  changed: { at: 0, turn: 0, operations: 0 },
})

/** One more operation of gate `g`, recorded. */
export const count = (session: Session, record: Partial<AuditRecord> = {}): StoreStep<number> => {
  const operations = (session.gates.g?.operations ?? 0) + 1
  return { session: { ...session, gates: { g: memory(operations) } }, records: [recordOf(record)], result: operations }
}

/** A folder of its own, gone afterwards, with what was opened in it closed. */
export class Ground {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-store-'))
  private readonly open: { close(): unknown }[] = []

  store(options: ConstructorParameters<typeof WorkflowStore>[1] = {}): WorkflowStore {
    return this.kept(new WorkflowStore(this.state, options))
  }

  database(): SqlDriver {
    return this.kept(openDriver(this.file()))
  }

  get state(): string {
    return join(this.folder, 'state')
  }

  file = (name = 'signalbox.db'): string => join(this.state, name)

  end(): void {
    for (const one of this.open.reverse()) closeQuietly(one)
    rmSync(this.folder, { recursive: true, force: true })
  }

  private kept<T extends { close(): unknown }>(one: T): T {
    this.open.push(one)
    return one
  }
}

function closeQuietly(one: { close(): unknown }): void {
  try {
    one.close()
  } catch {
    // closed by the test itself
  }
}
