import type { IconName } from './icon.tsx'

/** The pages in the order of the navigation; `key` follows `g`. */
export const PAGES: readonly { readonly page: IconName & string; readonly title: string; readonly key: string }[] = [
  { page: 'overview', title: 'Overview', key: 'o' },
  { page: 'feed', title: 'Feed', key: 'f' },
  { page: 'sessions', title: 'Sessions', key: 's' },
  { page: 'gates', title: 'Gates', key: 'g' },
  { page: 'workflows', title: 'Workflows', key: 'w' },
  { page: 'playground', title: 'Playground', key: 'p' },
  { page: 'policy', title: 'Policy', key: 'y' },
]
