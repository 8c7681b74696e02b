import { verifyChain } from '../../../src/store/audit-log/verify-chain.ts'
import type { ChainVerification, SqliteStore } from '../../../src/store/index.ts'

/** Verifies the audit log through the connection of a store, so that what this store holds open counts. */
export const verifyStore = (store: SqliteStore): ChainVerification =>
  // biome-ignore lint/complexity/useLiteralKeys: the brackets reach private members
  store['use'](({ driver }) => verifyChain(driver, () => store['connection'].head.read()))
