import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseShellLine, parsePatchActions } from '../../src/engine/shell/index.ts'
import { told } from './action-text.ts'

const pieces = fc.constantFrom(
  ...[
    'a',
    'rm',
    'git',
    'sed',
    'awk',
    'tar',
    '-i',
    '-c',
    '--',
    '-o',
    '=',
    '$X',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '\\',
    '{',
    '}',
    ',',
  ],
  ...[
    ' ',
    '\n',
    ';',
    '&',
    '|',
    '<',
    '>',
    '<<E',
    'E',
    '*',
    '?',
    '[',
    ']',
    '~',
    '!',
    '#',
    '(',
    '((',
    '$((',
    `\${`,
    'if',
    'fi',
  ],
  ...[
    'do',
    'done',
    'for',
    'case',
    'esac',
    'in',
    'X=',
    'bash',
    'eval',
    'env',
    'xargs',
    'find',
    '-exec',
    '{}',
    'cd',
    '/',
    '..',
  ],
)

const shape = (line: string): void => {
  const { readable, acts } = analyseShellLine(line)
  if (!readable) expect(acts).toHaveLength(1)
  for (const act of acts) expect(act.via?.length ?? 0).toBeLessThanOrEqual(line.length)
}

describe('any text', () => {
  it('is read without an exception', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), shape), { numRuns: 1000 })
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), parts => shape(parts.join(''))),
      { numRuns: 3000 },
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), parts => shape(parts.join(' '))),
      { numRuns: 3000 },
    )
  })
  it('is read the same twice', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), parts => {
        const line = parts.join(' ')
        expect(analyseShellLine(line)).toEqual(analyseShellLine(line))
      }),
    )
  })
  it('is never an empty patch', () => {
    fc.assert(fc.property(fc.string(), text => parsePatchActions(text).length > 0))
  })
})

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const WRAPPERS: Readonly<Record<string, (line: string) => string>> = {
  env: line => `env A=1 ${line}`,
  sudo: line => `sudo ${line}`,
  'bash -c': line => `bash -c ${quoted(line)}`,
  'sh -lc': line => `sh -lc ${quoted(line)}`,
  eval: line => `eval ${quoted(line)}`,
  subshell: line => `(${line})`,
  group: line => `{ ${line}; }`,
  pipe: line => `${line} | cat`,
  time: line => `time ${line}`,
  nohup: line => `nohup ${line}`,
  timeout: line => `timeout 5 ${line}`,
  substitution: line => `echo $(${line})`,
  quoted: line => `echo "$(${line})"`,
  if: line => `if true; then ${line}; fi`,
  for: line => `for i in 1 2; do ${line}; done`,
  function: line => `f() { ${line}; }; f`,
  heredoc: line => `bash <<'END_OF_IT'\n${line}\nEND_OF_IT`,
  background: line => `${line} &`,
  'signalbox run': line => `signalbox run -- ${line}`,
}

const name = fc.constantFrom(
  'a',
  'src/b.ts',
  '-f',
  '--x=1',
  '--',
  '*.md',
  "'x y'",
  '"q;r"',
  '\\$z',
  '~/w',
  'https://x.y/z',
)
const program = fc.constantFrom(
  'rm',
  'git',
  'cp',
  'cat',
  'unheard',
  'tee',
  'sed',
  'curl',
  'tar',
  'touch',
  'npm',
  'grep',
)
const command = fc.tuple(program, fc.array(name, { maxLength: 4 })).map(([first, rest]) => [first, ...rest].join(' '))

describe('wrapping a command keeps its acts', () => {
  it.each(Object.keys(WRAPPERS))('%s', wrapper => {
    fc.assert(
      fc.property(command, line => {
        expect(told(WRAPPERS[wrapper]?.(line) ?? '')).toEqual(expect.arrayContaining(told(line)))
      }),
      { numRuns: 200 },
    )
  })
  it('however often', () => {
    fc.assert(
      fc.property(command, fc.array(fc.constantFrom(...Object.keys(WRAPPERS)), { maxLength: 3 }), (line, wrappers) => {
        // a keyword cannot follow a wrapping program, so the shells come in between
        const wrapped = wrappers.reduce((inner, wrapper) => WRAPPERS[wrapper]?.(`bash -c ${quoted(inner)}`) ?? '', line)
        expect(told(wrapped)).toEqual(expect.arrayContaining(told(line)))
      }),
      { numRuns: 300 },
    )
  })
})
