import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Client, clientById } from '../../src/clients/index.ts'
import type { EventKind } from '../../src/engine/index.ts'
import type { Driver } from './driver.ts'
import { claudeCode } from './drivers/claude-code.ts'
import { codexCli } from './drivers/codex-cli.ts'
import { copilotCli } from './drivers/copilot-cli.ts'
import { geminiCli } from './drivers/gemini-cli.ts'
import { opencode } from './drivers/opencode.ts'
import { qwenCode } from './drivers/qwen-code.ts'
import pinned from './pinned.json' with { type: 'json' }
import type { Deviation, Scenario } from './scenario.ts'

const DRIVERS: readonly Driver[] = [claudeCode, codexCli, copilotCli, geminiCli, opencode, qwenCode]

/** A pinned version of an agent that takes part in this run. */
export interface Contestant {
  readonly id: string
  readonly version: string
  readonly installed: string
  readonly driver: Driver
  /** none: Signalbox does not serve it yet */
  readonly served: Client | undefined
}

/** Those that were installed for this run, or all that are in the cache. */
export function contestants({ env } = process): readonly Contestant[] {
  const chosen = env.SIGNALBOX_REAL_CLIENTS?.split(',').filter(Boolean)
  return pinned.flatMap(({ client: id, version }) => {
    const installed = join(cacheFolder(env), `${id}-${version}`)
    const takesPart = chosen ? chosen.includes(`${id}@${version}`) : existsSync(installed)
    return takesPart ? [{ id, version, installed, driver: driverOf(id), served: clientById(id) }] : []
  })
}

function driverOf(id: string): Driver {
  const driver = DRIVERS.find(one => one.id === id)
  if (!driver) throw new Error(`\`${id}\` is pinned, but has no driver`)
  return driver
}

/** As in `scripts/install-clients.mjs`. */
const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  env.SIGNALBOX_CLIENTS_CACHE || join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'signalbox-clients')

/** The deviation that the client's capability table declares for a scenario. */
export const deviationOf = ({ id, capabilities }: Client, { deviations }: Scenario): Deviation | undefined =>
  deviations.find(({ where }) => {
    const at = (kind: string) => capabilities.events[kind as EventKind]
    return (
      (where.client === undefined || where.client === id) &&
      (where.callers === undefined || where.callers === capabilities.callers) &&
      (where.reportsExit === undefined || where.reportsExit === capabilities.reportsExit) &&
      (where.noContextAt === undefined || !at(where.noContextAt)?.context) &&
      (where.cannotDeny === undefined || !at(where.cannotDeny)?.can.includes('deny'))
    )
  })
