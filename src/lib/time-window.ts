/** The days of the week, as policies write them. */
export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export interface TimeWindow {
  readonly days: readonly string[]
  /** `16:00` */
  readonly from: string
  readonly to: string
  /** an IANA name; '': the zone of the machine */
  readonly zone: string
}

/** A window as one word, and back: `fri,sat 16:00-08:00 Europe/Zurich`. */
export const nameOfWindow = ({ days, from, to, zone }: TimeWindow): string =>
  `${days.join()} ${from}-${to} ${zone}`.trim()

export function windowOfName(name: string): TimeWindow {
  const [days = '', hours = '', zone = ''] = name.split(' ')
  const [from = '', to = ''] = hours.split('-')
  return { days: days.split(','), from, to, zone }
}

/** False if this machine does not know the zone. */
export function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).format(0) !== ''
  } catch {
    return false
  }
}

/** A window that passes midnight belongs to the day on which it begins. Its end is not part of it. */
export function isInWindow({ days, from, to, zone }: TimeWindow, now: number): boolean {
  const { day, minute } = zone === '' ? localTimeOf(now) : timeInZone(now, zone)
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isOn = (nth: number): boolean => days.includes(DAYS[(nth + 7) % 7] ?? '')
  if (begin < end) return isOn(day) && minute >= begin && minute < end
  return (isOn(day) && minute >= begin) || (isOn(day - 1) && minute < end)
}

const minutesOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

interface WeekTime {
  /** 0 is Monday */
  readonly day: number
  readonly minute: number
}

function localTimeOf(now: number): WeekTime {
  const date = new Date(now)
  return { day: (date.getDay() + 6) % 7, minute: date.getHours() * 60 + date.getMinutes() }
}

function timeInZone(now: number, timeZone: string): WeekTime {
  const options = { timeZone, weekday: 'short', hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(now)
  const partOf = (type: string): string => parts.find(part => part.type === type)?.value ?? ''
  const day = (DAYS as readonly string[]).indexOf(partOf('weekday').toLowerCase())
  return { day, minute: Number(partOf('hour')) * 60 + Number(partOf('minute')) }
}
