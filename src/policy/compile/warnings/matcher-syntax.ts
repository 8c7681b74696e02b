import { didYouMean } from '../../../lib/did-you-mean.ts'
import { type CompileContext, type DocumentKey, reportNoEffect, reportWarningAtValue } from '../context.ts'

/** Names of tools and agents are literals. A pattern in another program's syntax would be a name that no tool or agent has. */

export const IN_SLASHES = /^\/(.+)\/([gimsuy]*)$/
const REGEX_SIGNS = /^\^|\$$|\.[*+]|\\|\(\?|\[[^\]]*\]|[+?]$/
/** `{review.verdict.agent}`: filled in when the event is evaluated. */
const TEMPLATE = /\{[\w.-]+\}/

const quoteList = (words: readonly string[]): string => `\`[${words.join(', ')}]\``

/** The names in `Edit|Write`, `^(Edit|Write)$`, `Edit, Write`; undefined if there is only one. */
function splitNames(text: string): readonly string[] | undefined {
  const bare = text.replace(/^\^|\$$/g, '').replace(/^\((?:\?:)?(.*)\)$/, '$1')
  const names = bare.split(/\s*[|,]\s*|\s+/).filter(Boolean)
  return names.length > 1 && /[|,\s]/.test(bare) ? names : undefined
}

const stripAnchors = (text: string): string => text.replace(IN_SLASHES, '$1').replace(/^\^|\$$/g, '')

/** The plain name to suggest for a name with regex or glob syntax. */
function plainName(text: string): string | undefined {
  const bare = stripAnchors(text).replace(/\\([.-])/g, '$1')
  const [, head = '', tail] = /^([\w:.-]*?)(\.[*+]|\*)?$/.exec(bare) ?? []
  return head === '' ? undefined : `${head}${tail === undefined ? '' : '*'}`
}

export function warnOfToolSyntax(context: CompileContext, holder: object, key: DocumentKey, text: string): void {
  if (TEMPLATE.test(text)) return
  const report = (message: string, help: string): void => reportNoEffect(context, holder, key, message, { help })
  const several = splitNames(text)
  if (several) report(`\`${text}\` matches no tool: it is read as one name`, `write a list: ${quoteList(several)}`)
  else if (text.startsWith('!')) report(`\`${text}\` matches no tool`, `write \`not: { tool: ${text.slice(1)} }\``)
  else if (REGEX_SIGNS.test(text) || IN_SLASHES.test(text)) {
    const plain = plainName(text)
    report(
      `\`${text}\` matches no tool: a tool is a name, not a regex`,
      plain === undefined || plain.slice(0, -1).includes('*')
        ? 'write its name; `*` is any characters'
        : `write \`${plain}\``,
    )
  } else if (/^mcp__[^_*]+(?:_[^_*]+)*$/.test(text))
    report(`\`${text}\` matches no tool: it is only the server of one`, `write \`${text}__*\``)
  else warnOfMisspeltTool(context, holder, key, text)
}

/** Warns only if the letters of a known tool name are transposed; any other name may be a future tool. */
function warnOfMisspeltTool(context: CompileContext, holder: object, key: DocumentKey, text: string): void {
  const known = [...Object.entries(context.input.toolNames).flat()]
  const isKnown = known.some(name => name.toLowerCase() === text.toLowerCase())
  if (isKnown || text.length < 5 || !/^[A-Za-z_]+$/.test(text)) return
  const close = known.find(name => name.length > 4 && isAnagram(name.toLowerCase(), text.toLowerCase()))
  if (close !== undefined)
    reportNoEffect(context, holder, key, `\`${text}\` matches no tool that an agent is known to have`, {
      help: didYouMean(text, [close]),
    })
}

/** Whether both names have the same letters. */
const isAnagram = (one: string, other: string): boolean => [...one].sort().join('') === [...other].sort().join('')

/** Common words for kinds of callers, and the valid word. */
const CALLER_KIND_ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['subagent', 'subagents', 'sub-agent', 'sub_agent', 'sub-agents', 'agents', 'child', 'worker-agent'].map(word => [
      word,
      'agent',
    ]),
  ),
  ...Object.fromEntries(
    ['main-agent', 'main_agent', 'mainagent', 'primary', 'parent', 'root', 'assistant', 'top', 'top-level'].map(
      word => [word, 'main'],
    ),
  ),
}
/** Aliases that may also be real agent types. */
const POSSIBLE_AGENT_TYPES: ReadonlySet<string> = new Set(['primary', 'parent', 'root', 'assistant', 'child', 'top'])
const HUMAN_WORDS: ReadonlySet<string> = new Set(['user', 'human', 'person'])
const ANY_CALLER_WORDS: ReadonlySet<string> = new Set([
  '*',
  '**',
  'any',
  'all',
  'anyone',
  'everyone',
  'anybody',
  'everybody',
])

/** Checks `caller` and `agent`: a kind (`caller` only), or the type of an agent. */
export function warnOfAgentSyntax(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  about: 'caller' | 'agent',
): void {
  if (TEMPLATE.test(text)) return
  const word = text.trim().toLowerCase()
  const mayBeType = POSSIBLE_AGENT_TYPES.has(word) || /^[\w-]+(\s+[\w-]+)+$/.test(word)
  const warn = mayBeType ? reportWarningAtValue : reportNoEffect
  const report = (message: string, help: string): void => warn(context, holder, key, message, { help })
  const what = `\`${text}\` matches no ${about}`
  const kind = CALLER_KIND_ALIASES[word]
  const several = splitNames(text)
  if (ANY_CALLER_WORDS.has(word))
    report(`${what}: it is treated as the name of an agent`, `remove \`${about}\`: any agent then matches`)
  else if (about === 'caller' && HUMAN_WORDS.has(word))
    report(`${what}: only agents make calls`, 'to match what a person writes, use `event: prompt.submit, source: user`')
  else if (kind !== undefined)
    report(
      `${what} but one whose type is called \`${text}\``,
      about === 'caller' ? `write \`${kind}\`` : 'remove `agent`: any agent then matches',
    )
  else if (several) report(`${what}: it is read as one name`, `write a list: ${quoteList(several)}`)
  else if (/^(!|not\b)/.test(word)) report(what, `write \`not: { ${about}: ${text.replace(/^(!|not\b)\s*/i, '')} }\``)
  else if (text.startsWith('@')) report(`${what}: \`@\` is not part of a name`, `write \`${text.slice(1)}\``)
  else if (/[*?]/.test(text) || REGEX_SIGNS.test(text) || IN_SLASHES.test(text))
    report(`${what}: it is a name, without wildcards or regex`, 'write the names as a list')
}
