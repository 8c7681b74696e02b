import { bypassAppliesIn, isBypassOver, OFF_BYPASS_ID, readBypasses } from '../../../../hook/index.ts'
import { localTime } from '../../../../lib/local-time.ts'
import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'

/** Gates that a person has switched off. */
export const activeBypassesCheck: DoctorCheck = {
  ids: ['OFF', 'BYPASSED'],
  about: 'bypasses',
  look: ({ folders, root, now }) =>
    readBypasses(folders.state)
      .filter(one => !isBypassOver(one, now) && bypassAppliesIn(one, root))
      .map(({ id, gate, from, until, reason }): DoctorFinding => {
        const why = reason ? `: ${reason}` : ''
        return id === OFF_BYPASS_ID
          ? {
              ...{ id: 'OFF', weight: 'problem', fix: 'signalbox on' },
              cost: 'every gate that yields is silent, in every project',
              saw: `off since ${localTime(from)}${why}`,
            }
          : {
              ...{ id: 'BYPASSED', weight: 'problem', fix: 'signalbox bypass --end' },
              cost: `${gate ?? 'every gate that yields'} lets agents by`,
              saw: `until ${localTime(until ?? from)}${why}`,
            }
      }),
}
