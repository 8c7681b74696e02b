import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { escapeControlChars } from '../../src/lib/escape-control-chars.ts'
import { cutMiddle, displayWidth } from '../../src/lib/text-width.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { Stage } from '../support/in-process-command.ts'
import { denied, write } from '../support/store/audit-records.ts'
import { AT, at, PAST } from './log-records.ts'

let stage: Stage
beforeEach(() => {
  stage = new Stage()
})
afterEach(() => stage.end())

const state = () => join(stage.home, '.local/state/signalbox')
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are no characters
const COLOUR = /\u001b\[\d+m/g

/** Without colours, the names of columns and the day above. */
async function log(args: readonly string[], width = 80): Promise<readonly string[]> {
  const code = await stage.run(['log', ...args], { width })
  expect(code).toBe(0)
  return stage.said
    .replace(COLOUR, '')
    .split('\n')
    .filter(line => line !== '' && !/^\d{4}-\d\d-\d\d$|^time {5}/.test(line))
}

function past(): void {
  mkdirSync(state(), { recursive: true })
  write(state(), PAST)
}

describe('signalbox log', () => {
  it('a call that moved gates by the way says which, also for who asks for one of them', async () => {
    mkdirSync(state(), { recursive: true })
    const moves = [
      { gate: 'project/tested', from: 'open' as const, to: 'closed' as const },
      { gate: 'project/planned', from: 'closed' as const, to: 'open' as const },
    ]
    const call = { client: 'claude-code', session: '4c1fa', tool: 'Write', acts: ['write PLAN.md'] }
    write(state(), [
      { ...at(0), ...call, moves },
      { ...at(1), ...call, event: 'prompt.submit', moves },
      { ...at(2), ...call },
    ])
    const told = (lines: readonly string[]) =>
      lines.map(line => line.replace(/^\S+ | {2,}\d+$/g, '').replace(/ +/g, ' '))
    const moved = [
      'pass claude 4c1f tested write PLAN.md (closes tested, opens planned)',
      'closes claude 4c1f tested write PLAN.md (opens planned)',
    ]
    expect(told(await log(['--gate', 'planned'], 120))).toEqual(moved)
  })

  it('tells what happened, the newest last, repeats in one line', async () => {
    past()
    const clock = (seconds: number) => new Date(AT + seconds * 1000).toTimeString().slice(0, 8)
    expect(await log([])).toEqual([
      `${clock(0)} pass   claude   4c1f -                npm test                        1`,
      `${clock(4)} DENY   claude   4c1f push-needs-tests git push origin main x3         5`,
      `${clock(5)} ERROR  gemini   9b02 -                gate no-secrets: no …ithin 2 s  6`,
      `${clock(6)} ASK    gemini   9b02 look             cat x; rm y                     7`,
      `${clock(7)} would  gemini   9b02 watching         ls                              8`,
      `${clock(8)} opens  gemini   9b02 push-needs-tests npm test                        9`,
    ])
  })

  it.each<[string, string[], number[]]>([
    ['deny and ask', ['--decision', 'deny,ask'], [3, 4, 5, 7]],
    ['what would have been stopped', ['--decision', 'would'], [8]],
    ['errors', ['--decision', 'error'], [6]],
    ['a gate by its name, also what moved it', ['--gate', 'push-needs-tests'], [3, 4, 5, 9]],
    ['a gate by its id', ['--gate', 'user/look'], [7]],
    ['a rule that only observes', ['--rule', 'w'], [8]],
    ['a client', ['--client', 'gemini'], [6, 7, 8, 9]],
    ['a session by how it begins', ['--session', '4c1'], [1, 3, 4, 5]],
    ['a tool', ['--tool', 'Edit'], [6]],
    ['subagents by their type', ['--subagent', 'Explore'], [7, 8]],
    ['a subagent by its id', ['--subagent', 'a2'], [8]],
    ['the main agent', ['--subagent', 'main', '--client', 'gemini'], [6, 9]],
    ['an event', ['--event', 'tool.after'], [9]],
    ['a text', ['--grep', 'RM Y'], [7]],
    ['from a time on', ['--since', new Date(AT + 6000).toISOString()], [7, 8, 9]],
    [
      'between two times',
      ['--since', new Date(AT + 2000).toISOString(), '--until', new Date(AT + 4000).toISOString()],
      [3, 4],
    ],
    ['the last ones', ['-n', '2'], [8, 9]],
    ['all events', ['--all', '--client', 'claude-code'], [1, 2, 3, 4, 5]],
    ['two lists at once', ['--client', 'gemini-cli', '--decision', 'pass'], [6, 8, 9]],
  ])('finds %s', async (_, args, seqs) => {
    past()
    const lines = await log([...args, '--json'])
    expect(lines.map(line => JSON.parse(line).seq)).toEqual(seqs)
  })

  it('is a line of JSON each, whose rest is what the hash is over', async () => {
    past()
    const [line = ''] = await log(['--json', '-n', '1'])
    const { seq, hash, time, ...record } = JSON.parse(line)
    expect({ seq, time, hash }).toEqual({
      seq: 9,
      time: new Date(AT + 8000).toISOString(),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const driver = openDriver(join(state(), 'signalbox.db'))
    expect(driver.prepare('SELECT json FROM records WHERE seq = 9').get()?.json).toBe(JSON.stringify(record))
    driver.close()
  })

  it.each([120, 80, 66, 50, 40, 24])('fits a window of %i columns', async width => {
    past()
    write(state(), [
      { ...at(9), acts: [`run echo ${'宽字符'.repeat(60)} end`] },
      { ...at(10), acts: [`run ${'e\u0301'.repeat(150)}`] },
    ])
    const lines = await log(['--all'], width)
    expect(lines.length).toBeGreaterThan(8)
    expect(lines.filter(line => displayWidth(line) > width)).toEqual([])
  })

  it('lets nothing of an agent steer the terminal', async () => {
    mkdirSync(state(), { recursive: true })
    const evil = 'run echo \u001b[2J\u001b]0;x\u0007\u009b31m\u202edrow\u2028\r\nDENY \ud800'
    write(state(), [
      { ...at(0), acts: [evil], client: 'a\u001bb', session: '\u001b[1m', gate: 'g\u001b', decision: 'deny' },
    ])
    await stage.run(['log'], { width: 200 })
    expect(stage.said.replace(COLOUR, '')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u)
    expect(stage.said).toContain('\\e[2J\\e]0;x\\u0007\\u009b31m\\u202edrow\\u2028\\r\\nDENY')
    await stage.run(['log', '--json'])
    expect(stage.said.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
    expect(JSON.parse(stage.said).client).toBe('a\u001bb')
  })

  it('is of this project, with what has none; of every one it names each', async () => {
    mkdirSync(state(), { recursive: true })
    const root = stage.project
    write(state(), [
      { ...at(0), client: 'claude-code', session: 's1', root, acts: ['run here'] },
      { ...at(1), client: 'claude-code', session: 's2', root: `${root}/packages/a`, acts: ['run below'] },
      { ...at(2), client: 'claude-code', session: 's3', root: `${root}-other`, acts: ['run beside'] },
      { ...at(3), client: 'signalbox', notes: ['retention'] },
    ])
    const seqs = async (...args: string[]) => (await log([...args, '--json'])).map(line => JSON.parse(line).seq)
    expect(await seqs()).toEqual([1, 2, 4])
    expect(await seqs('--everywhere')).toEqual([1, 2, 3, 4])
    expect(await seqs('--session', 's3')).toEqual([3])
    const lines = await log(['--everywhere'], 100)
    expect(lines.map(line => line.slice(25, 37).trim())).toEqual(['proj', 'a', 'proj-other', '-'])
    await stage.run(['log', '--everywhere'], { width: 100 })
    expect(stage.said.replace(COLOUR, '')).toMatch(
      /^time {5}result agent {4}project {6}gate {13}what {30,} {2}record\n/,
    )
  })

  it('shows a test call as one, not as a denial', async () => {
    mkdirSync(state(), { recursive: true })
    write(state(), [{ ...at(0), ...denied('self-protection'), client: 'claude-code', session: 'signalbox-canary-1f' }])
    expect(await log([])).toEqual([expect.stringMatching(/ test {3}claude {3}sign self-protection /)])
    expect(await log(['--decision', 'deny', '--json'])).toEqual([])
    expect(await log(['--decision', 'test', '--json'])).toHaveLength(1)
  })

  it('has colours at a terminal only', async () => {
    past()
    await stage.run(['log', '--decision', 'deny'])
    expect(stage.said).toContain('\u001b[2m')
    await stage.run(['log', '--decision', 'deny'], { env: { NO_COLOR: '1' } })
    expect(stage.said).not.toContain('\u001b')
  })

  it.each<[string, string[], number, RegExp]>([
    ['nothing is on record', [], 0, /^Nothing is recorded yet/],
    ['a decision that is none', ['--decision', 'no'], 2, /unknown decision `no`: deny, ask/],
    ['a time that is none', ['--since', 'lately'], 2, /`--since lately`: use 7d/],
    ['a day that never was', ['--since', '2026-02-30'], 2, /`--since 2026-02-30`: use 7d/],
    ['a number that is none', ['-n', 'x'], 2, /`-n x`: expected a number/],
    ['less than none', ['--lines=-3'], 2, /`--lines -3`: expected a number, 0 or more/],
    ['what may be an option', ['-n', '-3'], 2, /^signalbox log: option `-n` argument is ambiguous\n\n/],
    [
      'a client that is none',
      ['--client', 'claude,nope'],
      2,
      /^signalbox log: unknown client `nope`; there are claude-code,/,
    ],
    [
      'a client that is nearly one',
      ['--client', 'gemini-cly'],
      2,
      /unknown client `gemini-cly`; did you mean `gemini-cli`/,
    ],
  ])('says when %s', async (_, args, code, said) => {
    expect([await stage.run(['log', ...args]), stage.said]).toEqual([code, expect.stringMatching(said)])
    expect(stage.has('~/.local/state/signalbox/signalbox.db')).toBe(false)
  })

  it('says how many it looked at where none is like that, and goes past what cannot be read', async () => {
    past()
    const driver = openDriver(join(state(), 'signalbox.db'))
    driver.exec(`UPDATE records SET json = '{"at":1}' WHERE seq = 7`)
    driver.close()
    await stage.run(['log', '--gate', 'nobody'])
    expect(stage.said).toBe(
      'No record in proj matches (9 searched); --everywhere searches all projects.\nThe policy here has no gate `nobody`\nrecord 7 cannot be read: signalbox audit verify\n',
    )
  })
})

describe('a name that nothing has', () => {
  it.each([
    ['--gate', 'no-pusch', 'The policy here has no gate `no-pusch`; did you mean `no-push`?\n'],
    ['--gate', 'something', 'The policy here has no gate `something`; it has no-push, frozen\n'],
    ['--event', 'tool.bfore', 'There is no event `tool.bfore`; did you mean `tool.before`?\n'],
    ['--gate', 'no-push', ''],
    ['--event', 'compact.before', ''],
  ])('%s %s', async (option, name, hint) => {
    past()
    const rule = '{ when: { command: git push }, then: deny, message: No. }'
    stage.put('signalbox.yaml', `gates: { no-push: { rules: [${rule}] }, frozen: { rules: [${rule}] } }\n`)
    await stage.run(['log', option, name, '--all'])
    expect(stage.said).toBe(`No record in proj matches (9 searched); --everywhere searches all projects.\n${hint}`)
  })
})

describe('texts', () => {
  it.each([
    ['git push origin main', 20, 'git push origin main'],
    ['git push origin a-long-branch', 20, 'git push orig…branch'],
    ['宽宽宽宽宽宽宽宽', 9, '宽宽宽…宽'],
    ['abcdef', 2, '…'],
  ])('%s in %i columns', (text, width, cut) => {
    expect(cutMiddle(text, width)).toBe(cut)
  })

  it('writes out what cannot be seen', () => {
    expect(escapeControlChars('a\u200bb\u{e0001}\n')).toBe('a\\u200bb\\udb40\\udc01\\n')
  })
})
