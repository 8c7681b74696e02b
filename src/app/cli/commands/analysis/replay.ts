import { resolve } from 'node:path'
import {
  pluralize,
  type ReplayOptions,
  ReplayPolicyLoader,
  type ReplayResult,
  type ReplaySource,
  type ReplayVariant,
  replay,
  replayJson,
  showReplay,
  UnusableVariantError,
} from '../../../../analysis/replay/index.ts'
import { clients } from '../../../../clients/index.ts'
import { transcriptFormats } from '../../../../clients/transcripts.ts'
import { regex } from '../../../../hook/services/regex.ts'
import { localDay } from '../../../../lib/local-time.ts'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { parseTimeArgument, TIME_ARGUMENT_HELP } from '../../../../lib/time-argument.ts'
import { didYouMean, formatPolicyError, type Policy } from '../../../../policy/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { brokenLayerNotes, cliDependencies, openProject, type ProjectContext } from '../../project.ts'
import { formatReplayDiff, replayDiffJson } from './replay-diff.ts'

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Apply a policy to past sessions: what would it have blocked? Changes nothing.',
  usage:
    '[--policy FILE | --gate GATE --mode MODE] [--source transcripts|audit-log] [--everywhere] [--since WHEN] [--client ID] [--limit N] [--diff ID] [--json]',
  example: 'signalbox replay --gate tests-before-commit --mode block --since 14d',
  options: {
    policy: { type: 'string', about: 'compare this policy file with the current policy' },
    gate: { type: 'string', about: 'compare this gate in another mode with the current policy' },
    mode: { type: 'string', about: 'with --gate: observe, warn or block (default: block)' },
    source: { type: 'string', about: 'transcripts (files of the agents on this machine) or audit-log' },
    everywhere: { type: 'boolean', about: 'include sessions of every project' },
    since: { type: 'string', about: 'start of the period: 7d, 12h, 2026-11-01, 2026-11-01T09:00' },
    client: { type: 'string', about: 'only this agent' },
    limit: { type: 'string', about: 'stop after this many events' },
    diff: { type: 'string', about: 'explain one changed decision: the id of its event, as listed' },
    json: { type: 'boolean', about: 'print JSON' },
  },
  async run({ values, terminal }) {
    const project = openProject(terminal, { stores: false })
    const asked = parseReplayQuery(values, project, terminal)
    if (typeof asked === 'string') return failUsage(asked, terminal)
    try {
      return printReplay(asked, project, terminal, values)
    } catch (error) {
      if (!(error instanceof UnusableVariantError)) throw error
      for (const problem of error.problems) terminal.err(`${formatPolicyError(problem, project.label)}\n`)
      return failUsage(error.message, terminal)
    }
  },
}

function failUsage(why: string, { err }: Terminal): ExitCode {
  err(`signalbox replay: ${why}\n`)
  return 2
}

type OptionValues = Readonly<Record<string, unknown>>
type ReplayQuery = ReplayOptions & { readonly trial: ReplayVariant }

/** Returns the query, or an error text. */
function parseReplayQuery(
  values: OptionValues,
  { root, folders }: ProjectContext,
  { env, cwd, err, window }: Terminal,
): ReplayQuery | string {
  const trial = parsePolicyUnderTest(values, cwd)
  if (typeof trial === 'string') return trial
  const source = values.source === undefined ? undefined : SOURCES.find(replaySource => replaySource === values.source)
  if (values.source !== undefined && !source) return `unknown source \`${values.source}\`: ${SOURCES.join(', ')}`
  const client = values.client === undefined ? undefined : String(values.client)
  const problem = client === undefined ? undefined : findClientProblem(client, source)
  if (problem !== undefined) return problem
  const since = values.since === undefined ? undefined : parseTimeArgument(String(values.since), Date.now())
  if (values.since !== undefined && since === undefined) return `\`--since ${values.since}\`: ${TIME_ARGUMENT_HELP}`
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0))
    return `\`--limit ${values.limit}\`: expected a number`
  const only = values.everywhere === true ? {} : { only: root }
  return {
    trial,
    policyLoader: new ReplayPolicyLoader({ parts: cliDependencies, folders, env, trial, here: cwd, ...only }),
    folders,
    env,
    regex,
    ...(source && { source }),
    ...(client !== undefined && { client }),
    ...(since !== undefined && { since }),
    ...(limit !== undefined && { limit }),
    ...(values.diff !== undefined && { want: String(values.diff) }),
    whole: values.json === true,
    progress: window?.err && values.json !== true ? createProgress(err) : () => {},
  }
}

const SOURCES: readonly ReplaySource[] = ['transcripts', 'audit-log']
const MODES = ['observe', 'warn', 'block'] as const

function parsePolicyUnderTest({ policy, gate, mode }: OptionValues, cwd: string): ReplayVariant | string {
  if (policy !== undefined && gate !== undefined) return 'use `--policy` or `--gate`, not both'
  if (policy !== undefined) return { kind: 'file', file: resolve(cwd, String(policy)) }
  if (gate === undefined) return mode === undefined ? { kind: 'in force' } : '`--mode` needs `--gate`'
  const found = MODES.find(text => text === (mode ?? 'block'))
  return found ? { kind: 'mode', gate: String(gate), mode: found } : `unknown mode \`${mode}\`: ${MODES.join(', ')}`
}

function findClientProblem(id: string, source: ReplaySource | undefined): string | undefined {
  const all = clients.map(client => client.id)
  const guess = didYouMean(id, all)
  if (!all.includes(id)) return `unknown client \`${id}\`; ${guess ?? `there are ${all.join(', ')}`}`
  if (source === 'audit-log' || transcriptFormats.some(transcriptFormat => transcriptFormat.id === id)) return undefined
  const read = transcriptFormats.map(transcriptFormat => transcriptFormat.id).join(', ')
  return `transcripts of ${id} are not supported (only ${read}); its events are in the audit log: --source audit-log`
}

const UPDATE_MS = 200

/** One progress line that overwrites itself and is erased at the end. */
function createProgress(write: (text: string) => void): ReplayOptions['progress'] {
  let last = 0
  return (events, at) => {
    const now = performance.now()
    if (now - last < UPDATE_MS && events > 0) return
    last = now
    write(events === 0 ? '\r\u001b[K' : `\r\u001b[K${pluralize(events, 'event')}, now at ${localDay(at)}`)
  }
}

function printReplay(query: ReplayQuery, project: ProjectContext, terminal: Terminal, values: OptionValues): ExitCode {
  const { trial, policyLoader: benches } = query
  const here = benches.policiesFor(terminal.cwd)
  const began = performance.now()
  const replayed = replay(query)
  query.progress(0, 0)
  if (replayed.source === 'nothing') return failUsage(nothingRecordedText(replayed, project), terminal)
  if (replayed.tally.events === 0) return failUsage(noMatchText(query, replayed.source, values, project), terminal)
  if (query.want !== undefined) {
    const { wanted } = replayed.tally
    if (!wanted)
      return failUsage(`the decision of event \`${query.want}\` does not change, or there is no such event`, terminal)
    const show = values.json === true ? replayDiffJson : formatReplayDiff
    terminal.out(show(wanted, project.folders.home))
    return 0
  }
  const policy = here?.after ?? project.policy.program
  const known = [...policy.gates, ...(here?.before?.gates ?? [])]
  const showing = {
    title: titleOf(trial, project.label),
    label: project.label,
    nameOf: (id: string) => known.find(gate => gate.id === id)?.name ?? id,
    notes: [...brokenLayerNotes(project), ...sameModeNotes(trial, here?.before), ...notesOf(policy, replayed)],
    typed: repeatedArguments(values),
    comparesPolicies: trial.kind !== 'in force',
    ms: Math.round(performance.now() - began),
    width: terminal.window?.out ? terminal.width : undefined,
  }
  terminal.out(values.json === true ? replayJson(replayed, showing) : showReplay(replayed, showing))
  return 0
}

/** The command as it was typed, with all options, so that an event id means the same event. */
function repeatedArguments(values: OptionValues): string {
  const words = Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === false || key === 'json') return []
    return value === true ? [`--${key}`] : [`--${key}`, quoteShellWord(String(value))]
  })
  return ['signalbox replay', ...words].join(' ')
}

const nothingRecordedText = ({ searchedFolders }: ReplayResult, { root, label }: ProjectContext): string =>
  `nothing is recorded for ${label(root) || 'this project'} (--everywhere: all projects); searched ${searchedFolders.map(label).join(', ')}`

/** There is history, but nothing in it matches. The other source may have matching events. */
function noMatchText(
  query: ReplayQuery,
  source: ReplaySource,
  values: OptionValues,
  { root, label }: ProjectContext,
): string {
  const other: ReplaySource = source === 'audit-log' ? 'transcripts' : 'audit-log'
  const canBe = query.client === undefined || findClientProblem(query.client, other) === undefined
  const has = canBe && replay({ ...query, source: other, limit: 1 }).tally.events > 0
  const what = [
    ...(values.client === undefined ? [] : [` of ${values.client}`]),
    ...(values.everywhere === true ? [] : [` in ${label(root) || 'this project'}`]),
    ...(values.since === undefined ? [] : [` since ${values.since}`]),
  ].join('')
  return `nothing${what} is in ${SOURCE_NAMES[source]}${has ? `; ${SOURCE_HAS[other]} some: --source ${other}` : ''}`
}

const SOURCE_NAMES: Readonly<Record<ReplaySource, string>> = {
  transcripts: 'the transcripts',
  'audit-log': 'the audit log',
}
const SOURCE_HAS: Readonly<Record<ReplaySource, string>> = {
  transcripts: 'the transcripts have',
  'audit-log': 'the audit log has',
}

/** A note when the gate is already in the tested mode, so that nothing can differ. */
function sameModeNotes(trial: ReplayVariant, before: Policy | undefined): readonly string[] {
  if (trial.kind !== 'mode') return []
  const gate = before?.gates.find(candidate => candidate.id === trial.gate || candidate.name === trial.gate)
  return gate?.mode === trial.mode ? [`gate ${gate.name} is in mode ${trial.mode} already: nothing can differ`] : []
}

function titleOf(trial: ReplayVariant, label: (file: string) => string): string {
  if (trial.kind === 'file') return `${label(trial.file)} compared with the current policy`
  if (trial.kind === 'mode') return `gate ${trial.gate} in mode ${trial.mode} compared with the current policy`
  return 'the current policy compared with what happened'
}

/** Notes on what a replay cannot know. */
const notesOf = ({ gates, hooks, env }: Policy, { source, tally }: ReplayResult): readonly string[] => [
  ...(tally.stopped > 0
    ? ['after a denial the agent would have continued differently; its later calls are evaluated as recorded']
    : []),
  ...(hooks.length > 0 ? ['your own hooks are not run'] : []),
  ...gates.filter(gate => gate.code !== undefined).map(gate => `gate ${gate.name} is code, which is not run`),
  ...(source === 'transcripts' && env.length > 0
    ? ['the environment at that time is unknown: variables count as not set']
    : []),
]
