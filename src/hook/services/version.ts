import { version } from '../../../package.json'

export const VERSION: string = version

declare const SIGNALBOX_BUILD: string | undefined
/** Of two builds with one version, which: what one has compiled is none of the other's. */
export const BUILD: string = typeof SIGNALBOX_BUILD === 'string' ? SIGNALBOX_BUILD : 'sources'
