/** A table of a TOML file, parsed only as far as a few simple settings need. */
export interface TomlSection {
  readonly name: string
  readonly line: number
  /** key → its value as written */
  readonly entries: Readonly<Record<string, { readonly value: string; readonly line: number }>>
}

/** Tables with their plain keys. Dotted keys and inline tables are not parsed, so a missing key proves nothing. */
export function parseTomlSections(text: string): readonly TomlSection[] {
  const sections: { name: string; line: number; entries: Record<string, { value: string; line: number }> }[] = [
    { name: '', line: 1, entries: {} },
  ]
  for (const [nth, line] of text.split('\n').entries()) {
    const [, name] = /^\s*\[{1,2}\s*(.+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line) ?? []
    const [, key, value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (name !== undefined) sections.push({ name, line: nth + 1, entries: {} })
    else if (key !== undefined) {
      const last = sections.at(-1)
      if (last) last.entries[key] = { value: value.replace(/\s+#.*$/, ''), line: nth + 1 }
    }
  }
  return sections
}

/** `hooks.state."<key>"` → the key. */
export function tableKeyAfter(prefix: string, name: string): string | undefined {
  if (!name.startsWith(`${prefix}.`)) return undefined
  const rest = name.slice(prefix.length + 1)
  const [, basic, literal] = /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)')$/.exec(rest) ?? []
  return literal ?? (basic === undefined ? rest : basic.replace(/\\(.)/g, '$1'))
}
