import { href } from '../route/route.ts'
import { useSituation } from './situation.tsx'
import { toneOfVerdict } from './tone.ts'

/** On every page: is it enforced? */
export function Standing() {
  const { data } = useSituation()
  if (!data) return null
  const { word, why } = data.verdict
  return (
    <a className="standing" href={href(['overview'])} data-tone={toneOfVerdict(word)}>
      <strong>{word}</strong>
      {why}
    </a>
  )
}
