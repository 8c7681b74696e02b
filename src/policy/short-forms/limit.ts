import { toList } from '../compile/context.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import type { LimitDoc } from '../schema/short-forms.ts'
import { messageOf, nameFrom, type ShortFormGate } from './short-form-gate.ts'

const COUNTED = ['edits', 'calls', 'agents', 'minutes'] as const
type Counted = (typeof COUNTED)[number]

const CONDITIONS: Readonly<Record<Counted, ConditionDoc>> = {
  edits: { event: 'tool.before', action: ['write', 'delete'] },
  calls: { event: 'tool.before' },
  agents: { event: 'tool.before', action: 'spawn' },
  minutes: { event: 'tool.before' },
}

/** Without these the agent could not say that it has to stop. */
const ALWAYS_ALLOWED: ConditionDoc = { action: ['ask', 'coordinate'] }

/** `limit: { edits: 20, until: git commit }`: so many, then none until the command succeeds, or until a person writes. */
export const expandLimit = (form: LimitDoc): readonly ShortFormGate[] =>
  COUNTED.flatMap(counted => {
    const most = form[counted]
    return most === undefined ? [] : [gateFor(form, counted, most)]
  })

function gateFor(form: LimitDoc, counted: Counted, most: number): ShortFormGate {
  const command = form.until === 'prompt' ? undefined : toList(form.until)[0]
  const renewal = (): ConditionDoc =>
    command === undefined
      ? { event: 'prompt.submit', source: 'user' }
      : { event: 'tool.after', command: form.until, succeeded: true }
  const [whileOpen, whileClosed] = [renewal(), renewal()]
  const rule = {
    id: 'limit-reached',
    while: 'closed',
    when: { ...CONDITIONS[counted] },
    ...((counted === 'calls' || counted === 'minutes') && { unless: { ...ALWAYS_ALLOWED } }),
    then: 'deny',
    message: messageOf(form, textFor(counted, most, command)),
    ...(command !== undefined && { suggest: command }),
  } as const
  return {
    name: nameOf(form, counted, most),
    doc: {
      about: `At most ${most} ${counted} until ${command === undefined ? 'the next prompt' : `\`${command}\` succeeds`}.`,
      initial: 'open',
      ...(counted !== 'minutes' && { counts: { ...CONDITIONS[counted] } }),
      transitions: [
        { id: 'renewed', from: 'open', to: 'open', when: whileOpen },
        { id: 'used-up', from: 'open', to: 'closed', when: usedUp(counted, most) },
        { id: 'reopened', from: 'closed', to: 'open', when: whileClosed },
      ],
      rules: [rule],
      ...(command === undefined && { opens: 'human' }),
    },
    copied: [
      [whileOpen, 'command', form, 'until'],
      [whileClosed, 'command', form, 'until'],
      [rule, 'suggest', form, 'until'],
      [rule, 'message', form, 'message'],
    ],
  }
}

const usedUp = (counted: Counted, most: number): ConditionDoc => ({
  since: { opened: counted === 'minutes' ? { seconds: most * 60 } : { operations: most } },
})

function nameOf(form: LimitDoc, counted: Counted, most: number): string {
  if (form.id === undefined) return nameFrom(`${most}`, counted, 'until', toList(form.until)[0] ?? '')
  return COUNTED.filter(each => form[each] !== undefined).length > 1 ? `${form.id}-${counted}` : form.id
}

const textFor = (counted: Counted, most: number, command: string | undefined): string =>
  command === undefined
    ? `The limit of ${most} ${counted} is reached: stop, and ask the user how to go on; their next prompt allows more.`
    : `The limit of ${most} ${counted} is reached: run \`{suggest}\`; when it succeeds, ${most} more are allowed.`
