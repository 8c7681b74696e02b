import { resolve } from 'node:path'
import { compilePolicyInMemory } from '../analysis/policy-test/index.ts'
import { foldersOf } from '../hook/index.ts'
import type { Policy } from '../policy/index.ts'
import type { Compilation, CompiledPolicy, CompileOptions, GateInfo } from '../types/index.ts'
import { compileDependencies } from './compile-dependencies.ts'
import { diagnosticOf } from './diagnostics.ts'
import { keepInternals } from './internals.ts'
import { requireKnownOptions } from './mistakes.ts'

/**
 * Compiles a policy in memory. It is compiled as it would be in force once a person has trusted it, with the built-in gates and without
 * the policies of this person and machine. Files that it names are read from `folder`.
 *
 * @example
 * const compilation = compile('gates: { tests: { rulez: [] } }')
 * if (!compilation.ok) for (const { file, line, column, message } of compilation.diagnostics) console.error(file, line, column, message)
 */
export function compile(source: string, options: CompileOptions = {}): Compilation {
  if (typeof source !== 'string') throw new TypeError('compile needs the text of a policy')
  requireKnownOptions(options, ['folder', 'file'])
  const root = resolve(options.folder ?? '.')
  const file = resolve(root, options.file ?? 'signalbox.yaml')
  const folders = foldersOf(process.env)
  const workshop = { parts: compileDependencies(), folders, everyLayer: false }
  const { program, problems, warnings } = compilePolicyInMemory({ root, folder: root }, workshop, {
    file,
    text: source,
  })
  const diagnostics = [
    ...problems.map(problem => diagnosticOf(problem, 'error', root)),
    ...warnings.map(problem => diagnosticOf(problem, 'warning', root)),
  ]
  if (problems.length > 0) return { ok: false, diagnostics }
  const policy: CompiledPolicy = { gates: program.gates.filter(({ layer }) => layer !== 'built-in').map(infoOf) }
  keepInternals(policy, { program, root, home: folders.home, file })
  return { ok: true, policy, diagnostics }
}

const infoOf = ({ name, mode, initial, scope, rules, routes, code }: Policy['gates'][number]): GateInfo => ({
  name,
  mode,
  ...(initial !== undefined && { initial }),
  scope,
  rules: [...rules, ...(routes?.list ?? [])].map(({ id }) => id),
  isCode: code !== undefined,
})
