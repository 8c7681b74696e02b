import { href, useRoute } from '../route/route.ts'
import { Icon } from './icon.tsx'
import { PAGES } from './pages.ts'

export function Nav() {
  const { page } = useRoute()
  return (
    <nav className="nav" aria-label="Pages">
      <ul>
        {PAGES.map(one => (
          <li key={one.page}>
            <a href={href([one.page])} {...(one.page === page && { 'aria-current': 'page' as const })}>
              <Icon name={one.page} />
              {one.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
