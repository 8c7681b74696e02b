import type { Event, Facts } from '../core/index.ts'
import type { Policy } from '../policy/index.ts'
import { findJson } from './loose-json.ts'

interface Circumstances {
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly root: string
  readonly home: string
}

/** What `evaluate` may know of the world. Only variables the policy names get in: the rest may be secrets. */
export function gatherFacts(event: Event, program: Policy, { now, env, root, home }: Circumstances): Facts {
  const parsed = event.answer === undefined || !captures(program) ? undefined : findJson(event.answer)
  return {
    now,
    root,
    home,
    env: Object.fromEntries(program.env.map(name => [name, env[name]])),
    ...(parsed === undefined ? {} : { parsed }),
  }
}

const captures = (program: Policy): boolean =>
  program.gates.some(gate => gate.transitions.some(transition => transition.capture !== undefined))
