import { join, relative } from 'node:path'
import { clients } from '../../clients/index.ts'
import * as shell from '../../engine/shell/index.ts'
import { type Folders, foldersOf, type LazyDependencies, policyInput, projectRoot } from '../../hook/index.ts'
import * as regex from '../../hook/services/regex.ts'
import { PROGRAM_FOLDER } from '../../lib/program-folder.ts'
import * as compiler from '../../policy/compile/compiler.ts'
import { type LoadedPolicy, loadPolicy } from '../../policy/index.ts'
import type { Terminal } from './command.ts'

export const cliDependencies: LazyDependencies = {
  clients: () => clients,
  shell: () => shell,
  regex: () => regex,
  compiler: () => compiler,
  packsDir: join(PROGRAM_FOLDER, 'packs'),
}

export interface ProjectContext {
  readonly root: string
  /** the folder inside the project */
  readonly cwd: string
  readonly folders: Folders
  readonly policy: LoadedPolicy
  /** a file path as a person in this folder would write it */
  readonly label: (file: string) => string
}

/** The project of the current folder with the policy in force. `stores: false` writes nothing, for commands that only read. */
export function openProject({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>, { stores = true } = {}): ProjectContext {
  const folders = foldersOf(env)
  const root = projectRoot({ cwd, home: folders.home })
  const policy = loadPolicy(
    Object.assign(policyInput(root, cwd, env, folders, cliDependencies), { stores }),
    cliDependencies.compiler,
  )
  return {
    root,
    cwd,
    folders,
    policy,
    label: file => (isInsideRoot(root, file) ? relative(cwd, file) : shortenPath(file, cwd, folders.home)),
  }
}

/** The same project seen from a subfolder, with the policy in force there. File labels stay the same. */
export function openSubfolder(
  folder: string,
  { root, folders, label }: ProjectContext,
  env: Terminal['env'],
): ProjectContext {
  const policy = loadPolicy(policyInput(root, folder, env, folders, cliDependencies), cliDependencies.compiler)
  return { root, cwd: folder, folders, policy, label }
}

const isInsideRoot = (root: string, file: string): boolean => file.startsWith(`${root}/`)

export function shortenPath(file: string, cwd: string, home: string): string {
  const near = relative(cwd, file)
  if (!near.startsWith('..')) return near
  return file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file
}

/** Notes on policy files that are not in force as written. */
export const brokenLayerNotes = ({ policy, label }: ProjectContext): readonly string[] =>
  policy.layers.flatMap(({ file, state, untrusted }) => [
    ...(state === 'last-good' ? [`${label(file)} is broken: its last valid version is still enforced`] : []),
    ...(state === 'left-out' ? [`${label(file)} is broken, and none of it is enforced`] : []),
    ...(state === 'denies' ? [`${label(file)} is broken and managed: every call is denied`] : []),
    ...untrusted.map(line => `not trusted yet (run \`signalbox trust\`): ${line}`),
  ])

/** Shown when there is no policy. */
export const NO_POLICY_TEXT =
  "No policy here: there is no signalbox.yaml in this project or in your home folder, and no managed policy. Only Signalbox's own files are protected.\n"
