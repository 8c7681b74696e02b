import { useLine } from '../api/line.ts'
import { Command } from './command.tsx'

/** What holds for every page: whether anybody answers. */
export function Notice() {
  const line = useLine()
  if (line === 'here') return null
  const [title, says] =
    line === 'gone'
      ? [
          'The daemon does not answer.',
          'What you see is the last it said. This page goes on by itself when it is back:',
        ]
      : ['This browser has no key.', 'Open the address that this prints:']
  return (
    <div className="notice" role="alert">
      <strong>{title}</strong>
      <span>{says}</span>
      <Command line="signalbox ui" />
    </div>
  )
}
