import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { differences, table } from '../../scripts/proof.mjs'
import pinned from './pinned.json' with { type: 'json' }
import { scenarios, scenariosOf } from './scenario.ts'

const ROOT = resolve(import.meta.dirname, '../..')

function runner(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-clients.mjs', ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return { status, said: `${stdout}${stderr}` }
}

describe('npm run test:clients', () => {
  it('knows its clients', () => {
    expect(runner(['--without', 'gemini'])).toMatchObject({
      status: 1,
      said: expect.stringContaining('unknown client `gemini`'),
    })
    expect(runner(['--nothing'])).toMatchObject({ status: 1, said: expect.stringContaining('Known: --only ID') })
  })

  it('records all scenarios or none', () => {
    const said = expect.stringContaining('no record')
    expect(runner(['--record', '--scenario', 'context'])).toMatchObject({ status: 1, said })
  })

  it('fails when nobody is left', () => {
    const everybody = pinned.flatMap(({ client }) => ['--without', client])
    expect(runner(everybody)).toMatchObject({ status: 1, said: expect.stringContaining('that proves nothing') })
  })

  it('fails on a client that cannot be installed, and says how to leave it out', () => {
    const cache = mkdtempSync(join(tmpdir(), 'signalbox-test-'))
    try {
      const nowhere = {
        npm_config_registry: 'http://127.0.0.1:9/',
        npm_config_fetch_retries: '0',
        npm_config_cache: cache,
      }
      const { status, said } = runner(['--only', 'copilot-cli'], {
        ...nowhere,
        SIGNALBOX_CLIENTS_CACHE: join(cache, 'clients'),
      })
      expect({ status, said }).toEqual({
        status: 1,
        said: expect.stringMatching(/cannot be installed: .*\n.*--without ID/),
      })
      expect(readdirSync(join(cache, 'clients'))).toEqual([])
    } finally {
      rmSync(cache, { recursive: true, force: true })
    }
  })
})

describe('what was seen', () => {
  const note = { id: 'some', version: '1', scenario: 'one', failed: false, bare: false, ms: 1000 }

  it('is a table, with every deviation named', () => {
    const text = table([{ client: 'some', version: '1' }], [note, { ...note, scenario: 'two', deviation: 'cannot' }])
    expect(text).toMatch(/one +\+/)
    expect(text).toMatch(/two +~/)
    expect(text).toContain('~ some 1, two: cannot')
  })

  it('is compared with the record', () => {
    expect(differences([note])).toEqual(['test/real-clients/verified.json does not say what was seen of some 1'])
    expect(differences([{ ...note, bare: true }])).toEqual([])
  })
})

it('scenarios have names of their own', () => {
  const names = scenarios().map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(scenariosOf('bare.yaml').length).toBeGreaterThan(0)
})
