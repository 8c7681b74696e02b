import type { Emptiness } from '../../../src/dashboard/api.ts'
import { Nothing } from './nothing.tsx'

const THEN = {
  unwired:
    'Signalbox finds the agents on this machine, shows what it will change, and asks. Then every call of theirs shows here.',
  quiet: 'As soon as an agent does something, it shows here by itself.',
  unreadable: 'Decisions are still made and enforced; only what was recorded cannot be shown.',
}

/** Nothing was ever heard: why, and the one thing to do. */
export function Empty({ empty }: { readonly empty: Emptiness }) {
  return (
    <Nothing title={empty.says} next={empty.next}>
      {THEN[empty.cause]}
    </Nothing>
  )
}
