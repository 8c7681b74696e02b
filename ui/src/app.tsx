import { type ComponentType, useEffect } from 'react'
import { FeedPage } from './pages/feed/feed-page.tsx'
import { GatePage } from './pages/gates/gate-page.tsx'
import { GatesPage } from './pages/gates/gates-page.tsx'
import { OverviewPage } from './pages/overview/overview-page.tsx'
import { PlaygroundPage } from './pages/playground/playground-page.tsx'
import { PolicyPage } from './pages/policy/policy-page.tsx'
import { SessionPage } from './pages/sessions/session-page.tsx'
import { SessionsPage } from './pages/sessions/sessions-page.tsx'
import { WorkflowsPage } from './pages/workflows/workflows-page.tsx'
import { EmptyPage } from './parts/empty-page.tsx'
import { PAGES } from './parts/pages.ts'
import { PageFrame } from './parts/shell.tsx'
import { StatusProvider } from './parts/status.tsx'
import { useRoute } from './route/route.ts'

const LISTS: Readonly<Record<string, ComponentType>> = {
  overview: OverviewPage,
  feed: FeedPage,
  sessions: SessionsPage,
  gates: GatesPage,
  workflows: WorkflowsPage,
  playground: PlaygroundPage,
  policy: PolicyPage,
}

export function App() {
  const { page, rest } = useRoute()
  const title = PAGES.find(one => one.page === page)?.title ?? 'Not found'
  useEffect(() => {
    document.title = `${[rest.at(-1), title].filter(Boolean).join(' · ')} · Signalbox`
    document.getElementById('main')?.scrollTo(0, 0)
  }, [title, rest])
  return (
    <StatusProvider>
      <PageFrame>
        <Page />
      </PageFrame>
    </StatusProvider>
  )
}

function Page() {
  const { page, rest } = useRoute()
  const [first, second] = rest
  if (page === 'sessions' && first !== undefined && second !== undefined)
    return <SessionPage key={`${first}/${second}`} client={first} session={second} />
  if (page === 'gates' && first !== undefined) return <GatePage key={first} id={first} />
  const List = LISTS[page]
  if (List) return <List />
  return (
    <EmptyPage isWhole title="Page not found">
      Choose a page from the menu.
    </EmptyPage>
  )
}
