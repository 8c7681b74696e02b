import type { Gate } from '../../../../engine/index.ts'

declare const kind: unique symbol

/** Equal keys: no later event can distinguish the states. */
export type StateKey = string & { readonly [kind]: 'state' }
/** Equal regions: the states differ only in counts far from every threshold, so they have the same transitions. */
export type RegionKey = string & { readonly [kind]: 'region' }
/** Equal shapes: the states differ only in counts. */
export type ShapeKey = string & { readonly [kind]: 'shape' }

export const stateKey = (text: string): StateKey => text as StateKey
export const regionKey = (text: string): RegionKey => text as RegionKey
export const shapeKey = (text: string): ShapeKey => text as ShapeKey

/**
 * Names one variable set of a gate in a session. A gate has one, or with `scope: agent` one for each caller: `gate@main`,
 * `gate@unknown`, `gate@agent:<id>`.
 */
export type GateInstance = string & { readonly [kind]: 'gate instance' }

/** The instance that the main agent uses. */
export const mainInstanceOf = ({ id, scope }: Gate): GateInstance =>
  (scope === 'agent' ? `${id}@main` : id) as GateInstance

export const isMainInstance = (key: string, { id }: Gate): boolean => key === id || key === `${id}@main`
export const isUnknownCallerInstance = (key: string, { id }: Gate): boolean => key === `${id}@unknown`
export const isSubagentInstance = (key: string): boolean => key.includes('@agent:')
export const isSubagentInstanceOf = (key: string, { id }: Gate): boolean => key.startsWith(`${id}@agent:`)

/** The id of the gate that the instance belongs to. */
export const gateIdOf = (key: string): string => key.split('@')[0] ?? key
