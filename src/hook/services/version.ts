import { version } from '../../../package.json'

export const VERSION: string = version

declare const SIGNALBOX_BUILD: string | undefined
/** Distinguishes builds of the same version: compiled policies of one build are not used by another. */
export const BUILD: string = typeof SIGNALBOX_BUILD === 'string' ? SIGNALBOX_BUILD : 'sources'
