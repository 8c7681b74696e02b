import type { Rule, Transition } from '../../../engine/index.ts'
import { type Condition, isShell } from '../../../engine/index.ts'
import type { CompileContext } from '../context.ts'

/** Where a gate waits for the success of a command that some clients do not report, `signalbox run` tells it: that is what to suggest to them. */
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
  if ('not' in condition || condition.key !== 'succeeded') return false
  return condition.in.includes('true') && !condition.in.includes('unknown')
}

/** `signalbox run` says nothing of a tool that runs no command. */
const isNonShellTool = (condition: Condition): boolean =>
  'key' in condition && condition.key === 'tool' && !condition.in.some(isShell)

/** One command and nothing of a shell around it: that is what can be handed on word by word. */
const isSimpleCommand = (line: string): boolean => !/[|&;<>()$`\n]|^\s*\w+=|^\s*(cd|signalbox)\b/.test(line)
