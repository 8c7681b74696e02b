import type { Client } from '../../../clients/index.ts'
import {
  type ClientSettings,
  clientSettingsById,
  type SettingsScope,
  type SettingsSyntax,
} from '../../../clients/settings.ts'
import { isObject } from '../../../lib/json.ts'
import type { FileProblem } from '../file-change.ts'
import { type InstallPaths, resolveClientFile } from '../install-paths.ts'
import { isHookLineOf } from '../ownership.ts'
import { assertLoadable, UnloadableSettingsError } from './client-syntax.ts'
import { UnfitFileError } from './edit-jsonc.ts'
import { decodeUtf8, readSnapshot } from './file-snapshot.ts'
import { collectStrings } from './hook-entries.ts'
import { type JsoncNode, JsoncSyntaxError, nodeValue, parseJsonc } from './jsonc.ts'

/** One hook in an agent's file. */
export interface HookRegistration {
  readonly event: string
  /** the command, or the other thing it says it does */
  readonly command: string
  readonly isOurs: boolean
  readonly line: number
  /** as written */
  readonly handler: unknown
}

/** What an agent's file of a scope says about hooks. */
export interface ClientRegistrations {
  readonly client: string
  readonly scope: SettingsScope
  readonly file: string
  readonly exists: boolean
  /** why it cannot be read, in words that follow its name; `place`: `:line:column` */
  readonly problem?: string
  readonly place?: string | undefined
  readonly help?: string | undefined
  readonly hooks: readonly HookRegistration[]
}

const SCOPES: readonly SettingsScope[] = ['user', 'project', 'managed']

/** Every file `init` would write for this agent, and the hooks in it, whoever's. */
export const findRegistrations = (client: Client, place: InstallPaths): readonly ClientRegistrations[] =>
  SCOPES.flatMap(scope => readRegistrations(client, scope, place) ?? [])

export function readRegistrations(
  client: Client,
  scope: SettingsScope,
  place: InstallPaths,
): ClientRegistrations | undefined {
  const how = clientSettingsById(client.id)
  const name = how?.files[scope]
  const file = name && resolveClientFile(name, client, place)
  if (!how || !file) return undefined
  const base = { client: client.id, scope, file, exists: false, hooks: [] }
  try {
    const { bytes } = readSnapshot(file)
    if (!bytes) return base
    const text = decodeUtf8(bytes)
    if (how.hook.kind === 'file') return { ...base, exists: true, hooks: parsePluginHooks(text, how) }
    const hooks = parseSettingsHooks(text, how)
    return { ...base, exists: true, hooks, ...findLoadProblem(text, how.hook.reads, client.title, file) }
  } catch (error) {
    return { ...base, exists: true, ...describeFileError(error, file) }
  }
}

/** It can be read, and the agent would not load it: the hooks in it are there, and do not run. */
function findLoadProblem(
  text: string,
  reads: SettingsSyntax,
  title: string,
  file: string,
): Pick<ClientRegistrations, 'problem' | 'place'> {
  try {
    assertLoadable(text, reads, title)
    return {}
  } catch (error) {
    return describeFileError(error, file)
  }
}

/** Anything else than a file that cannot be used is our own mistake. */
export function describeFileError(error: unknown, file: string): Pick<FileProblem, 'problem' | 'place' | 'help'> {
  if (error instanceof UnloadableSettingsError)
    return { problem: error.message, place: lineAndColumn(file, error.at), help: error.help }
  if (error instanceof UnfitFileError) return { problem: error.message }
  if (error instanceof JsoncSyntaxError)
    return { problem: `is no JSON: ${error.message}`, place: lineAndColumn(file, error.at) }
  throw error
}

function lineAndColumn(file: string, at: number): string {
  const before = readSnapshot(file).bytes?.toString('utf8').slice(0, at) ?? ''
  return `:${before.split('\n').length}:${at - before.lastIndexOf('\n')}`
}

function parseSettingsHooks(text: string, { id }: ClientSettings): readonly HookRegistration[] {
  if (text.replace(/^\ufeff/, '').trim() === '') return []
  const root = parseJsonc(text)
  const hooks = memberNode(root, 'hooks')
  if (hooks?.kind !== 'table') return []
  return hooks.members.flatMap(({ key: event, value }) =>
    handlerNodesIn(value).map(part => {
      const handler = nodeValue(part)
      const command = commandOf(handler)
      const line = text.slice(0, part.from).split('\n').length
      return { event, command, isOurs: isHookLineOf(command, id), line, handler }
    }),
  )
}

const memberNode = (part: JsoncNode, key: string): JsoncNode | undefined =>
  part.kind === 'table' ? part.members.find(one => one.key === key)?.value : undefined

/** With groups around them or without. */
function handlerNodesIn(list: JsoncNode): readonly JsoncNode[] {
  if (list.kind !== 'list') return []
  return list.items.flatMap(item => {
    const inner = memberNode(item, 'hooks')
    return inner?.kind === 'list' ? inner.items : item.kind === 'table' ? [item] : []
  })
}

const COMMAND_KEYS = ['command', 'bash', 'url', 'prompt', 'tool', 'powershell']

function commandOf(handler: unknown): string {
  if (!isObject(handler)) return ''
  const named = COMMAND_KEYS.map(key => handler[key]).find(one => typeof one === 'string')
  return String(named ?? collectStrings(handler)[0] ?? '')
}

/** A plugin of ours says in one line how the hook is run. */
function parsePluginHooks(text: string, { id }: ClientSettings): readonly HookRegistration[] {
  const at = text.search(/^const \{ command, onError, timeoutMs \} = /m)
  if (!text.startsWith(PLUGIN_MARK) || at < 0) return []
  const [, json = '{}'] = /= (\{.*\})$/m.exec(text.slice(at)) ?? []
  const handler: unknown = nodeValue(parseJsonc(json))
  const words = isObject(handler) && Array.isArray(handler.command) ? handler.command.map(String) : []
  const line = text.slice(0, at).split('\n').length
  return [{ event: '*', command: `${words.join(' ')} hook --client ${id}`, isOurs: true, line, handler }]
}

/** How a plugin of ours begins. */
export const PLUGIN_MARK = '// Signalbox for '
