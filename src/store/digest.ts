import * as crypto from 'node:crypto'

/** In one call where Node has it (20.12 and later): half the time. */
export const sha256 = (text: string): string =>
  crypto.hash ? crypto.hash('sha256', text, 'hex') : crypto.createHash('sha256').update(text).digest('hex')

/** JSON with its keys in order: the same value is the same text, whoever writes it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(one => canonical(one ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = new Map(Object.entries(value))
  let text = ''
  for (const key of [...fields.keys()].sort()) {
    const field = fields.get(key)
    if (field !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(field)}`
  }
  return `{${text}}`
}

/** A text that every driver gives back as it was: libsql cuts it at a NUL, and half a character is none in UTF-8. */
export const plain = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')
