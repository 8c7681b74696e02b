import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { type Folders, type LazyDependencies, policyInput, projectRoot } from '../../hook/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { type CompileResult, compilePolicy } from '../../policy/compile/compiler.ts'
import { findLayers } from '../../policy/index.ts'

const POLICY_FILE = 'signalbox.yaml'

/** Settings for compiling the policies of tests. */
export interface TestCompileOptions {
  readonly parts: LazyDependencies
  readonly folders: Folders
  /** also load the user and managed layers, not only the project's */
  readonly everyLayer: boolean
  /** whether a program is installed; absent: every program is, so that all machines give the same result */
  readonly hasCommand?: (name: string) => boolean
}

/** The project of a test file: `folder` has the nearest policy, `root` the outermost one above it in the same project. */
export interface TestProject {
  readonly root: string
  /** folder of the nearest policy; absent if there is none */
  readonly folder?: string
}

export function findTestProject(folder: string, home: string): TestProject {
  const top = projectRoot({ cwd: folder, home })
  const found: string[] = []
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, POLICY_FILE))) found.push(at)
    if (at === top || at === dirname(at)) break
  }
  const [nearest] = found
  return nearest === undefined ? { root: folder } : { root: found.at(-1) ?? nearest, folder: nearest }
}

/** Replaces the policy beside the tests: a file, or an inline policy in the test. */
export interface ReplacementPolicy {
  readonly file: string
  readonly text: string | null
  /** the policy is written in the test itself */
  readonly inline?: true
}

export const inlinePolicy = (file: string, policy: JsonObject): ReplacementPolicy => ({
  file,
  text: stringify(policy),
  inline: true,
})

/**
 * Compiles the policy in memory as if a person had trusted it. Does not read or write the store. Programs that routes need
 * count as installed unless `hasCommand` is given.
 */
export function compilePolicyInMemory(
  { root, folder }: TestProject,
  { parts, folders, everyLayer, hasCommand = () => true }: TestCompileOptions,
  instead?: ReplacementPolicy,
): CompileResult {
  const input = { ...policyInput(root, folder ?? root, {}, folders, parts), hasCommand }
  const others = everyLayer ? {} : { userFile: MISSING_POLICY_FILE, managedFile: MISSING_POLICY_FILE }
  const found = findLayers({ ...input, ...others }).files
  const own = (layer: string): boolean => layer === 'project' || layer === 'nested'
  const layers = instead
    ? [
        ...found.filter(({ layer }) => layer === 'managed' || layer === 'user'),
        { layer: 'project' as const, file: instead.file, text: instead.text },
        ...found.filter(({ layer }) => layer === 'built-in'),
      ]
    : found
  const job = { input, layers, lastGood: () => null }
  const first = compilePolicy({ ...job, trusted: () => undefined })
  // Nothing needs trust: a second compilation would give the same result.
  if (first.layers.every(layer => layer.untrusted.length === 0)) return first
  const hashes = new Map(first.layers.filter(({ layer }) => own(layer)).map(layer => [layer.file, layer.trustHash]))
  return compilePolicy({ ...job, trusted: file => hashes.get(file) })
}

const MISSING_POLICY_FILE = '/nonexistent/signalbox/signalbox.yaml'
