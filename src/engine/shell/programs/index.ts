import type { ProgramDescription } from '../calls/program-call.ts'
import { BUILD_PROGRAMS } from './build-tools.ts'
import { DEVELOPER_TOOLS } from './developer-tools.ts'
import { ARCHIVE_PROGRAMS } from './files/archives.ts'
import { DISK_PROGRAMS, FILE_SYSTEM_MAKER } from './files/disks.ts'
import { FILE_CREATOR_PROGRAMS } from './files/file-creators.ts'
import { FILE_PROGRAMS } from './files/files.ts'
import { REMOVER_PROGRAMS } from './files/removers.ts'
import { dashedGitDescription, GIT_PROGRAMS } from './git/git.ts'
import { NETWORK_PROGRAMS } from './network.ts'
import { COMPILER_NAME, COMPILER_PROGRAMS } from './outputs/compilers.ts'
import { isTabled, SIDE_FILE_PROGRAMS } from './outputs/side-files.ts'
import { sideFilesOf } from './rare-programs/index.ts'
import { READER_PROGRAMS } from './readers.ts'
import { AWK_PROGRAMS } from './scripting/awk.ts'
import { INTERPRETER_PROGRAMS } from './scripting/interpreters.ts'
import { OTHER_INTERPRETERS } from './scripting/other-interpreters.ts'
import { SED_PROGRAMS } from './scripting/sed.ts'
import { SHELL_PROGRAMS } from './scripting/shells.ts'
import { SQLITE_PROGRAMS } from './scripting/sqlite.ts'
import { describeCmdlet, WINDOWS_SHELLS } from './scripting/windows-shells.ts'
import { ZSH_MODULE_BUILTINS } from './scripting/zsh-modules.ts'
import { SEARCH_PROGRAMS } from './search.ts'
import { LOADER_NAME, loaderDescription } from './wrappers/kernel-wrappers.ts'
import { USER_WRAPPERS } from './wrappers/other-users.ts'
import { PACKAGE_RUNNERS } from './wrappers/package-runners.ts'
import { isRunner, RUNNER_PROGRAMS, runnerDescription } from './wrappers/runners.ts'
import { SSH_PROGRAMS } from './wrappers/ssh.ts'
import { WRAPPER_PROGRAMS } from './wrappers/wrappers.ts'

/** All program descriptions. A call of a program without one adds only its `run` action. */
export const PROGRAM_DESCRIPTIONS: ReadonlyMap<string, ProgramDescription> = new Map(
  [
    SIDE_FILE_PROGRAMS,
    READER_PROGRAMS,
    SEARCH_PROGRAMS,
    FILE_PROGRAMS,
    REMOVER_PROGRAMS,
    DISK_PROGRAMS,
    ARCHIVE_PROGRAMS,
    NETWORK_PROGRAMS,
    INTERPRETER_PROGRAMS,
    OTHER_INTERPRETERS,
    AWK_PROGRAMS,
    SED_PROGRAMS,
    GIT_PROGRAMS,
    SHELL_PROGRAMS,
    WINDOWS_SHELLS,
    WRAPPER_PROGRAMS,
    USER_WRAPPERS,
    RUNNER_PROGRAMS,
    SSH_PROGRAMS,
    PACKAGE_RUNNERS,
    DEVELOPER_TOOLS,
    SQLITE_PROGRAMS,
    FILE_CREATOR_PROGRAMS,
    BUILD_PROGRAMS,
    COMPILER_PROGRAMS,
    ZSH_MODULE_BUILTINS,
  ].flatMap(table => Object.entries(table)),
)

const VERSIONED_NAME = /^(python|pypy|ruby|perl|node|nodejs|php|lua)[\d.]+$/

/** For names that the table does not have: `python3.11` is `python`, and `git-commit` is `git commit`. */
export function describeByNameForm(name: string): ProgramDescription | undefined {
  const plain = VERSIONED_NAME.exec(name)?.[1] ?? COMPILER_NAME.exec(name)?.[1]
  if (plain !== undefined) return PROGRAM_DESCRIPTIONS.get(plain)
  if (isRunner(name)) return runnerDescription(name)
  if (isTabled(name)) return sideFilesOf(name)
  if (FILE_SYSTEM_MAKER.test(name)) return PROGRAM_DESCRIPTIONS.get('mkfs')
  if (LOADER_NAME.test(name)) return loaderDescription
  if (name.includes('-')) {
    const described = describeCmdlet(name)
    if (described !== undefined) return described
  }
  return name.startsWith('git-') ? dashedGitDescription(name.slice(4)) : undefined
}

export const isDescribed = (name: string): boolean =>
  PROGRAM_DESCRIPTIONS.has(name) || isRunner(name) || isTabled(name) || describeByNameForm(name) !== undefined
