import type { EmptyReason } from '../../../src/app/dashboard/api.ts'
import { EmptyPage } from './empty-page.tsx'

const THEN = {
  unwired:
    'Signalbox finds the agents on this machine, shows what it will change, and asks. Then every call appears here.',
  quiet: 'Calls appear here automatically as soon as an agent does something.',
  lost: 'The next call of an agent creates a new database and appears here. Earlier records are lost.',
}

/** Shown if there are no records: the reason and the next step. */
export function EmptyState({ empty }: { readonly empty: EmptyReason }) {
  // the notice above every page says what to do
  if (empty.cause === 'unreadable')
    return (
      <EmptyPage title="Nothing to show">
        This page reloads automatically when the database can be read again.
      </EmptyPage>
    )
  return (
    <EmptyPage title={empty.text} next={empty.next}>
      {THEN[empty.cause]}
    </EmptyPage>
  )
}
