import { accessSync, constants } from 'node:fs'
import { unescapeSingleQuotes } from '../../../lib/shell-quote.ts'

/** Keeps the Node path of an existing launcher as long as it is executable, so that the file does not change with every `init`. */
export function chooseNode(launcher: string | null, running: string): string {
  const named = /^node=(?:'((?:[^']|'\\'')*)'|(\S+))$/m.exec(launcher ?? '')
  const recorded = named?.[1] === undefined ? named?.[2] : unescapeSingleQuotes(named[1])
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
