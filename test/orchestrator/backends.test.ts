import { expect, it } from 'vitest'
import { backends } from '../../src/app/orchestrate/backends/index.ts'
import { clients } from '../../src/clients/index.ts'

it('a policy may name the backends that there are, and no others', () => {
  expect(clients.flatMap(({ backend }) => backend ?? []).sort()).toEqual(backends.map(({ id }) => id).sort())
})
