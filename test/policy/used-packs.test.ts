import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const gate = (name: string, more = '') =>
  `gates: { ${name}: { ${more} rules: [{ id: ${name}-rule, when: { command: ${name} }, then: deny, message: m }] } }`

/** A project with the packs `disk`, `net` and `careful`, which uses both. */
function project(careful: string, use: string): House {
  const house = new House()
  house.write('p/disk/pack.yaml', gate('disk'))
  house.write('p/net/pack.yaml', gate('net'))
  house.write('p/careful/pack.yaml', careful)
  house.project(`use: ${use}\n`)
  return house
}

const modes = (house: House) => house.load().program.gates.map(({ id, mode }) => [id, mode])
const problems = (house: House) => house.load().problems.map(({ message, help }) => [message, help])

describe('a pack that uses packs', () => {
  it('brings them into the layer, with the options that it writes', () => {
    const house = project('use: [../disk, { ../net: { mode: block } }]', '[./p/careful]')
    expect(problems(house)).toEqual([])
    expect(modes(house)).toEqual([
      ['project/disk', 'block'],
      ['project/net', 'block'],
    ])
  })

  it('may have gates of its own', () => {
    const house = project(`use: [../disk]\n${gate('own')}`, '[./p/careful]')
    expect(modes(house).map(([id]) => id)).toEqual(['project/own', 'project/disk'])
  })

  it('hands its mode to the packs it uses, and a weaker mode of a project waits for trust', () => {
    const house = project('use: [../disk]', '[{ ./p/careful: { mode: warn } }]')
    expect(modes(house)).toEqual([['project/disk', 'block']])
    expect(house.load().layers[0]?.untrusted).toEqual(['gate `disk` of pack `disk` in mode `warn` (signalbox.yaml:1)'])
    house.project('')
    house.user(`use: [{ ${house.root}/p/careful: { mode: warn } }]`)
    expect(modes(house)).toEqual([['user/disk', 'warn']])
  })

  it('an entry that the layer writes itself replaces the one of the pack', () => {
    const house = project('use: [{ ../disk: { off: [disk] } }, ../net]', '[./p/careful, ./p/disk]')
    expect(problems(house)).toEqual([])
    expect(modes(house)).toEqual([
      ['project/net', 'block'],
      ['project/disk', 'block'],
    ])
  })

  it('options can decide what it uses', () => {
    const careful = 'options: { to: { default: block } }\nuse: [{ ../disk: { mode: $to } }]'
    const house = project(careful, '[]')
    house.user(`use: [{ ${house.root}/p/careful: { to: observe } }]`)
    expect(modes(house)).toEqual([['user/disk', 'observe']])
  })

  it('two packs that bring the same pack: the layer has to choose', () => {
    const house = project('use: [../disk]', '[./p/careful, ./p/other]')
    house.write('p/other/pack.yaml', 'use: [../disk]')
    expect(problems(house)).toEqual([
      ['`careful` and `other` both use the pack `disk`', 'write `disk` into your own `use`: your entry replaces both'],
    ])
    house.project('use: [./p/careful, ./p/other, ./p/disk]')
    expect(problems(house)).toEqual([])
    expect(modes(house)).toEqual([['project/disk', 'block']])
  })

  it('a circle is an error that shows it', () => {
    const house = project('use: [../disk]', '[./p/careful]')
    house.write('p/disk/pack.yaml', 'use: [../careful]')
    expect(problems(house)).toEqual([['pack `careful` uses itself', '`careful` uses `disk` uses `careful`']])
  })

  it('an error in a pack that is used by a pack is shown where it is', () => {
    const house = project('use: [../disc]', '[./p/careful]')
    expect(house.load().problems.map(({ file, line }) => [house.label(file), line])).toEqual([
      ['p/careful/pack.yaml', 1],
    ])
  })
})

describe('an option that is detected', () => {
  const PACK = `options:
  tests: { default: [npm test], detect: [{ file: Cargo.toml, value: cargo test }, { file: Makefile, has: "test:", value: make test }] }
  lint: { default: "", detect: [{ file: .eslintrc, value: eslint . }] }
gates:
  g: { rules: [{ id: r, when: { command: $tests }, then: deny, message: m }] }
  l: { if: { lint: "*" }, rules: [{ id: r, when: { command: $lint }, then: deny, message: m }] }
`
  const commands = (house: House) =>
    house
      .load()
      .program.gates.map(({ rules }) =>
        [...JSON.stringify(rules).matchAll(/"program":"(\w+)"/g)].map(([, program]) => program),
      )

  it('is the default without such a file, what is there with one, and what is written in any case', () => {
    const house = new House()
    house.write('p/pack.yaml', PACK)
    house.project('use: [./p]')
    expect(commands(house)).toEqual([['npm']])
    house.write('Makefile', 'build:')
    expect(commands(house)).toEqual([['npm']])
    house.write('Makefile', 'test:')
    house.write('Cargo.toml', '')
    house.write('.eslintrc', '')
    expect(commands(house)).toEqual([['cargo', 'make'], ['eslint']])
    house.project('use: [{ ./p: { tests: pytest, lint: "" } }]')
    expect(commands(house)).toEqual([['pytest']])
  })
})
