import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../pattern/index.ts'
import { TrailReader } from '../../store/index.ts'
import type { Check } from '../case.ts'
import type { Finding } from '../finding.ts'

const DAY_MS = 86_400_000
/** as many as tell what went wrong lately */
const LATEST = 2000
const MOST_WAITING = 200
const WRONG = /^the hook was called wrongly: unknown client (`[^`]*`)(?:: did you mean `([\w-]+)`)?/

/** A hook that names an agent which does not exist judges nothing, wherever that line stands. */
export const called: Check = {
  ids: ['CLIENT-UNKNOWN'],
  about: 'the names that hooks were called with',
  look({ folders: { state }, now }) {
    const byName = new Map<string, { times: number; right: string | undefined }>()
    for (const why of [...onRecord(state, now - DAY_MS), ...waiting(join(state, 'spool'), now - DAY_MS)]) {
      const [, name, right] = WRONG.exec(why) ?? []
      if (name !== undefined) byName.set(name, { times: (byName.get(name)?.times ?? 0) + 1, right })
    }
    return [...byName].map(
      ([name, { times, right }]): Finding => ({
        ...{ id: 'CLIENT-UNKNOWN', weight: 'problem', cause: name },
        cost: 'those events are not judged: that agent works as if there were no policy',
        saw: `a hook was called with the client ${name} ${times === 1 ? 'once' : `${times} times`} in the last day`,
        fix:
          right === undefined
            ? 'signalbox init, and take the other line out of the settings'
            : `write \`--client ${right}\` where the settings of that agent call the hook`,
      }),
    )
  },
}

/** What failed lately before anybody knew for whom. One that cannot be read is told of by another check. */
function onRecord(state: string, since: number): readonly string[] {
  let trail: TrailReader | undefined
  try {
    trail = TrailReader.open(state)
    return trail?.before(Number.MAX_SAFE_INTEGER, LATEST).flatMap(({ json }) => errorsIn(json, since)) ?? []
  } catch {
    return []
  } finally {
    trail?.close()
  }
}

function errorsIn(json: string, since: number): readonly string[] {
  const record: unknown = json.includes('called wrongly') ? JSON.parse(json) : undefined
  if (!isObject(record) || record.client !== 'unknown' || Number(record.at) < since) return []
  return Array.isArray(record.errors) ? record.errors.map(String) : []
}

/** Not on record yet: the next event that is judged puts them there, and maybe there is none. */
function waiting(folder: string, since: number): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.json') && Number.parseInt(name, 10) >= since)
      .slice(0, MOST_WAITING)
      .flatMap(name => whyIn(join(folder, name)))
  } catch {
    return []
  }
}

function whyIn(file: string): readonly string[] {
  try {
    const { why }: { why?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof why === 'string' ? [why] : []
  } catch {
    return []
  }
}
