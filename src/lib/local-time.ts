const two = (n: number): string => String(n).padStart(2, '0')

/** Times for people, in local time like the times they type (`time-argument.ts`). Programs get ISO. */
export function localClock(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
}

export function localDay(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
}

export const localTime = (at: number): string => `${localDay(at)} ${localClock(at)}`
