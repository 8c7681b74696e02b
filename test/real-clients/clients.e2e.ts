import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { bareHook, wasCalled } from './bare.ts'
import { failuresOf, trailFailures } from './check.ts'
import { type Contestant, contestants, deviationOf } from './client.ts'
import { Enrolment } from './enrolment.ts'
import { noted } from './noted.ts'
import { perform } from './perform.ts'
import { type Play, type Scenario, scenarios, scenariosOf } from './scenario.ts'
import { type Folders, withFolders } from './stage.ts'

const all = contestants()

it.runIf(process.env.SIGNALBOX_REAL_NETWORK === 'none')('nothing but loopback can be reached', async () => {
  const outside = Object.values(networkInterfaces()).flatMap(list => list?.filter(one => !one.internal) ?? [])
  const error = await new Promise(done => connect(443, '192.0.2.1').on('error', done).on('connect', done))
  expect({ outside, error }).toMatchObject({ outside: [], error: { code: 'ENETUNREACH' } })
})

it('at least one client takes part', () => {
  expect(all.length).toBeGreaterThan(0)
})

describe.concurrent.each(all.filter(({ served }) => served))('$id $version', contestant => {
  const beside = scenariosOf('beside.yaml')
  const all = [...scenarios(), ...beside]
  it.each(all.map(one => [one.name, one] as const))('%s', async (_, scenario) => {
    const deviation = contestant.served && deviationOf(contestant.served, scenario)
    const play: Play = deviation ?? scenario
    const kind = { deviation: deviation?.name, bare: false, ...(beside.includes(scenario) && { beside: true }) }
    await onStage(contestant, scenario, kind, async folders => {
      const enrolment = new Enrolment(folders, contestant.id)
      const performance = await perform({ ...contestant, begin: () => enrolment.begin() }, scenario, play, folders)
      return {
        output: performance.ended.output,
        failures: [
          ...failuresOf(play, performance, contestant.driver, folders.project),
          ...trailFailures(play, enrolment.records()),
          ...replayFailures(folders, scenario),
          ...enrolment.end(),
        ],
      }
    })
  })
})

describe.concurrent.each(all.filter(({ served }) => !served))(
  '$id $version, with a hook in place of Signalbox',
  contestant => {
    it.each(scenariosOf('bare.yaml').map(one => [one.name, one] as const))('%s', async (_, scenario) => {
      await onStage(contestant, scenario, { bare: true }, async folders => {
        const hook = bareHook(folders, { denies: scenario.name === 'exit 2 denies' })
        const performance = await perform({ ...contestant, hook }, scenario, scenario, folders)
        return {
          output: performance.ended.output,
          failures: [
            ...failuresOf(scenario, performance, contestant.driver, folders.project),
            ...(wasCalled(folders) ? [] : ['the hook was not called']),
          ],
        }
      })
    })
  },
)

/** What was refused then is not told as something that would be refused now. That a gate only warned, no agent writes down. */
function replayFailures(folders: Folders, { agents }: Scenario): readonly string[] {
  const { status, said } = folders.signalbox('replay', '--json')
  if (status !== 0 && status !== 1) return [`signalbox replay: ${said}`]
  const { events, changes, source } = JSON.parse(said)
  // nor does the audit log keep what an agent answered: a decision in it cannot be read again
  if (source === 'audit-log' && agents.length > 0) return []
  const refused = changes.filter(({ after }: { after: string }) => after === 'deny' || after === 'ask')
  return events > 0 && refused.length === 0 ? [] : [`signalbox replay: ${said.slice(0, 1000)}`]
}

interface Outcome {
  readonly failures: readonly string[]
  readonly output: string
}

/** In folders of its own; how it went is noted for the table at the end. */
async function onStage(
  { id, version }: Contestant,
  scenario: Scenario,
  kind: { readonly deviation?: string | undefined; readonly bare: boolean; readonly beside?: boolean },
  work: (folders: Folders) => Promise<Outcome>,
): Promise<void> {
  await noted({ id, version, scenario: scenario.name, ...kind }, () =>
    withFolders(scenario, { patient: true }, async folders => {
      const { failures, output } = await work(folders)
      expect(failures, `the client printed:\n${output.slice(-3000)}`).toEqual([])
    }),
  )
}
