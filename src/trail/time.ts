const two = (n: number): string => String(n).padStart(2, '0')

/** On the wall. */
export function clockOf(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
}

export function dayOf(at: number): string {
  const date = new Date(at)
  return [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
}
