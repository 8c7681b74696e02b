export const LONGEST_VALUE = 200
/** a command may be a megabyte long */
const READ = 2000

/** `{name}` filled in; `{{` is a brace. Values come from agents and repositories: cut, and without control characters. */
export function fill(template: string, value: (name: string) => string | undefined): string {
  return template.replace(/\{\{|\{([a-zA-Z][\w./-]*)\}/g, (whole, name: string | undefined) => {
    if (name === undefined) return '{'
    const found = value(name)
    return found === undefined ? whole : clean(found)
  })
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g

/** What is cut off ends in `…`: whoever keeps the text can tell the half of a secret from a word. */
const clean = (value: string): string => {
  const plain = value.slice(0, READ).replace(CONTROL, ' ')
  return plain.length > LONGEST_VALUE || value.length > READ ? `${plain.slice(0, LONGEST_VALUE - 1)}…` : plain
}
