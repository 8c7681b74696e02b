import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

interface Where {
  /** the client's own project folder, if it names one */
  readonly project?: string | undefined
  readonly cwd?: string | undefined
  readonly home: string
}

/** The project: the client's own project folder, else the git root of `cwd`, else `cwd`. Never above the home folder. */
export function projectRoot({ project, cwd, home }: Where): string {
  if (project && isAbsolute(project)) return resolve(project)
  const start = resolve(cwd && isAbsolute(cwd) ? cwd : '/')
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === home || folder === dirname(folder)) return start
  }
}
