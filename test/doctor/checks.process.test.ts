import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { doctorChecks, groupByCause, LIVE_FINDING_IDS } from '../../src/app/doctor/index.ts'
import type { LoadedSettingsFile } from '../../src/clients/diagnostics.ts'
import { clientDiagnostics } from '../../src/clients/diagnostics.ts'
import { clientSettings } from '../../src/clients/settings.ts'
import { createStoreRecord, inspectStore, SqliteStore } from '../../src/store/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { withPatient } from './doctor-sandbox.ts'

const DOC = readFileSync(resolve(import.meta.dirname, '../../docs/guide/troubleshooting.md'), 'utf8')

describe('a wrong client name', () => {
  it('is found after the hook wrote it to the audit log', () =>
    withPatient({ project: 'gates: {}\n' }, async patient => {
      const payload = { session_id: 'one', cwd: patient.project, hook_event_name: 'PreToolUse', tool_name: 'Bash' }
      const input = JSON.stringify({ ...payload, tool_input: { command: 'ls' }, tool_use_id: 'call' })
      await patient.run(['hook', '--client', 'codex'], { input })
      // the next event moves the error from the spool to the audit log
      await patient.hook('claude-code', input)
      expect(readdirSync(join(patient.home, 'state/spool'))).toEqual([])
      const { problems } = await patient.doctor()
      expect(problems).toContainEqual(expect.objectContaining({ id: 'CLIENT-UNKNOWN' }))
    }))
})

describe('findings', () => {
  const known = [...doctorChecks.flatMap(({ ids }) => ids), ...LIVE_FINDING_IDS, 'CHECK-FAILED'].sort()

  it('every one is in the troubleshooting page, and none is there that cannot be found', () => {
    const told = [...DOC.matchAll(/^\| `([A-Z][A-Z-]+)` \|/gm)].map(([, id]) => id).sort()
    expect(told).toEqual(known)
  })

  it('each belongs to one check', () => {
    expect(new Set(known).size).toBe(known.length)
  })

  it('the same cause is told once, problems before notes', () => {
    const one = { id: 'A', severity: 'note', effect: 'c', found: 's', fix: 'f' } as const
    expect(
      groupByCause([
        one,
        { ...one, id: 'B', severity: 'problem', cause: 'x' },
        { ...one, id: 'B', severity: 'problem', cause: 'x', line: 3 },
      ]),
    ).toEqual([
      { ...one, id: 'B', severity: 'problem', cause: 'x', otherPlaces: 1 },
      { ...one, otherPlaces: 0 },
    ])
  })
})

describe('what is known of each agent', () => {
  it('every agent that is registered by a file has a checkup', () => {
    expect(clientDiagnostics.map(({ id }) => id)).toEqual(clientSettings.map(({ id }) => id))
  })

  it.each(clientDiagnostics.map(one => [one.id, one] as const))(
    '%s: init registers events that it knows',
    (id, checkup) => {
      const { hook } = clientSettings.find(one => one.id === id) ?? {}
      if (hook?.kind !== 'settings') return
      const events = hook.entries({ line: '', words: [], timeoutMs: 1 }).map(({ path }) => path.at(-1) ?? '')
      expect(events.filter(event => !(event in checkup.events))).toEqual([])
      expect(checkup.gates.some(event => events.includes(event))).toBe(true)
    },
  )
})

const around = (files: readonly Partial<LoadedSettingsFile>[]) => ({
  files: files.map(one => ({
    path: '',
    scope: 'managed' as const,
    file: one.path ?? '',
    text: '',
    settings: undefined,
    ...one,
  })),
  root: '/home/dev/proj',
  home: '/home/dev',
  env: {},
})

describe('managed settings, which no test can write', () => {
  const switchesOf = (id: string, files: readonly Partial<LoadedSettingsFile>[]) =>
    clientDiagnostics
      .find(one => one.id === id)
      ?.switches(around(files))
      .map(({ id: found, silences }) => `${found} ${silences.join(' ')}`)

  it.each([
    [{ allowManagedHooksOnly: true }, ['HOOKS-MANAGED-ONLY user project']],
    [{ allowManagedHooksOnly: 'yes' }, ['HOOKS-MANAGED-ONLY user project']],
    [{ allowManagedHooksOnly: false }, []],
    [{ disableAllHooks: true }, ['HOOKS-DISABLED user project managed']],
  ])('claude-code %j', (said, found) => {
    expect(switchesOf('claude-code', [{ path: '/etc/claude-code/managed-settings.json', settings: said }])).toEqual(
      found,
    )
  })

  it.each([
    '[features]\nhooks = false\n',
    'features.hooks = false\n',
    'features = { hooks = false }\n',
    '["features"]\n"hooks" = false # off\n',
  ])('codex-cli: %j', text => {
    expect(switchesOf('codex-cli', [{ path: '~/.codex/config.toml', text }])).toContain('HOOKS-DISABLED user project')
  })

  it('codex-cli: only managed hooks', () => {
    const path = '/etc/codex/requirements.toml'
    expect(switchesOf('codex-cli', [{ path, text: 'allow_managed_hooks_only = true\n' }])).toContain(
      'HOOKS-MANAGED-ONLY user project',
    )
  })
})

describe('the store, as somebody finds it who changes nothing', () => {
  const filled = (folder: string): void => {
    const store = new SqliteStore(folder)
    for (const id of ['a', 'b', 'c'])
      store.transact({ client: 'x', session: id }, { root: '/', now: Date.now(), expiryHours: 1 }, () => ({
        records: [createStoreRecord('test', Date.now(), id)],
        result: undefined,
      }))
    store.close()
  }
  const change = (folder: string, sql: string): void => {
    const driver = openDriver(join(folder, 'signalbox.db'))
    driver.exec(sql)
    driver.close()
  }

  it('a cut tail, a changed record and a clock that went back are findings', () =>
    withPatient({}, async patient => {
      const folder = join(patient.home, 'state')
      filled(folder)
      expect((await patient.doctor()).problems).toEqual([])
      change(folder, 'DELETE FROM records WHERE seq = (SELECT max(seq) FROM records)')
      expect((await patient.doctor()).problems).toMatchObject([{ id: 'AUDIT-BROKEN', found: 'record 3 was removed' }])
      change(folder, `UPDATE records SET json = replace(json, '"at":', '"at":9') WHERE seq = 1`)
      const { problems } = await patient.doctor()
      expect(problems.map(({ id }) => id)).toEqual(['AUDIT-BROKEN', 'CLOCK-BEHIND'])
    }))

  it('one that lacks a part is damaged, and stays as it is', () =>
    withPatient({}, async patient => {
      const folder = join(patient.home, 'state')
      filled(folder)
      expect(inspectStore(folder)).toMatchObject({ state: 'sound', flaws: [], quarantined: [] })
      change(folder, 'DROP VIEW trail')
      expect(inspectStore(folder)).toMatchObject({ state: 'damaged' })
      expect(inspectStore(folder).quarantined).toEqual([])
    }))

  it('a home on a network is known by its file system', () =>
    withPatient({}, async patient => {
      expect(inspectStore(patient.home, { fileSystem: () => 0x6969 }).isRemote).toBe(true)
      expect(inspectStore(patient.home, { fileSystem: () => 0xef53 }).isRemote).toBe(false)
    }))
})
