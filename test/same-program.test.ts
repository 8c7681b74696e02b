import { describe, expect, it } from 'vitest'
import { BEFORE, changed, compare, compareAll, MUTANTS, RENAMED } from './same-program/mutants.ts'

describe('what is the same program', () => {
  it('has other names for variables, parameters, functions and types', async () => {
    expect(await compare(BEFORE, RENAMED)).toEqual([])
  })

  it('sorts one list of exports anew by new names', async () => {
    const use = (a: string, b: string) => `import { ${a}, ${b} } from './index.ts'\nconsole.log(${a}() - ${b}())`
    const two = (a: string, b: string) => `export function ${a}() { return 1 }\nexport function ${b}() { return 2 }`
    const before = {
      'src/use.ts': use('a', 'b'),
      'src/index.ts': `export { a, b } from './x.ts'`,
      'src/x.ts': two('a', 'b'),
    }
    const after = {
      'src/use.ts': use('z', 'y'),
      'src/index.ts': `export { y, z } from './x.ts'`,
      'src/x.ts': two('z', 'y'),
    }
    expect(await compare(before, after)).toEqual([])
  })

  it('swaps two names everywhere', async () => {
    const use = (a: string, b: string) => `import { ${a}, ${b} } from './x.ts'\nconsole.log(${a} - ${b})`
    const two = (a: string, b: string) => `export const ${a} = 1, ${b} = 2`
    expect(
      await compare(
        { 'src/use.ts': use('a', 'b'), 'src/x.ts': two('a', 'b') },
        { 'src/use.ts': use('b', 'a'), 'src/x.ts': two('b', 'a') },
      ),
    ).toEqual([])
  })

  it('moves modules, as a list says', async () => {
    const after = {
      'src/main.ts': RENAMED['src/main.ts']?.replace('./parts/', './pieces/') ?? '',
      'src/pieces/index.ts': `export { alpha } from './a.ts'\nexport { zeta } from './b.ts'`,
      'src/pieces/a.ts': RENAMED['src/parts/second.ts'] ?? '',
      'src/pieces/b.ts': RENAMED['src/parts/first.ts'] ?? '',
    }
    const moves = { 'src/parts/second.ts': 'src/pieces/a.ts', 'src/parts/first.ts': 'src/pieces/b.ts' }
    expect(await compare(BEFORE, after, { moves })).toEqual([])
    // without a list by what is in them
    expect(await compare(BEFORE, after)).toEqual([])
    const wrong = { 'src/parts/second.ts': 'src/pieces/b.ts', 'src/parts/first.ts': 'src/pieces/a.ts' }
    expect(await compare(BEFORE, after, { moves: wrong })).not.toEqual([])
  })

  it('takes a module of the same path for another one where a list says so', async () => {
    const before = { 'src/a.ts': 'console.log(1)', 'src/b.ts': 'console.log(2)' }
    const after = { 'src/b.ts': 'console.log(1)', 'src/c.ts': 'console.log(2)' }
    expect(await compare(before, after, { moves: { 'src/a.ts': 'src/b.ts', 'src/b.ts': 'src/c.ts' } })).toEqual([])
    expect(await compare(before, after)).not.toEqual([])
  })

  it('dissolves a module of re-exports, or puts one in between', async () => {
    const { 'src/parts/index.ts': _, ...rest } = RENAMED
    const direct = {
      ...rest,
      'src/main.ts': (RENAMED['src/main.ts'] ?? '').replace(
        `import { alpha, zeta } from './parts/index.ts'`,
        `import { alpha } from './parts/second.ts'\nimport { zeta } from './parts/first.ts'`,
      ),
    }
    expect(await compare(BEFORE, direct)).toEqual([])
    expect(await compare(direct, BEFORE)).toEqual([])
    const starred = {
      ...direct,
      ...changed('src/parts/index.ts', `export { zeta } from './first.ts'`, `export * from './deep.ts'`),
    }
    expect(
      await compare(BEFORE, {
        ...starred,
        'src/main.ts': RENAMED['src/main.ts'] ?? '',
        'src/parts/deep.ts': `import { zeta } from './first.ts'\nexport { zeta }`,
      }),
    ).toEqual([])
  })

  it('renames what is looked up in a module', async () => {
    const use = (name: string) => `
      import * as x from './x.ts'
      const { ${name}: picked } = await import('./x.ts')
      console.log(x.${name}, picked, (await import('./x.ts')).${name})`
    const names = (a: string, b: string) => `export const ${a} = 1, ${b} = 2`
    const before = { 'src/use.ts': use('a'), 'src/x.ts': names('a', 'b') }
    expect(await compare(before, { 'src/use.ts': use('c'), 'src/x.ts': names('c', 'b') })).toEqual([])
    for (const place of ['{ c:', 'x.c', ')).c']) {
      const wrong = use('c').replace(place, place.replace('c', 'b'))
      expect(await compare(before, { 'src/use.ts': wrong, 'src/x.ts': names('c', 'b') }), place).toHaveLength(1)
    }
  })

  it('wraps and renames elements of a page', async () => {
    const page = (name: string, space: string) =>
      `const ${name} = (p: { a: number }) => <b>{p.a}</b>\nconsole.log(<p>${space}<${name} a={1} />${space}</p>)`
    expect(await compare({ 'ui/src/a.tsx': page('Old', '') }, { 'ui/src/a.tsx': page('NewName', '\n  ') })).toEqual([])
    expect(await compare({ 'ui/src/a.tsx': page('Old', '') }, { 'ui/src/a.tsx': page('NewName', ' ') })).toHaveLength(1)
  })
})

describe('what is another program', () => {
  for (const [name, after, difference] of MUTANTS)
    it(name, async () => {
      expect(await compare(BEFORE, after)).toEqual([difference])
    })

  it('a module is gone', async () => {
    const after = Object.fromEntries(Object.entries(RENAMED).filter(([path]) => path !== 'src/parts/second.ts'))
    expect(await compare(BEFORE, after)).toContain('src/parts/second.ts: is gone')
  })

  it('two exports are swapped where they are declared', async () => {
    const use = { 'src/use.ts': `import { a, b } from './x.ts'\nconsole.log(a() - b())` }
    const before = { ...use, 'src/x.ts': 'export function a() { return 1 }\nexport function b() { return 2 }' }
    const after = { ...use, 'src/x.ts': 'export function b() { return 1 }\nexport function a() { return 2 }' }
    expect(await compare(before, after)).toEqual([
      'src/use.ts: in statement 1: meaning: a of src/x.ts | a of src/x.ts, not b of src/x.ts',
    ])
  })

  const scopes: Readonly<Record<string, readonly [string, string]>> = {
    'a variable of a block': ['let a = 1; { let b = 2; console.log(a) }', 'let a = 1; { let a = 2; console.log(a) }'],
    'a variable of a loop': [
      'let a = 1; for (const b of [2]) console.log(a)',
      'let a = 1; for (const a of [2]) console.log(a)',
    ],
    'a variable of a switch': [
      'let a = 1; switch (1) { case 1: let b; console.log(a) }',
      'let a = 1; switch (1) { case 1: let a; console.log(a) }',
    ],
    'what is caught': [
      'let a = 1; try {} catch (b) { console.log(a) }',
      'let a = 1; try {} catch (a) { console.log(a) }',
    ],
    'a name of a function': ['let a = 1; (function b() { return a })()', 'let a = 1; (function a() { return a })()'],
    'a name of a class': ['let a = 1; (class b { c = a })', 'let a = 1; (class a { c = a })'],
    'a part of a parameter': ['let a = 1; ({ c: [b = 2] }) => a', 'let a = 1; ({ c: [a = 2] }) => a'],
    'the rest of the parameters': ['let a = 1; (...b) => a', 'let a = 1; (...a) => a'],
    'a var further down': [
      'let a = 1; () => { console.log(a); { var b = 2 } }',
      'let a = 1; () => { console.log(a); { var a = 2 } }',
    ],
    'a var named as a parameter': ['(a) => { var b; return b }', '(a) => { var a; return a }'],
    'a global': ['const b = 1; console.log(Number)', 'const Number = 1; console.log(Number)'],
  }
  for (const [name, [before, after]] of Object.entries(scopes))
    it(`a name is captured by ${name}`, async () => {
      expect(await compare({ 'src/a.ts': before }, { 'src/a.ts': after })).toHaveLength(1)
    })
})

describe('properties that are listed', () => {
  const user = (name: string) =>
    `import * as x from './x.ts'\nconst all = { x: () => x }\nconsole.log(all.x().${name}())`
  const module = (name: string) => `export const ${name} = () => 1, other = 2`
  const before = { 'src/use.ts': user('look'), 'src/x.ts': module('look') }
  const after = { 'src/use.ts': user('find'), 'src/x.ts': module('find') }

  it('may be renamed, also as exports of a module that is passed on as a whole', async () => {
    expect(await compare(before, after, { properties: { look: 'find' } })).toEqual([])
    expect(await compare(before, after)).not.toEqual([])
  })

  it('must be listed where only the export is renamed', async () => {
    expect(await compare(before, { ...before, 'src/x.ts': module('find') })).toEqual([
      'src/x.ts: exported name look: meaning: look of src/x.ts | nothing',
    ])
  })

  it('are noted where they keep their name', async () => {
    const keeps = { ...after, 'src/use.ts': `${user('find')}\nconsole.log({ look: 1 })` }
    const had = { ...before, 'src/use.ts': `${user('look')}\nconsole.log({ look: 1 })` }
    expect(await compareAll(had, keeps, { properties: { look: 'find' } })).toEqual({
      problems: [],
      notes: ['src/use.ts: in statement 3: note: look keeps its name'],
    })
  })

  it('are those of a file of the build, too', async () => {
    const files = (name: string) => ({
      'src/main.ts': `import { ${name} } from './engine.ts'\n${name}()`,
      'src/engine.ts': `export const ${name} = () => 1`,
      'src/load.ts': `console.log(load('./engine.cjs').look())`,
    })
    expect(await compare(files('look'), files('find'))).toEqual([])
    expect(await compare(files('look'), files('find'), { entries: ['src/engine.ts'] })).toHaveLength(1)
  })
})
