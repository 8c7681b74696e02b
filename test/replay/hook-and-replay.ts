import { vi } from 'vitest'
import { readAuditLog } from '../../src/analysis/replay/audit-log-source.ts'
import { ReplayPolicyLoader } from '../../src/analysis/replay/index.ts'
import { ReplayEvaluator } from '../../src/analysis/replay/replay-evaluator.ts'
import { findTranscripts } from '../../src/analysis/replay/transcripts/find-transcripts.ts'
import {
  mergeTranscripts,
  type SessionEnd,
  type TimelineEntry,
} from '../../src/analysis/replay/transcripts/timeline.ts'
import { policyDataNeedsOf } from '../../src/analysis/simulator/from-record.ts'
import { cliDependencies } from '../../src/app/cli/project.ts'
import { transcriptFormats } from '../../src/clients/transcripts.ts'
import type { EventRecord } from '../../src/engine/index.ts'
import { foldersOf } from '../../src/hook/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { isAgentRecord } from '../../src/store/index.ts'
import type { InProcessSandbox } from '../support/in-process-sandbox.ts'

/** What was decided about one event, and the gates that it moved. */
export interface Judged {
  readonly what: string
  readonly decision: string
  readonly moves: readonly string[]
}

type Judgement = Pick<EventRecord, 'event' | 'caller' | 'acts' | 'tool' | 'decision' | 'moves'>

const judged = ({ event, caller, acts, tool = '', decision, moves }: Judgement): Judged => ({
  what: [event, caller, tool, ...acts].join(' '),
  decision,
  moves: moves.map(({ gate, from, to }) => `${gate} ${from} ${to}`),
})

/** Payloads of one client, told to the hook in turn. A call that was denied has no end, and spawns no agent. */
export async function toldToHook(
  sandbox: InProcessSandbox,
  client: string,
  payloads: readonly JsonObject[],
  pause: () => number,
): Promise<readonly Judged[]> {
  const denied = new Set<unknown>()
  const spawns: { readonly type: unknown; readonly isDenied: boolean }[] = []
  const agents = new Map<unknown, boolean>()
  /** The first payload of an agent is of the oldest spawn of its type. */
  const isAbsent = ({ agent_id, agent_type }: JsonObject): boolean => {
    if (agent_id === undefined) return false
    const at = agents.has(agent_id) ? -1 : spawns.findIndex(({ type }) => type === agent_type)
    if (at >= 0) agents.set(agent_id, spawns.splice(at, 1)[0]?.isDenied === true)
    return agents.get(agent_id) === true
  }
  for (const payload of payloads) {
    vi.setSystemTime(Date.now() + pause())
    const id = payload.tool_use_id ?? JSON.stringify([payload.tool_name, payload.tool_input])
    const isEnd = /^(?:Post|After)/.test(String(payload.hook_event_name))
    if ((isEnd && denied.has(id)) || isAbsent(payload)) continue
    await sandbox.hookInProcess(client, JSON.stringify(payload))
    const last = sandbox.records().at(-1)
    if (last?.event !== 'tool.before') continue
    const isDenied = last.decision === 'deny'
    if (isDenied) denied.add(id)
    for (const act of last.acts) if (act.startsWith('spawn ')) spawns.push({ type: act.slice(6), isDenied })
  }
  return recordsOf(sandbox).map(judged)
}

const recordsOf = (sandbox: InProcessSandbox) =>
  sandbox.records().filter(record => isAgentRecord(record) && record.policy !== '')

function evaluatorOf(sandbox: InProcessSandbox) {
  const env = { HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home }
  const folders = foldersOf(env)
  const benches = new ReplayPolicyLoader({
    ...{ parts: cliDependencies, folders, env },
    ...{ trial: { kind: 'in force' as const }, here: sandbox.project },
  })
  const judge = new ReplayEvaluator({ home: folders.home, regex, policiesFor: cwd => benches.policiesFor(cwd) })
  return { folders, benches, judge }
}

function played(moments: Iterable<TimelineEntry | SessionEnd>, judge: ReplayEvaluator): readonly Judged[] {
  const all: Judged[] = []
  for (const moment of moments) {
    if ('over' in moment) judge.end(moment.over)
    else for (const { after } of judge.judge(moment)) if (after) all.push(judged(after.record))
  }
  return all
}

/** What replay says of the audit log that the hook wrote. */
export function replayedAuditLog(sandbox: InProcessSandbox): readonly Judged[] {
  const { folders, benches, judge } = evaluatorOf(sandbox)
  const program = benches.policiesFor(sandbox.project)?.after
  if (!program) throw new Error('no policy')
  return played(readAuditLog(folders.state, policyDataNeedsOf(program)), judge)
}

/** What replay says of the transcripts in the home. */
export function replayedTranscripts(sandbox: InProcessSandbox, client: string): readonly Judged[] {
  const { judge } = evaluatorOf(sandbox)
  const by = transcriptFormats.find(({ id }) => id === client)
  if (!by) throw new Error(client)
  const found = findTranscripts(by, by.folder.replace('~', sandbox.home), 0)
  return played(
    mergeTranscripts(found, flaw => {
      throw new Error(JSON.stringify(flaw))
    }),
    judge,
  )
}
