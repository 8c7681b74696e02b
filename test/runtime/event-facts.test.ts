import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Event } from '../../src/engine/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { eventFacts } from '../../src/hook/facts/event-facts.ts'
import { isInWindow, windowOfName } from '../../src/lib/time-window.ts'

const NAMES = ['git.branch', 'git.remote']
const REMOTE = '[remote "origin"]\n\turl = git@host:acme/app.git\n'

describe('what the hook finds about a repository', () => {
  let root = ''
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'signalbox-facts-'))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
  }
  const eventOf = (line: string): Event => ({
    ...{ kind: 'tool.before', client: 'claude-code', name: 'x', session: 's', caller: { kind: 'main' } },
    call: { tool: 'Bash', input: { command: line }, acts: analyseShellLine(line).acts },
  })
  const found = (line = 'git commit', below = '.') =>
    Object.values(eventFacts(NAMES, eventOf(line), { now: 0, given: {}, cwd: join(root, below) }))

  it('the branch and the remote of the folder, or of a folder above it', () => {
    write({ '.git/HEAD': 'ref: refs/heads/release/1\n', '.git/config': REMOTE, 'src/a': '' })
    expect(found()).toEqual(['release/1', 'git@host:acme/app.git'])
    expect(found('git commit', 'src')).toEqual(['release/1', 'git@host:acme/app.git'])
  })

  it("the branch's own remote", () => {
    const other = '[branch "main"]\n\tremote = up\n[remote "up"]\n  url = https://host/up\n'
    write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': REMOTE + other })
    expect(found()).toEqual(['main', 'https://host/up'])
  })

  it('of a worktree', () => {
    write({
      'repo/.git/config': REMOTE,
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/.git/worktrees/w/HEAD': 'ref: refs/heads/topic\n',
      'repo/.git/worktrees/w/commondir': '../..\n',
      'w/.git': `gitdir: ${join(root, 'repo/.git/worktrees/w')}\n`,
    })
    expect(found('git commit', 'w')).toEqual(['topic', 'git@host:acme/app.git'])
  })

  it('unknown: no repository, no branch, settings elsewhere', () => {
    expect(found()).toEqual([null, null])
    write({
      '.git/HEAD': '0123456789012345678901234567890123456789\n',
      '.git/config': `${REMOTE}[include]\npath = x\n`,
    })
    expect(found()).toEqual([null, null])
  })

  it.each([
    'git checkout x && git commit',
    'git switch x; git push',
    'cd other && git commit',
    'git -C other commit',
    'git $X',
    'eval "$X"; git commit',
  ])('unknown where the line may be on another branch or elsewhere: %s', line => {
    write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': REMOTE })
    expect(found(line)).toEqual([null, null])
  })

  it.each(['git checkout x', 'git add . && git commit', 'npm test && git push'])(
    'the branch before the line: %s',
    line => {
      write({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': REMOTE })
      expect(found(line)[0]).toBe('main')
    },
  )

  it('reads nothing that no condition asks for', () => {
    expect(eventFacts(['CI'], eventOf('ls'), { now: 0, given: {}, cwd: '/nowhere' })).toEqual({})
  })
})

describe('a window of the week', () => {
  const at = (name: string, time: string): boolean => isInWindow(windowOfName(name), Date.parse(time))

  it('knows summer time', () => {
    expect(at('fri 16:00-24:00 Europe/Zurich', '2026-07-03T14:00:00Z')).toBe(true)
    expect(at('fri 16:00-24:00 Europe/Zurich', '2026-11-20T14:00:00Z')).toBe(false)
    expect(at('fri 16:00-24:00 Europe/Zurich', '2026-11-20T15:00:00Z')).toBe(true)
  })

  it('passes midnight, also from Sunday to Monday', () => {
    expect(at('sun 22:00-06:00 UTC', '2026-11-23T05:59:00Z')).toBe(true)
    expect(at('sun 22:00-06:00 UTC', '2026-11-23T06:00:00Z')).toBe(false)
    expect(at('sun 22:00-06:00 UTC', '2026-11-22T05:00:00Z')).toBe(false)
  })
})
