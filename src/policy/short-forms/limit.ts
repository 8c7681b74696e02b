import { toList } from '../compile/context.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import type { LimitDoc } from '../schema/short-forms.ts'
import { messageOf, nameFrom, type ShortFormGate } from './short-form-gate.ts'

/** `limit: { edits: 20, until: git commit }`: so many, then nothing more of the kind until the command succeeds or a person writes. */
export function expandLimit(form: LimitDoc): readonly ShortFormGate[] {
  return (['edits', 'calls'] as const).flatMap(kind => {
    const most = form[kind]
    return most === undefined ? [] : [gateFor(form, kind, most)]
  })
}

const COUNTED: Readonly<Record<'edits' | 'calls', ConditionDoc>> = {
  edits: { event: 'tool.before', action: ['write', 'delete'] },
  calls: { event: 'tool.before' },
}

function gateFor(form: LimitDoc, kind: 'edits' | 'calls', most: number): ShortFormGate {
  const isPrompt = form.until === 'prompt'
  const renewed = (): ConditionDoc =>
    isPrompt
      ? { event: 'prompt.submit', source: 'user' }
      : { event: 'tool.after', command: form.until, succeeded: true }
  const [whenOpen, whenClosed] = [renewed(), renewed()]
  const [command] = toList(form.until)
  const isPermitted: ConditionDoc = { any: [{ command: form.until }, { action: ['ask', 'coordinate'] }] }
  const rule = {
    id: 'limit-reached',
    while: 'closed',
    when: { ...COUNTED[kind] },
    ...(kind === 'calls' && { unless: isPrompt ? { action: ['ask' as const, 'coordinate' as const] } : isPermitted }),
    then: 'deny',
    message: messageOf(form, textFor(kind, most, isPrompt)),
    ...(!isPrompt && command !== undefined && { suggest: command }),
  } as const
  return {
    name: form.id === undefined ? nameFrom(`${most}`, kind, 'until', command ?? '') : nameOfKind(form, form.id, kind),
    doc: {
      about: `At most ${most} ${kind} until ${isPrompt ? 'the next prompt' : `\`${command}\` succeeds`}.`,
      initial: 'open',
      counts: { ...COUNTED[kind] },
      transitions: [
        { id: 'renewed', from: 'open', to: 'open', when: whenOpen },
        { id: 'limit-reached', from: 'open', to: 'closed', when: { since: { opened: { operations: most } } } },
        { id: 'reopened', from: 'closed', to: 'open', when: whenClosed },
      ],
      rules: [rule],
      ...(isPrompt && { opens: 'human' }),
    },
    copied: [
      [whenOpen, 'command', form, 'until'],
      [whenClosed, 'command', form, 'until'],
      [rule, 'suggest', form, 'until'],
      [rule, 'message', form, 'message'],
    ],
  }
}

const nameOfKind = (form: LimitDoc, id: string, kind: string): string =>
  form.edits !== undefined && form.calls !== undefined ? `${id}-${kind}` : id

const textFor = (kind: 'edits' | 'calls', most: number, isPrompt: boolean): string =>
  isPrompt
    ? `The limit of ${most} ${kind} is reached. Stop, and ask the person how to go on: the next prompt allows more.`
    : `The limit of ${most} ${kind} is reached. Run \`{suggest}\`: when it succeeds, ${most} more are allowed.`
