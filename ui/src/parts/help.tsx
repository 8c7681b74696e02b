import { useEffect, useRef } from 'react'
import { PAGES } from './pages.ts'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
}

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [['j', 'k'], 'next and previous row'],
  [['Enter'], 'open or close it'],
  [['←', '→'], 'along a timeline'],
  [['↑', '↓'], 'to the next lane'],
  [['Home', 'End'], 'its first and last event'],
  [['/'], 'search decisions'],
  [['Esc'], 'close a decision, clear a search'],
  [['Ctrl', 'Enter'], 'evaluate, in the playground'],
  [['t'], 'light or dark'],
  [['?'], 'this list'],
]

/** The list of keyboard shortcuts. */
export function Help({ isOpen, close }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (isOpen) dialog.current?.showModal()
    else dialog.current?.close()
  }, [isOpen])
  return (
    <dialog className="help" ref={dialog} onClose={close} aria-labelledby="keys">
      <header>
        <h2 id="keys">Keys</h2>
        <button type="button" className="button" onClick={close}>
          Close
        </button>
      </header>
      <dl>
        {KEYS.map(([keys, what]) => (
          <Row key={what} keys={keys} what={what} />
        ))}
        {PAGES.map(({ key, title }) => (
          <Row key={title} keys={['g', key]} what={title} />
        ))}
      </dl>
    </dialog>
  )
}

function Row({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <>
      <dt>
        {keys.map((key, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
          <kbd key={nth}>{key}</kbd>
        ))}
      </dt>
      <dd>{what}</dd>
    </>
  )
}
