export { transcribings } from './desks.ts'
export type { Glance, Reader, Told, Transcribing, Transcript } from './transcribing.ts'
