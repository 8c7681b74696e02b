import { join } from 'node:path'
import { findBrokenProgram, PROJECT_LAUNCHER } from '../../broken-program.ts'
import { type DoctorCheck, type DoctorContext, hooksThatCanDeny } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { fileExists } from '../../installed-agents.ts'
import { isOlderVersion } from '../../read/compare-versions.ts'
import { readPackageVersion } from '../../read/package-version.ts'

/** The installed copy of the program that hooks run. */
export const programCopyCheck: DoctorCheck = {
  ids: ['COPY-OLD', 'PROGRAM-BROKEN'],
  about: 'the copy of Signalbox that hooks run',
  look: context => [...oldCopyFindings(context), ...brokenProgramFindings(context)],
}

function oldCopyFindings(context: DoctorContext): readonly DoctorFinding[] {
  const file = join(context.folders.data, 'current/package.json')
  const found = readPackageVersion(file)
  if (found === undefined || !isOlderVersion(found, context.version)) return []
  return [
    {
      ...{ id: 'COPY-OLD', severity: 'problem', file },
      effect: 'agents call an older version of Signalbox than this one',
      found: `is version ${found}; this is ${context.version}`,
      fix: 'signalbox init',
    },
  ]
}

/** Hooks that are registered correctly but start a program that judges nothing. */
function brokenProgramFindings(context: DoctorContext): readonly DoctorFinding[] {
  const around = { root: context.root, env: context.env }
  return context.agents.flatMap(agent =>
    hooksThatCanDeny(agent).flatMap((hook): readonly DoctorFinding[] => {
      const broken = findBrokenProgram(hook, around)
      if (!broken || (hook.command.includes(PROJECT_LAUNCHER) && !fileExists(join(context.root, PROJECT_LAUNCHER))))
        return []
      return [
        {
          ...{ id: 'PROGRAM-BROKEN', severity: 'problem', file: broken.file, cause: broken.file },
          effect: 'the hook starts but evaluates nothing: every call passes unchecked',
          found: broken.found,
          fix: `${context.startCommand ?? 'npx signalbox'} init`,
        },
      ]
    }),
  )
}
