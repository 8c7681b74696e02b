import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch } from './driver.ts'
import { putFile } from './setup.ts'
import type { Folders } from './stage.ts'

/** The backend that each of them is, and what its program needs to play here. */
export const BACKENDS: Readonly<Record<string, { readonly name: string; readonly args: readonly string[] }>> = {
  'claude-code': { name: 'claude', args: [] },
  // nobody is here to review hooks
  'codex-cli': { name: 'codex', args: ['--dangerously-bypass-hook-trust'] },
  'gemini-cli': { name: 'gemini', args: ['-m', 'gemini-2.5-pro'] },
}

/** How the program is started, as a person types it. */
export function putProgram(folders: Folders, name: string, { command, args }: Launch): void {
  const [script = ''] = args
  const real = command === process.execPath ? `'${command}' '${script}'` : `'${command}'`
  putFile(folders.folder, `bin/${name}`, `#!/bin/sh\nexec ${real} "$@"\n`)
  chmodSync(join(folders.folder, 'bin', name), 0o755)
}
