import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** How a project is tested, by the file that says what it is made with. */
const TESTS: Readonly<Record<string, string>> = {
  'package.json': 'npm test',
  'Cargo.toml': 'cargo test',
  'go.mod': 'go test ./...',
  'pyproject.toml': 'pytest',
  'setup.py': 'pytest',
  'pom.xml': 'mvn test',
  'build.gradle': './gradlew test',
  'build.gradle.kts': './gradlew test',
  Gemfile: 'bundle exec rake test',
  'composer.json': 'composer test',
}

/** A folder that has one of these is somebody's project. */
export const PROJECT_FILES: readonly string[] = ['.git', ...Object.keys(TESTS)]

const testCommand = (folder: string | undefined): string =>
  TESTS[Object.keys(TESTS).find(name => folder !== undefined && existsSync(join(folder, name))) ?? ''] ?? 'npm test'

/** Day one is gentle: routes block, and what guards Signalbox itself; everything else only observes. */
export const starterPolicy = (program: string, folder: string | undefined): string =>
  readFileSync(join(program, 'packs', 'starter.yaml'), 'utf8').replaceAll('{tests}', testCommand(folder))
