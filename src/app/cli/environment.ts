import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { foldersOf, projectRoot, VERSION } from '../../hook/index.ts'
import { PROGRAM_FOLDER } from '../../lib/program-folder.ts'
import { type InstallPaths, PROJECT_MARKER_FILES } from '../install/index.ts'
import type { Terminal } from './command.ts'
import { openProject } from './project.ts'

/** Everything is looked for from the home folder on: one that is none would be written into wherever this is called. */
export function assertAbsoluteHome<T extends Pick<Terminal, 'env'>>(terminal: T): T {
  const { HOME: home } = terminal.env
  if (home === undefined || isAbsolute(home)) return terminal
  const what = home === '' ? 'is empty' : `is \`${home}\`, which is not absolute`
  throw new Error(`HOME ${what}, so nothing was looked at or changed; set it to your home folder`)
}

/** Where a command that installs looks and writes. */
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

/** The git root around, else the nearest folder that says what it is made with. The home folder is nobody's project. */
function findProjectAt(cwd: string, home: string): string | undefined {
  const root = projectRoot({ cwd, home })
  if (root !== home && existsSync(join(root, '.git'))) return root
  for (let at = cwd; at !== home && at !== dirname(at); at = dirname(at))
    if (PROJECT_MARKER_FILES.some(name => existsSync(join(at, name)))) return at
  return undefined
}

/** A policy is tried where nobody else reads it; what is wrong with it, if anything is. */
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
