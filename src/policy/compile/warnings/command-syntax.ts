import { type CompileContext, type DocumentKey, reportNoEffect, reportWarningAtValue } from '../context.ts'
import { PROGRAMS, SUBCOMMANDS } from './command-list.ts'
import { IN_SLASHES } from './matcher-syntax.ts'

const COMMAND_SEPARATOR = /\s(?:&&|\|\|?|;)\s|;\s|&&|\|\|/
const REGEX_SIGNS = /^\^|.\$$|\.\+|\\[bdsw]|[^|]\|[^|]/i
/** Programs with scripts such as `test:unit`. */
const SCRIPT_RUNNERS = /^(npm|pnpm|yarn|bun)$/
const FILE_PROGRAMS = /^(rm|cp|mv|ls|cat|chmod|chown|tar|rsync)$/

/** `push.*` and `push:*` are written for a regex or a permission; `mkfs.*`, `*.log` and `feature/*` are patterns. */
function isRegexWord(word: string, at: number, words: readonly string[]): boolean {
  const [program = ''] = words
  if (REGEX_SIGNS.test(word)) return true
  const [, stem = '', sign] = /^(.*?)(\.\*|:\*)$/.exec(word) ?? []
  if (sign === undefined) return false
  if (stem === '') return sign === '.*' && !FILE_PROGRAMS.test(program)
  if (at === 0) return PROGRAMS.has(stem)
  const isSubcommand =
    SUBCOMMANDS.has(stem) && PROGRAMS.has(program.replace(/\.\*$/, '')) && (at === 1 || words[1] === 'run')
  return isSubcommand && (sign === '.*' || !SCRIPT_RUNNERS.test(program))
}

/** Warns of a `command` that is a whole shell line or a regex: it matches no command. */
export function warnOfCommandSyntax(context: CompileContext, holder: object, key: DocumentKey, text: string): void {
  const what = '`command` matches the words of one command'
  const words = text.trim().split(/\s+/)
  const parts = text.split(/&&|\|\|?|;/).flatMap(part => part.trim() || [])
  const strange = SLASHED.test(text.trim()) ? text.trim() : words.find((word, at) => isRegexWord(word, at, words))
  // the semicolon in `find … -exec rm {} ;` is an argument
  if (strange === undefined && COMMAND_SEPARATOR.test(text) && !words.includes('-exec'))
    reportNoEffect(context, holder, key, `${what}: \`${text}\` is several commands`, {
      help: `Signalbox evaluates each command of a line: write the one that matters, ${parts.map(part => `\`${part}\``).join(' or ')}`,
    })
  else if (strange !== undefined && !PERMISSION_SYNTAX.test(text.trim()))
    reportNoEffect(context, holder, key, `${what}: \`${strange}\` is not read as a regex`, {
      help: `${suggestCommand(text.trim().replace(SLASHED, '$1'))}; \`*\` is any characters in one word`,
    })
  else {
    warnOfScriptPrefix(context, holder, key, words)
    const found = findShellSyntax(text, words)
    if (found) reportNoEffect(context, holder, key, `${what}: ${found.message}`, { help: found.help })
  }
}

/** `npm run test:*` has the scripts `test:unit` and `test:e2e`, but not `test`, as it would in a permission. */
function warnOfScriptPrefix(context: CompileContext, holder: object, key: DocumentKey, words: readonly string[]): void {
  const line = words.join(' ')
  const [, plain] = /^(.* \S+):\*$/.exec(line) ?? []
  const all = Array.isArray(holder) ? holder : []
  if (plain === undefined || !SCRIPT_RUNNERS.test(words[0] ?? '') || all.includes(plain)) return
  reportWarningAtValue(context, holder, key, `\`${line}\` does not match \`${plain}\` itself`, {
    help: `to match both write \`[${plain}, "${line}"]\``,
  })
}

/** Warns of a text under `words` that is a regex or has quotes: no word is ever that text. */
export function warnOfWordSyntax(context: CompileContext, holder: object, key: DocumentKey, text: string): void {
  const [, inner] = IN_SLASHES.exec(text) ?? []
  const isRegex =
    REGEX_SIGNS.test(text) || /\(\?|\.\*\S*\.\*/.test(text) || (inner !== undefined && /[\\^$|(]|\.[*+]/.test(inner))
  if (isRegex)
    reportNoEffect(
      context,
      holder,
      key,
      `\`${text}\` is not read as a regex: it is the text of a word, and \`*\` is any characters`,
      {
        help: `write \`{ regex: '${inner ?? text}' }\``,
      },
    )
  else if (/\S\s+\S/.test(text) && !text.includes('*'))
    reportWarningAtValue(context, holder, key, `\`${text}\` matches only a quoted word of exactly these characters`, {
      help: `for a word that contains it write \`"*${text}*"\`; several words of a command are \`command\``,
    })
}

/** `Bash(git push:*)`: the syntax of agents' own permission settings. */
const PERMISSION_SYNTAX = /^\w+\((.*?)[:\s]*\*?\)$/

/** Finds syntax that the shell removes before it runs a command: no word of a command ever contains it. */
function findShellSyntax(text: string, words: readonly string[]): { message: string; help: string } | undefined {
  const [, inner] = PERMISSION_SYNTAX.exec(text.trim()) ?? []
  if (inner !== undefined) return { message: `\`${text}\` is the syntax of permissions`, help: `write \`${inner}\`` }
  const [first = '', ...rest] = words
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(first) ?? []
  if (name !== undefined)
    return {
      message: `\`${first}\` sets a variable and is not a word of the command`,
      help: `write ${rest.length > 0 ? `\`command: ${rest.join(' ')}\` and ` : ''}\`assigns: { ${name}: "${value}" }\``,
    }
  if (/^[$>%#]$/.test(first))
    return { message: `\`${first}\` is matched literally`, help: `write \`${rest.join(' ')}\`` }
  const redirect = words.find((word, at) => at > 0 && /^(?:&|&>>?\S*|\d?(?:>>?|<<?)\S*)$/.test(word))
  if (redirect !== undefined && !words.includes('-exec'))
    return {
      message: `\`${redirect}\` is a redirect and not a word of the command`,
      help: `write \`${words.slice(0, words.indexOf(redirect)).join(' ')}\`; to match what a command writes, use \`action: write\` and \`path\``,
    }
  const expanded = words.find(word => /^\$\(|^`|\{[^{}\s]*,[^{}\s]*\}/.test(word))
  if (expanded !== undefined)
    return {
      message: `the shell replaces \`${expanded}\` by other words`,
      help: expanded.includes('{')
        ? `write a list: \`[${alternatives(text).join(', ')}]\``
        : 'write the command inside it: Signalbox evaluates that, too',
    }
  const quote = words.find(word => /^["']|["']$/.test(word))
  if (quote !== undefined)
    return {
      message: `\`${quote}\` has a quote, which the shell removes`,
      help: `write its words without quotes, or use \`input: { command: { regex: … } }\``,
    }
  return undefined
}

/** `git push {a,b}` as `git push a` and `git push b`. */
function alternatives(text: string): readonly string[] {
  const [braces = '', inner = ''] = /\{([^{}]*)\}/.exec(text) ?? []
  return inner.split(',').map(word => text.replace(braces, word))
}

/** A regex between slashes. */
const SLASHED = /^\/(\^?[\w-]+(?:\s.*|\.[*+].*|[^\w\s/.-].*)?)\/[gimsuy]*$/

/** Suggests the plain words. Wildcards at the end are dropped, because a command pattern allows any further words anyway. */
function suggestCommand(text: string): string {
  const words = text.split(/\s+/)
  const choice = words.find(word => word.includes('|'))
  const whole = text.split('|').map(part => part.trim())
  if (choice !== undefined && !text.includes('(') && whole.every(name => /\s/.test(name)))
    return `write a list: \`[${whole.join(', ')}]\``
  if (choice !== undefined) {
    const each = choice.replace(/[()]/g, '').split('|')
    return `write a list: \`[${each.map(name => words.map(word => (word === choice ? name : word)).join(' ')).join(', ')}]\``
  }
  const plain = words.flatMap(word => word.replace(/^\^|(?:\\[bs][*+]?|[.:]?[*+]|\$)+$/g, '') || [])
  return plain.length === 0 || plain.some(word => REGEX_SIGNS.test(word) || /[\\()]/.test(word))
    ? 'write its first words, whatever follows them'
    : `write \`${plain.join(' ')}\`, whatever follows it`
}
