import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { pause } from '../support/native/hook.ts'
import { BIN } from '../support/sandbox.ts'
import { Stage } from './stage.ts'

const stages: Stage[] = []
const stageWith = (policy?: string): Stage => {
  const stage = new Stage(policy)
  stages.push(stage)
  return stage
}
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

const TASK = 'add a login page with a form'
const STEP = JSON.stringify({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', name: 'Read', input: { path: 'a' } }] },
})
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))

it('a task is done by an agent that is approved for it, and nobody is afterwards', async () => {
  const stage = stageWith()
  const hook = stage.hookLine()
  stage.plays('claude', 'claude-ok', {
    first: `${hook} > ../hook.out; mkdir src; echo a > src/a.txt; echo b >> README.md`,
  })
  const { exitCode, stdout, stderr } = await stage.run([TASK])
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(
      /^All done\.\n\nDONE {2}by claude, \d+ s, 2 files, 30 \+ 30 tokens, \$0\.0007\n {2}changed {3}README\.md\n {2}added {5}src\/a\.txt\n$/,
    ),
    stderr: expect.stringMatching(
      /^agent {2}by Claude Code\n {2}because {3}best for feature\n[\s\S]*▸ claude\n {2}Write .*src\/a\.txt\n {2}\$ ls src\n$/,
    ),
  })
  expect(JSON.parse(readFileSync(join(stage.folder, 'hook.out'), 'utf8'))).toEqual({
    systemMessage: 'signalbox: "master-orchestrator" allowed this call: an orchestrated task is approved',
  })
  expect(stage.given('claude', 'stdin')).toContain(TASK)
  expect(stage.given('claude', 'args')).not.toContain('login')
  // what it was given is worth nothing any more
  const [, token = ''] = /^SIGNALBOX_APPROVAL=(.*)$/m.exec(stage.given('claude', 'env')) ?? []
  expect(token).toMatch(/^sbapproval_/)
  expect(readdirSync(join(stage.state, 'approvals'))).toEqual([])
  const notes = stage.records().map(({ name, notes: [note] }) => `${name} ${note}`)
  expect(notes).toEqual([
    expect.stringMatching(/^orchestrate\.begin [0-9a-f]{8} by claude, agent: add a login/),
    expect.stringMatching(/^PreToolUse approved: [0-9a-f]{16}$/),
    expect.stringMatching(
      /^orchestrate\.end [0-9a-f]{8} done claude agent .* 2 files 60 tokens \$0\.0007 \| add a login/,
    ),
  ])
  const log = readFileSync(join(stage.home, '.claude/logs/master-orchestrator.log'), 'utf8')
  expect(log).toMatch(/^\S+Z [0-9a-f]{8} done claude agent .* \| add a login page with a form\n$/)
  for (const text of [stdout, stderr, log, JSON.stringify(notes)]) expect(text).not.toContain('sbapproval_')
  const late = { env: { ...stage.env, SIGNALBOX_APPROVAL: token }, cwd: stage.project, encoding: 'utf8' } as const
  expect(execFileSync('sh', ['-c', hook], late)).toContain('"permissionDecision":"deny"')
  expect((await stage.say('--history')).stdout).toMatch(/ done claude agent .* \| add a login page with a form\n$/)
})

it('steps are lines of JSON for who wants them, and the report is the last', async () => {
  const stage = stageWith('settings: { orchestrator: { backends: [codex], args: { codex: [-m, gpt-5] } } }\n')
  stage.plays('codex', 'codex-ok')
  const { stdout, exitCode } = await stage.say('--json', TASK)
  expect(exitCode).toBe(0)
  expect(stage.given('codex', 'args')).toBe('exec --json --skip-git-repo-check --sandbox workspace-write -m gpt-5 -\n')
  const lines = linesOf(stdout)
  expect(lines.map(({ type, text }) => [type, text].filter(Boolean).join(': '))).toEqual([
    'plan',
    'start',
    'step: add /home/dev/proj/src/a.txt',
    'step: $ ls src',
    'message: All done.',
    'report',
  ])
  expect(lines.at(-1)).toMatchObject({
    ...{ outcome: 'done', backend: 'codex', mode: 'agent', result: 'All done.', files: [] },
    usage: { inputTokens: 30, outputTokens: 30, cachedTokens: 0 },
  })
})

it('a question changes nothing and is approved for nothing', async () => {
  const stage = stageWith()
  stage.plays('gemini', 'gemini-ok')
  const { exitCode, stdout } = await stage.say('what does this project do?')
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^All done\.\n\nDONE {2}by gemini/),
  })
  expect(stage.given('gemini', 'args')).toContain('--approval-mode plan')
  expect(stage.given('gemini', 'env')).not.toContain('SIGNALBOX_APPROVAL')
})

it('a command of the policy is put into its words, and goes to whom the policy names', async () => {
  const stage = stageWith('settings: { orchestrator: { commands: { bmad: { agent: lead, backend: codex } } } }\n')
  stage.plays('claude', 'claude-ok')
  stage.plays('codex', 'codex-ok')
  const { exitCode, stderr } = await stage.say(`/bmad ${TASK}`)
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('the policy names it for /bmad'),
  })
  expect(stage.given('codex', 'stdin')).toMatch(`Have the agent \`lead\` lead this.\n\n${TASK}\n\n`)
  expect((await stage.say('/bmad')).stderr).toContain('the task is empty; write what `/bmad` should do')
})

it('a plan runs nobody', async () => {
  const stage = stageWith(
    'settings: { orchestrator: { backends: [gemini, claude], lifts: [master-orchestrator], minutes: 5 } }\n',
  )
  stage.plays('claude', 'claude-ok')
  stage.plays('codex', 'codex-ok')
  const { stdout } = await stage.say('--plan', '--json', TASK)
  expect(linesOf(stdout)[0]).toMatchObject({
    ...{
      type: 'plan',
      mode: 'agent',
      backend: 'claude',
      notInstalled: ['gemini'],
      intent: 'feature',
      timeoutMs: 300_000,
    },
  })
  expect(stage.wasStarted('claude')).toBe(false)
  expect((await stage.say('--plan', '/deploy now')).stderr).toMatch(
    /unknown command `\/deploy`: neither the policy \(`settings\.orchestrator\.commands`\) nor an agent here defines it; `--mode command`/,
  )
  expect((await stage.say('--plan', '--mode', 'command', '/deploy now')).stdout).toMatch(/^command {2}by Claude Code/)
})

it.each([
  ['claude', 'claude-noauth', 1, /Claude Code is not signed in \(Not logged in .*start `claude` and run \/login/],
  ['claude', 'claude-401', 0, /Claude Code is not signed in \(authentication_failed, status 401\)/],
  ['claude', 'claude-429', 0, /Claude Code has no quota left \(rate_limit, status 429\)/],
  ['codex', 'codex-401', 1, /Codex CLI is not signed in \(unexpected status 401/],
  ['codex', 'codex-429', 1, /Codex CLI has no quota left \(exceeded retry limit/],
  ['gemini', 'gemini-401', 145, /Gemini CLI is not signed in \(\[API Error/],
] as const)('%s that cannot (%s) says why, and another is named', async (name, capture, code, why) => {
  const stage = stageWith()
  const other = name === 'codex' ? 'claude' : 'codex'
  // one that tries again and again is not waited for
  stage.plays(name, capture, { last: code === 0 ? 'sleep 60' : `exit ${code}` })
  stage.plays(other, `${other}-ok`)
  const { exitCode, stdout, stderr } = await stage.say('--backend', name, TASK)
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(why)
  expect(stdout).toMatch(
    new RegExp(`FAILED {2}by ${name}[^]*Next {2}signalbox orchestrate --backend ${other} "<task>"\n$`),
  )
  expect(stage.wasStarted(other)).toBe(false)
})

it('a task about rate limits that fails is not told as one without quota, nor one about signing in as signed out', async () => {
  const stage = stageWith()
  stage.program('codex', `cat > /dev/null; echo 'rate limit test failed: 429, sign in again' >&2; exit 1`)
  const line = {
    type: 'result',
    is_error: true,
    subtype: 'error_during_execution',
    result: 'no test of the rate limit',
  }
  // what failed once and went on is over
  const before = { type: 'assistant', error: 'rate_limit', message: { content: [] } }
  const step = { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Read', input: {} }] } }
  stage.program(
    'claude',
    `cat > /dev/null\n${[before, step, line].map(one => `echo '${JSON.stringify(one)}'`).join('\n')}`,
  )
  for (const [name, why] of [
    ['codex', 'Codex CLI failed: rate limit test failed'],
    ['claude', 'Claude Code failed: no test of the rate limit'],
  ] as const)
    expect((await stage.say('--backend', name, TASK)).stderr).toContain(why)
})

it('one that is missing, crashes or hangs hands over to the next where that is wanted', async () => {
  const stage = stageWith('settings: { orchestrator: { backends: [gemini, claude, codex] } }\n')
  stage.program('gemini', 'echo "TypeError: no" >&2; exit 3')
  stage.program('claude', 'sleep 60')
  stage.plays('codex', 'codex-ok')
  const { exitCode, stderr } = await stage.say('--fallback', '--timeout', '1s', TASK)
  expect(exitCode).toBe(0)
  expect(stderr).toMatch(
    /✗ Gemini CLI failed: TypeError: no\n▸ claude\n✗ Claude Code took too long: it did not finish within 1 s and was stopped; `--timeout` gives it more time\n▸ codex\n/,
  )
  const missing = stageWith()
  missing.plays('codex', 'codex-ok')
  expect(await missing.say('--backend', 'claude', TASK)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(
      /Claude Code is not installed: `claude` is not on the PATH; install it.*\n*Next {2}signalbox orchestrate --backend codex/,
    ),
  })
  const nobody = stageWith()
  expect((await nobody.say(TASK)).stderr.match(/is not installed/g)).toHaveLength(3)
  expect(linesOf((await nobody.say('--json', TASK)).stdout)).toMatchObject([
    { type: 'report', outcome: 'failed', errorKind: 'missing', backend: null, task: TASK },
  ])
})

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s leaves nothing running, and no approval', async signal => {
  const stage = stageWith()
  const hook = stage.hookLine()
  stage.program('claude', `touch ../begun; setsid sh -c 'sleep 61' & (setsid sh -c "sleep 62; ${hook}" &); sleep 63`)
  const {
    exitCode,
    signal: died,
    stdout,
  } = await stage.run([TASK], async child => {
    while (!existsSync(join(stage.folder, 'begun'))) await pause(20)
    await pause(100)
    expect(stage.processes().length).toBeGreaterThan(3)
    child.kill(signal)
  })
  expect({ exitCode, died }).toEqual({ exitCode: null, died: signal })
  if (signal !== 'SIGKILL') expect(stdout).toContain('STOPPED  by claude')
  for (let nth = 0; nth < 100 && stage.processes().length > 0; nth++) await pause(20)
  expect(stage.processes()).toEqual([])
  if (signal !== 'SIGKILL') expect(readdirSync(join(stage.state, 'approvals'))).toEqual([])
})

it.each([
  ['stdout', ['--json', TASK]],
  ['stderr', [TASK]],
  ['stdout', ['--json', '--parallel', TASK, 'add a flag']],
] as const)('who no longer reads %s of %j has stopped it, and that is on record', async (name, args) => {
  const stage = stageWith()
  stage.program('claude', `touch "$HOME/begun.$$"; for n in 1 2 3 4 5 6; do sleep 0.2; echo '${STEP}'; done; sleep 63`)
  const count = args.includes('--parallel' as never) ? 2 : 1
  let heard = ''
  const { exitCode } = await stage.run([...args], child =>
    child[name]?.on('data', chunk => {
      heard += chunk
      // all have begun
      if ((heard.match(/"type":"start"|▸/g)?.length ?? 0) >= count) child[name]?.destroy()
    }),
  )
  expect(exitCode).toBe(141)
  expect(stage.processes()).toEqual([])
  expect(readdirSync(join(stage.state, 'approvals'))).toEqual([])
  expect((await stage.say('--history')).stdout.match(/ stopped claude agent /g)).toHaveLength(count)
  expect(stage.records().filter(one => one.name === 'orchestrate.end')).toHaveLength(count)
  expect(existsSync(join(stage.folder, 'proj-tasks'))).toBe(false)
})

it('a Ctrl-C that comes twice at once, as with npx, is one', async () => {
  const stage = stageWith()
  stage.program('claude', `touch ../begun; trap 'sleep 0.5; exit' TERM; sleep 63 & wait`)
  const { signal } = await stage.run([TASK], async child => {
    while (!existsSync(join(stage.folder, 'begun'))) await pause(20)
    child.kill('SIGINT')
    await pause(20)
    child.kill('SIGINT')
  })
  expect(signal).toBe('SIGINT')
  expect((await stage.say('--history')).stdout).toMatch(/ stopped claude agent /)
})

it('several at once have worktrees of their own, and one that came to nothing has none', async () => {
  const stage = stageWith()
  // each is approved in its own; a session stays in the project in which it began, and each agent has a session of its own
  const payload = `'{"session_id":"'$$'","cwd":"'$PWD'","hook_event_name":"PreToolUse","tool_name":"Write","tool_input":{"file_path":"a"}}'`
  const asks = `echo ${payload} | '${process.execPath}' '${BIN}' hook --client claude-code > "$HOME/said.$(basename "$PWD")"`
  stage.plays('claude', 'claude-ok', { first: `${asks}\ncase $PWD in *page*) echo a > page.txt;; esac` })
  const { exitCode, stdout } = await stage.say('--parallel', '--backend', 'claude', 'add a page', 'add a flag')
  expect(exitCode).toBe(0)
  expect(stdout.match(/^DONE/gm)).toHaveLength(2)
  const said = readdirSync(stage.home).filter(name => name.startsWith('said.'))
  const approved = expect.stringMatching(/^\{"systemMessage":"[^{]* an orchestrated task is approved"\}\n$/)
  expect(said.map(name => readFileSync(join(stage.home, name), 'utf8'))).toEqual([approved, approved])
  const [, folder = '', branch] = /in (\S+), branch (\S+)/.exec(stdout) ?? []
  expect(folder).toMatch(/proj-tasks\/add-a-page-[0-9a-f]{4}$/)
  expect(readFileSync(join(folder, 'page.txt'), 'utf8')).toBe('a\n')
  expect(existsSync(join(stage.project, 'page.txt'))).toBe(false)
  expect(stage.git('branch', '--format=%(refname:short)').trim().split('\n')).toEqual(['main', branch])
  expect(readdirSync(join(stage.folder, 'proj-tasks'))).toHaveLength(1)
  expect((await stage.say('--history')).stdout.match(/ done claude agent /g)).toHaveLength(2)
})

it('a worktree that git cannot read any more stays', async () => {
  const stage = stageWith()
  stage.plays('claude', 'claude-ok', { first: 'echo broken > "$(git rev-parse --git-dir)/index"; echo a > a.txt' })
  const { stdout, stderr } = await stage.say('--parallel', '--backend', 'claude', 'add a page')
  expect(stdout + stderr).toMatch(/git cannot show the changes here/)
  expect(readdirSync(join(stage.folder, 'proj-tasks'))).toHaveLength(1)
})

it('a worktree in which only ignored files were made stays', async () => {
  const stage = stageWith()
  writeFileSync(join(stage.project, '.gitignore'), '.env\n')
  stage.git('add', '-A')
  stage.git('-c', 'user.name=dev', '-c', 'user.email=dev@example.org', 'commit', '-qm', 'ignore')
  stage.plays('claude', 'claude-ok', { first: 'echo KEY=1 > .env' })
  const { stderr } = await stage.say('--parallel', '--backend', 'claude', 'add a page')
  expect(stderr).toMatch(/was kept: it contains files/)
  const [name = ''] = readdirSync(join(stage.folder, 'proj-tasks'))
  expect(existsSync(join(stage.folder, 'proj-tasks', name, '.env'))).toBe(true)
})

it('an approval that is told in pieces is hidden in all of them', async () => {
  const stage = stageWith()
  const piece = (text: string) =>
    `{\\"type\\":\\"message\\",\\"role\\":\\"assistant\\",\\"delta\\":true,\\"content\\":\\"${text}\\"}`
  const t = '$SIGNALBOX_APPROVAL'
  stage.program(
    'gemini',
    `cat > /dev/null\nhead=$(printf %.6s "${t}"); tail=$(printf %s "${t}" | cut -c7-)\necho "${piece('it is $head')}"\necho "${piece('$tail and')}"\necho '{"type":"result","status":"success"}'`,
  )
  const { stdout } = await stage.say('--json', '--backend', 'gemini', TASK)
  expect(linesOf(stdout).filter(({ type }) => type === 'message').length).toBeGreaterThan(0)
  expect(stdout).not.toMatch(/proval_|[\w-]{100}/)
})

it('an approval in the name of a file, of a branch or of a session is hidden', async () => {
  const stage = stageWith()
  stage.program(
    'claude',
    `cat > /dev/null; t=$(printf %.200s "$SIGNALBOX_APPROVAL"); touch "$t"; git checkout -q -b "$t"\necho "{\\"type\\":\\"system\\",\\"subtype\\":\\"init\\",\\"session_id\\":\\"$t\\"}"\necho '{"type":"result","subtype":"success","result":"ok"}'`,
  )
  const { stdout, stderr } = await stage.say('--json', '--parallel', '--backend', 'claude', TASK)
  expect(linesOf(stdout).at(-1)).toMatchObject({ outcome: 'done', files: [{ change: 'added' }] })
  const { stdout: history } = await stage.say('--history', '--json')
  const trail = JSON.stringify(stage.records())
  for (const text of [stdout, stderr, history, trail]) expect(text).not.toMatch(/sbapproval_[\w-]{20}/)
})

it('a line without end, numbers that are none and signs that steer a terminal do no harm', async () => {
  const stage = stageWith()
  stage.program(
    'claude',
    `cat > /dev/null\nhead -c 40000000 /dev/zero | tr '\\0' x\nprintf '\\n%s\\n' '{"type":"result","subtype":"success","result":"\\u001b]52;c;aGk=\\u0007 ok","usage":{"input_tokens":1},"total_cost_usd":1e309}'`,
  )
  const { stdout, exitCode } = await stage.say('--backend', 'claude', TASK)
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('\\e]52') })
  expect(stdout).not.toContain('\u001b]')
  expect((await stage.say('--history')).stdout).toMatch(/ done claude agent /)
})

it('tasks at once do not go on without the policy of the project', async () => {
  const stage = stageWith()
  stage.plays('claude', 'claude-ok')
  writeFileSync(join(stage.project, 'signalbox.yaml'), 'gates: {}\n')
  expect(await stage.say('--parallel', 'add a page', 'add a flag')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('`signalbox.yaml` has uncommitted changes'),
  })
})

it('what a project says of the orchestrator waits for trust, and that is told', async () => {
  const stage = stageWith()
  stage.plays('claude', 'claude-ok')
  const settings = 'settings: { orchestrator: { commands: { ship: { agent: lead } } } }\n'
  writeFileSync(join(stage.project, 'signalbox.yaml'), settings)
  const { exitCode, stderr } = await stage.say('--plan', '/ship it')
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(
    /`settings\.orchestrator` is ignored until you run `signalbox trust`[\s\S]*unknown command `\/ship`/,
  )
})

it('a task is routed already: gates that a decision opens let it by, a question too', async () => {
  const stage = stageWith('use: [master-orchestrator, router-first]\n')
  const hook = stage.hookLine()
  const read = hook.replace('payload', 'read')
  const payload = { session_id: 'r', cwd: stage.project, hook_event_name: 'PreToolUse', tool_name: 'Read' }
  writeFileSync(join(stage.folder, 'read.json'), JSON.stringify({ ...payload, tool_input: { file_path: 'README.md' } }))
  const said = (name: string) => readFileSync(join(stage.folder, name), 'utf8')
  const asks = `${read} > ../read.out\n${hook} > ../write.out`
  stage.plays('claude', 'claude-ok', { first: asks })
  stage.plays('gemini', 'gemini-ok', { first: asks })
  expect((await stage.say('--backend', 'claude', TASK)).exitCode).toBe(0)
  expect([said('read.out'), said('write.out')]).toEqual([
    '',
    expect.stringContaining('an orchestrated task is approved'),
  ])
  expect((await stage.say('--backend', 'gemini', 'what does this project do?')).exitCode).toBe(0)
  expect(said('read.out')).toBe('')
  expect(said('write.out')).toContain('This goes through the orchestrator')
  expect(
    stage.records().map(({ notes }) => notes.find(note => /^(approved|orchestrated): /.test(note))?.split(':')[0]),
  ).toEqual(expect.arrayContaining(['approved', 'orchestrated']))
})

it.each(['', 'env -u SIGNALBOX_TASK -u SIGNALBOX_APPROVAL'])(
  'who is approved does the work, and starts no tasks (%s)',
  async hidden => {
    const stage = stageWith()
    stage.program('claude', `cat > /dev/null; ${hidden} signalbox orchestrate more`)
    stage.program(
      'signalbox',
      `exec '${process.execPath}' '${join(import.meta.dirname, '../../bin/signalbox.cjs')}' "$@"`,
    )
    const { exitCode, stderr } = await stage.run([TASK])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/you are already in an orchestrated task, and approved: do the work here/)
  },
)

it.each([
  [[], /the task is empty/],
  [['--backend', 'cloud', TASK], /unknown backend `cloud`; there are claude, codex, gemini/],
  [['--mode', 'magic', TASK], /unknown mode `magic`; there are command, agent, prompt, skill/],
  [['--timeout', 'soon', TASK], /`--timeout soon` is not a time; write it like `90s`, `10m` or `1h`, at most 7h/],
])('%j is one clear line', async (args, why) => {
  const stage = stageWith()
  const { exitCode, stderr } = await stage.say(...args)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(why)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
