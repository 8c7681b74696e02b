import { useState } from 'react'
import { useTypedCommand } from './status.tsx'

/** A command to copy into a terminal. */
export function CommandLine({ line: command }: { readonly line: string }) {
  const line = useTypedCommand()(command)
  const [isCopied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(line).then(
      () => {
        setCopied(true)
        setTimeout(() => setCopied(false), 1500)
      },
      () => {},
    )
  return (
    <span className="command">
      <code>{line}</code>
      <button type="button" onClick={copy} aria-label={`Copy ${line}`}>
        {isCopied ? 'copied' : 'copy'}
      </button>
    </span>
  )
}
