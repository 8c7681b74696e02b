import type { EmptyReason } from '../../../src/app/dashboard/api.ts'
import { EmptyPage } from './empty-page.tsx'

const THEN = {
  unwired:
    'Signalbox finds the agents on this machine, shows what it will change, and asks. Then every call of theirs shows here.',
  quiet: 'As soon as an agent does something, it shows here by itself.',
  lost: 'The next call of an agent begins a new database, and shows here by itself. What was recorded before does not come back.',
}

/** Nothing was ever heard: why, and the one thing to do. */
export function EmptyState({ empty }: { readonly empty: EmptyReason }) {
  // what to do about it stands above every page
  if (empty.cause === 'unreadable')
    return <EmptyPage title="Nothing to show">It comes back by itself when the database can be read again.</EmptyPage>
  return (
    <EmptyPage title={empty.says} next={empty.next}>
      {THEN[empty.cause]}
    </EmptyPage>
  )
}
