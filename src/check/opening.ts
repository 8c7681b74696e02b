import type { Gate } from '../core/index.ts'
import { promptsToOpen, unheard, unprompted } from './asking.ts'
import { isHindrance } from './hindrance.ts'
import type { Inquiry } from './inquiry.ts'
import { deadlock, findStuck, findStuckAgent } from './stuck.ts'
import type { Claim, Task } from './task.ts'
import type { Ways } from './way.ts'

/** What is to be shown of a gate that agents open, where that is not seen without looking. */
export function openingOf(inquiry: Inquiry, ways: Ways, gate: Gate): readonly Claim[] {
  if (gate.initial === undefined || gate.opens === 'human' || !isHindrance(inquiry, gate)) return []
  const whole: Claim = {
    isKnown: () => ways.opens(gate),
    holds: cone => ways.learn(gate, cone),
    fails: explored => findStuck(explored, gate),
    tell: (moves, at) => unprompted(inquiry, gate, moves, at) ?? deadlock(inquiry, gate, moves, at),
  }
  const ofAgent: Claim = {
    isKnown: () => ways.opensForEach(gate),
    fails: explored => findStuckAgent(explored, gate),
    tell: (moves, at) => deadlock(inquiry, gate, moves, at, at.live?.type),
  }
  return (gate.scope === 'agent' ? [whole, ofAgent] : [whole]).filter(claim => !claim.isKnown?.())
}

/** Only a person opens it, by a prompt: may that be refused for good? */
export function askingOf(inquiry: Inquiry, gate: Gate): readonly Task[] {
  const prompts = promptsToOpen(inquiry, gate)
  if (prompts.length === 0) return []
  const claim: Claim = {
    fails: explored => findStuck(explored, gate),
    tell: (moves, at) => unheard(inquiry, gate, prompts, moves, at),
  }
  const cone = { ...inquiry.field.cone([gate], prompts), prompted: gate }
  return [{ cone, claims: [claim], isPlain: true, parts: [] }]
}
