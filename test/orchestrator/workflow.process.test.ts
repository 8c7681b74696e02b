import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readWorkflowRuns } from '../../src/store/index.ts'
import { pause } from '../support/native/hook.ts'
import { CAPTURES, Stage } from './stage.ts'

const stages: Stage[] = []
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

const REQUEST = 'add a login page with a form'
const OK = join(CAPTURES, 'claude-ok.jsonl')

/** A stage with one workflow `w`, whose agent does what the script says: `$step` is the word after "STEP" in its prompt. */
function stageWith(steps: string, script: string, more = 'use: [master-orchestrator]'): Stage {
  const stage = new Stage(`${more}\nworkflows:\n  w:\n    about: Builds it.\n    steps:\n${steps}\n`)
  stages.push(stage)
  stage.git('config', 'status.showUntrackedFiles', 'all')
  agent(stage, script)
  return stage
}

function agent(stage: Stage, script: string, last = `cat '${OK}'`): void {
  stage.program(
    'claude',
    `prompt=$(cat); step=$(printf '%s' "$prompt" | sed -n 's/.*STEP \\([a-z]*\\).*/\\1/p' | head -1)
printf '%s\\n' "$step" >> '${stage.folder}/ran'; printf '%s' "$prompt" > '${stage.folder}/prompt.'"$step"
env > '${stage.folder}/env.'"$step"
${script}
${last}`,
  )
}

const ran = (stage: Stage): readonly string[] =>
  existsSync(join(stage.folder, 'ran')) ? readFileSync(join(stage.folder, 'ran'), 'utf8').trim().split('\n') : []
const prompt = (stage: Stage, step: string): string => readFileSync(join(stage.folder, `prompt.${step}`), 'utf8')
const runIn = (stage: Stage) => {
  const [run, ...more] = readWorkflowRuns(stage.state, { root: stage.project })
  expect(more).toEqual([])
  if (!run) throw new Error('no run')
  return run
}

/** Until the agent is at work; an error where the command ended before. */
async function atWork(stage: Stage, child: ChildProcess, sign = 'hangs'): Promise<number> {
  while (!existsSync(join(stage.project, sign))) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new Error('the workflow ended before its agent was at work')
    await pause(50)
  }
  return child.pid as number
}

/** Runs the workflow and does `play` once its agent is at work. What fails in `play` fails the test, and nothing goes on behind it. */
async function whileAtWork(stage: Stage, play: (pid: number) => unknown, sign?: string) {
  let played: Promise<unknown> = Promise.resolve()
  const ended = await stage.run(['--workflow', 'w', REQUEST], child => {
    played = atWork(stage, child, sign)
      .then(play)
      .catch(error => {
        child.kill('SIGKILL')
        return { error }
      })
  })
  const failed = await played
  if (typeof failed === 'object' && failed !== null && 'error' in failed)
    throw new Error(`${failed.error}\n${ended.stdout}${ended.stderr}`, { cause: failed.error })
  return ended
}

const TWO = `
      - { id: plan, prompt: "STEP plan for {request}", artifacts: docs/plan.md }
      - { id: build, prompt: "STEP build", artifacts: src/a.ts }`
const BOTH = 'mkdir -p docs src; case $step in plan) echo "the plan" > docs/plan.md;; build) echo a > src/a.ts;; esac'

describe('a workflow', () => {
  it('runs its steps, hands on what they left, and keeps all of it', async () => {
    const stage = stageWith(TWO, BOTH)
    const { exitCode, stdout, stderr } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining('▶ step 2 of 2: build') })
    expect(stdout).toMatch(
      /\nDONE {2}workflow w [0-9a-f]{8}, 2 of 2 steps, \d+ s\n {2}plan +done, 1 file, wrote docs\/plan\.md\n {2}build +done, 1 file, wrote src\/a\.ts\n$/,
    )
    expect(ran(stage)).toEqual(['plan', 'build'])
    expect(prompt(stage, 'plan')).toContain(`STEP plan for ${REQUEST}`)
    expect(prompt(stage, 'plan')).toContain('write these files: docs/plan.md')
    expect(prompt(stage, 'build')).toContain('Files that earlier steps wrote for you:\n- docs/plan.md (step plan)')
    const run = runIn(stage)
    expect(run).toMatchObject({ workflow: 'w', state: 'done', request: REQUEST, plan: ['plan', 'build'] })
    expect(run.steps.map(({ id, state, artifacts }) => [id, state, artifacts])).toEqual([
      ['plan', 'done', [{ path: 'docs/plan.md', bytes: 9, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]],
      ['build', 'done', [{ path: 'src/a.ts', bytes: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]],
    ])
    const { stdout: history } = await stage.say('--history')
    expect(history).toMatch(/ done workflow w 2\/2 steps \| add a login page with a form\n/)
    expect(history).toMatch(/ done claude agent .* \| \/w plan: add a login/)
    const names = stage.records().map(({ name }) => name)
    expect([names[0], names.at(-1)]).toEqual(['workflow.begin', 'workflow.end'])
  })

  it('is shown before it runs, and as lines of JSON', async () => {
    const stage = stageWith(
      `${TWO}\n      - person: Fine?\n      - { id: review, backend: codex, agent: critic, prompt: x, may: docs/, repeat: { most: 2, until: { run: npm test } } }`,
      BOTH,
    )
    const { stdout, exitCode } = await stage.say('--plan', '--workflow', 'w', REQUEST)
    expect({ exitCode, stdout: stdout.split('\n') }).toEqual({
      exitCode: 0,
      stdout: [
        'workflow w: Builds it.',
        '  1  plan         by Claude Code',
        '                  writes docs/plan.md',
        '  2  build        by Claude Code',
        '                  writes src/a.ts',
        '  3  person       asks a person: Fine?',
        '  4  review       by Claude Code, led by critic',
        '                  may change docs/',
        '                  at most 2 rounds, until `npm test` succeeds',
        '',
      ],
    })
    expect(ran(stage)).toEqual([])
    const lines = (await stage.say('--json', '--workflow', 'w', REQUEST)).stdout.trim().split('\n')
    const types = lines.map(line => JSON.parse(line).type)
    expect(types.filter(type => type.startsWith('workflow'))).toEqual([
      ...['workflow.step', 'workflow.done', 'workflow.step', 'workflow.done', 'workflow.report'],
    ])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ state: 'waiting', steps: [{}, {}, { id: 'person' }] })
  })

  it.each([
    ['is not there', 'true', 'it did not write docs/plan.md'],
    ['is empty', 'mkdir docs; : > docs/plan.md', 'it wrote docs/plan.md as an empty file'],
    ['is a link', 'mkdir docs; ln -s ../README.md docs/plan.md', 'it did not write docs/plan.md'],
  ])('stops with a clear line where an artifact %s', async (_, script, why) => {
    const stage = stageWith(TWO, script)
    const { exitCode, stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: expect.stringMatching(/\nFAILED {2}workflow w /) })
    expect(stdout).toContain(`\n  plan: ${why}\nNext  signalbox orchestrate --resume ${runIn(stage).id}\n`)
    expect(ran(stage)).toEqual(['plan'])
  })

  it('takes no artifact that was there before for the work of a step', async () => {
    const stage = stageWith(TWO, 'true')
    mkdirSync(join(stage.project, 'docs'))
    writeFileSync(join(stage.project, 'docs/plan.md'), 'an old plan\n')
    const { stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect(stdout).toContain('\n  plan: it did not change docs/plan.md\n')
    // a step that has failed begins again
    agent(stage, BOTH)
    expect((await stage.say('--resume')).exitCode).toBe(0)
    expect(ran(stage)).toEqual(['plan', 'plan', 'build'])
  })

  it('a step whose agent fails stops it', async () => {
    const stage = stageWith(TWO, 'echo "TypeError: no" >&2; exit 3')
    const { exitCode, stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('\n  plan: Claude Code failed: TypeError: no\n'),
    })
  })
})

describe('what a step may change', () => {
  const MAY = `
      - { id: plan, prompt: "STEP plan", artifacts: docs/plan.md, may: [notes/, "*.txt"] }`
  const call = (stage: Stage, name: string, tool: string, input: object): string => {
    const payload = { session_id: 's', cwd: stage.project, hook_event_name: 'PreToolUse', tool_name: tool }
    writeFileSync(join(stage.folder, `${name}.json`), JSON.stringify({ ...payload, tool_input: input }))
    return `'${process.execPath}' '${join(import.meta.dirname, '../../bin/signalbox.cjs')}' hook --client claude-code < '${stage.folder}/${name}.json' > '${stage.folder}/${name}.out'\n`
  }
  const CALLS: Readonly<Record<string, readonly [string, object, 'passes' | 'denied']>> = {
    artifact: ['Write', { file_path: 'docs/plan.md', content: 'a' }, 'passes'],
    below: ['Write', { file_path: 'notes/deep/a.md', content: 'a' }, 'passes'],
    wild: ['Write', { file_path: 'a.txt', content: 'a' }, 'passes'],
    folder: ['Bash', { command: 'mkdir -p docs notes/deep' }, 'passes'],
    temporary: ['Bash', { command: 'echo a > /tmp/x-of-a-test && cat src/a.ts' }, 'passes'],
    runs: ['Bash', { command: 'npm test' }, 'passes'],
    code: ['Write', { file_path: 'src/a.ts', content: 'a' }, 'denied'],
    beside: ['Edit', { file_path: 'docs/other.md', old_string: 'a', new_string: 'b' }, 'denied'],
    redirected: ['Bash', { command: 'echo a > src/a.ts' }, 'denied'],
    deleted: ['Bash', { command: 'rm -rf .' }, 'denied'],
    up: ['Write', { file_path: 'notes/../src/a.ts', content: 'a' }, 'denied'],
    linked: ['Write', { file_path: 'notes/link/a.ts', content: 'a' }, 'denied'],
    made: ['Bash', { command: 'mkdir -p src' }, 'denied'],
    unread: ['Bash', { command: 'eval "$(cat x)"' }, 'denied'],
    unnamed: ['Bash', { command: 'echo a > "$FILE"' }, 'denied'],
    elsewhere: ['Bash', { command: 'cd /usr && make' }, 'denied'],
    outside: ['Write', { file_path: '/opt/elsewhere/a', content: 'a' }, 'denied'],
    server: ['mcp__fs__write_file', { path: 'notes/a.md', content: 'a' }, 'passes'],
    serverReads: ['mcp__fs__read_text_file', { path: 'src/a.ts' }, 'passes'],
    serverThinks: ['mcp__memory__recall', { topic: 'src' }, 'passes'],
    unknownReads: ['view_outline', { path: 'src/a.ts' }, 'passes'],
    serverCode: ['mcp__fs__write_file', { path: 'src/a.ts', content: 'a' }, 'denied'],
    serverMoves: ['mcp__fs__move_file', { source: 'src/a.ts', destination: 'notes/a.ts' }, 'denied'],
    serverList: ['mcp__fs__apply', { edits: [{ path: 'notes/a' }, { path: 'src/a.ts' }] }, 'denied'],
    serverFormats: ['mcp__ide__process', { filePath: 'src/a.ts' }, 'denied'],
    serverLink: ['mcp__fs__write_file', { path: 'notes/link/a.ts', content: 'a' }, 'denied'],
    serverUp: ['mcp__fs__write_file', { path: 'notes/../src/a.ts', content: 'a' }, 'denied'],
    serverClears: ['mcp__fs__clear_log', { path: 'src/a.log' }, 'denied'],
    serverUnnamed: ['mcp__fs__write_file', { name: 'src/a.ts', content: 'a' }, 'denied'],
    serverMany: [
      'mcp__fs__touch_files',
      { files: Array.from({ length: 40 }, (_, n) => ({ path: `notes/${n}` })) },
      'denied',
    ],
    unknownTool: ['polish', { path: 'src/a.ts' }, 'denied'],
  }

  // with a gate that asks for approvals, and with none at all
  it.each(['use: [master-orchestrator]', '# nothing'])(
    'is bound into its approval: the hook denies the rest (%s)',
    async policy => {
      const stage = stageWith(MAY, '', policy)
      mkdirSync(join(stage.project, 'notes'))
      mkdirSync(join(stage.project, 'src'))
      const calls = Object.entries(CALLS).map(([name, [tool, input]]) => call(stage, name, tool, input))
      agent(stage, `ln -s ../src notes/link\n${calls.join('')}rm notes/link; mkdir -p docs; echo a > docs/plan.md`)
      const { exitCode, stdout } = await stage.run(['--workflow', 'w', REQUEST])
      expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
      const got = Object.keys(CALLS).map(name => {
        const out = readFileSync(join(stage.folder, `${name}.out`), 'utf8')
        return [name, /"permissionDecision":"deny"/.test(out) ? 'denied' : 'passes']
      })
      expect(Object.fromEntries(got)).toEqual(
        Object.fromEntries(Object.entries(CALLS).map(([name, [, , how]]) => [name, how])),
      )
      expect(readFileSync(join(stage.folder, 'code.out'), 'utf8')).toContain(
        'This step of the workflow may change only notes/, *.txt, docs/plan.md: not `src/a.ts`.',
      )
    },
    60_000,
  )

  it('is looked at when it has ended: what a program wrote by itself counts too', async () => {
    const stage = stageWith(MAY, 'mkdir -p docs src; echo a > docs/plan.md; echo a > src/a.ts')
    const { exitCode, stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringContaining('\n  plan: it changed files that the step may not change: src/a.ts\n'),
    })
  })
})

describe('between two steps', () => {
  const ASKS = TWO.replace('\n      - { id: build', '\n      - person: Is the plan right?\n      - { id: build')

  it('a person says yes; without one it waits, and goes on later', async () => {
    const stage = stageWith(ASKS, BOTH)
    const waiting = await stage.say('--workflow', 'w', REQUEST)
    expect(waiting).toMatchObject({ exitCode: 3, stdout: expect.stringMatching(/\nWAITING {2}workflow w /) })
    expect(waiting.stdout).toContain(
      '  person: a person must answer: Is the plan right?\nNext  signalbox orchestrate --resume ',
    )
    expect((await stage.say('--resume')).exitCode).toBe(3)
    const no = await stage.answering('no').say('--resume')
    expect(no).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('a person said no: Is the plan right?') })
    expect((await stage.answering('y').say('--resume', runIn(stage).id)).exitCode).toBe(0)
    expect(ran(stage)).toEqual(['plan', 'build'])
    expect((await stage.say('--resume')).stderr).toContain('there is no workflow run to resume here')
    const said = stage.records().filter(({ name }) => name === 'workflow.person')
    expect(said.map(({ notes }) => notes[0])).toEqual([
      expect.stringMatching(/^[0-9a-f]{8} a person said no: Is the plan right\?$/),
      expect.stringMatching(/^[0-9a-f]{8} a person said yes: Is the plan right\?$/),
    ])
  })

  it('a gate must be open; while it is closed, the step before it runs again', async () => {
    const gate = `gates:
  planned:
    scope: project
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, action: write, path: docs/plan.md } }]`
    const stage = stageWith(
      TWO.replace('\n      - { id: build', '\n      - gate: planned\n      - { id: build'),
      BOTH,
      gate,
    )
    const closed = await stage.say('--workflow', 'w', REQUEST)
    expect(closed).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining('the gate `planned` is closed in this project'),
    })
    const hook = stage.hookLine('docs/plan.md')
    // the plan is good as it is: nothing has to be changed in it
    agent(stage, `[ $step = plan ] && ${hook}; [ $step = plan ] || { ${BOTH}; }`)
    expect(await stage.run(['--resume'])).toMatchObject({ exitCode: 0 })
    expect(ran(stage)).toEqual(['plan', 'plan', 'build'])
    expect(prompt(stage, 'plan')).toContain(
      'This step was done before, and that was not enough: the gate `planned` is closed in this project.',
    )
    expect(prompt(stage, 'build')).not.toContain('not enough')
  })
})

describe('a step that repeats', () => {
  const until = (text: string) => `
      - { id: fix, prompt: "STEP fix", repeat: { most: 3, until: ${text} } }`

  it('runs until a command succeeds, and hears why it has not', async () => {
    const stage = stageWith(
      until('{ run: "echo 2 tests fail; test -f c" }'),
      'if [ -f b ]; then : > c; elif [ -f a ]; then : > b; fi; : > a',
    )
    const { exitCode, stderr } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('▶ step 1 of 1: fix, round 3'),
    })
    expect(ran(stage)).toHaveLength(3)
    expect(prompt(stage, 'fix')).toContain(
      'This is round 3 of at most 3. The round before it was not enough: `echo 2 tests fail; test -f c` ended with exit code 1\n2 tests fail',
    )
  })

  it('or until a file says it, and fails after the last round', async () => {
    const stage = stageWith(until('{ file: review.md, says: APPROVED }'), 'echo "not yet" >> review.md')
    const { exitCode, stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('  fix: review.md does not contain "APPROVED" (after 3 rounds)\n')
    agent(stage, 'echo APPROVED > review.md')
    expect((await stage.say('--resume')).exitCode).toBe(0)
  })
})

describe('a workflow that was broken off', () => {
  /** The first step is done, the second one hangs: until it is there, then `play`. */
  async function broken(stage: Stage, play: (pid: number) => void) {
    agent(stage, BOTH.replace('build)', 'build) : > hangs; sleep 600;'))
    const ended = await whileAtWork(stage, play)
    rmSync(join(stage.project, 'hangs'))
    agent(stage, BOTH)
    return ended
  }

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'by %s goes on with the step it was at, and not with those that are done',
    async signal => {
      const stage = stageWith(TWO, '')
      const ended = await broken(stage, pid => process.kill(pid, signal))
      expect(ended.signal).toBe(signal)
      const { id, state, steps } = runIn(stage)
      expect({ state, steps: steps.map(one => one.state) }).toEqual(
        signal === 'SIGKILL'
          ? { state: 'running', steps: ['done', 'running'] }
          : { state: 'stopped', steps: ['done', 'stopped'] },
      )
      const word = signal === 'SIGKILL' ? 'interrupted' : 'stopped'
      expect((await stage.say('--history')).stdout).toMatch(new RegExp(`${id} ${word} workflow w 1/2 steps`))
      expect(await stage.run(['--resume'])).toMatchObject({ exitCode: 0 })
      expect(ran(stage)).toEqual(['plan', 'build', 'build'])
      expect(prompt(stage, 'build')).toContain('An earlier attempt at this step was interrupted.')
      expect(runIn(stage)).toMatchObject({ id, state: 'done' })
    },
    60_000,
  )

  /** The step is killed after this, and runs again without changing anything. */
  async function killed(script: string, before = (_: Stage) => {}) {
    const stage = stageWith('\n      - { id: plan, prompt: "STEP plan", artifacts: docs/plan.md, may: notes/ }', '')
    before(stage)
    agent(
      stage,
      `mkdir -p docs notes src; echo a > docs/plan.md; echo a > notes/a; ${script}\n: > notes/at-work; sleep 600`,
    )
    await whileAtWork(stage, pid => process.kill(pid, 'SIGKILL'), 'notes/at-work')
    agent(stage, 'echo b > docs/plan.md')
    return stage
  }
  const ADDS = 'echo a > src/a.ts'

  it.each([
    ['a new file', ADDS, 'src/a.ts'],
    ['a file of the project', 'echo a >> README.md', 'README.md'],
    ['what had changed before', 'echo a >> dirty', 'dirty'],
    ['by taking back a change', 'git checkout -q edited', 'edited'],
    ['and committed it', 'echo a > c; git add c; git -c user.name=a -c user.email=a@b commit -qm c', 'c'],
    ['by removing', 'rm dirty', 'dirty'],
  ])(
    'says what the killed agent changed that it may not: %s',
    async (_, script, file) => {
      const stage = await killed(script, ({ project, git }) => {
        writeFileSync(join(project, 'edited'), 'a\n')
        git('add', '-A')
        git('-c', 'user.name=dev', '-c', 'user.email=dev@example.org', 'commit', '-qm', 'edited')
        for (const name of ['dirty', 'edited']) writeFileSync(join(project, name), 'of a person\n')
      })
      const failed = await stage.say('--resume')
      expect(failed).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining(
          `\n  plan: files that the step may not change have changed since it began: ${file}\nNext  signalbox orchestrate --resume `,
        ),
      })
      expect(ran(stage)).toEqual(['plan'])
      expect(runIn(stage)).toMatchObject({ state: 'failed', steps: [{ state: 'failed' }] })
      // a person has read it
      expect(await stage.say('--resume')).toMatchObject({ exitCode: 0 })
    },
    60_000,
  )

  it('says so too if the policy has changed since, and nothing of what the agent may change', async () => {
    const stage = await killed(ADDS)
    const policy = join(stage.home, 'signalbox.yaml')
    writeFileSync(policy, readFileSync(policy, 'utf8').replace('STEP plan', 'now STEP plan'))
    expect((await stage.say('--resume')).stdout).toContain('have changed since it began: src/a.ts\n')
    const allowed = await killed('')
    expect(await allowed.say('--resume')).toMatchObject({ exitCode: 0 })
    expect(JSON.stringify(runIn(allowed))).not.toContain('"scope"')
  }, 60_000)

  it('for want of quota goes on when there is some', async () => {
    const stage = stageWith(TWO, BOTH)
    agent(
      stage,
      BOTH,
      `[ $step = plan ] && cat '${OK}' || cat '${join(CAPTURES, 'claude-429.jsonl')}'; [ $step = plan ] || sleep 60`,
    )
    const { exitCode, stdout } = await stage.say('--workflow', 'w', REQUEST)
    expect({ exitCode, stdout }).toEqual({
      exitCode: 1,
      stdout: expect.stringMatching(
        /\nSTOPPED {2}workflow w [\s\S]*\n {2}build: Claude Code has no quota left \(rate_limit, status 429\)\nNext /,
      ),
    })
    agent(stage, BOTH)
    expect((await stage.say('--resume')).exitCode).toBe(0)
    expect(ran(stage)).toEqual(['plan', 'build', 'build'])
  })

  it('keeps the round it was in', async () => {
    const stage = stageWith(
      `\n      - { id: fix, prompt: "STEP fix in round {round}: {failure}", repeat: { most: 5, until: { run: test -f done } } }`,
      'true',
    )
    agent(
      stage,
      '',
      `[ "$(wc -l < '${stage.folder}/ran')" -lt 3 ] && cat '${OK}' || { cat '${join(CAPTURES, 'claude-429.jsonl')}'; sleep 60; }`,
    )
    expect((await stage.say('--workflow', 'w', REQUEST)).exitCode).toBe(1)
    expect(runIn(stage).steps[0]).toMatchObject({ round: 3, state: 'stopped' })
    agent(stage, ': > done')
    expect((await stage.say('--resume')).exitCode).toBe(0)
    expect(prompt(stage, 'fix')).toContain('STEP fix in round 3: `test -f done` ended with exit code 1')
  })

  it('says which artifacts have changed since, and makes those that are gone again', async () => {
    const stage = stageWith(`${TWO}\n      - person: Go on?`, BOTH)
    expect((await stage.say('--workflow', 'w', REQUEST)).exitCode).toBe(3)
    writeFileSync(join(stage.project, 'docs/plan.md'), 'a better plan\n')
    const changed = await stage.say('--resume')
    expect(changed.stderr).toContain('docs/plan.md has changed since step `plan` wrote it\n')
    expect(ran(stage)).toEqual(['plan', 'build'])
    rmSync(join(stage.project, 'src/a.ts'))
    const gone = await stage.say('--resume')
    expect(gone.stderr).toContain('src/a.ts from step `build` no longer exists; the step runs again\n')
    expect(ran(stage)).toEqual(['plan', 'build', 'build'])
  })

  it('asks for no change of what an earlier attempt has left', async () => {
    const stage = stageWith(`${TWO}\n      - person: Go on?`, BOTH)
    expect((await stage.say('--workflow', 'w', REQUEST)).exitCode).toBe(3)
    rmSync(join(stage.project, 'docs/plan.md'))
    // the first step fails, and the second one is forgotten with it
    agent(stage, 'exit 3')
    expect((await stage.say('--resume')).exitCode).toBe(1)
    agent(stage, BOTH)
    expect(await stage.say('--resume')).toMatchObject({ exitCode: 3 })
    expect(ran(stage)).toEqual(['plan', 'build', 'plan', 'plan', 'build'])
    expect(runIn(stage).steps.map(one => one.state)).toEqual(['done', 'done', 'waiting'])
  })

  it('asks for no change either where the step has failed for another reason', async () => {
    const steps =
      '\n      - { id: plan, prompt: "STEP plan", artifacts: docs/plan.md, repeat: { most: 1, until: { run: test -f ok } } }'
    const stage = stageWith(steps, BOTH)
    expect((await stage.say('--workflow', 'w', REQUEST)).exitCode).toBe(1)
    agent(stage, ': > ok')
    expect(await stage.say('--resume')).toMatchObject({ exitCode: 0 })
  })

  it('goes on from the first step that the policy defines otherwise now', async () => {
    const stage = stageWith(`${TWO}\n      - person: Go on?`, BOTH)
    await stage.say('--workflow', 'w', REQUEST)
    const policy = join(stage.home, 'signalbox.yaml')
    writeFileSync(policy, readFileSync(policy, 'utf8').replace('STEP build', 'now STEP build'))
    agent(stage, `${BOTH}; echo $$ >> src/a.ts`)
    const { stderr } = await stage.say('--resume')
    expect(stderr).toContain('the policy has changed at `build`; the workflow continues from there\n')
    expect(ran(stage)).toEqual(['plan', 'build', 'build'])
  })
})

it('the same workflow does not run twice at once in a project', async () => {
  const stage = stageWith(TWO, '')
  agent(stage, ': > hangs; sleep 600')
  const first = await whileAtWork(stage, async pid => {
    for (const args of [['--workflow', 'w', REQUEST], ['--resume']])
      expect(await stage.say(...args)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('the workflow `w` is already running in this project'),
      })
    process.kill(pid, 'SIGINT')
  })
  expect(first.signal).toBe('SIGINT')
  expect(ran(stage)).toEqual(['plan'])
}, 60_000)

it('a slash command of its name runs it, and so does a command of the policy that names it', async () => {
  const stage = stageWith(TWO, BOTH, 'settings: { orchestrator: { commands: { ship: { workflow: w } } } }')
  expect(await stage.say(`/w ${REQUEST}`)).toMatchObject({ exitCode: 0 })
  rmSync(join(stage.project, 'docs'), { recursive: true })
  rmSync(join(stage.project, 'src'), { recursive: true })
  expect(await stage.say(`/ship ${REQUEST}`)).toMatchObject({ exitCode: 0 })
  expect(ran(stage)).toEqual(['plan', 'build', 'plan', 'build'])
  expect((await stage.say('/w')).stderr).toContain('the task is empty; write what `/w` should do')
})

it('what cannot be run is refused in one line', async () => {
  const stage = stageWith(TWO, BOTH)
  writeFileSync(join(stage.project, 'signalbox.yaml'), 'workflows: { own: { steps: [{ id: a, prompt: x }] } }\n')
  for (const [args, why] of [
    [['--workflow', 'x', REQUEST], 'there is no workflow `x`; there are w; `signalbox trust` is needed for own'],
    [['--workflow', 'own', REQUEST], "the project's workflow `own` is not trusted yet: run `signalbox trust`"],
    [['--workflow', 'w'], 'the task is empty'],
    [['--workflow', 'w', '--parallel', 'a', 'b'], '`--parallel` cannot be combined with `--workflow`'],
    [['--resume'], 'there is no workflow run to resume here'],
    [['--resume', '12345678'], 'there is no workflow run `12345678` here'],
    [['--resume', 'w'], '`w` is not the id of a workflow run'],
  ] as const)
    expect(await stage.say(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) })
  expect(ran(stage)).toEqual([])
})

it('a secret in the request reaches the agent, and is kept nowhere', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const stage = stageWith(`${TWO}\n      - person: Go on?`, BOTH)
  await stage.say('--workflow', 'w', `use ${secret} for it`)
  expect(prompt(stage, 'plan')).toContain(secret)
  expect(JSON.stringify(runIn(stage))).not.toContain(secret)
  expect((await stage.say('--resume')).stderr).toContain('the request contained a secret, which was not stored')
  expect((await stage.answering('y').say('--resume', runIn(stage).id, `use ${secret} for it`)).exitCode).toBe(0)
})
