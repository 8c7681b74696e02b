import { resolve } from 'node:path'
import { clients } from '../clients/index.ts'
import { transcribings } from '../clients/transcripts.ts'
import { dayOf, MOMENTS, momentIn } from '../pattern/index.ts'
import { didYouMean, type Policy, showProblem } from '../policy/index.ts'
import {
  type Asked,
  Benches,
  many,
  type Replayed,
  replay,
  replayJson,
  type Source,
  showReplay,
  type Trial,
  Untriable,
} from '../replay/index.ts'
import { regex } from '../runtime/regex.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { layerNotes, openProject, type Project, parts } from './project.ts'
import { showWanted, wantedJson } from './replay-diff.ts'

export const replayCommand: Command = {
  name: 'replay',
  summary: 'Run a policy over what agents did: what would it have stopped? Changes nothing.',
  usage:
    '[--policy FILE | --gate GATE --mode MODE] [--source transcripts|trail] [--everywhere] [--since WHEN] [--client ID] [--limit N] [--diff ID] [--json]',
  about: {
    policy: 'this file in place of the project policy, against the one in force',
    gate: 'this gate in another mode, against the policy in force',
    mode: 'with --gate: observe, warn or block (block if not said)',
    source: 'transcripts (those of agents on this machine), or trail (the audit trail)',
    everywhere: 'sessions of every project, not only of this one',
    since: 'from then on: 7d, 12h, 2026-11-01, 2026-11-01T09:00',
    client: 'of this agent only',
    limit: 'stop after so many events',
    diff: 'why one event is answered otherwise: its id, as shown',
    json: 'the same as JSON',
  },
  example: 'signalbox replay --gate tests-before-commit --mode block --since 14d',
  options: {
    policy: { type: 'string' },
    gate: { type: 'string' },
    mode: { type: 'string' },
    source: { type: 'string' },
    everywhere: { type: 'boolean' },
    since: { type: 'string' },
    client: { type: 'string' },
    limit: { type: 'string' },
    diff: { type: 'string' },
    json: { type: 'boolean' },
  },
  async run({ values, terminal }) {
    const project = openProject(terminal, { stores: false })
    const asked = readAsked(values, project, terminal)
    if (typeof asked === 'string') return refuse(asked, terminal)
    try {
      return tell(asked, project, terminal, values)
    } catch (error) {
      if (!(error instanceof Untriable)) throw error
      for (const problem of error.problems) terminal.err(`${showProblem(problem, project.label)}\n`)
      return refuse(error.message, terminal)
    }
  },
}

function refuse(why: string, { err }: Terminal): ExitCode {
  err(`signalbox replay: ${why}\n`)
  return 2
}

type Values = Readonly<Record<string, unknown>>
type Question = Asked & { readonly trial: Trial }

/** A problem in one line, where it is one. */
function readAsked(values: Values, { root, folders }: Project, { env, cwd, err, window }: Terminal): Question | string {
  const trial = trialIn(values, cwd)
  if (typeof trial === 'string') return trial
  const source = values.source === undefined ? undefined : SOURCES.find(one => one === values.source)
  if (values.source !== undefined && !source) return `unknown source \`${values.source}\`: ${SOURCES.join(', ')}`
  const client = values.client === undefined ? undefined : String(values.client)
  const problem = client === undefined ? undefined : clientProblem(client, source)
  if (problem !== undefined) return problem
  const since = values.since === undefined ? undefined : momentIn(String(values.since), Date.now())
  if (values.since !== undefined && since === undefined) return `\`--since ${values.since}\`: ${MOMENTS}`
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) return `\`--limit ${values.limit}\`: say a number`
  const only = values.everywhere === true ? {} : { only: root }
  return {
    trial,
    benches: new Benches({ parts, folders, env, trial, here: cwd, ...only }),
    folders,
    env,
    regex,
    ...(source && { source }),
    ...(client !== undefined && { client }),
    ...(since !== undefined && { since }),
    ...(limit !== undefined && { limit }),
    ...(values.diff !== undefined && { want: String(values.diff) }),
    whole: values.json === true,
    progress: window?.err && values.json !== true ? progressOn(err) : () => {},
  }
}

const SOURCES: readonly Source[] = ['transcripts', 'trail']
const MODES = ['observe', 'warn', 'block'] as const

function trialIn({ policy, gate, mode }: Values, cwd: string): Trial | string {
  if (policy !== undefined && gate !== undefined) return '`--policy` and `--gate` are two questions: ask one'
  if (policy !== undefined) return { kind: 'file', file: resolve(cwd, String(policy)) }
  if (gate === undefined) return mode === undefined ? { kind: 'in force' } : '`--mode` needs `--gate`'
  const found = MODES.find(one => one === (mode ?? 'block'))
  return found ? { kind: 'mode', gate: String(gate), mode: found } : `unknown mode \`${mode}\`: ${MODES.join(', ')}`
}

function clientProblem(id: string, source: Source | undefined): string | undefined {
  const all = clients.map(one => one.id)
  const guess = didYouMean(id, all)
  if (!all.includes(id)) return `unknown client \`${id}\`; ${guess ?? `there are ${all.join(', ')}`}`
  if (source === 'trail' || transcribings.some(one => one.id === id)) return undefined
  const read = transcribings.map(one => one.id).join(', ')
  return `transcripts of ${id} are not read (only those of ${read}); its events are in the audit trail: --source trail`
}

const EACH_MS = 200

/** One line that is written over; gone when all is said. */
function progressOn(write: (text: string) => void): Asked['progress'] {
  let last = 0
  return (events, at) => {
    const now = performance.now()
    if (now - last < EACH_MS && events > 0) return
    last = now
    write(events === 0 ? '\r\u001b[K' : `\r\u001b[K${many(events, 'event')}, now at ${dayOf(at)}`)
  }
}

function tell(asked: Question, project: Project, terminal: Terminal, values: Values): ExitCode {
  const { trial, benches } = asked
  const here = benches.benchFor(terminal.cwd)
  const began = performance.now()
  const replayed = replay(asked)
  asked.progress(0, 0)
  if (replayed.source === 'nothing') return refuse(nothing(replayed, project), terminal)
  if (replayed.tally.events === 0) return refuse(noEvent(asked, replayed.source, values, project), terminal)
  if (asked.want !== undefined) {
    const { wanted } = replayed.tally
    if (!wanted) return refuse(`no event \`${asked.want}\` is answered otherwise`, terminal)
    const show = values.json === true ? wantedJson : showWanted
    terminal.out(show(wanted, regex, project.folders.home))
    return 0
  }
  const policy = here?.after ?? project.policy.program
  const known = [...policy.gates, ...(here?.before?.gates ?? [])]
  const showing = {
    title: titleOf(trial, project.label),
    label: project.label,
    nameOf: (id: string) => known.find(gate => gate.id === id)?.name ?? id,
    notes: [...layerNotes(project), ...sameMode(trial, here?.before), ...notesOf(policy, replayed)],
    typed: typedOf(values),
    isHeld: trial.kind !== 'in force',
    ms: Math.round(performance.now() - began),
    width: terminal.window?.out ? terminal.width : undefined,
  }
  terminal.out(values.json === true ? replayJson(replayed, showing) : showReplay(replayed, showing))
  return 0
}

/** As it was typed: with a question of its own, so that the id means the same. */
function typedOf(values: Values): string {
  const words = Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined || value === false || key === 'json') return []
    return value === true ? [`--${key}`] : [`--${key}`, wordOf(String(value))]
  })
  return ['signalbox replay', ...words].join(' ')
}

const wordOf = (text: string): string => (/^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const nothing = ({ looked }: Replayed, { root, label }: Project): string =>
  `nothing is recorded of ${label(root) || 'this project'} (--everywhere: of any); looked in ${looked.map(label).join(', ')}`

/** There is a past, and nothing in it is what was asked for: another source may have it. */
function noEvent(asked: Question, source: Source, values: Values, { root, label }: Project): string {
  const other: Source = source === 'trail' ? 'transcripts' : 'trail'
  const canBe = asked.client === undefined || clientProblem(asked.client, other) === undefined
  const has = canBe && replay({ ...asked, source: other, limit: 1 }).tally.events > 0
  const what = [
    ...(values.client === undefined ? [] : [` of ${values.client}`]),
    ...(values.everywhere === true ? [] : [` in ${label(root) || 'this project'}`]),
    ...(values.since === undefined ? [] : [` since ${values.since}`]),
  ].join('')
  return `nothing${what} is in ${NAMES[source]}${has ? `; ${HAVE[other]} some: --source ${other}` : ''}`
}

const NAMES: Readonly<Record<Source, string>> = { transcripts: 'the transcripts', trail: 'the audit trail' }
const HAVE: Readonly<Record<Source, string>> = { transcripts: 'the transcripts have', trail: 'the audit trail has' }

/** Nothing can differ. */
function sameMode(trial: Trial, before: Policy | undefined): readonly string[] {
  if (trial.kind !== 'mode') return []
  const gate = before?.gates.find(one => one.id === trial.gate || one.name === trial.gate)
  return gate?.mode === trial.mode
    ? [`gate ${gate.name} is in mode ${trial.mode} already: both sides are the same`]
    : []
}

function titleOf(trial: Trial, label: (file: string) => string): string {
  if (trial.kind === 'file') return `${label(trial.file)} against the policy in force`
  if (trial.kind === 'mode') return `gate ${trial.gate} in mode ${trial.mode} against the policy in force`
  return 'the policy in force against what happened'
}

/** What a look back cannot know. */
const notesOf = ({ gates, hooks, env }: Policy, { source, tally }: Replayed): readonly string[] => [
  ...(tally.stopped > 0
    ? ['after a stop an agent would have gone on otherwise: what it did then is judged as it was']
    : []),
  ...(hooks.length > 0 ? ['hooks of your own are not run'] : []),
  ...gates.filter(gate => gate.code !== undefined).map(gate => `gate ${gate.name} is code, which is not run`),
  ...(source === 'transcripts' && env.length > 0
    ? ['the environment of then is not known: variables count as not set']
    : []),
]
