import type { Description } from '../description.ts'
import { ARCHIVES } from './archives.ts'
import { AWK } from './awk.ts'
import { BUILDERS } from './build-tools.ts'
import { CODE } from './code.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { dashed } from './git-names.ts'
import { MAKERS } from './makers.ts'
import { NET } from './net.ts'
import { READERS } from './readers.ts'
import { RUNNERS } from './runners.ts'
import { SEARCHERS } from './search.ts'
import { SED } from './sed.ts'
import { SHELLS } from './shells.ts'
import { SIDE_FILES } from './side-files.ts'
import { SQLITE } from './sqlite.ts'
import { TOOLS } from './tools.ts'
import { WRAPPERS } from './wrappers.ts'

/** The described programs. A program that is not here only runs. */
const PROGRAMS: ReadonlyMap<string, Description> = new Map(
  [
    SIDE_FILES,
    READERS,
    SEARCHERS,
    FILES,
    ARCHIVES,
    NET,
    CODE,
    AWK,
    SED,
    GIT,
    SHELLS,
    WRAPPERS,
    RUNNERS,
    TOOLS,
    SQLITE,
    MAKERS,
    BUILDERS,
  ].flatMap(table => Object.entries(table)),
)

const VERSIONED = /^(python|pypy|ruby|perl|node|nodejs|php|lua)[\d.]+$/

/** `python3.11` is `python`, and `git-commit` is `git commit`. */
export function programOf(name: string): Description | undefined {
  const known = PROGRAMS.get(name)
  if (known !== undefined) return known
  const plain = VERSIONED.exec(name)?.[1]
  if (plain !== undefined) return PROGRAMS.get(plain)
  return name.startsWith('git-') ? dashed(name.slice(4)) : undefined
}
