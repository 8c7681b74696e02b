import type { Adopted } from '../clients/adopts.ts'
import type { Entry, Scope } from '../clients/registers.ts'
import type { Kind } from './manifest.ts'

/** One file as it is and as it will be. */
export interface Change {
  readonly file: string
  /** behind links */
  readonly real: string
  /** null: there is none */
  readonly before: Buffer | null
  /** null: it goes */
  readonly after: Buffer | null
  /** of a new file; the others keep theirs */
  readonly mode?: number | undefined
  readonly scope: Scope
  readonly kind: Kind
  readonly client?: string | undefined
  /** in a few words */
  readonly what: string
  /** hooks of the person's own that go out of it, or (a policy) into it */
  readonly taken?: readonly Entry[] | undefined
  readonly adopted?: readonly Adopted[] | undefined
}

/** A file that is left alone, and why; `place` is `:line:column`. */
export interface Problem {
  readonly file: string
  readonly place?: string | undefined
  readonly problem: string
  readonly help?: string | undefined
  readonly client?: string | undefined
}

export const isChange = ({ before, after }: Pick<Change, 'before' | 'after'>): boolean =>
  before === null || after === null ? before !== after : !before.equals(after)
