/** Names as they are said in a row: the exact one stands beside it, in its title. */

/** `claude-code` is `claude` to who knows it */
export const shortClientName = (id: string): string => id.split('-', 1)[0] ?? id

/** `project/tests-before-commit` without its layer */
export const shortGateName = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** as much of a session's id as a person compares */
export const shortSessionId = (id: string): string => id.slice(0, 8) || 'no id'

const MAIN: ReadonlySet<string> = new Set(['main', 'unknown'])

/** no subagent, or nobody knows */
export const isMainAgent = ({ caller }: { readonly caller: string }): boolean => MAIN.has(caller)

/** a file as its project calls it */
export const pathInProject = (file: string, root: string): string =>
  file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file

/** what was done, with the project's files as it calls them */
export const actionInProject = (what: string, root: string | undefined): string =>
  root === undefined ? what : what.replaceAll(`${root}/`, '')

/** the end of a path, which says the most */
export const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
