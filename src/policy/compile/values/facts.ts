import type { Condition, FieldPattern, TextPattern } from '../../../engine/index.ts'
import { DAYS, isTimeZone, nameOfWindow } from '../../../lib/time-window.ts'
import type { ConditionDoc } from '../../schema/condition.ts'
import { type CompileContext, reportError, toList } from '../context.ts'

/** What conditions ask about the repository, the session and the time: as fields that the hook fills in beside the variables. */
export function compileFacts(context: CompileContext, doc: ConditionDoc): readonly Condition[] {
  const fields = [...fieldsOf('git', doc.git), ...fieldsOf('session', doc.session), ...timeOf(context, doc.time)]
  for (const { field } of fields) context.notes.env.add(field)
  return fields.length === 0 ? [] : [{ key: 'env', fields }]
}

const fieldsOf = (
  of: string,
  asked: Readonly<Record<string, string | readonly string[]>> = {},
): readonly FieldPattern[] =>
  Object.entries(asked).map(([name, value]) => ({ field: `${of}.${name}`, in: toList(value).map(wildcardPattern) }))

/** `*` is any characters. */
const wildcardPattern = (text: string): TextPattern =>
  text.includes('*') ? { regex: `^${text.split('*').map(escapeRegex).join('.*')}$` } : { is: text }

const escapeRegex = (text: string): string => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')

function timeOf(context: CompileContext, time: ConditionDoc['time']): readonly FieldPattern[] {
  if (time === undefined) return []
  const { days = DAYS, from = '00:00', to = '24:00', zone = '' } = time
  if (zone !== '' && !isTimeZone(zone))
    reportError(context, time, 'zone', `unknown time zone \`${zone}\``, {
      help: 'write a name such as `Europe/Zurich`',
    })
  return [{ field: `time.${nameOfWindow({ days: toList(days), from, to, zone })}`, in: [{ is: 'yes' }] }]
}
