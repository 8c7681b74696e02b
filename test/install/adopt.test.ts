import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findReplacement } from '../../src/app/install/import-hooks/pack-replacements.ts'
import { adopted, policyOf } from './adopting.ts'

const group = (handler: object, more: object = {}) => ({ ...more, hooks: [{ type: 'command', ...handler }] })
const on = (event: string, ...items: object[]) => ({ hooks: { [event]: items } })
/** what is taken, in one line each; what stays, and why */
const fateOf = (client: string, settings: object) => {
  const { taken, remaining } = adopted(client, settings)
  return [...taken.map(({ hook }) => hook), ...remaining.map(({ why }) => why)]
}

describe('what is taken over, and as what', () => {
  const CASES: readonly [client: string, name: string, settings: object, expected: object][] = [
    [
      'claude-code',
      'names in a list, an old name among them',
      on('PreToolUse', group({ command: 'x', timeout: 5 }, { matcher: 'Edit|Write, Task' })),
      { event: 'tool.before', called: 'PreToolUse', matcher: ['Edit', 'Write', 'Task', 'Agent'], timeoutMs: 5000 },
    ],
    [
      'claude-code',
      'a regex is found anywhere',
      on('PostToolUse', group({ command: 'x' }, { matcher: 'Notebook.*' })),
      { event: 'tool.after', called: 'PostToolUse', matcher: [{ regex: 'Notebook.*' }], timeoutMs: 600_000 },
    ],
    [
      'claude-code',
      'a regex that finds an old name',
      on('PreToolUse', group({ command: 'x' }, { matcher: '^(Task|mcp__.*)$' })),
      { matcher: [{ regex: '^(Task|mcp__.*)$' }, 'Agent'] },
    ],
    [
      'claude-code',
      'its own time for a prompt, whose matcher is not looked at',
      on('UserPromptSubmit', group({ command: 'x' }, { matcher: 'anything' })),
      { event: 'prompt.submit', timeoutMs: 30_000 },
    ],
    [
      'claude-code',
      'a failure that refuses',
      on('PreToolUse', group({ command: 'x', onFailure: 'block' }, { matcher: '*' })),
      { onError: 'closed' },
    ],
    ['claude-code', 'what is switched off', on('Stop', group({ command: 'x', async: false })), { event: 'turn.stop' }],
    [
      'codex-cli',
      'a patch is a write and an edit',
      on('PreToolUse', group({ command: 'x' }, { matcher: 'Write|Agent' })),
      { matcher: ['Write', 'Agent', 'apply_patch', 'spawn_agent'], timeoutMs: 600_000 },
    ],
    [
      'codex-cli',
      'a regex too',
      on('PostToolUse', group({ command: 'x' }, { matcher: '^Edit$' })),
      { matcher: [{ regex: '^Edit$' }, 'apply_patch'] },
    ],
    ['codex-cli', 'the end of a session', on('SessionEnd', group({ command: 'x' })), { timeoutMs: 1000 }],
    [
      'gemini-cli',
      'milliseconds, a regex, and a folder that is one word',
      on(
        'BeforeTool',
        group({ name: 'n', command: '$GEMINI_PROJECT_DIR/h.sh', timeout: 7000 }, { matcher: 'write_file|replace' }),
      ),
      { run: '"$GEMINI_PROJECT_DIR"/h.sh', matcher: [{ regex: 'write_file|replace' }], timeoutMs: 7000 },
    ],
    [
      'gemini-cli',
      'what only bash reads so',
      on('AfterAgent', group({ command: "[[ -f 'a b' ]] && x" })),
      { run: "bash -c '[[ -f '\\''a b'\\'' ]] && x'", event: 'turn.stop', timeoutMs: 60_000 },
    ],
    [
      'qwen-code',
      'seconds below a thousand',
      on('PreToolUse', group({ command: 'x', timeout: 20 }, { matcher: 'edit|mcp__GitHub__.*' })),
      { matcher: [{ regex: 'edit|mcp__GitHub__.*' }, 'edit'], timeoutMs: 20_000 },
    ],
    [
      'qwen-code',
      'and milliseconds from there',
      on('Stop', group({ command: 'x', timeout: 1500 })),
      { timeoutMs: 1500 },
    ],
    [
      'copilot-cli',
      'the whole name',
      on('preToolUse', { type: 'command', bash: 'x', timeoutSec: 9, matcher: 'str_.*' }),
      { run: 'x', matcher: [{ regex: '^(?:str_.*)$' }], timeoutMs: 9000 },
    ],
    [
      'cursor',
      'a list without groups',
      on('preToolUse', { command: './h.sh', matcher: 'Shell|Write', failClosed: true }),
      { run: './h.sh', matcher: [{ regex: 'Shell|Write' }], timeoutMs: 60_000, onError: 'closed' },
    ],
    ['cursor', 'the end of a turn', on('stop', { command: './h.sh', timeout: 3 }), { called: 'stop', timeoutMs: 3000 }],
  ]
  it.each(CASES)('%s: %s', (client, _, settings, expected) => {
    expect(fateOf(client, settings)).toEqual([expect.objectContaining({ client, ...expected })])
  })
})

describe('what stays, and why', () => {
  const CASES: readonly [client: string, settings: object, why: RegExp][] = [
    ['claude-code', on('PreToolUse', group({ command: 'x', async: true })), /cannot express `async`/],
    ['claude-code', on('PreToolUse', group({ command: 'x', if: 'Bash(git *)' })), /cannot express `if`/],
    ['claude-code', on('PreToolUse', group({ command: 'x', statusMessage: 'wait' })), /`statusMessage`/],
    ['claude-code', on('PreToolUse', group({ command: 'x', args: ['y'] })), /`args`/],
    [
      'claude-code',
      on('PreToolUse', group({ command: 'x', asyncRewake: true, shell: 'powershell' })),
      /`asyncRewake`, `shell`/,
    ],
    ['claude-code', on('PreToolUse', { hooks: [{ type: 'prompt', prompt: 'ok?' }] }), /of the type `prompt`/],
    ['claude-code', on('PreToolUse', { hooks: [{ type: 'agent', prompt: 'ok?' }] }), /of the type `agent`/],
    ['claude-code', on('PreToolUse', { hooks: [{ type: 'http', url: 'http://127.0.0.1' }] }), /of the type `http`/],
    ['claude-code', on('PreToolUse', group({ command: 'x' }, { novel: 1 })), /`novel`/],
    ['claude-code', on('PreToolUse', group({ command: 'x' }, { matcher: '(?=Edit)' })), /its matcher/],
    ['claude-code', on('PreToolUse', group({ command: 'x' }, { matcher: 'Edit(' })), /not a valid regex/],
    [
      'claude-code',
      on('SessionStart', group({ command: 'x' }, { matcher: 'startup' })),
      /the matcher `startup` of SessionStart/,
    ],
    ['claude-code', on('WorktreeCreate', group({ command: 'x' })), /not called for WorktreeCreate/],
    ['claude-code', on('Stop', group({ command: 'x', onFailure: 'block' })), /`onFailure` on Stop/],
    ['claude-code', on('Stop', group({ command: ' ' })), /has no command/],
    ['claude-code', { disableAllHooks: true, ...on('Stop', group({ command: 'x' })) }, /`disableAllHooks` is on/],
    ['codex-cli', on('SessionEnd', group({ command: 'x', timeout: 3 })), /more than 1 s/],
    ['codex-cli', on('Stop', group({ command: 'a && b' })), /put the command into a script/],
    ['gemini-cli', on('BeforeTool', group({ command: 'x' }, { sequential: true })), /`sequential`/],
    ['gemini-cli', on('BeforeTool', group({ command: 'x', env: { A: '1' } })), /`env`/],
    ['gemini-cli', on('BeforeTool', group({ command: "echo '$GEMINI_CWD'" })), /single quotes/],
    ['gemini-cli', on('BeforeModel', group({ command: 'x' })), /not called for BeforeModel/],
    [
      'gemini-cli',
      { hooksConfig: { disabled: ['n'] }, ...on('AfterAgent', group({ command: 'x' })) },
      /switches some off/,
    ],
    ['qwen-code', on('PreToolUse', group({ command: 'x' }, { matcher: 'WriteFile' })), /another name of a tool/],
    ['copilot-cli', on('PreToolUse', { type: 'command', bash: 'x' }), /not called for PreToolUse/],
    ['copilot-cli', on('preToolUse', { type: 'command', powershell: 'x' }), /no command for this operating system/],
    ['copilot-cli', on('preToolUse', { type: 'command', bash: 'x', cwd: '/' }), /`cwd`/],
    ['cursor', on('beforeShellExecution', { command: 'x' }), /not called for beforeShellExecution/],
    ['cursor', on('stop', { command: 'x', loop_limit: 3 }), /`loop_limit`/],
  ]
  it.each(CASES)('%s %j', (client, settings, why) => {
    const { taken, remaining, text } = adopted(client, settings)
    expect({ taken, text }).toEqual({ taken: [], text: JSON.stringify(settings, null, 2) })
    expect(remaining.map(one => one.why)).toEqual([expect.stringMatching(why)])
  })

  it('hooks that run in turn', () => {
    const item = (bash: string) => ({ type: 'command', bash })
    const { remaining } = adopted('copilot-cli', on('preToolUse', item('a'), item('b')))
    expect(remaining.map(({ what, why }) => [what, why])).toEqual([
      ['a', expect.stringContaining('run one after another')],
      ['b', expect.stringContaining('run one after another')],
    ])
  })

  it('our own entry is not a hook of the person', () => {
    const own = group({ command: "'/x y/signalbox' hook --client claude-code" })
    expect(adopted('claude-code', on('Stop', own))).toMatchObject({ taken: [], remaining: [] })
  })
})

describe('what is left behind', () => {
  const SETTINGS = `\ufeff{
  // mine
  "model": "x", /* kept */
  "hooks": {
    "PreToolUse": [
      // guards the database
      { "matcher": "Bash", "hooks": [
        { "type": "command", "command": "a" }, // first
        { "type": "command", "command": "b", "async": true },
      ] },
      { "hooks": [{ "type": "command", "command": "c" }] }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "d" }] }],
  },
}
`
  it('everything else, to the letter', () => {
    const { text, taken, remaining } = adopted('claude-code', SETTINGS)
    expect(taken.map(({ hook }) => hook.run)).toEqual(['a', 'c', 'd'])
    expect(remaining).toEqual([{ event: 'PreToolUse', what: 'b', why: 'a policy cannot express `async`' }])
    expect(text).toMatchInlineSnapshot(`
      "﻿{
        // mine
        "model": "x", /* kept */
        "hooks": {
          "PreToolUse": [
            // guards the database
            { "matcher": "Bash", "hooks": [ // first
              { "type": "command", "command": "b", "async": true },
            ] }
          ],
        },
      }
      "
    `)
  })

  it('a comment that went away goes along', () => {
    const text = `{ "hooks": { "Stop": [\n  /* say\n   * goodbye */\n  { "hooks": [{ "type": "command", "command": "d" }] } ] } }`
    expect(policyOf(adopted('claude-code', text))).toMatchInlineSnapshot(`
      "hooks:
        # moved here from settings.json by \`signalbox init --adopt\`
        # say
        # goodbye
        - client: claude-code
          event: turn.stop
          called: Stop
          run: d
          timeoutMs: 600000
      "
    `)
  })
})

describe('into the policy', () => {
  const adoption = adopted('claude-code', on('Stop', group({ command: 'say "done" && x: # y' })))
  const hook = {
    client: 'claude-code',
    event: 'turn.stop',
    called: 'Stop',
    run: 'say "done" && x: # y',
    timeoutMs: 600_000,
  }
  const first = { event: 'turn.stop', run: 'mine' }
  const CASES: readonly [name: string, policy: string, before: readonly object[]][] = [
    ['none', '', []],
    ['only comments', '# mine\n', []],
    ['without hooks', 'use: [git]\n', []],
    ['without a last line end', 'use: [git]', []],
    ['with hooks', 'hooks:\n  - event: turn.stop\n    run: mine\n\n# rest\nuse: [git]\n', [first]],
    ['with hooks that are not indented', 'hooks:\n- event: turn.stop\n  run: mine\nuse: [git]\n', [first]],
    ['in one line', 'hooks: [ { event: turn.stop, run: mine } ] # mine\n', [first]],
    ['with an empty list', 'hooks: []\n', []],
    ['with nothing', 'hooks:\nuse: [git]\n', []],
    ['as a flow', '{ use: [git] }\n', []],
    ['with CRLF', 'use: [git]\r\nhooks:\r\n  - event: turn.stop\r\n    run: mine\r\n', [first]],
  ]
  it.each(CASES)('%s', (_, policy, before) => {
    const text = policyOf(adoption, policy)
    const { hooks, ...rest } = parse(text)
    expect(hooks).toEqual([...before, hook])
    expect(rest.use).toEqual(parse(policy)?.use)
    for (const comment of policy.match(/#.*/g) ?? []) expect(text).toContain(comment)
    if (policy.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n')
  })
})

describe('a command that stands there twice', () => {
  const twice = (client: string, event: string, ...items: object[]) => adopted(client, on(event, ...items))
  const hooks = (text: string) => parse(text).hooks

  it('is one hook of the policy where the agent runs it once; both are taken, to be put back', () => {
    const both = {
      hooks: [
        { type: 'command', command: 'x' },
        { type: 'command', command: 'x' },
      ],
    }
    for (const [client, event] of [
      ['claude-code', 'PreToolUse'],
      ['gemini-cli', 'BeforeTool'],
      ['qwen-code', 'PreToolUse'],
    ]) {
      const adoption = twice(client ?? '', event ?? '', both)
      expect(adoption.taken).toHaveLength(2)
      expect(hooks(policyOf(adoption))).toHaveLength(1)
    }
  })

  it('is two where the agent runs both: another name, another agent, other tools', () => {
    const named = (name: string) => group({ command: 'x', name })
    expect(hooks(policyOf(twice('gemini-cli', 'BeforeTool', named('a'), named('b'))))).toHaveLength(2)
    expect(
      hooks(policyOf(twice('codex-cli', 'PreToolUse', group({ command: 'x' }), group({ command: 'x' })))),
    ).toHaveLength(2)
    const apart = ['Bash', 'Edit'].map(matcher => group({ command: 'x' }, { matcher }))
    expect(hooks(policyOf(twice('claude-code', 'PreToolUse', ...apart)))).toHaveLength(2)
  })

  it('is one for the tools of both where some are the same', () => {
    const some = ['Bash|Edit', 'Edit|Read'].map(matcher => group({ command: 'x' }, { matcher }))
    expect(hooks(policyOf(twice('claude-code', 'PreToolUse', ...some)))).toMatchObject([
      { matcher: ['Bash', 'Edit', 'Read'] },
    ])
    const all = [group({ command: 'x' }, { matcher: 'Bash' }), group({ command: 'x' })]
    const [hook, ...more] = hooks(policyOf(twice('claude-code', 'PreToolUse', ...all)))
    expect([hook.matcher, more]).toEqual([undefined, []])
  })

  it('stays where only the agent knows which one counts', () => {
    const { taken, remaining } = twice(
      'claude-code',
      'PreToolUse',
      group({ command: 'x' }),
      group({ command: 'x', timeout: 5 }),
    )
    expect([taken, remaining.map(({ why }) => why)]).toEqual([
      [],
      Array(2).fill(expect.stringContaining('more than once')),
    ])
  })
})

describe('a relative path', () => {
  const fate = (command: string, whose: 'user' | 'project') =>
    adopted('claude-code', on('Stop', group({ command })), undefined, whose).remaining.map(({ why }) => why)
  it.each(['./bin/rel.sh', 'bin/rel.sh --x', 'sh ../a.sh', 'node scripts/a.mjs', '"./a b.sh"'])(
    'stays with the person: %s',
    command => {
      expect(fate(command, 'user')).toEqual([expect.stringContaining('relative')])
      expect(fate(command, 'project')).toEqual([])
    },
  )
  it.each(['/bin/a.sh', '~/a.sh', '"$HOME"/a.sh', 'jq -r .a/b', 'mine --type application/json'])(
    'is none: %s',
    command => expect(fate(command, 'user')).toEqual([]),
  )
})

describe('a line that a pack stands for', () => {
  const packs = [
    { pack: 'router', hooks: ['router-first-enforcer'], isInForce: true },
    { pack: 'routes', hooks: ['tool-routing'], isInForce: true },
  ]
  it.each([
    ['.claude/hooks/router-first-enforcer.mjs', 'router'],
    ['node .claude/hooks/router-first-enforcer.mjs', 'router'],
    ['node "$CLAUDE_PROJECT_DIR/.claude/hooks/router-first-enforcer.mjs"', 'router'],
    ['node "$CLAUDE_PROJECT_DIR"/.claude/hooks/Router_First_Enforcer.cjs --quiet', 'router'],
    ['/usr/bin/env node --no-warnings hooks/router-first-enforcer.mjs', undefined],
    ['node --no-warnings hooks/router-first-enforcer.mjs', 'router'],
    ['cd "$CLAUDE_PROJECT_DIR" && python3 hooks/router_first_enforcer.py 2>/dev/null || true', 'router'],
    ['DEBUG=1 ./router-first-enforcer', 'router'],
    ['uv run --project $CLAUDE_PLUGIN_ROOT tool-routing check', 'routes'],
    ['python3 -m tool_routing check', 'routes'],
    ['uv run --project tool-routing other', undefined],
    ['node main.mjs router-first-enforcer.mjs', undefined],
    ['bash run router-first-enforcer.sh', undefined],
    ['echo tool-routing', undefined],
    ['./router-first-enforcer.mjs && ./mine.sh', undefined],
    ['./mine.sh; ./router-first-enforcer.mjs', undefined],
    ['./router-first-enforcer.mjs | tee log', undefined],
    ['./router-first-enforcer.mjs $(./mine.sh)', undefined],
    ['cd "$(./mine.sh)" && ./router-first-enforcer.mjs', undefined],
    ['./router-first-enforcer.mjs\n./mine.sh', undefined],
    ['hooks/router-first-enforcer.mjs/mine.sh', undefined],
    ['hooks/my-router-first-enforcer.mjs', undefined],
    ['', undefined],
  ])('%s', (line, pack) => expect(findReplacement(line, packs)?.pack).toBe(pack))
})
