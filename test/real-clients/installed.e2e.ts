import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SettingsScope } from '../../src/clients/settings.ts'
import type { AuditRecord } from '../../src/store/index.ts'
import { failuresOf, trailFailures } from './check.ts'
import { type Contestant, contestants, deviationOf } from './client.ts'
import type { Launch } from './driver.ts'
import { Enrolment } from './enrolment.ts'
import { noted } from './noted.ts'
import { perform } from './perform.ts'
import { run } from './run.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { putFile } from './setup.ts'
import { type Folders, type Surroundings, withFolders } from './stage.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const all = contestants().filter(({ served }) => served)
const scenarioOf = (name: string): Scenario => {
  const found = scenarios().find(one => one.name === name)
  if (!found) throw new Error(`no scenario \`${name}\``)
  return found
}

/** Plays it, and gives what is not as promised, and what stands in the trail. */
async function played(
  contestant: Contestant,
  scenario: Scenario,
  folders: Folders,
  { begin, end }: { begin(enrolment: Enrolment): void; end?(enrolment: Enrolment): readonly string[] },
): Promise<{ failures: readonly string[]; records: readonly AuditRecord[] }> {
  const play = (contestant.served && deviationOf(contestant.served, scenario)) ?? scenario
  const enrolment = new Enrolment(folders, contestant.id)
  const performance = await perform({ ...contestant, begin: () => begin(enrolment) }, scenario, play, folders)
  const records = enrolment.records()
  const failures = [
    ...failuresOf(play, performance, contestant.driver, folders.project),
    ...trailFailures(play, records),
    ...(end ?? (() => []))(enrolment),
  ]
  return { failures: failures.map(line => `${line}\n${performance.ended.output.slice(-500)}`), records }
}

/** As in a terminal of the stage. */
async function typed(commands: readonly Launch[], folders: Folders): Promise<void> {
  for (const { command, args, env } of commands) {
    const launch = { command, args, env: { ...folders.env, ...env } }
    const { exitCode, output } = await run(launch, { cwd: folders.project, timeoutMs: 60_000 })
    expect(exitCode, `${args.join(' ')}\n${output}`).toBe(0)
  }
}

describe.concurrent.each(all.filter(({ driver }) => driver.plugin))('$id $version, as a plugin', contestant => {
  const pluginOf = (folders: Folders) => {
    const commands = contestant.driver.plugin?.({ installed: contestant.installed }, ROOT)
    if (!commands) throw new Error('it has none')
    return { validate: () => typed(commands.validate, folders), install: () => typed(commands.install, folders) }
  }
  /** a Stop has no identity, a call has; the router is an agent */
  const NAMES = ['a refused write', 'a refused stop', 'router first', 'context']

  it('is in order, says the client’s own validator', () =>
    beside(contestant, 'plugin: its own validator', () =>
      withFolders(scenarioOf('a refused write'), {}, folders => pluginOf(folders).validate()),
    ))

  it.each(NAMES)('alone keeps the promise: %s', name =>
    beside(contestant, `plugin: ${name}`, () =>
      withFolders(scenarioOf(name), {}, async folders => {
        await inSettings(contestant, scenarioOf(name), folders, () => pluginOf(folders).install())
        const { failures } = await played(contestant, scenarioOf(name), folders, { begin() {} })
        expect(failures).toEqual([])
      }),
    ),
  )

  it.each(NAMES)('with one’s own and the project’s beside it counts each event once: %s', name =>
    beside(contestant, `once: ${name}`, () => countsOnce(scenarioOf(name))),
  )

  async function countsOnce(scenario: Scenario): Promise<void> {
    const alone = await withFolders(scenario, {}, folders =>
      played(contestant, scenario, folders, { begin: enrolment => enrolment.begin() }),
    )
    const together = await withFolders(scenario, {}, async folders => {
      await inSettings(contestant, scenario, folders, () => pluginOf(folders).install())
      const scopes: readonly SettingsScope[] = ['user', 'project']
      const deliveries = new Deliveries(folders)
      const result = await played(contestant, scenario, folders, {
        begin(enrolment) {
          enrolment.begin(scopes)
          deliveries.begin()
        },
        end(enrolment) {
          deliveries.end()
          return enrolment.end()
        },
      })
      return { ...result, ways: deliveries.byWay() }
    })
    expect([...alone.failures, ...together.failures]).toEqual([])
    // each of the three was called for every event
    const { own, project, plugin } = together.ways
    expect(own).toBeGreaterThan(3)
    expect({ project, plugin }).toEqual({ project: own, plugin: own })
    expect(eventsIn(together.records)).toEqual(eventsIn(alone.records))
  }
})

/** Not among the promises that each client's page tells of. */
const beside = ({ id, version }: Contestant, scenario: string, work: () => Promise<void>): Promise<void> =>
  noted({ id, version, scenario, bare: false, beside: true }, work)

/** Of a client that is set up: the settings it plays with are there before it is given a plugin. */
async function inSettings(
  contestant: Contestant,
  { agents, permissions }: Scenario,
  folders: Folders,
  work: () => Promise<void>,
) {
  const { driver, installed } = contestant
  const { home, project } = folders
  driver.launch({
    home,
    project,
    installed,
    model: 'http://127.0.0.1:9',
    prompt: '',
    hook: undefined,
    agents,
    permissions,
  })
  await work()
}

const eventsIn = (records: readonly AuditRecord[]): readonly string[] =>
  records.map(({ name, event, decision }) => `${name} ${event} ${decision}`).sort()

/** Who called the copy of one's own: all registrations lead there. */
class Deliveries {
  private readonly launcher: string
  private readonly log: string

  constructor({ home, folder }: Folders) {
    this.launcher = join(home, '.local/share/signalbox/bin/signalbox')
    this.log = join(folder, 'deliveries')
  }

  begin(): void {
    renameSync(this.launcher, `${this.launcher}.real`)
    putFile(dirname(this.launcher), 'signalbox', `#!/bin/sh\necho "$@" >> '${this.log}'\nexec "$0.real" "$@"\n`)
    chmodSync(this.launcher, 0o755)
    appendFileSync(this.log, '')
  }

  end = (): void => renameSync(`${this.launcher}.real`, this.launcher)

  byWay(): { readonly own: number; readonly project: number; readonly plugin: number } {
    const lines = readFileSync(this.log, 'utf8').split('\n').filter(Boolean)
    const by = (via: string) => lines.filter(line => line.endsWith(` --via ${via}`)).length
    return { own: lines.filter(line => !line.includes('--via')).length, project: by('project'), plugin: by('plugin') }
  }
}

describe.concurrent.each(all)('$id $version, from init to uninstall', contestant => {
  const scenario = scenarioOf('a refused write')
  const fromTo = (
    name: string,
    around: Surroundings,
    begin: (enrolment: Enrolment, folders: Folders) => void = enrolment => enrolment.begin(),
    check: (folders: Folders) => void = () => {},
  ) =>
    beside(contestant, name, () =>
      withFolders(scenario, around, async folders => {
        const end = (one: Enrolment) => {
          // uninstall takes it along
          check(folders)
          return one.end()
        }
        const how = { begin: (one: Enrolment) => begin(one, folders), end }
        expect((await played(contestant, scenario, folders, how)).failures).toEqual([])
      }),
    )

  it('in an empty home, without an environment', () => fromTo('empty home', { empty: true }))

  it.runIf(process.getuid?.() === 0)('as a user who can read nothing of ours', () =>
    fromTo('another user', { user: 65_534 }),
  )

  it('with a Node that is gone afterwards, and another one', () => {
    const { SIGNALBOX_REAL_NODE: other = process.execPath } = process.env
    expect(existsSync(other)).toBe(true)
    const change = (enrolment: Enrolment, folders: Folders): void => {
      const old = join(folders.folder, 'old/node')
      mkdirSync(dirname(old))
      copyFileSync(process.execPath, old)
      folders.use(old)
      enrolment.begin()
      rmSync(old)
      folders.use(other)
    }
    // it keeps what it compiled, for each Node
    const version = execFileSync(other, ['--version'], { encoding: 'utf8' }).trim()
    return fromTo('another Node', { node: other, oneShot: true }, change, ({ state }) => {
      expect(readdirSync(join(state, 'code')).filter(name => name.startsWith(`engine.cjs-${version}-`))).toHaveLength(1)
    })
  })
})
