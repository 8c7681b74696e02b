export { askDaemon, exchange, type Status } from './ask.ts'
export { Daemon, NoDaemon, type Resident } from './daemon.ts'
export { Log, readLog } from './log.ts'
export { NAMES, runFolder } from './run-folder.ts'
