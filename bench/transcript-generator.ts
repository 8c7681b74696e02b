import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A session of so many events, the nth of all; ten of them overlap at any time. No two commands of a session are the same. */
const EACH_SESSION = 500
const BEGIN = Date.UTC(2026, 0, 5, 9)
const OUTPUT = 'ok  the output of a command as it usually is, a line or so\n'.repeat(8)
const PROMPT = 'Mend the sum, run the tests and commit.'

interface Call {
  readonly id: string
  readonly name: 'Bash' | 'Read' | 'Edit' | 'Grep'
  readonly input: { readonly [field: string]: string }
}

interface Session {
  readonly id: string
  readonly root: string
  readonly calls: readonly Call[]
  /** of the nth event */
  at(nth: number): string
}

/** The file of a session below home, and what is in it: a line an entry, as the agent writes them. */
type Writing = (session: Session) => { readonly file: string; readonly lines: readonly object[] }

/** How each agent writes its sessions down. */
export const AGENTS: Readonly<Record<string, Writing>> = {
  'claude-code': claude,
  'codex-cli': codex,
  'gemini-cli': gemini,
}

/** Returns the files. */
export function writeSessions(agent: string, { home, root, events }: { home: string; root: string; events: number }) {
  const writing = AGENTS[agent] ?? claude
  // by which Gemini CLI knows whose folder it is
  mkdirSync(join(home, '.gemini/tmp/proj'), { recursive: true })
  writeFileSync(join(home, '.gemini/tmp/proj/.project_root'), root)
  return Array.from({ length: Math.ceil(events / EACH_SESSION) }, (_, nth) => {
    const { file, lines } = writing(sessionOf(nth, root))
    const path = join(home, file)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    return path
  })
}

function sessionOf(session: number, root: string): Session {
  const calls: Call[] = []
  for (let nth = 1; nth < EACH_SESSION - 3; nth += 2)
    calls.push({ id: `toolu_${session}_${nth}`, ...callOf(session * EACH_SESSION + nth, root) })
  return {
    id: `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`,
    root,
    calls,
    at: nth => new Date(BEGIN + session * 60_000 + nth * 2400).toISOString(),
  }
}

function callOf(nth: number, root: string): Omit<Call, 'id'> {
  const bash = (command: string) => ({ name: 'Bash' as const, input: { command, description: `step ${nth}` } })
  const file = `${root}/src/part${nth % 97}/file${nth}.ts`
  if ((nth >> 1) % 48 === 47) return bash(`git commit -am "fix sum ${nth}"`)
  const all: readonly Omit<Call, 'id'>[] = [
    bash(`git status --short src/part${nth % 97}`),
    { name: 'Read', input: { file_path: file } },
    { name: 'Edit', input: { file_path: file, old_string: `a${nth}`, new_string: `b${nth}` } },
    bash(`npm test -- --filter "part ${nth}" 2>&1 | tail -20`),
    { name: 'Grep', input: { pattern: `sum${nth}`, path: root } },
    bash(`cd src && grep -rn "sum${nth}" . | head -5 && sed -n ${nth}p file${nth}.ts`),
    bash('npm test'),
  ]
  return all[(nth >> 1) % all.length] ?? bash('true')
}

function claude({ id: sessionId, root: cwd, calls, at }: Session): ReturnType<Writing> {
  const shared = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.325', gitBranch: 'main' }
  const line = (nth: number, type: string, content: unknown, more: object = {}) => ({
    ...{ ...shared, type, message: { role: type, content, ...more }, timestamp: at(nth) },
    ...more,
  })
  const both = ({ id, name, input }: Call, nth: number) => [
    line(2 * nth + 1, 'assistant', [{ type: 'tool_use', id, name, input }], { stop_reason: 'tool_use' }),
    line(2 * nth + 2, 'user', [{ type: 'tool_result', tool_use_id: id, content: OUTPUT }], {
      toolUseResult: { stdout: OUTPUT, stderr: '', interrupted: false },
    }),
  ]
  const done = line(EACH_SESSION, 'assistant', [{ type: 'text', text: 'Done.' }], { stop_reason: 'end_turn' })
  const file = `.claude/projects/-proj/${sessionId}.jsonl`
  return { file, lines: [line(0, 'user', PROMPT), ...calls.flatMap(both), done] }
}

/** Its shell does it all. What a command put out comes twice, and once more for those who watch. */
function codex({ id: session, root: cwd, calls, at }: Session): ReturnType<Writing> {
  const line = (nth: number, type: string, payload: object) => ({ timestamp: at(nth), ordinal: nth, type, payload })
  const all = ({ id: call_id, name, input }: Call, nth: number) => {
    const cmd = typed(name, input)
    const item = { type: 'CommandExecution', id: call_id, command: ['/bin/bash', '-lc', cmd], cwd: `file://${cwd}` }
    const call = { type: 'function_call', status: 'completed', name: 'exec_command', call_id }
    const output = `Chunk ID: 0387df\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${OUTPUT}`
    return [
      line(2 * nth + 1, 'response_item', { ...call, arguments: JSON.stringify({ cmd }) }),
      line(2 * nth + 2, 'event_msg', { type: 'item_completed', item: { ...item, aggregated_output: OUTPUT } }),
      line(2 * nth + 2, 'response_item', { type: 'function_call_output', call_id, output }),
    ]
  }
  const begin = line(0, 'session_meta', { session_id: session, id: session, cwd, cli_version: '0.166.0' })
  const prompt = line(0, 'event_msg', { type: 'user_message', message: PROMPT })
  const done = line(EACH_SESSION, 'event_msg', { type: 'task_complete', last_agent_message: 'Done.' })
  const file = `.codex/sessions/2026/01/05/rollout-2026-01-05T09-00-00-${session}.jsonl`
  return { file, lines: [begin, prompt, ...calls.flatMap(all), done] }
}

function typed(name: Call['name'], { command, file_path, old_string, new_string, pattern }: Call['input']): string {
  if (name === 'Read') return `sed -n 1,200p ${file_path}`
  if (name === 'Grep') return `rg -n ${pattern} src`
  const patch = `*** Begin Patch\n*** Update File: ${file_path}\n@@\n-${old_string}\n+${new_string}\n*** End Patch`
  return name === 'Edit' ? `apply_patch <<'EOF'\n${patch}\nEOF` : (command ?? '')
}

const GEMINI = { Bash: 'run_shell_command', Read: 'read_file', Edit: 'replace', Grep: 'search_file_content' }

/** A message is written when it comes, and again with its calls when they have ended. */
function gemini({ id: sessionId, calls, at }: Session): ReturnType<Writing> {
  const touch = (nth: number) => ({ $set: { lastUpdated: at(nth) } })
  const all = ({ id, name: tool, input: args }: Call, nth: number) => {
    const name = GEMINI[tool]
    const message = { id: `m${nth}`, timestamp: at(2 * nth + 1), type: 'gemini', content: '', model: 'gemini-2.5-pro' }
    const result = [{ functionResponse: { id, name, response: { output: OUTPUT } } }]
    const call = { id, name, args, result, status: 'success', timestamp: at(2 * nth + 2), resultDisplay: OUTPUT }
    const answer = { id: `a${nth}`, timestamp: at(2 * nth + 2), type: 'user', content: result }
    return [message, touch(2 * nth + 1), { ...message, toolCalls: [call] }, answer, touch(2 * nth + 2)]
  }
  const begin = { sessionId, projectHash: 'x', startTime: at(0), lastUpdated: at(0), kind: 'main' }
  const prompt = { id: 'p', timestamp: at(0), type: 'user', content: [{ text: PROMPT }] }
  const done = { id: 'd', timestamp: at(EACH_SESSION), type: 'gemini', content: 'Done.' }
  const file = `.gemini/tmp/proj/chats/session-2026-01-05T09-00-${sessionId}.jsonl`
  return { file, lines: [begin, prompt, ...calls.flatMap(all), done] }
}
