/** Marks of events are made of chance; here they are counted, so that two tellings of a story can be compared. */
let count = 0

export const nextMark = (): string => `mark-${++count}`

export const beginMarks = (): void => {
  count = 0
}
