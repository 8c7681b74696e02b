import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryOr } from '../../../../lib/errors.ts'
import { isObject } from '../../../../lib/json.ts'
import { AuditLogReader } from '../../../../store/index.ts'
import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

const DAY_MS = 86_400_000
/** enough records to cover recent errors */
const MAX_RECORDS = 2000
const MAX_SPOOLED = 200
/** how the error begins that the hook records */
const ERROR_START = 'the hook command is wrong: unknown client '
const UNKNOWN_CLIENT_ERROR = new RegExp(`^${ERROR_START}(\`[^\`]*\`)(?:: did you mean \`([\\w-]+)\`)?`)

/** A hook with an unknown `--client` judges nothing, in whatever file it is registered. */
export const clientNameCheck: DoctorCheck = {
  ids: ['CLIENT-UNKNOWN'],
  about: 'client names in hook commands',
  look({ folders: { state }, now }) {
    const byName = new Map<string, { times: number; right: string | undefined }>()
    for (const why of [...recordedErrors(state, now - DAY_MS), ...spooledErrors(join(state, 'spool'), now - DAY_MS)]) {
      const [, name, right] = UNKNOWN_CLIENT_ERROR.exec(why) ?? []
      if (name !== undefined) byName.set(name, { times: (byName.get(name)?.times ?? 0) + 1, right })
    }
    return [...byName].map(
      ([name, { times, right }]): DoctorFinding => ({
        ...{ id: 'CLIENT-UNKNOWN', severity: 'problem', cause: name },
        effect: 'these events are not evaluated: the agent works as if there were no policy',
        found: `a hook was called with the client ${name} ${times === 1 ? 'once' : `${times} times`} in the last day`,
        fix:
          right === undefined
            ? "signalbox init, then remove the other line from the agent's settings"
            : `write \`--client ${right}\` where the settings of that agent call the hook`,
      }),
    )
  },
}

/** Recent errors before the client was known. Another check reports an unreadable audit log. */
function recordedErrors(state: string, since: number): readonly string[] {
  let auditLog: AuditLogReader | undefined
  try {
    auditLog = AuditLogReader.open(state)
    return auditLog?.before(Number.MAX_SAFE_INTEGER, MAX_RECORDS).flatMap(({ json }) => errorsIn(json, since)) ?? []
  } catch {
    return []
  } finally {
    auditLog?.close()
  }
}

function errorsIn(json: string, since: number): readonly string[] {
  const record: unknown = json.includes(ERROR_START) ? JSON.parse(json) : undefined
  if (!isObject(record) || record.client !== 'unknown' || Number(record.at) < since) return []
  return Array.isArray(record.errors) ? record.errors.map(String) : []
}

/** Errors that are still in the spool: the next judged event would record them, but there may be none. */
const spooledErrors = (folder: string, since: number): readonly string[] =>
  tryOr([], () =>
    readdirSync(folder)
      .filter(name => name.endsWith('.json') && Number.parseInt(name, 10) >= since)
      .slice(0, MAX_SPOOLED)
      .flatMap(name => reasonIn(join(folder, name))),
  )

function reasonIn(file: string): readonly string[] {
  try {
    const { why }: { why?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof why === 'string' ? [why] : []
  } catch {
    return []
  }
}
