import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { Event } from '../../engine/index.ts'
import { hasErrorCode } from '../../lib/errors.ts'
import { statIfExists } from '../../lib/files.ts'

type TranscriptPaths = ReturnType<NonNullable<Client['transcriptPathsOf']>>

/** Adds when a subagent last wrote to its transcript, for calls of clients that do not name the caller. */
export function withAgentActivity(events: readonly Event[], transcripts: TranscriptPaths): readonly Event[] {
  if (!events.some(isOfUnknownCaller)) return events
  const wrote = lastWriteIn(transcripts)
  return wrote === undefined ? events : events.map(event => (isOfUnknownCaller(event) ? { ...event, wrote } : event))
}

const isOfUnknownCaller = ({ kind, caller }: Event): boolean => kind === 'tool.before' && caller.kind === 'unknown'

/** 0: no subagent wrote anything. Undefined: the client writes no transcripts here, so nothing can be inferred. */
function lastWriteIn(found: TranscriptPaths): number | undefined {
  if (!found || statIfExists(found.own)?.isFile() !== true) return undefined
  try {
    const files = readdirSync(found.agents).filter(name => name.endsWith('.jsonl'))
    return Math.max(0, ...files.map(name => statSync(join(found.agents, name)).mtimeMs))
  } catch (error) {
    return hasErrorCode(error, 'ENOENT') ? 0 : undefined
  }
}
