import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { readRegularFile } from '../../policy/index.ts'

/** Files that make a folder a package for a program, and whether the program searches the parent folders too. */
interface Package {
  readonly files: readonly string[]
  readonly above: boolean
}

const upwards = (...files: string[]): Package => ({ files, above: true })
const here = (...files: string[]): Package => ({ files, above: false })

const node = here('package.json')
const python = here('pyproject.toml', 'pytest.ini', 'setup.cfg', 'setup.py', 'tox.ini', 'conftest.py', 'noxfile.py')
const make = here('Makefile', 'makefile', 'GNUmakefile')
const gradle = here('settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts')

export const PACKAGE_FILES_OF_PROGRAM: ReadonlyMap<string, Package> = new Map<string, Package>([
  ...['npm', 'pnpm', 'yarn'].map((name): [string, Package] => [name, upwards('package.json')]),
  ...'bun npx bunx pnpx node vitest jest mocha playwright ava tap karma cypress ng nx turbo lerna tsc eslint biome prettier stylelint'
    .split(' ')
    .map((name): [string, Package] => [name, node]),
  ...'pytest py.test python python3 uv poetry pdm hatch pipenv rye tox nox ruff mypy pyright flake8 pylint'
    .split(' ')
    .map((name): [string, Package] => [name, python]),
  ['cargo', upwards('Cargo.toml')],
  ['go', here('go.mod', 'go.work')],
  ['make', make],
  ['gmake', make],
  ['mvn', here('pom.xml')],
  ['mvnw', here('pom.xml')],
  ['gradle', gradle],
  ['gradlew', gradle],
  ['deno', here('deno.json', 'deno.jsonc')],
  ['ctest', here('CTestTestfile.cmake')],
  ['bazel', upwards('MODULE.bazel', 'WORKSPACE', 'WORKSPACE.bazel')],
  ['bundle', here('Gemfile')],
  ['rspec', here('Gemfile', '.rspec')],
  ['rake', upwards('Rakefile', 'rakefile')],
  ['just', upwards('justfile', 'Justfile', '.justfile')],
  ['composer', here('composer.json')],
  ['phpunit', here('composer.json', 'phpunit.xml', 'phpunit.xml.dist')],
  ['mix', here('mix.exs')],
  ['sbt', here('build.sbt')],
  ['swift', upwards('Package.swift')],
  ['flutter', here('pubspec.yaml')],
  ['dart', here('pubspec.yaml')],
])

interface Project {
  /** real paths */
  readonly root: string
  readonly cwd: string
}

/** Folders with third-party code. */
const FOREIGN = /(^|\/)(node_modules|bower_components|vendor|site-packages|\.[^/]+)(\/|$)/

/**
 * Whether a check that runs in this folder covers the project. In the root it does. Below the root it does if the program uses the root's
 * package, or if the root is no package and this folder is in one. A folder with its own policy in force counts as a root, and so does a
 * worktree of the project that the agent works in.
 */
export function checkCoversProject(kind: Package, folder: string, project: Project): boolean {
  const { cwd } = project
  const root = worktreeOf(cwd, project.root) ?? project.root
  if (folder === root) return true
  if (!isBelow(folder, root)) return false
  const own = packageOf(folder, root, kind)
  if (own === root) return true
  if (own === undefined || FOREIGN.test(own.slice(root.length + 1))) return false
  return !isPackage(root, kind) || (isBelow(cwd, own) && existsSync(join(own, 'signalbox.yaml')))
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

const isPackage = (folder: string, { files }: Package): boolean => files.some(file => existsSync(join(folder, file)))

/** The worktree of the project's repository that contains the folder: another copy of the same project. */
function worktreeOf(folder: string, root: string): string | undefined {
  for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) {
    const link = readLink(join(at, '.git'))
    if (link !== undefined) return resolve(at, link).startsWith(`${root}/.git/worktrees/`) ? at : undefined
  }
  return undefined
}

/** The `gitdir` in a `.git` file; '' if `.git` is the repository folder itself. */
function readLink(file: string): string | undefined {
  if (!existsSync(file)) return undefined
  try {
    return /^gitdir: (.*)/.exec(readRegularFile(file))?.[1]?.trim() ?? ''
  } catch {
    return ''
  }
}

/** The folder of the package that the program uses, within the project. */
function packageOf(folder: string, root: string, kind: Package): string | undefined {
  for (let at = folder; isBelow(at, root); at = dirname(at)) {
    if (isPackage(at, kind)) return at
    if (!kind.above || at === dirname(at)) return undefined
  }
  return undefined
}
