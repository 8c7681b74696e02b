import { ensurePrivateFolder } from '../../policy/index.ts'
import { createStoreRecord, type Store } from '../../store/index.ts'
import type { Folders } from '../services/folders.ts'

interface Unread {
  readonly client: string
  readonly root: string
  readonly now: number
  readonly why: string
  /** the client's own name of the event, if known */
  readonly name?: string | undefined
  readonly refused: boolean
}

/** Writes an audit record for a payload that cannot be decoded: often the first sign of a new client version. False: it could not be written. */
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
    // the reply does not depend on the record
    return false
  }
}
