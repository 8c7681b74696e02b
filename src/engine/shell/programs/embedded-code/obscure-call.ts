/** What the finder gets of a call that cannot be read as a whole. */
export interface ObscureCall {
  readonly program: string
  /** the words that are known, without the program */
  readonly words: readonly string[]
  readonly assigns: Readonly<Record<string, string | null>> | undefined
  readonly stdin: string | undefined
  readonly via: string
}
