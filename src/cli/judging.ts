import { join } from 'node:path'
import { clientById } from '../clients/index.ts'
import { senderOf } from '../clients/sender.ts'
import { DECISIONS, type Decision } from '../core/index.ts'
import type { Desk, Judged, JudgeReply, JudgeRequest, Recorded } from '../dashboard/index.ts'
import type { Policy } from '../policy/index.ts'
import { policyInput } from '../runtime/index.ts'
import { compileFor } from '../trial/index.ts'
import {
  type Asked,
  clientNamed,
  explainAll,
  explainedAs,
  fromRecord,
  fromStep,
  givenOf,
  notesOn,
  programHere,
  stepIn,
} from './explaining.ts'
import { type Project, parts } from './project.ts'

type Env = Readonly<Record<string, string | undefined>>

/** An event against the policy in force, and against a draft of it. Nothing is stored, nothing of the policy's own is run. */
export function judge(
  request: JudgeRequest,
  project: Project,
  env: Env,
  recorded: Recorded | undefined,
): Omit<JudgeReply, 'project'> | string {
  const now = judged(request, project, programHere(project), recorded)
  if (typeof now === 'string' || request.policy === undefined) return typeof now === 'string' ? now : { now }
  const { program, problems, warnings } = drafted(request.policy, project, env)
  const draft = judged(request, project, programHere(project, program), recorded)
  return typeof draft === 'string' ? draft : { now, draft: { ...draft, problems, warnings } }
}

/** As it would be once trusted. Its places are those of the file it would be. */
function drafted(text: string, { root, folders }: Project, env: Env) {
  const { hasCommand } = policyInput(root, root, env, folders, parts)
  const file = join(root, 'signalbox.yaml')
  const workshop = { parts, folders, everyLayer: true, hasCommand }
  const { program, problems, warnings } = compileFor({ root, folder: root }, workshop, { file, text })
  return { program, problems: problems.filter(one => one.file === file), warnings }
}

function judged(
  request: JudgeRequest,
  project: Project,
  whole: Policy,
  recorded: Recorded | undefined,
): Judged | string {
  const { program, notes } = withoutCode(whole)
  const asked = askedOf(request, project, program, recorded)
  if (typeof asked === 'string') return asked
  const told = explainAll(asked, project, program)
  const all = [...notesOn(asked, told, project, program), ...notes]
  return {
    decision: strictest(told.map(({ explanation }) => explanation.decision)),
    explained: told.map(one => explainedAs(one, all)),
  }
}

/** A hook has a deadline; who types has none, and others wait for the same process. */
const MOST_ACTS = 100

function askedOf(
  request: JudgeRequest,
  project: Project,
  program: Policy,
  recorded: Recorded | undefined,
): Asked | string {
  const { client: named, event, payload, as } = request
  const given = givenOf(Object.entries(request.given ?? {}), program)
  if (typeof given === 'string') return given
  if (recorded) return ofRecord(recorded, program, given)
  if (named === undefined) return 'say which `client`'
  const client = clientNamed(named)
  if (typeof client === 'string') return client
  const step = payload === undefined ? stepIn(event ?? '', as) : { payload }
  if (typeof step === 'string') return step
  const sender = payload === undefined ? undefined : clientById(senderOf(client.id, payload, {}))
  const cast = fromStep(step, sender ?? client, project, program)
  if (typeof cast === 'string') return cast
  const most = Math.max(0, ...cast.events.map(({ call }) => call?.acts.length ?? 0))
  if (most > MOST_ACTS) return `it does ${most} things at once: more than ${MOST_ACTS} are not judged here`
  return { ...cast, given, env: {} }
}

function ofRecord({ found, before }: Recorded, program: Policy, given: Asked['given']): Asked | string {
  const asked = fromRecord({ seq: found.seq, record: found.record, before }, program)
  return typeof asked === 'string' ? asked : { ...asked, given: { ...asked.given, ...given } }
}

/** A gate in code sees the process it runs in, and stays in it: here none is run. */
export function withoutCode(program: Policy): { readonly program: Policy; readonly notes: readonly string[] } {
  const coded = program.gates.filter(({ code }) => code !== undefined)
  if (coded.length === 0) return { program, notes: [] }
  const names = coded.map(({ name }) => name).join(', ')
  return {
    program: { ...program, gates: program.gates.filter(({ code }) => code === undefined) },
    notes: [`gates in code are not run here (${names}): \`signalbox explain\` runs them`],
  }
}

const strictest = (all: readonly Decision[]): Decision =>
  all.reduce((one, other) => (DECISIONS.indexOf(one) >= DECISIONS.indexOf(other) ? one : other), 'pass')

/** One record, as `signalbox explain N` explains it. */
export function explainRecorded(recorded: Recorded, project: Project): ReturnType<Desk['explain']> {
  const { program, notes } = withoutCode(programHere(project))
  const asked = ofRecord(recorded, program, {})
  if (typeof asked === 'string') return { explained: null, why: asked }
  const told = explainAll(asked, project, program)
  const [first] = told
  const all = [...notesOn(asked, told, project, program), ...notes]
  return first ? { explained: explainedAs(first, all) } : { explained: null, why: 'there is nothing to explain' }
}
