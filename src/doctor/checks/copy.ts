import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../pattern/index.ts'
import type { Check } from '../case.ts'
import { isBefore } from '../is-before.ts'

/** The copy of this program that the person's hooks run. */
export const copy: Check = {
  ids: ['COPY-OLD'],
  about: 'the copy of Signalbox that hooks run',
  look(one) {
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
  },
}

function versionIn(file: string): string | undefined {
  try {
    const said: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(said) && typeof said.version === 'string' ? said.version : undefined
  } catch {
    return undefined
  }
}
