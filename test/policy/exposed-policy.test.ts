import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const POLICY = `
allow: { commands: [git push] }
hooks: [{ event: tool.before, run: ./mine.sh }]
gates:
  g: { rules: [{ when: { command: git push }, then: deny, message: "no" }] }
`

const LOOSENS = [
  '`allow` lists (~/.config/signalbox/signalbox.yaml:2)',
  'hook `./mine.sh` (~/.config/signalbox/signalbox.yaml:3)',
]

interface Case {
  readonly name: string
  readonly make: (file: string, house: House) => void
  readonly why: RegExp
}

const EXPOSED: readonly Case[] = [
  {
    name: 'the file is open to all',
    make: file => chmodSync(file, 0o666),
    why: /^others may write to it \(mode 0666\)$/,
  },
  { name: 'the file is open to all but its group', make: file => chmodSync(file, 0o602), why: /mode 0602/ },
  {
    name: 'its folder is open to all',
    make: file => chmodSync(dirname(file), 0o777),
    why: /to its folder .*mode 0777/,
  },
  {
    name: 'it is a link into a folder that is open to all',
    make: (file, house) => {
      const real = house.write(join(house.folder, 'shared/mine.yaml'), POLICY)
      chmodSync(dirname(real), 0o777)
      rmSync(file)
      symlinkSync(real, file)
    },
    why: /to its folder .*shared, mode 0777/,
  },
]

describe('a policy of your own that others may write', () => {
  it.each(EXPOSED)('$name: it restricts, and what it runs or loosens has no effect', ({ make, why }) => {
    const house = new House()
    const file = house.user(POLICY)
    make(file, house)
    const { program, layers } = house.load()
    expect(program.gates.map(gate => gate.id)).toEqual(['user/g'])
    expect(program.allow).toEqual([])
    expect(program.hooks).toEqual([])
    expect(layers).toMatchObject([{ layer: 'user', trusted: false, untrusted: LOOSENS }])
    expect(layers[0]?.exposed).toMatch(why)
    expect(program.notices).toEqual([expect.stringMatching(/cannot be trusted: .*chmod go-w/)])
  })

  it('with the right mode all of it is in force, and an earlier compilation is not used', () => {
    const house = new House()
    const file = house.user(POLICY)
    chmodSync(file, 0o666)
    expect(house.load().program.hooks).toEqual([])
    chmodSync(file, 0o644)
    const { program, layers } = house.load()
    expect(program.hooks).toHaveLength(1)
    expect(layers[0]?.exposed).toBeUndefined()
    expect(program.notices).toEqual([])
    chmodSync(dirname(file), 0o777)
    expect(house.load().program.hooks).toEqual([])
  })

  it('a folder like /tmp, where nobody touches the files of others, is no reason', () => {
    const house = new House()
    chmodSync(dirname(house.user(POLICY)), 0o1777)
    expect(house.load().layers[0]?.exposed).toBeUndefined()
  })

  it.runIf(process.getuid?.() === 0)('a group with others in it is a reason', () => {
    const house = new House()
    const file = house.user(POLICY)
    chownSync(file, 0, 12345)
    chmodSync(file, 0o664)
    expect(house.load().layers[0]?.exposed).toMatch(/mode 0664/)
  })

  it.runIf(process.getuid?.() === 0)('a group of its own is none', () => {
    const house = new House()
    const file = house.user(POLICY)
    chmodSync(file, 0o664)
    chmodSync(dirname(file), 0o775)
    expect(house.load().layers[0]?.exposed).toBeUndefined()
  })

  it('a pack of its own that others may write is the same', () => {
    const house = new House()
    const pack = house.write(join(dirname(house.userFile), 'mine/pack.yaml'), 'about: x\ngates: {}\n')
    house.user(`use: [./mine]\n${POLICY}`)
    expect(house.load().program.hooks).toHaveLength(1)
    chmodSync(dirname(pack), 0o777)
    const { program, layers } = house.load({ version: 'another' })
    expect(program.hooks).toEqual([])
    expect(layers[0]?.exposed).toMatch(/others may write to .*mine/)
  })

  it('it gives no agent a file from elsewhere', () => {
    const house = new House()
    const secret = house.write(join(house.folder, 'secret.md'), 'the secret')
    house.user(`gates: { g: { rules: [{ when: { command: x }, then: deny, message: '${secret}' }] } }`)
    chmodSync(house.userFile, 0o666)
    expect(JSON.stringify(house.load().program)).not.toContain('the secret')
  })

  it.runIf(process.getuid?.() === 0)('put in place by another user, it does not end the version of before', () => {
    const house = new House()
    const file = house.user(POLICY)
    house.load()
    chownSync(file, 12345, 12345)
    const { program, layers } = house.load()
    expect(program.gates.map(gate => gate.id)).toEqual(['user/g'])
    expect(layers).toMatchObject([{ layer: 'user', state: 'last-good' }])
    expect(program.notices).toEqual([expect.stringContaining('another user owns it')])
  })

  it('a project is as it was: its trust is for what stands in its files', () => {
    const house = new House()
    mkdirSync(house.root, { recursive: true })
    chmodSync(house.project(POLICY), 0o666)
    expect(house.load().layers[0]?.exposed).toBeUndefined()
  })
})
