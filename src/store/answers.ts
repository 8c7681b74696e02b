import { sha256 } from './digest.ts'

/** The events of a session that were answered last, newest first, each with the record its reply is kept beside: ` name:seq name:seq`. */
export type Given = string

/** An event comes twice within seconds: no session has so many in between. */
const KEPT = 32
/** 80 bits, in hex. An identity holds the event's own words, which may be long, or secret. */
const NAME = 20

export function seqOf(given: Given, identity: string): number | undefined {
  const name = ` ${nameOf(identity)}:`
  const at = given.indexOf(name)
  return at < 0 ? undefined : Number.parseInt(given.slice(at + name.length), 10)
}

export function withAnswer(given: Given, identity: string, seq: number): Given {
  const entry = ` ${nameOf(identity)}:${seq}`
  const all = entry + given
  // numbers only grow, so no entry is longer than this one
  const longest = KEPT * entry.length
  return all.length <= longest ? all : all.slice(0, all.lastIndexOf(' ', longest))
}

/** It is asked for and then kept: one hash for both. */
const nameOf = (identity: string): string => {
  if (last.identity !== identity) last = { identity, name: sha256(identity).slice(0, NAME) }
  return last.name
}
let last = { identity: '', name: '' }
