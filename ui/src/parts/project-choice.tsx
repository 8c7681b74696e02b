import { refine, useRoute } from '../route/route.ts'
import { useSituation } from './situation.tsx'

/** Where there are several. */
export function ProjectChoice() {
  const route = useRoute()
  const { data } = useSituation()
  if (!data || data.projects.length < 2) return null
  return (
    <div className="project">
      <label className="only-read" htmlFor="project">
        Project
      </label>
      <select
        id="project"
        className="field"
        title={data.project}
        value={data.project}
        onChange={event => refine(route, { project: event.target.value })}
      >
        {data.projects.map(({ root, name }) => (
          <option key={root} value={root}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
