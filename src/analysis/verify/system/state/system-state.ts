import type { Session } from '../../../../engine/index.ts'
import type { ControlState } from './control-state.ts'
import { type RegionKey, regionKey, type ShapeKey, type StateKey, shapeKey, stateKey } from './state-keys.ts'

/** A state of the transition system, reduced to what later events can distinguish. Equivalent states have the same key. */
export interface SystemState extends ControlState {
  readonly session: Session
  readonly key: StateKey
  readonly region: RegionKey
  readonly shape: ShapeKey
}

/** A state for a single evaluation, outside every state space. */
export const detachedState = (session: Session, control: ControlState): SystemState => ({
  ...control,
  ...{ session, key: stateKey(''), region: regionKey(''), shape: shapeKey('') },
})

/** A state and the unreduced session it came from. Unchanged parts of that session are the same objects as before. */
export interface ReachedState {
  readonly to: SystemState
  readonly unreduced: Session
}
