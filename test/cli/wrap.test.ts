import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Terminal } from '../../src/app/cli/command.ts'
import { commands, main } from '../../src/app/cli/index.ts'
import { wrapText } from '../../src/app/cli/terminal/wrap.ts'

describe('wrap', () => {
  it.each<[string, string, string]>([
    ['what fits', 'one two', 'one two'],
    ['between words', 'aaaaaaaa bbbbbbbb cccccccc dddd', 'aaaaaaaa bbbbbbbb\n  cccccccc dddd'],
    ['further in than the line', '  aaaaaaaa bbbbbbb cccccccc', '  aaaaaaaa bbbbbbb\n    cccccccc'],
    ['under the second column', ' a  bbbbbbbb cccccccc dddddd', ' a  bbbbbbbb\n    cccccccc dddddd'],
    ['further left where a word has no room', ' aaa  bbb cccccccccccccccc', ' aaa  bbb\n   cccccccccccccccc'],
    ['beside the trunk of a tree', '|  `- aaaa bbbbbb  cccccccc', '|  `- aaaa bbbbbb\n|       cccccccc'],
    ['and beside its twigs', '|- aaaaaaaaaaaaa bbbbbb', '|- aaaaaaaaaaaaa\n|    bbbbbb'],
    ['not beside one that leaves no room', '|  |  |  |- aaaaaaaa bbbbbb', '|  |  |  |- aaaaaaaa\n   bbbbbb'],
    ['never a word', 'a'.repeat(30), 'a'.repeat(30)],
    ['gaps stay', 'aa  bb  cc  dddddddddd', 'aa  bb  cc\n    dddddddddd'],
    ['no line that is quoted', '  3 | some line of a policy that is long', '  3 | some line of a policy that is long'],
    ['each line', 'a\n\nbbbbbbbbbbbb cccccccccc\n', 'a\n\nbbbbbbbbbbbb\n  cccccccccc\n'],
    ['by columns, not characters', '修复修复修复 修复修复修复', '修复修复修复\n  修复修复修复'],
    ['an emoji of several code points takes two columns', `${'👩‍💻'.repeat(9)} a`, `${'👩‍💻'.repeat(9)} a`],
    ['under a second column that is wide', '修复  bbbbbbbb cccccccc dddd', '修复  bbbbbbbb\n      cccccccc dddd'],
    [
      'colours take no room',
      `\u001b[31m${'a'.repeat(10)}\u001b[39m bbbbbbb`,
      `\u001b[31m${'a'.repeat(10)}\u001b[39m bbbbbbb`,
    ],
  ])('%s', (_, text, expected) => {
    expect(wrapText(text, 20)).toBe(expected)
  })
})

describe('in a window of 60 columns', () => {
  let folder = ''
  let said = ''
  const run = (args: readonly string[], inWindow = true): Promise<number> => {
    said = ''
    const say = (text: string): void => {
      said += text
    }
    const terminal: Terminal = {
      out: say,
      err: say,
      env: { HOME: folder, SIGNALBOX_HOME: folder },
      cwd: join(folder, 'project'),
      width: 60,
      window: { out: inWindow, err: inWindow },
      isPerson: false,
      ask: async () => '',
    }
    return main(args, terminal)
  }
  const longest = (): number => Math.max(...said.split('\n').map(line => (/^ *\d+ \| /.test(line) ? 0 : line.length)))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-wrap-'))
    mkdirSync(join(folder, 'project/.git'), { recursive: true })
    const message = 'A message that is long enough to need more than one line of a narrow window.'
    const policy = `gates:\n  g:\n    rules:\n      - { when: { command: git push }, then: deny, message: "${message} {nobody-knows}" }\n`
    writeFileSync(join(folder, 'project/signalbox.yaml'), policy)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    [['--help']],
    [['check']],
    [['policy', 'show', '--resolved']],
    [['chekc-something-that-is-quite-long-indeed']],
  ])('%j is no wider', async args => {
    await run(args)
    expect(said).not.toBe('')
    expect(longest()).toBeLessThanOrEqual(60)
  })

  it.each(commands.map(({ name }) => name))('%s --help is no wider, and says how it is used', async name => {
    expect(await run([...name.split(' '), '--help'])).toBe(0)
    expect(longest()).toBeLessThanOrEqual(60)
    expect(said).toContain(`usage  signalbox ${name}`)
  })

  it.each([...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))])(
    'help %s and %s --help say it',
    async word => {
      expect(await run([word, '--help'])).toBe(0)
      const first = said
      expect(await run(['help', word])).toBe(0)
      expect([first, said].every(text => text.includes(`usage  signalbox ${word}`))).toBe(true)
    },
  )

  it('JSON is whole, and so is what goes elsewhere than to a window', async () => {
    await run(['check', '--json'])
    expect(JSON.parse(said).ok).toBe(false)
    await run(['check'], false)
    expect(longest()).toBeGreaterThan(60)
  })
})
