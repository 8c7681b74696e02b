import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Terminal } from '../src/app/cli/command.ts'
import { main } from '../src/app/cli/index.ts'
import { Stage } from './semantics/play.ts'
import { cpuMs } from './support/cpu-time.ts'
import { withInProcessSandbox } from './support/in-process-sandbox.ts'

const PACKS = join(import.meta.dirname, '../packs')
const FOLDER = join(PACKS, 'tool-routing')
const { gates } = parse(readFileSync(join(FOLDER, 'pack.yaml'), 'utf8'))
const routes = Object.entries<{
  message?: string
  needs?: { command: string }
  examples?: { stops: readonly string[]; passes: readonly string[] }
}>(gates['tool-routing'].routes).flatMap(([id, doc]) => (doc.message === undefined ? [] : [{ id, ...doc }]))
const commands = [...new Set(routes.flatMap(({ needs }) => needs?.command ?? []))]

const stage = new Stage({ name: '', sentence: '', policy: { use: ['tool-routing'] }, commands }, { packsDir: PACKS })
afterAll(() => stage.tearDown())

/** Tokenizers take three to four characters of English and of command lines for one token: this is the upper end. */
const tokensOf = (text: string): number => Math.ceil(text.length / 3)
const MOST_TOKENS = 40

let sessions = 0
const fetching = (url: string) => ({ session: `${++sessions}`, fetch: url })

const said = (url: string, env: Record<string, string> = {}) => {
  const { outcome, record } = stage.play({ ...fetching(url), env })
  return { reason: outcome.reason, rule: record.rule, rest: outcome.context + outcome.message }
}

describe('the ready-made routes', () => {
  it('each have examples of what they stop and what they let pass', () => {
    expect(routes.length).toBeGreaterThan(15)
    for (const { id, examples } of routes) {
      expect([id, examples?.stops.length ?? 0, examples?.passes.length ?? 0], id).toEqual([
        id,
        expect.toSatisfy(count => count > 0),
        expect.toSatisfy(count => count > 0),
      ])
    }
  })

  it.each(routes)('$id wins over those before it, and speaks alone', ({ id, examples }) => {
    for (const url of examples?.stops ?? []) expect([url, said(url).rule, said(url).rest]).toEqual([url, id, ''])
  })

  it(`cost at most ${MOST_TOKENS} tokens a denial, and debug says what it adds`, () => {
    const rows = routes.map(({ id, examples }) => {
      const [url = ''] = examples?.stops ?? []
      const normal = tokensOf(said(url).reason)
      const debug = tokensOf(said(url, { TOOL_ROUTING_DEBUG: '1' }).reason)
      return { route: id, tokens: normal, debug }
    })
    console.table(rows)
    expect(rows.filter(({ tokens }) => tokens > MOST_TOKENS)).toEqual([])
    expect(rows.filter(({ tokens, debug }) => debug < tokens + 25)).toEqual([])
  })
})

describe('the statistics', () => {
  const fetch = (url: string) => JSON.stringify({ tool_name: 'WebFetch', tool_input: { url }, session_id: 's' })

  it('count what each route stopped, by the command of the README', () =>
    withInProcessSandbox({ project: 'use: [tool-routing]' }, async sandbox => {
      const stopped = ['https://linear.app/a/issue/A-1', 'https://pypi.org/project/x', 'https://linear.app/a/issue/A-2']
      for (const url of [...stopped, 'https://example.com/']) await sandbox.hookInProcess('generic', fetch(url))
      const [, words = ''] = /`signalbox (stats [^`]+)`/.exec(readFileSync(join(FOLDER, 'README.md'), 'utf8')) ?? []
      let printed = ''
      const terminal: Terminal = {
        out: text => {
          printed += text
        },
        err: () => {},
        env: { HOME: sandbox.home, SIGNALBOX_HOME: sandbox.home },
        cwd: sandbox.project,
        width: 80,
        isPerson: false,
        ask: async () => '',
      }
      expect(await main([...words.split(' '), '--json'], terminal)).toBe(0)
      const rules: readonly { rule: string; fired: number; decided: number }[] = JSON.parse(printed).rules
      expect(rules.flatMap(({ rule, fired, decided }) => (fired === 0 ? [] : [{ rule, fired, decided }]))).toEqual([
        { rule: 'linear', fired: 2, decided: 2 },
        { rule: 'pypi-project', fired: 1, decided: 1 },
      ])
    }))
})

describe('a regex of yours', () => {
  it.each(['(a+)+$', '(a|aa)+$', '(a|a?)+b', '(.*a){12}$', '([a-z]+)*\\d$'])(
    '%s does not hold the hook up',
    pattern => {
      const policy = { routes: { slow: { pattern: `x\\.org/${pattern}`, message: 'm' } } }
      const own = new Stage({ name: '', sentence: '', policy }, {})
      const began = cpuMs()
      own.play(fetching(`https://x.org/${'a'.repeat(20_000)}!`))
      expect(cpuMs() - began).toBeLessThan(1500)
      own.tearDown()
    },
  )
})
