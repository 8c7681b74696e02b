/** Where a command stands in the line. */
export interface PipelinePosition {
  /** the line succeeds only if this does */
  readonly implied: boolean
  /** the line's status is this command's */
  readonly decides: boolean
  /** `set -e` ends the line here */
  readonly strict: boolean
  /** what comes in by a pipe: null when it cannot be told, undefined when there is none */
  readonly stdin?: string | null
  /** it comes from another command, which may say something else */
  readonly piped?: boolean
}

export const STATUS_IGNORED: PipelinePosition = { implied: false, decides: false, strict: false }
export const WHOLE_LINE: PipelinePosition = { implied: true, decides: true, strict: true }

/** The same place without a say in the line's status. */
export const withoutStatus = (spot: PipelinePosition): PipelinePosition =>
  spot.stdin === undefined ? STATUS_IGNORED : { ...spot, implied: false, decides: false, strict: false }
