import { wallOf } from '../../pattern/index.ts'
import { holdsIn, isOver, OFF, readBypasses } from '../../runtime/index.ts'
import type { Check } from '../case.ts'
import type { Finding } from '../finding.ts'

/** What a person switched off. */
export const lifted: Check = {
  ids: ['OFF', 'BYPASSED'],
  about: 'bypasses',
  look: ({ folders, root, now }) =>
    readBypasses(folders.state)
      .filter(one => !isOver(one, now) && holdsIn(one, root))
      .map(({ id, gate, from, until, reason }): Finding => {
        const why = reason ? `: ${reason}` : ''
        return id === OFF
          ? {
              ...{ id: 'OFF', weight: 'problem', fix: 'signalbox on' },
              cost: 'every gate that yields is silent, in every project',
              saw: `off since ${wallOf(from)}${why}`,
            }
          : {
              ...{ id: 'BYPASSED', weight: 'problem', fix: 'signalbox bypass --end' },
              cost: `${gate ?? 'every gate that yields'} lets agents by`,
              saw: `until ${wallOf(until ?? from)}${why}`,
            }
      }),
}
