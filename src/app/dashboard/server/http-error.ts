/** An error response with a message for the user. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly help?: string,
  ) {
    super(message)
  }
}

/** Another process holds the database. This is usually short. */
export class DatabaseLockedError extends HttpError {
  constructor(message: string) {
    super(503, message, 'nothing is lost: the page continues when that process is done')
  }
}

export const notFoundError = (what: string, help?: string): HttpError => new HttpError(404, what, help)
