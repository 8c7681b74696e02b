import { accessSync, constants } from 'node:fs'
import { delimiter } from 'node:path'
import type { Client, Reply } from '../../clients/index.ts'
import { type Event, mergeVerdicts, type Outcome, type Verdict } from '../../engine/index.ts'
import { quoteShellWord } from '../../lib/shell-quote.ts'
import { hasUserGates } from '../../policy/index.ts'
import { createSecretMask } from '../../store/index.ts'
import { type Bypass, bypassReminders } from '../approval/bypass.ts'
import { type ExportContext, gateStatusOf, isDeniedOnlyByExportedGates } from '../exports/exports.ts'
import { isOnPath } from '../facts/program-cache.ts'
import { withResetTexts } from '../failure/state-loss.ts'
import type { EventNotices } from '../notices/notices.ts'
import { foldersOf, launcherIn } from '../services/folders.ts'

interface Wording {
  readonly tookMs: number
  /** this session's state was lost at some time; `notices` report it when it has just happened */
  readonly restarted: boolean
  readonly notices: readonly string[]
  /** notices of this event, for the person or for the agent */
  readonly shown: EventNotices
  /** in force: the person is reminded of them */
  readonly bypasses: readonly Bypass[]
  /** what the evaluation left out, for the person */
  readonly remarks: readonly string[]
}

/** Builds one reply to the payload, in the client's format. */
export function buildReply(
  exportContext: ExportContext,
  [event]: readonly Event[],
  { tookMs, restarted, notices, shown, bypasses, remarks }: Wording,
): Reply {
  const { client, program, judged } = exportContext
  if (!event) return client.failure('open', {}, 'the payload has no event')
  const merged = mergeOutcomes(judged.map(({ result }) => result.outcome))
  const status = exportContext.exports.length === 0 ? undefined : gateStatusOf(exportContext)
  const lost = status && restarted && notices.length > 0 ? client.resetWords : undefined
  const outcome = lost
    ? withResetTexts(lost, merged, isDeniedOnlyByExportedGates(exportContext))
    : withNotices(merged, notices)
  const timing =
    hasUserGates(program) || merged.decision !== 'pass' ? { tookMs: Math.round(tookMs), status } : undefined
  const isStart = event.kind === 'session.start'
  const reminders = bypasses.length === 0 ? [] : bypassReminders(bypasses, isStart, exportContext.env.TZ)
  const forPerson = withNotices(withoutSecrets(outcome, event), [...reminders, ...shown.person, ...remarks])
  const whole = withAsides(forPerson, shown.agent)
  return client.encode(withFullPath(whole, client, exportContext.env), event, timing)
}

/** Masks secrets: a denial that repeats a token would be stored for minutes. A rewritten input runs as it is, so it keeps its secrets. */
function withoutSecrets(outcome: Outcome, { call, prompt, answer }: Event): Outcome {
  const { reason, context, message } = outcome
  if (reason === '' && context === '' && message === '') return outcome
  const hide = createSecretMask([
    call?.input ?? {},
    call?.acts.map(action => action.via ?? '') ?? [],
    prompt?.text ?? '',
    answer ?? '',
  ])
  return { ...outcome, reason: hide(reason), context: hide(context), message: hide(message) }
}

/** The reply is for the first event of a payload, so a rewritten input is taken from that event. */
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

type Env = Readonly<Record<string, string | undefined>>

/** Commands that the texts of a reply suggest. */
const COMMAND =
  /(?<![\w/~.'"-])signalbox (?=(?:run --|orchestrate|route|bypass|check|doctor|init|log|off|status|trust)(?![\w-]))/g

/** Folders that every login shell has in its `PATH`. */
const EVERYWHERE = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** Puts the full path of the program into suggested commands if a shell may not find `signalbox`. */
function withFullPath(outcome: Outcome, { loginShell }: Client, env: Env): Outcome {
  const { reason, context, message } = outcome
  if (!COMMAND.test(`${reason}\n${context}\n${message}`)) return outcome
  COMMAND.lastIndex = 0
  const launcher = launcherIn(foldersOf(env).data)
  if (isOnPath('signalbox', loginShell ? EVERYWHERE : env.PATH) || !isProgram(launcher)) return outcome
  const full = (text: string): string => text.replace(COMMAND, () => `${quoteShellWord(launcher)} `)
  return { ...outcome, reason: full(reason), context: full(context), message: full(message) }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
