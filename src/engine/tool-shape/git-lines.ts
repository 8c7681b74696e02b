import type { JsonObject } from '../../lib/json.ts'
import { GIT_VERB, namesMessaging, namesOnlyReadingLoosely, splitIdentifier } from './field-meaning.ts'
import type { InputFindings } from './tool-input.ts'

const REPOSITORY = /\b(git|vcs|scm|repo|repository|branch|changes|remote|(version|source) ?control)\b/
/** Tools that report on work and may store it at the same time. */
const REPORTS = /\b(report|progress)\b/

/** What a tool for a repository does, as lines of git: `vcs { verb: 'commit' }`, `git_push {}`, `report_progress { commitMessage }`. */
export function gitLinesOf(
  found: InputFindings,
  words: readonly string[],
  input: JsonObject,
  fullName: string,
): readonly string[] {
  if (found.remote || namesOnlyReadingLoosely(words)) return []
  const isVerb = (word: string): boolean => GIT_VERB.test(word)
  const name = words.join(' ')
  const isNamed = REPOSITORY.test(fullName) && !namesMessaging(words.filter(word => !isVerb(word)))
  const verbs = (isNamed ? words : REPORTS.test(name) ? found.verbs : []).filter(isVerb)
  return [...new Set([...verbs, ...verbsOfFields(input)])].map(verb => `git ${verb}`)
}

/** `commit_message`, `commitTitle`; `commit: true`, `push: true`: fields that only a tool which does this has. */
const verbsOfFields = (input: JsonObject): readonly string[] =>
  Object.entries(input).flatMap(([key, value]) => {
    const field = splitIdentifier(key).join(' ')
    if (value === true) return /^(commit|push)$/.test(field) ? [field] : []
    return typeof value === 'string' && value !== '' && /^commit (message|title)$/.test(field) ? ['commit'] : []
  })
