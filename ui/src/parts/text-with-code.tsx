import { useTypedCommand } from './status.tsx'

/** Text with commands in backticks. */
export function TextWithCode({ text }: { readonly text: string }) {
  const typed = useTypedCommand()
  // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
  return text.split('`').map((part, nth) => (nth % 2 === 1 ? <code key={nth}>{typed(part)}</code> : part))
}
