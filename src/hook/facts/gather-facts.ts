import type { Event, Facts } from '../../engine/index.ts'
import { isObject, type Json } from '../../lib/json.ts'
import type { Policy } from '../../policy/index.ts'
import { workflowStepViolation } from '../events/workflow-step-limits.ts'
import { parseLooseJson } from './loose-json.ts'
import { staysInProject } from './project-scope.ts'

interface Circumstances {
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly home: string
  readonly approved?: boolean
  /** all files that a workflow step may change */
  readonly may?: readonly string[] | undefined
}

/** All that `evaluate` may know about the machine. Only variables that the policy names are included: others may be secrets. */
export function gatherFacts(
  event: Event,
  program: Pick<Policy, 'gates' | 'env'>,
  { now, env, root, home, approved, may }: Circumstances,
): Facts {
  const parsed = event.answer === undefined || !captures(program) ? undefined : readAnswer(event.answer)
  const beyond = may && workflowStepViolation(event, may, { root, home })
  return {
    now,
    root,
    home,
    env: Object.fromEntries(program.env.map(name => [name, env[name]])),
    ...(parsed === undefined ? {} : { parsed }),
    ...(approved && !beyond && staysInProject(event, root) && { approved }),
    ...(beyond && { replies: [beyond] }),
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
