import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { DoctorCheck } from '../../context.ts'
import type { DoctorFinding } from '../../finding.ts'
import { isFileWritable } from '../../read/writable.ts'

/** Files in the project that export a gate's state to other tools. */
export const exportedFilesCheck: DoctorCheck = {
  ids: ['EXPORT-UNWRITABLE'],
  about: 'files that are exported to the project',
  look: ({ policy: { exports }, root }) =>
    exports
      .flatMap(({ state, errors }) => [state, errors].filter(path => path !== undefined))
      .flatMap((path): readonly DoctorFinding[] => {
        const why = findWriteObstacle(root, path)
        if (why === undefined) return []
        return [
          {
            id: 'EXPORT-UNWRITABLE',
            severity: 'problem',
            effect: 'other tools read an old state; enforcement is not affected',
            file: join(root, path),
            found: why,
            fix: /leads out/.test(why) ? `remove the link` : `chmod u+w ${nearestExisting(join(root, path))}`,
          },
        ]
      }),
}

function findWriteObstacle(root: string, path: string): string | undefined {
  const there = nearestExisting(join(root, path))
  try {
    if (relative(realpathSync(root), realpathSync(there)).startsWith('..'))
      return 'is a link that leads out of the project'
  } catch {
    return 'cannot be found'
  }
  return isFileWritable(there) ? undefined : `cannot be written: ${relative(root, there) || '.'} is read-only`
}

/** The file, or the nearest existing folder above it. */
const nearestExisting = (file: string): string => (existsSync(file) ? file : nearestExisting(dirname(file)))
