import { type RefObject, useEffect, useState } from 'react'

const ROW = 28
const AROUND = 12

/** The row height from the stylesheet: one or two lines, depending on the width. */
const rowIn = (scroller: HTMLElement): number => {
  const list = scroller.querySelector('.feed-list')
  return (list && Number.parseFloat(getComputedStyle(list).getPropertyValue('--feed-row'))) || ROW
}

interface Window {
  readonly from: number
  readonly to: number
  readonly rowHeight: number
}

/** The range of rows to draw. */
export function useWindow(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  openAt: number,
  tall: number,
): Window {
  const [view, setView] = useState({ top: 0, height: 900, rowHeight: ROW })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = (): void =>
      setView({ top: element.scrollTop, height: element.clientHeight, rowHeight: rowIn(element) })
    const sized = new ResizeObserver(look)
    sized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  const { rowHeight } = view
  const open = openAt >= 0 ? tall : 0
  const from = Math.max(0, Math.floor((view.top - open) / rowHeight) - AROUND)
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + AROUND)
  return { from: Math.min(from, Math.max(0, count - 1)), to, rowHeight }
}
