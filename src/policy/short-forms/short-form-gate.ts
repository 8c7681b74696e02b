import type { SourceLocation } from '../parse/policy-error.ts'
import type { SourceMap } from '../parse/source-map.ts'
import type { GateDoc, TextDoc } from '../schema/gate.ts'

/** A gate that a short form stands for. */
export interface ShortFormGate {
  readonly name: string
  readonly doc: GateDoc
  /** values of the gate that a person wrote in the short form */
  readonly copied: CopiedValues
}

/** For each copied value, where it is in the gate, and where it was written. */
export type CopiedValues = ReadonlyArray<
  readonly [to: object, toKey: string | number, from: object, fromKey: string | number]
>

const MAX_NAME_LENGTH = 60

/** A name from words: `git push` becomes `git-push`, `prod/**` becomes `prod`. */
export const nameFrom = (...words: readonly string[]): string =>
  words
    .join(' ')
    .replace(/[^a-z0-9]+/gi, '-')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/^-+|-+$/g, '')
    .toLowerCase()

/** The person's own message, or ours. */
export const messageOf = (form: { readonly message?: TextDoc }, text: string): TextDoc => form.message ?? text

/** Gives each part of the gate the location of its short form, and each copied value the location of the original. */
export function locateGate({ doc, copied }: ShortFormGate, form: SourceLocation, sourceMap: SourceMap): void {
  locateParts(doc, form, sourceMap)
  for (const [to, toKey, from, fromKey] of copied) {
    const spot = sourceMap.spot(from, fromKey)
    if (spot) sourceMap.put(to, toKey, spot)
  }
}

function locateParts(part: object, form: SourceLocation, sourceMap: SourceMap): void {
  // a part that a person wrote has its location
  if (sourceMap.self(part)) return
  sourceMap.putSelf(part, form)
  for (const value of Object.values(part))
    if (typeof value === 'object' && value !== null) locateParts(value, form, sourceMap)
}
