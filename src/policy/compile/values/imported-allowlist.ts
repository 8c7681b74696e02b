import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { didYouMean } from '../../../lib/did-you-mean.ts'
import { isObject } from '../../../lib/json.ts'
import { type CompileContext, type DocumentKey, fileLabel, reportWarning } from '../context.ts'

const textList = v.optional(v.array(v.string()), [])
const allowlistFile = v.object({
  approved_paths: textList,
  approved_commands: textList,
  auto_approve_patterns: textList,
})

const LIST_NAMES = Object.keys(allowlistFile.entries)

/** Keys that describe the file itself (`version`, `description`) are not reported as unknown lists. */
const isUnknownList = (name: string): boolean =>
  !LIST_NAMES.includes(name) && !/^[$_]|^(version|description|comment|notes?)$/.test(name)

export interface ImportedAllowlist {
  readonly paths: readonly string[]
  readonly commands: readonly string[]
  readonly patterns: readonly string[]
}

export const resolveImportPath = (context: CompileContext, written: string): string => {
  const home = written.startsWith('~/') ? context.input.home + written.slice(1) : written
  return isAbsolute(home) ? home : join(context.unit.folder, home)
}

export function importAllowlist(
  context: CompileContext,
  holder: object,
  key: DocumentKey,
  written: string,
): ImportedAllowlist | null {
  const file = resolveImportPath(context, written)
  const content = readJsonImport(context, holder, key, file)
  if (content === undefined) return null
  const read = v.safeParse(allowlistFile, content)
  if (!read.success || !isObject(content)) {
    const shape = '{ "approved_paths", "approved_commands", "auto_approve_patterns" }'
    reportWarning(
      context,
      holder,
      key,
      `\`${fileLabel(file, context.input)}\` is not used: it needs ${shape}, lists of texts`,
    )
    return null
  }
  for (const name of Object.keys(content).filter(isUnknownList)) {
    const help = didYouMean(name, LIST_NAMES) ?? `it has ${LIST_NAMES.join(', ')}`
    reportWarning(
      context,
      holder,
      key,
      `unknown key \`${name}\` in \`${fileLabel(file, context.input)}\`: it has no effect`,
      {
        help,
      },
    )
  }
  const { approved_paths, approved_commands, auto_approve_patterns } = read.output
  return { paths: approved_paths, commands: approved_commands, patterns: auto_approve_patterns }
}

function readJsonImport(context: CompileContext, holder: object, key: DocumentKey, file: string): unknown {
  const text = context.files.read(file)
  const name = fileLabel(file, context.input)
  if (text === null) {
    reportWarning(context, holder, key, `\`${name}\` does not exist`)
    return undefined
  }
  try {
    const content: unknown = JSON.parse(text)
    return content
  } catch {
    reportWarning(context, holder, key, `\`${name}\` is not used: it is not JSON`)
    return undefined
  }
}
