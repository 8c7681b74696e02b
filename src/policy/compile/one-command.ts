import { type Context, type Key, warnOfValue } from './context.ts'

const JOINER = /\s(?:&&|\|\|?|;)\s|;\s|&&|\|\|/
const REGEX = /^\^|.[*$]$|\.[*+]|\\[bdsw]|[^|]\|[^|]/i

/** Who writes a whole shell line or a regex as a `command` waits for what nobody types. */
export function warnOfCommand(context: Context, holder: object, key: Key, text: string): void {
  const what = '`command` is one command, by its words'
  const words = text.trim().split(/\s+/)
  const parts = text.split(/&&|\|\|?|;/).flatMap(part => part.trim() || [])
  const strange = words.find(word => REGEX.test(word))
  // `find … -exec rm {} ;` has a semicolon of its own
  if (strange === undefined && JOINER.test(text) && !words.includes('-exec'))
    warnOfValue(context, holder, key, `${what}: \`${text}\` is several`, {
      help: `a line is judged part by part: write the one that counts, ${parts.map(part => `\`${part}\``).join(' or ')}`,
    })
  else if (strange !== undefined)
    warnOfValue(context, holder, key, `${what}: \`${strange}\` is taken as it stands`, {
      help: `${instead(words)}; \`*\` is any one word`,
    })
}

/** Words that are no more than an open end are what every command has anyway. */
function instead(words: readonly string[]): string {
  const choice = words.find(word => word.includes('|'))
  if (choice !== undefined) {
    const each = choice.replace(/[()]/g, '').split('|')
    return `write a list: \`[${each.map(one => words.map(word => (word === choice ? one : word)).join(' ')).join(', ')}]\``
  }
  const plain = words.flatMap(word => word.replace(/^\^|(?:\\[bs][*+]?|[.:]?[*+]|\$)+$/g, '') || [])
  return plain.length === 0 || plain.some(word => REGEX.test(word) || /[\\()]/.test(word))
    ? 'write its first words, whatever follows them'
    : `write \`${plain.join(' ')}\`, whatever follows it`
}
