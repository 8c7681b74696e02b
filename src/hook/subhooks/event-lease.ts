import { createRequire } from 'node:module'
import { hasErrorCode } from '../../lib/errors.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { SessionKey, Store } from '../../store/index.ts'
import { parseStoredReply, type StoredReply } from '../phases/recorded-reply.ts'
import { processEntry } from '../process/process-table.ts'

/** The process that holds the lease and runs the sub-hooks of an event. */
type Asker = {
  readonly pid: number
  /** start time of the process, since process ids are reused; '' if unknown */
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
  /** the reentrancy markers in this process's environment */
  readonly inside: readonly string[]
  /** how much longer to wait for an answer, in ms */
  readonly left: () => number
  /** when this process will have answered, in ms since 1970 */
  readonly until: number
}

/** `given`: another process's reply. `inside`: the lease holder is running, and this process is part of its sub-hooks. */
export type LeaseResult = { readonly given: StoredReply } | 'ours' | 'inside' | 'late'

/**
 * Decides which process runs the sub-hooks of an event that may have reached several processes: one runs them, the others wait for its
 * reply. A process that died loses its lease. No process waits longer than its own time limit.
 */
export async function acquireEventLease(claiming: LeaseRequest): Promise<LeaseResult> {
  const { store, key, identity, inside, left } = claiming
  for (let pause = 2; ; pause = Math.min(pause * 2, 25)) {
    // reading takes no lock; only a lease that seems free is requested
    const leaseHolder = inForce(store.claim(key, identity)) ?? take(claiming)
    const ours = leaseHolder?.mark === claiming.mark
    // replies are stored before the lease ends, so once we hold the lease a missing reply means that no process answered
    const stored = parseStoredReply(store.recall(key, identity))
    if (stored) return { given: stored }
    if (!leaseHolder || ours) return 'ours'
    if (inside.includes(leaseHolder.mark)) return 'inside'
    if (left() <= 0) return 'late'
    await new Promise(done => setTimeout(done, Math.min(pause, left())))
  }
}

/** Takes the lease if it is free. Returns its holder. */
function take({ store, key, identity, mark, until }: LeaseRequest): Asker | undefined {
  const { pid } = process
  const own = { pid, born: bornOf(pid), host: hostName(), until, mark }
  return inForce(store.claim(key, identity, claim => (inForce(claim) ? undefined : own)))
}

function inForce(claim: JsonObject | undefined): Asker | undefined {
  if (!isAsker(claim) || claim.until < Date.now()) return undefined
  // the process table shows only this host; elsewhere only the expiry counts
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
    return hasErrorCode(error, 'EPERM')
  }
}

const bornOf = (pid: number): string => processEntry(pid)?.born ?? ''

/** `node:os` is loaded lazily: most events need no lease. */
const hostName = (): string => {
  const { hostname }: typeof import('node:os') = createRequire(import.meta.url)('node:os')
  return hostname()
}
