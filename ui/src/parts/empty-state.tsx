import type { EmptyReason } from '../../../src/app/dashboard/api.ts'
import { EmptyPage } from './empty-page.tsx'

const THEN = {
  unwired:
    'Signalbox finds the agents on this machine, shows what it will change, and asks. Then every call of theirs shows here.',
  quiet: 'As soon as an agent does something, it shows here by itself.',
  lost: 'The next call of an agent begins a new database, and shows here by itself. What was recorded before does not come back.',
}

/** Shown if there are no records: the reason and the next step. */
export function EmptyState({ empty }: { readonly empty: EmptyReason }) {
  // the notice above every page says what to do
  if (empty.cause === 'unreadable')
    return <EmptyPage title="Nothing to show">It comes back by itself when the database can be read again.</EmptyPage>
  return (
    <EmptyPage title={empty.says} next={empty.next}>
      {THEN[empty.cause]}
    </EmptyPage>
  )
}
