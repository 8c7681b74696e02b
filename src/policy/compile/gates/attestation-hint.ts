import type { Rule, Transition } from '../../../engine/index.ts'
import { type Condition, isShell } from '../../../engine/index.ts'
import type { CompileContext } from '../context.ts'

/** If a gate waits for a command's success, clients that do not report exit codes get `signalbox run` suggested: it attests the success. */
export function suggestAttestedRuns(
  { input }: CompileContext,
  transitions: readonly Transition[],
  rules: readonly Rule[],
): readonly Rule[] {
  const silent = input.clients.filter(client => !client.reportsExit).map(client => client.id)
  const waits = transitions.some(({ to, when }) => to === 'open' && needsSuccess(when))
  if (!waits || silent.length === 0) return rules
  return rules.map(rule => {
    const { suggest } = rule
    const isWaiting = rule.while === 'closed' && typeof suggest === 'string' && isSimpleCommand(suggest)
    return isWaiting ? { ...rule, suggest: { line: suggest, silent } } : rule
  })
}

function needsSuccess(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(needsSuccess) && !condition.all.some(isNonShellTool)
  if ('any' in condition) return condition.any.some(needsSuccess)
  if (!('key' in condition) || condition.key !== 'succeeded') return false
  return condition.in.includes('true') && !condition.in.includes('unknown')
}

/** `signalbox run` cannot attest a tool that runs no command. */
const isNonShellTool = (condition: Condition): boolean =>
  'key' in condition && condition.key === 'tool' && !condition.in.some(isShell)

/** A single command without shell syntax, so that its words can be passed to `signalbox run` unchanged. */
const isSimpleCommand = (line: string): boolean => !/[|&;<>()$`\n]|^\s*\w+=|^\s*(cd|signalbox)\b/.test(line)
