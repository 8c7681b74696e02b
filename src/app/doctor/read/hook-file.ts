import type { ClientDiagnostics, LoadedSettingsFile } from '../../../clients/diagnostics.ts'
import { isObject, type JsonObject } from '../../../lib/json.ts'
import { didYouMean } from '../../../policy/index.ts'
import { isHookLine, nodeValue, parseJsonc } from '../../install/index.ts'
import type { RegisteredHook, SettingsFault } from '../context.ts'

type JsonNode = ReturnType<typeof parseJsonc>

export interface HookFileContent {
  readonly hooks: readonly RegisteredHook[]
  readonly faults: readonly SettingsFault[]
}

/** All handlers of a file, and every entry with a shape that the agent does not accept. */
export function parseHookFile(read: LoadedSettingsFile, checkup: ClientDiagnostics): HookFileContent {
  const finder = new HookFileParser(read, checkup)
  finder.file()
  return finder
}

class HookFileParser implements HookFileContent {
  readonly hooks: RegisteredHook[] = []
  readonly faults: SettingsFault[] = []

  constructor(
    private readonly read: LoadedSettingsFile,
    private readonly checkup: ClientDiagnostics,
  ) {}

  file(): undefined {
    const { text } = this.read
    if (text.replace(/^\ufeff/, '').trim() === '') return
    const root = parseJsonc(text)
    if (root.kind !== 'table') return this.wrong(root, 'the top level is not an object')
    const events = Object.keys(this.checkup.events)
    for (const { key, value, from } of root.members)
      if (events.includes(key) && mentionsSignalbox(value))
        this.wrong({ from }, `\`${key}\` is next to \`hooks\`; it must be inside`, value)
    const hooks = root.members.find(({ key }) => key === 'hooks')?.value
    if (!hooks) return
    if (hooks.kind !== 'table') return this.wrong(hooks, '`hooks` is not an object with events', hooks)
    this.needs(root)
    for (const { key, value, from } of hooks.members) this.event(key, value, from)
  }

  private needs(root: JsonNode): void {
    if (root.kind !== 'table' || !/hooks/.test(this.read.path)) return
    for (const [key, least] of Object.entries(this.checkup.needs ?? {})) {
      const found = root.members.find(member => member.key === key)?.value
      if (found?.kind !== 'leaf' || typeof found.value !== 'number' || found.value < least)
        this.wrong(root, `\`"${key}": ${least}\` is missing`)
    }
  }

  private event(name: string, value: JsonNode, from: number): undefined {
    if (!(name in this.checkup.events)) {
      const guess = didYouMean(name, Object.keys(this.checkup.events))
      this.faults.push({
        kind: 'event',
        file: this.read.file,
        line: this.line(from),
        found: `there is no event \`${name}\`${guess ? `: ${guess}` : ''}`,
        ours: mentionsSignalbox(value),
      })
      return
    }
    if (value.kind !== 'list') return this.wrong({ from }, `\`${name}\` is not a list`, value)
    for (const [group, item] of value.items.entries()) this.item(name, item, group)
  }

  private item(event: string, item: JsonNode, group: number): undefined {
    const { shape, commands } = this.checkup
    if (item.kind !== 'table') return this.wrong(item, `an entry of \`${event}\` is not an object`, item)
    const inner = item.members.find(({ key }) => key === 'hooks')
    const isBare = item.members.some(({ key }) => commands.includes(key))
    const matcher = item.members.find(({ key }) => key === 'matcher')
    if (matcher && (matcher.value.kind !== 'leaf' || typeof matcher.value.value !== 'string'))
      this.wrong(matcher, `\`matcher\` of \`${event}\` is not a string`, item)
    const place = { event, group, matcher: matcher ? nodeValue(matcher.value) : undefined }
    if (inner && shape === 'flat')
      return this.wrong(inner, `an entry of \`${event}\` contains \`hooks\`; its keys belong one level up`, item)
    if (!inner && shape === 'groups') {
      const problem = isBare ? 'a command is next to `hooks`; it must be inside' : 'a group has no `hooks`'
      return this.wrong(item, `${problem} (\`${event}\`)`, item)
    }
    if (!inner) return this.handler(item, { ...place, nth: 0 })
    if (inner.value.kind !== 'list') return this.wrong(inner, `\`hooks\` of \`${event}\` is not a list`, item)
    for (const [nth, handler] of inner.value.items.entries()) this.handler(handler, { ...place, nth })
  }

  private handler(part: JsonNode, place: { event: string; group: number; nth: number; matcher: unknown }): undefined {
    const { types, typeless, commands, timeout } = this.checkup
    const handler = nodeValue(part)
    if (part.kind !== 'table' || !isObject(handler))
      return this.wrong(part, `a hook of \`${place.event}\` is not an object`, part)
    const type = handler.type ?? (typeless ? 'command' : undefined)
    if (type === undefined) return this.wrong(part, `a hook of \`${place.event}\` has no \`type\``, part)
    if (typeof type !== 'string' || !types.includes(type))
      return this.wrong(
        part,
        `a hook of \`${place.event}\` has type \`${String(type)}\`; types: ${types.join(', ')}`,
        part,
      )
    const key = commands.find(text => handler[text] !== undefined)
    const command = key === undefined ? undefined : handler[key]
    if (type === 'command' && (typeof command !== 'string' || command.trim() === ''))
      return this.wrong(part, `a hook of \`${place.event}\` has no \`${commands[0]}\``, part)
    const needed = REQUIRED_KEY_BY_TYPE[type]
    if (needed !== undefined && typeof handler[needed] !== 'string')
      return this.wrong(part, `a hook of \`${place.event}\` has no \`${needed}\``, part)
    const limit = timeout.keys.map(text => handler[text]).find(value => value !== undefined)
    if (limit !== undefined && (typeof limit !== 'number' || limit <= 0))
      this.wrong(part, `\`${timeout.keys[0]}\` of \`${place.event}\` is not a number above 0`, part)
    const { file, scope, plugin } = this.read
    const line = typeof command === 'string' ? command : ''
    const words = argumentWordsOf(handler, line)
    this.hooks.push({
      ...place,
      ...{ file, scope, handler, type, command: line, timeout: limit },
      line: this.line(part.from),
      ...words,
      timeoutMs: typeof limit === 'number' ? limit * (timeout.unit === 's' ? 1000 : 1) : undefined,
      ours: isHookLine(words.words?.join(' ') ?? line) || (plugin !== undefined && clientOptionIn(line) !== undefined),
      names: clientOptionIn(line),
      ...(plugin && { plugin }),
    })
  }

  private wrong({ from }: { readonly from: number }, found: string, node?: JsonNode): undefined {
    const line = this.line(from)
    this.faults.push({
      kind: 'shape',
      file: this.read.file,
      line,
      found,
      ours: node !== undefined && mentionsSignalbox(node),
    })
  }

  private line(at: number): number {
    return this.read.text.slice(0, at).split('\n').length
  }
}

/** The key that each other hook type requires. */
const REQUIRED_KEY_BY_TYPE: Readonly<Record<string, string>> = { prompt: 'prompt', agent: 'prompt', http: 'url' }

/** With `args` beside `command`, no shell is used. */
const argumentWordsOf = (handler: JsonObject, command: string): { readonly words?: readonly string[] } =>
  Array.isArray(handler.args) ? { words: [command, ...handler.args.map(String)] } : {}

export const clientOptionIn = (command: string): string | undefined => /--client[ =]["']?([\w-]+)/.exec(command)?.[1]

const mentionsSignalbox = (part: JsonNode): boolean => JSON.stringify(nodeValue(part)).includes('signalbox')

const PLUGIN_SETTINGS = /^const \{ command, onError, timeoutMs \} = (\{.*\})$/m

/** Our plugin, which the agent loads: the command that it starts is written in it. */
export function parsePluginFile(read: LoadedSettingsFile, checkup: ClientDiagnostics): HookFileContent {
  const [whole, text] = PLUGIN_SETTINGS.exec(read.text) ?? []
  if (whole === undefined || !/\bsignalbox\b/i.test(read.text)) return { hooks: [], faults: [] }
  const line = read.text.slice(0, read.text.indexOf(whole)).split('\n').length
  const fault = (found: string): HookFileContent => ({
    hooks: [],
    faults: [{ kind: 'shape', file: read.file, line, found, ours: true }],
  })
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    if (!isObject(parsed) || !Array.isArray(parsed.command) || parsed.command.length === 0)
      return fault('it contains no command')
    const [event = ''] = checkup.gates
    const more = ['--event', event, '--on-error', String(parsed.onError)]
    const words = [...parsed.command.map(String), 'hook', '--client', checkup.id, ...more]
    const timeout = parsed.timeoutMs
    return {
      faults: [],
      hooks: [
        {
          ...{ file: read.file, scope: read.scope, line, event, group: 0, nth: 0, handler: parsed, type: 'code' },
          ...{ command: words.join(' '), words, timeout, ours: true, names: checkup.id },
          timeoutMs: typeof timeout === 'number' ? timeout : undefined,
        },
      ],
    }
  } catch {
    return fault('its settings cannot be read')
  }
}
