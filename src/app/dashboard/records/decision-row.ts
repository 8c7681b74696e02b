import { describeRecord, gateOfRecord, outcomeLabelOf, type ParsedRecord } from '../../../audit/index.ts'
import type { DecisionRow } from '../api.ts'
import { callResultOf } from './call-results.ts'

/** A record as a row of the feed. */
export function decisionRowOf({ seq, record }: ParsedRecord): DecisionRow {
  const { at, decision, client, session, caller, agent, event, tool, gate, rule, ms, errors, moves, matches } = record
  const about = gateOfRecord(record)
  const ended = callResultOf(record)
  // if the gate did not decide, the rule that matched
  const shownRule = about === gate ? rule : matches.find(match => match.gate === about)?.rule
  return {
    ...{ n: seq, at, outcome: outcomeLabelOf(record), decision, client, session, caller, event },
    ...(agent !== undefined && { agent }),
    ...(tool !== undefined && { tool }),
    what: describeRecord(record),
    ...(about !== undefined && { gate: about }),
    ...(shownRule !== undefined && { rule: shownRule }),
    ...(ms !== undefined && { ms }),
    errors: errors.length,
    ...(ended !== undefined && { ended }),
    moves,
  }
}
