import type { ReactNode } from 'react'
import { CommandLine } from './command-line.tsx'
import { TextWithCode } from './text-with-code.tsx'

interface Props {
  readonly title: string
  readonly children?: ReactNode
  /** a command or a sentence */
  readonly next?: string | undefined
  readonly isWhole?: boolean
}

const isCommand = (text: string): boolean => /^(signalbox|npx|npm|chmod|sudo) /.test(text)

/** An empty page: the reason and the next step. */
export function EmptyPage({ title, children, next, isWhole = false }: Props) {
  return (
    <div className={isWhole ? 'nothing center' : 'nothing'}>
      {isWhole ? (
        <h1>{title}</h1>
      ) : (
        <h2>
          <TextWithCode text={title} />
        </h2>
      )}
      {children !== undefined && <p>{children}</p>}
      {next !== undefined && (isCommand(next) ? <CommandLine line={next} /> : <p>{next}</p>)}
    </div>
  )
}
