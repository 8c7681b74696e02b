import type { Allowance } from '../../pattern/index.ts'
import { type PathPattern, parseCommand, parsePath, type TextPattern } from '../../pattern/index.ts'
import type { AllowDoc } from '../schema/policy.ts'
import { type Context, type Key, label, listOf, mayLoosen, warn } from './context.ts'
import { fileOf, importWhitelist } from './imports.ts'
import { isRegex } from './regex.ts'
import { commands, items, paths } from './value.ts'

/** Feeds `whitelisted`, never an allow. Null while it waits for trust. */
export function compileAllow(context: Context, parts: object, doc: AllowDoc): Allowance | null {
  const imported = [...items(doc, 'from', doc.from)].map(([file, holder, key]) =>
    importAllow(context, holder, key, file),
  )
  const patterns = [...items(doc, 'patterns', doc.patterns)]
    .filter(([pattern, holder, key]) => isRegex(context, holder, key, pattern))
    .map(([regex]): TextPattern => ({ regex }))
  const list: Allowance = {
    layer: context.unit.layer,
    paths: [
      ...(doc.paths === undefined ? [] : paths(context, doc, 'paths', doc.paths, true)),
      ...folders(
        context,
        listOf(doc.paths).filter(path => !path.startsWith('$')),
      ),
      ...imported.flatMap(one => one.paths),
    ],
    commands: [
      ...(doc.commands === undefined ? [] : commands(context, doc, 'commands', doc.commands)),
      ...imported.flatMap(one => one.commands),
    ],
    patterns: [...patterns, ...imported.flatMap(one => one.patterns)],
  }
  return mayLoosen(context, parts, 'allow', '`allow` lists') ? list : null
}

/** The seed approves by prefix: a folder written without its slash still means what is in it. */
const folders = (context: Context, written: readonly string[]): readonly PathPattern[] =>
  written.filter(path => !path.endsWith('/') && !/[*?{]/.test(path)).map(path => parsePath(`${path}/`, context.input))

function importAllow(
  context: Context,
  holder: object,
  key: Key,
  file: string,
): Pick<Allowance, 'paths' | 'commands' | 'patterns'> {
  const found = importWhitelist(context, holder, key, file)
  if (!found) return { paths: [], commands: [], patterns: [] }
  const name = label(fileOf(context, file), context.input)
  const patterns = found.patterns.filter(pattern => {
    const fault = context.input.checkRegex(pattern)
    if (fault !== null) warn(context, holder, key, `\`${pattern}\` of \`${name}\` is not used: ${fault}`)
    return fault === null
  })
  // one entry that says nothing must not take the rest of the layer with it
  const isSaid = (text: string, isOne: boolean, what: string): boolean => {
    if (!isOne) warn(context, holder, key, `\`${text}\` of \`${name}\` is not used: it is not a ${what}`)
    return isOne
  }
  const written = found.paths.filter(path => isSaid(path, path.trim() !== '', 'path'))
  return {
    paths: [...written.map(path => parsePath(path, context.input)), ...folders(context, written)],
    commands: found.commands.flatMap(command => {
      const parsed = parseCommand(command)
      return isSaid(command, parsed !== null, 'command') && parsed !== null ? [parsed] : []
    }),
    patterns: patterns.map((regex): TextPattern => ({ regex })),
  }
}
