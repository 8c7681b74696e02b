import { createHash } from 'node:crypto'

const MARK_LINE = /^# signalbox ([0-9a-f]{12}): [^\n]*\n/m

/** Adds a line that marks the file as ours and contains a hash of the content: an edit is detected without a manifest. */
export const withGeneratedMark = (text: (mark: string) => string): string =>
  text(
    `# signalbox ${shortDigest(text(''))}: written by \`signalbox init\` from the policy. If you edit this file, it is no longer updated.\n`,
  )

/** The hash that `init` wrote, and whether the file was edited since. Undefined: the file is not ours. */
export function parseGeneratedMark(text: string): { readonly wrote: string; readonly isEdited: boolean } | undefined {
  // git may have converted the line ends
  const plain = text.replaceAll('\r\n', '\n')
  const wrote = MARK_LINE.exec(plain)?.[1]
  return wrote === undefined ? undefined : { wrote, isEdited: shortDigest(plain.replace(MARK_LINE, '')) !== wrote }
}

const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
