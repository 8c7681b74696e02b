import { describe, expect, it } from 'vitest'
import { matchCommands, parseCommand, type Quantifier, toCommandLine } from '../../src/engine/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'

/** The first simple command of a line, as shell/ reads it, against a pattern. */
function match(pattern: string, line: string, reading: Quantifier = 'any'): string {
  const parsed = parseCommand(pattern)
  const words = analyseShellLine(line).acts.find(act => act.words !== undefined)?.words
  if (!parsed || !words) throw new Error(`cannot read ${pattern} or ${line}`)
  return matchCommands([parsed], { words }, { reading, fill: text => text })
}

describe('a command pattern', () => {
  it.each([
    ['git commit', 'git commit -m x', 'true'],
    ['git commit', 'git status', 'false'],
    ['git commit', '/usr/bin/git commit', 'true'],
    ['git commit', 'g\'\'it com"mit" -m x', 'true'],
    ['git commit', 'git -C /x commit', 'true'],
    ['git commit', 'git --no-pager commit', 'true'],
    ['git commit', 'git $VERB', 'unknown'],
    ['git commit', '$PROGRAM commit', 'unknown'],
    ['git commit', 'git', 'false'],
    ['git', 'git anything', 'true'],
    ['npm run *', 'npm run build', 'true'],
    ['npm run *', 'npm run', 'false'],
    ['npm test', 'npm test -- --watch', 'true'],
    ['signalbox route --record', 'signalbox route "fix it" --record', 'true'],
    ['signalbox route --record', 'signalbox route "fix it"', 'false'],
    ['signalbox route --record', 'signalbox route $WHAT', 'unknown'],
    ['git push --force', 'git push origin main --force', 'true'],
    ['git push --force', 'git push --force=yes', 'true'],
    ['git push --force', 'git push -- --force', 'false'],
    ['rm -r', 'rm -rf x', 'true'],
    ['rm -r', 'rm -f x', 'false'],
    ['rm -rf', 'rm -fr x', 'true'],
    ['rm -rf', 'rm -r -f x', 'true'],
    ['rm -rf', 'rm x -rfv', 'true'],
    ['rm -rf', 'rm -r x', 'false'],
    ['git commit -am', 'git commit -a -m x', 'true'],
    // what stands behind an option may be its value: a pattern is at least about what it says
    ['python -m http.server', 'python -m http.server', 'true'],
    ['python -m http.server', 'python -m http.server 8000', 'true'],
    ['python -m http.server', 'python -m pytest', 'false'],
    ['python -m http.server', 'python http.server', 'false'],
    ['cargo test -p core', 'cargo test -p core', 'true'],
    ['cargo test -p core', 'cargo test --quiet -p core', 'true'],
    ['cargo test -p core', 'cargo test -p web', 'false'],
    ['docker compose -f ci.yml up', 'docker compose -f ci.yml up -d', 'true'],
    ['docker compose -f ci.yml up', 'docker compose -f dev.yml up', 'false'],
    ['npm test -w web', 'npm test -w web', 'true'],
    ['docker run --rm img', 'docker run --rm img', 'true'],
  ])('%s against %s is %s for a rule', (pattern, line, expected) => {
    expect(match(pattern, line)).toBe(expected)
  })

  it.each([
    ['git status', 'git status', 'true'],
    ['git status', 'git status --short', 'true'],
    // `--frob` may swallow `status`, and then this commits
    ['git status', 'git --frob status commit', 'false'],
    ['frob go', 'frob -x go', 'false'],
    ['frob go', 'frob go -x y', 'true'],
    ['python -m pytest', 'python -m pytest', 'true'],
    ['python -m pytest', 'python -m pytest -q', 'true'],
    ['pytest -k smoke', 'pytest -k smoke', 'true'],
    ['tox -e py311', 'tox -e py311', 'true'],
  ])('%s clears %s only under every reading: %s', (pattern, line, expected) => {
    expect(match(pattern, line, 'all')).toBe(expected)
  })

  it('takes any reading for a rule where an option may swallow the next word', () => {
    expect(match('frob go', 'frob -x go')).toBe('true')
    expect(match('frob go', 'frob -x stop go')).toBe('true')
  })

  it.each(['', '   ', '-x'])('`%s` is none', text => {
    expect(parseCommand(text)).toBeNull()
  })
})

describe('a command as it could be typed', () => {
  it.each<[readonly (string | null)[], string]>([
    [['git', 'commit', '-m', 'two words'], "git commit -m 'two words'"],
    [['echo', ''], "echo ''"],
    [['echo', "it's"], 'echo "it\'s"'],
    [['echo', 'a;b', '$x', 'a\\b'], "echo 'a;b' '$x' 'a\\b'"],
    [['ls', '*.ts', '{a,b}', '~/x', 'a=b'], 'ls *.ts {a,b} ~/x a=b'],
    [['rm', null], 'rm …'],
  ])('%j', (texts, line) => {
    expect(toCommandLine(texts.map(text => ({ text, role: 'plain' as const })))).toBe(line)
  })
})
