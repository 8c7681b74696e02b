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

/** Another process holds the database: a matter of a moment, or of that process. */
export class Locked extends Refusal {
  constructor(message: string) {
    super(503, message, 'nothing is lost: it goes on by itself when that process is done')
  }
}

export const notFound = (what: string, help?: string): Refusal => new Refusal(404, what, help)
