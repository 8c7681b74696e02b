import type { PolicyDetail } from '../../../src/app/dashboard/api.ts'
import { fileOf } from '../words/name.ts'

/** Problems in a policy, each with its place. */
export function Problems({ problems }: { readonly problems: PolicyDetail['problems'] }) {
  if (problems.length === 0) return null
  return (
    <ul>
      {problems.map(problem => (
        <li key={`${problem.file}:${problem.line}:${problem.column} ${problem.message}`} className="problem">
          <p>
            <code className="at" title={problem.file}>
              {fileOf(problem.file)}:{problem.line}:{problem.column}
            </code>{' '}
            {problem.message}
            {problem.help && <>; {problem.help}</>}
          </p>
          {problem.excerpt && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what may be wider than its place must be reachable
            <pre tabIndex={0}>
              {problem.excerpt}
              {'\n'}
              {' '.repeat(Math.max(0, problem.column - 1))}
              {'^'.repeat(Math.max(1, problem.length ?? 1))}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
