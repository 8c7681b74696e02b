import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Launch, Read, Rehearsal } from '../../clients/checkups.ts'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { type Agent, type Case, oursOf } from '../case.ts'
import { isOurs } from '../hooks.ts'
import { placeOf } from '../read.ts'
import { linkedBy } from './canary.ts'
import type { Scratch } from './scratch.ts'

/**
 * The agent's real registration in a home of its own: of each settings file the keys that decide over hooks, and of the hooks ours.
 * Keys, other people's hooks and everything else stay behind: they would be run, or would cost.
 */
export function setUp(
  agent: Agent,
  one: Case,
  scratch: Scratch,
  rehearsal: Rehearsal,
  model: string,
  prompt: string,
): Launch {
  const { checkup, client, files } = agent
  const { home, project } = scratch
  const stage = { home, project, model, prompt }
  const around = { files, root: one.root, home: one.folders.home, env: one.env }
  const launch = rehearsal.launch(stage)
  const carried = rehearsal.carried?.(around, stage) ?? {}
  const written = { ...carried, ...launch.files }
  for (const [path, content] of Object.entries(written)) {
    if (typeof content === 'string')
      scratch.put(join(home, path), (path in (launch.files ?? {}) ? content : '') + (carried[path] ?? ''))
  }
  const own = new Set(checkup.files.map(({ path }) => path))
  const isSettings = ({ path }: Read): boolean => own.has(path) || own.has(path.replace(/[^/]+$/, ''))
  for (const read of files.filter(one => one.scope !== 'managed' && !one.plugin && isSettings(one))) {
    const to = placeOf(read.path, { root: project, home, env: {}, moves: client.moves })
    const more = launch.files?.[read.path.replace(/^~\//, '')]
    const text =
      checkup.shape === 'code'
        ? read.text
        : JSON.stringify(merged(essence(read.said, rehearsal, checkup.commands[0] ?? 'command'), more), null, 2)
    if (checkup.shape !== 'code' || isOurs(read.text.replaceAll('\n', ' '))) scratch.put(to, text)
  }
  for (const [path, content] of Object.entries(launch.files ?? {})) {
    const to = join(home, path)
    if (typeof content !== 'string' && !existsSync(to)) scratch.put(to, JSON.stringify(content, null, 2))
  }
  for (const path of launch.links ?? []) scratch.link(join(one.folders.home, path), join(home, path))
  for (const name of oursOf(agent).flatMap(linkedBy)) scratch.link(join(one.root, name), join(project, name))
  scratch.link(one.folders.data, join(home, '.local/share/signalbox'))
  return launch
}

/** What decides over hooks, without anybody else's. */
function essence(said: unknown, { kept }: Rehearsal, command: string): JsonObject {
  if (!isObject(said)) return {}
  const picked = kept.reduce<JsonObject>((sum, path) => merged(sum, pick(said, path)), {})
  return isObject(picked.hooks) ? { ...picked, hooks: onlyOurs(picked.hooks, command) } : picked
}

function pick(said: JsonObject, [key = '', ...rest]: readonly string[]): JsonObject {
  const value = said[key]
  if (value === undefined) return {}
  if (rest.length === 0) return { [key]: value }
  return isObject(value) ? { [key]: pick(value, rest) } : {}
}

/** Other people's hooks do nothing there, and keep their places: an agent may remember what it trusts by its place. */
function onlyOurs(hooks: JsonObject, command: string): JsonObject {
  const still: JsonObject = { type: 'command', [command]: 'true' }
  const quiet = (handler: Json): Json => (isOurs(JSON.stringify(handler)) ? handler : still)
  const groups = (list: readonly Json[]): Json[] =>
    list.map(group =>
      isObject(group) && Array.isArray(group.hooks) ? { ...group, hooks: group.hooks.map(quiet) } : quiet(group),
    )
  return Object.fromEntries(
    Object.entries(hooks).map(([event, list]) => [event, Array.isArray(list) ? groups(list) : list]),
  )
}

function merged(under: JsonObject, over: JsonObject | string | undefined): JsonObject {
  if (!isObject(over)) return under
  const both = Object.entries(over).map(([key, value]): [string, Json] => {
    const below = under[key]
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value]
  })
  return { ...under, ...Object.fromEntries(both) }
}
