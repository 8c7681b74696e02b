import type { Client } from '../clients/index.ts'
import { type Reader, type Registering, registeringById, type Scope } from '../clients/registers.ts'
import { isObject } from '../pattern/index.ts'
import type { Problem } from './change.ts'
import { Unfit } from './edit.ts'
import { lookAt, textOf } from './file.ts'
import { Malformed, type Part, parseJsonc, saidBy } from './jsonc.ts'
import { mustLoad, Unloaded } from './loaded.ts'
import { isHookOf } from './ours.ts'
import { fileAt, type Place } from './place.ts'
import { commandsIn } from './settings.ts'

/** One hook in an agent's file. */
export interface Registration {
  readonly event: string
  /** the command, or the other thing it says it does */
  readonly command: string
  readonly isOurs: boolean
  readonly line: number
  /** as written */
  readonly handler: unknown
}

/** What an agent's file of a scope says about hooks. */
export interface Registrations {
  readonly client: string
  readonly scope: Scope
  readonly file: string
  readonly exists: boolean
  /** why it cannot be read, in words that follow its name; `place`: `:line:column` */
  readonly problem?: string
  readonly place?: string | undefined
  readonly help?: string | undefined
  readonly hooks: readonly Registration[]
}

const SCOPES: readonly Scope[] = ['user', 'project', 'managed']

/** Every file `init` would write for this agent, and the hooks in it, whoever's. */
export const registrationsFound = (client: Client, place: Place): readonly Registrations[] =>
  SCOPES.flatMap(scope => registrationsIn(client, scope, place) ?? [])

export function registrationsIn(client: Client, scope: Scope, place: Place): Registrations | undefined {
  const how = registeringById(client.id)
  const name = how?.files[scope]
  const file = name && fileAt(name, client, place)
  if (!how || !file) return undefined
  const base = { client: client.id, scope, file, exists: false, hooks: [] }
  try {
    const { bytes } = lookAt(file)
    if (!bytes) return base
    const text = textOf(bytes)
    if (how.hook.kind === 'file') return { ...base, exists: true, hooks: pluginHooks(text, how) }
    const hooks = settingsHooks(text, how)
    return { ...base, exists: true, hooks, ...unloadedBy(text, how.hook.reads, client.title, file) }
  } catch (error) {
    return { ...base, exists: true, ...problemOf(error, file) }
  }
}

/** It can be read, and the agent would not load it: the hooks in it are there, and do not run. */
function unloadedBy(
  text: string,
  reads: Reader,
  title: string,
  file: string,
): Pick<Registrations, 'problem' | 'place'> {
  try {
    mustLoad(text, reads, title)
    return {}
  } catch (error) {
    return problemOf(error, file)
  }
}

/** Anything else than a file that cannot be used is our own mistake. */
export function problemOf(error: unknown, file: string): Pick<Problem, 'problem' | 'place' | 'help'> {
  if (error instanceof Unloaded) return { problem: error.message, place: placeIn(file, error.at), help: error.help }
  if (error instanceof Unfit) return { problem: error.message }
  if (error instanceof Malformed) return { problem: `is no JSON: ${error.message}`, place: placeIn(file, error.at) }
  throw error
}

function placeIn(file: string, at: number): string {
  const before = lookAt(file).bytes?.toString('utf8').slice(0, at) ?? ''
  return `:${before.split('\n').length}:${at - before.lastIndexOf('\n')}`
}

function settingsHooks(text: string, { id }: Registering): readonly Registration[] {
  if (text.replace(/^\ufeff/, '').trim() === '') return []
  const root = parseJsonc(text)
  const hooks = memberOf(root, 'hooks')
  if (hooks?.kind !== 'table') return []
  return hooks.members.flatMap(({ key: event, value }) =>
    handlersIn(value).map(part => {
      const handler = saidBy(part)
      const command = commandOf(handler)
      const line = text.slice(0, part.from).split('\n').length
      return { event, command, isOurs: isHookOf(command, id), line, handler }
    }),
  )
}

const memberOf = (part: Part, key: string): Part | undefined =>
  part.kind === 'table' ? part.members.find(one => one.key === key)?.value : undefined

/** With groups around them or without. */
function handlersIn(list: Part): readonly Part[] {
  if (list.kind !== 'list') return []
  return list.items.flatMap(item => {
    const inner = memberOf(item, 'hooks')
    return inner?.kind === 'list' ? inner.items : item.kind === 'table' ? [item] : []
  })
}

const COMMANDS = ['command', 'bash', 'url', 'prompt', 'tool', 'powershell']

function commandOf(handler: unknown): string {
  if (!isObject(handler)) return ''
  const named = COMMANDS.map(key => handler[key]).find(one => typeof one === 'string')
  return String(named ?? commandsIn(handler)[0] ?? '')
}

/** A plugin of ours says in one line how the hook is run. */
function pluginHooks(text: string, { id }: Registering): readonly Registration[] {
  const at = text.search(/^const \{ command, onError, timeoutMs \} = /m)
  if (!text.startsWith(PLUGIN_MARK) || at < 0) return []
  const [, json = '{}'] = /= (\{.*\})$/m.exec(text.slice(at)) ?? []
  const handler: unknown = saidBy(parseJsonc(json))
  const words = isObject(handler) && Array.isArray(handler.command) ? handler.command.map(String) : []
  const line = text.slice(0, at).split('\n').length
  return [{ event: '*', command: `${words.join(' ')} hook --client ${id}`, isOurs: true, line, handler }]
}

/** How a plugin of ours begins. */
export const PLUGIN_MARK = '// Signalbox for '
