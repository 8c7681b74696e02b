import * as v from 'valibot'
import { parse } from 'yaml'
import { isObject } from '../pattern/index.ts'
import { readRegular } from './read.ts'
import { replaces } from './schema/policy.ts'

/** Hooks that people wrote by hand, and the pack that does their work. */
export interface Replacement extends v.InferOutput<typeof replaces> {
  readonly pack: string
  /** names of its gates */
  readonly gates: readonly string[]
}

/** As the pack itself says it. Nothing of one that cannot be read: no hook is taken for another by mistake. */
export function replacementOf(pack: string, file: string): readonly Replacement[] {
  try {
    const doc: unknown = parse(readRegular(file))
    if (!isObject(doc)) return []
    const said = v.safeParse(replaces, doc.replaces)
    return said.success ? [{ ...said.output, pack, gates: isObject(doc.gates) ? Object.keys(doc.gates) : [] }] : []
  } catch {
    return []
  }
}
