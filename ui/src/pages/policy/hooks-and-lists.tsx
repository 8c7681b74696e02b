import type { PolicyDetail } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'

/** The policy's hooks, allowlists, and routes that wait for a program. */
export function HooksAndLists({ policy }: { readonly policy: PolicyDetail }) {
  const { hooks, allow, inactive } = policy
  const lists = allow.filter(one => one.lines.length > 0)
  if (hooks.length + lists.length + inactive.length === 0) return null
  return (
    <div className="columns">
      {hooks.length > 0 && (
        <Sheet title="Your own hooks">
          <ul className="rules">
            {hooks.map(hook => (
              <li key={`${hook.layer} ${hook.run}`}>
                <code>{hook.run}</code> <span className="quiet">{[hook.layer, ...hook.events].join(', ')}</span>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
      {lists.length > 0 && (
        <Sheet title="Allowlists">
          <ul className="rules">
            {lists.flatMap(({ layer, lines }) =>
              lines.map(line => (
                <li key={`${layer} ${line}`}>
                  <code>{line}</code> <span className="quiet">{layer}</span>
                </li>
              )),
            )}
          </ul>
        </Sheet>
      )}
      {inactive.length > 0 && (
        <Sheet title="Inactive routes: program not installed">
          <ul className="rules">
            {inactive.map(one => (
              <li key={one.route}>
                {one.route} <span className="quiet">needs</span> <code>{one.command}</code>
              </li>
            ))}
          </ul>
        </Sheet>
      )}
    </div>
  )
}
