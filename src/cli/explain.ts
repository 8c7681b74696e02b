import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Client, clientById } from '../clients/index.ts'
import { senderOf } from '../clients/sender.ts'
import { headOf, showExplanation } from '../explain/index.ts'
import { isObject, visibleJson } from '../pattern/index.ts'
import type { StepDoc } from '../policy/tests.ts'
import { veiled, veilOf } from '../store/index.ts'
import type { Command, ExitCode, Terminal } from './command.ts'
import { type Found, findRecord, headOfRecord, isOf } from './explain-record.ts'
import {
  type Asked,
  clientNamed,
  explainAll,
  explainedAs,
  fromRecord,
  fromStep,
  givenOf,
  isTooMuch,
  notesOn,
  programHere,
  stepIn,
} from './explaining.ts'
import { openProject, type Project, projectIn } from './project.ts'

export const explain: Command = {
  name: 'explain',
  summary: 'Why is it so? Every gate, rule and condition that had a say, and what would have changed it.',
  usage:
    '<event | payload.json | record number> | --last  [--client ID] [--as AGENT] [--given GATE=STATE] [--all] [--json]',
  about: {
    last: 'the latest call in this project that a gate spoke of',
    client: 'the agent it is asked of; claude-code unless you say otherwise, or a payload shows whose it is',
    as: 'who calls: an agent, or `unknown`',
    given: 'a gate and its state; more than once for more than one',
    all: 'gates and rules that have nothing to do with it, too',
    json: 'the whole tree as JSON',
  },
  example: 'signalbox explain "git push origin main"',
  options: {
    last: { type: 'boolean' },
    client: { type: 'string' },
    as: { type: 'string' },
    given: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  positionals: true,
  async run({ values, positionals, terminal }) {
    const text = positionals.join(' ').trim()
    const here = openProject(terminal)
    const found = recordAsked(values, text, here)
    const project = typeof found === 'object' ? ownerOf(found, here, terminal) : here
    if (typeof project === 'string') return refuse(project, terminal)
    const asked =
      typeof found === 'object' ? recordIn(project, here, found) : (found ?? readAsked(values, text, project, terminal))
    if (typeof asked === 'string') return refuse(asked, terminal)
    return tell(asked, project, terminal, { all: values.all === true, json: values.json === true })
  },
}

type Values = Readonly<Record<string, unknown>>

function refuse(problem: string, { err }: Terminal): ExitCode {
  err(`signalbox explain: ${problem}\n`)
  return 2
}

/** What is on record, where that is asked for; a problem in one line, where it is one. */
function recordAsked(values: Values, text: string, { folders, root }: Project): Found | string | undefined {
  const [, number] = /^#?(\d+)$/.exec(text) ?? []
  if (values.last !== true && number === undefined) return undefined
  const stray = ['client', 'as', 'given'].find(one => values[one] !== undefined)
  if (stray !== undefined) return `\`--${stray}\` is for an event that has not happened: a record has its own`
  return findRecord(folders.state, values.last === true ? 'last' : Number(number), root)
}

/** Gates of another project would explain what they never saw. */
function ownerOf({ seq, record }: Found, here: Project, { env }: Terminal): Project | string {
  const { root = here.root } = record
  if (isOf(here.root, record)) return here
  if (existsSync(root)) return projectIn(root, { ...here, root }, env)
  return `record ${seq} is of the project \`${root}\`, which is not there: its policy cannot be asked`
}

function recordIn(project: Project, here: Project, found: Found): Asked | string {
  const asked = fromRecord(found, programHere(project))
  if (project === here || typeof asked === 'string') return asked
  const whose = `of another project, and explained with the policy there: ${here.label(project.root)}`
  return { ...asked, notes: [whose, ...asked.notes] }
}

/** A problem in one line, where it is one. */
function readAsked(values: Values, text: string, project: Project, terminal: Terminal): Asked | string {
  const program = programHere(project)
  if (text === '') return 'say what: an event, a file with a payload, the number of a record, or --last'
  const client = clientNamed(values.client === undefined ? 'claude-code' : String(values.client))
  if (typeof client === 'string') return client
  const given = givenOf(pairsIn(values.given), program)
  if (typeof given === 'string') return given
  const env = Object.fromEntries(
    Object.entries(terminal.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const isFile = text.endsWith('.json') && existsSync(resolve(terminal.cwd, text))
  const mistaken = isFile ? undefined : mistakenIn(text)
  if (mistaken !== undefined) return mistaken
  if (isFile && values.as !== undefined) return 'a payload says itself who calls: `--as` is for an event in short form'
  const read = isFile ? fromFile(resolve(terminal.cwd, text), client, terminal) : fromText(text, values.as)
  if (typeof read === 'string') return read
  const cast = fromStep(read.step, read.client ?? client, project, program)
  return typeof cast === 'string' ? cast : { ...cast, given, env }
}

/** One word that nobody would run. */
function mistakenIn(text: string): string | undefined {
  if (/^[^\s{]+\.json$/.test(text)) return `there is no file \`${text}\``
  return /^https?:\/\/\S+$/.test(text) ? `a URL is no command: say \`{ fetch: ${JSON.stringify(text)} }\`` : undefined
}

const pairsIn = (values: unknown): readonly (readonly [string, string | undefined])[] =>
  (Array.isArray(values) ? values : []).map(one => {
    const [name = '', state] = String(one).split('=')
    return [name, state]
  })

interface Read {
  readonly step: StepDoc
  readonly client?: Client | undefined
}

/** A payload as an agent sends it: whose it is may show in it. */
function fromFile(file: string, client: Client, { env }: Terminal): Read | string {
  try {
    const payload: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isObject(payload)) return `\`${file}\` holds no payload: it is not a JSON object`
    return { step: { payload }, client: clientById(senderOf(client.id, payload, env)) }
  } catch {
    return `\`${file}\` holds no payload: it is not JSON`
  }
}

function fromText(text: string, as: unknown): Read | string {
  const step = stepIn(text, as)
  return typeof step === 'string' ? step : { step }
}

function tell(asked: Asked, project: Project, { out }: Terminal, how: { all: boolean; json: boolean }): ExitCode {
  const program = programHere(project)
  const { found } = asked
  const told = explainAll(asked, project, program)
  const notes = notesOn(asked, told, project, program)
  // a payload holds what the agent was told, secrets included
  const hide = veilOf(asked.events)
  if (how.json) {
    const recorded = found ? { id: found.seq, recorded: found.record } : {}
    const all = told.map(one => ({ ...recorded, ...explainedAs(one, notes) }))
    out(`${visibleJson(JSON.stringify(veiled(all.length === 1 ? all[0] : all, hide), null, 2))}\n`)
    return 0
  }
  for (const { event, explanation, flips } of told) {
    const head = found ? headOfRecord(found) : headOf(explanation, event)
    const showing = { all: how.all, flips, notes, untried: isTooMuch(event), ...(found && { said: found.record }) }
    out(`${hide(showExplanation(head, explanation, showing))}\n`)
  }
  return 0
}
