import { type Found, gateOf, whatOf, wordOf } from '../trail/index.ts'
import type { DecisionRow } from './api.ts'
import { endOf } from './call-ends.ts'

/** A record as the feed shows it. */
export function rowOf({ seq, record }: Found): DecisionRow {
  const { at, decision, client, session, caller, agent, event, tool, gate, rule, ms, errors, moves, matches } = record
  const about = gateOf(record)
  const ended = endOf(record)
  // of a gate that did not decide, what it said all the same
  const said = about === gate ? rule : matches.find(one => one.gate === about)?.rule
  return {
    ...{ n: seq, at, word: wordOf(record), decision, client, session, caller, event },
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
    what: whatOf(record),
    ...(about !== undefined && { gate: about }),
    ...(said !== undefined && { rule: said }),
    ...(ms !== undefined && { ms }),
    errors: errors.length,
    ...(ended !== undefined && { ended }),
    moves,
  }
}
