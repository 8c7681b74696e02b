import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { putFile } from './setup.ts'
import type { Folders } from './stage.ts'

/** A hook that has no opinion, or stops every call, for clients that Signalbox does not serve yet. */
export function bareHook({ folder }: Folders, { denies }: { denies: boolean }): string {
  const answer = denies ? `process.stderr.write('Refused for a trial.'); process.exitCode = 2` : ''
  const keep = `const fs = require('node:fs')\nfs.appendFileSync(${JSON.stringify(callsIn(folder))}, fs.readFileSync(0) + '\\n')`
  putFile(folder, 'bare.cjs', `${keep}\n${answer}\n`)
  return `node ${join(folder, 'bare.cjs')}`
}

export const wasCalled = ({ folder }: Folders): boolean => existsSync(callsIn(folder))

const callsIn = (folder: string): string => join(folder, 'calls')
