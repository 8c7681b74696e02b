import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { explanationHeadline, showExplanation } from '../../../../analysis/explain/index.ts'
import type { Client } from '../../../../clients/index.ts'
import { tryOr } from '../../../../lib/errors.ts'
import { escapeControlCharsInJson } from '../../../../lib/escape-control-chars.ts'
import { isObject } from '../../../../lib/json.ts'
import type { TestStepDoc } from '../../../../policy/parse/policy-tests.ts'
import { createMask, maskStrings } from '../../../../store/index.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { openProject, openSubfolder, type ProjectContext } from '../../project.ts'
import {
  type ExplainQuery,
  explainEvents,
  explainedEventJson,
  explainQueryFromRecord,
  explainQueryFromStep,
  explanationNotes,
  findClient,
  hasTooManyActions,
  parseGivenStates,
  parseStepText,
  programWithBypasses,
} from './explain-query.ts'
import { findRecord, isRecordOfProject, type RecordWithPast, recordHeadline } from './explain-record.ts'
import { findPayloadSender, type PayloadSender } from './payload-sender.ts'

export const explainCommand: Command = {
  name: 'explain',
  summary: 'Show why an event was decided: gates, rules, conditions, and what would change the decision.',
  usage:
    '<event | payload.json | record number> | --last  [--client ID] [--as AGENT] [--given GATE=STATE] [--all] [--json]',
  example: 'signalbox explain "git push origin main"',
  options: {
    last: { type: 'boolean', about: 'the latest call in this project that a rule matched' },
    client: {
      type: 'string',
      about: 'the agent that makes the call; default: claude-code, or the agent a payload comes from',
    },
    as: { type: 'string', about: 'the caller: an agent type, or `unknown`' },
    given: { type: 'string', multiple: true, about: 'the state of a gate; repeat for more gates' },
    all: { type: 'boolean', about: 'also show gates and rules that are not relevant' },
    json: { type: 'boolean', about: 'print the whole explanation as JSON' },
  },
  positionals: true,
  async run({ values, positionals, terminal }) {
    const text = positionals.join(' ').trim()
    const here = openProject(terminal)
    const found = findRequestedRecord(values, text, here)
    const project = typeof found === 'object' ? projectOfRecord(found, here, terminal) : here
    if (typeof project === 'string') return failUsage(project, terminal)
    const asked =
      typeof found === 'object'
        ? queryFromRecord(project, here, found)
        : (found ?? parseQuery(values, text, project, terminal))
    if (typeof asked === 'string') return failUsage(asked, terminal)
    return printExplanation(asked, project, terminal, { all: values.all === true, json: values.json === true })
  },
}

type OptionValues = Readonly<Record<string, unknown>>

function failUsage(problem: string, { err }: Terminal): ExitCode {
  err(`signalbox explain: ${problem}\n`)
  return 2
}

/** Returns the record when one is requested (`--last` or a number), or an error text. */
function findRequestedRecord(
  values: OptionValues,
  text: string,
  { folders, root }: ProjectContext,
): RecordWithPast | string | undefined {
  const [, number] = /^#?(\d+)$/.exec(text) ?? []
  if (values.last !== true && number === undefined) return undefined
  const stray = ['client', 'as', 'given'].find(name => values[name] !== undefined)
  if (stray !== undefined) return `\`--${stray}\` cannot be used with a record: the record contains it`
  return findRecord(folders.state, values.last === true ? 'last' : Number(number), root)
}

/** Opens the project that the record belongs to: gates of another project never saw the event. */
function projectOfRecord(
  { seq, record }: RecordWithPast,
  here: ProjectContext,
  { env }: Terminal,
): ProjectContext | string {
  const { root = here.root } = record
  if (isRecordOfProject(here.root, record)) return here
  if (existsSync(root)) return openSubfolder(root, { ...here, root }, env)
  return `record ${seq} belongs to the project \`${root}\`, which does not exist: its policy cannot be loaded`
}

function queryFromRecord(project: ProjectContext, here: ProjectContext, found: RecordWithPast): ExplainQuery | string {
  const asked = explainQueryFromRecord(found, programWithBypasses(project))
  if (project === here || typeof asked === 'string') return asked
  const whose = `belongs to another project and is explained with the policy of that project: ${here.label(project.root)}`
  return { ...asked, notes: [whose, ...asked.notes] }
}

/** Returns the query, or an error text. */
function parseQuery(
  values: OptionValues,
  text: string,
  project: ProjectContext,
  terminal: Terminal,
): ExplainQuery | string {
  const program = programWithBypasses(project)
  if (text === '') return 'name an event, a file with a payload, the number of a record, or --last'
  const client = findClient(values.client === undefined ? 'claude-code' : String(values.client))
  if (typeof client === 'string') return client
  const given = parseGivenStates(parseGivenPairs(values.given), program)
  if (typeof given === 'string') return given
  const env = Object.fromEntries(
    Object.entries(terminal.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const isFile = text.endsWith('.json') && existsSync(resolve(terminal.cwd, text))
  const mistaken = isFile ? undefined : findEventMistake(text)
  if (mistaken !== undefined) return mistaken
  if (isFile && values.as !== undefined)
    return 'a payload contains the caller: use `--as` only with an event in short form'
  const named = { client, isDefault: values.client === undefined }
  const read = isFile ? stepFromFile(resolve(terminal.cwd, text), named, terminal) : stepFromText(text, values.as)
  if (typeof read === 'string') return read
  const cast = explainQueryFromStep(read.step, read.sender?.client ?? client, project, program)
  return typeof cast === 'string'
    ? cast
    : { ...cast, notes: [...(read.sender?.notes ?? []), ...cast.notes], given, env }
}

/** Detects text that cannot be a shell command: the name of a missing JSON file, or a URL. */
function findEventMistake(text: string): string | undefined {
  if (/^[^\s{]+\.json$/.test(text)) return `there is no file \`${text}\``
  return /^https?:\/\/\S+$/.test(text)
    ? `a URL is not a command: write \`{ fetch: ${JSON.stringify(text)} }\``
    : undefined
}

const parseGivenPairs = (values: unknown): readonly (readonly [string, string | undefined])[] =>
  (Array.isArray(values) ? values : []).map(item => {
    const [name = '', state] = String(item).split('=')
    return [name, state]
  })

interface ParsedStep {
  readonly step: TestStepDoc
  readonly sender?: PayloadSender
}

/** Reads a payload from a file. The payload itself may show which client sent it. */
function stepFromFile(
  file: string,
  named: { readonly client: Client; readonly isDefault: boolean },
  { env }: Terminal,
): ParsedStep | string {
  const payload = tryOr(undefined, (): unknown => JSON.parse(readFileSync(file, 'utf8')))
  if (payload === undefined) return `\`${file}\` is not a payload: it is not JSON`
  if (!isObject(payload)) return `\`${file}\` is not a payload: it is not a JSON object`
  const sender = findPayloadSender(payload, named, env)
  return typeof sender === 'string' ? sender : { step: { payload }, sender }
}

function stepFromText(text: string, as: unknown): ParsedStep | string {
  const step = parseStepText(text, as)
  return typeof step === 'string' ? step : { step }
}

function printExplanation(
  asked: ExplainQuery,
  project: ProjectContext,
  { out }: Terminal,
  how: { all: boolean; json: boolean },
): ExitCode {
  const program = programWithBypasses(project)
  const { found } = asked
  const explained = explainEvents(asked, project, program)
  const notes = explanationNotes(asked, explained, project, program)
  // a payload can contain secrets
  const hide = createMask(asked.events)
  if (how.json) {
    const recorded = found ? { id: found.seq, recorded: found.record } : {}
    const all = explained.map(event => ({ ...recorded, ...explainedEventJson(event, notes) }))
    out(`${escapeControlCharsInJson(JSON.stringify(maskStrings(all.length === 1 ? all[0] : all, hide), null, 2))}\n`)
    return 0
  }
  for (const { event, explanation, counterfactuals } of explained) {
    const head = found ? recordHeadline(found) : explanationHeadline(explanation, event)
    const showing = {
      all: how.all,
      counterfactuals,
      notes,
      untried: hasTooManyActions(event),
      ...(found && { recorded: found.record }),
    }
    out(`${hide(showExplanation(head, explanation, showing))}\n`)
  }
  return 0
}
