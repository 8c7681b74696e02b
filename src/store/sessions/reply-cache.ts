import { sha256 } from '../digest.ts'

/** The events of a session that were answered last, newest first, each with the record its reply is kept beside: ` name:seq name:seq`. */
export type ReplyIndex = string

/** An event comes twice within seconds: no session has so many in between. */
const MAX_REPLIES = 32
/** 80 bits, in hex. An identity holds the event's own words, which may be long, or secret. */
const EVENT_HASH_LENGTH = 20

export function findReplySeq(given: ReplyIndex, identity: string): number | undefined {
  const name = ` ${hashEvent(identity)}:`
  const at = given.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(given.slice(at + name.length), 10)
}

export function addReply(given: ReplyIndex, identity: string, seq: number): ReplyIndex {
  const entry = ` ${hashEvent(identity)}:${seq}`
  const all = entry + given
  // numbers only grow, so no entry is longer than this one
  const longest = MAX_REPLIES * entry.length
  return all.length <= longest ? all : all.slice(0, all.lastIndexOf(' ', longest))
}

/** It is asked for and then kept: one hash for both. */
const hashEvent = (identity: string): string => {
  if (lastHash.identity !== identity) lastHash = { identity, name: sha256(identity).slice(0, EVENT_HASH_LENGTH) }
  return lastHash.name
}
let lastHash = { identity: '', name: '' }
