import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Terminal } from '../../src/app/cli/command.ts'
import { main } from '../../src/app/cli/index.ts'

/** At a real terminal there is a person; here their answers are written down beforehand. */
describe('a person decides what a project may loosen', () => {
  let folder = ''
  let said = ''
  const policy = () => join(folder, 'project/signalbox.yaml')
  const run = (args: readonly string[], answer = '', isPerson = true): Promise<number> => {
    said = ''
    const terminal: Terminal = {
      out: text => {
        said += text
      },
      err: text => {
        said += text
      },
      env: { HOME: join(folder, 'home'), SIGNALBOX_HOME: join(folder, 'home') },
      cwd: join(folder, 'project'),
      width: 80,
      isPerson,
      ask: async question => {
        said += question
        return answer
      },
    }
    return main(args, terminal)
  }
  const layers = async () => {
    await run(['policy', 'show', '--json'])
    const all: { layer: string; trusted: boolean; untrusted: string[] }[] = JSON.parse(said).layers
    const ofProject = all.filter(({ layer }) => layer === 'project')
    return ofProject.map(({ trusted, untrusted }) => ({ trusted, untrusted: untrusted.length }))
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-trust-'))
    mkdirSync(join(folder, 'home'))
    mkdirSync(join(folder, 'project/.git'), { recursive: true })
    writeFileSync(policy(), 'allow: { commands: [git status] }\n')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('without a person it shows what waits, and changes nothing', async () => {
    expect(await run(['trust'], 'y', false)).toBe(2)
    expect(said).toMatch(/^signalbox\.yaml\n {2}`allow` lists \(signalbox\.yaml:1\)\n.*only a person/)
    expect(await layers()).toEqual([{ trusted: false, untrusted: 1 }])
  })

  it('what loosens waits, is shown, and takes effect on a yes', async () => {
    expect(await layers()).toEqual([{ trusted: false, untrusted: 1 }])
    expect(await run(['trust'], 'y')).toBe(0)
    expect(said).toContain('allow')
    expect(await layers()).toEqual([{ trusted: true, untrusted: 0 }])
    expect(await run(['trust'])).toBe(0)
    expect(said).toContain('Already trusted')
  })

  it.each(['', 'n', 'yess', 'no'])('anything but a yes changes nothing: %j', async answer => {
    expect(await run(['trust'], answer)).toBe(1)
    expect(await layers()).toEqual([{ trusted: false, untrusted: 1 }])
  })

  it('any change of the file waits again', async () => {
    await run(['trust'], 'yes')
    writeFileSync(policy(), 'allow: { commands: [git status, rm] }\n')
    expect(await layers()).toEqual([{ trusted: false, untrusted: 1 }])
  })

  it('can be taken back', async () => {
    await run(['trust'], 'y')
    expect(await run(['trust', '--revoke'], 'y')).toBe(0)
    expect(await layers()).toEqual([{ trusted: false, untrusted: 1 }])
    expect(await run(['trust', '--revoke'])).toBe(0)
    expect(said).toContain('This project is not trusted.')
  })
})
