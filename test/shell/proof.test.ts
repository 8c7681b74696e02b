import { describe, expect, it } from 'vitest'
import { readShell } from '../../src/shell/index.ts'
import { marked } from './told.ts'

describe('success proves that a command did what its words say', () => {
  it.each([
    'npm test',
    'npm test -- --help',
    'npm test --silent',
    'npm test -- --grep "$NAME"',
    'CI=1 npm test',
    'NODE_OPTIONS=--max-old-space-size=4096 npm test',
    'pytest -v -n 4',
    'make test',
  ])('%s', line => {
    expect(marked(line, 'implied')).toHaveLength(1)
  })

  it.each([
    'npm test --help',
    'npm test -h',
    'npm test --version',
    'npm test --if-present',
    'npm test --script-shell=true',
    'npm test --script-shell true',
    'npm_config_script_shell=true npm test',
    'npm test $EXTRA',
    'npm test "$EXTRA"',
    'PATH=/tmp:$PATH npm test',
    'export PATH=/tmp; npm test',
    'LD_PRELOAD=x npm test',
    'NODE_OPTIONS="--require ./x" npm test',
    'pytest --collect-only',
    'make -n test',
    'git push --dry-run',
  ])('not with %s', line => {
    expect(marked(line, 'implied').filter(act => /npm|pytest|make|push/.test(act))).toEqual([])
  })
})

describe('where a command works', () => {
  const folder = (line: string) =>
    readShell(line)
      .acts.filter(act => act.words)
      .at(-1)?.folder
  it.each([
    ['npm test', undefined],
    ['cd app && npm test', 'app'],
    ['cd ../q && npm test', '../q'],
    ['cd app && cd .. && npm test', 'app/..'],
    ['cd $X && npm test', null],
    ['cd a; npm test', null],
    ['npm --prefix ../q test', '../q'],
    ['npm -C ../q test', '../q'],
    ['cd a && make -C b test', 'a/b'],
    ['git -C "$X" status', null],
    ['(cd a && true) && npm test', undefined],
  ])('%s: %s', (line, expected) => {
    expect(folder(line)).toBe(expected)
  })
})
