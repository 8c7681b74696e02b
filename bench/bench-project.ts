import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientById, clients } from '../src/clients/index.ts'
import { type EvaluationResult, evaluate, newSession, type Outcome, type Session } from '../src/engine/index.ts'
import * as shell from '../src/engine/shell/index.ts'
import { type Folders, foldersOf, gatherFacts, policyInput, withActions } from '../src/hook/index.ts'
import * as regex from '../src/hook/services/regex.ts'
import type { JsonObject } from '../src/lib/json.ts'
import * as compiler from '../src/policy/compile/compiler.ts'
import { loadPolicy, type Policy } from '../src/policy/index.ts'

/** The policy of the architecture page, without its packs. */
export const POLICY = `
gates:
  tests-before-commit:
    initial: closed
    transitions:
      - { from: closed, to: open,   when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open,   to: closed, when: { event: tool.before, action: [write, delete] } }
    rules:
      - while: closed
        when: { event: tool.before, command: git commit }
        then: deny
        message: Run \`npm test\` first; committing opens when it passes and closes at the next edit.
        suggest: npm test
allow:
  paths: [docs/, "~/.claude/hooks"]
  commands: [git status, npm test]
`

export interface Ground {
  readonly folder: string
  readonly program: Policy
  readonly folders: Folders
  /** decode, read the acts, gather the facts and evaluate one payload: all but the store */
  judge(payload: string): Outcome
  /** the same, in a session given */
  evaluate(payload: string, session?: Session, at?: number): EvaluationResult
  end(): void
}

/** `packs`: the folder of the built-in ones; without it nothing but the policy is in force. `own`: it is the person's, not the project's. */
export function prepare(policy: string, packs?: string, { own = false } = {}): Ground {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  mkdirSync(join(folder, '.git'))
  const userFile = join(folder, own ? 'own.yaml' : 'none')
  writeFileSync(own ? userFile : join(folder, 'signalbox.yaml'), policy)
  const folders = foldersOf({ HOME: folder, SIGNALBOX_HOME: folder })
  const parts = {
    clients: () => clients,
    shell: () => shell,
    regex: () => regex,
    compiler: () => compiler,
    packsDir: packs ?? join(folder, 'packs'),
  }
  const { program, problems } = loadPolicy(
    policyInput(folder, folder, {}, { ...folders, userFile }, parts),
    parts.compiler,
  )
  if (problems.length > 0) throw new Error(problems[0]?.message)
  const client = clientById('claude-code')
  if (!client) throw new Error('no client')
  const began = Date.now()
  const fresh = newSession('bench', folder, began)
  const judged = (text: string, session = fresh, now = began): EvaluationResult => {
    const payload: JsonObject = JSON.parse(text)
    const [decoded] = client.decode(payload, {})
    if (!decoded) throw new Error('no event')
    const event = withActions(decoded, { root: folder, cwd: folder, home: folder, shell: parts.shell })
    const facts = gatherFacts(event, program, { now, env: {}, root: folder, home: folder })
    return evaluate({ event, session, program, facts, capabilities: client.capabilities }, regex)
  }
  const judge = (text: string): Outcome => judged(text).outcome
  const end = () => rmSync(folder, { recursive: true, force: true })
  return { folder, program, folders, judge, evaluate: judged, end }
}

const COMMON = {
  session_id: 'd1339dd2-a210-4b5c-8a31-5d7755943b6c',
  transcript_path: '/home/dev/.claude/projects/-home-dev-proj/d1339dd2.jsonl',
  cwd: '/home/dev/proj',
  prompt_id: '22755691-a17f-44a4-93c9-b34757071c05',
  permission_mode: 'default',
}

export const say = (prompt: string): string =>
  JSON.stringify({ ...COMMON, hook_event_name: 'UserPromptSubmit', prompt })

export const call = (tool: string, input: JsonObject): string =>
  JSON.stringify({
    ...COMMON,
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_0019main',
  })
