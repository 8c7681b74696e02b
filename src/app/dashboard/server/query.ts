import { HttpError } from './http-error.ts'

/** The query parameters; each may appear once. */
export class QueryParameters {
  constructor(private readonly params: URLSearchParams) {}

  text(name: string): string | undefined {
    const all = this.params.getAll(name)
    if (all.length > 1) throw new HttpError(400, `\`${name}\` is given ${all.length} times`)
    const [text] = all
    return text === '' ? undefined : text
  }

  /** A whole number of at least `least`, capped at `most`. */
  number(name: string, { least = 0, most = Number.MAX_SAFE_INTEGER } = {}): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (!/^\d{1,16}$/.test(text) || Number(text) < least) throw new HttpError(400, `\`${name}\` is not a number`)
    return Math.min(Number(text), most)
  }
}
