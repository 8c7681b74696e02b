import { describe, expect, it } from 'vitest'
import { addHookEntries, removeHookEntries } from '../../src/app/install/settings-file/hook-entries.ts'
import { hookEntriesInGroups } from '../../src/clients/adapter/settings.ts'

const groups = hookEntriesInGroups(['PreToolUse', 'Stop'], ({ line }) => ({ command: line, timeout: 10 }))
const entries = (line: string) => groups({ line, words: [], timeoutMs: 10_000 })
const paths = entries('').map(({ path }) => path)
const at = (place: string) => entries(`${place}/signalbox hook --client claude-code`)
const put = (text: string, place = '/opt') => addHookEntries(text, 'claude-code', at(place))

const MINE = `{
  // my own
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard.sh" }] }
    ],
  },
  "model": "opus"
}
`

describe('registering', () => {
  it('twice is once', () => {
    const once = put(MINE)
    expect(put(once)).toBe(once)
    expect(once.match(/signalbox hook/g)).toHaveLength(2)
    expect(once).toContain('// my own')
    expect(once).toContain('guard.sh')
  })

  it('another place replaces the entry where it stands', () => {
    const moved = put(put(MINE), '/home/dev/.local')
    expect(moved).not.toContain('/opt/')
    expect(moved).toBe(put(MINE, '/home/dev/.local'))
  })

  it('a copy too many is taken out', () => {
    const once = put('{}')
    const twice = once.replace(/( {6}\{\n[\s\S]*?\n {6}\})/, '$1,\n$1')
    expect(twice.match(/signalbox hook/g)).toHaveLength(3)
    expect(put(twice).match(/signalbox hook/g)).toHaveLength(2)
  })

  it('the hook of another agent in the same file is not ours', () => {
    const other = addHookEntries('{}', 'qwen-code', entries('/opt/signalbox hook --client qwen-code'))
    expect(put(other).match(/signalbox hook/g)).toHaveLength(4)
    expect(put(addHookEntries('{}', 'claude', entries('/opt/signalbox hook --client claude')))).toContain(
      '--client claude"',
    )
  })

  it('a new file says what belongs beside', () => {
    const text = addHookEntries(
      '',
      'copilot-cli',
      [{ path: ['hooks', 'preToolUse'], item: { bash: 'signalbox hook --client copilot-cli' } }],
      { version: 1 },
    )
    expect(JSON.parse(text)).toEqual({
      version: 1,
      hooks: { preToolUse: [{ bash: 'signalbox hook --client copilot-cli' }] },
    })
  })

  it('taken out again, the rest is as it was', () => {
    for (const text of ['{}', '{"a":1}', '{\n  "a": 1\n}\n', MINE])
      expect(removeHookEntries(put(text), 'claude-code', paths).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  })

  it("a person's own handler in our group stays, and so does ours in theirs", () => {
    const mine = { type: 'command', command: 'guard.sh' }
    const told = JSON.parse(put('{}'))
    told.hooks.PreToolUse[0].hooks.push(mine)
    told.hooks.PreToolUse[0].matcher = 'Bash'
    const text = JSON.stringify(told, null, 2)
    const rest = JSON.parse(removeHookEntries(text, 'claude-code', paths))
    expect(rest).toEqual({ hooks: { PreToolUse: [{ hooks: [mine], matcher: 'Bash' }] } })
    // put in again it has a group of its own, for every tool
    const again = JSON.parse(put(text))
    expect(again.hooks.PreToolUse).toEqual([{ hooks: [mine], matcher: 'Bash' }, at('/opt')[0]?.item])
    expect(put(put(text))).toBe(put(text))
  })
})
