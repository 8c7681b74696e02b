import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NPM_TEST = 'npm test'

/** How a project is tested, by the file that says what it is made with. */
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

/** Of several programs that read a `package.json`, the one whose lock lies beside it. */
const TEST_COMMAND_BY_LOCKFILE: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm test',
  'yarn.lock': 'yarn test',
  'bun.lock': 'bun test',
  'bun.lockb': 'bun test',
}

/** A folder that has one of these is somebody's project. */
export const PROJECT_MARKER_FILES: readonly string[] = ['.git', ...Object.keys(TEST_COMMAND_BY_FILE)]

function detectTestCommand(folder: string | undefined): string {
  const firstIn = (table: Readonly<Record<string, string>>): string | undefined =>
    table[Object.keys(table).find(name => folder !== undefined && existsSync(join(folder, name))) ?? '']
  const found = firstIn(TEST_COMMAND_BY_FILE) ?? NPM_TEST
  return found === NPM_TEST ? (firstIn(TEST_COMMAND_BY_LOCKFILE) ?? NPM_TEST) : found
}

/** Day one is gentle: routes block, and what guards Signalbox itself; everything else only observes. */
export const renderStarterPolicy = (program: string, folder: string | undefined, copies?: string): string =>
  schemaLine(folder, copies) +
  readFileSync(join(program, 'packs', 'starter.yaml'), 'utf8').replaceAll('{tests}', detectTestCommand(folder))

const SCHEMA = 'schema/signalbox.schema.json'
const PACKAGE = 'node_modules/signalbox'

/**
 * For completion in editors, without a network. A project's file is everybody's: only a place that is the same for all who have the
 * project is named, never one in somebody's home. A person's own policy names the copy that upgrades replace.
 */
function schemaLine(folder: string | undefined, copies: string | undefined): string {
  const line = (where: string): string => `# yaml-language-server: $schema=${where}/${SCHEMA}\n`
  if (folder !== undefined) return existsSync(join(folder, PACKAGE, SCHEMA)) ? line(`./${PACKAGE}`) : ''
  return copies === undefined ? '' : line(join(copies, 'current'))
}
