export { askDaemon, type Status } from './ask.ts'
export { Daemon } from './daemon.ts'
export { Log, readLog } from './log.ts'
export { NAMES, runFolder } from './run-folder.ts'
