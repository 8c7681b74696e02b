import type { CodeGate as InnerGate } from '../engine/index.ts'
import { gateEventOf, gateSnapshotOf, verdictOf } from '../hook/index.ts'
import type { Policy } from '../policy/index.ts'
import type { CodeGate } from '../types/index.ts'
import { unknownGate } from './mistakes.ts'

/**
 * The code gates of a policy, by id. They run in this process, so that breakpoints and coverage work; events and verdicts are copied
 * and checked as in the hook. A missing module is an error: otherwise its gate would silently pass everything.
 */
export function codeGatesOf(
  { gates }: Policy,
  modules: Readonly<Record<string, CodeGate>>,
): Readonly<Record<string, InnerGate>> {
  const coded = gates.filter(({ code }) => code !== undefined)
  const unknown = Object.keys(modules).find(name => !coded.some(gate => gate.name === name))
  if (unknown !== undefined) throw new TypeError(`signalbox: ${unknownGate(unknown, coded, 'gate in code')}`)
  return Object.fromEntries(
    coded.map(({ id, name }) => {
      const { [name]: module } = modules
      if (typeof module?.judge !== 'function')
        throw new TypeError(
          `signalbox: gate \`${name}\` is written in code; import its module and pass it as \`code: { '${name}': module }\``,
        )
      return [id, judgeWith(module)]
    }),
  )
}

const judgeWith =
  (module: CodeGate): InnerGate =>
  (event, state) => {
    const verdict: unknown = module.judge(structuredClone(gateEventOf(event)), structuredClone(gateSnapshotOf(state)))
    if (verdict instanceof Promise) throw new Error('its code must return a verdict, not a promise')
    return verdictOf(JSON.parse(JSON.stringify(verdict) ?? 'null'))
  }
