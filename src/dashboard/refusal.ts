/** Something that is not answered, and why: in words for whoever asked. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly help?: string,
  ) {
    super(message)
  }
}

export const notFound = (what: string, help?: string): Refusal => new Refusal(404, what, help)
