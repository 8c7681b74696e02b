import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clientSettingsById } from '../../src/clients/settings.ts'
import { contestants } from './client.ts'
import type { Act } from './scenario.ts'
import { playBeside, startOnce } from './scripted-play.ts'
import type { Folders } from './stage.ts'

/** Nothing but a mount of its own keeps root from writing, and nobody but root may mount one. */
const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'real-client-mount-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  if (status === 0) spawnSync('umount', ['-l', folder])
  rmdirSync(folder)
  return status === 0
})()

/** The state goes to a disk of its own, with all that is in it. */
function mount({ state }: Folders): void {
  renameSync(state, `${state}-before`)
  mkdirSync(state, { mode: 0o700 })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=700', 'tmpfs', state])
  cpSync(`${state}-before`, state, { recursive: true })
  rmSync(`${state}-before`, { recursive: true })
}

const SIZES = [1 << 20, 4096, 1]

function fill({ state }: Folders): void {
  for (const size of SIZES)
    for (let nth = 0; nth < 4096; nth++)
      try {
        writeFileSync(join(state, `filler-${size}`), Buffer.alloc(size), { flag: 'a' })
      } catch {
        break
      }
}

function empty({ state }: Folders): void {
  for (const size of SIZES) rmSync(join(state, `filler-${size}`), { force: true })
}

const POLICY = {
  gates: {
    'tests-before-commit': {
      initial: 'closed',
      transitions: [
        { from: 'closed', to: 'open', when: { event: 'tool.after', command: 'npm test', succeeded: true } },
      ],
      rules: [
        { while: 'closed', when: { event: 'tool.before', command: 'git commit' }, then: 'deny', message: 'Run them.' },
      ],
    },
    'no-push': {
      rules: [{ when: { event: 'tool.before', command: 'git push' }, then: 'deny', message: 'Do not push.' }],
    },
  },
}

const hookLines = (text: string): readonly string[] => text.split('\n').filter(line => line.includes('signalbox'))

describe.runIf(canMount).concurrent.each(contestants().filter(({ served }) => served))(
  '$id $version, on a full disk',
  contestant => {
    let registration = ''
    const shell = (command: string): Act => ({ kind: 'shell', command })
    const acts = (): readonly Act[] => [
      shell('git commit --allow-empty -m x'),
      shell('git push'),
      shell('echo an ordinary call'),
      shell(`echo '{}' > '${registration}'`),
    ]
    // of the session on the full disk, and of the one after it
    const told: (readonly string[])[] = [[], []]
    let nth = 0
    let registered = ''

    it('refuses what it refused before, lets the rest pass, and protects its registration', () =>
      playBeside(
        contestant,
        'full disk: judged by the state of before',
        {
          policy: POLICY,
          change: folders => {
            registration = clientSettingsById(contestant.id)?.files.user?.replace('~', folders.home) ?? 'none'
            registered = readFileSync(registration, 'utf8')
            folders.signalbox('daemon', 'stop')
            mount(folders)
          },
          script: results => {
            told[nth] = results
            return acts()[results.length]
          },
          start: async (launch, folders) => {
            fill(folders)
            await startOnce(launch, folders)
            empty(folders)
            nth = 1
            return startOnce(launch, folders)
          },
          end: ({ state }) => spawnSync('umount', ['-l', state]),
        },
        ({ records, ended }) => {
          for (const session of told) {
            expect(session[0], ended.output).toContain('Run them.')
            expect(session[1]).toContain('Do not push.')
            expect(session[2]).toContain('an ordinary call')
            expect(session).toHaveLength(acts().length)
          }
          // some clients write other settings of theirs there
          expect(hookLines(readFileSync(registration, 'utf8'))).toEqual(hookLines(registered))
          expect(records.filter(({ name }) => name === 'store.gap')).toHaveLength(1)
        },
      ))
  },
)
