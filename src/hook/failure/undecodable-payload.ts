import { ensurePrivateFolder } from '../../policy/index.ts'
import { createStoreRecord, type Store } from '../../store/index.ts'
import type { Folders } from '../services/folders.ts'

interface Unread {
  readonly client: string
  readonly root: string
  readonly now: number
  readonly why: string
  /** the client's own name of the event, as far as it could be told */
  readonly name?: string | undefined
  readonly refused: boolean
}

/** A payload that nobody can read leaves a line in the trail too: of a client's new version that is the first sign. False: it could not be written. */
export function recordUndecodablePayload(unread: Unread, store: Store, { state }: Folders): boolean {
  const { client, root, now, why, name = 'unread', refused } = unread
  const record = { ...createStoreRecord(name, now, 'the payload could not be read'), client, root, errors: [why] }
  const key = { client: `${client}, by project`, session: root }
  try {
    ensurePrivateFolder(state)
    return store.transact(key, { root, now, expiryHours: 1 }, ({ unwritable }) => ({
      records: [{ ...record, decision: refused ? 'deny' : 'pass' }],
      result: unwritable === undefined,
    }))
  } catch {
    // the answer is given all the same
    return false
  }
}
