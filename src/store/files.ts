import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type GateMemory, newSession, type Session } from '../core/index.ts'
import { isObject } from '../pattern/index.ts'
import { locked } from './lock.ts'
import type { SessionKey, Step, Store } from './store.ts'

/** The first, simple store: one JSON file a session, one a project, an audit trail in JSON lines, one lock around a step. */
export class FileStore implements Store {
  readonly notices: string[] = []

  constructor(private readonly folder: string) {}

  rootOf(key: SessionKey): string | undefined {
    const root = this.read(this.sessionFile(key))?.root
    return typeof root === 'string' ? root : undefined
  }

  transact<T>(key: SessionKey, root: string, now: number, work: (session: Session) => Step<T>): T {
    return locked(join(this.folder, 'lock'), () => {
      const step = work(this.load(key, root, now))
      const { shared, ...own } = step.session
      const lines = step.records.map(record => `${JSON.stringify(record)}\n`).join('')
      if (Object.keys(shared).length > 0) this.write(this.projectFile(root), shared)
      this.write(this.sessionFile(key), own)
      appendFileSync(join(this.folder, 'audit.jsonl'), lines, { mode: 0o600 })
      return step.result
    })
  }

  private load(key: SessionKey, root: string, now: number): Session {
    const fresh = newSession(key.session, root, now)
    const own = this.readOrReset(this.sessionFile(key), isSession)
    const shared = this.readOrReset(this.projectFile(root), isGates)
    return { ...fresh, ...own, shared: shared ?? {} }
  }

  /** What cannot be read is set aside, never lost: the gates begin anew, a closed one closed. */
  private readOrReset<T>(file: string, isSound: (value: unknown) => value is T): T | undefined {
    const text = this.readText(file)
    if (text === undefined) return undefined
    const value = parse(text)
    if (isSound(value)) return value
    const aside = `${file}.damaged-${randomBytes(4).toString('hex')}`
    renameSync(file, aside)
    this.notices.push(`stored state was damaged and has been reset; the damaged file is kept as ${aside}`)
    return undefined
  }

  private read(file: string): { readonly root?: unknown } | undefined {
    const value = parse(this.readText(file) ?? '')
    return isObject(value) ? value : undefined
  }

  private readText(file: string): string | undefined {
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }

  private write(file: string, value: unknown): void {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const next = `${file}.${process.pid}`
    writeFileSync(next, JSON.stringify(value), { mode: 0o600 })
    renameSync(next, file)
  }

  /** Ids come from outside: no part of one becomes a path. */
  private sessionFile = ({ client, session }: SessionKey): string =>
    join(this.folder, 'sessions', `${nameOf(`${client}\n${session}`)}.json`)

  private projectFile = (root: string): string => join(this.folder, 'projects', `${nameOf(root)}.json`)
}

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSession = (value: unknown): value is Session =>
  isObject(value) &&
  typeof value.id === 'string' &&
  typeof value.root === 'string' &&
  typeof value.turn === 'number' &&
  isGates(value.gates) &&
  Array.isArray(value.waiting) &&
  Array.isArray(value.queue) &&
  isObject(value.denials)

const isGates = (value: unknown): value is { [id: string]: GateMemory } =>
  isObject(value) &&
  Object.values(value).every(
    gate => isObject(gate) && (gate.state === 'open' || gate.state === 'closed') && isObject(gate.changed),
  )
