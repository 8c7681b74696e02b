import type { PathRef } from '../../match/path-ref.ts'
import type { DescriptorTable } from './file-descriptors.ts'
import type { LineLink } from './links.ts'

/**
 * What an option or a variable of the shell changes about paths. `hidden`: wildcards match names that begin with a dot. `case`: they
 * ignore case. `patterns`: more characters are wildcards. `folders`: a relative `cd` may enter a folder elsewhere.
 */
export type Looseness = 'hidden' | 'case' | 'patterns' | 'folders'

/** What is known about the shell at one point of the line. */
export interface ShellScope {
  /** folders the command may run in: '' is where the line began, null is unknown */
  cwds: readonly (string | null)[]
  /** entries of `cwds` that contain wildcards: `cd .c*` may enter any matching folder */
  wildCwds: ReadonlySet<string>
  /** variables with a certain value; the map is replaced, never changed, so forks may share it */
  vars: ReadonlyMap<string, string>
  /** names in `vars` that not every shell assigns; in other shells they hold another value */
  varied: ReadonlySet<string>
  /** false where code may run later or not at all: an assignment then makes the variable unknown */
  certain: boolean
  /** word splitting or name references have changed: no variable value is known from here on */
  untracked: boolean
  /** names assigned in an `&&` chain: certain within the chain, not after it */
  chained: string[] | undefined
  /** the outermost enclosing loop: a variable set in it may differ between iterations */
  loop: LoopScope | undefined
  errexit: boolean
  pipefail: boolean
  /** the shell may have exited, or names may mean something else: success of the line implies nothing after this point */
  voided: boolean
  /** runs in the background (`&`, `coproc`): nothing waits for it */
  away: boolean
  /** a variable that changes how programs behave was set, so no program is known to be read-only */
  tainted: boolean
  /** a variable that programs may read as an option was exported */
  exported: boolean
  /** tainted variables: their text is unreadable, so evaluating it as a number or a name may run anything */
  taints: ReadonlySet<string>
  /** variables whose value may be a variable name: evaluated as a number, it yields the value of that other variable */
  names: ReadonlySet<string>
  /** array variables: `declare` evaluates a value assigned to one */
  arrays: ReadonlySet<string>
  /** variables declared as integers: an assigned value is evaluated */
  integers: ReadonlySet<string>
  /** everything ever in `taints`, `names` or `integers`; code that runs later, such as a function, may see it; shared by the whole line */
  readonly ever: LineHistory
  /** files that the line has opened, by descriptor */
  descriptors: DescriptorTable
  /** HOME was assigned, so `~` is unknown */
  homeless: boolean
  /** what options and variables change about wildcards and `cd` */
  loose: ReadonlySet<Looseness>
  /** values are not split at white space, as in zsh */
  whole: boolean
  /** PWD was assigned, so `$PWD` is unknown */
  adrift: boolean
  /** function name → whether a call may change the folder; shared by the whole line, which errs on the safe side */
  readonly functions: Map<string, boolean>
  /** links that this line creates; shared by the whole line */
  readonly links: LineLink[]
  /** files that searches in this line may find: an unknown path may be one of them; shared by the whole line */
  readonly finds: PathRef[]
  /** everything that commands list whose output becomes words of another command: an unknown path that is changed may be any of it */
  readonly listings: PathRef[]
  /** files that `git add` in this line puts into the index, so that git may delete them later; shared by the whole line */
  readonly staged: PathRef[]
  /** the output of this command becomes words of another command, and nothing in between chooses among them */
  fed: boolean
  /** variable → names and wildcards it may hold, such as a loop variable over files; shared by the whole line */
  readonly possible: Map<string, readonly string[]>
}

/** Names of variables, collected over the whole line. */
export interface LineHistory {
  readonly taints: Set<string>
  readonly names: Set<string>
  readonly integers: Set<string>
  /** an assignment has evaluated its text, which may run anything: a loop or an expansion has no command that would show it */
  evaluates: boolean
  /** the smallest history size at which code that runs later was read */
  met: number
}

export interface LoopScope {
  readonly text: string
  /** variable name → whether the loop text sets it */
  readonly sets: Map<string, boolean>
}
