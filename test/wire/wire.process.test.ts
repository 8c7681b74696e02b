import { type Sandbox, withSandbox } from '../support/sandbox.ts'
import { playWireCases } from './play.ts'

playWireCases<Sandbox>({
  runs: 'as a process',
  sandbox: withSandbox,
  hook: (sandbox, client, payload, call) => sandbox.hook(client, payload, call),
})
