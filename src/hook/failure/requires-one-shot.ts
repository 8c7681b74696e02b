/** What a process that stays would answer otherwise than one of its own: it is for one of its own to answer. Nothing was decided. */
export class RequiresOneShot extends Error {
  constructor(
    message: string,
    /** as much of it as the trail may keep; what a message quotes may be anything */
    readonly onRecord?: string,
  ) {
    super(message)
  }
}
