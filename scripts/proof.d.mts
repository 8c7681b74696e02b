/** How one scenario went with one version of an agent. */
export interface Note {
  readonly id: string
  readonly version: string
  readonly scenario: string
  readonly deviation?: string | undefined
  /** with a hook in place of Signalbox, which does not serve the agent yet */
  readonly bare: boolean
  /** no promise that the pages tell of, but proven in the same run */
  readonly beside?: boolean
  readonly failed: boolean
  readonly ms: number
}

export function table(
  clients: readonly { readonly client: string; readonly version: string }[],
  notes: readonly Note[],
): string
export function differences(notes: readonly Note[]): readonly string[]
export function record(notes: readonly Note[]): void
