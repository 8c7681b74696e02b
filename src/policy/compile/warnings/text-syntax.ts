import { type CompileContext, type DocumentKey, reportNoEffect, reportWarningAtValue } from '../context.ts'
import { IN_SLASHES } from './matcher-syntax.ts'

const LOOKS_LIKE_REGEX = /^\^|\w\$$|\.[*+]|\\[bdswBDSW.]|\(\?|[^|\s]\|[^|\s]|\[[^\]]+\][*+]/
/** Fields whose value is itself a pattern, a shell line, or file content. */
const FREE_FIELD = /pattern|regex|query|command|content|string|prompt|text|patch|code|glob|include|exclude|filter/i
const SHELL_FIELD = /^(command|cmd)$/i
const PATH_FIELD = /path|file|dir|folder/i

/** A plain text is compared literally; `how` says whether it must be contained or equal. */
export function warnOfTextSyntax(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  text: string,
  how: 'contains' | 'equals',
  field = '',
): void {
  if (how === 'equals' && SHELL_FIELD.test(field)) warnOfLineSyntax(context, holder, key, text)
  if (how === 'equals' && FREE_FIELD.test(field)) return
  const mistake = findTextMistake(text, how, field)
  if (mistake)
    reportNoEffect(context, holder, key, `\`${text}\` matches only exactly these characters: ${mistake.why}`, {
      help: `write \`${mistake.instead}\`${mistake.because ?? ''}`,
    })
}

interface TextMistake {
  readonly why: string
  readonly instead: string
  readonly because?: string
}

function findTextMistake(text: string, how: 'contains' | 'equals', field: string): TextMistake | undefined {
  const [, inner = '', flags = ''] = IN_SLASHES.exec(text) ?? []
  // `/etc/` is a folder, `/fix/i` is a regex
  const isInSlashes = LOOKS_LIKE_REGEX.test(inner) || (flags !== '' && !inner.includes('/'))
  if (how === 'equals' && PATH_FIELD.test(field) && /\*|\{[^{}]*,[^{}]*\}/.test(text) && !isRegex(text))
    return { why: 'it is not a glob here', instead: `path: ${text}` }
  if (isInSlashes || LOOKS_LIKE_REGEX.test(text)) {
    const compared = how === 'contains' ? 'searched for as plain text' : 'compared as plain text'
    return { why: `it is ${compared}, not as a regex`, instead: `{ regex: '${isInSlashes ? inner : text}' }` }
  }
  const why = '`*` is not a wildcard here'
  if (/^\*+$/.test(text)) return { why, instead: "{ regex: '.' }", because: ': any value' }
  if (!/^\*+.|[^*\s]\*+$|\s\*+$/.test(text) || /\*\*$/.test(text)) return undefined
  return how === 'contains'
    ? { why, instead: text.replace(/^\*+|\*+$/g, '').trim(), because: ': it is found anywhere' }
    : { why, instead: `{ regex: '${text.replace(/[.\\+()[\]{}|^$?]/g, '\\$&').replace(/\*+/g, '.*')}' }` }
}

const isRegex = (text: string): boolean => /^\^|\$$|\\|\.[*+]|\(/.test(text)

/** `input: { command: 'rm *' }` is that line only, which a shell can also be given. */
function warnOfLineSyntax(context: CompileContext, holder: object, key: DocumentKey, text: string): void {
  const [, inner] = IN_SLASHES.exec(text) ?? []
  const [, words] = /^([\w-][\w ./-]*?)[\s:]*\*$/.exec(text) ?? []
  const help =
    words !== undefined
      ? `write \`command: ${words}\`, whatever follows it`
      : inner !== undefined && LOOKS_LIKE_REGEX.test(inner)
        ? `write \`{ regex: '${inner}' }\``
        : undefined
  if (help !== undefined)
    reportWarningAtValue(context, holder, key, `\`${text}\` matches only exactly this line: it is no pattern`, { help })
}
