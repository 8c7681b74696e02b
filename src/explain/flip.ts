import { type Decision, type Event, evaluate, type Gate, type Input, type Tools } from '../core/index.ts'
import { byAddition } from './by-addition.ts'
import { byCaller, byCommand } from './by-call.ts'
import { byMessage } from './by-message.ts'
import { byState, refusing, Search } from './by-state.ts'
import { laxer } from './laxer.ts'
import { type Flip, flipped, type Option, type Turning } from './turning.ts'

/** The changes that matter, each played: a state, a caller, the least that could be left out of the command. */
export function flipsOf(input: Input, tools: Tools, turning: Turning): readonly Flip[] {
  const { outcome, record } = evaluate(input, tools)
  const single = optionsOf(input, tools, turning)
  const ids = refusing(record)
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  if (single.length > 0 || !isRefused || ids.size < 2) return single.map(plain)
  const gates = input.program.gates.filter(gate => ids.has(gate.id))
  return together(gates, input, tools, turning)
}

const plain = ({ by, decision, says }: Option): Flip => ({ by, decision, says })

const optionsOf = (input: Input, tools: Tools, turning: Turning): readonly Option[] => [
  ...byState(input, tools, turning),
  ...byCaller(input, tools, turning),
  ...byCommand(input, tools, turning),
  ...added(input, tools, turning),
]

function added(input: Input, tools: Tools, turning: Turning): readonly Option[] {
  const { outcome, record } = evaluate(input, tools)
  if (outcome.decision !== 'deny' && outcome.decision !== 'ask') return []
  const ask = (event: Event): Decision => evaluate({ ...input, event }, tools).outcome.decision
  const asking = { input, now: outcome.decision, refused: record, ask, turning }
  return [...byAddition(asking), ...byMessage(asking)]
}

/** Choices that are played: with several gates in the way there are soon many. */
const MOST_CHOICES = 64

/** No single change does: what each gate wants if it were the only one, put together where all of it at once holds. */
function together(gates: readonly Gate[], input: Input, tools: Tools, turning: Turning): readonly Flip[] {
  const each = gates.map(gate => {
    const others = new Set(gates.filter(one => one !== gate))
    const looking = input.program.gates.map(one => (others.has(one) ? { ...one, mode: 'observe' as const } : one))
    const alone = { ...input, program: { ...input.program, gates: looking } }
    const answered: Turning = { ...turning, play: ways => onlyFor(alone, turning.play(ways)) }
    return optionsOf(alone, tools, answered)
  })
  const now = evaluate(input, tools).outcome.decision
  const flips = choicesOf(each).flatMap((choice): readonly Flip[] => {
    const [first] = choice
    const decision = first && answerTo(choice, input, tools, turning, now)
    if (!first || decision === undefined) return []
    const changes = [...new Set(choice.map(one => one.change))].join(', and ')
    return [{ by: first.by, decision, says: flipped(changes, decision) }]
  })
  return flips.slice(0, MOST_TOLD)
}

/** Of choices that hold: whoever reads them takes one. */
const MOST_TOLD = 3

const onlyFor = (alone: Input, played: ReturnType<Turning['play']>): typeof played =>
  'input' in played ? { input: { ...played.input, program: alone.program } } : played

const choicesOf = (each: readonly (readonly Option[])[]): readonly (readonly Option[])[] =>
  each.reduce<readonly (readonly Option[])[]>(
    (all, options) => all.flatMap(choice => options.map(one => [...choice, one])).slice(0, MOST_CHOICES),
    [[]],
  )

/** All of it at once, with every gate in force; undefined where that changes nothing. */
function answerTo(
  choice: readonly Option[],
  input: Input,
  tools: Tools,
  turning: Turning,
  now: Decision,
): Decision | undefined {
  const callers = choice.flatMap(one => one.caller ?? [])
  const events = choice.flatMap(one => one.event ?? [])
  if (callers.length > 1 || events.length > 1) return undefined
  const [event = input.event] = events
  const [caller] = callers
  const asked: Turning = {
    ...turning,
    play: ways => {
      const played = turning.play(ways)
      if (!('input' in played)) return played
      const changed = { ...played.input, event }
      const input = caller ? turning.as(caller, changed) : changed
      return input ? { input } : { at: ways.length, by: undefined }
    },
  }
  const done = choice.flatMap(one => one.done ?? [])
  const found = new Search(input, tools, asked, now).find(done, done.length)
  return found && laxer(found.decision, now) ? found.decision : undefined
}
