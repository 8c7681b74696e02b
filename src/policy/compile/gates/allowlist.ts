import type { AllowList } from '../../../engine/index.ts'
import { type PathPattern, parseCommand, parsePath, type TextPattern } from '../../../engine/index.ts'
import type { AllowDoc } from '../../schema/policy.ts'
import { type CompileContext, type DocumentKey, fileLabel, mayLoosen, reportWarning, toList } from '../context.ts'
import { importAllowlist, resolveImportPath } from '../values/imported-allowlist.ts'
import { checkRegex } from '../values/regex.ts'
import { compileCommands, compilePaths, eachItem } from '../values/value.ts'

/** Compiles `allow`, which only makes `whitelisted` match and never allows a call by itself. Null until trusted. */
export function compileAllowlist(context: CompileContext, parts: object, doc: AllowDoc): AllowList | null {
  const imported = [...eachItem(doc, 'from', doc.from)].map(([file, holder, key]) =>
    importAllowlistFile(context, holder, key, file),
  )
  const patterns = [...eachItem(doc, 'patterns', doc.patterns)]
    .filter(([pattern, holder, key]) => checkRegex(context, holder, key, pattern))
    .map(([regex]): TextPattern => ({ regex }))
  const list: AllowList = {
    layer: context.unit.layer,
    paths: [
      ...(doc.paths === undefined ? [] : compilePaths(context, doc, 'paths', doc.paths, true)),
      ...parseFolders(
        context,
        toList(doc.paths).filter(path => !path.startsWith('$')),
      ),
      ...imported.flatMap(allowList => allowList.paths),
    ],
    commands: [
      ...(doc.commands === undefined ? [] : compileCommands(context, doc, 'commands', doc.commands)),
      ...imported.flatMap(allowList => allowList.commands),
    ],
    patterns: [...patterns, ...imported.flatMap(allowList => allowList.patterns)],
  }
  return mayLoosen(context, parts, 'allow', '`allow` lists') ? list : null
}

/** The seed allows paths by prefix: a folder written without its slash also means its content. */
const parseFolders = (context: CompileContext, written: readonly string[]): readonly PathPattern[] =>
  written.filter(path => !path.endsWith('/') && !/[*?{]/.test(path)).map(path => parsePath(`${path}/`, context.input))

function importAllowlistFile(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  file: string,
): Pick<AllowList, 'paths' | 'commands' | 'patterns'> {
  const found = importAllowlist(context, holder, key, file)
  if (!found) return { paths: [], commands: [], patterns: [] }
  const name = fileLabel(resolveImportPath(context, file), context.input)
  const patterns = found.patterns.filter(pattern => {
    const fault = context.input.checkRegex(pattern)
    if (fault !== null) reportWarning(context, holder, key, `\`${pattern}\` of \`${name}\` is not used: ${fault}`)
    return fault === null
  })
  // an invalid entry is skipped, so that the rest of the layer still counts
  const isUsable = (text: string, isOne: boolean, what: string): boolean => {
    if (!isOne) reportWarning(context, holder, key, `\`${text}\` of \`${name}\` is not used: it is not a ${what}`)
    return isOne
  }
  const written = found.paths.filter(path => isUsable(path, path.trim() !== '', 'path'))
  return {
    paths: [...written.map(path => parsePath(path, context.input)), ...parseFolders(context, written)],
    commands: found.commands.flatMap(command => {
      const parsed = parseCommand(command)
      return isUsable(command, parsed !== null, 'command') && parsed !== null ? [parsed] : []
    }),
    patterns: patterns.map((regex): TextPattern => ({ regex })),
  }
}
