import type { Adopting } from './adopting.ts'
import { adoptings } from './desks.ts'

export { type Adopted, type Adopting, isStaying, type OwnHook, type ToolName } from './adopting.ts'

/** Of every agent that runs commands of the person's own. A door of its own: the hook never needs it. */
export const adoptingById = (id: string): Adopting | undefined => adoptings.find(one => one.id === id)
