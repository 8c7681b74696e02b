import { useEffect } from 'react'
import { href, navigate } from '../route/route.ts'
import { PAGES } from './pages.ts'

const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'

const isTyping = (target: EventTarget | null): boolean => target instanceof Element && target.matches(TYPED)

/** Single-key shortcuts, ignored while typing. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      // a dialog has its own keys
      if (document.querySelector('dialog[open]')) return
      const act = keys[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [keys])
}

const SECOND_MS = 1200
let pressedAt = 0

const goTo = (page: string) => () => {
  if (performance.now() - pressedAt < SECOND_MS) navigate(href([page]))
  pressedAt = 0
}

/** `g`, then the letter of a page. `g` twice opens the gates page. */
export const PAGE_KEYS: Readonly<Record<string, () => void>> = {
  ...Object.fromEntries(PAGES.map(({ page, key }) => [key, goTo(page)])),
  g: () => {
    const isSecond = performance.now() - pressedAt < SECOND_MS
    if (isSecond) navigate(href(['gates']))
    pressedAt = isSecond ? 0 : performance.now()
  },
}

/** `j` and `k` move between elements marked as rows; Enter opens them, as the browser does. */
export function useRowKeys(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
      if (rows.length === 0 || event.defaultPrevented) return
      const active = document.activeElement
      const at = active instanceof HTMLElement ? rows.indexOf(active) : -1
      const next = event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)
      rows[next]?.focus()
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
