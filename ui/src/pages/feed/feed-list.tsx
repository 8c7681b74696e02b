import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useWindow } from './use-window.ts'

interface Props<T> {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly items: readonly T[]
  readonly keyOf: (item: T) => number
  /** the one that is open, if it is among them */
  readonly openAt: number
  readonly row: (item: T, isOpen: boolean) => ReactNode
  readonly below: ReactNode
  readonly label: string
}

/** As many rows as fit on the screen, of as many as there are. One of them may be open. */
export function FeedList<T>({ scroller, items, keyOf, openAt, row, below, label }: Props<T>) {
  const [tall, setTall] = useState(0)
  const { from, to, rowHeight } = useWindow(scroller, items.length, openAt, tall)
  const topOf = (nth: number): number => nth * rowHeight + (openAt >= 0 && nth > openAt ? tall : 0)
  return (
    <ol className="feed-list" aria-label={label} style={{ height: topOf(items.length) }}>
      {items.slice(from, to).map((item, nth) => (
        <li
          key={keyOf(item)}
          style={{ transform: `translateY(${topOf(from + nth)}px)` }}
          aria-setsize={items.length}
          aria-posinset={from + nth + 1}
        >
          {row(item, from + nth === openAt)}
          {from + nth === openAt && <Below measured={setTall}>{below}</Below>}
        </li>
      ))}
    </ol>
  )
}

/** What is open pushes the rest down by as much as it takes. */
function Below({ measured, children }: { readonly measured: (height: number) => void; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const sized = new ResizeObserver(() => measured(element.offsetHeight))
    sized.observe(element)
    measured(element.offsetHeight)
    return () => {
      sized.disconnect()
      measured(0)
    }
  }, [measured])
  return (
    <div ref={box} className="feed-below">
      {children}
    </div>
  )
}
