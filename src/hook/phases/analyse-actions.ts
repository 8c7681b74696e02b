import { join } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { Event, Facts, Regex, SubHookReply } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'
import { EvaluationPlans, isLongLine } from '../budget/evaluation-budget.ts'
import { withActions } from '../events/actions.ts'
import { workflowStepViolation } from '../events/workflow-step-limits.ts'
import { eventFacts } from '../facts/event-facts.ts'
import { existingFiles } from '../facts/existing-files.ts'
import { parseLooseJson } from '../facts/loose-json.ts'
import { staysInProject } from '../facts/project-scope.ts'
import { LAUNCHER } from '../services/folders.ts'
import type {
  HookServices,
  PreparedEvent,
  PreparedPayload,
  RequiresOneShot,
  ShellAnalyser,
} from '../services/hook-services.ts'
import { type CodeGates, startCodeGates } from '../subhooks/code-gates.ts'
import {
  agreedRewrite,
  repliesForInput,
  rewriteNotAppliedText,
  withoutUnchangedInput,
} from '../subhooks/input-rewrite.ts'
import { type NamedSubHook, type SubHookAnswer, subHooksFor } from '../subhooks/sub-hooks.ts'
import type { DecodedPayload } from './decode-payload.ts'
import type { Project } from './resolve-project.ts'
import { approvalLimits } from './resolve-project.ts'

/** The actions of a payload's tool calls, and what their evaluation needs. */
export interface AnalysedPayload extends AnalysedEvents {
  readonly context: EventAnalysisInput
  readonly plans: EvaluationPlans
  readonly codeGates: CodeGates
  readonly time: TimeLimits
}

interface TimeLimits {
  /** for the whole event, in ms */
  readonly allMs: number
  /** what is left for sub-hooks, in ms */
  readonly left: () => number
  /** end of `allMs`, on the wall clock */
  readonly until: number
}

/** Phase 4: turn shell lines and tool inputs into actions, gather facts, and estimate the cost of the evaluation. */
export function analyseActions(
  { call, payload, events }: DecodedPayload,
  { root, policy: { program }, approval }: Project,
  services: HookServices,
  began: number,
): AnalysedPayload | RequiresOneShot {
  // the daemon answers all agents one after the other, so slow events go to a one-shot process
  const isDaemon = call.deadline !== undefined
  if (isDaemon && events.some(isLongLine)) return { requiresOneShot: 'a line that takes long to read' }
  const { regex, shell, folders } = services
  const { home, data } = folders
  const place = { root, home, launcher: join(data, LAUNCHER) }
  const context = { ...call, payload, events, program, ...approvalLimits(approval), ...place, regex, shell }
  const seen = analyseEvents(context)
  const plans = new EvaluationPlans(program, seen.sent, { payload: call.text.length, regex })
  if (isDaemon && plans.isExpensive) return { requiresOneShot: 'a call that is slow to evaluate' }
  const time = timeLimits(seen.hooks, program, { began, now: call.now })
  call.answerBy?.(time.allMs)
  const codeGates = codeGatesOf(program, call, services, began + time.allMs)
  return { ...seen, context, plans, codeGates, time }
}

const NO_CODE_GATES: CodeGates = {
  byGate: {},
  hasOpenQuestions: () => false,
  answerQuestions: () => Promise.resolve(''),
}

/** In the daemon a process of its pool answers, in a one-shot process a thread. */
function codeGatesOf(
  program: Policy,
  { stuck, cwd, env }: DecodedPayload['call'],
  { codeGateProcesses, codeWorker }: HookServices,
  lastMs: number,
): CodeGates {
  if (program.gates.every(gate => gate.code === undefined)) return NO_CODE_GATES
  const limits = { budgetMs: program.settings.budgetMs, lastMs }
  const pooled = codeGateProcesses?.gatesFor(program, { ...limits, cwd, env })
  return pooled ?? { ...NO_CODE_GATES, byGate: startCodeGates(program, { ...limits, worker: codeWorker, stuck }) }
}

/** Sub-hooks have their own time in addition to the policy's. Half of the policy's time is kept for the phases after them. */
function timeLimits(
  hooks: readonly NamedSubHook[],
  { settings }: Policy,
  start: { readonly began: number; readonly now: number },
): TimeLimits {
  const allMs = settings.budgetMs + Math.max(0, ...hooks.map(hook => hook.timeoutMs))
  const last = start.began + allMs - settings.budgetMs / 2
  return { allMs, left: () => last - process.uptime() * 1000, until: start.now + allMs }
}

/** Analysed events, before any sub-hook has run. */
interface AnalysedEvents {
  readonly sent: readonly PreparedEvent[]
  /** the sub-hooks that match */
  readonly hooks: readonly NamedSubHook[]
}

interface EventAnalysisInput {
  readonly client: Client
  readonly payload: JsonObject
  readonly events: readonly Event[]
  readonly program: Policy
  readonly root: string
  readonly home: string
  readonly launcher?: string
  /** the call carries a valid approval */
  readonly approved?: boolean
  /** all files it may change, by its approval */
  readonly may?: readonly string[] | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: number
  readonly regex: Regex
  readonly shell: () => ShellAnalyser
}

/** The actions of a new payload's calls, and the sub-hooks that match. */
export function analyseEvents(input: EventAnalysisInput): AnalysedEvents {
  const { events, program, regex } = input
  const sent = events.map(event => readyFor(event, input))
  const [first] = sent
  if (!first || program.hooks.length === 0) return { sent, hooks: [] }
  const full = sent.map(event => event.event)
  return { sent, hooks: subHooksFor(full, program, { facts: first.facts, regex }) }
}

function readyFor(event: Event, input: EventAnalysisInput): PreparedEvent {
  const full = withActionsIn(input)(event)
  return { event: full, facts: gatherFacts(full, input.program, input) }
}

/** Reads calls as those of this payload are read. */
export const withActionsIn =
  (input: EventAnalysisInput) =>
  (event: Event): Event =>
    withActions(event, {
      ...input,
      vars: knownShellVariables(input.client, input.root),
      cwd: event.cwd ?? input.cwd,
    })

/** Variables of the agent's shell whose values are certain. */
export const knownShellVariables = (client: Client, root: string): Readonly<Record<string, string>> =>
  client.shellProjectEnv === undefined ? {} : { [client.shellProjectEnv]: root }

/** The events with the sub-hooks' replies in their facts. */
export function preparePayload(
  { sent }: AnalysedEvents,
  hookAnswers: readonly SubHookAnswer[],
  input: EventAnalysisInput,
): PreparedPayload {
  if (hookAnswers.length === 0) return { sent }
  const answers = hookAnswers.map(hookAnswer => withoutUnchangedInput(hookAnswer, input))
  const outcome = agreedRewrite(answers, input)
  const replies = repliesForInput(answers, 'sent')
  if (!outcome) return { sent: withAnswers(sent, { replies }) }
  const problem = 'problem' in outcome ? outcome.problem : rewriteNotAppliedText(outcome.rewrite.by)
  const unheeded: SubHookReply = { from: 'hooks', verdict: { decision: 'pass' }, problem }
  const asSent = withAnswers(sent, { replies: [...replies, unheeded] })
  if ('problem' in outcome) return { sent: asSent }
  const { events, rewrite } = outcome
  const again = events.map(event => readyFor(event, input))
  return { sent: asSent, rewritten: withAnswers(again, { replies: repliesForInput(answers, 'rewritten'), rewrite }) }
}

/** The client gets one reply, for the first event of a payload, so the sub-hooks' replies count there. */
const withAnswers = (
  list: readonly PreparedEvent[],
  answers: Pick<Facts, 'replies' | 'rewrite'>,
): readonly PreparedEvent[] =>
  list.map(({ event, facts }, nth) => {
    const replies = [...(facts.replies ?? []), ...(answers.replies ?? [])]
    return { event, facts: nth === 0 ? { ...facts, ...answers, replies } : facts }
  })

interface AnalysisContext {
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly home: string
  /** the folder in which the agent works; absent: nothing is read about its repository */
  readonly cwd?: string
  readonly approved?: boolean
  /** all files that a workflow step may change */
  readonly may?: readonly string[] | undefined
  /** whether a file is there, instead of the disk; undefined: unknown */
  readonly isThere?: ((path: string) => boolean | undefined) | undefined
}

/** All that `evaluate` may know about the machine. Only variables that the policy names are included: others may be secrets. */
export function gatherFacts(
  event: Event,
  program: Pick<Policy, 'gates' | 'env' | 'files'>,
  { now, env, root, home, approved, may, cwd, isThere }: AnalysisContext,
): Facts {
  const parsed = event.answer === undefined || !captures(program) ? undefined : readAnswer(event.answer)
  const beyond = may && workflowStepViolation(event, may, { root, home })
  return {
    now,
    root,
    home,
    env: {
      ...Object.fromEntries(program.env.map(name => [name, env[name]])),
      // no variable has a dot in its name
      ...(program.env.some(name => name.includes('.')) &&
        eventFacts(program.env, event, cwd === undefined ? { now, given: env } : { now, given: {}, cwd })),
    },
    ...(parsed === undefined ? {} : { parsed }),
    ...(approved && !beyond && staysInProject(event, root) && { approved }),
    ...(beyond && { replies: [beyond] }),
    ...(program.files?.exists && { exists: existingFiles(event, isThere) }),
  }
}

/** Also unwraps the requested object: models return `{"decision": {…}}`, `[{…}]` or `{"result": "{…}"}`. */
function readAnswer(answer: string): readonly Json[] | undefined {
  const found = parseLooseJson(answer)
  if (found === undefined) return undefined
  const values = Array.isArray(found) ? found : isObject(found) ? Object.values(found) : []
  const [only] = values
  if (JSON.stringify(found).length > LONGEST_CAPTURED) return undefined
  const inner = values.length !== 1 ? undefined : typeof only === 'string' ? parseLooseJson(only) : only
  return inner === undefined ? [found] : [found, inner]
}

/** Captured values are stored in the session and loaded with it at every event. */
const LONGEST_CAPTURED = 100_000

const captures = (program: Pick<Policy, 'gates'>): boolean =>
  program.gates.some(gate => gate.transitions.some(transition => transition.capture !== undefined))
