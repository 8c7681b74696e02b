import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { foldersOf, projectRoot, VERSION } from '../../hook/index.ts'
import { PROGRAM_FOLDER } from '../../lib/program-folder.ts'
import { type InstallPaths, PROJECT_MARKER_FILES } from '../install/index.ts'
import type { Terminal } from './command.ts'
import { openProject } from './project.ts'

/** All paths start from the home folder. A relative HOME would make us write into the current folder. */
export function assertAbsoluteHome<T extends Pick<Terminal, 'env'>>(terminal: T): T {
  const { HOME: home } = terminal.env
  if (home === undefined || isAbsolute(home)) return terminal
  const what = home === '' ? 'is empty' : `is \`${home}\`, which is not an absolute path`
  throw new Error(`HOME ${what}. Nothing was read or changed. Set HOME to your home folder`)
}

/** The paths that installing commands read and write. */
export function installPathsOf(terminal: Pick<Terminal, 'env' | 'cwd'>): InstallPaths {
  const { env, cwd } = assertAbsoluteHome(terminal)
  const { home, state, data, userFile, managedFile } = foldersOf(env)
  return {
    env,
    home,
    cwd,
    project: findProjectAt(cwd, home),
    state,
    data,
    userPolicy: userFile,
    managedPolicy: managedFile,
    program: PROGRAM_FOLDER,
    version: VERSION,
    node: process.execPath,
  }
}

/** The enclosing git root, else the nearest folder with a project file. The home folder is never a project. */
function findProjectAt(cwd: string, home: string): string | undefined {
  const root = projectRoot({ cwd, home })
  if (root !== home && existsSync(join(root, '.git'))) return root
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at))
    if (PROJECT_MARKER_FILES.some(name => existsSync(join(at, name)))) return at
  return undefined
}

/** Tries the policy in a temporary folder and returns its first problem. */
export function findPolicyProblem(text: string, terminal: Terminal): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-init-'))
  try {
    writeFileSync(join(folder, 'signalbox.yaml'), text)
    const env = { ...terminal.env, SIGNALBOX_HOME: join(folder, 'home') }
    const { problems } = openProject(Object.create(terminal, { cwd: { value: folder }, env: { value: env } })).policy
    return problems.find(({ file }) => file.startsWith(folder))?.message
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
