import type { ClientFootprint } from '../client.ts'

export const footprint: ClientFootprint = {
  title: 'Any other agent',
  registrations: [],
  processes: [],
}
