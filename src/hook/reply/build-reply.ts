import type { Reply } from '../../clients/index.ts'
import { type Event, mergeVerdicts, type Outcome, type Verdict } from '../../engine/index.ts'
import { hasUserGates } from '../../policy/index.ts'
import { createSecretMask } from '../../store/index.ts'
import { type ExportContext, gateStatusOf, isRefusedByStatusGate } from '../exports/exports.ts'
import { withResetTexts } from '../failure/state-loss.ts'
import { withFullPath } from './full-path.ts'

interface Wording {
  readonly tookMs: number
  /** this session's state was lost at some time; `notices` tell of it when it just happened */
  readonly restarted: boolean
  readonly notices: readonly string[]
  /** what a person has lifted, for as long as it lasts */
  readonly reminders: readonly string[]
  /** for the agent, where its client shows a person nothing */
  readonly asides: readonly string[]
}

/** One answer to the payload, in the client's words. */
export function buildReply(
  telling: ExportContext,
  [event]: readonly Event[],
  { tookMs, restarted, notices, reminders, asides }: Wording,
): Reply {
  const { client, program, judged } = telling
  if (!event) return client.failure('open', {}, 'the payload holds no event')
  const merged = mergeOutcomes(judged.map(({ result }) => result.outcome))
  const status = gateStatusOf(telling)
  const lost = status && restarted && notices.length > 0 ? client.resetWords : undefined
  const outcome = lost ? withResetTexts(lost, merged, isRefusedByStatusGate(telling)) : withNotices(merged, notices)
  const told = hasUserGates(program) || merged.decision !== 'pass' ? { tookMs: Math.round(tookMs), status } : undefined
  const said = withFullPath(withoutSecrets(outcome, event), client, telling.env)
  return client.encode(withAsides(withNotices(said, reminders), asides), event, told)
}

/** A refusal that repeats a token helps nobody, and is kept for some minutes. What a sub-hook made of the input is what runs, and stays. */
function withoutSecrets(outcome: Outcome, { call, prompt, answer }: Event): Outcome {
  const { reason, context, message } = outcome
  if (reason === '' && context === '' && message === '') return outcome
  const hide = createSecretMask([
    call?.input ?? {},
    call?.acts.map(act => act.via ?? '') ?? [],
    prompt?.text ?? '',
    answer ?? '',
  ])
  return { ...outcome, reason: hide(reason), context: hide(context), message: hide(message) }
}

/** The client is answered for the first event of a payload: a rewritten input is that one's. */
function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  const [first, second] = outcomes
  if (first && !second) return first
  return { ...mergeVerdicts(outcomes.map(asVerdict)), ...(first?.input && { input: first.input }) }
}

const asVerdict = ({ decision, ...outcome }: Outcome): Verdict =>
  decision === 'pass' ? { ...outcome, decision } : { ...outcome, decision }

const ours = (lines: readonly string[]): readonly string[] => lines.map(line => `signalbox: ${line}`)

const withAsides = (outcome: Outcome, asides: readonly string[]): Outcome =>
  asides.length === 0 ? outcome : { ...outcome, context: [outcome.context, ...ours(asides)].filter(Boolean).join('\n') }

const withNotices = (outcome: Outcome, notices: readonly string[]): Outcome =>
  notices.length === 0
    ? outcome
    : {
        ...outcome,
        message: [outcome.message, ...ours(notices)].filter(Boolean).join('\n'),
      }
