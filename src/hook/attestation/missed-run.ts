import {
  type Action,
  type Caller,
  type CommandMatcher,
  type Condition,
  callerKey,
  type EvaluationInput,
  type EvaluationResult,
  type Event,
  type Gate,
  inferCaller,
  matchCommands,
  suggestionText,
  toCommandLine,
  type Word,
} from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import { createMask } from '../../store/index.ts'
import { findSimilarRun, isPython } from './similar-run.ts'

/** Session key: why the latest run of a gate's command did not open the gate. By gate, and by caller if the gate's scope is `agent`. */
export const MISSED_RUNS = 'missed-runs'

/**
 * Records in the session why a run did not count for a gate that waits for its success. The gate's next denial includes the reason and what
 * to run instead.
 */
export function withMissedRuns(result: EvaluationResult, input: EvaluationInput): EvaluationResult {
  const { event, program } = input
  const known = missedIn(result)
  const ended = event.kind === 'tool.after' || event.kind === 'tool.failed' || mayEndUnreported(input)
  if (!ended && Object.keys(known).length === 0) return result
  const { caller } = inferCaller(input)
  const keyOf = (gate: Gate): string => gateKey(gate, caller)
  const { gates, shared } = result.session
  const own = program.gates.flatMap(gate => {
    const key = keyOf(gate)
    const { state } = gates[key] ?? shared[key] ?? { state: gate.initial }
    const text = state === 'closed' ? ((ended ? missedBy(gate, input) : undefined) ?? known[key]) : undefined
    return entry(key, text)
  })
  // a gate with scope `agent` may be closed for other callers too
  const others = Object.entries(known).filter(([key]) =>
    program.gates.some(gate => gate.scope === 'agent' && key.startsWith(`${gate.id}@`) && key !== keyOf(gate)),
  )
  const next: Missed = Object.fromEntries([...others, ...own])
  const isSame = JSON.stringify(next) === JSON.stringify(known)
  const changed = isSame ? result : withMissed(result, next)
  const mine = Object.fromEntries(program.gates.flatMap(gate => entry(gate.id, next[keyOf(gate)])))
  return reminded(changed, mine)
}

/** The key of a gate's state in the session. */
export const gateKey = ({ id, scope }: Gate, caller: Caller): string =>
  scope === 'agent' ? `${id}@${callerKey(caller)}` : id

/** A client that reports no exit codes may send no event either when it returns a call whose command still runs: the call itself is noted. */
export const mayEndUnreported = ({ event, capabilities }: Pick<EvaluationInput, 'event' | 'capabilities'>): boolean =>
  event.kind === 'tool.before' && !capabilities.reportsExit && isSigned(event)

/** The same for gates that another call closes while the command runs. */
export function withInvalidatedRuns(result: EvaluationResult, event: Event, gates: readonly Gate[]): EvaluationResult {
  const texts = gates.flatMap(gate => {
    const action = runFor(gate, event)
    return action && action.ended !== 'failed'
      ? entry(
          gateKey(gate, event.caller),
          missed(action, event, 'a call that was made while it ran closed the gate.', 'it again'),
        )
      : []
  })
  if (texts.length === 0) return result
  return withMissed(result, { ...missedIn(result), ...Object.fromEntries(texts) })
}

const withMissed = (result: EvaluationResult, next: Missed): EvaluationResult => ({
  ...result,
  session: { ...result.session, exported: { ...result.session.exported, [MISSED_RUNS]: next } },
})

type Missed = Readonly<Record<string, string>>

const entry = (key: string, text: string | undefined) => (text === undefined ? [] : [[key, text] as const])

function missedIn({ session }: EvaluationResult): Missed {
  const found = session.exported?.[MISSED_RUNS]
  if (!isObject(found)) return {}
  return Object.fromEntries(
    Object.entries(found).flatMap(([id, text]) => (typeof text === 'string' ? [[id, text]] : [])),
  )
}

/** Appends to the gate's denial why the latest run did not count. */
function reminded(result: EvaluationResult, missed: Missed): EvaluationResult {
  const { outcome, record } = result
  if (outcome.decision !== 'deny' || record.event !== 'tool.before') return result
  const texts = record.matches.flatMap(({ gate, effect }) => (effect === 'deny' ? (missed[gate] ?? []) : []))
  if (texts.length === 0) return result
  const reason = [outcome.reason, ...new Set(texts)].join('\n')
  return { ...result, outcome: { ...outcome, reason }, record: { ...record, reason } }
}

/** Far more than is shown of a line. */
const LONGEST_READ = 4000

const patternsOf = (gate: Gate): readonly CommandMatcher[] =>
  gate.transitions.filter(({ to }) => to === 'open').flatMap(({ when }) => awaitedIn(when))

/** The action of the call that runs a command the gate waits for. */
function runFor(gate: Gate, { call }: Event): Action | undefined {
  const patterns = patternsOf(gate)
  return call?.acts.find(({ words }) => words && isRun(patterns, words, 'any'))
}

/** Why a run that the gate waits for did not open it. */
function missedBy(gate: Gate, { event, capabilities }: EvaluationInput): string | undefined {
  const { reportsExit } = capabilities
  const action = runFor(gate, event)
  if (!action) return otherRunBy(gate, event, reportsExit)
  const unsigned = unsignedWhy(action, event, reportsExit)
  const unended = isUnended(action, event)
  if (unended && unsigned === undefined && isSigned(event))
    return `Your last run, \`${shownLine(action, event)}\`, is still running. The gate opens when it succeeds: wait until it ends and read its output, then try again. If it was stopped, give it a longer timeout.`
  if (event.kind === 'tool.before') return undefined
  const why = unsigned ?? (unended ? unendedWhy(event, reportsExit) : whyNot(action, event, patternsOf(gate)))
  const instead =
    unended && !unsigned
      ? signedInstead(gate, action, event)
      : insteadOf(gate, action, event, reportsExit, why === FAILED ? 'again' : 'alone')
  return why && missed(action, event, why, unsigned ? instead + SANDBOX : instead)
}

/** A run that people take for the one that the gate waits for: `yarn test` for `npm test`. */
function otherRunBy(gate: Gate, event: Event, reportsExit: boolean): string | undefined {
  if (event.kind === 'tool.before') return undefined
  const { action, named } = findSimilarRun(patternsOf(gate), event.call?.acts ?? []) ?? {}
  if (!action || named === undefined) return undefined
  const instead = `\`${reportsExit ? named : signed(named)}\``
  return missed(action, event, `it is not \`${named}\`, which the policy names.`, instead)
}

/** The call has ended, and its command may still run. */
const isUnended = ({ ended, implied }: Action, event: Event): boolean =>
  ended === undefined &&
  (event.kind === 'tool.before' || event.call?.status === 'unknown') &&
  (implied || isBackground(event))

const isBackground = ({ call }: Event): boolean => call?.input.run_in_background === true

function unendedWhy(event: Event, reportsExit: boolean): string {
  if (isBackground(event)) return BACKGROUND
  return reportsExit
    ? 'no exit code was reported: it may still be running, or it was stopped.'
    : 'this agent reports no exit codes.'
}

/** The command has ended and is not signed. An agent that reports no exit codes reports the end of a call when its command ends. */
function unsignedWhy({ ended }: Action, event: Event, reportsExit: boolean): string | undefined {
  const { unsigned, status } = event.call ?? {}
  if (ended !== undefined || status === 'failed' || event.kind === 'tool.before') return undefined
  if (unsigned === undefined && (reportsExit || isBackground(event) || !isSigned(event))) return undefined
  return `it was not signed (${unsigned ?? 'no signature was printed'}).`
}

const SANDBOX = ', with escalated permissions in a sandbox'

const FAILED = 'it failed. It must pass.'

const BACKGROUND = 'it ran in the background, so its exit code is unknown.'

const SIGNED = /signalbox\S* run -- /
const isSigned = (event: Event): boolean => SIGNED.test(lineOf(event) ?? '')

function missed(action: Action, event: Event, why: string, instead: string): string {
  const hide = createMask(event.call?.input ?? {})
  return `Your last run, \`${shownLine(action, event)}\`, did not count: ${hide(why)} Run ${hide(instead)}.`
}

/** The line is shown and stored, so secrets are masked before it is shortened. */
function shownLine(action: Action, event: Event): string {
  const line = action.via === undefined ? toCommandLine(action.words ?? []) : (lineOf(event) ?? action.via)
  const hide = createMask(event.call?.input ?? {})
  return short(hide(line.length > LONGEST_READ ? `${line.slice(0, LONGEST_READ)}…` : line))
}

/** Commands whose success the condition waits for. */
function awaitedIn(condition: Condition): readonly CommandMatcher[] {
  if ('any' in condition) return condition.any.flatMap(awaitedIn)
  if (!('all' in condition)) return []
  const waits = condition.all.some(
    candidate => 'key' in candidate && candidate.key === 'succeeded' && candidate.in.includes('true'),
  )
  const own = condition.all.flatMap(item => ('key' in item && item.key === 'command' && waits ? item.in : []))
  return [...own, ...condition.all.flatMap(item => ('key' in item ? [] : awaitedIn(item)))]
}

const isRun = (
  patterns: readonly CommandMatcher[],
  words: NonNullable<Action['words']>,
  reading: 'any' | 'all',
): boolean => matchCommands(patterns, { words }, { reading, fill: text => text }) === 'true'

function whyNot(act: Action, event: Event, patterns: readonly CommandMatcher[]): string | undefined {
  const { words = [], implied, decides, elsewhere, ended = event.call?.status } = act
  if (ended === 'failed' && (decides || act.ended)) return FAILED
  if (elsewhere) return 'it ran in another folder or package.'
  if (!isRun(patterns, words, 'all')) {
    const narrowing = words
      .filter(({ text }, at) => text !== null && isNarrowing(words, at))
      .map(({ text }) => `\`${text}\``)
    const named = narrowing.filter(
      text => !patterns.some(pattern => 'words' in pattern && pattern.words.includes(text.slice(1, -1))),
    )
    return named.length > 0 ? `${named.join(', ')} may make it a partial check.` : 'its arguments are uncertain.'
  }
  if (!implied) return hiddenBy(lineOf(event) ?? '')
  if (ended === 'failed') return 'the command line failed.'
  if (ended === 'unknown') return undefined
  const written = event.call?.acts.find(({ action }) => action === 'write' || action === 'delete')
  return written?.place ? `the same line changes ${written.place.lexical ?? 'a file'}.` : undefined
}

/** What in the line hides the exit status of the run. */
function hiddenBy(line: string): string {
  const plain = line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, '_')
  if (/(^|[^&>|])&\s*($|[^&>\d])/.test(plain)) return BACKGROUND
  if (/(^|[^|])\|(?!\|)/.test(plain)) {
    const last = /\|&?\s*([\w./-]+)[^|]*$/.exec(plain)?.[1]
    return `after a pipe, the exit code is that of ${last ? `\`${last}\`` : 'the last command'}.`
  }
  if (plain.includes('||')) return 'because of `||`, the line may succeed although the run fails.'
  if (/[;\n]/.test(plain)) return 'the exit code is that of the last command of the line.'
  const inner = /-\w*c\s+(['"])(.+)\1/s.exec(line)?.[2]
  return inner ? hiddenBy(inner) : 'the success of the line does not prove it.'
}

const lineOf = ({ call }: Event): string | undefined =>
  typeof call?.input.command === 'string' ? call.input.command : undefined

const short = (line: string): string => {
  const text = line.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** The gate's suggestion, or else the command it waits for. */
function insteadOf(gate: Gate, action: Action, { client }: Event, reportsExit: boolean, how: string): string {
  const text = lineFor(gate, action, client)
  return `${text.includes('{') ? 'it' : `\`${reportsExit ? text : signed(text)}\``} ${how}`
}

/** The same with `signalbox run`, which reports the end whenever it comes. */
function signedInstead(gate: Gate, action: Action, event: Event): string {
  const text = lineFor(gate, action, event.client)
  if (text.includes('{')) return 'it in the foreground'
  return `\`${signed(text)}\`: that counts when it ends, in the background too`
}

const signed = (line: string): string => (line.startsWith('signalbox run') ? line : `signalbox run -- ${line}`)

function lineFor(gate: Gate, action: Action, client: string): string {
  const suggest = gate.rules.find(rule => rule.while === 'closed' && rule.suggest !== undefined)?.suggest
  const isLine = suggest !== undefined && (typeof suggest === 'string' || 'line' in suggest)
  return isLine
    ? suggestionText(suggest, client)
    : toCommandLine((action.words ?? []).filter(({ role }, at, all) => !isNarrowing(all, at) && role !== 'maybe'))
}

/** May the word make the check smaller? Not in `python -m pytest`, where the words name the check. */
function isNarrowing(words: readonly Word[], at: number): boolean {
  const module = isPython(words[0]?.text ?? '') ? words.findIndex(({ text }) => text === '-m') : -1
  return words[at]?.narrows !== undefined && (module < 0 || (at !== module && at !== module + 1))
}
