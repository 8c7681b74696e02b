import { type ReactNode, useMemo, useState } from 'react'
import { href, navigate } from '../route/route.ts'
import { Help } from './help.tsx'
import { Icon } from './icon.tsx'
import { PAGE_KEYS, useKeys, useRowKeys } from './keys.ts'
import { Logo } from './logo.tsx'
import { Nav } from './nav.tsx'
import { Notice } from './notice.tsx'
import { ProjectChoice } from './project-choice.tsx'
import { ProtectionBadge } from './protection-badge.tsx'
import { useTheme } from './theme.ts'

/** The frame around every page. */
export function PageFrame({ children }: { readonly children: ReactNode }) {
  const [isHelping, setHelping] = useState(false)
  const { isDark, turn } = useTheme()
  useRowKeys()
  useKeys(useMemo(() => ({ ...PAGE_KEYS, '?': () => setHelping(true), t: turn, '/': search }), [turn]))
  return (
    <div className="shell">
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page, whose address is taken by the page's own name */}
      <a className="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header className="side">
        <a className="brand" href={href(['overview'])}>
          <Logo />
          Signalbox
        </a>
        <Nav />
        <div className="side-end">
          <ProjectChoice />
          <ProtectionBadge />
          <div className="tools">
            <button type="button" className="tool" onClick={turn} aria-label={isDark ? 'Light theme' : 'Dark theme'}>
              <Icon name="theme" />
            </button>
            <button type="button" className="tool key" onClick={() => setHelping(true)} aria-label="Keys">
              <Icon name="keys" />
            </button>
          </div>
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        <Notice />
        {children}
      </main>
      <Help isOpen={isHelping} close={() => setHelping(false)} />
    </div>
  )
}

/** Focuses the search field, or opens the feed, which has one. */
function search(): void {
  const box = document.querySelector<HTMLElement>('input[type="search"]')
  if (box) box.focus()
  else navigate(href(['feed'], { search: '1' }))
}

/** The address's fragment is the route, so this link must not change it. */
function skip(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
