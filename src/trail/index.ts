export { collectorIn } from './collector.ts'
export { csvHead, csvLine } from './csv.ts'
export {
  actorsOf,
  couldBe,
  decisionsOf,
  type Filter,
  filterIn,
  gatesOf,
  isChosen,
  isClient,
  wordsOfText,
} from './filter.ts'
export { follow } from './follow.ts'
export { type Found, foundIn } from './found.ts'
export { jsonLine } from './json.ts'
export { PLAIN } from './line.ts'
export { Log } from './log.ts'
export { latest, pages } from './read.ts'
export { type Delivery, Shipment } from './ship.ts'
export { gateOf, isBypassed, isOfInterest, type Word, whatOf, wordOf } from './word.ts'
