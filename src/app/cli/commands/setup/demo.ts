import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { quoteShellWord } from '../../../../lib/shell-quote.ts'
import { cutEnd, displayWidth } from '../../../../lib/text-width.ts'
import { commandNameHere } from '../../../install/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { coloursOf } from '../../terminal/colours.ts'
import { type DemoEvent, DemoSession } from './demo-session.ts'

export const demoCommand: Command = {
  name: 'demo',
  summary: 'See it work: plays recorded sessions through the real hook.',
  usage: '[--json]',
  example: 'signalbox demo',
  options: { json: { type: 'boolean', about: 'one JSON line for each event' } },
  async run({ values, terminal }) {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'))
    try {
      const stage = new DemoSession(folder, terminal.env)
      const print = (text: string): void => (values.json ? undefined : terminal.out(text))
      const printSession = values.json ? printJson : printRow
      const claude = readRecording('claude-code')
      print(`${DEMO_INTRO}\n${heading('A session recorded from Claude Code', terminal)}`)
      for (const payload of claude) await printSession(stage, 'claude-code', payload, terminal)
      print(heading('The same agent, trying commands that do not count as a test run', terminal))
      for (const payload of trickPayloads(claude)) await printSession(stage, 'claude-code', payload, terminal)
      print(heading('The same policy, a session recorded from Gemini CLI', terminal))
      for (const payload of readRecording('gemini-cli')) await printSession(stage, 'gemini-cli', payload, terminal)
      print(heading(`A ready-made policy instead: ${readUseLine(PACK_POLICY)}`, terminal))
      const packed = new DemoSession(join(folder, 'packed'), terminal.env, PACK_POLICY)
      for (const payload of editPayloads(claude)) await printSession(packed, 'claude-code', payload, terminal)
      print(`\n${nextStep(terminal)}\n`)
      return 0
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const DEMO_INTRO = `Runs in a temporary folder, without an agent or network. The policy is demo/signalbox.yaml:
a commit needs a passing \`npm test\` after the last edit;
GitHub pull requests are read with \`gh\`, not fetched as web pages.
The session was recorded without a hook, so calls that are denied here were run in the recording.`

const heading = (text: string, terminal: Terminal): string =>
  `\n${coloursOf(terminal).bold(text)}\n${'-'.repeat(Math.min(terminal.width, 80))}\n`

type Payload = { [key: string]: unknown }

const readRecording = (client: string): readonly Payload[] =>
  readFileSync(join(PROGRAM_FOLDER, `demo/${client}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

const PACK_POLICY = 'with-a-pack.yaml'

/** The demo is mostly run in the folder of Signalbox, where a policy would govern Signalbox itself. */
const nextStep = (terminal: Terminal): string =>
  `Next  go to your project, and run there: ${resolveOwnPath(commandNameHere(installPathsOf(terminal)))} init`

/** `node ./bin/signalbox.cjs` does not exist in another folder. */
const resolveOwnPath = (command: string): string =>
  command.startsWith('node ') ? `node ${quoteShellWord(join(PROGRAM_FOLDER, 'bin/signalbox.cjs'))}` : command

/** The policy's `use:` line, the only line that a person would write. */
const readUseLine = (policy: string): string =>
  readFileSync(join(PROGRAM_FOLDER, 'demo', policy), 'utf8')
    .split('\n')
    .find(line => line.startsWith('use:')) ?? ''

/** Recorded edits: by the main agent, by the main agent with the subagent's command, and by the subagent. */
function editPayloads(recorded: readonly Payload[]): readonly Payload[] {
  const [write, edit] = ['notes.md', 'sed -i'].map(
    text =>
      recorded.find(payload => payload.hook_event_name === 'PreToolUse' && JSON.stringify(payload).includes(text)) ??
      {},
  )
  const own = { ...edit, agent_id: undefined, agent_type: undefined, tool_use_id: 'toolu_own' }
  return [write ?? {}, own, edit ?? {}].map(payload => ({ ...payload, session_id: 'demo-pack' }))
}

/** Recorded calls with other commands: a pipe, an excuse, a spoiled result, and an honest run. */
function trickPayloads(recorded: readonly Payload[]): readonly Payload[] {
  const find = (event: string, text: string): Payload =>
    recorded.find(payload => payload.hook_event_name === event && JSON.stringify(payload.tool_input).includes(text)) ??
    {}
  const before = find('PreToolUse', 'npm test')
  const after = find('PostToolUse', '"npm test"')
  const commit = find('PreToolUse', 'git commit')
  const run = (command: string, nth: number): Payload[] => {
    const call = { tool_input: { command }, tool_use_id: `toolu_trick_${nth}` }
    return [
      { ...before, ...call },
      { ...after, ...call },
    ]
  }
  const edit = { ...find('PreToolUse', 'notes.md'), tool_use_id: 'toolu_trick_edit' }
  const commands = ['npm test | tail', 'npm test || true', 'npm test && echo done > notes.md', 'npm test']
  const attempts = commands.flatMap((command, nth) => [
    ...run(command, nth),
    { ...commit, tool_use_id: `toolu_commit_${nth}` },
  ])
  return [edit, ...attempts].map(payload => ({ ...payload, session_id: 'demo-tricks' }))
}

async function printJson(stage: DemoSession, client: string, payload: Payload, { out }: Terminal): Promise<void> {
  for (const played of await stage.play(client, payload)) out(`${JSON.stringify(played)}\n`)
}

async function printRow(stage: DemoSession, client: string, payload: Payload, terminal: Terminal): Promise<void> {
  for (const played of await stage.play(client, payload)) terminal.out(`${formatRow(played, terminal)}\n`)
}

const DECISION_COLOURS: Readonly<Record<string, 'red' | 'yellow' | 'green' | 'dim'>> = {
  deny: 'red',
  ask: 'yellow',
  allow: 'green',
  pass: 'dim',
}

function formatRow({ event, caller, what, decision, reason, moves }: DemoEvent, terminal: Terminal): string {
  const colors = coloursOf(terminal)
  const width = Math.min(Math.max(terminal.width, 40), 140)
  const word = (decision === 'pass' || decision === 'allow' ? decision : decision.toUpperCase()).padEnd(5)
  const shout = DECISION_COLOURS[decision]
  const painted = shout ? colors[shout](word) : word
  const left = `${event.padEnd(13)} ${caller.slice(0, 8).padEnd(8)} `
  const indent = ' '.repeat(left.length)
  const under = (text: string, paint: (text: string) => string) =>
    wrapText(text, width - left.length - 2).map((line, nth) => `${indent}${paint(`${nth === 0 ? '└' : ' '} ${line}`)}`)
  return [
    `${left}${painted} ${cutEnd(toOneLine(what), Math.max(width - left.length - 6, 2))}`.trimEnd(),
    ...(reason ? under(reason, colors.dim) : []),
    ...moves.flatMap(move => under(move, colors.cyan)),
  ].join('\n')
}

const toOneLine = (text: string): string =>
  text
    .replace(/\[\[script:\w+\]\]/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** Wraps the reason and never cuts it: the reason is what the demo is about. */
function wrapText(text: string, room: number): readonly string[] {
  const lines: string[] = []
  for (const word of toOneLine(text).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && displayWidth(last) + displayWidth(word) < room)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
