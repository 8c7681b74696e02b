import { join } from 'node:path'
import { compilePolicyInMemory } from '../../../../analysis/policy-test/index.ts'
import { clientById } from '../../../../clients/index.ts'
import { DECISIONS, type Decision } from '../../../../engine/index.ts'
import { identifySender, policyInput } from '../../../../hook/index.ts'
import type { Policy } from '../../../../policy/index.ts'
import type {
  DashboardBackend,
  JudgeReply,
  JudgeRequest,
  PlaygroundVerdict,
  RecordedDecision,
} from '../../../dashboard/index.ts'
import { cliDependencies, type ProjectContext } from '../../project.ts'
import {
  type ExplainQuery,
  explainEvents,
  explainedEventJson,
  explainQueryFromRecord,
  explainQueryFromStep,
  explanationNotes,
  findClient,
  parseGivenStates,
  parseStepText,
  programWithBypasses,
} from '../analysis/explain-query.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Judges an event by the policy in force and by a draft. Stores nothing, and runs no hooks or code of the policy. */
export function judgePlaygroundEvent(
  request: JudgeRequest,
  project: ProjectContext,
  env: Environment,
  recorded: RecordedDecision | undefined,
): Omit<JudgeReply, 'project'> | string {
  const now = judgeWith(request, project, programWithBypasses(project), recorded)
  if (typeof now === 'string' || request.policy === undefined) return typeof now === 'string' ? now : { now }
  const { program, problems, warnings } = compileDraft(request.policy, project, env)
  const draft = judgeWith(request, project, programWithBypasses(project, program), recorded)
  return typeof draft === 'string' ? draft : { now, draft: { ...draft, problems, warnings } }
}

/** Compiles the draft as if trusted, and as if it were the project's `signalbox.yaml`. */
function compileDraft(text: string, { root, folders }: ProjectContext, env: Environment) {
  const { hasCommand } = policyInput(root, root, env, folders, cliDependencies)
  const file = join(root, 'signalbox.yaml')
  const workshop = { parts: cliDependencies, folders, everyLayer: true, hasCommand }
  const { program, problems, warnings } = compilePolicyInMemory({ root, folder: root }, workshop, { file, text })
  return { program, problems: problems.filter(problem => problem.file === file), warnings }
}

function judgeWith(
  request: JudgeRequest,
  project: ProjectContext,
  whole: Policy,
  recorded: RecordedDecision | undefined,
): PlaygroundVerdict | string {
  const { program, notes } = withoutCodeGates(whole)
  const query = queryOfRequest(request, project, program, recorded)
  if (typeof query === 'string') return query
  const explained = explainEvents(query, project, program)
  const all = [...explanationNotes(query, explained, project, program), ...notes]
  return {
    decision: strictestDecision(explained.map(({ explanation }) => explanation.decision)),
    explained: explained.map(event => explainedEventJson(event, all)),
  }
}

/** Limits the work per request: unlike a hook, the playground has no deadline, and other requests wait for the same process. */
const MAX_ACTIONS = 100

function queryOfRequest(
  request: JudgeRequest,
  project: ProjectContext,
  program: Policy,
  recorded: RecordedDecision | undefined,
): ExplainQuery | string {
  const { client: named, event, payload, as } = request
  const given = parseGivenStates(Object.entries(request.given ?? {}), program)
  if (typeof given === 'string') return given
  if (recorded) return queryOfRecord(recorded, program, given)
  if (named === undefined) return 'name the `client`'
  const client = findClient(named)
  if (typeof client === 'string') return client
  const step = payload === undefined ? parseStepText(event ?? '', as) : { payload }
  if (typeof step === 'string') return step
  const sender = payload === undefined ? undefined : clientById(identifySender(client.id, payload, {}))
  const cast = explainQueryFromStep(step, sender ?? client, project, program)
  if (typeof cast === 'string') return cast
  const most = Math.max(0, ...cast.events.map(({ call }) => call?.acts.length ?? 0))
  if (most > MAX_ACTIONS) return `the call has ${most} actions: the playground evaluates at most ${MAX_ACTIONS}`
  return { ...cast, given, env: {} }
}

function queryOfRecord(
  { found, before }: RecordedDecision,
  program: Policy,
  given: ExplainQuery['given'],
): ExplainQuery | string {
  const query = explainQueryFromRecord({ seq: found.seq, record: found.record, before }, program)
  return typeof query === 'string' ? query : { ...query, given: { ...query.given, ...given } }
}

/** Code gates run inside the process and see it, so they are left out here. */
export function withoutCodeGates(program: Policy): { readonly program: Policy; readonly notes: readonly string[] } {
  const coded = program.gates.filter(({ code }) => code !== undefined)
  if (coded.length === 0) return { program, notes: [] }
  const names = coded.map(({ name }) => name).join(', ')
  return {
    program: { ...program, gates: program.gates.filter(({ code }) => code === undefined) },
    notes: [`the playground does not run gates in code (${names}); \`signalbox explain\` does`],
  }
}

const strictestDecision = (all: readonly Decision[]): Decision =>
  all.reduce((one, other) => (DECISIONS.indexOf(one) >= DECISIONS.indexOf(other) ? one : other), 'pass')

/** Explains one record as `signalbox explain N` does. */
export function explainRecord(
  recorded: RecordedDecision,
  project: ProjectContext,
): ReturnType<DashboardBackend['explain']> {
  const { program, notes } = withoutCodeGates(programWithBypasses(project))
  const query = queryOfRecord(recorded, program, {})
  if (typeof query === 'string') return { explained: null, why: query }
  const explained = explainEvents(query, project, program)
  const [first] = explained
  const all = [...explanationNotes(query, explained, project, program), ...notes]
  return first ? { explained: explainedEventJson(first, all) } : { explained: null, why: 'nothing to explain' }
}
