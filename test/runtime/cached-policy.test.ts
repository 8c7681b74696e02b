import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { createServices } from '../../src/hook/index.ts'
import { debugTrace } from '../../src/hook/reply/debug-trace.ts'
import * as regex from '../../src/hook/services/regex.ts'
import * as compiler from '../../src/policy/compile/compiler.ts'

const ROOT = resolve(import.meta.dirname, '../..')

it('a one-shot process that finds its policy compiled loads neither the compiler nor other clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-cached-'))
  try {
    const project = join(folder, 'project')
    mkdirSync(project)
    const loaded: string[] = []
    const open = () =>
      createServices(
        { HOME: folder, SIGNALBOX_HOME: join(folder, 'home') },
        {
          client: id => clients.find(client => client.id === id) ?? (clients[0] as (typeof clients)[number]),
          clients: () => {
            loaded.push('clients')
            return clients
          },
          compiler: () => {
            loaded.push('compiler')
            return compiler
          },
          shell: () => shell,
          regex: () => regex,
          packsDir: join(ROOT, 'packs'),
          debugTrace: () => debugTrace,
          codeWorker: '',
        },
      )
    expect(open().policy(project, project)).toMatchObject({ fromCache: false })
    expect(loaded).toContain('clients')
    loaded.length = 0
    expect(open().policy(project, project)).toMatchObject({ fromCache: true })
    expect(loaded).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
