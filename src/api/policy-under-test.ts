import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../lib/errors.ts'
import type { PolicyOptions, PolicyUnderTest } from '../types/index.ts'
import { compile } from './compile.ts'
import { formatDiagnostic } from './format-diagnostic.ts'
import { internalsOf } from './internals.ts'
import { requireKnownOptions } from './mistakes.ts'
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
  requireKnownOptions(options, ['client', 'given', 'env', 'code', 'folder', 'file'])
  const { folder, file, ...simulated } = options
  const compilation = compile(source, { ...(folder !== undefined && { folder }), ...(file !== undefined && { file }) })
  if (compilation.ok) return new Simulation(internalsOf(compilation.policy), simulated)
  const errors = compilation.diagnostics.filter(({ severity }) => severity === 'error')
  throw new PolicyError(errors.map(formatDiagnostic).join('\n\n'), compilation.diagnostics)
}

/**
 * A policy to test, from its file: a path or a `URL`. Its folder is the project's folder unless you name another one.
 *
 * @example
 * // next to the test, whatever the current folder is
 * const p = policyFile(new URL('signalbox.yaml', import.meta.url), { client: 'codex-cli' })
 *
 * @throws PolicyError if the policy does not load
 */
export function policyFile(path: string | { readonly href: string }, options: PolicyOptions = {}): PolicyUnderTest {
  const file = typeof path === 'string' ? resolve(path) : fileURLToPath(path.href)
  return policy(readPolicy(file), { folder: dirname(file), file, ...options })
}

function readPolicy(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new TypeError(`signalbox: the policy ${file} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
