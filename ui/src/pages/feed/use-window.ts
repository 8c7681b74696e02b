import { type RefObject, useEffect, useState } from 'react'

const ROW = 28
/** two lines, for a thumb */
const NARROW_ROW = 48
const AROUND = 12

interface Window {
  readonly from: number
  readonly to: number
  readonly rowHeight: number
}

/** Which rows are to be drawn. */
export function useWindow(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  openAt: number,
  tall: number,
): Window {
  const [view, setView] = useState({ top: 0, height: 900, isNarrow: false })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = (): void =>
      setView({ top: element.scrollTop, height: element.clientHeight, isNarrow: element.clientWidth < 700 })
    const sized = new ResizeObserver(look)
    sized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  const rowHeight = view.isNarrow ? NARROW_ROW : ROW
  const open = openAt >= 0 ? tall : 0
  const from = Math.max(0, Math.floor((view.top - open) / rowHeight) - AROUND)
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + AROUND)
  return { from: Math.min(from, Math.max(0, count - 1)), to, rowHeight }
}
