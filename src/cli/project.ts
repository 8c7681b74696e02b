import { join, relative } from 'node:path'
import { clients } from '../clients/index.ts'
import * as compiler from '../policy/compiler.ts'
import { type LoadedPolicy, loadPolicy } from '../policy/index.ts'
import { type Folders, foldersOf, type Parts, policyInput, projectRoot } from '../runtime/index.ts'
import * as regex from '../runtime/regex.ts'
import * as shell from '../shell/index.ts'
import type { Terminal } from './command.ts'
import { HOME } from './home.ts'

export const parts: Parts = {
  clients: () => clients,
  shell: () => shell,
  regex: () => regex,
  compiler: () => compiler,
  packsDir: join(HOME, 'packs'),
}

export interface Project {
  readonly root: string
  /** where in the project */
  readonly cwd: string
  readonly folders: Folders
  readonly policy: LoadedPolicy
  /** a file as a person in this folder would name it */
  readonly label: (file: string) => string
}

/** The project a command was called in, with the policy in force there. `stores: false`: for who only looks, nothing is written. */
export function openProject({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>, { stores = true } = {}): Project {
  const folders = foldersOf(env)
  const root = projectRoot({ cwd, home: folders.home })
  const policy = loadPolicy(Object.assign(policyInput(root, cwd, env, folders, parts), { stores }), parts.compiler)
  return {
    root,
    cwd,
    folders,
    policy,
    label: file => (isIn(root, file) ? relative(cwd, file) : labelOf(file, cwd, folders.home)),
  }
}

/** The same project in a folder of it, with what applies there; files are named as before. */
export function projectIn(folder: string, { root, folders, label }: Project, env: Terminal['env']): Project {
  const policy = loadPolicy(policyInput(root, folder, env, folders, parts), parts.compiler)
  return { root, cwd: folder, folders, policy, label }
}

const isIn = (root: string, file: string): boolean => file.startsWith(`${root}/`)

export function labelOf(file: string, cwd: string, home: string): string {
  const near = relative(cwd, file)
  if (!near.startsWith('..')) return near
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

/** A file that is not in force as it is written. */
export const layerNotes = ({ policy, label }: Project): readonly string[] =>
  policy.layers.flatMap(({ file, state, inert }) => [
    ...(state === 'last-good' ? [`${label(file)} is broken: its last good version is what answers`] : []),
    ...(state === 'left-out' ? [`${label(file)} is broken, and nothing of it is in force`] : []),
    ...(state === 'denies' ? [`${label(file)} is broken and managed: every call is refused`] : []),
    ...inert.map(line => `waits for \`signalbox trust\`: ${line}`),
  ])

/** What to do where there is no policy at all. */
export const NO_POLICY =
  'No policy here: no signalbox.yaml in this project, for you, or managed. Only Signalbox itself is guarded.\n'
