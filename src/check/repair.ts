import type { Gate, Rule, Transition } from '../core/index.ts'
import type { Condition } from '../pattern/index.ts'
import { rulesOf } from './atom.ts'
import { callDeed, type Deed, mayBeRefusedBy, mayHappen, refusable } from './deed.ts'
import { waitsForOpen } from './guarding.ts'
import type { Inquiry } from './inquiry.ts'
import { unwitnessed } from './merge-findings.ts'
import { deedWords } from './words.ts'

/**
 * Gates that refuse every write until a command has succeeded that may need a write to succeed: "tests red: no edit until green". Whether
 * a command succeeds nobody knows before it is run, so that is a note and no finding. Of git that is not asked: it seldom needs one.
 */
export function unrepairable(inquiry: Inquiry, gate: Gate): readonly string[] {
  if (gate.initial === undefined || gate.opens === 'human' || gate.mode !== 'block') return []
  const rule = refusingWrites(inquiry, gate)
  const words = rule && neededBy(inquiry, gate, [])
  if (!rule || words === undefined) return []
  const at = rule.at ?? gate.at ?? gate.id
  return [
    `${gate.name} refuses every write until \`${words}\` succeeds, and that may need one to succeed: refuse what comes after the change (\`command: git commit\`) in place of the change, or let writes pass that it may take (\`unless: { path: … }\`) (${at})`,
  ]
}

/** Its rule that refuses a write, where it refuses each. */
function refusingWrites(inquiry: Inquiry, gate: Gate): Rule | undefined {
  const [any] = anyWrite(inquiry)
  const rule = any && refusing(inquiry, gate, any)
  return rule && inquiry.field.deeds.every(deed => !isWrite(deed) || refusing(inquiry, gate, deed)) ? rule : undefined
}

/** Its rule that refuses the deed until the gate is open, however often it is tried. */
const refusing = ({ oracle, view }: Inquiry, gate: Gate, deed: Deed): Rule | undefined =>
  rulesOf(gate).find(
    rule =>
      rule.limit === undefined &&
      waitsForOpen(rule, gate, deed, { oracle, view }) &&
      refusable(deed).some(event => mayBeRefusedBy(rule, event, oracle, view, deed.call?.approved)),
  )

/** The command that has to succeed before it opens; undefined where something else opens it, or might. */
function neededBy(inquiry: Inquiry, gate: Gate, waiting: readonly Gate[]): string | undefined {
  if (waiting.includes(gate) || gate.opens === 'human') return undefined
  const each = gate.transitions
    .filter(one => one.to === 'open')
    .map(step => commandFor(inquiry, gate, step) ?? neededFirst(inquiry, gate, step, waiting))
  return each.every(one => one !== undefined) ? each[0] : undefined
}

/** It is to succeed, and its failure or a write closes the gate again. */
function commandFor(inquiry: Inquiry, gate: Gate, step: Transition): string | undefined {
  const parts = partsOf(step.when)
  const isSuccess = parts.some(one => 'key' in one && one.key === 'succeeded' && one.in.every(is => is === 'true'))
  const isOfFiles = parts.some(
    one =>
      'key' in one && one.key === 'command' && one.in.every(match => !('reading' in match) && match.program !== 'git'),
  )
  if (step.clock || !isSuccess || !isOfFiles || !isClosedByWork(inquiry, gate, step)) return undefined
  const deed = causesOf(inquiry, step).find(one => one.by === 'main')
  return deed && unwitnessed(deedWords(deed))
}

/** Whoever may bring it about is refused that by another gate, which waits for such a command itself. */
function neededFirst(inquiry: Inquiry, gate: Gate, step: Transition, waiting: readonly Gate[]): string | undefined {
  const causes = causesOf(inquiry, step).filter(one => one.by === 'main')
  const each = causes.map(deed => {
    const others = inquiry.field.refusers(deed).filter(one => one !== gate && refusing(inquiry, one, deed))
    return others.map(one => neededBy(inquiry, one, [...waiting, gate])).find(Boolean)
  })
  return each.every(Boolean) ? each[0] : undefined
}

const causesOf = ({ field }: Inquiry, step: Transition): readonly Deed[] => field.causes([step])

function isClosedByWork({ field, oracle }: Inquiry, gate: Gate, opening: Transition): boolean {
  const closing = gate.transitions.filter(one => one.to === 'closed')
  const opens = (deed: Deed): boolean => deed.events.some(event => mayHappen(opening, event, oracle))
  return closing.some(one => one.clock) || field.movers(gate, 'closed').some(deed => isWrite(deed) || opens(deed))
}

/** Where nothing tells it from other calls, one of these stands for it. */
function anyWrite({ tools, view }: Inquiry): readonly Deed[] {
  const short = { write: 'some.txt' }
  const before = tools.read(short)
  return before?.call ? [callDeed({ short, before, approved: false, witnessed: false }, 'main', view)] : []
}

const isWrite = ({ call }: Deed): boolean => call?.before.call?.acts.some(({ action }) => action === 'write') === true

const partsOf = (condition: Condition): readonly Condition[] => ('all' in condition ? condition.all : [condition])
