import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { PolicyOptions, PolicyUnderTest } from '../types/index.ts'
import { compile } from './compile.ts'
import { formatDiagnostic } from './format-diagnostic.ts'
import { internalsOf } from './internals.ts'
import { PolicyError } from './policy-error.ts'
import { Simulation } from './simulation.ts'

/**
 * A policy to test, from its text. Runs in this process: no daemon, and nothing is written.
 *
 * @example
 * const p = policy(`
 *   gates:
 *     no-force:
 *       rules:
 *         - { id: force, when: { command: git push --force }, then: deny, message: Do not force. }
 * `)
 * p.event({ shell: 'git push --force' }).decision // 'deny'
 *
 * @throws PolicyError if the policy does not load
 */
export function policy(source: string, options: PolicyOptions = {}): PolicyUnderTest {
  const compilation = compile(source, options)
  if (compilation.ok) return new Simulation(internalsOf(compilation.policy), options)
  const errors = compilation.diagnostics.filter(({ severity }) => severity === 'error')
  throw new PolicyError(errors.map(formatDiagnostic).join('\n\n'), compilation.diagnostics)
}

/**
 * A policy to test, from its file. Its folder is the project's folder unless you name another one.
 *
 * @example
 * const p = policyFile('signalbox.yaml', { client: 'codex-cli' })
 *
 * @throws PolicyError if the policy does not load
 */
export function policyFile(path: string, options: PolicyOptions = {}): PolicyUnderTest {
  const file = resolve(path)
  return policy(readFileSync(file, 'utf8'), { folder: dirname(file), file, ...options })
}
