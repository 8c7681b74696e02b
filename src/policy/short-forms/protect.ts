import { toList } from '../compile/context.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import type { ProtectDoc } from '../schema/short-forms.ts'
import { messageOf, nameFrom, type ShortFormGate } from './short-form-gate.ts'

/** `protect: prod/`: no agent changes these files. `holder` and `key`: where the form stands in the document. */
export function expandProtect(form: ProtectDoc, holder: object, key: string | number): readonly ShortFormGate[] {
  const { paths, ...given } = typeof form === 'string' ? { paths: form } : form
  const when: ConditionDoc = { event: 'tool.before', action: ['write', 'delete'], path: paths }
  const rule = {
    id: 'change',
    when,
    then: 'deny',
    message: messageOf(given, '`{path}` is protected: leave it as it is, and ask the person if it has to change.'),
  } as const
  return [
    {
      name: ('id' in given && given.id) || nameFrom('protect', ...toList(paths)),
      doc: { about: `No agent changes ${toList(paths).join(', ')}.`, rules: [rule] },
      copied: [
        [when, 'path', ...(typeof form === 'string' ? ([holder, key] as const) : ([form, 'paths'] as const))],
        ...(typeof form === 'string' ? [] : ([[rule, 'message', form, 'message']] as const)),
      ],
    },
  ]
}
