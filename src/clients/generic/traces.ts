import type { Traces } from '../client.ts'

export const traces: Traces = {
  title: 'Any other agent',
  registrations: [],
  processes: [],
}
