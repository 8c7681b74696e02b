import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Why the state folder cannot be written: an agent's sandbox makes it read-only for the commands it runs. Undefined if it can. */
export function findSandboxProblem(state: string): Error | undefined {
  let folder = state
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return new Error(
      `${state} cannot be written from here (${code}). If your agent ran this command, its sandbox is the reason: run it again with escalated permissions (outside of the sandbox), or ask a person to run it in a terminal.`,
    )
  }
}
