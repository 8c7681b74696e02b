import type { CompiledPolicy, EvaluateOptions, Outcome, PolicyEvent } from '../types/index.ts'
import { internalsOf } from './internals.ts'
import { requireKnownOptions } from './mistakes.ts'
import { Simulation } from './simulation.ts'

/**
 * Evaluates one event in a new session. To evaluate several events in a row, pass the `gates` of an outcome as `given`,
 * or use `policy` of `signalbox/testing`, which keeps the whole state.
 *
 * @example
 * const { decision, reason } = evaluate(compiled, { shell: 'git push' }, { client: 'codex-cli', given: { tests: 'open' } })
 */
export function evaluate(policy: CompiledPolicy, event: PolicyEvent | string, options: EvaluateOptions = {}): Outcome {
  const internals = internalsOf(policy)
  requireKnownOptions(options, ['client', 'given', 'env', 'code'])
  return new Simulation(internals, options).event(event)
}
