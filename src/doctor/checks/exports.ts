import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Check } from '../case.ts'
import type { Finding } from '../finding.ts'
import { isWritable } from '../writable.ts'

/** Files in the project that tell other tools of a gate. */
export const exportedFiles: Check = {
  ids: ['EXPORT-UNWRITABLE'],
  about: 'files that are exported to the project',
  look: ({ policy: { exports }, root }) =>
    exports
      .flatMap(({ state, errors }) => [state, errors].filter(path => path !== undefined))
      .flatMap((path): readonly Finding[] => {
        const why = obstacle(root, path)
        if (why === undefined) return []
        return [
          {
            id: 'EXPORT-UNWRITABLE',
            weight: 'problem',
            cost: 'other tools read an old state; what is enforced is not touched by it',
            file: join(root, path),
            saw: why,
            fix: /leads out/.test(why) ? `remove the link` : `chmod u+w ${nearest(join(root, path))}`,
          },
        ]
      }),
}

function obstacle(root: string, path: string): string | undefined {
  const there = nearest(join(root, path))
  try {
    if (relative(realpathSync(root), realpathSync(there)).startsWith('..')) return 'leads out of the project by a link'
  } catch {
    return 'cannot be found'
  }
  return isWritable(there) ? undefined : `cannot be written: ${relative(root, there) || '.'} is read-only`
}

/** The file, or the nearest folder above it that is there. */
const nearest = (file: string): string => (existsSync(file) ? file : nearest(dirname(file)))
