export { FileStore } from './files.ts'
export type { SessionKey, Store } from './store.ts'
