const LONGEST_VALUE = 200

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

const clean = (value: string): string => {
  const plain = value.replace(CONTROL, ' ')
  return plain.length > LONGEST_VALUE ? `${plain.slice(0, LONGEST_VALUE - 1)}…` : plain
}
