import { accessSync, constants } from 'node:fs'

/** The Node a launcher names stays as long as it can be run: changing it at every call would be no stable file. */
export function chooseNode(launcher: string | null, running: string): string {
  const named = /^node=(?:'((?:[^']|'\\'')*)'|(\S+))$/m.exec(launcher ?? '')
  const recorded = named?.[1]?.replaceAll("'\\''", "'") ?? named?.[2]
  return recorded !== undefined && isExecutable(recorded) ? recorded : running
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
