import * as crypto from 'node:crypto'

/** In one call where Node has it (20.12 and later): half the time. */
export const digest = (text: string, as: 'hex' | 'base64url'): string =>
  crypto.hash ? crypto.hash('sha256', text, as) : crypto.createHash('sha256').update(text).digest(as)

export const sha256 = (text: string): string => digest(text, 'hex')

/** A text that every driver gives back as it was: libsql cuts it at a NUL, and half a character is none in UTF-8. */
export const plain = (text: string): string => text.slice(0, 300).replace(/[\0\p{Surrogate}]/gu, '\ufffd')
