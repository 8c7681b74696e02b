import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLazyDependencies } from '../../src/hook/entry/hook-process.ts'
import { beginBypass, foldersOf, policyInput } from '../../src/hook/index.ts'
import { loadPolicy, setTrust, trustRequestsOf } from '../../src/policy/index.ts'
import { BUNDLES } from '../support/bundles.ts'
import { ResidentPlace } from './resident-place.ts'

const deny = (command: string, message = 'Not now.') =>
  `gates:\n  no: { rules: [{ when: { event: tool.before, command: "${command}" }, then: deny, message: ${message} }] }\n`

let place: ResidentPlace
let home: string
let project: string
let state: string

beforeEach(() => {
  place = new ResidentPlace()
  ;({ home, project, state } = place)
})
afterEach(() => place.remove())

const ask: ResidentPlace['ask'] = (command, question) => place.ask(command, question)
const policy: ResidentPlace['policy'] = (text, folder) => place.policy(text, folder)

describe('a policy that is kept is the one in force', () => {
  it('when its file appears, changes, and goes', async () => {
    expect(await ask('git commit')).toBe('')
    policy(deny('git commit'))
    expect(await ask('git commit')).toBe('deny')
    expect(await ask('git push')).toBe('')
    policy(deny('git push'))
    expect(await ask('git commit')).toBe('')
    expect(await ask('git push')).toBe('deny')
    rmSync(join(project, 'signalbox.yaml'))
    expect(await ask('git push')).toBe('')
  })

  it('when the file changes and keeps its length and its time', async () => {
    policy(deny('git commit'))
    utimesSync(join(project, 'signalbox.yaml'), 1, 1)
    expect([await ask('git commit'), await ask('git commit')]).toEqual(['deny', 'deny'])
    await new Promise(done => setTimeout(done, 50))
    expect(await ask('git commit')).toBe('deny')
    policy(deny('git deploy'))
    utimesSync(join(project, 'signalbox.yaml'), 1, 1)
    expect([await ask('git commit'), await ask('git deploy')]).toEqual(['', 'deny'])
  })

  it('when another file is put in its place, or a link is led elsewhere', async () => {
    policy(deny('git commit'))
    expect(await ask('git commit')).toBe('deny')
    writeFileSync(join(project, 'next'), deny('git push'))
    renameSync(join(project, 'next'), join(project, 'signalbox.yaml'))
    expect(await ask('git commit')).toBe('')
    writeFileSync(join(home, 'one'), deny('git commit'))
    writeFileSync(join(home, 'two'), deny('git push'))
    const link = (to: string) => {
      rmSync(join(project, 'signalbox.yaml'), { force: true })
      symlinkSync(join(home, to), join(project, 'signalbox.yaml'))
    }
    link('one')
    expect(await ask('git commit')).toBe('deny')
    link('two')
    expect(await ask('git commit')).toBe('')
  })

  it('when the person’s own appears and goes', async () => {
    expect(await ask('git commit')).toBe('')
    policy(deny('git commit'), home)
    expect(await ask('git commit')).toBe('deny')
    rmSync(join(home, 'signalbox.yaml'))
    expect(await ask('git commit')).toBe('')
  })

  it('when one appears in the folder that the agent is in', async () => {
    const cwd = join(project, 'src/app')
    mkdirSync(cwd, { recursive: true })
    expect(await ask('git commit', { cwd })).toBe('')
    policy(deny('git commit'), join(project, 'src'))
    expect(await ask('git commit', { cwd })).toBe('deny')
    expect(await ask('git commit')).toBe('')
    rmSync(join(project, 'src/signalbox.yaml'))
    expect(await ask('git commit', { cwd })).toBe('')
  })

  it('when it breaks, and is mended', async () => {
    policy(deny('git commit'))
    expect(await ask('git commit')).toBe('deny')
    policy('gates: [')
    // its last good version
    expect(await ask('git commit')).toBe('deny')
    policy(deny('git push'))
    expect(await ask('git commit')).toBe('')
  })

  it('when a pack changes', async () => {
    policy('use: [orchestrator-boundary]')
    expect(await ask('touch a.txt')).toBe('deny')
    const file = join(home, 'program/packs/orchestrator-boundary/pack.yaml')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, 'gates: {}')
    expect(await ask('touch a.txt')).toBe('')
    writeFileSync(file, before)
    expect(await ask('touch a.txt')).toBe('deny')
  })

  it('when nobody can look at its file any more', async () => {
    policy(deny('git commit'))
    expect(await ask('git commit')).toBe('deny')
    const file = join(project, 'signalbox.yaml')
    rmSync(file)
    symlinkSync('signalbox.yaml', file)
    const kept = await ask('git commit')
    place.restart()
    expect(kept).toBe(await ask('git commit', { session: 'another' }))
  })

  it('when it is trusted, and no more', async () => {
    policy('adjust: { self-protection: { mode: observe } }')
    const edit = 'echo x > signalbox.yaml'
    expect(await ask(edit)).toBe('ask')
    const env = { HOME: home, SIGNALBOX_HOME: home, PATH: '/usr/bin:/bin' }
    const parts = createLazyDependencies({ ...BUNDLES, folder: join(home, 'program/dist') })
    const { layers } = loadPolicy(policyInput(project, project, env, foldersOf(env), parts), parts.compiler)
    const [covered] = trustRequestsOf(layers)
    setTrust(state, join(project, 'signalbox.yaml'), covered?.hash ?? '')
    expect(await ask(edit)).not.toBe('ask')
    setTrust(state, join(project, 'signalbox.yaml'), null)
    expect(await ask(edit)).toBe('ask')
  })

  it('when a person lifts it for a while, and when that is over', async () => {
    policy(deny('git commit'), home)
    expect(await ask('git commit')).toBe('deny')
    const now = Date.now()
    const until = now + 3_600_000
    beginBypass(state, { id: 'b1', from: now, until, reason: 'a test' })
    expect(await ask('git commit', { now: until - 1 })).toBe('said')
    expect(await ask('git commit', { now: until + 1 })).toBe('deny')
    beginBypass(state, { id: 'off', from: now, reason: '' })
    expect(await ask('git commit')).toBe('')
    rmSync(join(state, 'bypass/off.json'))
    expect(await ask('git commit')).toBe('deny')
  })

  it('when the posture that it left is taken away', async () => {
    policy(
      `${deny('git commit')}    onError: closed\n`
        .replace('no: {', 'no: { onError: closed, ')
        .replace('    onError: closed\n', ''),
    )
    expect(await ask('git commit')).toBe('deny')
    const folder = join(state, 'posture')
    const before = readFileSync(join(folder, nameIn(folder)), 'utf8')
    expect(before).toBe('closed')
    rmSync(folder, { recursive: true })
    expect(await ask('git commit')).toBe('deny')
    expect(readFileSync(join(folder, nameIn(folder)), 'utf8')).toBe('closed')
  })

  it('when a program that a route needs comes, becomes one, and goes', async () => {
    policy('use: [tool-routing]')
    const bin = join(home, 'bin')
    mkdirSync(bin)
    const env = { PATH: `${bin}:/bin` }
    const page = 'curl https://github.com/a/b/pull/7'
    expect(await ask(page, { env })).toBe('')
    writeFileSync(join(bin, 'gh'), '#!/bin/sh\n', { mode: 0o644 })
    expect(await ask(page, { env })).toBe('')
    chmodSync(join(bin, 'gh'), 0o755)
    expect(await ask(page, { env })).toBe('deny')
    expect(await ask(page)).toBe('')
    chmodSync(join(bin, 'gh'), 0o644)
    expect(await ask(page, { env })).toBe('')
    rmSync(join(bin, 'gh'))
    symlinkSync(join(home, 'later'), join(bin, 'gh'))
    expect(await ask(page, { env })).toBe('')
    writeFileSync(join(home, 'later'), '#!/bin/sh\n', { mode: 0o755 })
    expect(await ask(page, { env })).toBe('deny')
    rmSync(join(home, 'later'))
    expect(await ask(page, { env })).toBe('')
  })
})

const nameIn = (folder: string): string => readdirSync(folder)[0] ?? ''
