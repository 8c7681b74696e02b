import { isAbsolute, relative } from 'node:path'
import type { PolicyError as Problem } from '../policy/index.ts'
import type { ClientId, Diagnostic } from '../types/index.ts'

export function diagnosticOf(problem: Problem, severity: Diagnostic['severity'], folder: string): Diagnostic {
  const { file, line, column, message, length, help, excerpt, words, keys, client } = problem
  const candidates = words ?? keys
  return {
    severity,
    file: labelOf(file, folder),
    line,
    column,
    message,
    ...(length !== undefined && { length }),
    ...(help !== undefined && { help }),
    ...(excerpt !== undefined && { excerpt }),
    ...(candidates && { candidates }),
    ...(client !== undefined && { client: client as ClientId }),
  }
}

function labelOf(file: string, folder: string): string {
  const near = relative(folder, file)
  return near.startsWith('..') || isAbsolute(near) ? file : near
}
