/** Where a command stands in the line, and how its exit status affects the line's. */
export interface PipelinePosition {
  /** success of the line implies success of this command */
  readonly implied: boolean
  /** the line's exit status is this command's */
  readonly decides: boolean
  /** with `set -e`, a failure of this command ends the line */
  readonly strict: boolean
  /** standard input: its text, null if unknown, undefined if not redirected */
  readonly stdin?: string | null
  /** the input comes from another command, whose output may differ from `stdin` */
  readonly piped?: boolean
}

export const STATUS_IGNORED: PipelinePosition = { implied: false, decides: false, strict: false }
export const WHOLE_LINE: PipelinePosition = { implied: true, decides: true, strict: true }

/** The same position, with an exit status that does not affect the line. */
export const withoutStatus = (spot: PipelinePosition): PipelinePosition =>
  spot.stdin === undefined ? STATUS_IGNORED : { ...spot, implied: false, decides: false, strict: false }
