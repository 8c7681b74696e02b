import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { type Folders, type LazyDependencies, policyInput, projectRoot } from '../../hook/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { type CompileResult, compilePolicy } from '../../policy/compile/compiler.ts'
import { findLayers } from '../../policy/index.ts'

const POLICY_FILE = 'signalbox.yaml'

/** What the policies of tests are compiled with. */
export interface TestCompileOptions {
  readonly parts: LazyDependencies
  readonly folders: Folders
  /** beside the project's: what the person and the machine have */
  readonly everyLayer: boolean
  /** which programs are installed; absent: all, so that every machine gives the same answer */
  readonly hasCommand?: (name: string) => boolean
}

/** The project a file of tests belongs to: the policy nearest to it, and the outermost one above that in the same project. */
export interface TestProject {
  readonly root: string
  /** where the nearest policy is; absent: there is none */
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

/** Another policy than the one beside the tests: a file, or written into the test itself. */
export interface PolicyOverride {
  readonly file: string
  readonly text: string | null
  /** it is written into the test */
  readonly inline?: true
}

export const inlinePolicy = (file: string, policy: JsonObject): PolicyOverride => ({
  file,
  text: stringify(policy),
  inline: true,
})

/**
 * The policy as it would be in force once a person has trusted it, in memory: nothing is read from the store or written to it,
 * and a program that a route needs counts as installed unless the workshop knows better.
 */
export function compilePolicyInMemory(
  { root, folder }: TestProject,
  { parts, folders, everyLayer, hasCommand = () => true }: TestCompileOptions,
  instead?: PolicyOverride,
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
  // nothing waits for a person: it would be the same once more
  if (first.layers.every(one => one.inert.length === 0)) return first
  const hashes = new Map(first.layers.filter(({ layer }) => own(layer)).map(one => [one.file, one.trustHash]))
  return compilePolicy({ ...job, trusted: file => hashes.get(file) })
}

const MISSING_POLICY_FILE = '/nonexistent/signalbox/signalbox.yaml'
