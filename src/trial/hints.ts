import type { Client } from '../clients/index.ts'
import { evaluate, type Result } from '../core/index.ts'
import type { StepDoc } from '../policy/tests.ts'
import { castStep } from './cast.ts'
import { gateNamed, type Mismatch, shortId } from './expectation.ts'
import type { Stage } from './stage.ts'

/** A gate on trial stops nobody, in a test neither: what to expect of it instead. */
export function watchingHints(wanted: string | undefined, { outcome, record }: Result): readonly string[] {
  if ((wanted !== 'deny' && wanted !== 'ask') || outcome.decision !== 'pass') return []
  const watching = record.matches.find(one => one.says === wanted && one.mode !== 'block' && !one.bypassed)
  if (!watching) return []
  const gate = shortId(watching.gate)
  const comes = `{ decision: ${watching.mode === 'warn' ? 'warn' : 'pass'}, gate: ${gate} }`
  return [
    `gate ${gate} is in mode ${watching.mode} and stops nothing: expect \`${comes}\`, or play a copy of it in \`mode: block\` under \`policy:\` of the test`,
  ]
}

interface Failed {
  readonly wrong: readonly Mismatch[]
  readonly result: Result
  readonly stage: Stage
  readonly client: Client
  readonly vars: Readonly<Record<string, string>>
}

/** Calls that only began, where their success would have moved the gate that is not as it should be. */
export function unendedHints(earlier: readonly StepDoc[], failed: Failed): readonly string[] {
  const wanted = gatesIn(failed)
  if (wanted.size === 0) return []
  const begun = earlier.filter((step, nth) => isBegun(step, earlier.slice(nth + 1)) && moves(step, wanted, failed))
  return [...new Set(begun.map(whatOf))].map(what => `\`${what}\` has not ended in this test: add \`after: succeeded\``)
}

/** Gates that refused it, and those that should be in another state. */
function gatesIn({ wrong, result: { outcome, record }, stage }: Failed): ReadonlySet<string> {
  const isRefused = outcome.decision === 'deny' || outcome.decision === 'ask'
  const refusing = record.matches.filter(one => isRefused && one.effect === outcome.decision).map(one => one.gate)
  const named = wrong.flatMap(({ key }) => {
    const name = /^gates\.([^@]*)/.exec(key)?.[1]
    return (name !== undefined && gateNamed(stage.setting.program.gates, name)?.id) || []
  })
  return new Set([...(wrong.some(one => one.key === 'decision') ? refusing : []), ...named])
}

const isBegun = (step: StepDoc, later: readonly StepDoc[]): boolean =>
  step.after === undefined &&
  whatOf(step) !== undefined &&
  !later.some(one => one.after !== undefined && whatOf(one) === whatOf(step))

function moves(step: StepDoc, gates: ReadonlySet<string>, { stage, client, vars }: Failed): boolean {
  const { root, home } = stage.setting
  const cast = castStep({ ...step, after: 'succeeded' }, { root, home, client })
  if ('problem' in cast) return false
  return cast.events.some(event => {
    const { record } = evaluate(stage.inputFor(event, vars, client), stage.tools)
    return record.moves.some(one => gates.has(one.gate))
  })
}

const whatOf = ({ shell, write, edit, delete: gone, fetch, spawn, tool }: StepDoc): string | undefined =>
  shell ?? write ?? edit ?? gone ?? fetch ?? spawn ?? tool
