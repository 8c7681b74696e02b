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
      .filter(bypass => !isBypassOver(bypass, now) && bypassAppliesIn(bypass, root))
      .map(({ id, gate, from, until, reason }): DoctorFinding => {
        const why = reason ? `: ${reason}` : ''
        return id === OFF_BYPASS_ID
          ? {
              ...{ id: 'OFF', severity: 'problem', fix: 'signalbox on' },
              effect: 'every gate that can be bypassed is off, in every project',
              found: `off since ${localTime(from)}${why}`,
            }
          : {
              ...{ id: 'BYPASSED', severity: 'problem', fix: 'signalbox bypass --end' },
              effect: `${gate ?? 'every gate that can be bypassed'} is bypassed`,
              found: `until ${localTime(until ?? from)}${why}`,
            }
      }),
}
