export const MAX_VALUE_LENGTH = 200
/** Only this many characters of a value are processed: a command may be a megabyte long. */
const READ = 2000

type Lookup = (name: string) => string | undefined

/**
 * Fills in `{name}`. `{{` is a brace; `{?name}…{/}` is left out if the value is missing, empty or `false`.
 * Values come from agents and repositories: they are cut, lose control characters, and are never parsed as a template.
 */
export function fillTemplate(template: string, value: Lookup): string {
  const text = template.includes('{?') ? withoutMissing(template, value) : template
  return text.replace(/\{\{|\{([a-zA-Z][\w./-]*)\}/g, (whole, name: string | undefined) => {
    if (name === undefined) return '{'
    const found = value(name)
    return found === undefined ? whole : clean(found)
  })
}

const PART = /\{\{|\{\?([a-zA-Z][\w./-]*)\}|\{\/\}/g

function withoutMissing(template: string, value: Lookup): string {
  const shown = [true]
  const isShown = (): boolean => shown.at(-1) === true
  let text = ''
  let from = 0
  for (const { 0: whole, 1: name, index } of template.matchAll(PART)) {
    if (isShown()) text += template.slice(from, index)
    from = index + whole.length
    if (name !== undefined) shown.push(isShown() && !['', 'false'].includes(value(name)?.trim() ?? ''))
    else if (whole === '{/}' && shown.length > 1) shown.pop()
    else if (isShown()) text += whole
  }
  return isShown() ? text + template.slice(from) : text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g

/** A value that was cut ends in `…`, so that code that stores the text can recognise half of a secret. */
const clean = (value: string): string => {
  const plain = value.slice(0, READ).replace(CONTROL, ' ')
  return plain.length > MAX_VALUE_LENGTH || value.length > READ ? `${plain.slice(0, MAX_VALUE_LENGTH - 1)}…` : plain
}
