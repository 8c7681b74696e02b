import { resolve } from 'node:path'
import { type Action, type Event, isFactField, programName } from '../../engine/index.ts'
import { isInWindow, windowOfName } from '../../lib/time-window.ts'
import { readRepository } from './repository.ts'

interface FactSources {
  readonly now: number
  /** what a policy test says about the repository and the session */
  readonly given: Readonly<Record<string, string | undefined>>
  /** the folder in which the agent works; absent: no file is read */
  readonly cwd?: string | undefined
}

/** What the policy asks about the repository, the session and the time, by the name of the condition's field; null: unknown. */
export function eventFacts(
  names: readonly string[],
  event: Event,
  { now, given, cwd }: FactSources,
): Readonly<Record<string, string | null>> {
  const asked = names.filter(isFactField)
  if (asked.length === 0) return {}
  const isInGit = cwd !== undefined && asked.some(name => name.startsWith('git.')) && staysOnBranch(event)
  const folder = cwd === undefined ? '' : resolve(event.cwd ?? cwd, event.call?.folder ?? '')
  const known: Readonly<Record<string, string | null | undefined>> = {
    'session.client': event.client,
    'session.model': event.model,
    'session.permissions': event.permissions,
    ...(isInGit && namesOf(readRepository(folder))),
    ...given,
  }
  const factOf = (name: string): string | null =>
    name.startsWith('time.') ? yesOrNo(isInWindow(windowOfName(name.slice(5)), now)) : (known[name] ?? null)
  return Object.fromEntries(asked.map(name => [name, factOf(name)]))
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

const namesOf = ({ branch, remote }: ReturnType<typeof readRepository>) => ({
  'git.branch': branch,
  'git.remote': remote,
})

/** False if a part of the line works in another folder, or on another branch than the one that is there before the line. */
function staysOnBranch({ call }: Event): boolean {
  const actions = call?.acts ?? []
  if (actions.some(({ opaque, elsewhere, folder }) => opaque || elsewhere || folder !== undefined)) return false
  const runs = actions.filter(isGit)
  return !runs.some(isOtherRepository) && !runs.slice(0, -1).some(maySwitch)
}

const isGit = ({ words }: Action): boolean => words !== undefined && programName(words[0]?.text ?? 'git') === 'git'
const isOtherRepository = ({ words = [] }: Action): boolean =>
  words.some(({ text }) => text === null || /^(-C|--git-dir|--work-tree)\b/.test(text))
const maySwitch = ({ words = [] }: Action): boolean =>
  words.some(({ text }) =>
    /^(checkout|switch|branch|symbolic-ref|rebase|bisect|worktree|init|clone|remote|config)$/.test(text ?? ''),
  )
