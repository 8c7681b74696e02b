import { describe, expect, it } from 'vitest'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { touched } from './action-text.ts'
import { proves } from './proves.ts'

const GUARDED = '.claude/settings.json'
const normal = (acts: readonly string[]): string[] => acts.map(act => act.replace(/ \.\/(?=.)/, ' '))

describe('a write through a link that the line makes is a write to what it leads to', () => {
  it.each([
    `ln -s $PWD/${GUARDED} /tmp/z; echo > /tmp/z`,
    'ln -s $PWD /tmp/z; echo > /tmp/z/.claude/settings.json',
    'ln -s "$(pwd)/.claude" /tmp/z && echo > /tmp/z/settings.json',
    `ln $PWD/${GUARDED} /tmp/z; echo > /tmp/z`,
    `cp -s $PWD/${GUARDED} /tmp/z; echo > /tmp/z`,
    `cp -l ${GUARDED} /tmp/z; echo > /tmp/z`,
    'cp -rs $PWD/.claude /tmp/z; echo > /tmp/z/settings.json',
    'ln -sr .claude /tmp/z; echo > /tmp/z/settings.json',
    'mount --bind .claude /tmp/z; echo > /tmp/z/settings.json',
    'mount -o bind $PWD /tmp/z; echo > /tmp/z/.claude/settings.json',
    'ln -s .claude z; ln -s z y; echo > y/settings.json',
    'ln -s .claude z; mv z y; echo > y/settings.json',
    'ln -s .claude z; cp -P z y; echo > y/settings.json',
    'ln -s .claude z; echo > /home/me/app/z/settings.json',
    'ln -s /home/me/app/.claude /home/me/app/z; echo > z/settings.json',
    'ln -s .claude z; echo > .//z/./settings.json',
    'mkdir x; ln -s .claude x/../z; echo > z/settings.json',
    `${Array.from({ length: 20 }, (_, at) => `ln -s a b${at}; `).join('')}ln -s .claude z; echo > z/settings.json`,
  ])('%s', line => {
    const acts = normal(touched(line)).map(act => act.replace('/home/me/app/', '').replace('x/../', ''))
    expect(acts).toContain(`write ${GUARDED}`)
  })

  it.each([
    ['a wildcard names the link', 'ln -s .claude zz; rm z?/settings.json', 'delete .claude/settings.json (glob)'],
    ['a wildcard names the target', 'ln -s .c* z; echo > z/settings.json', 'write .c*/settings.json (glob)'],
    ['nobody knows where the link is', 'ln -s .claude $X; echo > /tmp/q', 'write .claude'],
    ['nobody knows where it leads', 'ln -s $X z; echo > z/a', 'write ?'],
    [
      'there are too many links',
      `${Array.from({ length: 70 }, (_, at) => `ln -s a b${at};`).join('')} echo > c`,
      'write ?',
    ],
  ])('%s', (_name, line, expected) => {
    expect(touched(line)).toContain(expected)
  })

  it('other paths stay as they are', () => {
    expect(touched('ln -s ../lib b/lib && echo > c/lib')).toEqual([
      'read ../lib',
      'write b/lib',
      'write b/lib/lib',
      'write c/lib',
    ])
  })
})

describe('a program that deletes by an option', () => {
  it.each([
    `tar cf a.tar -C .claude --remove-files settings.json`,
    `tar cf a.tar --remove-files --directory=.claude settings.json`,
    `tar cf a.tar --remove-files --dir .claude settings.json`,
    `tar cfC a.tar .claude --remove-files settings.json`,
    `tar cf a.tar --remove-files b -C .claude settings.json`,
    `tar cf a.tar --remove-files -C . -C .claude settings.json`,
    'python3 -m venv --clear .claude/settings.json',
  ])('%s', line => {
    expect(normal(touched(line))).toContain(`delete ${GUARDED}`)
  })
  it('deletes only there', () => {
    expect(touched('tar cf a.tar --remove-files -C dist .')).toEqual(['delete dist', 'write a.tar'])
  })
  it.each(['tar cf a.tar --remove-files -T list', 'find . -name x | zip -m a -@'])('%s', line => {
    expect(touched(line)).toContain('delete ?')
  })
  it.each(['--delete', '--del', '--delete-during', '--delete-delay', '--delete-missing-args'])('rsync %s', option => {
    expect(touched(`rsync -a ${option} a/ .claude/`)).toContain('delete .claude/')
  })
})

describe('options and names from elsewhere', () => {
  it.each([
    `curl -K - <<< output=${GUARDED}`,
    `curl --config - <<E\nurl = "https://x/y"\noutput: "${GUARDED}"\nE`,
    `echo '-o ${GUARDED}' | curl -K - https://x/y`,
    `curl -K /dev/stdin https://x <<< dump-header=${GUARDED}`,
    `git restore --pathspec-from-file=- <<< ${GUARDED}`,
  ])('%j', line => {
    expect(touched(line)).toContain(`write ${GUARDED}`)
  })
  it.each([
    ['curl -K f', 'opaque'],
    ['wget --config=f https://x', 'opaque'],
    ['wget -e output_document=f https://x', 'opaque'],
    ['wget -i list', 'write ?'],
    ["curl -o '.claude/#1' 'https://x.io/{settings.json}'", 'write .claude/* (glob)'],
    ["curl -o '#1/settings.json' 'https://x.io/{.claude}'", 'write */settings.json (glob)'],
    ['tar cf a.tar -T list', 'opaque'],
    ['git checkout --pathspec-from-file=f', 'write ?'],
    ['git rm --pathspec-from-file=f', 'delete .'],
  ])('%s', (line, expected) => {
    expect(touched(line)).toContain(expected)
  })
})

it('a list of addresses names any file in the folder of the downloads', () => {
  const { acts } = analyseShellLine('wget -i list -P .claude')
  const writes = acts.filter(({ action }) => action === 'write')
  expect(writes[0]?.place).toMatchObject({ lexical: '.claude', whole: true })
})

describe('what a command lists is deleted by the command that gets the list', () => {
  it.each([
    ['ls -A | xargs rm -rf', 'delete .'],
    ['ls -a | sort | xargs -n1 rm -rf', 'delete .'],
    ['ls -A | grep -v keep | xargs rm -rf', 'delete .'],
    ['(ls -A) | xargs rm -rf', 'delete .'],
    ["sh -c 'ls -A' | xargs rm -rf", 'delete .'],
    ['ls -A | while read f; do rm -rf "$f"; done', 'delete .'],
    ['rm -rf $(ls -A)', 'delete .'],
    ['find . -type f -print0 | xargs -0 rm', 'delete .'],
    ['ls | xargs rm -rf', 'delete ./* (glob)'],
    ['cd build && ls -A | xargs rm -rf', 'delete build'],
  ])('%s', (line, expected) => {
    expect(touched(line)).toContain(expected)
  })
  it.each([
    'ls -la; rm "$X"',
    '[ -z "$(ls -A)" ] && rm -rf "$D"',
    'find . | grep pyc | xargs rm',
    "find . -path '*/__pycache__/*' | xargs rm",
    'git ls-files | xargs rm',
  ])('not: %s', line => {
    expect(touched(line).filter(act => act.startsWith('delete'))).toEqual(['delete ?'])
  })
  it('nor is it written', () => {
    expect(touched('find . -type f | xargs sed -i s/a/b/')).toEqual(['read .', 'write ?'])
  })
  it('many searches do not hide one', () => {
    const line = `${Array.from({ length: 40 }, (_, at) => `find a${at} -name b; `).join('')}find .claude | xargs rm`
    expect(touched(line)).toContain('delete .claude')
    expect(analyseShellLine(`${'find a b; '.repeat(200)}rm "$X"`).readable).toBe(false)
  })
})

describe('programs that fill a folder they are given', () => {
  it.each([
    'python3 -m venv x',
    'python3.12 -m venv --upgrade x',
    'python -m zipfile -e a.zip x',
    'virtualenv -p python3 x',
    'git clone . x',
    'degit a/b x',
    'ditto a x',
    'dpkg -x a.deb x',
    'unrar x a.rar x',
    'unsquashfs -d x a.sqfs',
    'sg -U -p a -r b x',
    'ast-grep run -p a -r b --update-all x',
  ])('%s', line => {
    expect(touched(line)).toContain('write x')
  })
  it('sg also runs a line', () => {
    expect(touched("sg wheel -c 'rm x'")).toEqual(['delete x'])
  })
})

describe('a line that changes the settings of its own check', () => {
  it.each([
    'npm config set script-shell true; npm test',
    'npm config set script-shell true && npm test && npm config delete script-shell',
    'npm set script-shell true && npm test',
    'npm --location=user config set script-shell true && npm test',
    'npm pkg set scripts.test=true && npm test',
    'echo script-shell=true > .npmrc; npm test',
    'echo script-shell=true >> ~/.npmrc && npm test',
    'printf x | tee .npmrc && npm test',
    'npm test && echo > conftest.py',
    'ln -sf /bin/true node_modules/.bin/jest && npm test',
    'npm_config_script_shell=true npm test',
    'PATH=/tmp/x:$PATH npm test',
    'cp /bin/true node_modules/.bin/vitest; npm test',
  ])('%s proves nothing', line => {
    expect(proves('npm test', line)).toBe(false)
  })
  it('make with another shell proves nothing', () => {
    expect(proves('make test', 'make SHELL=true test')).toBe(false)
    expect(proves('make test', 'make SHELL=true test; make test')).toBe(true)
  })
  it.each([
    'npm install && npm test',
    'git config user.name x && npm test',
    'npm test > out.log',
    'npm config get x; npm test',
  ])('%s still does', line => {
    expect(proves('npm test', line)).toBe(true)
  })
})
