import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NPM_TEST = 'npm test'

/** Test command by the file that identifies the kind of project. */
const TEST_COMMAND_BY_FILE: Readonly<Record<string, string>> = {
  'package.json': NPM_TEST,
  'Cargo.toml': 'cargo test',
  'go.mod': 'go test ./...',
  'pyproject.toml': 'pytest',
  'pytest.ini': 'pytest',
  'setup.py': 'pytest',
  'pom.xml': 'mvn test',
  'build.gradle': './gradlew test',
  'build.gradle.kts': './gradlew test',
  Gemfile: 'bundle exec rake test',
  'composer.json': 'composer test',
}

/** The lockfile determines which package manager runs a `package.json`. */
const TEST_COMMAND_BY_LOCKFILE: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm test',
  'yarn.lock': 'yarn test',
  'bun.lock': 'bun test',
  'bun.lockb': 'bun test',
}

/** A folder with one of these files is a project. */
export const PROJECT_MARKER_FILES: readonly string[] = ['.git', ...Object.keys(TEST_COMMAND_BY_FILE)]

function detectTestCommand(folder: string | undefined): string {
  const firstIn = (table: Readonly<Record<string, string>>): string | undefined =>
    table[Object.keys(table).find(name => folder !== undefined && existsSync(join(folder, name))) ?? '']
  const found = firstIn(TEST_COMMAND_BY_FILE) ?? NPM_TEST
  return found === NPM_TEST ? (firstIn(TEST_COMMAND_BY_LOCKFILE) ?? NPM_TEST) : found
}

/** By default only routes and the protection of Signalbox itself block; everything else observes. */
export const renderStarterPolicy = (program: string, folder: string | undefined, copies?: string): string =>
  schemaLine(folder, copies) +
  readFileSync(join(program, 'packs', 'starter.yaml'), 'utf8').replaceAll('{tests}', detectTestCommand(folder))

const SCHEMA = 'schema/signalbox.schema.json'
const PACKAGE = 'node_modules/signalbox'

/**
 * Schema for completion in editors, without network. A project's policy is shared, so it only names a path that exists for everyone
 * on the project, never one in a home folder. A user's policy names the installed copy, which upgrades replace.
 */
function schemaLine(folder: string | undefined, copies: string | undefined): string {
  const line = (where: string): string => `# yaml-language-server: $schema=${where}/${SCHEMA}\n`
  if (folder !== undefined) return existsSync(join(folder, PACKAGE, SCHEMA)) ? line(`./${PACKAGE}`) : ''
  return copies === undefined ? '' : line(join(copies, 'current'))
}
