import { href } from '../route/route.ts'
import { useStatus } from './status.tsx'
import { toneOfVerdict } from './tone.ts'

/** Shows on every page whether the policy is enforced. */
export function ProtectionBadge() {
  const { data } = useStatus()
  if (!data) return null
  const { word, why } = data.verdict
  return (
    <a className="standing" href={href(['overview'])} data-tone={toneOfVerdict(word)}>
      <strong>{word}</strong>
      {why}
    </a>
  )
}
