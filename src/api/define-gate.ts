import type { CodeGate, EventKind, GateDefinition } from '../types/index.ts'

const KINDS: Readonly<Record<EventKind, true>> = {
  'session.start': true,
  'session.end': true,
  'prompt.submit': true,
  'tool.before': true,
  'tool.after': true,
  'tool.failed': true,
  'permission.request': true,
  'agent.start': true,
  'agent.stop': true,
  'turn.stop': true,
  'compact.before': true,
  notification: true,
  other: true,
}

/**
 * Defines a gate in code. Export it by default from the module that the policy names with `code`.
 *
 * @example
 * // signalbox.yaml: gates: { office-hours: { code: ./office-hours.mjs } }
 * import { defineGate, deny, pass } from 'signalbox'
 *
 * export default defineGate({
 *   on: 'tool.before',
 *   judge: event =>
 *     event.call.actions.some(action => action.command?.startsWith('npm publish'))
 *       ? deny('Releases are made by CI.')
 *       : pass(),
 * })
 */
export function defineGate<const Kind extends EventKind = EventKind>(gate: GateDefinition<Kind>): CodeGate {
  if (typeof gate?.judge !== 'function') throw new TypeError('defineGate needs a function `judge(event, state)`')
  const kinds: readonly string[] | undefined = gate.on === undefined ? undefined : [gate.on].flat()
  const unknown = kinds?.find(kind => !Object.hasOwn(KINDS, kind))
  if (unknown !== undefined)
    throw new TypeError(`defineGate: unknown event kind \`${unknown}\`; one of ${Object.keys(KINDS).join(', ')}`)
  return {
    judge: (event, state) =>
      kinds?.includes(event.kind) === false
        ? { decision: 'pass' }
        : // the event has one of the kinds in `on`
          gate.judge(event as Parameters<typeof gate.judge>[0], state),
  }
}
