import * as v from 'valibot'
import { parse } from 'yaml'
import { readRegularFile } from '../../lib/fs/regular-file.ts'
import { isObject } from '../../lib/json.ts'
import { replacesSchema } from '../schema/policy.ts'

/** Hooks that people wrote by hand, and the pack that does their work. */
export interface HookReplacement extends v.InferOutput<typeof replacesSchema> {
  readonly pack: string
  /** names of its gates */
  readonly gates: readonly string[]
}

/** As the pack itself says it. Nothing of one that cannot be read: no hook is taken for another by mistake. */
export function readHookReplacements(pack: string, file: string): readonly HookReplacement[] {
  try {
    const doc: unknown = parse(readRegularFile(file))
    if (!isObject(doc)) return []
    const said = v.safeParse(replacesSchema, doc.replaces)
    return said.success ? [{ ...said.output, pack, gates: isObject(doc.gates) ? Object.keys(doc.gates) : [] }] : []
  } catch {
    return []
  }
}
