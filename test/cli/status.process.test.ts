import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AuditRecord, createStoreRecord, SqliteStore } from '../../src/store/index.ts'
import { type Stage, withStage } from '../support/in-process-command.ts'

const STATE = '.local/state/signalbox'
const MINUTE = 60_000

const record = (client: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  ...createStoreRecord('PreToolUse', Date.now(), ''),
  notes: [],
  client,
  session: 's',
  event: 'tool.before',
  ms: 11,
  ...more,
})

/** As if agents had called. */
function remember(stage: Stage, records: readonly AuditRecord[]): void {
  mkdirSync(join(stage.home, STATE), { recursive: true })
  const store = new SqliteStore(join(stage.home, STATE))
  store.transact({ client: 'x', session: '' }, { root: '', now: Date.now(), expiryHours: 1 }, () => ({
    records,
    result: undefined,
  }))
  store.close()
}

const initFor = (stage: Stage, ...ids: string[]) => stage.run(['init', '--yes', ...ids.flatMap(id => ['--client', id])])
const lines = (stage: Stage) => stage.said.trimEnd().split('\n')

describe('signalbox status', () => {
  it('nothing here', () =>
    withStage(async stage => {
      expect(await stage.run(['status'])).toBe(1)
      expect(lines(stage)).toEqual([
        'NOT ENFORCING  no agent was found on this machine',
        "  Policy  none: only Signalbox's own files are protected",
        '  Today   no calls',
        'Next  signalbox init',
      ])
      expect(stage.has(`~/${STATE}/signalbox.db`)).toBe(false)
    }))

  it('an agent that nobody told', () =>
    withStage(async stage => {
      stage.put('~/.claude/settings.json', {
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
      })
      expect(await stage.run(['status'])).toBe(1)
      expect(lines(stage).slice(0, 2)).toEqual(['NOT ENFORCING  no agent calls Signalbox', '  Claude Code  NO HOOK'])
    }))

  it('the canary of `init` counts, in the words of `init`, as long as what it went through stands there', () =>
    withStage(async stage => {
      expect(await initFor(stage, 'claude-code')).toBe(0)
      expect(stage.said).toMatch(/Claude Code {2}test call denied in \d+ ms {2}ENFORCING\n/)
      expect(stage.said).toContain('Gate   to make it block, remove `mode: observe` from ./signalbox.yaml\n')
      expect(lines(stage).at(-1)).toMatch(/^Next {3}\S*signalbox status$/)
      expect(await stage.run(['status'])).toBe(0)
      expect(lines(stage)[0]).toBe('ENFORCING  1 of 1 agent enforcing')
      expect(lines(stage)[1]).toMatch(/^ {2}Claude Code {2}enforcing {3}test call denied \d+ s ago, no real call yet$/)
      const text = stage.text('~/.claude/settings.json')
      stage.put('~/.claude/settings.json', text.replace(/(bin\/signalbox'? hook)/g, '$1 --on-error open'))
      expect(await stage.run(['status'])).toBe(1)
      expect(lines(stage)[1]).toMatch(/^ {2}Claude Code {2}UNVERIFIED {2}no call since init, \d+ s$/)
      expect(lines(stage).at(-1)).toBe('Next  signalbox doctor')
    }))

  it.each([
    ['codex-cli', 'Codex CLI', 'the hook was never reviewed: Codex CLI skips it silently', 'start `codex`'],
    [
      'gemini-cli',
      'Gemini CLI',
      'it will ask whether you trust this folder: without trust no hook runs',
      'start `gemini`',
    ],
    ['cursor', 'Cursor', 'no call has been seen yet', 'ask Cursor'],
  ])('what %s wants of the person first: the same in `init` and `status`', (id, title, why, next) =>
    withStage(async stage => {
      expect(await stage.run(['init', '--yes', '--client', id], { width: 200 })).toBe(0)
      expect(stage.said).toMatch(new RegExp(`${title} +test call denied in \\d+ ms +UNVERIFIED +${why}\n`))
      expect(stage.said).toContain(`\nNext   ${next}`)
      expect(await stage.run(['status'], { width: 200 })).toBe(1)
      expect(stage.said).toContain(`  ${title}  UNVERIFIED  ${why}\n`)
    }),
  )

  it('nothing is registered any more: a call of the past proves nothing', () =>
    withStage(async stage => {
      const before = stage.put('~/.claude/settings.json', {})
      await initFor(stage, 'claude-code')
      remember(stage, [record('claude-code', { at: Date.now() })])
      expect(await stage.run(['uninstall', '--yes'])).toBe(0)
      expect(lines(stage).at(-1)).toBe('Done.  Agents no longer call Signalbox.')
      expect(await stage.run(['status'])).toBe(1)
      expect(lines(stage).slice(0, 2)).toEqual(['NOT ENFORCING  no agent calls Signalbox', '  Claude Code  NO HOOK'])
      expect(before).toContain('settings.json')
    }))

  it('what a gate that only observes would have refused', () =>
    withStage(async stage => {
      const match = { gate: 'g', rule: 'r', effect: 'none', mode: 'observe' } as const
      remember(stage, [
        record('claude-code', { at: Date.now(), matches: [{ ...match, decision: 'deny' }] }),
        record('claude-code', { at: Date.now(), matches: [{ ...match, decision: 'ask' }] }),
        record('claude-code', {
          at: Date.now(),
          matches: [{ ...match, decision: 'deny', mode: 'block', bypassed: true }],
        }),
        record('claude-code', { at: Date.now(), decision: 'deny', matches: [{ ...match, decision: 'deny' }] }),
        record('claude-code', { at: Date.now(), event: 'turn.stop', errors: ['x'] }),
      ])
      await stage.run(['status'])
      expect(stage.said.replace(/\s+/g, ' ')).toContain(
        '4 calls in all projects: 3 pass 1 DENY; of these 1 would DENY, 1 would ASK, 1 bypass; 1 ERROR in other events',
      )
      await stage.run(['status', '--json'])
      expect(JSON.parse(stage.said).today).toMatchObject({ wouldDeny: 1, wouldAsk: 1 })
    }))

  it('calls before the registration prove nothing', () =>
    withStage(async stage => {
      remember(stage, [record('claude-code', { at: Date.now() - 5 * MINUTE })])
      await initFor(stage, 'claude-code')
      await stage.run(['status'])
      expect(lines(stage)[1]).toMatch(/ test call denied \d+ s ago, no real call yet$/)
    }))

  it('every agent has called: enforcing, and nothing else is', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', 'gates: { g: { rules: [ { when: { command: rm }, then: deny, message: no } ] } }\n')
      await initFor(stage, 'claude-code', 'gemini-cli')
      const now = Date.now()
      remember(stage, [
        record('claude-code', { at: now, decision: 'deny' }),
        record('claude-code', { at: now, decision: 'ask', ms: 40 }),
        record('claude-code', { at: now, errors: ['x'] }),
        record('claude-code', { at: now, event: 'turn.stop' }),
      ])
      expect(await stage.run(['status'], { width: 120 })).toBe(1)
      expect(lines(stage)[0]).toBe('PARTLY ENFORCING  1 of 2 agents enforcing')
      expect(lines(stage)[1]).toMatch(/^ {2}Claude Code {2}enforcing {3}last call \d s ago, p95 40 ms$/)
      expect(lines(stage)[2]).toMatch(/^ {2}Gemini CLI {3}UNVERIFIED {2}it will ask whether you trust this folder/)
      expect(lines(stage)[3]).toMatch(/^ {2}Hook {9}(native, |one-shot: )/)
      expect(lines(stage)[4]).toBe('  Policy       signalbox.yaml, 1 gate, not proven: signalbox check')
      expect(lines(stage)[5]).toBe('  Today        3 calls in all projects: 1 pass 1 DENY 1 ASK; of these 1 ERROR')
      remember(stage, [record('gemini-cli', { at: Date.now(), name: 'BeforeTool' })])
      expect(await stage.run(['status'])).toBe(0)
      expect(lines(stage)[0]).toBe('ENFORCING  2 of 2 agents enforcing')
      for (const line of lines(stage)) expect(line.length).toBeLessThanOrEqual(80)
    }))

  describe('where every agent calls', () => {
    const proven = (work: (stage: Stage) => Promise<void>) =>
      withStage(async stage => {
        await initFor(stage, 'claude-code')
        remember(stage, [record('claude-code', { at: Date.now() })])
        await work(stage)
      })

    it('`off` silences', () =>
      proven(async stage => {
        expect(await stage.run(['status'])).toBe(0)
        expect(await stage.run(['off', '--reason', 'flaky'], { answer: 'y' })).toBe(0)
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toMatch(
          /^OFF {2}switched off by `signalbox off` since (\w{3} \w{3} \d\d \d{4} )?\d\d:\d\d$/,
        )
        expect(lines(stage).at(-1)).toBe('Next  signalbox on')
      }))

    it('a bypass is told with its end', () =>
      proven(async stage => {
        expect(await stage.run(['bypass', '--for', '10m', '--reason', 'x'], { answer: 'y' })).toBe(0)
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toMatch(
          /^BYPASSED {2}every gate that can be bypassed until (\w{3} \w{3} \d\d \d{4} )?\d\d:\d\d \(\d+ min left\)$/,
        )
        expect(lines(stage).at(-1)).toBe('Next  signalbox bypass --end')
      }))

    it('a broken policy', () =>
      proven(async stage => {
        stage.put('signalbox.yaml', 'gats: {}\n')
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toBe('PARTLY ENFORCING  1 problem in the policy')
        expect(stage.said).toMatch(/Policy {7}signalbox\.yaml, .*1 PROBLEM/)
        expect(lines(stage).at(-1)).toBe('Next  signalbox check')
      }))

    it('what waits for trust', () =>
      proven(async stage => {
        stage.put('signalbox.yaml', 'hooks: [ { event: turn.stop, run: x } ]\n')
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toBe('PARTLY ENFORCING  1 part of the policy not trusted yet')
        expect(lines(stage).at(-1)).toBe('Next  signalbox trust')
      }))

    it('what agents start is gone', () =>
      proven(async stage => {
        const text = stage.text('~/.claude/settings.json').replaceAll('/.local/share/', '/.local/elsewhere/')
        stage.put('~/.claude/settings.json', text)
        expect(await stage.run(['status'])).toBe(1)
        expect(stage.said.replace(/\s+/g, ' ')).toContain(
          'BROKEN ~/.local/elsewhere/signalbox/bin/signalbox does not exist',
        )
      }))

    it('hooks that are switched off', () =>
      proven(async stage => {
        const text = stage.text('~/.claude/settings.json').replace('{', '{ "disableAllHooks": true,')
        stage.put('~/.claude/settings.json', text)
        expect(await stage.run(['status'])).toBe(1)
        expect(stage.said).toContain('BROKEN      `disableAllHooks` is true')
      }))

    it('the entry that can refuse is gone', () =>
      proven(async stage => {
        const { hooks, ...rest } = stage.json('~/.claude/settings.json')
        const { PreToolUse: _, ...others } = hooks
        stage.put('~/.claude/settings.json', { ...rest, hooks: others })
        await stage.run(['status'])
        expect(stage.said).toContain('BROKEN      no hook for PreToolUse')
      }))

    it('a damaged store: told, and left for the next call to set aside', () =>
      proven(async stage => {
        const file = stage.put(`~/${STATE}/signalbox.db`, 'no database at all, and long enough')
        // with its write-ahead log the whole of it could be read
        for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toBe('UNVERIFIED  the audit log cannot be read, so calls are unknown')
        expect(stage.said.replace(/\s+/g, ' ')).toContain('Today the audit log is damaged')
        expect(stage.text(`~/${STATE}/signalbox.db`)).toBe('no database at all, and long enough')
        expect(file).toContain('signalbox.db')
      }))

    it('a file that is damaged where a daemon still has its pages: hooks read it, and so does this', () =>
      proven(async stage => {
        const file = stage.at(`~/${STATE}/signalbox.db`)
        const store = new SqliteStore(stage.at(`~/${STATE}`))
        try {
          store.transact(
            { client: 'claude-code', session: 'w' },
            { root: '', now: Date.now(), expiryHours: 1 },
            () => ({
              // so many that the database grows, and its first page is among those that the log has
              records: Array.from({ length: 99 }, () => record('claude-code')),
              result: undefined,
            }),
          )
          const bytes = readFileSync(file)
          writeFileSync(file, Buffer.concat([Buffer.alloc(100, 'a'), bytes.subarray(100)]))
          await stage.run(['status'])
          expect(stage.said).not.toContain('damaged')
          expect(lines(stage)[0]).toMatch(/^ENFORCING/)
        } finally {
          store.close()
        }
      }))

    it('a state that cannot be written: only what needs no memory is enforced', () =>
      proven(async stage => {
        chmodSync(stage.at(`~/${STATE}`), 0o500)
        try {
          expect(await stage.run(['status'])).toBe(1)
          const [first, ...rest] = lines(stage)
          expect(first).toBe('NOT ENFORCING  the state folder cannot be written: see doctor')
          expect(rest.at(-2)).toBe(`  Today        ~/${STATE} cannot be written`)
          expect(rest.at(-1)).toBe('Next  signalbox doctor')
        } finally {
          chmodSync(stage.at(`~/${STATE}`), 0o700)
        }
      }))

    it('a state that others may write to: every call is denied', () =>
      proven(async stage => {
        chmodSync(stage.at(`~/${STATE}`), 0o777)
        try {
          expect(await stage.run(['status'])).toBe(1)
          const [first, ...rest] = lines(stage)
          expect(first).toMatch(/^DENYING ALL {2}every call: other users can write to the state folder/)
          // looking does not end it: only a person does
          expect(statSync(stage.at(`~/${STATE}`)).mode & 0o777).toBe(0o777)
          expect(rest.at(-1)).toBe('Next  signalbox doctor')
        } finally {
          chmodSync(stage.at(`~/${STATE}`), 0o700)
        }
      }))

    it('a manifest that cannot be read', () =>
      proven(async stage => {
        stage.put(`~/${STATE}/install.json`, '{')
        expect(await stage.run(['status'])).toBe(1)
        expect(lines(stage)[0]).toContain('PARTLY ENFORCING')
        expect(stage.said).toContain('cannot be read')
      }))

    it('as JSON', () =>
      proven(async stage => {
        expect(await stage.run(['status', '--json'])).toBe(0)
        expect(JSON.parse(stage.said)).toMatchObject({
          verdict: 'ENFORCING',
          agents: [{ id: 'claude-code', state: 'enforcing', p95Ms: 11, registeredIn: [{ scope: 'user' }] }],
          policy: { problems: 0, untrusted: [] },
          today: { calls: 1, pass: 1, allow: 0, deny: 0 },
          bypasses: [],
        })
      }))

    it('a narrow window', () =>
      proven(async stage => {
        await stage.run(['status'], { width: 40 })
        for (const line of lines(stage)) expect(line.length).toBeLessThanOrEqual(40)
      }))
  })

  it('settings that cannot be read', () =>
    withStage(async stage => {
      stage.put('~/.gemini/settings.json', '{ "hooks": ')
      expect(await stage.run(['status'])).toBe(1)
      expect(stage.said.replace(/\s+/g, ' ')).toMatch(/Gemini CLI BROKEN .*settings\.json:1:12 is not valid JSON/)
    }))

  it('a plugin tells it too', () =>
    withStage(async stage => {
      const file = '~/.claude/plugins/cache/market/signalbox/0.1.0/hooks/hooks.json'
      const command = 'sh "\u0024{CLAUDE_PLUGIN_ROOT}/hook" --client claude-code'
      stage.put(file, { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } })
      expect(await stage.run(['status'], { width: 200 })).toBe(1)
      expect(stage.said).toMatch(/Claude Code {2}UNVERIFIED {2}installed in ~\/\.claude\/plugins\/.*, no call yet/)
      remember(stage, [record('claude-code', { at: Date.now() })])
      await stage.run(['status'])
      expect(stage.said).toContain('Claude Code  enforcing')
    }))

  it('calls that come by the settings of another agent, which it reads too', () =>
    withStage(async stage => {
      mkdirSync(dirname(stage.at('~/.cursor/x')), { recursive: true })
      stage.put('~/bin/signalbox', '#!/bin/sh\n')
      chmodSync(stage.at('~/bin/signalbox'), 0o755)
      const command = `${stage.at('~/bin/signalbox')} hook --client claude-code`
      remember(stage, [record('cursor', { at: Date.now() - MINUTE })])
      await stage.run(['status'])
      expect(stage.said).toMatch(/Cursor {2}NO HOOK/)
      stage.put('~/.claude/settings.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } })
      await stage.run(['status'])
      expect(stage.said).toMatch(
        /Cursor {7}enforcing {3}last call 1 min ago, p95 11 ms, through the settings\n {15}of another agent/,
      )
    }))

  it.skipIf(process.getuid?.() === 0)('a state that cannot be read', () =>
    withStage(async stage => {
      remember(stage, [])
      writeFileSync(stage.at(`~/${STATE}/x`), '')
      chmodSync(stage.at(`~/${STATE}`), 0o000)
      try {
        expect(await stage.run(['status'])).toBe(1)
      } finally {
        chmodSync(stage.at(`~/${STATE}`), 0o700)
      }
    }),
  )
})
