import { toList } from '../compile/context.ts'
import type { ConditionDoc } from '../schema/condition.ts'
import type { GateDoc } from '../schema/gate.ts'
import type { OnlyDoc } from '../schema/short-forms.ts'
import { type CopiedValues, messageOf, nameFrom, type ShortFormGate } from './short-form-gate.ts'

/** `only: { agent: dba, paths: migrations/ }`: nobody but this agent changes these files or runs these commands. */
export function expandOnly(form: OnlyDoc): readonly ShortFormGate[] {
  const agents = toList(form.agent)
  const helpers = agents.filter(agent => agent !== 'main')
  const changes: ConditionDoc = { event: 'tool.before', action: ['write', 'delete'], path: form.paths ?? [] }
  const runs: ConditionDoc = { event: 'tool.before', command: form.commands ?? [] }
  const parts = [
    ...(form.paths === undefined ? [] : [{ id: 'change', when: changes, what: 'changes `{path}`' }]),
    ...(form.commands === undefined ? [] : [{ id: 'run', when: runs, what: 'runs `{command}`' }]),
  ]
  const rules: NonNullable<GateDoc['rules']> = parts.map(({ id, when, what }) => ({
    id,
    when,
    unless: { caller: form.agent },
    then: 'deny' as const,
    message: messageOf(form, textFor(helpers, what)),
    ...(helpers.length > 0 && { suggest: { agent: helpers } }),
  }))
  const copied: CopiedValues = rules.flatMap(rule => [
    [rule, 'message', form, 'message'],
    ...(rule.unless ? [[rule.unless, 'caller', form, 'agent'] as const] : []),
  ])
  const what = [...toList(form.paths), ...toList(form.commands)]
  return [
    {
      name: form.id ?? nameFrom('only', ...agents, ...what),
      doc: { about: `Only ${agents.join(' or ')}: ${what.join(', ')}.`, rules },
      copied: [...copied, [changes, 'path', form, 'paths'], [runs, 'command', form, 'commands']],
    },
  ]
}

const quoted = (agent: string): string => `\`${agent.replaceAll('{', '{{')}\``

/** One sentence: a step of the list that an agent gets when several gates deny a call. */
function textFor(helpers: readonly string[], what: string): string {
  if (helpers.length === 0) return `Only the main agent ${what}: leave it, and say in your answer what is to be done.`
  const [first = ''] = helpers
  const names = helpers.map(quoted).join(' or ')
  return `Only the agent ${names} ${what}: give it the task by calling \`{spawn.tool}\` with {spawn.field} ${quoted(first)}.`
}
