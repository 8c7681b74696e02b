export const HOUR_MS = 3_600_000
/** Days are UTC days: they only group hours. */
export const DAY_HOURS = 24

/** Hours since 1970. */
export const hourOf = (at: number): number => Math.floor(at / HOUR_MS)
export const dayOf = (hour: number): number => Math.floor(hour / DAY_HOURS)
