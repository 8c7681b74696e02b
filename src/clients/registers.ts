import { registerings } from './desks.ts'
import type { Registering } from './registering.ts'

export { registerings } from './desks.ts'
export type {
  AgentText,
  CommandFiles,
  CommandText,
  Entry,
  HookCall,
  Reader,
  Registering,
  Scope,
  Wish,
} from './registering.ts'

/** Of every agent that is told of the hook by a file. A door of its own: the hook never needs it. */
export const registeringById = (id: string): Registering | undefined => registerings.find(one => one.id === id)
