import { isAbsolute, join } from 'node:path'
import * as v from 'valibot'
import { isObject } from '../../pattern/index.ts'
import { didYouMean } from '../guess.ts'
import { type Context, type Key, label, warn } from './context.ts'

const list = v.optional(v.array(v.string()), [])
const whitelist = v.object({ approved_paths: list, approved_commands: list, auto_approve_patterns: list })

const LISTS = Object.keys(whitelist.entries)

/** What says something of the file itself is no list. */
const isStray = (name: string): boolean =>
  !LISTS.includes(name) && !/^[$_]|^(version|description|comment|notes?)$/.test(name)

export interface ImportedWhitelist {
  readonly paths: readonly string[]
  readonly commands: readonly string[]
  readonly patterns: readonly string[]
}

export const fileOf = (context: Context, written: string): string => {
  const home = written.startsWith('~/') ? context.input.home + written.slice(1) : written
  return isAbsolute(home) ? home : join(context.unit.folder, home)
}

export function importWhitelist(context: Context, holder: object, key: Key, written: string): ImportedWhitelist | null {
  const file = fileOf(context, written)
  const content = readJson(context, holder, key, file)
  if (content === undefined) return null
  const read = v.safeParse(whitelist, content)
  if (!read.success || !isObject(content)) {
    const shape = '{ "approved_paths", "approved_commands", "auto_approve_patterns" }'
    warn(context, holder, key, `\`${label(file, context.input)}\` is not used: it needs ${shape}, lists of texts`)
    return null
  }
  for (const name of Object.keys(content).filter(isStray)) {
    const help = didYouMean(name, LISTS) ?? `it has ${LISTS.join(', ')}`
    warn(context, holder, key, `unknown key \`${name}\` in \`${label(file, context.input)}\`: it clears nothing`, {
      help,
    })
  }
  const { approved_paths, approved_commands, auto_approve_patterns } = read.output
  return { paths: approved_paths, commands: approved_commands, patterns: auto_approve_patterns }
}

function readJson(context: Context, holder: object, key: Key, file: string): unknown {
  const text = context.files.read(file)
  const name = label(file, context.input)
  if (text === null) {
    warn(context, holder, key, `\`${name}\` does not exist`)
    return undefined
  }
  try {
    const content: unknown = JSON.parse(text)
    return content
  } catch {
    warn(context, holder, key, `\`${name}\` is not used: it is not JSON`)
    return undefined
  }
}
