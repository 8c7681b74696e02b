import { actionsOfTool, type Event, type EventRecord } from '../../engine/index.ts'

interface Kept {
  readonly line?: string
  readonly background?: true
  readonly ended?: 'succeeded' | 'failed' | 'unknown'
}

/** What an audit record keeps beside the actions: they show neither how commands were joined nor how the call ended. */
export function recordDetails({ call, kind }: Event, { acts }: Pick<EventRecord, 'acts'>): Kept {
  if (!call) return {}
  const ended = kind === 'tool.after' || kind === 'tool.failed' ? call.status : undefined
  const reading = actionsOfTool(call.tool, call.input)
  if (!('shell' in reading)) return ended === undefined ? {} : { ended }
  const line = reading.shell.trim()
  const [only, second] = acts
  const isSaid = second === undefined && (only === `run ${line}` || only === `unreadable ${reading.shell}`)
  return {
    ...(!isSaid && line !== '' && { line }),
    ...(reading.background && { background: true as const }),
    ...(ended !== undefined && { ended }),
  }
}
