import type { Description } from '../description.ts'
import { ARCHIVES } from './archives.ts'
import { AWK } from './awk.ts'
import { CODE } from './code.ts'
import { FILES } from './files.ts'
import { GIT } from './git.ts'
import { NET } from './net.ts'
import { READERS } from './readers.ts'
import { SEARCHERS } from './search.ts'
import { SED } from './sed.ts'
import { SHELLS } from './shells.ts'
import { TOOLS } from './tools.ts'
import { WRAPPERS } from './wrappers.ts'

/** The described programs. A program that is not here only runs. */
export const PROGRAMS: ReadonlyMap<string, Description> = new Map(
  [READERS, SEARCHERS, FILES, ARCHIVES, NET, CODE, AWK, SED, GIT, SHELLS, WRAPPERS, TOOLS].flatMap(table =>
    Object.entries(table),
  ),
)
