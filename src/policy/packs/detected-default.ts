import { join } from 'node:path'
import type { Json } from '../../lib/json.ts'
import type { OptionDoc } from '../schema/policy.ts'

/** The project's folder, and how its files are read: a file that is read is watched, so that a new one changes the policy. */
export interface ProjectFiles {
  readonly root: string
  read(file: string): string | null
}

/**
 * The default of an option in this project: the values whose files are there, or the declared default. An option that is a list
 * takes every value, another one the first.
 */
export function defaultIn({ root, read }: ProjectFiles, option: OptionDoc): Json {
  const found = (option.detect ?? []).filter(({ file, has }) => {
    const text = read(join(root, file))
    return text !== null && (has === undefined || text.includes(has))
  })
  if (found.length === 0) return option.default
  const values = [...new Set(found.map(({ value }) => value))]
  return Array.isArray(option.default) ? values : (values[0] ?? option.default)
}
