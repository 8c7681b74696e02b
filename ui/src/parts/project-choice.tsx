import { changeQuery, useRoute } from '../route/route.ts'
import { isProjectPage, useChosenProject, useStatus } from './status.tsx'

/** A project selector, if there are several. The feed and the sessions can show all projects. */
export function ProjectChoice() {
  const route = useRoute()
  const chosen = useChosenProject()
  const { data } = useStatus()
  if (!data || data.projects.length < 2) return null
  const isOne = isProjectPage(route.page)
  return (
    <div className="project">
      <label className="only-read" htmlFor="project">
        Project
      </label>
      <select
        id="project"
        className="field"
        title={isOne ? data.project : chosen}
        value={isOne ? data.project : (chosen ?? '')}
        onChange={event => changeQuery(route, { project: event.target.value })}
      >
        {!isOne && <option value="">all projects</option>}
        {data.projects.map(({ root, name }) => (
          <option key={root} value={root}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
