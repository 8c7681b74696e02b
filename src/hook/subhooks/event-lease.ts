import { createRequire } from 'node:module'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { SessionKey, Store } from '../../store/index.ts'
import { parseStoredReply, type StoredReply } from '../events/idempotency.ts'
import { processEntry } from '../process/process-table.ts'

/** The process that asks the sub-hooks of an event. */
type Asker = {
  readonly pid: number
  /** when that process was: numbers are used again. '' where it cannot be told */
  readonly born: string
  readonly host: string
  /** when it will have answered, in ms since 1970 */
  readonly until: number
  readonly mark: string
}

export interface LeaseRequest {
  readonly store: Store
  readonly key: SessionKey
  readonly identity: string
  readonly mark: string
  /** the marks this process runs under */
  readonly inside: readonly string[]
  /** how much longer an answer is worth waiting for, in ms */
  readonly left: () => number
  /** when this process will have answered, in ms since 1970 */
  readonly until: number
}

/** `given`: the reply that another process gave. `inside`: it is asking right now, and this process is part of that. */
export type LeaseResult = { readonly given: StoredReply } | 'ours' | 'inside' | 'late'

/**
 * Whose turn it is to ask the sub-hooks of an event that may have come to several processes: one asks, the others wait for its
 * answer. One that died has lost its turn; and nobody waits longer than it has time.
 */
export async function acquireEventLease(claiming: LeaseRequest): Promise<LeaseResult> {
  const { store, key, identity, inside, left } = claiming
  for (let pause = 2; ; pause = Math.min(pause * 2, 25)) {
    // looking takes no lock; only what seems free is reached for
    const asker = inForce(store.claim(key, identity)) ?? take(claiming)
    const ours = asker?.mark === claiming.mark
    // an answer comes before its asker is gone: who has the turn knows by now whether there is one
    const given = parseStoredReply(store.recall(key, identity))
    if (given) return { given }
    if (!asker || ours) return 'ours'
    if (inside.includes(asker.mark)) return 'inside'
    if (left() <= 0) return 'late'
    await new Promise(done => setTimeout(done, Math.min(pause, left())))
  }
}

/** Takes the turn, unless somebody has it: gives who has it then. */
function take({ store, key, identity, mark, until }: LeaseRequest): Asker | undefined {
  const { pid } = process
  const own = { pid, born: bornOf(pid), host: hostName(), until, mark }
  return inForce(store.claim(key, identity, claim => (inForce(claim) ? undefined : own)))
}

function inForce(claim: JsonObject | undefined): Asker | undefined {
  if (!isAsker(claim) || claim.until < Date.now()) return undefined
  // of another machine, or another container, only the clock tells
  return claim.host !== hostName() || isAlive(claim) ? claim : undefined
}

const isAsker = (claim: unknown): claim is Asker =>
  isObject(claim) &&
  typeof claim.pid === 'number' &&
  typeof claim.until === 'number' &&
  [claim.born, claim.host, claim.mark].every(word => typeof word === 'string')

function isAlive({ pid, born }: Asker): boolean {
  if (born !== '') return bornOf(pid) === born
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const bornOf = (pid: number): string => processEntry(pid)?.born ?? ''

/** Loaded here: most events have nobody to wait for. */
const hostName = (): string => {
  const { hostname }: typeof import('node:os') = createRequire(import.meta.url)('node:os')
  return hostname()
}
