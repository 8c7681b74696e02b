import { programName } from '../../match/command.ts'
import type { Action } from '../../model/event.ts'
import { CHECK_PROGRAMS } from '../programs/check-programs.ts'
import { basename } from './argument.ts'

/** Files that say what a check runs: manifests, build files, settings of test runners, linters and package managers. */
const SETTINGS_FILE = new RegExp(
  `^(${[
    String.raw`\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|pnpm-workspace\.yaml|package\.(json5?|yaml)|deno\.jsonc?`,
    String.raw`(gnu|bsd)?makefile(\.\w+)?|.*\.(mk|mak|ninja|cmake|just|rake|gradle|gradle\.kts)|\.?justfile|taskfile(\.dist)?\.ya?ml|rakefile(\.rb)?|gemfile|\.rspec`,
    String.raw`pytest\.ini|\.pytest\.ini|conftest\.py|tox\.ini|noxfile\.py|setup\.(cfg|py)|pyproject\.toml|mypy\.ini|\.mypy\.ini|\.flake8|\.?pylintrc|\.?ruff\.toml|pyrightconfig\.json|\.coveragerc`,
    String.raw`pom\.xml|gradle\.properties|gradlew(\.bat)?|mvnw(\.cmd)?|build\.sbt|cargo\.toml|build\.rs|nextest\.toml|go\.(mod|work)|cmakelists\.txt`,
    String.raw`\.mocharc\.\w+|(jest|vitest|vite|karma|playwright|cypress|ava|eslint|prettier|stylelint)\.(config|conf)\.\w+|(vitest\.)?workspace\.\w+|(ts|js)config(\.[\w-]+)?\.json|biome\.jsonc?`,
    String.raw`\.(eslintrc|eslintignore|prettierrc|prettierignore|stylelintrc|taprc|golangci|shellcheckrc|hadolint)(\.\w+)?|(nx|turbo|lerna|angular|project|composer)\.json`,
    String.raw`phpunit\.xml(\.dist)?|mix\.exs|pubspec\.yaml|dart_test\.yaml|analysis_options\.yaml|package\.swift|.*\.(csproj|fsproj|sln|props|targets|runsettings)|(module|workspace|build)\.bazel|\.bazelrc`,
  ].join('|')})$`,
  'i',
)
/** In small letters these are ordinary folders. */
const BAZEL_FILE = /^(BUILD|WORKSPACE)$/
const SETTINGS_FOLDER = /(^|\/)(node_modules\/\.bin|\.cargo|\.mvn|gradle\/wrapper)(\/|$)/

/** `npm config set script-shell true`, `npm set …`, `npm pkg set scripts.test=true`. */
const SETTING_VERBS =
  /^(npm|pnpm|yarn|bun) (?:-\S+ )*(config (?:-\S+ )*(set|delete|edit)|c set|set|pkg (set|delete)|set-script)\b/

/** Programs that skip a target whose file is newer than what it is made of: `touch test && make test` runs nothing. */
const FILE_TARGET_PROGRAMS = /^(make|gmake|bmake|remake|ninja|samu|rake|task|go-task|scons|redo|tup)$/

/**
 * In a line that also changes how checks run, the success of a check proves nothing. The order is ignored: a loop, a function or a
 * background command may come first. `line`: all actions of the line, if `acts` are only some of them.
 */
export function withoutDoubtfulProofs(acts: readonly Action[], line = acts): readonly Action[] {
  const changesSettings = line.some(isSettingsChange)
  const isDoubtful = (act: Action): boolean =>
    (changesSettings && isCheck(act)) || (isOfFileTargets(act) && line.some(one => mayMakeTarget(one, act)))
  return acts.map(act => (act.implied && isDoubtful(act) ? { ...act, implied: false } : act))
}

const nameOf = ({ words }: Action): string => programName(words?.[0]?.text ?? '')
const isOfFileTargets = (act: Action): boolean => FILE_TARGET_PROGRAMS.test(nameOf(act))
const isCheck = (act: Action): boolean => CHECK_PROGRAMS.has(nameOf(act)) || isOfFileTargets(act)

function isSettingsChange({ action, place, words }: Action): boolean {
  if (action === 'run') return SETTING_VERBS.test(commandText(words))
  const path = action === 'write' || action === 'delete' ? place?.lexical : undefined
  if (typeof path !== 'string') return false
  const name = basename(path)
  return SETTINGS_FILE.test(name) || BAZEL_FILE.test(name) || SETTINGS_FOLDER.test(path)
}

/** May this write make a target, or something that the target waits for, look done? A log for the output does not. */
function mayMakeTarget({ action, place }: Action, { words = [] }: Action): boolean {
  if (action !== 'write') return false
  const path = place?.lexical
  if (typeof path !== 'string') return true
  if (/^\/(dev|tmp|var\/tmp)\//.test(path) && !path.includes('..')) return false
  const name = basename(path)
  return !/\.(log|txt)$/.test(name) || words.some(({ text }) => text === null || basename(text) === name)
}

const commandText = (words: Action['words'] = []): string =>
  words
    .slice(0, 12)
    .map(({ text }, at) => (at === 0 ? programName(text ?? '') : (text ?? '?')))
    .join(' ')
