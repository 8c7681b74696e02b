import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useWindow } from './use-window.ts'

interface Props<T> {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly items: readonly T[]
  readonly keyOf: (item: T) => number
  /** index of the open row, or -1 */
  readonly openAt: number
  readonly row: (item: T, isOpen: boolean) => ReactNode
  readonly below: ReactNode
  readonly label: string
}

/** A virtual list: draws only the rows that fit on the screen. One row may be open. */
export function FeedList<T>({ scroller, items, keyOf, openAt, row, below, label }: Props<T>) {
  const [tall, setTall] = useState(0)
  const { from, to, rowHeight } = useWindow(scroller, items.length, openAt, tall)
  useStill(scroller, openAt, tall, rowHeight)
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

/** Keeps an opened row in place although a row above it closes. A row opened by the address is scrolled to. */
function useStill(scroller: RefObject<HTMLDivElement | null>, openAt: number, tall: number, rowHeight: number): void {
  const before = useRef({ openAt: -1, tall: 0 })
  useLayoutEffect(() => {
    const box = scroller.current
    const old = before.current
    before.current = { openAt, tall }
    if (!box || openAt < 0 || openAt === old.openAt) return
    if (old.openAt >= 0 && openAt > old.openAt) box.scrollTop -= old.tall
    const top = openAt * rowHeight
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - rowHeight) box.scrollTop = top - rowHeight
  })
}

/** Measures the open row's details, which push the rows below down. */
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
