import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { renderIsClosedScript } from '../../src/app/install/program/failure-mode-script.ts'
import { dialectOf, inPlace, type Place, WAYS } from './hook-starters.ts'

/** What the last resort knows of a policy that nobody has read yet, or that has changed since: without the program, and without a parser for YAML. */
const CLIENT = 'claude-code'
const RULES = 'rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]'

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const fails = async (place: Place, text: string): Promise<string> => {
  writeFileSync(join(place.project, 'signalbox.yaml'), text)
  return place.outcome(CLIENT, await place.call(CLIENT, place.payload(CLIENT), { program: place.bare }))
}

const CLOSED = {
  'in a gate': `gates: { g: { onError: closed, ${RULES} } }`,
  'in the settings, with quotes': `settings: { "onError": "closed" }\n`,
  'in JSON': '{"settings":{"onError":"closed"}}',
  'on the next line': 'settings:\n  onError:\n    closed\n',
  'by an alias': 'x: &x closed\nsettings: { onError: *x }\n',
  'by a tag': 'settings: { onError: !!str closed }\n',
  'in the last of many gates': `gates:\n  a: { onError: open, ${RULES} }\n  b: { onError: closed, ${RULES} }\n`,
}
const OPEN = {
  'in a gate': `gates: { g: { onError: open, ${RULES} } }`,
  'with quotes': `settings: { 'onError': 'open' }\n`,
  'without a word': `gates: { g: { initial: closed, ${RULES} } }`,
  'closed in a comment only': `# onError: closed\ngates: { g: { ${RULES} } }\n`,
  'in a comment that says it 45,000 times': `# ${'onError: '.repeat(45_000)}\n`,
}

describe('the launchers, which have only a shell', () => {
  const exitCodeOf = (text: string): number | null =>
    withFolder(folder => {
      const file = join(folder, 'signalbox.yaml')
      writeFileSync(file, text)
      return spawnSync('sh', ['-c', `${renderIsClosedScript()}\nsays_closed "$0"`, file]).status
    })

  it.each(Object.entries(CLOSED))('says closed %s', (_, text) => expect(exitCodeOf(text)).toBe(0))
  it.each(Object.entries(OPEN))('says open %s', (_, text) => expect(exitCodeOf(text)).toBe(1))
  it.each(['settings: { onError: open-x }', `{ ${'"onError": "open", '.repeat(101)} }`])(
    'refuses in doubt: %.40s',
    text => expect(exitCodeOf(text)).toBe(0),
  )
})

describe.each([...WAYS])('%s, a policy that nobody has read', way => {
  it.each(Object.entries(CLOSED))('says closed %s', (_, text) =>
    inPlace(way, 'open', async place => expect(await fails(place, text)).toBe('refused')),
  )

  it.each(Object.entries(OPEN))('says open %s', (_, text) =>
    inPlace(way, 'open', async place => expect(await fails(place, text)).toBe('passed, and said so')),
  )

  it('is not asked where a newer word was kept of it, and is asked again when it changes', () =>
    inPlace(way, 'open', async place => {
      const file = join(place.project, 'signalbox.yaml')
      // a gate that only warns refuses nothing, and so has no say in what a failure does
      const text = `gates: { g: { mode: warn, onError: closed, ${RULES} } }`
      expect(await fails(place, text)).toBe('refused')
      utimesSync(file, 1_000_000_000, 1_000_000_000)
      await place.call(CLIENT, place.payload(CLIENT), { env: { SIGNALBOX_DAEMON: 'off' } })
      const again = () => place.call(CLIENT, place.payload(CLIENT), { program: place.bare })
      expect(place.outcome(CLIENT, await again())).toBe('passed, and said so')
      utimesSync(file, 4_000_000_000, 4_000_000_000)
      expect(place.outcome(CLIENT, await again())).toBe('refused')
    }))

  it('of the user counts in every project', () =>
    inPlace(way, 'closed by the user', async place => {
      const reply = () => place.call(CLIENT, place.payload(CLIENT), { program: place.bare })
      expect(place.outcome(CLIENT, await reply())).toBe('refused')
      rmSync(join(place.home, 'signalbox.yaml'))
      expect(place.outcome(CLIENT, await reply())).toBe('passed, and said so')
    }))
})

/** They show the person nothing with a call. */
const LATER = { 'qwen-code': 'stop', cursor: 'prompt' } as const

describe.each([...WAYS])('%s, a client that shows nothing with a call', way => {
  it.each(Object.entries(LATER))('%s says it with its next %s, once', (client, event) =>
    inPlace(way, 'open', async place => {
      const call = () => place.call(client, place.payload(client), { program: place.bare })
      for (const reply of [await call(), await call()])
        expect(place.outcome(client, reply)).toBe('passed, to be said later')
      const { session = 'session_id', ...dialect } = dialectOf(client)
      const next = (id: string) => {
        const payload = JSON.stringify({ ...dialect[event], [session]: id })
        return place.call(client, payload, { env: { SIGNALBOX_DAEMON: 'off' } })
      }
      expect((await next('one')).stdout).toContain('signalbox: 2 calls passed without being evaluated')
      expect(place.unjudged(client)).toBe(0)
      expect((await next('another')).stdout).not.toContain('without being evaluated')
    }),
  )
})
