import { toList } from '../compile/context.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import type { GateDoc } from '../schema/gate.ts'
import type { RequireDoc } from '../schema/short-forms.ts'
import { type CopiedValues, messageOf, nameFrom, type ShortFormGate } from './short-form-gate.ts'

type Since = NonNullable<RequireDoc['since']>

/** What makes an earlier success out of date. */
const OUTDATED_BY: Readonly<Record<Since, { readonly id: string; readonly when: ConditionDoc } | null>> = {
  edit: { id: 'edited', when: { event: 'tool.before', action: ['write', 'delete'] } },
  prompt: { id: 'next-prompt', when: { event: 'prompt.submit', source: 'user' } },
  session: null,
}

const VALID_UNTIL: Readonly<Record<Since, string>> = {
  edit: 'until the next edit',
  prompt: 'until the next prompt',
  session: 'for the rest of the session',
}

/** One sentence: a step of the list that an agent gets when several gates deny a call. */
const textFor = (form: RequireDoc, since: Since): string =>
  isCondition(form.before) && form.before.event === 'turn.stop'
    ? 'Run `{suggest}` before you stop; when it passes, you may stop.'
    : `Run \`{suggest}\` first; when it passes, this is allowed ${VALID_UNTIL[since]}.`

/** `require: { before, passed, since }`: one gate for each command that must have passed. */
export function expandRequire(form: RequireDoc): readonly ShortFormGate[] {
  const commands = toList(form.passed)
  return commands.map((command, index) => {
    const name = nameFrom(command, 'before', nameOfCall(form.before))
    const position: CopiedValues[number][2] = Array.isArray(form.passed) ? form.passed : form
    return {
      name: form.id === undefined ? name : commands.length === 1 ? form.id : nameFrom(form.id, command),
      ...gateFor(form, command, [position, Array.isArray(form.passed) ? index : 'passed']),
    }
  })
}

function gateFor(
  form: RequireDoc,
  command: string,
  [holder, key]: readonly [object, string | number],
): Pick<ShortFormGate, 'doc' | 'copied'> {
  const since = form.since ?? 'edit'
  const passed: ConditionDoc = { event: 'tool.after', command, succeeded: true }
  const guarded: ConditionDoc = isCondition(form.before) ? form.before : { event: 'tool.before', command: form.before }
  const rule: NonNullable<GateDoc['rules']>[number] = {
    id: 'not-passed',
    while: 'closed',
    when: guarded,
    then: 'deny',
    message: messageOf(form, textFor(form, since)),
    suggest: command,
  }
  const outdated = OUTDATED_BY[since]
  return {
    doc: {
      about: `\`${command}\` must pass before ${describeCall(form.before)}.`,
      initial: 'closed',
      transitions: [
        { id: 'passed', from: 'closed', to: 'open', when: passed },
        ...(outdated ? [{ ...outdated, from: 'open', to: 'closed' } as const] : []),
      ],
      rules: [rule],
    },
    copied: [
      [passed, 'command', holder, key],
      [rule, 'suggest', holder, key],
      [rule, 'message', form, 'message'],
      [guarded, 'command', form, 'before'],
    ],
  }
}

const isCondition = (before: RequireDoc['before']): before is ConditionDoc =>
  typeof before === 'object' && !Array.isArray(before)

const nameOfCall = (before: RequireDoc['before']): string =>
  isCondition(before)
    ? toList(before.event ?? before.command ?? before.action ?? 'call').join(' ')
    : toList(before).join(' ')

const describeCall = (before: RequireDoc['before']): string =>
  isCondition(before)
    ? 'the calls in its condition'
    : toList(before)
        .map(command => `\`${command}\``)
        .join(' or ')
