export { FileStore } from './files.ts'
export type { SessionKey, Step, Store } from './store.ts'
