import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Stage, withStage } from '../support/in-process-command.ts'

const FILE = '~/.claude/settings.json'
const init = ['init', '--yes', '--client', 'claude-code']
/** Agents with a file each and the same events: three texts are tried with one run of the command. */
const THREE = [
  ['claude-code', FILE],
  ['codex-cli', '~/.codex/hooks.json'],
  ['qwen-code', '~/.qwen/settings.json'],
] as const
const initThree = ['init', '--yes', ...THREE.flatMap(([id]) => ['--client', id])]

const inThrees = <T>(all: readonly T[]): readonly (readonly T[])[] =>
  all.flatMap((_, at) => (at % THREE.length === 0 ? [all.slice(at, at + THREE.length)] : []))
const isRoot = process.getuid?.() === 0

/** In, twice, and out again: the second time changes nothing, and in the end nothing has changed. */
async function thereAndBack(stage: Stage, file = FILE): Promise<void> {
  const before = stage.everything()
  expect(await stage.run(init), stage.said).toBe(0)
  expect(readFileSync(stage.at(file), 'utf8')).toContain('hook --client claude-code')
  const after = stage.everything()
  expect(await stage.run(init)).toBe(0)
  expect(stage.said).toContain('Nothing to change.')
  expect(stage.everything()).toEqual(after)
  expect(await stage.run(['uninstall', '--yes']), stage.said).toBe(0)
  expect(stage.everything()).toEqual(before)
}

/** One line says which file, where in it and why; it keeps every byte; the rest of `init` is done, and taken back. */
async function leftAlone(stage: Stage, why: RegExp): Promise<void> {
  const before = stage.everything()
  expect(await stage.run(init)).toBe(1)
  expect(stage.said.replace(/\s+/g, ' ')).toMatch(why)
  const label = `/home/${FILE.slice(2)}`
  expect(stage.everything()[label]).toEqual(before[label])
  await stage.run(['uninstall', '--yes'])
  expect(stage.everything()).toEqual(before)
}

describe('settings that people keep are edited, and come back to the byte', () => {
  const OWN = '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }'
  const TEXTS: Readonly<Record<string, string | Buffer>> = {
    'an empty file': '',
    'only blanks': ' \n\t\n',
    'an empty table': '{}',
    'no line end at the end': '{\n  "a": 1\n}',
    CRLF: `{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"PreToolUse": [\r\n\t\t\t${OWN}\r\n\t\t]\r\n\t}\r\n}\r\n`,
    'both line ends': '{\r\n  "a": 1,\n  "b": 2\r\n}\n',
    'all in one line': `{"hooks":{"PreToolUse":[${OWN}]},"a":1}`,
    'words like ours in other places':
      '{ "note": "signalbox hook --client claude-code", "env": { "hook": "signalbox" } }\n',
    'odd characters': '{ "a": "\\u0000 \\ud83d \\" // no comment", "ü": "😀\u2028" }\n',
    deep: `{ "a": ${'['.repeat(90)}${']'.repeat(90)} }\n`,
    'numbers that no program keeps': '{ "a": 1e400, "b": 12345678901234567890, "c": -0.0 }\n',
  }
  it.each(inThrees(Object.keys(TEXTS)).map(names => [names.join(' · '), names] as const))('%s', (_, names) =>
    withStage(async stage => {
      const files = names.flatMap(
        (name, nth) => stage.put(THREE[nth]?.[1] ?? '', TEXTS[name] ?? '') && (THREE[nth] ?? []),
      )
      const before = stage.everything()
      expect(await stage.run(initThree), stage.said).toBe(0)
      for (const [id, file] of THREE.slice(0, files.length / 2))
        expect(stage.text(file)).toContain(`hook --client ${id}`)
      const after = stage.everything()
      expect(await stage.run(initThree)).toBe(0)
      expect(stage.said).toContain('Nothing to change.')
      expect(stage.everything()).toEqual(after)
      expect(await stage.run(['uninstall', '--yes']), stage.said).toBe(0)
      expect(stage.everything()).toEqual(before)
    }),
  )

  const KEPT: readonly [client: string, file: string, text: string][] = [
    [
      'gemini-cli',
      '~/.gemini/settings.json',
      `// first\n{\n  /* a */ "a": /* b */ 1, // c\n  // d\n  "hooks": { // e\n    "BeforeTool": [ // f\n      ${OWN} // g\n      // h\n    ] /* i */\n  } // j\n}\n// last\n`,
    ],
    ['qwen-code', '~/.qwen/settings.json', `\ufeff{ // mine\n  "hooks": { "Stop": [] } }\n`],
    ['claude-code', FILE, `\ufeff{ "hooks": { "Stop": [] } }\n`],
    ['cursor', '~/.cursor/hooks.json', `{ "version": 1, "hooks": { "stop": [], }, "a": [1, 2, ], } // why\n`],
  ]
  it('comments, trailing commas and a byte order mark, where the agent takes them', () =>
    withStage(async stage => {
      for (const [, file, text] of KEPT) stage.put(file, text)
      const all = ['init', '--yes', ...KEPT.flatMap(([id]) => ['--client', id])]
      const before = stage.everything()
      expect(await stage.run(all), stage.said).toBe(0)
      for (const [id, file] of KEPT) expect(stage.text(file)).toContain(`hook --client ${id}`)
      expect(stage.text('~/.gemini/settings.json')).toMatch(/^\/\/ first[\s\S]*\/\/ last\n$/)
      expect(await stage.run(['uninstall', '--yes']), stage.said).toBe(0)
      expect(stage.everything()).toEqual(before)
    }))

  it('5 MB', () =>
    withStage(async stage => {
      const big = { filler: Array.from({ length: 100_000 }, (_, nth) => `line ${nth} ${'x'.repeat(40)}`), hooks: {} }
      stage.put(FILE, big)
      expect(statSync(stage.at(FILE)).size).toBeGreaterThan(5_000_000)
      await thereAndBack(stage)
    }))

  it('its mode', () =>
    withStage(async stage => {
      stage.put(FILE, '{}\n')
      chmodSync(stage.at(FILE), 0o600)
      await thereAndBack(stage)
      expect(statSync(stage.at(FILE)).mode & 0o777).toBe(0o600)
    }))

  it.runIf(isRoot)('its owner', () =>
    withStage(async stage => {
      stage.put(FILE, '{}\n')
      chownSync(stage.at(FILE), 1234, 2345)
      await stage.run(init)
      const { uid, gid } = statSync(stage.at(FILE))
      await stage.run(['uninstall', '--yes'])
      const back = statSync(stage.at(FILE))
      expect([uid, gid, back.uid, back.gid]).toEqual([1234, 2345, 1234, 2345])
    }),
  )
})

describe('through links', () => {
  const real = 'dotfiles/claude.json'
  it('a file that is one', () =>
    withStage(async stage => {
      const target = stage.put(real, '{ "a": 1 }\n')
      mkdirSync(dirname(stage.at(FILE)), { recursive: true })
      symlinkSync(target, stage.at(FILE))
      await thereAndBack(stage, real)
    }))

  it('a link to a link, relative', () =>
    withStage(async stage => {
      stage.put('~/.claude/real.json', '{}\n')
      symlinkSync('real.json', stage.at('~/.claude/second.json'))
      symlinkSync('second.json', stage.at(FILE))
      await thereAndBack(stage, '~/.claude/real.json')
    }))

  it('a folder that is one', () =>
    withStage(async stage => {
      stage.put('dotfiles/claude/settings.json', '{}\n')
      symlinkSync(stage.at('dotfiles/claude'), stage.at('~/.claude'))
      await thereAndBack(stage, 'dotfiles/claude/settings.json')
    }))

  it('one that leads to no file yet', () =>
    withStage(async stage => {
      mkdirSync(dirname(stage.at(FILE)), { recursive: true })
      mkdirSync(dirname(stage.at(real)), { recursive: true })
      symlinkSync(stage.at(real), stage.at(FILE))
      await thereAndBack(stage, real)
    }))

  it('one that leads to itself', () =>
    withStage(async stage => {
      mkdirSync(dirname(stage.at(FILE)), { recursive: true })
      symlinkSync('settings.json', stage.at(FILE))
      await leftAlone(stage, /settings\.json is a link to a file that does not exist; the file was not changed/)
    }))
})

describe('what the agent itself would not load is left alone, with a word', () => {
  const REFUSED: readonly [client: string, file: string, text: string, why: RegExp][] = [
    [
      'claude-code',
      FILE,
      '{\n  "a": 1 // mine\n}\n',
      /settings\.json:2:10 has a comment, and Claude Code does not load such a file; the file was not changed: remove it and run this command again/,
    ],
    ['claude-code', FILE, '/* mine */ {}\n', /:1:1 has a comment/],
    ['claude-code', FILE, '{ "a": [1, ] }\n', /:1:10 has a trailing comma/],
    [
      'claude-code',
      FILE,
      '{ "permissions": { "allow": "Bash" } }',
      /:1:29 has `permissions\.allow` that is no list, and Claude Code .* fix it/,
    ],
    ['claude-code', FILE, '{ "model": 5 }', /:1:12 has `model` that is no text/],
    [
      'claude-code',
      FILE,
      '{ "permissions": { "defaultMode": "nonsense" } }',
      /`permissions\.defaultMode` that is none of acceptEdits/,
    ],
    [
      'gemini-cli',
      '~/.gemini/settings.json',
      '{ "a": 1, }',
      /:1:9 has a trailing comma, and Gemini CLI does not load such a file/,
    ],
    ['gemini-cli', '~/.gemini/settings.json', '\ufeff{ "a": 1 }', /:1:1 has a byte order mark, and Gemini CLI/],
    ['qwen-code', '~/.qwen/settings.json', '{ "a": 1, }', /:1:9 has a trailing comma, and Qwen Code/],
    ['codex-cli', '~/.codex/hooks.json', '{} // mine', /:1:4 has a comment, and Codex CLI/],
    [
      'copilot-cli',
      '~/.copilot/hooks/signalbox.json',
      '{ "version": 1, }',
      /:1:15 has a trailing comma, and Copilot CLI/,
    ],
  ]
  it.each(REFUSED)('%s %s %s', (client, file, text, why) =>
    withStage(async stage => {
      stage.put(file, text)
      expect(await stage.run(['init', '--yes', '--client', client, '--client', 'cursor'], { width: 1000 })).toBe(1)
      expect(stage.said).toMatch(why)
      expect(stage.text(file)).toBe(text)
      // the others go on
      expect(stage.text('~/.cursor/hooks.json')).toContain('hook --client cursor')
      expect(stage.said).toMatch(/NOT ENFORCING/)
      expect(stage.said).not.toMatch(/ {2}ENFORCING/)
    }),
  )

  it('one that came to be so later, or for a hook of somebody else, is not enforcing either', () =>
    withStage(async stage => {
      stage.put(FILE, { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt' }] }] } })
      expect(await stage.run(init, { width: 1000 })).toBe(1)
      expect(stage.said).toMatch(
        /does not load that file: line \d+: a hook of `PreToolUse` has no `prompt` +NOT ENFORCING/,
      )
      stage.put(FILE, {})
      expect(await stage.run(init)).toBe(0)
      stage.put(FILE, stage.text(FILE).replace('{', '{ // since'))
      expect(await stage.run(init)).toBe(1)
      expect(await stage.run(['status'], { width: 1000 })).toBe(1)
      expect(stage.said).toMatch(/Claude Code {2}BROKEN .*settings\.json:1 is not loaded: column 3: has a comment/)
      expect(await stage.run(['uninstall', '--yes']), stage.said).toBe(0)
      expect(stage.text(FILE)).not.toContain('hook --client')
    }))
})

describe('what cannot be edited is left alone, with a word', () => {
  const TEXTS: readonly [name: string, content: string | Buffer, why: RegExp][] = [
    ['cut off', '{\n  "hooks": {\n', /:3:1 is not valid JSON: .*; the file was not changed: fix it/],
    ['single quotes', "{ 'a': 1 }", /:1:3 is not valid JSON: a key in double quotes is missing/],
    ['a comma too few', '{ "a": 1\n  "b": 2 }', /:2:3 is not valid JSON: `,` or `}` is missing/],
    ['a comma too many', '{ "a": 1,, }', /:1:10 is not valid JSON/],
    ['text behind it', '{} {}', /:1:4 is not valid JSON: text after the end/],
    ['a comment that does not end', '{ "a": 1 } /* x', /:1:12 is not valid JSON/],
    ['a list', '[]', /has no object at the top level;/],
    ['a text', '"x"', /the file was not changed/],
    ['null', 'null', /the file was not changed/],
    ['a key twice', '{ "hooks": {}, "hooks": {} }', /has `hooks` twice/],
    ['an event twice', '{ "hooks": { "Stop": [], "Stop": [] } }', /has `hooks\.Stop` twice/],
    ['hooks that are a list', '{ "hooks": [] }', /no object at `hooks`/],
    ['hooks that are null', '{ "hooks": null }', /no object at `hooks`/],
    ['hooks that are a text', '{ "hooks": "x" }', /no object at `hooks`/],
    ['an event that is a table', '{ "hooks": { "PreToolUse": {} } }', /no list at `hooks\.PreToolUse`/],
    ['bytes that are no text', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /is not UTF-8/],
    ['UTF-16', Buffer.from('\ufeff{ "a": 1 }', 'utf16le'), /the file was not changed/],
    ['too deep', `{ "a": ${'['.repeat(300)}${']'.repeat(300)} }`, /too deep/],
    ['9 MB', `{ "a": "${'x'.repeat(9_000_000)}" }`, /larger than 8 MB/],
  ]
  it.each(inThrees(TEXTS).map(all => [all.map(([name]) => name).join(' · '), all] as const))('%s', (_, all) =>
    withStage(async stage => {
      for (const [nth, [, content]] of all.entries()) stage.put(THREE[nth]?.[1] ?? '', content)
      const before = stage.everything()
      expect(await stage.run(initThree, { width: 1000 })).toBe(1)
      const told = stage.said.split('\n')
      for (const [nth, [name, , why]] of all.entries()) {
        const file = THREE[nth]?.[1] ?? ''
        expect(
          told.find(line => line.startsWith(`signalbox: ${file}`)),
          name,
        ).toMatch(why)
        expect(stage.everything()[`/home/${file.slice(2)}`]).toBe(before[`/home/${file.slice(2)}`])
      }
      await stage.run(['uninstall', '--yes'])
      expect(stage.everything()).toEqual(before)
    }),
  )

  it('a folder in its place', () =>
    withStage(async stage => {
      mkdirSync(stage.at(FILE), { recursive: true })
      await leftAlone(stage, /is not a file; the file was not changed/)
    }))

  it('a pipe in its place does not hold anybody up', () =>
    withStage(async stage => {
      mkdirSync(dirname(stage.at(FILE)), { recursive: true })
      execFileSync('mkfifo', [stage.at(FILE)])
      expect(await stage.run(init)).toBe(1)
      expect(stage.said).toMatch(/is not a file; the file was not changed/)
    }))

  it('a file that may not be written', () =>
    withStage(async stage => {
      stage.put(FILE, '{}\n')
      chmodSync(stage.at(FILE), 0o444)
      await leftAlone(stage, /is read-only; the file was not changed: chmod u\+w/)
    }))

  it('a folder that may not be written', () =>
    withStage(async stage => {
      stage.put(FILE, '{}\n')
      chmodSync(dirname(stage.at(FILE)), 0o555)
      const before = stage.everything()
      // nobody forbids root anything
      expect(await stage.run(init)).toBe(isRoot ? 0 : 2)
      if (!isRoot) expect(stage.everything()).toEqual(before)
      await stage.run(['uninstall', '--yes'])
      expect(stage.everything()).toEqual(before)
      chmodSync(dirname(stage.at(FILE)), 0o755)
    }))

  it('the other agents are served all the same', () =>
    withStage(async stage => {
      stage.put(FILE, '{ "hooks": ')
      stage.put('~/.gemini/settings.json', '{}\n')
      const before = stage.everything()
      expect(await stage.run([...init, '--client', 'gemini-cli'])).toBe(1)
      expect(stage.text(FILE)).toBe('{ "hooks": ')
      expect(stage.text('~/.gemini/settings.json')).toContain('hook --client gemini-cli')
      await stage.run(['uninstall', '--yes'])
      expect(stage.everything()).toEqual(before)
    }))

  it('settings that broke after `init` are not made worse by `uninstall`', () =>
    withStage(async stage => {
      stage.put(FILE, '{}\n')
      await stage.run(init)
      const broken = stage.text(FILE).slice(0, -5)
      writeFileSync(stage.at(FILE), broken)
      expect(await stage.run(['uninstall', '--yes'])).toBe(1)
      expect(stage.said).toMatch(/:\d+:\d+ is not valid JSON/)
      expect(stage.text(FILE)).toBe(broken)
      expect(join(stage.home, '.claude')).toBeTruthy()
    }))
})
