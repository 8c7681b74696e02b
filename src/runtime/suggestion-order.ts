import { actsOfTool, type Call, type Input, judgeGate, sceneFor, type Tools } from '../core/index.ts'
import { asksApproval, suggestedWords, suggestText } from '../pattern/index.ts'

type Refusers = NonNullable<Tools['refusers']>
type Refused = Parameters<Refusers>[0]

/** Which refusals of a call also refuse what one of them suggests: each suggestion is judged by the gates that refused. */
export const refusersOfSuggestion: Refusers = (of, among, walk, seen) => {
  const trials = trialsOf(of, walk)
  return among.flatMap((other, at) => {
    const { gate, rule } = other
    if (!gate || other === of) return []
    const refuses = (trial: Trial): boolean =>
      judgeGate(gate, sceneFor(gate, { ...walk, ...trial }, seen)).some(one => one.rule === rule && one.says === 'deny')
    return trials.some(refuses) ? [at] : []
  })
}

type Trial = Pick<Input, 'event' | 'facts'>

/** What a refusal suggests, as events: that call, and the refused call made by the agent or session it is handed to. */
function trialsOf({ rule, say }: Refused, { event, facts }: Trial): readonly Trial[] {
  const { suggest } = rule ?? {}
  if (suggest === undefined || !say) return []
  const calling = (call: Call): Trial => ({ facts, event: { ...event, kind: 'tool.before', call } })
  if (typeof suggest === 'object' && 'agent' in suggest) {
    const [agent = ''] = [suggest.agent].flat().map(say)
    const spawn = calling({ tool: 'Agent', input: { subagent_type: agent }, acts: [{ action: 'spawn', agent }] })
    const caller = { kind: 'agent', id: agent, type: agent } as const
    return rule?.while === undefined && event.call ? [spawn, { facts, event: { ...event, caller } }] : [spawn]
  }
  if (typeof suggest === 'object' && 'tool' in suggest) {
    const { tool, path } = suggest
    const input = path === undefined ? {} : { file_path: say(path).replace(/^(?!\/)/, `${facts.root}/`) }
    const reading = actsOfTool(tool, input)
    return 'acts' in reading ? [calling({ tool, input, acts: reading.acts })] : []
  }
  const command = say(suggestText(suggest, event.client))
  const run = calling({ tool: 'Bash', input: { command }, acts: [{ action: 'run', words: suggestedWords(command) }] })
  return asksApproval(command) ? [run, { event, facts: { ...facts, approved: true } }] : [run]
}
