import { describe, expect, it } from 'vitest'
import { clientOfHookLine } from '../../src/app/install/ownership.ts'
import { addHookEntries } from '../../src/app/install/settings-file/hook-entries.ts'
import { hookEntriesByEvent, hookEntriesInGroups } from '../../src/clients/adapter/settings.ts'

describe('a line is ours by the program that it starts', () => {
  it.each([
    '/home/me/.local/share/signalbox/bin/signalbox hook --client claude-code',
    "'/home/J O'\\''Neil/bin/signalbox' hook --via managed --client claude-code",
    'signalbox hook --client=claude-code',
    'node /opt/signalbox/bin/signalbox.cjs hook --client claude-code',
    '"/usr/bin/node" --no-warnings "/x y/signalbox.cjs" hook --on-error closed --client claude-code',
    'npx --yes signalbox@1.2.3 hook --client claude-code',
    'npm exec -- signalbox hook --client claude-code',
    'SIGNALBOX_HOME=/x exec signalbox hook --client claude-code 2>/dev/null || exit 2',
    '"$CLAUDE_PROJECT_DIR"/.signalbox/hook --client claude-code',
    'sh "$D/.signalbox/hook" --client claude-code',
    `sh -c 'd=$PWD; exec sh "$d/.signalbox/hook" "$@"' - --client claude-code`,
    "bash -c 'signalbox hook --client claude-code'",
  ])('%s', line => expect(clientOfHookLine(line)).toBe('claude-code'))
  it.each([
    'tee -a ~/signalbox.log | ~/bin/my-hook --client claude-code',
    '~/bin/my-hook signalbox hook --client claude-code',
    'echo signalbox hook --client claude-code',
    '/opt/signalbox/my-hook hook --client claude-code',
    'log-event; true signalbox hook --client claude-code',
    'signalbox-wrapper hook --client claude-code',
    'signalbox status --client claude-code',
    'sh -c \'~/mine "$@" # .signalbox/hook\' - --client claude-code',
    'signalbox hook',
    '',
    '"',
  ])('not: %s', line => expect(clientOfHookLine(line)).toBeUndefined())
})

describe('an entry of ours keeps what a person added to it', () => {
  const groups = hookEntriesInGroups(['PreToolUse'], ({ line }) => ({
    command: `${line} --client claude-code`,
    timeout: 10,
  }))
  const items = hookEntriesByEvent(['preToolUse'], ({ line }, event) => ({
    bash: `${line} --client copilot-cli --event ${event}`,
    timeoutSec: 10,
  }))
  const call = (line: string) => ({ line, words: [], timeoutMs: 0 })
  const again = (item: object, line = '/new/signalbox hook') => {
    const text = JSON.stringify({ hooks: { PreToolUse: [item] } }, null, 2)
    const once = addHookEntries(text, 'claude-code', groups(call(line)))
    expect(addHookEntries(once, 'claude-code', groups(call(line)))).toBe(once)
    return JSON.parse(once).hooks.PreToolUse
  }
  const ours = (command: string, more: object = {}) => ({ hooks: [{ type: 'command', command, timeout: 10, ...more }] })

  it('what an upgrade changes is changed, the rest stays', () => {
    expect(
      again(ours('/old/signalbox hook --client claude-code --on-error closed', { timeout: 90, note: 'x' })),
    ).toEqual([ours('/new/signalbox hook --client claude-code --on-error closed', { timeout: 90, note: 'x' })])
    expect(again(ours('A=1 /old/signalbox hook --on-error closed --client claude-code 2>>log'))).toEqual([
      ours('A=1 /new/signalbox hook --client claude-code --on-error closed 2>>log'),
    ])
    // a time in another unit is no longer time
    for (const timeout of [3, 10_000])
      expect(again(ours('/new/signalbox hook --client claude-code', { timeout }))).toEqual([
        ours('/new/signalbox hook --client claude-code'),
      ])
  })

  it('but for what would keep the hook from being called', () => {
    const disarmed = { matcher: 'Edit', ...ours('/new/signalbox hook --client claude-code', { async: true, if: 'x' }) }
    expect(again(disarmed)).toEqual([ours('/new/signalbox hook --client claude-code')])
  })

  it('where it stands in a group of somebody else, too', () => {
    const mine = { type: 'command', command: 'mine' }
    const [handler] = ours('/old/signalbox hook --client claude-code --on-error closed').hooks
    expect(again({ matcher: 'Bash', hooks: [mine, handler] })).toEqual([
      { matcher: 'Bash', hooks: [mine] },
      ours('/new/signalbox hook --client claude-code --on-error closed'),
    ])
  })

  it('where the event is named in the line', () => {
    const text = JSON.stringify({
      hooks: { preToolUse: [{ bash: 'signalbox hook --client copilot-cli --event preToolUse --on-error closed' }] },
    })
    const { hooks } = JSON.parse(addHookEntries(text, 'copilot-cli', items(call('/new/signalbox hook'))))
    expect(hooks.preToolUse).toEqual([
      { bash: '/new/signalbox hook --client copilot-cli --event preToolUse --on-error closed', timeoutSec: 10 },
    ])
  })
})
