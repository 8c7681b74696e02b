/** `1 gate`, `2 gates`. */
export const countNoun = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
