import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../pattern/index.ts'
import { isThere } from '../agents.ts'
import { type Case, type Check, gatesOf } from '../case.ts'
import type { Finding } from '../finding.ts'
import { isBefore } from '../is-before.ts'
import { brokenProgram, PROJECT_LAUNCHER } from '../program.ts'

/** The copy of this program that the person's hooks run. */
export const copy: Check = {
  ids: ['COPY-OLD', 'PROGRAM-BROKEN'],
  about: 'the copy of Signalbox that hooks run',
  look: one => [...old(one), ...broken(one)],
}

function old(one: Case): readonly Finding[] {
  const file = join(one.folders.data, 'current/package.json')
  const found = versionIn(file)
  if (found === undefined || !isBefore(found, one.version)) return []
  return [
    {
      ...{ id: 'COPY-OLD', weight: 'problem', file },
      cost: 'agents are answered by an older Signalbox than this one',
      saw: `is version ${found}; this is ${one.version}`,
      fix: 'signalbox init',
    },
  ]
}

/** A hook that is registered well and starts something that judges nothing. */
function broken(one: Case): readonly Finding[] {
  const around = { root: one.root, env: one.env, data: one.folders.data }
  return one.agents.flatMap(agent =>
    gatesOf(agent).flatMap((hook): readonly Finding[] => {
      const found = brokenProgram(hook, around)
      if (!found || (hook.command.includes(PROJECT_LAUNCHER) && !isThere(join(one.root, PROJECT_LAUNCHER)))) return []
      return [
        {
          ...{ id: 'PROGRAM-BROKEN', weight: 'problem', file: found.file, cause: found.file },
          cost: 'the hook starts and judges nothing: every call passes unchecked',
          saw: found.saw,
          fix: `${one.anew ?? 'npx signalbox'} init`,
        },
      ]
    }),
  )
}

function versionIn(file: string): string | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(said) && typeof said.version === 'string' ? said.version : undefined
  } catch {
    return undefined
  }
}
