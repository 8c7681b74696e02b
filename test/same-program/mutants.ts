import { expect } from 'vitest'
import { differences } from '../../scripts/same-program/compare.mjs'

export type Files = Readonly<Record<string, string>>
type Options = { moves?: Files; properties?: Files; entries?: readonly string[] }

export const compareAll = (before: Files, after: Files, { moves = {}, properties = {}, entries = [] }: Options = {}) =>
  differences(new Map(Object.entries(before)), new Map(Object.entries(after)), {
    moves: new Map(Object.entries(moves)),
    properties: new Map(Object.entries(properties)),
    entries,
  })
export const compare = async (...args: Parameters<typeof compareAll>) => (await compareAll(...args)).problems

/** An entry, a barrel, two modules behind it. */
export const BEFORE: Files = {
  'src/main.ts': `
    import { first, second } from './parts/index.ts'
    export const main = (list: string[]) => list.map(one => first(one, second)).join(' and ')`,
  'src/parts/index.ts': `export { first } from './first.ts'\nexport { second } from './second.ts'`,
  'src/parts/first.ts': `
    import { join } from 'node:path'
    export interface Part { name: string }
    const twice = (text: string) => text + text
    export function first(text: string, other: (text: string) => string) { return join(twice(text), other(text)) }`,
  'src/parts/second.ts': `
    export const second = (text: string): string => ({ text }).text
    export const third = (a: number, b: number) => a - b`,
}

/** The same with other names; the formatter has sorted both lists. */
export const RENAMED: Files = {
  'src/main.ts': `
    import { alpha, zeta } from './parts/index.ts'
    export const main = (words: string[]) => words.map(word => zeta(word, alpha)).join(' and ')`,
  'src/parts/index.ts': `export { alpha } from './second.ts'\nexport { zeta } from './first.ts'`,
  'src/parts/first.ts': `
    import { join } from 'node:path'
    const doubled = (line: string) => line + line
    export type Piece = { name: string }
    export function zeta(line: string, next: (text: string) => string) { return join(doubled(line), next(line)) }`,
  'src/parts/second.ts': `
    export const alpha = (line: string): string => ({ text: line }).text
    export const difference = (left: number, right: number) => left - right`,
}

export const changed = (path: string, from: string, to: string): Files => {
  const text = RENAMED[path] ?? ''
  expect(text).toContain(from)
  return { ...RENAMED, [path]: text.replace(from, to) }
}

/** What is changed in the renamed program, how, and what is said about it. */
export const MUTANTS: readonly (readonly [string, Files, string])[] = [
  [
    'a local captures a renamed import',
    changed('src/main.ts', 'word => zeta(word, alpha)', 'alpha => zeta(alpha, alpha)'),
    'src/main.ts: in main: meaning: second of src/parts/second.ts | alpha2 of src/main.ts, not alpha of src/parts/second.ts',
  ],
  [
    'a local captures a renamed function of the module',
    changed(
      'src/parts/first.ts',
      'next: (text: string) => string) { return join(doubled(line), next(line)) }',
      'doubled: (text: string) => string) { return join(doubled(line), doubled(line)) }',
    ),
    'src/parts/first.ts: in first: meaning: twice of src/parts/first.ts | doubled2 of src/parts/first.ts, not doubled of src/parts/first.ts',
  ],
  ['a literal is changed', changed('src/main.ts', ' and ', ' or '), 'src/main.ts: in main: text:  and  |  or '],
  [
    'arguments are swapped',
    changed('src/main.ts', 'zeta(word, alpha)', 'zeta(alpha, word)'),
    'src/main.ts: in main: meaning: one of src/main.ts | alpha of src/parts/second.ts, not word of src/main.ts',
  ],
  [
    'operands are swapped',
    changed('src/parts/second.ts', 'left - right', 'right - left'),
    'src/parts/second.ts: in third: meaning: a of src/parts/second.ts | right of src/parts/second.ts, not left of src/parts/second.ts',
  ],
  [
    'an operator is changed',
    changed('src/parts/second.ts', 'left - right', 'left + right'),
    'src/parts/second.ts: in third: text: - | +',
  ],
  [
    'a property is renamed',
    changed('src/parts/second.ts', '({ text: line }).text', '({ line }).line'),
    'src/parts/second.ts: in second: text: text | line',
  ],
  [
    'another property is read',
    changed('src/parts/second.ts', ').text', ').line'),
    'src/parts/second.ts: in second: text: text | line',
  ],
  [
    'another function of a package is called',
    changed('src/parts/first.ts', '{ join }', '{ resolve as join }'),
    'src/parts/first.ts: in first: meaning: join of node:path | resolve of node:path',
  ],
  [
    'another package is used',
    changed('src/parts/first.ts', `'node:path'`, `'path'`),
    'src/parts/first.ts: in first: meaning: join of node:path | join of path',
  ],
  [
    'a global takes the place of a function',
    changed('src/parts/first.ts', 'doubled(line),', 'String(line),'),
    'src/parts/first.ts: in first: meaning: twice of src/parts/first.ts | global String',
  ],
  [
    're-exports are swapped',
    {
      ...RENAMED,
      'src/parts/index.ts': `export { alpha as zeta } from './second.ts'\nexport { zeta as alpha } from './first.ts'`,
    },
    'src/main.ts: in main: meaning: first of src/parts/first.ts | alpha of src/parts/second.ts, not zeta of src/parts/first.ts',
  ],
  [
    'imports are swapped',
    changed('src/main.ts', '{ alpha, zeta }', '{ zeta as alpha, alpha as zeta }'),
    'src/main.ts: in main: meaning: first of src/parts/first.ts | alpha of src/parts/second.ts, not zeta of src/parts/first.ts',
  ],
  [
    'an import leads nowhere',
    changed('src/parts/index.ts', `export { zeta } from './first.ts'`, ''),
    'src/main.ts: in main: meaning: first of src/parts/first.ts | nothing',
  ],
  [
    'an export is missing',
    changed('src/parts/second.ts', 'export const difference', 'const difference'),
    'src/parts/second.ts: export: third of src/parts/second.ts | difference of src/parts/second.ts is not exported',
  ],
  [
    'an export is new',
    changed('src/parts/first.ts', 'const doubled', 'export const doubled'),
    'src/parts/first.ts: export: twice of src/parts/first.ts is not exported | doubled of src/parts/first.ts',
  ],
  [
    'an entry exports another name',
    changed('src/main.ts', 'export const main', 'export const start'),
    'src/main.ts: exported name main: meaning: main of src/main.ts | nothing',
  ],
  [
    'a statement is new',
    changed('src/parts/second.ts', 'export const difference', 'console.log(1)\nexport const difference'),
    'src/parts/second.ts: number of statements: 2 | 3',
  ],
  [
    'a module is loaded for its effect',
    changed('src/parts/second.ts', 'export const alpha', `import './first.ts'\nexport const alpha`),
    'src/parts/second.ts: imports for their effect:  | src/parts/first.ts',
  ],
  ['a module is new', { ...RENAMED, 'src/new.ts': 'console.log(1)' }, 'src/new.ts: is new'],
]
