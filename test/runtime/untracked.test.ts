import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../src/engine/index.ts'
import { withoutTrackedFiles } from '../../src/hook/events/actions.ts'

const word = (text: string) => ({ text, role: 'plain' as const })

/** What `git clean -fd` may take from a repository with these files. */
function taken(files: readonly string[], git: readonly (readonly string[])[], more: readonly Action[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'untracked-'))
  try {
    const run = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
    run('init')
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), 'x')
    }
    for (const args of git) run(...args)
    const acts: readonly Action[] = [
      { action: 'run', words: ['git', 'clean', '-fd'].map(word) },
      { action: 'delete', place: { lexical: folder } },
    ]
    return withoutTrackedFiles([...acts, ...more])[1]?.place?.only
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('what git knows of is spared', () => {
  const FILES = ['.claude/settings.json', '.claude/agents/a.md', 'signalbox.yaml', 'src/a.ts', 'new.md']
  const cases: Record<string, readonly [readonly (readonly string[])[], readonly string[]]> = {
    'all of a folder': [[['add', '.claude', 'signalbox.yaml']], ['new.md', 'src']],
    'not a folder with one file more': [[['add', '.claude/agents']], ['.claude', 'new.md', 'signalbox.yaml', 'src']],
    'nothing when nothing is added': [[], ['.claude', 'new.md', 'signalbox.yaml', 'src']],
    'what was taken out of the index is not': [
      [
        ['add', '.'],
        ['rm', '-r', '--cached', '.claude'],
      ],
      ['.claude', 'src'],
    ],
    'what was only promised is no harm': [[['add', '-N', 'signalbox.yaml']], ['.claude', 'new.md', 'src']],
    'an index written in another way tells nothing': [
      [
        ['add', '.'],
        ['update-index', '--index-version', '4'],
      ],
      ['.claude', 'new.md', 'signalbox.yaml', 'src'],
    ],
  }
  it.each(Object.keys(cases))('%s', name => {
    const [git, expected] = cases[name] ?? [[], []]
    expect(taken(FILES, git)?.toSorted()).toEqual(expected)
  })

  it('not where the line does more', () => {
    expect(taken(FILES, [['add', '.']], [{ action: 'run', words: [word('ls')] }])).toBeUndefined()
    expect(taken(FILES, [['add', '.']], [{ action: 'other', opaque: true }])).toBeUndefined()
  })
})
