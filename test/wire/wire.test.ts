import { withInProcessSandbox } from '../support/in-process-sandbox.ts'
import { playWireCases } from './play.ts'

playWireCases({
  runs: 'in this process',
  sandbox: withInProcessSandbox,
  hook: (sandbox, client, payload, call) => sandbox.hookInProcess(client, payload, call),
})
