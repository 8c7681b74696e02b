import { createHash } from 'node:crypto'

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** JSON with its keys in order: the same value is the same text, whoever writes it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(one => canonical(one ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/** A text that every driver gives back as it was: libsql cuts it at a NUL, and half a character is none in UTF-8. */
export const plain = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')
