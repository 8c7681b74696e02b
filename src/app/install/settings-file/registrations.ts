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

/** One hook in an agent's settings file. */
export interface HookRegistration {
  readonly event: string
  /** the command, or the URL, prompt or tool of another hook type */
  readonly command: string
  readonly isOurs: boolean
  readonly line: number
  /** the entry as written */
  readonly handler: unknown
}

/** The hooks in an agent's settings file of one scope. */
export interface ClientRegistrations {
  readonly client: string
  readonly scope: SettingsScope
  readonly file: string
  readonly exists: boolean
  /** why the file cannot be used; follows its name. `place`: `:line:column` */
  readonly problem?: string
  readonly place?: string | undefined
  readonly help?: string | undefined
  readonly hooks: readonly HookRegistration[]
}

const SCOPES: readonly SettingsScope[] = ['user', 'project', 'managed']

/** Every file that `init` would write for this agent, with all hooks in it. */
export const readAllRegistrations = (client: Client, paths: InstallPaths): readonly ClientRegistrations[] =>
  SCOPES.flatMap(scope => readRegistrations(client, scope, paths) ?? [])

export function readRegistrations(
  client: Client,
  scope: SettingsScope,
  paths: InstallPaths,
): ClientRegistrations | undefined {
  const how = clientSettingsById(client.id)
  const name = how?.files[scope]
  const file = name && resolveClientFile(name, client, paths)
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

/** A file that we can parse but the agent would not load: its hooks exist, but do not run. */
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

/** Rethrows any other error: it is a bug of ours. */
export function describeFileError(error: unknown, file: string): Pick<FileProblem, 'problem' | 'place' | 'help'> {
  if (error instanceof UnloadableSettingsError)
    return { problem: error.message, place: lineAndColumn(file, error.at), help: error.help }
  if (error instanceof UnfitFileError) return { problem: error.message }
  if (error instanceof JsoncSyntaxError)
    return { problem: `is not valid JSON: ${error.message}`, place: lineAndColumn(file, error.at) }
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
  part.kind === 'table' ? part.members.find(member => member.key === key)?.value : undefined

/** Handlers, with or without groups. */
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
  const named = COMMAND_KEYS.map(key => handler[key]).find(value => typeof value === 'string')
  return String(named ?? collectStrings(handler)[0] ?? '')
}

/** Our plugin has one line with the settings of the hook. */
function parsePluginHooks(text: string, { id }: ClientSettings): readonly HookRegistration[] {
  const at = text.search(/^const \{ command, onError, timeoutMs \} = /m)
  if (!text.startsWith(PLUGIN_MARK) || at < 0) return []
  const [, json = '{}'] = /= (\{.*\})$/m.exec(text.slice(at)) ?? []
  const handler: unknown = nodeValue(parseJsonc(json))
  const words = isObject(handler) && Array.isArray(handler.command) ? handler.command.map(String) : []
  const line = text.slice(0, at).split('\n').length
  return [{ event: '*', command: `${words.join(' ')} hook --client ${id}`, isOurs: true, line, handler }]
}

/** The first characters of our plugin. */
export const PLUGIN_MARK = '// Signalbox for '
