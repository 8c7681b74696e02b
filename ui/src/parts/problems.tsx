import type { PolicyDetail } from '../../../src/app/dashboard/api.ts'
import { fileOf } from '../words/name.ts'

/** Problems in a policy, each with its place. */
export function Problems({ problems }: { readonly problems: PolicyDetail['problems'] }) {
  if (problems.length === 0) return null
  return (
    <ul>
      {problems.map(one => (
        <li key={`${one.file}:${one.line}:${one.column} ${one.message}`} className="problem">
          <p>
            <code className="at" title={one.file}>
              {fileOf(one.file)}:{one.line}:{one.column}
            </code>{' '}
            {one.message}
            {one.help && <>; {one.help}</>}
          </p>
          {one.excerpt && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what may be wider than its place must be reachable
            <pre tabIndex={0}>
              {one.excerpt}
              {'\n'}
              {' '.repeat(Math.max(0, one.column - 1))}
              {'^'.repeat(Math.max(1, one.length ?? 1))}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
