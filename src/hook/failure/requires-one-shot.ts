/** Thrown when the daemon could answer differently than a one-shot process, or too slowly. A one-shot process then answers the event. */
export class RequiresOneShot extends Error {
  constructor(
    message: string,
    /** the redacted part of the message that the audit log may keep: messages can quote anything */
    readonly onRecord?: string,
  ) {
    super(message)
  }
}
