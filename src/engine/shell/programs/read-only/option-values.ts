import type { Arg } from '../../calls/argument.ts'

interface KnownOptions {
  readonly flags: string
  /** options with a value, and which values are harmless */
  readonly values: Readonly<Record<string, (value: string) => boolean>>
}

/** The words that are not options. Undefined unless each option is known and harmless, and each word certain. */
export function readOptions(words: readonly Arg[], { flags, values }: KnownOptions): readonly string[] | undefined {
  const known = new Set(flags.split(' '))
  const operands: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const { text = null, glob, head } = words[at] ?? {}
    if (text === null || (glob && !/^[\w./~]/.test(head ?? ''))) return undefined
    if (!text.startsWith('-') || text === '-') {
      operands.push(text)
      continue
    }
    if (known.has(text)) continue
    if (/^-\w+$/.test(text) && [...text.slice(1)].every(letter => known.has(`-${letter}`))) continue
    const option = splitOption(text, known, values)
    if (option === undefined || !Object.hasOwn(values, option.name)) return undefined
    if (option.value === undefined) at += 1
    const value = option.value ?? words[at]?.text ?? null
    if (value === null || !values[option.name]?.(value)) return undefined
  }
  return operands
}

/** `--name=value`, `--name`, `-n`, `-nvalue`, `-qn`: flags may stand in front of the letter. */
function splitOption(
  text: string,
  known: ReadonlySet<string>,
  values: KnownOptions['values'],
): { readonly name: string; readonly value?: string } | undefined {
  if (text.startsWith('--')) {
    const [name = '', ...rest] = text.split('=')
    return text.includes('=') ? { name, value: rest.join('=') } : { name }
  }
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text[at]}`
    if (Object.hasOwn(values, name)) return at + 1 < text.length ? { name, value: text.slice(at + 1) } : { name }
    if (!known.has(name)) return undefined
  }
  return undefined
}
