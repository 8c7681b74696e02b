import { expect, it } from 'vitest'
import { commands } from '../../src/app/cli/index.ts'
import { suggestCommand } from '../../src/app/cli/suggest-command.ts'

const names = commands.map(({ name }) => name)

it.each([
  ['dashboard', 'ui'],
  ['install', 'init'],
  ['setup', 'init'],
  ['remove', 'uninstall'],
  ['lint', 'check'],
  ['validate', 'check'],
  ['show', 'policy show'],
  ['verify', 'audit verify'],
  ['enable', 'on'],
  ['disable', 'off'],
  ['workflow', 'orchestrate'],
  ['logs', 'log'],
  ['expl', 'explain'],
  ['chekc', 'check'],
  ['tets', 'test'],
])('`%s` is a word for `%s`', (word, name) => {
  expect(names).toContain(name)
  expect(suggestCommand(word, names)).toBe(`; did you mean \`${name}\`?`)
})

it.each(['edit', 'xyz', 'new', 'allow', 'd', ''])('`%s` is no command, and nothing like one', word => {
  expect(suggestCommand(word, names)).toBe('')
})
