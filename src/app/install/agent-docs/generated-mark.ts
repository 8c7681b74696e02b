import { createHash } from 'node:crypto'

const MARK_LINE = /^# signalbox ([0-9a-f]{12}): [^\n]*\n/m

/** A file with a line in it that says whose it is, and what it said when it was written: nobody needs a record to tell whether it was edited. */
export const withGeneratedMark = (text: (mark: string) => string): string =>
  text(
    `# signalbox ${shortDigest(text(''))}: written by \`signalbox init\` from the policy; edit it, and it is yours\n`,
  )

/** Is it of `init`, what did it say then, and does it still? */
export function parseGeneratedMark(text: string): { readonly wrote: string; readonly isEdited: boolean } | undefined {
  // git may have given it other ends of lines
  const plain = text.replaceAll('\r\n', '\n')
  const wrote = MARK_LINE.exec(plain)?.[1]
  return wrote === undefined ? undefined : { wrote, isEdited: shortDigest(plain.replace(MARK_LINE, '')) !== wrote }
}

const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
