import type { DecisionDetail } from '../../../../src/app/dashboard/api.ts'

/** Actions that the shorthand can express. */
const FORM = /^(read|write|delete|fetch) (.+)$/s

/** The recorded event in shorthand; undefined if the shorthand cannot express it. */
export function eventOfRecord({ record }: DecisionDetail): string | undefined {
  if (record.event !== 'tool.before') return undefined
  if (record.line !== undefined && !/\[redacted\]|<<\w/.test(record.line)) return record.line
  const lines = record.acts.flatMap(act => (act.startsWith('run ') ? [act.slice(4)] : []))
  if (lines.length > 0) return lines.join(' && ')
  const [, form, thing] = FORM.exec(record.acts[0] ?? '') ?? []
  return form === undefined ? undefined : `${form}: ${thing}`
}
