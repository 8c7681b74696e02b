import fc from 'fast-check'

// Generated cases are the same in every run, so a red one is red for everybody and stays red. `npm run test:fuzz` hunts with new ones.
const { FUZZ_SEED } = process.env
fc.configureGlobal({ seed: FUZZ_SEED === undefined ? 20_261_115 : Number(FUZZ_SEED) })
