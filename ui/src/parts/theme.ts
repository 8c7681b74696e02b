import { useCallback, useState } from 'react'

/** The stored theme; without one, the system's setting applies. */
const KEY = 'signalbox-theme'

function storedTheme(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

const isDarkNow = (): boolean => {
  const chosen = document.documentElement.dataset.theme
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

function apply(theme: string | null): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  else delete document.documentElement.dataset.theme
  dispatchEvent(new Event('signalbox:theme'))
}

export const restoreTheme = (): void => apply(storedTheme())

export function useTheme(): { readonly isDark: boolean; readonly turn: () => void } {
  const [isDark, setDark] = useState(isDarkNow)
  const turn = useCallback(() => {
    const theme = isDarkNow() ? 'light' : 'dark'
    apply(theme)
    setDark(theme === 'dark')
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // no storage: the system's setting applies next time
    }
  }, [])
  return { isDark, turn }
}
