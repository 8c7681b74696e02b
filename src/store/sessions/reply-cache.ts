import { sha256 } from '../digest.ts'

/** The last answered events of a session, newest first, each with the record that holds its reply: ` name:seq name:seq`. */
export type ReplyIndex = string

/** A client repeats an event within seconds, and no session has this many events in between. */
const MAX_REPLIES = 32
/** 80 bits, in hex. Hashed, because an identity contains text of the event, which can be long or secret. */
const EVENT_HASH_LENGTH = 20

export function findReplySeq(given: ReplyIndex, identity: string): number | undefined {
  const name = ` ${hashEvent(identity)}:`
  const at = given.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(given.slice(at + name.length), 10)
}

export function addReply(given: ReplyIndex, identity: string, seq: number): ReplyIndex {
  const entry = ` ${hashEvent(identity)}:${seq}`
  const all = entry + given
  // sequence numbers only grow, so no older entry is longer than this one
  const longest = MAX_REPLIES * entry.length
  return all.length <= longest ? all : all.slice(0, all.lastIndexOf(' ', longest))
}

/** Remembers the last hash: an event is looked up and then stored under the same identity. */
const hashEvent = (identity: string): string => {
  if (lastHash.identity !== identity) lastHash = { identity, name: sha256(identity).slice(0, EVENT_HASH_LENGTH) }
  return lastHash.name
}
let lastHash = { identity: '', name: '' }
