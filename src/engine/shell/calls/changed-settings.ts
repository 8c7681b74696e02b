import { programName } from '../../match/command.ts'
import type { Action } from '../../model/event.ts'
import { CHECK_PROGRAMS } from '../programs/check-programs.ts'
import { basename } from './argument.ts'

/** Files with settings of test runners, build tools and package managers. The manifest of a project is not among them. */
const SETTINGS_FILE =
  /^(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|pytest\.ini|conftest\.py|tox\.ini|noxfile\.py|gradle\.properties|\.mocharc\.\w+|(jest|vitest|vite|karma|playwright|cypress|ava)\.config\.\w+|GNUmakefile|\.rspec|nextest\.toml)$/
const SETTINGS_FOLDER = /(^|\/)(node_modules\/\.bin|\.cargo|\.mvn)(\/|$)/

/** `npm config set script-shell true`, `npm set …`, `npm pkg set scripts.test=true`. */
const SETTING_VERBS =
  /^(npm|pnpm|yarn|bun) (?:-\S+ )*(config (?:-\S+ )*(set|delete|edit)|c set|set|pkg (set|delete)|set-script)\b/

/**
 * In a line that also changes how checks run, the success of a check proves nothing. The order is ignored: a loop, a function or a
 * background command may come first. `line`: all actions of the line, if `acts` are only some of them.
 */
export function withoutDoubtfulProofs(acts: readonly Action[], line = acts): readonly Action[] {
  if (!line.some(isSettingsChange)) return acts
  return acts.map(act => (act.implied && isCheck(act) ? { ...act, implied: false } : act))
}

const isCheck = ({ words }: Action): boolean => CHECK_PROGRAMS.has(programName(words?.[0]?.text ?? ''))

function isSettingsChange({ action, place, words }: Action): boolean {
  if (action === 'run') return SETTING_VERBS.test(commandText(words))
  const path = action === 'write' ? place?.lexical : undefined
  return typeof path === 'string' && (SETTINGS_FILE.test(basename(path)) || SETTINGS_FOLDER.test(path))
}

const commandText = (words: Action['words'] = []): string =>
  words
    .slice(0, 12)
    .map(({ text }, at) => (at === 0 ? programName(text ?? '') : (text ?? '?')))
    .join(' ')
