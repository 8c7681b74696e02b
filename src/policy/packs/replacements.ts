import * as v from 'valibot'
import { parse } from 'yaml'
import { readRegularFile } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'
import { replacesSchema } from '../schema/policy.ts'

/** Hand-written hooks, and the pack that replaces them. */
export interface HookReplacement extends v.InferOutput<typeof replacesSchema> {
  readonly pack: string
  /** names of the pack's gates */
  readonly gates: readonly string[]
}

/** Reads `replaces` of a pack. Returns nothing for an unreadable pack, so that no hook is replaced by mistake. */
export function readHookReplacements(pack: string, file: string): readonly HookReplacement[] {
  try {
    const doc: unknown = parse(readRegularFile(file))
    if (!isObject(doc)) return []
    const parsed = v.safeParse(replacesSchema, doc.replaces)
    return parsed.success ? [{ ...parsed.output, pack, gates: isObject(doc.gates) ? Object.keys(doc.gates) : [] }] : []
  } catch {
    return []
  }
}
