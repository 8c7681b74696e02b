/** Short names for rows; the exact name is in the title attribute. */

/** `claude-code` becomes `claude` */
export const shortClientName = (id: string): string => id.split('-', 1)[0] ?? id

/** `project/tests-before-commit` without its layer */
export const shortGateName = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

/** enough of a session's id to recognise it */
export const shortSessionId = (id: string): string => id.slice(0, 8) || 'no id'

const MAIN: ReadonlySet<string> = new Set(['main', 'unknown'])

/** true for the main agent and for an unknown caller */
export const isMainAgent = ({ caller }: { readonly caller: string }): boolean => MAIN.has(caller)

/** a path relative to the project */
export const pathInProject = (file: string, root: string): string =>
  file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file

/** the action, with paths relative to the project */
export const withProjectPaths = (what: string, root: string | undefined): string =>
  root === undefined ? what : what.replaceAll(`${root}/`, '')

/** the last part of a path */
export const fileOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
